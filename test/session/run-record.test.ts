// The lines of a run: `--format ndjson` prints what the record has. `linesOf` checks what is true for all runs (schema, digests, order): it
// fails a test if a line is missing, comes too early, or contradicts the last one.

import { existsSync } from "node:fs";
import { readFile, rm, stat } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { apply } from "../../src/cli/apply.ts";
import { ended, linesOf, shortly, type Line } from "../support/record-lines.ts";
import { applyPlan, GO, link, readPlan, savePlan, start, PLAN } from "../support/saved.ts";
import { runIn, startScenario, writeFiles, startWith } from "../support/scenario.ts";
import { applyThrough, documentThrough, once, send, SERVER_ERROR } from "../support/through.ts";
import type { Answer } from "../support/proxy.ts";

const NDJSON = { format: ["ndjson"] };

const links = (count: number): string => `links:\n${Array.from({ length: count }, (_, at) => link(`l${at}`)).join("")}`;

const codesOf = (lines: readonly Line[]): string[] => ended(lines).diagnostics.map(({ code }) => code);

async function streamed(file: string): Promise<string[]> {
  const text = await readFile(file, "utf8").catch(() => "");
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line).event);
}

describe("a run", () => {
  // Fails if a line is written only at the end, or after its call was sent, or if stdout and the record differ.
  it("that succeeds writes the line of each call before it is sent, into the record and on stdout", async () => {
    const scenario = await startScenario();
    await scenario.write(`pixels: { P: { type: bing, value: "1000003" } }\nlinks:\n${link("a", ", pixels: [P]")}`);
    const file = path.join(scenario.folder, "run.jsonl");
    const seen: string[][] = [];
    const { exit, out } = await applyThrough(
      scenario,
      async (request): Promise<Answer> => {
        if (request.startsWith("POST")) seen.push(await streamed(file));
        return "forward";
      },
      { format: ["ndjson=lines.ndjson", "text"], record: "run.jsonl" },
    );
    const text = await readFile(file, "utf8");
    expect(await readFile(path.join(scenario.folder, "lines.ndjson"), "utf8")).toBe(text);
    // Lines contain complete destinations.
    expect((await stat(path.join(scenario.folder, "lines.ndjson"))).mode & 0o777).toBe(0o600);
    const lines = linesOf(text);
    expect(shortly(lines)).toEqual([
      "planned",
      "started",
      "change 1",
      "change 2",
      "call 1 store",
      "answer 1 store 1",
      "call 2 store",
      "answer 2 store 1",
      "ended applied applied",
    ]);
    const first = ["planned", "started", "change", "change", "call"];
    expect(seen).toEqual([first, [...first, "answer", "call"]]);
    expect(lines[0]).toMatchObject({ summary: { create: 2 }, options: { targets: [] } });
    expect(lines[1]).toMatchObject({ command: "apply", project: "linkform.yaml", changes: 2 });
    expect(ended(lines)).toMatchObject({ exit: 0, verified: true, diagnostics: [], record: "run.jsonl" });
    // Short runs do not show their duration, and the clock is fast here.
    expect([exit, out.split("\n")[0]]).toEqual([0, "Done: 2 created. Verified."]);
  });

  // Fails if the outcome from before the verification counts, or if the id of the stored record is lost.
  it("whose verification fails ends with the later outcome and the id", async () => {
    const scenario = await startWith(links(1));
    const { exit, out } = await applyThrough(
      scenario,
      once(/^GET .*links\/1/, async (): Promise<Answer> => {
        await send(scenario, "PUT", "/api/v1/links/1", "url=https%3A%2F%2Fexample.com%2Fother");
        return "forward";
      }),
      NDJSON,
    );
    expect(exit).toBe(4);
    expect(ended(linesOf(out))).toMatchObject({
      outcomes: [{ outcome: "failed", id: 1, may_have_acted: true }],
      results: [{ error: { code: "changed-meanwhile" } }],
    });
  });

  it("without changes has no calls and no file", async () => {
    const scenario = await startWith("");
    expect(shortly(linesOf((await scenario.apply(NDJSON)).out))).toEqual(["planned", "started", "ended"]);
    expect(await scenario.undo()).toMatchObject({ exit: 1, err: expect.stringContaining("error[no-record]") });
  });

  it("that exceeds a brake has its plan and its end, with exit code 3", async () => {
    const seeded = Array.from({ length: 12 }, (_, at) => ({ url: "https://example.com/", domain: 2, alias: `l${at}` }));
    const scenario = await startScenario({ seed: { links: seeded } });
    await scenario.write(`absent: { links: [${seeded.map(({ alias }) => `${GO}/${alias}`).join(", ")}] }`);
    const { exit, out, err } = await scenario.apply(NDJSON);
    const lines = linesOf(out);
    expect([exit, err, lines.map(({ event }) => event)]).toEqual([3, "", ["planned", "ended"]]);
    expect(ended(lines)).toMatchObject({ exit: 3, result: { skipped: 12 }, verified: false });
    expect(codesOf(lines)).toContain("brake");
    expect(scenario.writes()).toEqual([]);
  });

  it("that is an undo has the same lines", async () => {
    const scenario = await startWith(`brake: { deletes: 100% }\n${links(1)}`);
    await scenario.apply();
    const { exit, out } = await scenario.undo(NDJSON);
    expect([exit, shortly(linesOf(out))]).toEqual([
      0,
      ["planned", "started", "change 1", "call 1 delete", "answer 1 delete 1", "ended applied"],
    ]);
  });
});

// Fails if a change is sent although its line could not be written, or if the run looks like success.
it("a run whose record disappears stops, with exit code 4", async () => {
  const scenario = await startWith(links(3));
  const { exit, err } = await applyThrough(
    scenario,
    once(/^POST/, async (): Promise<Answer> => {
      await rm(path.join(scenario.folder, "run.jsonl"));
      return "forward";
    }),
    { record: "run.jsonl", concurrency: 1 },
  );
  expect([exit, err.match(/error\[record-unwritable\]/g)?.length]).toEqual([4, 1]);
  expect(scenario.sandbox.state().links).toHaveLength(1);
});

// Fails if the change counts as skipped: the first try may have created the link.
it("a run whose record disappears before a store is sent again reports that the store may have acted", async () => {
  const scenario = await startWith(links(1));
  const { document } = await documentThrough(
    scenario,
    once(/^POST/, async (): Promise<Answer> => {
      await rm(path.join(scenario.folder, "run.jsonl"));
      return SERVER_ERROR;
    }),
    { record: "run.jsonl" },
  );
  expect(document.changes).toMatchObject([
    { outcome: "failed", error: { code: "record-unwritable", message: expect.stringContaining("unknown whether") } },
  ]);
});

// Fails if the id in the answer of the update that completes the link is not used: the link could belong to somebody else then.
it("a run that was killed after it completed a link has the id of the link, although its store had no answer", async () => {
  const scenario = await startWith(`links:\n${link("a", ", space: Sales")}`);
  const { exit } = await applyThrough(
    scenario,
    once(/^POST/, async (): Promise<Answer> => {
      await send(scenario, "POST", "/api/v1/links", "url=https%3A%2F%2Fexample.com%2Fa&alias=a&domain=2");
      return SERVER_ERROR;
    }),
    { record: "run.jsonl" },
  );
  const text = await readFile(path.join(scenario.folder, "run.jsonl"), "utf8");
  expect([exit, shortly(linesOf(text))]).toMatchObject([0, expect.arrayContaining(["answer 1 update 1"])]);
  await writeFiles(scenario.folder, { "killed.jsonl": text.slice(0, text.lastIndexOf('{"event":"ended"')) });
  const { base_url: baseUrl } = JSON.parse(text.split("\n")[0] ?? "").service;
  const { document } = await scenario.undoDocument({ baseUrl, dryRun: true }, "killed.jsonl");
  expect([document.changes.length, document.diagnostics]).toEqual([1, []]);
});

// Fails if the reviewed file is changed, or if the record has other changes than the plan had.
it("a saved plan is copied into the record, and its results have the order of the plan", async () => {
  const scenario = await start(
    `links:\n${link("landing")}${link("new")}absent: { links: [${GO}/old, ${GO}/spring] }\n`,
  );
  const saved = await savePlan(scenario);
  const text = await readPlan(scenario);
  await send(scenario, "DELETE", "/api/v1/links/3");
  await send(scenario, "PUT", "/api/v1/links/2", "url=https%3A%2F%2Fexample.com%2Fby-hand");
  const { exit, out } = await applyPlan(scenario, NDJSON);
  expect([out.startsWith(text), await readPlan(scenario)]).toEqual([true, text]);
  const lines = linesOf(out);
  const how: Record<string, string> = { landing: "moved", new: "applied", old: "already done", spring: "applied" };
  const results = saved.changes.map(({ key }) => how[key.replace(`${GO}/`, "")]);
  expect(shortly(lines).at(-1)).toBe(["ended", ...results].join(" "));
  expect(lines[1]).toMatchObject({ event: "started", changes: 2 });
  expect([exit, ended(lines).exit]).toEqual([4, 4]);
});

it("a saved plan that cannot be read, or is for another service, has only the last line", async () => {
  const scenario = await start(links(1));
  const missing = linesOf((await applyPlan(scenario, NDJSON)).out);
  expect([shortly(missing), ended(missing).exit]).toEqual([["ended"], 1]);
  await savePlan(scenario);
  const other = { ...NDJSON, baseUrl: "http://127.0.0.1:9" };
  const lines = linesOf((await runIn(scenario.folder, scenario.env, (world) => apply(world, other, PLAN))).out);
  expect([shortly(lines), codesOf(lines)]).toEqual([["ended"], ["plan-address"]]);
});

// Fails if the plan is copied into the record, or if anything is written before the secret is found.
it("a saved plan with a password that was not set when it was saved is not applied", async () => {
  const scenario = await start('pixels: { "late secret": { type: bing, value: "1000003" } }');
  await savePlan(scenario);
  const env = { ...scenario.env, LINKFORM_SECRET_C: "late secret" };
  const flags = { ...NDJSON, record: "run.jsonl" };
  const { exit, out } = await runIn(scenario.folder, env, (world) => apply(world, flags, PLAN));
  expect([exit, codesOf(linesOf(out)), out.includes("late secret")]).toEqual([1, ["plan-with-secret"], false]);
  expect([scenario.writes(), existsSync(path.join(scenario.folder, "run.jsonl"))]).toEqual([[], false]);
});

it.each([
  ["files with mistakes", "links: { nowhere: 1 }", {}, 1],
  ["an unknown service", links(1), { baseUrl: "http://127.0.0.1:9" }, 1],
  ["nobody to ask", links(1), { yes: false }, 64],
  ["a record that can't be written", links(1), { record: "no/such/file" }, 1],
])(
  "a run that cannot start or continue (%s): its last line says what the exit code says",
  async (_, text, flags, code) => {
    const scenario = await startWith(text);
    const { exit, out, err } = await scenario.apply({ ...NDJSON, ...flags });
    const lines = linesOf(out);
    expect([exit, ended(lines).exit, err, shortly(lines)]).toEqual([code, code, "", ["ended"]]);
    expect(codesOf(lines)).not.toEqual([]);
    expect(scenario.writes()).toEqual([]);
  },
);

describe("the outputs of lines", () => {
  // Fails if a full disk stops the apply, is reported for each line, or looks like success.
  it.each(["/dev/full", "no/such/folder/lines"])(
    "%s can't be written: all is applied, it is said once, 4",
    async (file) => {
      const scenario = await startWith(links(3));
      const { exit, out, err } = await scenario.apply({ format: [`ndjson=${file}`, "json"] });
      expect([exit, JSON.parse(out).result.applied, scenario.sandbox.state().links.length]).toEqual([4, 3, 3]);
      expect(err.match(/error\[report-unwritable\]/g)).toHaveLength(1);
    },
  );

  // Fails if the end of a longer file is left.
  it("replace the file of an earlier run", async () => {
    const scenario = await startWith(links(1));
    await writeFiles(scenario.folder, { "lines.ndjson": "x".repeat(100_000) });
    const { exit } = await scenario.apply({ format: ["ndjson=lines.ndjson"] });
    const lines = linesOf(await readFile(path.join(scenario.folder, "lines.ndjson"), "utf8"));
    expect([exit, ended(lines).exit]).toEqual([0, 0]);
  });

  // Fails if the exit code in the last line ignores another report that could not be written.
  it("have an exit code that includes failures of other reports", async () => {
    const scenario = await startWith(links(1));
    const { exit, out } = await scenario.apply({ format: ["ndjson", "json=no/such/folder/apply.json"] });
    expect([exit, ended(linesOf(out)).exit]).toEqual([4, 4]);
  });

  // Fails if an undo finds or creates an object by a key that was hidden.
  it("contain no secrets of keys, and an undo leaves these objects out", async () => {
    const text = 'pixels: { "first secret": { type: bing, value: "1000003" } }\nabsent: { pixels: [second secret] }';
    const seed = { id: 1, name: "second secret", type: "bing", value: "1" } as const;
    const scenario = await startWith(`brake: { deletes: 100% }\n${text}`, { pixels: [seed] });
    const { exit, out } = await scenario.apply({ ...NDJSON, record: "run.jsonl" });
    const record = await readFile(path.join(scenario.folder, "run.jsonl"), "utf8");
    expect([exit, record === out, /(first|second) secret/.test(out)]).toEqual([0, true, false]);
    const before = scenario.sandbox.state();
    const { document } = await scenario.undoDocument({}, "run.jsonl");
    expect(document.undo?.left.map(({ key }) => key)).toEqual(["(hidden)", "(hidden)"]);
    expect(scenario.sandbox.state()).toEqual(before);
  });
});
