// Compares a declared block with its live record, and returns the parts of the block that must change.

import type { Desired, Live } from "../domain/change.ts";
import type { FieldSpec, InstantSpec } from "../domain/field.ts";
import { blockFields, GROUPS, REFERENCE_FIELD } from "../domain/table.ts";
import { UTM_KEYS, type UtmValues } from "../domain/utm.ts";
import { sameValue, type EffectiveDefaults, type Value, type Values } from "../domain/value.ts";
import { utmValues } from "../config/utm.ts";
import { utmContent, utmForm, utmPath } from "../edit/utm.ts";
import { fileGroup, fileMoment, fileValue, type FileContext } from "../edit/file-values.ts";
import type { BlockPart } from "../edit/edits.ts";
import type { YamlContent } from "../edit/yaml-text.ts";

export interface BlockDiff {
  readonly parts: readonly BlockPart[];
  /**
   * Paths whose live values no file can express and that cannot be left out: required fields, and fields that `defaults` set. Others
   * are left out, and `unspecified: keep` leaves them unchanged.
   */
  readonly inexpressible: readonly string[];
}

type LiveValues = Pick<Live, "values">;

/** A declared block in its file. */
interface DeclaredBlock {
  readonly context: FileContext;
  /** Whether the block itself has this path, not `defaults` and not an alias. */
  readonly has: (path: readonly string[]) => boolean;
  /** Whether the declared value has no meaning in this account, such as an unknown pixel. */
  readonly isUnknownPixel: (field: FieldSpec) => boolean;
  /** The defaults at the place of the block. */
  readonly defaults: EffectiveDefaults;
}

/** Compares a declared object with its live record, field by field. */
export function diffBlock(desired: Desired, live: LiveValues, declared: DeclaredBlock): BlockDiff {
  const parts = new Map<string, YamlContent | undefined>();
  const kept = new Set<string>();
  const differing = blockFields(desired.kind).filter((field) => differs(field, desired, live, declared));
  for (const field of differing) {
    const whole = headOf(field.path);
    const path = GROUPS[whole]?.replacesAsWhole === true ? whole : field.path;
    const isGroup = path !== field.path;
    const content = isGroup ? groupContent(whole, live, declared) : fieldContent(field, live, declared);
    parts.set(path, content);
    if (content === undefined) kept.add(path);
    if (field.kind === "instant" && !isGroup) setTime(field, live, declared, parts);
  }
  const changed = [...parts].map(([path, content]): BlockPart => ({ path: path.split("."), content }));
  if (kept.size === 0) return { parts: changed, inexpressible: [] };
  const isRequired = (path: string): boolean => differing.some((field) => field.path === path && field.required);
  const isGiven = (path: string): boolean => desired.declared.has(path) && !declared.has(path.split("."));
  const keep: BlockPart[] = desired.unspecified === "keep" ? [] : [{ path: ["unspecified"], content: "keep" }];
  return { parts: [...changed, ...keep], inexpressible: [...kept].filter((path) => isRequired(path) || isGiven(path)) };
}

/** The live group in the form of files; undefined if they cannot express it. */
function groupContent(name: string, live: LiveValues, { context }: DeclaredBlock): YamlContent | undefined {
  const entries = fileGroup(name, live.values, context);
  return entries?.length === 0 ? "none" : entries && { entries };
}

/** The same for a field; for an instant, its date. */
function fieldContent(field: FieldSpec, live: LiveValues, { context }: DeclaredBlock): YamlContent | undefined {
  const value = live.values.get(field.path) ?? null;
  return field.kind === "instant" && value !== null
    ? fileMoment(field, value, context)?.date
    : fileValue(field, value, context);
}

/** Sets the time of an instant. It is left out if it is the default time and the block has none. */
function setTime(
  field: InstantSpec,
  live: LiveValues,
  { has, context, defaults }: DeclaredBlock,
  parts: Map<string, YamlContent | undefined>,
): void {
  const time = fileMoment(field, live.values.get(field.path) ?? null, context)?.time;
  const isDefault = time === undefined || time === (defaults.get(field.timePath) ?? field.timeDefault);
  if (!isDefault || has(field.timePath.split("."))) parts.set(field.timePath, time);
}

/** The same for a link with UTM values: its addresses are compared without them. */
export function diffUtmBlock(desired: Desired, live: LiveValues, declared: DeclaredBlock): BlockDiff {
  const writtenAt = (path: string): Value | undefined => desired.declared.get(path)?.written;
  // Addresses that the block leaves to the service do not limit its UTM values.
  const isCompared = (path: string): boolean => desired.declared.has(path) || desired.unspecified !== "keep";
  const compared = { get: (path: string) => (isCompared(path) ? live.values.get(path) : undefined), has: isCompared };
  const { utm, values } = utmForm(compared, utmValues(desired.utm), writtenAt);
  const withAddresses = (all: Values, addressAt: (path: string) => Value | undefined): Values => ({
    get: (path) => addressAt(path) ?? all.get(path),
    has: (path) => all.has(path),
  });
  const diff = diffBlock(
    { ...desired, values: withAddresses(desired.values, writtenAt) },
    { values: withAddresses(live.values, (path) => values.get(path)) },
    declared,
  );
  return { ...diff, parts: [...diff.parts, ...utmParts(utm, utmValues(desired.utm), declared)] };
}

/** The parts that make these the UTM values of a block. */
function utmParts(utm: UtmValues, before: UtmValues, { has, defaults }: DeclaredBlock): BlockPart[] {
  const changed = UTM_KEYS.filter((key) => utm.get(key) !== before.get(key));
  if (changed.length === 0) return [];
  if (utm.size === 0 || !has(["utm"])) return [{ path: ["utm"], content: utmContent(utm, defaults) }];
  return changed.map((key): BlockPart => {
    const [path, value] = [utmPath(key), utm.get(key)];
    const isImplied = defaults.get(path) === value;
    const content = value === undefined && defaults.has(path) ? null : isImplied ? undefined : value;
    return { path: ["utm", key], content };
  });
}

function headOf(path: string): string {
  return path.split(".")[0] ?? path;
}

function differs(field: FieldSpec, desired: Desired, live: LiveValues, { isUnknownPixel }: DeclaredBlock): boolean {
  const liveValue = live.values.get(field.path);
  // Links on different domains are different links.
  if (liveValue === undefined || field.path === REFERENCE_FIELD.domain) return false;
  if (desired.declared.has(field.path)) {
    const declaredValue = desired.values.get(field.path);
    return declaredValue === undefined || isUnknownPixel(field) || !sameValue(declaredValue, liveValue);
  }
  return desired.unspecified !== "keep" && !sameValue(field.default, liveValue);
}
