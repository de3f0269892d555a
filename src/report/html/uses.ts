// Which links use which pixels, now and after a plan: what its drawing shows.

import type { Change, Create, Plan } from "../../domain/change.ts";
import { fold } from "../../domain/fold.ts";
import { REFERENCE_FIELD } from "../../domain/table.ts";
import type { Values } from "../../domain/value.ts";

/** What becomes of something: of a pixel, of a link, or of a link's use of a pixel. */
export type Fate = "new" | "removed" | "changed" | "kept";

export interface Node {
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
  readonly pixels: readonly Node[];
  readonly links: readonly Node[];
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
  if (!changes.some(isAboutPixels) && !atStake.link.some(({ values }) => usesAny(values))) return null;
  const pixels = new Map<string, Node>();
  /** Of what gets another name, the one it will have, by the one it has. */
  const renamed = new Map<string, string>();
  for (const { kind, action, key, previousKey } of changes) {
    if (kind !== "pixel") continue;
    pixels.set(fold(key), { key, fate: FATES[action] });
    if (previousKey !== null) renamed.set(fold(previousKey), key);
  }
  const named = namesIn(renamed);
  const touched = new Map<unknown, Change>();
  for (const change of changes) if (change.action !== "create") touched.set(change.live, change);
  const created = changes.filter((change): change is Create => change.kind === "link" && change.action === "create");
  const users = [
    ...created.map((change) => userOf(change, named)),
    ...atStake.link.map((live): User => {
      const change = touched.get(live);
      if (change !== undefined) return userOf(change, named);
      if (named(live.values) === NONE) return UNUSED;
      const uses = [...named(live.values).keys()].map((name) => [name, "kept"] as const);
      return { key: live.key, fate: "kept", uses: new Map(uses.filter(([name]) => pixels.has(name))) };
    }),
  ].filter(({ uses }) => uses.size > 0);
  for (const names of [...created.map(({ desired }) => desired.values), ...atStake.link.map(({ values }) => values)])
    for (const [name, key] of named(names)) if (!pixels.has(name)) pixels.set(name, { key, fate: "kept" });
  for (const change of changes)
    if (change.action === "update" || change.action === "replace")
      for (const [name, key] of named(change.desired.values))
        if (!pixels.has(name)) pixels.set(name, { key, fate: "kept" });
  return bounded(pixels, users);
}

/** Whether a pixel changes, or a link that is to use one. */
function isAboutPixels(change: Change): boolean {
  return change.kind === "pixel" || (change.action !== "delete" && usesAny(change.desired.values));
}

function usesAny(values: Values): boolean {
  const value = values.get(REFERENCE_FIELD.pixel);
  return Array.isArray(value) && value.length > 0;
}

/** Most links use no pixel. */
const NONE: ReadonlyMap<string, string> = new Map();
const UNUSED: User = { key: "", fate: "kept", uses: new Map() };

/** The pixels of a link by their folded names, each as it will be called. */
function namesIn(renamed: ReadonlyMap<string, string>): (values: Values) => ReadonlyMap<string, string> {
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
    return Array.isArray(value) && value.length > 0 ? new Map(value.map((name) => pairOf(String(name)))) : NONE;
  };
}

function userOf(change: Change, named: (values: Values) => ReadonlyMap<string, string>): User {
  const before = change.action === "create" ? NONE : named(change.live.values);
  const isSaid = change.action !== "delete" && change.desired.values.has(REFERENCE_FIELD.pixel);
  const after = change.action === "delete" ? NONE : isSaid ? named(change.desired.values) : before;
  if (before.size === 0 && after.size === 0) return UNUSED;
  const fateOf = (name: string): Use["fate"] => (!before.has(name) ? "new" : after.has(name) ? "kept" : "removed");
  const uses = [...after.keys(), ...before.keys()].map((name) => [name, fateOf(name)] as const);
  return { key: change.key, fate: FATES[change.action], uses: new Map(uses) };
}

/** As much as can be looked at; what changes comes first. */
function bounded(pixels: ReadonlyMap<string, Node>, users: readonly User[]): Uses | null {
  const used = new Map<string, boolean>();
  for (const { uses } of users)
    for (const [name, fate] of uses) used.set(name, used.get(name) === true || fate !== "kept");
  const wanted = [...pixels].filter(([name, { fate }]) => used.has(name) || fate !== "kept");
  if (wanted.length === 0) return null;
  const weightOf = ([name, { fate }]: readonly [string, Node]): number =>
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
