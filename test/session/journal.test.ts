// The journal of an apply: a line before each call, and a line with its result.

import { readFile, stat } from "node:fs/promises";
import { Ajv } from "ajv";
import { expect, it } from "vitest";
import type { ApplyFlags } from "../../src/cli/apply.ts";
import type { Answer } from "../support/proxy.ts";
import { startScenario, type Scenario } from "../support/scenario.ts";
import { applyThrough, type Act, type Through } from "../support/through.ts";

const links = (count: number): string =>
  `links:\n${Array.from({ length: count }, (_, at) => `  go.example.com/l${at}: { url: https://example.com/ }\n`).join("")}`;

/** Applies the changes one at a time. */
const applyInTurn = (scenario: Scenario, act: Act, flags: ApplyFlags): Promise<Through> =>
  applyThrough(scenario, act, { concurrency: 1, ...flags });

const read = async (scenario: Scenario, file = "journal.jsonl"): Promise<Record<string, unknown>[]> => {
  const text = await readFile(`${scenario.folder}/${file}`, "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line): Record<string, unknown> => JSON.parse(line));
};

// Fails if an intent is written after its call, if a result is missing, or if a line does not match its schema.
it("has the intent of each call before it is sent, and its result", async () => {
  const scenario = await startScenario({
    seed: { links: [{ url: "https://example.com/", domain: 2, alias: "old" }] },
  });
  await scenario.write(
    "rules: { unknown-country: warning }\npixels: { P: { type: bing, value: '1' } }\nlinks:\n  go.example.com/a: { url: https://example.com/, pixels: [P], password: { env: LINKFORM_SECRET_A } }\n  go.example.com/bad: { url: https://example.com/, targeting: { country: { XX: https://example.com/ } } }\nabsent: { links: [go.example.com/old] }\n",
  );
  const seen: number[] = [];
  const { exit } = await applyInTurn(
    scenario,
    async (request): Promise<Answer> => {
      if (!request.startsWith("GET")) {
        const lines = await read(scenario);
        seen.push(lines.filter(({ event }) => event === "intent").length);
      }
      return "forward";
    },
    { journal: "journal.jsonl" },
  );
  expect(exit).toBe(4);
  // The last delete detects the path for deletes: two requests, one call.
  expect(seen).toEqual([1, 2, 3, 4, 4]);
  const lines = await read(scenario);
  expect(lines.map(({ event, call, does, key, result, id }) => [event, call, does ?? result, key ?? id])).toEqual([
    ["begin", undefined, undefined, undefined],
    ["intent", 1, "store", "P"],
    ["result", 1, "done", 1],
    ["intent", 2, "store", "go.example.com/a"],
    ["result", 2, "done", 2],
    ["intent", 3, "store", "go.example.com/bad"],
    ["result", 3, "refused", null],
    ["intent", 4, "delete", "go.example.com/old"],
    ["result", 4, "done", 1],
    ["end", undefined, undefined, undefined],
  ]);
  const validate = new Ajv().compile(JSON.parse(await readFile("schemas/journal.schema.json", "utf8")));
  for (const line of lines) expect([validate(line), validate.errors]).toEqual([true, null]);
  // The sent values in the words of the files.
  expect(lines[3]?.["fields"]).toEqual([
    { path: "url", before: null, after: "https://example.com/" },
    { path: "domain", before: null, after: "go.example.com" },
    { path: "alias", before: null, after: "a" },
    { path: "password", before: null, after: { secret: "set" } },
    { path: "pixels", before: null, after: ["P"] },
  ]);
  expect(JSON.stringify(lines)).not.toContain("first secret");
  // The journal contains private data of the account.
  expect((await stat(`${scenario.folder}/journal.jsonl`)).mode & 0o777).toBe(0o600);
});

it("has the result `unknown` for a lost response, and is appended to an existing file", async () => {
  const scenario = await startScenario();
  await scenario.write(links(1));
  let dropped = false;
  const dropOnce = (request: string): Answer => {
    if (dropped || !request.startsWith("POST")) return "forward";
    dropped = true;
    return "drop";
  };
  expect((await applyInTurn(scenario, dropOnce, { journal: "journal.jsonl" })).exit).toBe(0);
  expect((await applyInTurn(scenario, () => "forward", { journal: "journal.jsonl" })).exit).toBe(0);
  expect((await read(scenario)).map(({ event, result }) => [event, result].filter(Boolean).join(" "))).toEqual([
    "begin",
    "intent",
    "result unknown",
    "intent",
    "result done",
    "end",
    "begin",
    "end",
  ]);
});

// Fails if a change is made that is not in the journal.
it("that cannot be opened or written prevents all changes", async () => {
  const scenario = await startScenario();
  await scenario.write(links(1));
  const nowhere = await applyInTurn(scenario, () => "forward", { journal: "no/such/folder/journal" });
  expect(nowhere.exit).toBe(1);
  expect(nowhere.err).toContain("journal-unwritable");
  const full = await applyInTurn(scenario, () => "forward", { journal: "/dev/full" });
  expect(full.exit).toBe(1);
  expect(full.err).toContain("The journal /dev/full cannot be written (ENOSPC).");
  expect(full.err).toContain("nothing was applied.");
  expect(scenario.writes()).toEqual([]);
});
