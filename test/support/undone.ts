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
interface Excused {
  /** Compare only whether passwords are set. */
  readonly textsOfSecrets: boolean;
  /**
   * The skipped objects, as `link go.example.com/sale` or `pixel Meta main`, folded: the paths of their fields, none for the whole object.
   */
  readonly left: ReadonlyMap<string, readonly string[]>;
}

/** The differences, as sentences. A recreated record has no clicks. */
export function notAsBefore(before: State, after: State, { textsOfSecrets, left }: Excused): string[] {
  const text = (secret: string | null): string | boolean | null => (textsOfSecrets ? secret : secret !== null);
  const found = compareStates(after, before, (row, { pixels }, [was, is], key) => {
    const plain = plainRow(row, (id) => pixels.find((pixel) => pixel.id === id)?.name ?? `${id}`);
    const ignored = new Set([...OWN_COLUMNS, ...(left.get(fold(key)) ?? []).map(columnOf)]);
    const own =
      "alias" in row
        ? {
            clicks: was.id === is.id ? row.clicks : 0,
            password: text(row.password),
            privacy_password: text(row.privacy_password),
          }
        : {};
    return Object.fromEntries(Object.entries({ ...plain, ...own }).filter(([column]) => !ignored.has(column)));
  });
  return found.flatMap(({ key, says }) => (left.get(fold(key))?.length === 0 ? [] : [`${key} ${says}`]));
}

/** The columns that the service sets. */
const OWN_COLUMNS = ["id", "created_at", "updated_at", "title", "last_rotation"];

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

type Row = Link | Pixel;

/** A difference of the object with this key, as a sentence. */
export interface Difference {
  /** `link go.example.com/sale` or `pixel Meta main`. */
  readonly key: string;
  readonly says: string;
}

/** The differences between two states, by key. `plain` returns the values of a row that are compared. */
export function compareStates(
  actual: State,
  expected: State,
  plain: (row: Row, state: State, rows: readonly [expected: Row, actual: Row], key: string) => object,
): Difference[] {
  const [is, should] = [rowsByKey(actual), rowsByKey(expected)];
  return [...new Set([...is.keys(), ...should.keys()])].toSorted().flatMap((key): Difference[] => {
    const [[row, ...others], [wanted]] = [is.get(key) ?? [], should.get(key) ?? []];
    if (row === undefined) return [{ key, says: "is not there" }];
    if (wanted === undefined) return [{ key, says: "is there" }];
    if (others.length > 0) return [{ key, says: `is there ${others.length + 1} times` }];
    const valuesOf = (one: Row, state: State): Map<string, unknown> =>
      new Map(Object.entries(plain(one, state, [wanted, row], key)));
    const [values, wantedValues] = [valuesOf(row, actual), valuesOf(wanted, expected)];
    return [...new Set([...wantedValues.keys(), ...values.keys()])].flatMap((name) => {
      const [now, then] = [values, wantedValues].map((all) => JSON.stringify(all.get(name)));
      return now === then ? [] : [{ key, says: `has ${name} ${now}, not ${then}` }];
    });
  });
}

/** The service may have an alias twice, also in two spellings. */
function rowsByKey({ links, pixels, domains }: State): Map<string, Row[]> {
  const names = new Map(domains.map(({ id, name }) => [id, name]));
  const rows = new Map<string, Row[]>();
  for (const row of [...pixels, ...links]) {
    const key = "alias" in row ? `link ${names.get(row.domain)}/${row.alias}` : `pixel ${row.name}`;
    rows.set(key, [...(rows.get(key) ?? []), row]);
  }
  return rows;
}

/** A row with one form of each empty value: never set, and cleared. */
export function plainRow(row: Row, pixelName: (id: number) => string): object {
  if (!("alias" in row)) return row;
  const groups = (["country", "platform", "language", "rotation"] as const).map((group) => {
    const entries = Object.values(row[group] ?? []).map(({ key = "", value }) => `${key} ${value}`);
    return [group, group === "rotation" ? entries : entries.toSorted()];
  });
  return {
    ...row,
    pixels: row.pixels.map(pixelName).toSorted(),
    // Version 49 needs a start for an end to have an effect: one before everything means none, in whatever zone.
    starts_at: (row.starts_at ?? "") < "1970-01-03" ? null : row.starts_at,
    ends_at: row.ends_at === null ? null : new Date(row.ends_at).toISOString(),
    expiration_clicks: row.expiration_clicks ?? 0,
    ...Object.fromEntries(groups),
  };
}
