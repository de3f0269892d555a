// Undoes in tests: an applied project, and a comparison of the account with the state before the apply, in which only differences that the
// undo announces are allowed.

import { expect } from "vitest";
import type { SeedState } from "../../src/sandbox/index.ts";
import type { Link, Pixel, State } from "../../src/sandbox/state.ts";
import { fold } from "../../src/sandbox/fold.ts";
import { startWith, type Scenario } from "./scenario.ts";

/** A scenario in which these files were applied, without a brake. `onSeed` gets the state before. */
export async function applied(
  text: string,
  seed: SeedState = {},
  onSeed: (state: State) => void = () => undefined,
): Promise<Scenario> {
  const scenario = await startWith(`brake: { deletes: 100%, updates: 100% }\n${text}`, seed);
  onSeed(scenario.sandbox.state());
  expect(await scenario.apply()).toMatchObject({ exit: 0 });
  return scenario;
}

/** An environment in which each variable of an undo has this text. */
export function withSecrets(
  given: Readonly<Record<string, string>>,
  text: string | null,
): Readonly<Record<string, string>> {
  return new Proxy(given, {
    get: (all, name) => {
      if (typeof name !== "string") return undefined;
      const isAsked = text !== null && name.startsWith("LINKFORM_SECRET_") && all[name] === undefined;
      return isAsked ? text : all[name];
    },
  });
}

/** The allowed differences. */
export interface Excused {
  /** Compare only whether passwords are set. */
  readonly textsOfSecrets: boolean;
  /**
   * The skipped objects, as `link go.example.com/sale` or `pixel Meta main`, folded: the paths of their fields, none for the whole object.
   */
  readonly left: ReadonlyMap<string, readonly string[]>;
}

/** The differences, as sentences. A recreated record has no clicks. */
export function notAsBefore(before: State, after: State, { textsOfSecrets, left }: Excused): string[] {
  const [was, is] = [rowsOf(before), rowsOf(after)];
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((key) => {
    const paths = left.get(key);
    if (paths?.length === 0) return [];
    const [then, now] = [was.get(key), is.get(key)];
    if (then === undefined) return [`${key} is there`];
    if (now === undefined) return [`${key} is not there`];
    const isSame = then.row.id === now.row.id;
    const [a, b] = [plain(then, isSame, textsOfSecrets, paths), plain(now, isSame, textsOfSecrets, paths)];
    return a === b ? [] : [`${key} was ${a} and is ${b}`];
  });
}

interface Kept {
  readonly row: Link | Pixel;
  readonly state: State;
}

/** By key. */
function rowsOf(state: State): Map<string, Kept> {
  const domains = new Map(state.domains.map(({ id, name }) => [id, name]));
  return new Map<string, Kept>([
    ...state.pixels.map((row) => [`pixel ${fold(row.name)}`, { row, state }] as const),
    ...state.links.map((row) => [`link ${domains.get(row.domain)}/${fold(row.alias)}`, { row, state }] as const),
  ]);
}

/** The sandbox's name of a field. */
export function columnOf(path: string): string {
  const named: Readonly<Record<string, string>> = {
    "expiration.start": "starts_at",
    "expiration.date": "ends_at",
    "expiration.time": "ends_at",
    "expiration.clicks": "expiration_clicks",
    "expiration.url": "expiration_url",
    "targeting.active": "target_type",
  };
  return named[path] ?? path.replace("targeting.", "");
}

function plain(
  { row, state }: Kept,
  isSame: boolean,
  textsOfSecrets: boolean,
  excused: readonly string[] | undefined,
): string {
  if (!("alias" in row)) return JSON.stringify([row.name, row.type, row.value]);
  const { id: _id, created_at: _created, updated_at: _updated, title: _title, last_rotation: _last, ...rest } = row;
  const text = (secret: string | null): string | boolean | null => (textsOfSecrets ? secret : secret !== null);
  const columns = new Set((excused ?? []).map(columnOf));
  const all = {
    ...rest,
    clicks: isSame ? row.clicks : 0,
    password: text(row.password),
    privacy_password: text(row.privacy_password),
    pixels: row.pixels.map((pixel) => state.pixels.find(({ id }) => id === pixel)?.name ?? `${pixel}`).toSorted(),
    // Version 49 needs a start for an end to have an effect: one before everything means none, in whatever zone.
    starts_at: (row.starts_at ?? "") < "1970-01-03" ? null : row.starts_at,
    ends_at: row.ends_at === null ? null : new Date(row.ends_at).toISOString(),
    expiration_clicks: row.expiration_clicks ?? 0,
    ...Object.fromEntries(
      (["country", "platform", "language", "rotation"] as const).map((group) => [
        group,
        Object.values(row[group] ?? [])
          .map(({ key = "", value }) => `${key} ${value}`)
          .toSorted(group === "rotation" ? () => 0 : undefined),
      ]),
    ),
  };
  return JSON.stringify(Object.fromEntries(Object.entries(all).filter(([column]) => !columns.has(column))));
}
