// An account after manual changes.

import type { Link } from "../../src/sandbox/index.ts";
import type { Random } from "./random.ts";
import { newKey, newPixelName, surroundings, Taken, type LiveSeed } from "./live-random.ts";
import { LIVE_NOW, linkOf, pixelOf } from "./live-rows.ts";

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

/** A copy of the state with about this number of changed records. */
export function changeSome(state: LiveSeed, random: Random, count: number): LiveSeed {
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
  return now();
}

/** The link with one to three other fields. */
function changed(link: Link, random: Random, state: LiveSeed): Link {
  let result = link;
  for (const names of random.shuffled(TOGETHER).slice(0, random.between(1, 3))) {
    for (let tries = 0; tries < 30; tries += 1) {
      const other = linkOf(random, link, surroundings(state));
      const next: Link = { ...result, ...Object.fromEntries(names.map((name) => [name, other[name]])) };
      if (!isSame(result, next)) {
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

/** The names of the records that differ, and of the links that use a pixel whose name differs, before and after. */
export function differingNames(before: LiveSeed, after: LiveSeed): ReadonlySet<string> {
  const pixels = differing(before.pixels, after.pixels);
  const nameOf = ({ pixels: all }: LiveSeed, wanted: number): string | undefined =>
    all.find(({ id }) => id === wanted)?.name;
  const otherNames = new Set(pixels.flatMap(({ id }) => (nameOf(before, id) === nameOf(after, id) ? [] : [id])));
  const users = [...before.links, ...after.links].filter((link) => link.pixels.some((id) => otherNames.has(id)));
  const links = [...differing(before.links, after.links), ...users];
  return new Set([...pixels.map(({ name }) => name), ...links.map(({ alias }) => alias)]);
}

/** The records that only one side has like this, of both sides. */
function differing<Row extends { readonly id: number }>(before: readonly Row[], after: readonly Row[]): Row[] {
  const lacks = (all: readonly Row[]): ((row: Row) => boolean) => {
    const byId = new Map(all.map((row) => [row.id, row]));
    return (row) => !isSame(byId.get(row.id), row);
  };
  return [...before.filter(lacks(after)), ...after.filter(lacks(before))];
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
