// Every chain of three renames and every move to another domain, on every account of a few records, in every state in which a run of its
// plan can stop. Fails if the next run has another result than the first would have: a record with another key, a duplicate, a deleted
// record, or no plan.

import { expect, it } from "vitest";
import type { Change } from "../../src/domain/change.ts";
import type { LiveRecord, LiveState } from "../../src/domain/live.ts";
import type { Project } from "../../src/domain/project.ts";
import { FIELDS } from "../../src/domain/table.ts";
import { createPlan } from "../../src/plan/plan.ts";
import { resolve } from "../../src/plan/resolve.ts";
import { NO_OPTIONS } from "../../src/session/plan-flags.ts";
import { dependenciesAmong } from "../../src/plan/order.ts";
import { loadWith, type LoadedProject } from "../support/account.ts";

const DOMAINS = [
  { id: 2, name: "go.example.com" },
  { id: 3, name: "promo.example.com" },
];

const DESTINATIONS = ["https://example.com/1", "https://example.com/2"];

interface Row {
  readonly id: number;
  /** The index of the domain. */
  readonly domain: number;
  readonly alias: string;
  readonly url: string;
}

/** A chain. The key at index 0 is not declared, and may not be mentioned. */
interface Case {
  readonly domains: readonly number[];
  readonly isHeaded: boolean;
  /** The declared destinations from index 1 on. */
  readonly urls: readonly string[];
  readonly rows: readonly Row[];
}

/** All chains whose keys are on these domains. The first one is the key before the chain. */
function casesOn(domains: readonly number[]): Case[] {
  return tuples(domains.length - 1, DESTINATIONS.length).flatMap((declared) =>
    tuples(domains.length, DESTINATIONS.length + 1).flatMap((live) => {
      const rows = live.flatMap((which, place) =>
        which === 0 ? [] : [{ id: place + 1, ...keyAt(domains, place), url: DESTINATIONS[which - 1] ?? "" }],
      );
      const one = { domains, urls: declared.map((which) => DESTINATIONS[which] ?? ""), rows, isHeaded: true };
      return live[0] === 0 ? [one, { ...one, isHeaded: false }] : [one];
    }),
  );
}

/** Every list of this length of numbers from 0 to below `count`. */
function tuples(length: number, count: number): number[][] {
  if (length === 0) return [[]];
  return tuples(length - 1, count).flatMap((start) => Array.from({ length: count }, (_, last) => [...start, last]));
}

function keyAt(domains: readonly number[], place: number): Pick<Row, "domain" | "alias"> {
  return { domain: domains[place] ?? 0, alias: `k${place}` };
}

/** The problems after stopping a run of this plan anywhere and starting again, as sentences; null if there is no plan. */
async function problemsOf(one: Case): Promise<string[] | null> {
  const project = await projectOf(one);
  const plan = planOn(project, one.rows);
  if (plan === null) return null;
  const done = ending(one.rows, plan);
  const seeded = new Set(one.rows.map(({ id }) => id));
  return stopsOf(one.rows, plan).flatMap((rows) => {
    const again = planOn(project, rows);
    const ended = again === null ? "nothing is planned" : show(ending(rows, again), seeded);
    if (ended === show(done, seeded)) return [];
    return [`${show(one.rows, seeded)}: stopped at ${show(rows, seeded)}: ${ended}, not ${show(done, seeded)}`];
  });
}

/** Records by key, with their destination and former id. The ids of new records do not matter. */
function show(rows: readonly Row[], seeded: ReadonlySet<number>): string {
  const shown = rows.map(
    ({ id, domain, alias, url }) => `${domain}/${alias} → ${url.slice(-1)} #${seeded.has(id) ? id : "new"}`,
  );
  return shown.toSorted().join(", ");
}

function planOn(project: Project, rows: readonly Row[]): readonly Change[] | null {
  const state: LiveState = {
    software: { version: "4.1", source: "detected" },
    links: rows.map(liveRow),
    isWhole: true,
    domain: null,
    pixels: [],
    domains: DOMAINS,
    spaces: [],
    account: null,
    requests: 0,
    sizes: { link: { records: rows.length, perPage: 100 }, pixel: { records: 0, perPage: 100 } },
  };
  const { complete, changes } = createPlan(resolve(project, state), "2026-11-21T12:00:00Z", NO_OPTIONS);
  return complete ? changes : null;
}

function liveRow({ id, domain, alias, url }: Row): LiveRecord {
  const values = FIELDS.link.map((field) => [field.path, field.path === "url" ? url : field.default] as const);
  const named = DOMAINS[domain];
  return {
    kind: "link",
    id,
    software: "4.1",
    values: new Map([...values.filter(([path]) => !["domain", "space", "pixels"].includes(path)), ["alias", alias]]),
    references: new Map([
      ["domain", named === undefined ? [] : [named]],
      ["space", []],
      ["pixels", []],
    ]),
    clicks: 0,
    createdAt: null,
    updatedAt: null,
    title: null,
    unreadable: [],
  };
}

/** Many cases have the same files. */
const projects = new Map<string, Promise<LoadedProject>>();

async function projectOf({ domains, isHeaded, urls }: Case): Promise<Project> {
  const keyOf = (place: number): string => `${DOMAINS[domains[place] ?? 0]?.name}/${keyAt(domains, place).alias}`;
  const blocks = urls.map((url, index) => {
    const from = index > 0 || isHeaded ? `, renamed_from: ${keyOf(index)}` : "";
    return `  ${keyOf(index + 1)}: { url: ${url}${from} }\n`;
  });
  const text = `links:\n${blocks.join("")}`;
  const loaded = projects.get(text) ?? loadWith(text);
  projects.set(text, loaded);
  return (await loaded).project;
}

/** The state of the service after one more request. */
interface Step {
  readonly rows: readonly Row[];
  /** The number of requests that were made of each change. */
  readonly made: ReadonlyMap<Change, number>;
}

const requestsOf = ({ action }: Change): number => (action === "replace" ? 2 : 1);

/** The states after each possible next request, in any order that the dependencies allow. */
function nextSteps({ rows, made }: Step, changes: readonly Change[]): Step[] {
  const needs = dependenciesAmong(changes);
  const isDone = (change: Change): boolean => made.get(change) === requestsOf(change);
  return changes
    .filter((change) => !isDone(change) && needs(change).every(isDone))
    .map((change) => {
      const before = made.get(change) ?? 0;
      return { rows: afterRequest(rows, change, before), made: new Map(made).set(change, before + 1) };
    });
}

function afterRequest(rows: readonly Row[], change: Change, before: number): Row[] {
  if (change.action === "delete" || (change.action === "replace" && before === 1))
    return rows.filter(({ id }) => id !== change.live.id);
  const { values } = change.desired;
  const domain = DOMAINS.findIndex(({ name }) => name === values.get("domain"));
  const written = { domain, alias: String(values.get("alias")), url: String(values.get("url")) };
  const isTaken = rows.some((row) => row.domain === domain && row.alias === written.alias);
  if (change.action !== "update") {
    if (isTaken) throw new Error(`${change.key} is taken`);
    return [...rows, { id: 1 + Math.max(100, ...rows.map(({ id }) => id)), ...written }];
  }
  if (isTaken && change.live.key !== change.key) throw new Error(`${change.key} is taken`);
  return rows.map((row) => (row.id === change.live.id ? { id: row.id, ...written } : row));
}

/** Every possible state of the service during these changes, including the first and the last. */
function stopsOf(rows: readonly Row[], changes: readonly Change[]): (readonly Row[])[] {
  const begin: Step = { rows, made: new Map() };
  const found = new Map([["", begin]]);
  for (const step of found.values())
    for (const next of nextSteps(step, changes))
      found.set(changes.map((change) => next.made.get(change) ?? 0).join(), next);
  return [...found.values()].map((step) => step.rows);
}

function ending(rows: readonly Row[], changes: readonly Change[]): readonly Row[] {
  return stopsOf(rows, changes).at(-1) ?? rows;
}

it.each([
  ["a chain of three renames", [0, 0, 0, 0], 500],
  ["a move to another domain", [0, 1], 10],
])(
  "%s, stopped anywhere and run again: the result is the same",
  async (_what, domains, planned) => {
    const found = await Promise.all(casesOn(domains).map(problemsOf));
    expect(found.filter((problems) => problems !== null).length).toBeGreaterThan(planned);
    expect(found.flatMap((problems) => problems ?? []).slice(0, 20)).toEqual([]);
  },
  120_000,
);
