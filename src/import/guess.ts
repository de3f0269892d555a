// What columns mean that nobody has said anything of: as they are called, then as their values look.

import { DESTINATION_FIELD, KEY_FIELD, REFERENCE_FIELD, type ResourceKind } from "../domain/table.ts";
import type { MappedColumn } from "./mapping.ts";
import type { Sheet } from "./sheet.ts";
import { isAddress, shortUrlOf } from "./short-url.ts";
import { KEY_PATH, squashed, targetAt, targetsOf, UNSURE_NAMES, type Target } from "./targets.ts";

type Guess = Pick<MappedColumn, "target" | "because">;

/** What is known before anything is guessed. */
export interface Known {
  /** What flags say, by the column's index; null: it is left out. */
  readonly said: ReadonlyMap<number, Target | null>;
  /** Domains that the project's files name, in small letters. */
  readonly domains: ReadonlySet<string>;
  /** The domain that a flag gives. */
  readonly domain: string | null;
}

/** How many values of a column are looked at. */
const LOOKED_AT = 200;

/** What most values of a column are, it is taken for: the others are mistakes, and told. */
const MOST = 0.8;

/** What the columns most likely mean, by index; those that are not in it mean nothing that is known. */
export function guessTargets(sheet: Sheet, kind: ResourceKind, known: Known): ReadonlyMap<number, Guess> {
  const guesses = new Guesses(sheet, known);
  const names = sheet.columns.map(squashed);
  for (const target of targetsOf(kind)) {
    for (const name of target.names) {
      const index = names.findIndex((one, at) => one === name && guesses.isFree(at));
      if (index < 0 || guesses.has(target.path)) continue;
      // `Windows` may be what a link is about: only what leads somewhere is a destination for some visitors.
      const fits = target.to !== "member" || areAddresses(valuesOf(sheet, index));
      if (fits) guesses.put(index, target, "name");
    }
  }
  // Maps with more keys than can be listed.
  for (const [index, name] of sheet.columns.entries()) {
    const target = guesses.isFree(index) ? targetAt(kind, name) : undefined;
    if (target?.to === "member" && !guesses.has(target.path)) guesses.put(index, target, "name");
  }
  if (kind === "link") guessAddresses(sheet, names, guesses, known);
  return guesses.found;
}

class Guesses {
  readonly found = new Map<number, Guess>();
  readonly #known: Known;
  readonly #sheet: Sheet;

  constructor(sheet: Sheet, known: Known) {
    this.#sheet = sheet;
    this.#known = known;
  }

  isFree(index: number): boolean {
    return !this.found.has(index) && !this.#known.said.has(index);
  }

  has(path: string): boolean {
    return [...this.#known.said.values(), ...[...this.found.values()].map(({ target }) => target)].some(
      (target) => target?.path === path,
    );
  }

  put(index: number, target: Target | undefined, because: "name" | "values"): void {
    if (target !== undefined) this.found.set(index, { target, because });
  }

  /** Free columns whose values, as far as there are any, all look so. */
  columnsLike(looks: (values: readonly string[]) => boolean): number[] {
    return this.#sheet.columns.flatMap((_, index) => {
      if (!this.isFree(index)) return [];
      const values = valuesOf(this.#sheet, index);
      return values.length > 0 && looks(values) ? [index] : [];
    });
  }
}

/** The first values of a column that are none of its empty cells. */
export function valuesOf({ rows }: Sheet, index: number): string[] {
  const values: string[] = [];
  for (const { cells } of rows) {
    const cell = cells[index] ?? "";
    if (cell !== "") values.push(cell);
    if (values.length === LOOKED_AT) break;
  }
  return values;
}

/** Of columns of addresses, the one with short URLs of few domains has the keys; the one that is left leads somewhere. */
function guessAddresses(sheet: Sheet, names: readonly string[], guesses: Guesses, known: Known): void {
  const needsKey = !guesses.has(KEY_PATH) && !guesses.has(KEY_FIELD.link);
  const needsDestination = !guesses.has(DESTINATION_FIELD);
  const addresses = guesses.columnsLike(areAddresses);
  const short = guesses.columnsLike((values) => areShort(values, known));
  const unsure = short.find((index) => UNSURE_NAMES.has(names[index] ?? ""));
  const others = (index: number): number[] => addresses.filter((other) => other !== index);
  if (needsKey) {
    const candidates = short.filter((index) => !needsDestination || others(index).length > 0);
    const index = candidates.find((one) => one === unsure) ?? (candidates.length === 1 ? candidates[0] : undefined);
    if (index !== undefined) guesses.put(index, targetAt("link", KEY_PATH), "values");
  }
  if (needsDestination) {
    const left = addresses.filter((index) => guesses.isFree(index));
    // What may as well be short URLs is no destination as long as another column may be it.
    const called = left.find((index) => UNSURE_NAMES.has(names[index] ?? "") && !short.includes(index));
    const index = called ?? (left.length === 1 ? left[0] : undefined);
    if (index !== undefined) guesses.put(index, targetAt("link", DESTINATION_FIELD), "values");
  }
  preferDomain(sheet, guesses, known);
}

function areAddresses(values: readonly string[]): boolean {
  return values.filter(isAddress).length >= values.length * MOST;
}

/** Whether these are short URLs: of a domain that is known, or all of one domain. */
function areShort(values: readonly string[], { domains, domain }: Known): boolean {
  const parts = values.map(shortUrlOf);
  const hosts = new Set(parts.map((part) => part?.domain ?? ""));
  if (hosts.has("")) return false;
  const isKnown = [...hosts].every((host) => domains.has(host) || host === domain?.toLowerCase());
  const aliases = new Set(parts.map((part) => part?.alias));
  return isKnown || (hosts.size === 1 && aliases.size === values.length);
}

/** Short URLs of domains that are none of ours are about to move to the one that a flag gives: only their aliases count. */
function preferDomain(sheet: Sheet, guesses: Guesses, { domain, domains }: Known): void {
  if (domain === null || guesses.has(REFERENCE_FIELD.domain) || guesses.has(KEY_FIELD.link)) return;
  for (const [index, { target, because }] of guesses.found) {
    if (target?.path !== KEY_PATH || because === "flag") continue;
    const hosts = valuesOf(sheet, index).map((value) => shortUrlOf(value)?.domain);
    const isElsewhere = hosts.every(
      (host) => host !== undefined && host !== domain.toLowerCase() && !domains.has(host),
    );
    if (isElsewhere && because !== "unknown") guesses.put(index, targetAt("link", KEY_FIELD.link), because);
  }
}
