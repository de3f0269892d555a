// `validate --base`: what the files declared in a commit and no longer name, with lines to paste that settle it.
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { validate, type ValidateFlags } from "../../src/cli/validate.ts";
import { UserError } from "../../src/errors.ts";
import { GIT_ENV, startRepository, type Repository } from "../support/repository.ts";
import { runIn, temporaryFolder, writeFiles, type Ran } from "../support/scenario.ts";

const HEAD = "version: 1\nservice: { base_url: https://short.example.com }\n";
const DOMAIN = `${HEAD}domains: { go.example.com: 2, promo.example.com: 3 }\n`;

async function run(folder: string, flags: ValidateFlags = {}): Promise<Ran> {
  return runIn(folder, GIT_ENV, (world) => validate(world, { base: "HEAD", ...flags }));
}

/** A repository whose last commit has these files, and whose work tree has come to the others. */
async function changed(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): Promise<Repository> {
  const repository = await startRepository();
  await repository.commit(before);
  await repository.replace(after);
  return repository;
}

/** A project file with these links by alias, on go.example.com. */
const links = (urls: Readonly<Record<string, string>>, head = DOMAIN): string =>
  `${head}links:\n${Object.entries(urls)
    .map(
      ([key, rest]) => `  ${key.includes("/") ? key : `go.example.com/${key}`}: { url: https://example.com/${rest} }\n`,
    )
    .join("")}`;

// Fails if an orphan is not reported, one that is still named is reported, or its line at the base is missing.
test("what is gone is reported with the lines of a tombstone, unlike what the files still name", async () => {
  const repository = await changed(
    {
      "linkform.yaml": DOMAIN,
      "links/a.yaml":
        "links:\n  go.example.com/kept: { url: https://example.com/1 }\n  go.example.com/old-sale: { url: https://example.com/2 }\n  go.example.com/buried: { url: https://example.com/3 }\n  go.example.com/spring: { url: https://example.com/4 }\n",
      "links/b.yaml": 'pixels:\n  "Meta: main": { type: bing, value: 1 }\n  "on": { type: bing, value: 2 }\n',
    },
    {
      "linkform.yaml": DOMAIN,
      "links/a.yaml":
        "links:\n  2/KEPT: { url: https://example.com/9 }\n  go.example.com/summer: { url: https://example.com/8, renamed_from: SPRING }\nabsent: { links: { go.example.com/buried: { id: 7 } } }\n",
    },
  );
  const { exit, out, err } = await run(repository.folder);
  expect([exit, err]).toEqual([0, ""]);
  expect(out)
    .toBe(`note[orphan] \`go.example.com/old-sale\` was declared at links/a.yaml:3:3 in \`HEAD\`, but the files no longer name it. \`prune\` is \`none\`, so linkform does not delete it.
   = If it was renamed, write \`renamed_from: go.example.com/old-sale\` in the new block. To delete it, write \`absent: { links: [go.example.com/old-sale] }\`.

note[orphan] \`Meta: main\` was declared at links/b.yaml:2:3 in \`HEAD\`, but the files no longer name it. \`prune\` is \`none\`, so linkform does not delete it.
   = If it was renamed, write \`renamed_from: "Meta: main"\` in the new block. To delete it, write \`absent: { pixels: ["Meta: main"] }\`.

note[orphan] \`on\` was declared at links/b.yaml:3:3 in \`HEAD\`, but the files no longer name it. \`prune\` is \`none\`, so linkform does not delete it.
   = If it was renamed, write \`renamed_from: on\` in the new block. To delete it, write \`absent: { pixels: [on] }\`.

Valid: 2 files read.
`);
});

// Fails when the lines of a hint are no YAML, or don't settle what they are for.
test("what is gone is resolved by pasting the lines of the hints", async () => {
  const names = ["a, b", "[x]", "# no", "'q'", "~", "true", "{ a: b }", "*a", "no: `ticks", "ends:", "- dash"];
  const pixels = names.map((name) => `  ${JSON.stringify(name)}: { type: bing, value: 1 }\n`).join("");
  const repository = await changed({ "linkform.yaml": `${HEAD}pixels:\n${pixels}` }, { "linkform.yaml": HEAD });
  const { out } = await run(repository.folder, { format: ["json"] });
  const lines = JSON.parse(out).diagnostics.map(
    ({ hint }: { hint: string }) => /write `(absent: .*)`\.$/.exec(hint)?.[1],
  );
  expect(lines).toHaveLength(names.length);
  const pasted = Object.fromEntries(lines.map((line: string, at: number) => [`links/${at}.yaml`, `${line}\n`]));
  await writeFiles(repository.folder, pasted);
  expect(await run(repository.folder)).toMatchObject({ exit: 0, out: `Valid: ${names.length + 1} files read.\n` });
});

const BEFORE = { "linkform.yaml": links({ a: "a" }) };

// Fails if what will be deleted is said to stay, or the other way round.
test("with prune, the fate of what is gone is reported", async () => {
  const repository = await changed(BEFORE, {});
  for (const [policy, fate] of [
    ["prune: removed", "`prune: removed` will delete it, unless it is protected."],
    [
      "prune: scope\nscope: { domains: [2] }",
      "`prune: scope` will delete it if it is in the scope, unless it is protected.",
    ],
  ] as const) {
    await repository.replace({ "linkform.yaml": `${DOMAIN}${policy}\n` });
    expect((await run(repository.folder)).out).toContain(
      `but the files no longer name it. ${fate}\n   = If it was renamed, write \`renamed_from: go.example.com/a\` in the new block. To keep it, declare it again.\n\nValid: 1 file read`,
    );
  }
});

describe("a domain under another label", () => {
  const MEANT = ["go: { id: 2, name: go.example.com }", "go.example.com: 2", "other: { id: 2, name: Go.Example.com }"];
  const heads = [
    ...MEANT.map((label) => `${HEAD}domains: { ${label} }\n`),
    `${HEAD}domains: { g: go.example.com }\n`,
    HEAD,
  ];
  const keys = ["go", "go.example.com", "other", "g", "go.example.com"];

  // Fails when a link counts as gone because its domain is called otherwise, or an orphan's key is not in today's words.
  test.each(heads.map((from, at) => [keys[at] ?? "", from] as const))("from %s", async (old, from) => {
    const repository = await changed(
      { "linkform.yaml": links({ [`${old}/kept`]: "1", [`${old}/gone`]: "2" }, from) },
      {},
    );
    for (const [at, to] of heads.entries()) {
      await repository.replace({ "linkform.yaml": links({ [`${keys[at]}/Kept`]: "1" }, to) });
      const { out } = await run(repository.folder);
      expect([to, out.match(/orphan/g)]).toEqual([to, ["orphan"]]);
      expect(out).toContain(`To delete it, write \`absent: { links: [${keys[at]}/gone] }\`.`);
    }
  });

  // Fails if the id and the name of a domain count as two domains when no label joins them any more.
  test("to its id and its name, both used without a label", async () => {
    const now = links({ "2/kept": "1", "go.example.com/kept-too": "2" }, HEAD);
    const repository = await changed(
      { "linkform.yaml": links({ kept: "1", "kept-too": "2", gone: "3" }) },
      { "linkform.yaml": now },
    );
    const { out } = await run(repository.folder);
    expect(out.match(/orphan\] `[^`]*`/g)).toEqual(["orphan] `2/gone`"]);
  });

  // Fails if a label that now names another domain hides the links of the first one, or is in the lines to paste for the first one.
  test.each([
    ["go: { id: 2, name: go.example.com }", "go: { id: 3, name: promo.example.com }", "go.example.com"],
    ["go: { id: 2, name: go.example.com }", "go: { id: 3, name: go.example.com }", "2"],
    ["go: 2", "go: 3", "2"],
  ])("a label that means another domain now does not hide the old links: %s, %s", async (from, to, name) => {
    const repository = await changed(
      { "linkform.yaml": links({ "go/a": "1" }, `${HEAD}domains: { ${from} }\n`) },
      { "linkform.yaml": links({ "go/a": "1" }, `${HEAD}domains: { ${to} }\n`) },
    );
    expect((await run(repository.folder)).out).toContain(`write \`renamed_from: ${name}/a\` in the new block`);
  });
});

describe("what can't be compared", () => {
  // Fails when a project that is new is refused, or nothing is said of why nothing is compared.
  test("a project that is new has no orphans", async () => {
    const repository = await changed({ "README.md": "" }, { "linkform.yaml": HEAD });
    const { exit, out } = await run(repository.folder);
    expect([exit, out]).toEqual([
      0,
      "note[base-new] `linkform.yaml` does not exist at `HEAD`, so the base declares nothing.\n\nValid: 1 file read.\n",
    ]);
  });

  // Fails when mistakes of the files hide that the base is not to be had, or the other way round.
  test("mistakes in the files and a base that cannot be read are reported together", async () => {
    const repository = await changed({ "linkform.yaml": HEAD }, { "linkform.yaml": `${HEAD}prun: none\n` });
    const { exit, out } = await run(repository.folder, { base: "nope" });
    expect(exit).toBe(1);
    expect(out).toMatch(/^error\[base-missing\] `nope` is not a commit, branch or tag in this repository\.\n/);
    expect(out).toContain("error[unknown-key] Unknown key `prun`");
    expect(out).toContain("Not valid: 1 file read, 2 errors.");
  });

  // Fails when a file that can't be read makes its links count as gone.
  test("nothing counts as gone while the files have mistakes", async () => {
    const repository = await changed(
      { "linkform.yaml": HEAD, "links/a.yaml": "links: { go.example.com/a: { url: https://example.com/ } }\n" },
      { "linkform.yaml": HEAD, "links/a.yaml": "links: { go.example.com/a\n" },
    );
    const { exit, out } = await run(repository.folder);
    expect(exit).toBe(1);
    expect(out).not.toContain("orphan");
  });

  // Fails if Ctrl-C, which also ends git, is reported as a repository that cannot be read.
  test("Ctrl-C while git is at work is an interruption", async () => {
    const repository = await changed({ "linkform.yaml": HEAD }, { "linkform.yaml": HEAD });
    const bin = await temporaryFolder();
    await writeFile(path.join(bin, "git"), "#!/bin/sh\nkill -INT $$\n", { mode: 0o755 });
    const signal = AbortSignal.abort(new UserError("interrupted", "The run was interrupted.", { exit: 130 }));
    const env = { ...GIT_ENV, PATH: bin };
    const { exit, out } = await runIn(repository.folder, env, (world) => validate(world, { base: "HEAD" }), { signal });
    expect([exit, out.split("\n")[0]]).toEqual([130, "error[interrupted] The run was interrupted."]);
  });
});

describe("a finding that the base has, too", () => {
  const plain = (...aliases: readonly string[]): string =>
    `${DOMAIN}links:\n${aliases.map((alias) => `  go.example.com/${alias}: { url: http://plain.example.com/${alias} }\n`).join("")}`;

  // Fails when an approver has to find the new finding among old ones, or an old one vanishes without a word.
  test("is counted, wherever its line is now; the new one is shown", async () => {
    const before = { "linkform.yaml": plain("a", "b") };
    const { folder } = await changed(before, { "linkform.yaml": plain("new", "b", "a") });
    const { exit, out } = await run(folder);
    expect([exit, out.match(/warning\[/g)]).toEqual([0, ["warning["]]);
    expect(out).toContain("http://plain.example.com/new");
    expect(out).toContain("note[older-findings] The files have 2 warnings, and `HEAD` has them, too.");
    expect((await run(folder, { verbose: true })).out.match(/warning\[/g)).toHaveLength(3);
    expect((await run(folder, { format: ["github"] })).out.match(/^::warning /gm)).toHaveLength(1);
  });

  test("is new if its line has changed, if there are more of it, or if it is an error now", async () => {
    const [a, b] = [plain("a"), plain("a", "a").replace("/a: ", "/b: ")];
    const repository = await changed({ "linkform.yaml": a }, {});
    for (const [text, warnings, errors] of [
      [a, 0, 0],
      [a.replace("plain.example.com/a", "plain.example.com/other"), 1, 0],
      [b, 1, 0],
      [a.replace("links:", "rules: { plain-http: error }\nlinks:"), 0, 1],
    ] as const) {
      await repository.replace({ "linkform.yaml": text });
      const { out } = await run(repository.folder);
      expect([text, out.match(/warning\[plain/g)?.length ?? 0, out.match(/error\[/g)?.length ?? 0]).toEqual([
        text,
        warnings,
        errors,
      ]);
    }
  });

  test("does not make the base invalid if it is an error there", async () => {
    const strict = (text: string): string => text.replace("links:", "rules: { plain-http: error }\nlinks:");
    const fixed = plain("a").replace("http://", "https://");
    const { folder } = await changed({ "linkform.yaml": strict(plain("a")) }, { "linkform.yaml": strict(fixed) });
    expect(await run(folder)).toMatchObject({ exit: 0, out: "Valid: 1 file read.\n", err: "" });
  });
});

describe("without --base, the tag `applied`", () => {
  const validated = async (folder: string): Promise<Ran> => runIn(folder, GIT_ENV, (world) => validate(world, {}));

  test("prunes only if a flag names it", async () => {
    const repository = await changed(BEFORE, { "linkform.yaml": `${DOMAIN}prune: removed\n` });
    await repository.git("tag", "applied");
    const said = "`prune: removed` will delete it with `--base applied`, unless it is protected.\n";
    expect((await validated(repository.folder)).out).toContain(said);
  });

  test("does not make what its newer commits declare look removed", async () => {
    const repository = await changed({ "linkform.yaml": DOMAIN }, {});
    await repository.commit(BEFORE, "refs/tags/applied");
    await repository.git("reset", "--quiet", "--hard", "HEAD~1");
    const { out } = await validated(repository.folder);
    expect([out.includes("Removed links and pixels are not listed"), out.includes("orphan")]).toEqual([true, false]);
  });

  test("has no place in the files for the protection of a link that is gone", async () => {
    const block = `links: { go.example.com/a: { url: https://example.com/, protect: true } }\n`;
    const repository = await changed({ "linkform.yaml": DOMAIN, "links/a.yaml": block }, { "linkform.yaml": DOMAIN });
    await repository.git("tag", "applied");
    const { out } = await validated(repository.folder);
    expect(out).toContain("`protect: true` was removed from 1 link since `applied`: `go.example.com/a`.\n   = ");
  });

  test("is named with its commit and age", async () => {
    const repository = await changed(BEFORE, { "linkform.yaml": DOMAIN });
    await repository.git("tag", "applied");
    const { exit, out } = await validated(repository.folder);
    expect([exit, out]).toEqual([0, expect.stringContaining("in `applied`, but the files no longer name it")]);
    expect(out).toMatch(
      /^note\[implied-base\] Base: the tag `applied` \(commit [0-9a-f]{7}, less than a day old\)\.$/m,
    );
    const later = new Date(Date.now() + 3.5 * 86_400_000).toISOString();
    const old = await runIn(repository.folder, {}, (world) => validate({ ...world, now: () => later }, {}));
    expect(old.out).toContain(", 3 days old). If a deploy has moved it since, run `git fetch --force --tags`.\n");
  });

  test.each<[string, Readonly<Record<string, string>>, string[]]>([
    ["has errors in a file", { ...BEFORE, "links/a.yaml": "links: [" }, []],
    ["has settings that cannot be read", { "linkform.yaml": "version: [" }, []],
    ["is not in this partial clone", BEFORE, ["--filter=tree:0"]],
  ])("does not fail the check if it %s", async (_, before, filter) => {
    const origin = await changed(before, BEFORE);
    await origin.git("config", "uploadpack.allowFilter", "true");
    await origin.git("tag", "applied");
    await origin.commit({ ...BEFORE, "README.md": "" });
    const clone = path.join(await temporaryFolder(), "clone");
    await origin.git("clone", "--quiet", ...filter, `file://${origin.folder}`, clone);
    const { exit, out } = await validated(clone);
    expect([exit, out]).toEqual([0, expect.stringMatching(/^warning\[[^]*Valid: 1 file read/)]);
    expect(out).toContain("`applied`");
    expect(out).not.toContain("error[");
  });
});
