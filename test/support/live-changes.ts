// An account after manual changes, and the changes.

import type { Link, Pixel } from "../../src/sandbox/index.ts";
import type { Random } from "./random.ts";
import { newKey, newPixelName, surroundings, Taken, type LiveSeed } from "./live-random.ts";
import { LIVE_NOW, linkOf, pixelOf } from "./live-rows.ts";

/** A changed record. */
export interface HandChange {
  readonly kind: "link" | "pixel";
  readonly id: number;
  readonly how: "added" | "changed" | "deleted";
  /** Paths of fields that read differently now; empty unless it was changed. Another password reads the same. */
  readonly fields: readonly string[];
}

type Fields<Row> = Readonly<Record<string, (row: Row) => unknown>>;

/** The declared values by path. */
const LINK_VALUES: Fields<Link> = {
  url: ({ url }) => url,
  domain: ({ domain }) => domain,
  alias: ({ alias }) => alias,
  password: ({ password }) => password !== null,
  space: ({ space }) => space,
  pixels: ({ pixels }) => pixels,
  disabled: ({ disabled }) => disabled,
  privacy: ({ privacy }) => privacy,
  privacy_password: (link) => link.privacy_password !== null,
  "expiration.date": ({ ends_at: endsAt }) => endsAt,
  "expiration.clicks": (link) => link.expiration_clicks ?? 0,
  "expiration.url": (link) => link.expiration_url,
  "targeting.active": (link) => link.target_type,
  "targeting.country": ({ country }) => pairsOf(country),
  "targeting.platform": ({ platform }) => pairsOf(platform),
  "targeting.language": ({ language }) => pairsOf(language),
  "targeting.rotation": ({ rotation }) => Object.values(rotation ?? []).map(({ value }) => value),
};

const PIXEL_VALUES: Fields<Pixel> = {
  name: ({ name }) => name,
  type: ({ type }) => type,
  value: ({ value }) => value,
};

function pairsOf(group: Link["country"]): unknown {
  const pairs = Object.values(group ?? []).map(({ key = "", value }) => [key, value] as const);
  return pairs.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}

/** Columns of a record that change together. */
const TOGETHER: readonly (readonly (keyof Link)[])[] = [
  ["url"],
  ["password"],
  ["space"],
  ["pixels"],
  ["disabled"],
  ["privacy"],
  ["privacy_password"],
  ["ends_at"],
  ["expiration_clicks"],
  ["expiration_url"],
  ["target_type", "country", "platform", "language", "rotation"],
];

/** A copy of the state with about this number of changed records, and the changes. */
export function changeSome(
  state: LiveSeed,
  random: Random,
  count: number,
): { readonly state: LiveSeed; readonly changes: readonly HandChange[] } {
  const links = new Map(state.links.map((link) => [link.id, link]));
  const pixels = new Map(state.pixels.map((pixel) => [pixel.id, pixel]));
  const taken = new Taken(state);
  const now = (): LiveSeed => ({ ...state, links: [...links.values()], pixels: [...pixels.values()] });
  const newId = (rows: ReadonlyMap<number, unknown>): number => Math.max(0, ...rows.keys()) + random.between(1, 3);

  for (let left = count; left > 0; left -= 1) {
    const deed = random.next();
    const link = links.size === 0 ? undefined : random.pick([...links.values()]);
    const pixel = pixels.size === 0 ? undefined : random.pick([...pixels.values()]);
    if (link === undefined || deed < 0.1) {
      const id = newId(links);
      links.set(id, linkOf(random, { id, ...newKey(random, random.between(1, 3), [], taken) }, surroundings(now())));
    } else if (deed < 0.2) links.delete(link.id);
    else if (deed < 0.3) links.set(link.id, renamed(link, random, taken));
    else if (pixel !== undefined && deed < 0.34) {
      pixels.delete(pixel.id);
      // Links lose it silently (docs/service.md, "Delete paths").
      for (const one of links.values())
        if (one.pixels.includes(pixel.id))
          links.set(one.id, { ...one, pixels: one.pixels.filter((id) => id !== pixel.id) });
    } else if (pixel !== undefined && deed < 0.38) pixels.set(pixel.id, { ...pixel, ...pixelOf(random) });
    else if (pixel !== undefined && deed < 0.42) pixels.set(pixel.id, { ...pixel, name: newPixelName(random, taken) });
    else if (deed < 0.45) {
      const id = newId(pixels);
      const dates = { created_at: LIVE_NOW, updated_at: LIVE_NOW };
      pixels.set(id, { id, name: newPixelName(random, taken), ...pixelOf(random), ...dates });
    } else links.set(link.id, changed(link, random, now()));
  }
  const after = now();
  return { state: after, changes: handChanges(state, after) };
}

/** The link with one to three other fields. */
function changed(link: Link, random: Random, state: LiveSeed): Link {
  let result = link;
  for (const names of random.shuffled(TOGETHER).slice(0, random.between(1, 3))) {
    for (let tries = 0; tries < 30; tries += 1) {
      const other = linkOf(random, link, surroundings(state));
      const values = Object.fromEntries(names.map((name) => [name, other[name]]));
      const next: Link = { ...result, ...values };
      if (!isSame(LINK_VALUES, result, next)) {
        result = next;
        break;
      }
    }
  }
  return result;
}

/** Another alias, or the same one in another case. */
function renamed(link: Link, random: Random, taken: Taken): Link {
  const other = link.alias === link.alias.toLowerCase() ? link.alias.toUpperCase() : link.alias.toLowerCase();
  const isSpelling = !new Taken({ links: [link], pixels: [] }).take(link.domain, other) && other !== link.alias;
  if (isSpelling && random.chance(0.3)) return { ...link, alias: other };
  return { ...link, ...newKey(random, link.domain, [], taken) };
}

function handChanges(before: LiveSeed, after: LiveSeed): HandChange[] {
  return [
    ...differences("pixel", PIXEL_VALUES, before.pixels, after.pixels),
    ...differences("link", LINK_VALUES, before.links, after.links),
  ];
}

function differences<Row extends { readonly id: number }>(
  kind: HandChange["kind"],
  values: Fields<Row>,
  before: readonly Row[],
  after: readonly Row[],
): HandChange[] {
  const old = new Map(before.map((row) => [row.id, row]));
  const left = new Set(after.map(({ id }) => id));
  const gone = before.flatMap(({ id }): HandChange[] =>
    left.has(id) ? [] : [{ kind, id, how: "deleted", fields: [] }],
  );
  const rest = after.flatMap((row): HandChange[] => {
    const former = old.get(row.id);
    if (former === undefined) return [{ kind, id: row.id, how: "added", fields: [] }];
    const fields = Object.keys(values).filter((path) => !isSameValue(values[path], former, row));
    return fields.length === 0 ? [] : [{ kind, id: row.id, how: "changed", fields }];
  });
  return [...gone, ...rest];
}

function isSame<Row>(values: Fields<Row>, a: Row, b: Row): boolean {
  return Object.values(values).every((value) => isSameValue(value, a, b));
}

function isSameValue<Row>(value: ((row: Row) => unknown) | undefined, a: Row, b: Row): boolean {
  return JSON.stringify(value?.(a)) === JSON.stringify(value?.(b));
}
