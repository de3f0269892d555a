// The lines of a run record, compared with the promises for every run.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { expect } from "vitest";
import { LineChain, type LaterLine } from "../../src/record/lines.ts";
import type { SavedPlan } from "../../src/report/json/schema.ts";

export type Line = LaterLine | SavedPlan;

const ajv = new Ajv({ strict: false });
const isLine = ajv.compile(JSON.parse(readFileSync("schemas/record.schema.json", "utf8")));

/** The lines of a run. Each fits the schema and has the digest of itself and the line before, and together they are in order. */
export function linesOf(text: string): Line[] {
  expect(text.endsWith("\n")).toBe(true);
  const lines = text
    .slice(0, -1)
    .split("\n")
    .map((line): Line => JSON.parse(line));
  let last = "";
  for (const line of lines) {
    expect([line.event, isLine(line), isLine.errors]).toEqual([line.event, true, null]);
    const { digest, ...content } = line;
    last = `sha256:${createHash("sha256")
      .update(`${last}${JSON.stringify(content)}`)
      .digest("hex")}`;
    expect([line.event, digest]).toEqual([line.event, last]);
  }
  expect(lines.filter(({ event }) => event === "planned")).toEqual(lines.length === 1 ? [] : [lines[0]]);
  const end = ended(lines);
  expect(lines.filter(({ event }) => event === "ended")).toEqual([end]);
  const start = lines.find((line) => line.event === "started");
  const changes = lines.flatMap((line) => (line.event === "change" ? line.change : []));
  expect(changes).toEqual(Array.from({ length: start?.changes ?? 0 }, (_, at) => at + 1));
  expect(end.outcomes).toHaveLength(changes.length);
  const open = new Set<string>();
  for (const line of lines) {
    if (line.event === "call") open.add(`${line.change} ${line.call}`);
    if (line.event === "answer") expect(open.delete(`${line.change} ${line.call}`)).toBe(true);
  }
  const count = (outcome: string): number => end.results.filter((one) => one.outcome === outcome).length;
  expect(end.result).toMatchObject({ applied: count("applied"), failed: count("failed"), skipped: count("skipped") });
  return lines;
}

/** The last line. */
export function ended(lines: readonly Line[]): Extract<Line, { event: "ended" }> {
  const last = lines.at(-1);
  if (last?.event !== "ended") throw new Error("The last line is not the end.");
  return last;
}

/** Each line in short: `call 2 store`, `answer 2 store 7`, and at the end the outcomes of the plan's changes. */
export function shortly(lines: readonly Line[]): string[] {
  return lines.map((line) => {
    if (line.event === "change") return `change ${line.change}`;
    if (line.event === "call") return `call ${line.change} ${line.call}`;
    if (line.event === "answer") return `answer ${line.change} ${line.call} ${line.id ?? line.error?.code}`;
    if (line.event !== "ended") return line.event;
    const results = line.results.map(
      ({ outcome, error, already_so }) => error?.code ?? (already_so === true ? "already done" : outcome),
    );
    return ["ended", ...results].join(" ");
  });
}

/** These lines with the digests that linkform would write. */
export function withDigests(text: string): string {
  const chain = new LineChain();
  const contents = text
    .trimEnd()
    .split("\n")
    .map((line): object => JSON.parse(line));
  return contents.map((content) => chain.next(Object.assign(content, { digest: undefined }))).join("");
}
