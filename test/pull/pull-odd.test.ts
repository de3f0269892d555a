// `linkform pull` with unusual files, git repositories and accounts. Fails if a byte order mark, line ending, document or alias
// changes; if objects outside the scope are pulled; if values that no file can express are changed or not reported; or if
// uncommitted changes are overwritten.

import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { plan } from "../../src/cli/plan.ts";
import { validate } from "../../src/cli/validate.ts";
import type { Sandbox } from "../../src/sandbox/index.ts";
import { accountOf } from "../sandbox/client.ts";
import { beginFile, beginPulling, expectEmptyPlan, HEAD, link, planOf, type Pulling } from "../support/pulling.ts";
import { git, repositoryIn } from "../support/repository.ts";
import { holds } from "../support/sandbox.ts";
import { runIn, temporaryFolder, textsOf, writeFiles, type Ran } from "../support/scenario.ts";

it("keeps byte order marks and line ends, and `--dry-run` writes nothing but prints a patch that git can apply", async () => {
  const files = {
    "links/a.yaml": "\uFEFFlinks:\r\n  go.example.com/a:\r\n    url: https://example.com/old # here\r\n",
    "links/b c.yaml": "links: { go.example.com/b: { url: https://example.com/old } }",
    "links/\u00fc.yaml":
      "---\n# one\nunspecified: reset\n---\nlinks:\n    go.example.com/u: {url: 'https://example.com/old'}\n...\n",
  };
  const { folder, pull } = await beginPulling(files, {
    links: [link("a"), link("a-new"), link("b"), link("u"), link("p", { domain: 3 })],
  });
  const before = await textsOf(folder);
  const { exit, out } = await pull({ dryRun: true });
  expect(exit).toBe(0);
  expect(await textsOf(folder)).toEqual(before);
  const other = await temporaryFolder();
  await writeFiles(other, { "linkform.yaml": HEAD, ...files, "a.patch": out });
  await promisify(execFile)("git", ["apply", "a.patch"], { cwd: other });
  await rm(path.join(other, "a.patch"));
  expect((await pull({ quiet: true })).exit).toBe(0);
  const after = await textsOf(folder);
  expect(await textsOf(other)).toEqual(after);
  expect(after.get("links/\u00fc.yaml")).toBe(
    files["links/\u00fc.yaml"].replace("{url: 'https://example.com/old'}", "{ url: https://example.com/u }"),
  );
  expect(after.get("links/a.yaml")?.startsWith(files["links/a.yaml"].replace("/old", "/a"))).toBe(true);
  expect(after.get("links/a.yaml")?.replaceAll("\r\n", "")).not.toContain("\n");
});

it("a block that cannot be edited alone stays, and the others are written", async () => {
  const text = `links:\n  go.example.com/one: &one { url: https://example.com/one }\n  go.example.com/a: *one\n  go.example.com/b: { url: https://example.com/old }\n`;
  const { pull, sandbox, folder, after } = await beginFile(text, { links: [link("a"), link("b"), link("one")] });
  const { exit, out } = await pull();
  expect(exit).toBe(1);
  expect(out).toContain(
    "link go.example.com/a: linkform does not edit it, because it uses an alias. Edit it by hand: ",
  );
  expect(await after()).toBe(text.replace("b: { url: https://example.com/old }", "b: { url: https://example.com/b }"));
  const { changes } = await planOf(sandbox, folder);
  expect(changes).toMatchObject([{ action: "update", key: "go.example.com/a" }]);
});

const odd = "https://example.com/🎁 [{x}]";
const odds = {
  url: odd,
  expiration_url: "mailto:a@example.com",
  target_type: 1,
  country: [{ key: "DE", value: `${odd}/de` }],
  rotation: [{ value: `${odd}/r` }],
};
const planned = (sandbox: Sandbox, folder: string, flags: Parameters<typeof plan>[1] = {}): Promise<Ran> =>
  runIn(folder, { LINKFORM_API_KEY: sandbox.apiKey }, (world) => plan(world, { baseUrl: sandbox.url, ...flags }));

it("addresses that the service refuses stay in a live link with a warning, and are never sent", async () => {
  // More than reports list for one file.
  const many = Array.from({ length: 101 }, (_, at) => link(`many-${at}`, { url: odd }));
  const { folder, sandbox, pull, text } = await beginPulling(
    {},
    { links: [link("odd", odds), link("plain"), ...many] },
  );
  const pulled = await pull({ split: "domain" });
  const isShown = holds("several or inactive target groups");
  expect([pulled.exit, pulled.err.match(/warning\[refused-address\]/g)?.length]).toEqual([0, isShown ? 4 : 3]);
  expect(pulled.err).toContain("102 places: links/go.example.com.yaml:");
  await expectEmptyPlan(sandbox, folder);
  expect((await planned(sandbox, folder)).err).not.toContain("error");
  const file = "links/go.example.com.yaml";
  const before = (await text(file)) ?? "";
  const changed = async (from: string, to: string): Promise<string> => {
    await writeFiles(folder, { [file]: before.replace(from, to) });
    const { exit, out, err } = await planned(sandbox, folder);
    return `${exit} ${/error\[[\w-]+\] .*/.exec(err)?.[0] ?? /Plan: .*/.exec(out)?.[0]}`;
  };
  expect(await changed("https://example.com/plain", "https://example.com/other")).toMatch(/^0 Plan: .*1 to update/);
  expect(await changed("https://example.com/plain", "https://example.com/{y}")).toBe(
    "1 error[refused-address] `url` of `go.example.com/plain` has `{` in its path, which the service refuses.",
  );
  // The country is sent again, because a group is sent as a whole.
  expect(await changed(`DE: ${odd}/de`, `DE: ${odd}/de\n        FR: https://example.com/fr`)).toMatch(/^1 error/);
  await writeFiles(folder, { [file]: before });
  expect((await runIn(folder, {}, (world) => validate(world, {}))).exit).toBe(1);
  await accountOf(sandbox).put("links/1", "url=https://example.com/fixed");
  expect((await planned(sandbox, folder)).exit).toBe(1);
  await writeFiles(folder, { "linkform.yaml": `${HEAD}rules: { refused-address: warning }\n` });
  expect((await planned(sandbox, folder)).exit).toBe(0);
  expect((await runIn(folder, {}, (world) => validate(world, {}))).exit).toBe(0);
});

it.each(["team/*.yaml", "links/{a,b}-*.yaml", "./all/**/*.yml"])(
  "a project without files whose glob %s matches none yet gets them",
  async (glob) => {
    const { folder, sandbox, converge } = await beginPulling(
      { "linkform.yaml": `${HEAD}files: ["${glob}"]\n` },
      { links: [link("a"), link("b", { domain: 3 })] },
    );
    await converge();
    expect((await planOf(sandbox, folder)).summary.unmanaged).toBe(0);
  },
);

it("a project without files whose only file does not exist is an error", async () => {
  const { pull, sandbox } = await beginPulling(
    { "linkform.yaml": `${HEAD}files: [all.yaml]\n` },
    { links: [link("a")] },
  );
  const { exit, err } = await pull();
  expect({ exit, requests: sandbox.requests.length }).toEqual({ exit: 1, requests: 0 });
  expect(err).toContain("`all.yaml` matches no file.");
});

const GO = "go.example.com";

it.each([
  [
    "a tombstone of a live object is removed",
    "",
    "absent:\n  links:\n    - go.example.com/a # why\n    - go.example.com/gone\n",
    "absent:\n  links:\n    - go.example.com/gone\n",
  ],
  [
    "a rename within a domain is reverted",
    `${GO}/new`,
    `links:\n  ${GO}/new: { url: https://example.com/other, renamed_from: a } # here\n`,
    `links:\n  ${GO}/a: { url: https://example.com/a } # here\n`,
  ],
  [
    "a rename to another domain is reverted",
    `${GO}/a`,
    `links:\n  promo.example.com/new: { url: https://example.com/a, renamed_from: ${GO}/a }\n`,
    `links:\n  ${GO}/a: { url: https://example.com/a }\n`,
  ],
  [
    "a deleted pixel is removed from its links",
    "",
    `links:\n  ${GO}/a:\n    url: https://example.com/a\n    pixels:\n      - Gone # bye\n      - Here # stays\n`,
    `links:\n  ${GO}/a:\n    url: https://example.com/a\n    pixels:\n      - Here # stays\n`,
  ],
])("changes in the files that were not applied: %s", async (_what, key, text, expected) => {
  const { after, converge } = await beginFile(text, {
    pixels: [{ name: "Here", type: "bing", value: "1234567" }],
    links: [link("a", text.includes("Here") ? { pixels: [1] } : {}), link("promo", { domain: 3 })],
  });
  await converge({}, ...(key === "" ? [] : [key]));
  expect((await after())?.startsWith(expected)).toBe(true);
});

describe("objects that files cannot declare", () => {
  it("objects outside the scope are not pulled", async () => {
    const scope = "scope: { domains: [go.example.com], spaces: [null] }\n";
    const { folder, converge } = await beginPulling(
      { "linkform.yaml": HEAD + scope },
      { links: [link("a"), link("b", { domain: 3 }), link("c", { space: 1 })] },
    );
    await converge();
    expect([...(await textsOf(folder)).values()].join("").match(/example\.com\/[abc]$/gm)).toEqual(["example.com/a"]);
  });

  it.each(["Europe/Berlin", "America/Chicago", "UTC"])(
    "an expiration in an hour that occurs twice is written, and the next plan is empty, files in %s",
    async (zone) => {
      const { folder, sandbox, pull } = await beginPulling(
        {
          "linkform.yaml": `${HEAD}timezone: ${zone}\n`,
          "links/a.yaml":
            "links:\n  go.example.com/a: { url: https://example.com/a, expiration: { date: 2027-01-01 } }\n",
        },
        {
          account: { timezone: "America/New_York" },
          links: ["05:30", "06:30", "07:30"].map((time, at) =>
            link("abc".charAt(at), { ends_at: `2027-11-07T${time}:00.000Z` }),
          ),
        },
      );
      expect(await pull()).toMatchObject({ exit: 0 });
      await expectEmptyPlan(sandbox, folder);
    },
  );

  it("a record that no file can declare is an error if `prune: scope` would delete it", async () => {
    const { pull, folder, sandbox } = await beginPulling(
      {
        "linkform.yaml": `${HEAD}prune: scope\nscope: { domains: [go.example.com] }\n`,
        "links/a.yaml": "links:\n  go.example.com/a: { url: https://example.com/a }\n",
      },
      { links: [link("a"), link("with.dot")] },
    );
    const { exit, out } = await pull();
    expect(exit).toBe(1);
    expect(out).toContain("; the next apply deletes it because of `prune: scope`");
    expect((await planOf(sandbox, folder)).changes).toMatchObject([{ action: "delete" }]);
  });

  it("a block whose live value no file can express stays, and is reported", async () => {
    const text = "links:\n  go.example.com/a: { url: https://example.com/a }\n";
    const { pull, after } = await beginFile(text, {
      links: [link("a", { url: `https://example.com/${"a".repeat(2048)}` })],
    });
    const { exit, out } = await pull();
    expect([exit, out]).toEqual([1, expect.stringContaining("go.example.com/a: its url has 2068 characters")]);
    expect(await after()).toBe(text);
  });
});

describe("git", () => {
  async function inGit(): Promise<Pulling & { readonly git: (...args: readonly string[]) => Promise<string> }> {
    const begun = await beginPulling(
      { "links/a.yaml": "links: { go.example.com/a: { url: https://example.com/old } }\n", "README.md": "ours\n" },
      { links: [link("a")] },
    );
    const run = (...args: readonly string[]): Promise<string> => git(begun.folder, ...args);
    await (await repositoryIn(begun.folder)).commitAll();
    return { ...begun, git: run };
  }

  it("uncommitted changes in other files do not stop the pull", async () => {
    const { folder, pull, text } = await inGit();
    await writeFiles(folder, { "notes.txt": "mine", "links/b.yaml": "# not committed\n", "README.md": "changed\n" });
    expect((await pull({ quiet: true })).exit).toBe(0);
    expect(await text("links/a.yaml")).toContain("https://example.com/a");
  });

  it("a commit with missing files stops the pull without --force", async () => {
    const { folder, pull, text, git: run } = await inGit();
    const tree = await run("rev-parse", "HEAD^{tree}");
    await rm(path.join(folder, ".git/objects", tree.slice(0, 2)), { recursive: true });
    const before = await text("links/a.yaml");
    const { exit, err } = await pull();
    expect([exit, await text("links/a.yaml")]).toEqual([1, before]);
    expect(err).toContain("Some files of `HEAD` are missing from this clone.");
    expect((await pull({ quiet: true, force: true })).exit).toBe(0);
    expect(await text("links/a.yaml")).toContain("https://example.com/a");
  });

  it.each(["links/a.yaml", "linkform.yaml", "links/a.yaml, which the committed project does not read"])(
    "uncommitted changes stop the pull without --force, in %s",
    async (what) => {
      const { folder, pull, text, sandbox, git: run } = await inGit();
      const [file = ""] = what.split(", ");
      if (what !== file) {
        await run("rm", "-q", "--cached", "linkform.yaml");
        await run("commit", "-qm", "no project");
      }
      await writeFiles(folder, { [file]: `${(await text(file)) ?? ""}# mine\n` });
      const before = await textsOf(folder);
      const { exit, err } = await pull();
      expect({ exit, requests: sandbox.requests.length }).toEqual({ exit: 1, requests: 0 });
      expect(err).toContain(`${file} has uncommitted changes.`);
      expect(await textsOf(folder)).toEqual(before);
      expect((await pull({ dryRun: true })).exit).toBe(0);
      expect((await pull({ force: true, quiet: true })).exit).toBe(0);
      expect(await text(file)).toContain("# mine\n");
    },
  );
});
