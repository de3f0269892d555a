// Which links use which pixels, now and after a plan: what its drawing shows.

import type { Change, Live, Plan } from "../../domain/change.ts";
import { fold } from "../../domain/fold.ts";
import { REFERENCE_FIELD } from "../../domain/table.ts";
import type { Values } from "../../domain/value.ts";

/** What becomes of something: of a pixel, of a link, or of a link's use of a pixel. */
export type Fate = "new" | "removed" | "changed" | "kept";

export interface UseNode {
  readonly key: string;
  readonly fate: Fate;
}

export interface Use {
  /** Their places in the lists. */
  readonly pixel: number;
  readonly link: number;
  readonly fate: Exclude<Fate, "changed">;
}

/** Pixels, links and who uses whom; `more…`: those that there was no room for. */
export interface Uses {
  readonly pixels: readonly UseNode[];
  readonly links: readonly UseNode[];
  readonly uses: readonly Use[];
  readonly morePixels: number;
  readonly moreLinks: number;
  /** Whether any of it changes: a pixel, or who uses one. */
  readonly isTouched: boolean;
}

const MOST_PIXELS = 12;
const MOST_LINKS = 40;
const FATES: Readonly<Record<Change["action"], Fate>> = {
  create: "new",
  update: "changed",
  replace: "changed",
  delete: "removed",
};

interface User {
  readonly key: string;
  readonly fate: Fate;
  /** By the folded name of the pixel. */
  readonly uses: ReadonlyMap<string, Use["fate"]>;
}

/**
 * The pixels that the plan touches or that links which it touches use, and those links: first what is new or goes. Null where
 * there is none.
 */
export function usesOf({ changes, atStake }: Pick<Plan, "changes" | "atStake">): Uses | null {
  const pixels = new Map<string, UseNode>();
  /** Of what gets another name, the one it will have, by the one it has. */
  const renamed = new Map<string, string>();
  for (const { kind, action, key, previousKey } of changes) {
    if (kind !== "pixel") continue;
    pixels.set(fold(key), { key, fate: FATES[action] });
    if (previousKey !== null) renamed.set(fold(previousKey), key);
  }
  const named = namesIn(renamed);
  const touched = new Set(pixels.keys());
  const users: User[] = [];
  const add = (key: string, fate: Fate, before: PixelNames, after: PixelNames): void => {
    if (before.size + after.size === 0) return;
    const uses = new Map<string, Use["fate"]>();
    for (const [folded, name] of [...after, ...before]) {
      if (fate === "kept" && !touched.has(folded)) continue;
      uses.set(folded, !before.has(folded) ? "new" : after.has(folded) ? "kept" : "removed");
      if (!pixels.has(folded)) pixels.set(folded, { key: name, fate: "kept" });
    }
    if (uses.size > 0) users.push({ key, fate, uses });
  };
  const seen = new Set<Live>();
  for (const change of changes) {
    if (change.kind !== "link") continue;
    const before = change.action === "create" ? NONE : named(change.live.values);
    // What the files are silent about stays.
    const isSame = change.action === "update" && change.fields.every(({ path }) => path !== REFERENCE_FIELD.pixel);
    const after = change.action === "delete" ? NONE : isSame ? before : (named(change.desired.values) ?? before);
    if (touched.size > 0 && change.action !== "create") seen.add(change.live);
    add(change.key, FATES[change.action], before ?? NONE, after ?? NONE);
  }
  if (touched.size > 0) {
    for (const live of atStake.link) {
      if (seen.has(live)) continue;
      const names = named(live.values) ?? NONE;
      add(live.key, "kept", names, names);
    }
  }
  return bounded(pixels, users);
}

/** Names by their folded form. */
type PixelNames = ReadonlyMap<string, string>;

const NONE: PixelNames = new Map();

/** The pixels of a link, each as it will be called; null where that is not said. */
function namesIn(renamed: PixelNames): (values: Values) => PixelNames | null {
  const known = new Map<string, readonly [folded: string, name: string]>();
  const pairOf = (name: string): readonly [string, string] => {
    const seen = known.get(name);
    if (seen !== undefined) return seen;
    const now = renamed.get(fold(name)) ?? name;
    const pair = [fold(now), now] as const;
    known.set(name, pair);
    return pair;
  };
  return (values) => {
    const value = values.get(REFERENCE_FIELD.pixel);
    if (!Array.isArray(value)) return null;
    return value.length === 0 ? NONE : new Map(value.map((name) => pairOf(String(name))));
  };
}

/** As much as can be looked at; what changes comes first. */
function bounded(pixels: ReadonlyMap<string, UseNode>, users: readonly User[]): Uses | null {
  const used = new Map<string, boolean>();
  for (const { uses } of users)
    for (const [name, fate] of uses) used.set(name, used.get(name) === true || fate !== "kept");
  const wanted = [...pixels].filter(([name, { fate }]) => used.has(name) || fate !== "kept");
  if (wanted.length === 0) return null;
  const weightOf = ([name, { fate }]: readonly [string, UseNode]): number =>
    fate !== "kept" ? 0 : used.get(name) === true ? 1 : 2;
  const shown = wanted.toSorted((a, b) => weightOf(a) - weightOf(b)).slice(0, MOST_PIXELS);
  const places = new Map(shown.map(([name], at) => [name, at]));
  const usersOfShown = users.filter(({ uses }) => [...uses.keys()].some((name) => places.has(name)));
  const changing = ({ uses }: User): number => ([...uses.values()].some((fate) => fate !== "kept") ? 0 : 1);
  const links = usersOfShown.toSorted((a, b) => changing(a) - changing(b)).slice(0, MOST_LINKS);
  return {
    pixels: shown.map(([, node]) => node),
    links: links.map(({ key, fate }) => ({ key, fate })),
    uses: links.flatMap(({ uses }, link) =>
      [...uses].flatMap(([name, fate]) => {
        const pixel = places.get(name);
        return pixel === undefined ? [] : [{ pixel, link, fate }];
      }),
    ),
    morePixels: wanted.length - shown.length,
    moreLinks: usersOfShown.length - links.length,
    isTouched: shown.some(([, { fate }]) => fate !== "kept") || [...used.values()].some(Boolean),
  };
}
