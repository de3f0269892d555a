// Reads the `utm` of links and defaults, writes it into destinations, and reads the values that a project allows.

import { besides, error, type Diagnostic } from "../domain/diagnostic.ts";
import { placeIn, type Place } from "../domain/place.ts";
import type { Declaration, Declared } from "../domain/project.ts";
import { DESTINATION, DESTINATION_FIELD, EXPIRATION_URL, TARGETS, textProblem } from "../domain/table.ts";
import {
  applyUtm,
  isUtmValue,
  UTM_KEYS,
  UTM_VALUE,
  type AllowedUtm,
  type UtmKey,
  type UtmValues,
  type UtmVocabulary,
} from "../domain/utm.ts";
import type { Pair, Value } from "../domain/value.ts";
import { findValue } from "./fields.ts";
import { textsIn, entry, formatInline, textOf, type TreeNode } from "./yaml.ts";

/** The effective `utm` of a block. `layers` are the block and its defaults, nearest first. `null` and `none` clear what is behind. */
export function readUtm(layers: readonly TreeNode[]): ReadonlyMap<UtmKey, Declared> {
  if (!layers.some((layer) => entry(layer, "utm"))) return new Map();
  return new Map(
    UTM_KEYS.flatMap((key) => {
      const found = findValue(layers, ["utm", key]);
      const value = textOf(found?.node);
      // The schema has reported other values.
      if (found === null || found.setsGroup || value === null || !UTM_VALUE.test(value)) return [];
      return [[key, { value, place: found.node.place }] as const];
    }),
  );
}

export interface Destination {
  readonly text: string;
  readonly place: Place;
  /** The path of its field. */
  readonly path: string;
  /** Its name in messages. */
  readonly name: string;
}

/** The fields whose destinations get UTM parameters. `expiration.url` gets none: those visitors came too late. */
export const UTM_PATHS: readonly string[] = [
  DESTINATION_FIELD,
  ...[...TARGETS.byWord.values()].map(({ path }) => path),
];

const ADDRESS_PATHS = [...UTM_PATHS, EXPIRATION_URL.path];

/** All destinations of a link: its URL, its targets, and where it leads when it has expired. */
export function destinationsOf({ fields }: Pick<Declaration, "fields">): Destination[] {
  const found: Destination[] = [];
  for (const path of ADDRESS_PATHS) {
    const declared = fields.get(path);
    if (declared) found.push(...destinationsIn(declared, path));
  }
  return found;
}

function destinationsIn({ value: written, place, parts }: Declared, path: string): Destination[] {
  const field = path.split(".").at(-1) ?? path;
  if (typeof written === "string") return [{ text: written, place, path, name: `\`${field}\`` }];
  if (!Array.isArray(written)) return [];
  return written.map((part: string | Pair, at) => {
    const [key, address] = typeof part === "string" ? [null, part] : part;
    const name = key === null ? `an item of \`${field}\`` : `\`${key}\``;
    return { text: address, place: parts?.[at] ?? place, path, name };
  });
}

/** Writes `utm` into the destinations of a link. Reports parameters that a destination has with another value. */
export function writeUtm(fields: Map<string, Declared>, utm: ReadonlyMap<UtmKey, Declared>, found: Diagnostic[]): void {
  if (utm.size === 0) return;
  const values = utmValues(utm);
  for (const path of UTM_PATHS) {
    const declared = fields.get(path);
    if (!declared) continue;
    for (const destination of destinationsIn(declared, path)) checkDestination(destination, utm, values, found);
    const value = mapAddresses(declared.value, (address) => applyUtm(address, values).url);
    fields.set(path, { ...declared, value, written: declared.value });
  }
}

export function utmValues(utm: ReadonlyMap<UtmKey, Declared>): UtmValues {
  return new Map([...utm].map(([key, declared]) => [key, String(declared.value)]));
}

function checkDestination(
  { text: address, place, name }: Destination,
  utm: ReadonlyMap<UtmKey, Declared>,
  values: UtmValues,
  found: Diagnostic[],
): void {
  const { url, conflicts } = applyUtm(address, values);
  for (const { key, value: given, written } of conflicts) {
    const declared = utm.get(key);
    if (!declared) continue;
    const message = `\`utm.${key}\` is \`${String(declared.value)}\`, but ${name} already has \`${written}\`.`;
    const instead = isUtmValue(given) ? formatInline({ utm: { [key]: given } }).slice(2, -2) : `utm: { ${key}: null }`;
    const hint = `Remove \`${written}\` from the URL, or write \`${instead}\` in the link.`;
    const conflict = error("utm-conflict", message, declared.place, hint);
    found.push(besides(conflict, placeIn(place, written, "last"), "the URL"));
  }
  const problem = textProblem(DESTINATION, url);
  if (problem === null) return;
  const message = `With its UTM parameters, ${name} ${problem.replace(/^This /, "")}`;
  found.push(error("wrong-type", message, place, "Shorten the URL or a value of `utm`."));
}

export function mapAddresses(written: Value, change: (address: string) => string): Value {
  if (typeof written === "string") return change(written);
  if (!isPairs(written)) return Array.isArray(written) ? written.map((one: string) => change(one)) : written;
  return written.map(([key, address]): Pair => [key, change(address)]);
}

export function isPairs(written: Value): written is readonly Pair[] {
  return Array.isArray(written) && Array.isArray(written[0]);
}

export async function readVocabulary(document: TreeNode, diagnostics: Diagnostic[]): Promise<UtmVocabulary> {
  const utm = entry(document, "utm")?.value;
  const vocabulary = new Map<UtmKey, AllowedUtm>();
  for (const key of UTM_KEYS) {
    const allowed = await readAllowed(entry(utm, key)?.value, diagnostics);
    if (allowed !== null) vocabulary.set(key, allowed);
  }
  return vocabulary;
}

async function readAllowed(node: TreeNode | undefined, diagnostics: Diagnostic[]): Promise<AllowedUtm | null> {
  if (node?.type === "list") {
    const values = textsIn(node).map(({ text: value }) => value);
    const known = new Set(values);
    return { values, matches: (value) => known.has(value) };
  }
  if (!node || textOf(node) === null) return null;
  return (await import("./pattern.ts")).readPattern(node, diagnostics);
}
