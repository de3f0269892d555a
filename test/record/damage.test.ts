// A record of a run that was damaged, in a thousand ways. Fails if anything but a missing end is accepted, if a missing end counts as a
// change that was not made, or if an error does not name the file.

import { readFile } from "node:fs/promises";
import path from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { UserError } from "../../src/errors.ts";
import { parseRecord, type RunRecord } from "../../src/record/file.ts";
import { ALL, start } from "../support/saved.ts";
import { runs } from "../support/states.ts";

const FILE = "run.jsonl";

async function recordOf(text: string): Promise<string> {
  const scenario = await start(`brake: { deletes: 100%, updates: 100% }\n${text}`);
  expect(await scenario.apply({ record: FILE })).toMatchObject({ exit: 0 });
  return readFile(path.join(scenario.folder, FILE), "utf8");
}

/** The record, or the error that names it. */
function read(text: string): RunRecord | string {
  try {
    return parseRecord(text, FILE);
  } catch (cause) {
    if (!(cause instanceof UserError)) throw cause;
    expect(cause.message).toContain(FILE);
    return cause.code;
  }
}

it("a record with any damage but a missing end is an error", async () => {
  const [own, other] = [
    await recordOf(ALL),
    await recordOf("links: { go.example.com/z: { url: https://example.com/z } }\n"),
  ];
  const lines = own.split(/(?<=\n)/);
  const whole = parseRecord(own, FILE);
  const firstCall = lines.findIndex((line) => line.includes('"event":"call"'));
  const isUnwritten = lines.slice(0, firstCall).join("").length;
  const line = fc.integer({ min: 0, max: lines.length - 1 });
  const damage = fc.oneof(
    fc.record({ does: fc.constant("cut" as const), at: fc.integer({ min: 0, max: own.length - 1 }) }),
    fc.record({
      does: fc.constant("replace" as const),
      at: fc.integer({ min: 0, max: own.length - 1 }),
      by: fc.string({ minLength: 1, maxLength: 3 }),
    }),
    fc.record({ does: fc.constantFrom("remove" as const, "double" as const, "foreign" as const), at: line }),
    fc.record({ does: fc.constant("swap" as const), at: line, with: line }),
  );
  const damaged = (one: typeof damage extends fc.Arbitrary<infer Value> ? Value : never): string => {
    if (one.does === "cut") return own.slice(0, one.at);
    if (one.does === "replace") return own.slice(0, one.at) + one.by + own.slice(one.at + one.by.length);
    const now = [...lines];
    if (one.does === "remove") now.splice(one.at, 1);
    if (one.does === "double") now.splice(one.at, 0, lines[one.at] ?? "");
    if (one.does === "foreign") now.splice(one.at, 0, other.split(/(?<=\n)/)[one.at % 4] ?? "");
    if (one.does === "swap") [now[one.at], now[one.with]] = [lines[one.with] ?? "", lines[one.at] ?? ""];
    return now.join("");
  };
  const counts = { error: 0, cut: 0, same: 0 };
  fc.assert(
    fc.property(damage, (one) => {
      const text = damaged(one);
      const found = read(text);
      if (typeof found === "string") {
        // The state of all objects is complete, and only the end is missing.
        if (one.does === "cut") expect(one.at).toBeLessThan(isUnwritten);
        counts.error += 1;
      } else if (JSON.stringify(found) === JSON.stringify(whole)) counts.same += 1;
      else {
        // The rest is as it was, and what is missing is unknown.
        expect(own.startsWith(text) || own.startsWith(text.slice(0, text.lastIndexOf("\n") + 1))).toBe(true);
        expect([found.isEnded, found.changes.length]).toEqual([false, whole.changes.length]);
        for (const change of found.changes) expect([change.outcome, change.mayHaveActed]).toEqual([null, null]);
        counts.cut += 1;
      }
    }),
    { numRuns: runs(1000) },
  );
  expect(counts.error).toBeGreaterThan(400);
  expect(counts.cut).toBeGreaterThan(20);
});
