// Events of an apply, read from their lines and held to what is promised of every run.

import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { expect } from "vitest";
import type { EventDocument } from "../../src/report/ndjson/index.ts";

export type Told = EventDocument & { readonly at: string };

const ajv = new Ajv({ strict: false });
const isEvent = ajv.compile(JSON.parse(readFileSync("schemas/apply-events.schema.json", "utf8")));

/** The events of these lines. Each is as the schema says; together they keep the promises that README makes of them. */
export function eventsOf(lines: string): Told[] {
  expect(lines.endsWith("\n")).toBe(true);
  const events = lines
    .slice(0, -1)
    .split("\n")
    .map((line): Told => JSON.parse(line));
  for (const event of events) expect([event.event, isEvent(event), isEvent.errors]).toEqual([event.event, true, null]);
  expect(events.filter(({ event }) => event === "started")).toEqual([events[0]]);
  expect(events.filter(({ event }) => event === "finished")).toEqual([events.at(-1)]);
  expect(events.map(({ at }) => at)).toEqual(events.map(({ at }) => at).toSorted());
  const last = new Map<number, string>();
  const started = new Set<number>();
  for (const event of events) {
    if (event.event === "change_started") {
      expect(started.has(event.change)).toBe(false);
      started.add(event.change);
    }
    if (event.event === "change_done") expect(started).toContain(event.change);
    if (event.event === "change_skipped")
      expect([started.has(event.change), last.has(event.change)]).toEqual([false, false]);
    if (event.event === "change_done" || event.event === "change_skipped") last.set(event.change, event.outcome);
  }
  const planned = events.find((event) => event.event === "planned");
  const end = ended(events);
  const count = (outcome: string): number => [...last.values()].filter((one) => one === outcome).length;
  expect(end.result).toMatchObject({ applied: count("applied"), failed: count("failed"), skipped: count("skipped") });
  // Without one, the run was kept from beginning: no change has an end.
  if (planned?.event === "planned" && last.size > 0)
    expect([...last.keys()].toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: planned.changes }, (_, at) => at + 1),
    );
  return events;
}

/** The last of them. */
export function ended(events: readonly Told[]): Extract<Told, { event: "finished" }> {
  const last = events.at(-1);
  if (last?.event !== "finished") throw new Error("The last event is not the end.");
  return last;
}

/** What happened, in a line each: `change_done 2 applied`. */
export function shortly(events: readonly Told[]): string[] {
  return events.map((one) => {
    if (one.event === "change_started") return `${one.event} ${one.change}`;
    if (one.event === "change_done" || one.event === "change_skipped") {
      const so = one.already_so === true ? " already done" : "";
      return `${one.event} ${one.change} ${one.outcome}${so}${one.error === null ? "" : ` ${one.error.code}`}`;
    }
    return one.event === "waiting" ? `${one.event} ${one.why} ${one.seconds}` : one.event;
  });
}
