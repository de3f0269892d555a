// Promise 4: silence never opens. Fails if a field that the files leave out removes, publishes, enables or revives.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SeedState } from "../../src/sandbox/index.ts";
import type { PlanDocument } from "../../src/view/document.ts";
import { holds, startSandbox, where } from "../support/sandbox.ts";
import { Scenario, startScenario, temporaryFolder, writeFiles } from "../support/scenario.ts";
import { optional, runs, secret } from "../support/states.ts";

type SeedLink = NonNullable<SeedState["links"]>[number];

const CLOSED: readonly { state: string; live: Partial<SeedLink>; line: string; opened: object }[] = [
  { state: "a password", live: { password: "old" }, line: "password: none", opened: { password: null } },
  {
    state: "a statistics password",
    live: { privacy_password: "old" },
    line: "privacy_password: none",
    opened: { privacy_password: null },
  },
  { state: "private statistics", live: { privacy: 1 }, line: "privacy: public", opened: { privacy: 0 } },
  { state: "statistics with a password", live: { privacy: 2 }, line: "privacy: public", opened: { privacy: 0 } },
  ...where("disabled links", [
    { state: "disabled", live: { disabled: 1 }, line: "disabled: false", opened: { disabled: 0 } },
  ]),
  {
    state: "expired by date",
    live: { ends_at: "2026-11-21T12:00:00.000Z", expiration_url: "https://example.com/over", expiration_clicks: 99 },
    line: "expiration: none",
    opened: { ends_at: null, expiration_url: null, expiration_clicks: null },
  },
  {
    state: "expired by clicks",
    live: { expiration_clicks: 2, clicks: 2 },
    line: "expiration: none",
    opened: { expiration_clicks: null },
  },
];

describe.each(CLOSED)("a live link that is closed: $state", ({ live, line, opened }) => {
  const seed = { links: [{ url: "https://example.com/", domain: 2, alias: "shut", ...live }] };

  it("stays so in silence, with a warning that gives the line", async () => {
    const scenario = await startScenario({ seed });
    await scenario.write("links:\n  go.example.com/shut: { url: https://example.com/ }\n");
    const planned = await scenario.planDocument();
    expect(planned.changes).toEqual([]);
    expect(planned.diagnostics).toMatchObject([
      { code: "kept", severity: "warning", file: "linkform.yaml", line: 6, column: 3 },
    ]);
    expect(planned.diagnostics[0]?.hint).toContain(`\`${line}\``);
    expect((await scenario.apply()).exit).toBe(0);
    expect(scenario.writes()).toEqual([]);
  });

  it("opens when the file says the word", async () => {
    const scenario = await startScenario({ seed });
    await scenario.write(`links:\n  go.example.com/shut: { url: https://example.com/, ${line} }\n`);
    await scenario.converge();
    expect(scenario.link("shut")).toMatchObject(opened);
  });

  it("can't be opened by null", async () => {
    const scenario = await startScenario({ seed });
    const key = line.split(":")[0];
    await scenario.write(`links:\n  go.example.com/shut: { url: https://example.com/, ${key}: null }\n`);
    const { exit, out } = await scenario.validate();
    expect(exit).toBe(1);
    expect(out).toContain(`\`${line}\``);
  });

  it("is left alone by `unspecified: keep`, without a warning", async () => {
    const scenario = await startScenario({ seed });
    await scenario.write("unspecified: keep\nlinks:\n  go.example.com/shut: { url: https://example.com/ }\n");
    const planned = await scenario.planDocument();
    expect([planned.changes, planned.diagnostics]).toEqual([[], []]);
  });
});

it("an expiry that lies ahead hides nothing yet: silence clears it", async () => {
  const seed = {
    links: [
      {
        url: "https://example.com/",
        domain: 2,
        alias: "open",
        ends_at: "2026-11-21T12:01:00.000Z",
        expiration_clicks: 3,
        clicks: 2,
      },
    ],
  };
  const scenario = await startScenario({ seed });
  await scenario.write("links: { go.example.com/open: { url: https://example.com/ } }");
  await scenario.converge();
  expect(scenario.link("open")).toMatchObject({ ends_at: null, expiration_clicks: null });
});

it("what an expired link says about its expiry is followed, the rest of it stays", async () => {
  const seed = {
    links: [
      {
        url: "https://example.com/",
        domain: 2,
        alias: "over",
        ends_at: "2026-01-01T00:00:00.000Z",
        expiration_clicks: 3,
        clicks: 3,
      },
    ],
  };
  const scenario = await startScenario({ seed });
  await scenario.write(
    "links: { go.example.com/over: { url: https://example.com/, expiration: { date: 2027-01-01 } } }",
  );
  const { changes } = await scenario.converge();
  expect(changes.map(({ fields }) => fields.map(({ path }) => path))).toEqual([["expiration.date", "expiration.time"]]);
  expect(scenario.link("over")).toMatchObject({ expiration_clicks: 3 });
});

it("defaults are no silence: they open and close like the block itself", async () => {
  const seed = {
    links: [{ url: "https://example.com/", domain: 2, alias: "shut", expiration_clicks: 2, clicks: 2, privacy: 0 }],
  };
  const scenario = await startScenario({ seed });
  await scenario.write(
    "defaults: { link: { expiration: none, privacy: private } }\nlinks: { go.example.com/shut: { url: https://example.com/ } }",
  );
  await scenario.converge();
  expect(scenario.link("shut")).toMatchObject({ expiration_clicks: null, privacy: 1 });
});

describe("an expired link with an address for the time after", () => {
  const live = { url: "https://example.com/", domain: 2, alias: "over", expiration_url: "https://example.com/over" };
  const past = { ...live, ends_at: "2026-01-01T23:59:00.000Z" };

  it.each([
    ["a date alone", past, "{ date: 2026-01-01 }"],
    ["the word `null`", past, "{ date: 2026-01-01, url: null }"],
    ["a click limit alone", { ...live, expiration_clicks: 3, clicks: 3 }, "{ clicks: 3 }"],
  ])("loses that address by %s, and stays expired", async (_, row, expiration) => {
    const scenario = await startScenario({ seed: { links: [row] } });
    const said = `, expiration: ${expiration}`;
    await scenario.write(
      `rules: { expired: off }\nlinks: { go.example.com/over: { url: https://example.com/${said} } }\n`,
    );
    const { changes, diagnostics } = await scenario.planDocument();
    expect(changes).toMatchObject([{ breaks_url: false, fields: [{ path: "expiration.url", after: null }] }]);
    expect(diagnostics).toEqual([]);
    expect(await scenario.apply()).toMatchObject({ exit: 0 });
    const { ends_at, expiration_clicks } = scenario.link("over");
    expect(scenario.link("over").expiration_url).toBeNull();
    expect({ ends_at, expiration_clicks }).not.toEqual({ ends_at: null, expiration_clicks: null });
    expect((await scenario.planDocument()).changes).toEqual([]);
  });

  it("keeps it with `unspecified: keep`", async () => {
    const scenario = await startScenario({ seed: { links: [past] } });
    await scenario.write(
      "unspecified: keep\nrules: { expired: off }\nlinks: { go.example.com/over: { url: https://example.com/, expiration: { date: 2026-01-01 } } }\n",
    );
    expect((await scenario.planDocument()).changes).toEqual([]);
  });

  it("is not revived by a move to another domain that keeps what the files leave out", async () => {
    const scenario = await startScenario({
      seed: { links: [{ ...live, expiration_clicks: 3, clicks: 3 }] },
    });
    await scenario.write(
      "unspecified: keep\nlinks: { promo.example.com/over: { url: https://example.com/, renamed_from: go.example.com/over } }\n",
    );
    const { exit, err } = await scenario.plan();
    expect(exit).toBe(1);
    expect(err).toContain("error[replace-opens] `promo.example.com/over` replaces `go.example.com/over`");
    expect(err).toContain("`go.example.com/over` has expired");
    expect(err).toContain("write `expiration: none`");
  });
});

type Block = Record<string, object | string | boolean | undefined>;

/** A block with a line of a hint added to it, as a person would. */
function withLine(block: Block, line: string): Block {
  const [, key = "", rest = ""] = /^(\w+): (.*)$/.exec(line) ?? [];
  const members = /^\{ (.*) \}$/.exec(rest)?.[1];
  if (members === undefined) return { ...block, [key]: rest === "false" ? false : rest };
  const added = Object.fromEntries(members.split(", ").map((member) => member.split(": ")));
  return { ...block, [key]: { ...(typeof block[key] === "object" ? block[key] : {}), ...added } };
}

const linesOf = ({ diagnostics }: PlanDocument): string[] =>
  diagnostics
    .filter(({ code }) => code === "kept")
    .flatMap(({ hint }) => [...(hint ?? "").matchAll(/`([^`]+)`/g)].map(([, line = ""]) => line));

const pathsOf = ({ changes }: PlanDocument): Set<string> =>
  new Set(changes.flatMap(({ fields }) => fields.map(({ path }) => path)));

/** Whether a line names the field at this path. */
function isNamed(line: string, path: string): boolean {
  const [group = "", member] = path.split(".");
  if (!line.startsWith(`${group}: `)) return false;
  if (member === undefined || !line.includes("{")) return true;
  return line.includes(`${member === "time" ? "date" : member}: `);
}

const silentBlock: fc.Arbitrary<Block> = fc.record({
  url: fc.constant("https://example.com/"),
  password: optional(secret),
  privacy: optional(fc.constantFrom("public", "private", "password")),
  privacy_password: optional(secret),
  disabled: holds("disabled links") ? optional(fc.boolean()) : fc.constant(undefined),
  expiration: optional(
    fc.record(
      {
        date: fc.constantFrom("2026-01-01", "2027-01-01", "none"),
        clicks: fc.constantFrom(3, 8, "none"),
        url: fc.constantFrom("https://example.com/over", null),
      },
      { requiredKeys: [] },
    ),
  ),
});

const closedLink: fc.Arbitrary<Partial<SeedLink>> = fc.record({
  password: fc.constantFrom(null, "old"),
  privacy: fc.constantFrom(0, 1, 2),
  privacy_password: fc.constantFrom(null, "old"),
  disabled: fc.constantFrom(0, 1),
  ends_at: fc.constantFrom(null, "2026-01-01T23:59:00.000Z", "2027-06-01T00:00:00.000Z"),
  expiration_clicks: fc.constantFrom(null, 5, 10),
  expiration_url: fc.constantFrom(null, "https://example.com/then"),
  clicks: fc.constantFrom(0, 5, 12),
});

it("each line that a warning advises opens what it names and nothing else, and then the warning is gone", async () => {
  const folder = await temporaryFolder();
  let advised = 0;
  await fc.assert(
    fc.asyncProperty(closedLink, silentBlock, async (row, block) => {
      const seed = { links: [{ ...row, url: "https://example.com/", domain: 2, alias: "shut" }] };
      const sandbox = await startSandbox({ rateLimit: 0, seed });
      try {
        const scenario = new Scenario(sandbox, folder);
        const planned = async (said: Block): Promise<PlanDocument> => {
          const project = {
            version: 1,
            service: { base_url: sandbox.url },
            brake: { deletes: "100%", updates: "100%" },
            links: { "go.example.com/shut": said },
          };
          await writeFiles(folder, { "linkform.yaml": JSON.stringify(project) });
          const document = await scenario.planDocument();
          expect(document.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
          return document;
        };
        const before = await planned(block);
        const lines = linesOf(before);
        for (const line of lines) {
          const after = await planned(withLine(block, line));
          expect(linesOf(after)).toEqual(lines.filter((other) => other !== line));
          const [then, now] = [pathsOf(before), pathsOf(after)];
          for (const path of now) expect([path, then.has(path) || isNamed(line, path)]).toEqual([path, true]);
          expect([...now].some((path) => isNamed(line, path))).toBe(true);
          advised += 1;
        }
        const all = await planned(lines.reduce(withLine, block));
        expect(linesOf(all)).toEqual([]);
        expect(await scenario.apply()).toMatchObject({ exit: 0 });
        expect((await scenario.planDocument()).changes).toEqual([]);
      } finally {
        await sandbox.close();
      }
    }),
    { numRuns: runs(100) },
  );
  expect(advised).toBeGreaterThan(20);
}, 240_000);
