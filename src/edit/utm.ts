// Writes destinations in the `utm` form: the URLs without the UTM parameters that `utm` appends to them.

import { mapAddresses, UTM_PATHS } from "../config/utm.ts";
import type { Project } from "../domain/project.ts";
import { DESTINATION_FIELD } from "../domain/table.ts";
import { applyUtm, isUtmValue, splitUtm, UTM_KEYS, type UtmKey, type UtmValues } from "../domain/utm.ts";
import type { EffectiveDefaults, Value, ValueLookup } from "../domain/value.ts";
import type { YamlContent, YamlEntry } from "./yaml-text.ts";

/** Whether new links of a project get the `utm` form: a link or the defaults have it, or the project allows only some values. */
export function usesUtm(project: Pick<Project, "declarations" | "defaulted" | "utm">): boolean {
  return (
    project.utm.size > 0 ||
    project.declarations.some(({ utm }) => utm.size > 0) ||
    UTM_KEYS.some((key) => project.defaulted.has(utmPath(key)))
  );
}

export function utmPath(key: UtmKey): string {
  return `utm.${key}`;
}

/** The UTM values of a link, and the addresses that a file has besides them, by path. */
export interface UtmForm {
  readonly utm: UtmValues;
  readonly addresses: ReadonlyMap<string, Value>;
}

/**
 * The `utm` form of live destinations. `current` are the UTM values that the block has now, `declared` its addresses. Parameters that the
 * block has in its URL stay there. If one `utm` cannot append the parameters of all destinations as they are, such as in another order
 * or encoding, the result has no UTM values and complete addresses.
 */
export function utmForm(live: ValueLookup, current: UtmValues, declared: (path: string) => Value | undefined): UtmForm {
  const utmOf = (url: Value | undefined): UtmValues => splitUtm(typeof url === "string" ? url : "").utm;
  const own = utmOf(declared(DESTINATION_FIELD));
  const given = [...utmOf(live.get(DESTINATION_FIELD))].filter(([, value]) => isUtmValue(value));
  const candidates = [
    given.filter(([key, value]) => current.has(key) || own.get(key) !== value),
    given.filter(([key]) => current.has(key)),
  ];
  for (const utm of candidates.map((one) => new Map(one))) {
    const addresses = withoutUtm(live, utm, declared);
    if (addresses !== null) return { utm, addresses };
  }
  return { utm: new Map(), addresses: new Map() };
}

/** The addresses to which `utm` must append its parameters; null if there are none. */
function withoutUtm(
  live: ValueLookup,
  utm: UtmValues,
  declared: (path: string) => Value | undefined,
): ReadonlyMap<string, Value> | null {
  const addresses = new Map<string, Value>();
  const known = UTM_PATHS.flatMap((path) => addressesIn(declared(path) ?? null));
  const declaredFor = new Map(known.map((address) => [applied(address, utm), address]));
  let isComplete = true;
  for (const path of UTM_PATHS) {
    const value = live.get(path);
    if (value === undefined) continue;
    const addressOf = (url: string): string => {
      const address = declaredFor.get(url) ?? splitUtm(url, [...utm.keys()]).address;
      isComplete &&= applied(address, utm) === url;
      return address;
    };
    addresses.set(path, mapAddresses(value, addressOf));
  }
  return isComplete ? addresses : null;
}

/** The URL with these UTM values; null if it has other ones. */
function applied(address: string, utm: UtmValues): string | null {
  const { url, conflicts } = applyUtm(address, utm);
  return conflicts.length === 0 ? url : null;
}

export function addressesIn(value: Value): string[] {
  const found: string[] = [];
  mapAddresses(value, (address) => {
    found.push(address);
    return address;
  });
  return found;
}

/** The `utm` of a block below these defaults; undefined if the block needs none. */
export function utmContent(utm: UtmValues, inherited: EffectiveDefaults): YamlContent | undefined {
  const entries = UTM_KEYS.flatMap((key): YamlEntry[] => {
    const value = utm.get(key);
    if (value === undefined) return inherited.has(utmPath(key)) ? [{ key, value: null }] : [];
    return inherited.get(utmPath(key)) === value ? [] : [{ key, value }];
  });
  if (entries.length === 0) return undefined;
  return utm.size === 0 ? "none" : { entries, inline: true };
}

/** The UTM values of these defaults, as far as they are known. */
export function inheritedUtm(defaults: EffectiveDefaults): UtmValues {
  return new Map(
    UTM_KEYS.flatMap((key) => {
      const value = defaults.get(utmPath(key));
      return typeof value === "string" ? [[key, value] as const] : [];
    }),
  );
}
