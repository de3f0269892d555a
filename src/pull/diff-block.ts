// Compares a declared block with its live record, and returns the parts of the block that must change.

import type { Desired, Live } from "../domain/change.ts";
import type { FieldSpec, InstantSpec } from "../domain/field.ts";
import { blockFields, GROUPS, groupFields, REFERENCE_FIELD } from "../domain/table.ts";
import { UTM_KEYS, type UtmValues } from "../domain/utm.ts";
import { sameValue, type EffectiveDefaults, type Value, type Values } from "../domain/value.ts";
import { utmValues } from "../config/utm.ts";
import { utmContent, utmForm, utmPath } from "../edit/utm.ts";
import { fileGroup, fileMoment, fileValue, type FileContext } from "../edit/file-values.ts";
import type { BlockPart } from "../edit/edits.ts";
import type { YamlContent, YamlEntry } from "../edit/yaml-text.ts";

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
  const differ = new BlockDiffer(live, declared);
  const differing = blockFields(desired.kind).filter((field) => differs(field, desired, live, declared));
  const parts = [...new Set(differing.map(({ path }) => headOf(path)))].flatMap((head) =>
    differ.partsOf(
      head,
      differing.filter(({ path }) => headOf(path) === head),
    ),
  );
  const kept = [...differ.kept];
  if (kept.length === 0) return { parts, inexpressible: [] };
  const isRequired = (path: string): boolean => differing.some((field) => field.path === path && field.required);
  const isGiven = (path: string): boolean => desired.declared.has(path) && !declared.has(path.split("."));
  const keep: BlockPart[] = desired.unspecified === "keep" ? [] : [{ path: ["unspecified"], content: "keep" }];
  return { parts: [...parts, ...keep], inexpressible: kept.filter((path) => isRequired(path) || isGiven(path)) };
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

/** Collects the parts that make a block match its live record. */
class BlockDiffer {
  readonly #live: LiveValues;
  readonly #declared: DeclaredBlock;
  /** Paths of fields and groups that no file can express. */
  readonly kept: Set<string> = new Set();

  constructor(live: LiveValues, declared: DeclaredBlock) {
    this.#live = live;
    this.#declared = declared;
  }

  /** The parts for the differing fields of one top-level key. */
  partsOf(head: string, fields: readonly FieldSpec[]): BlockPart[] {
    const { has, context } = this.#declared;
    const group = GROUPS[head];
    if (group?.replacesAsWhole === true) {
      const entries = fileGroup(head, this.#live.values, context);
      if (entries === undefined) this.kept.add(head);
      return [{ path: [head], content: entries && groupOf(entries) }];
    }
    const isMap = groupFields(head).some(({ path }) => has(path.split(".")));
    if (group !== undefined && has([head]) && !isMap)
      return [{ path: [head], content: groupOf(this.#entriesOf(head)) }];
    return fields.flatMap((field) => this.#fieldParts(field));
  }

  /** The entries of a group that differ from the defaults of the service. */
  #entriesOf(head: string): YamlEntry[] {
    const fields = groupFields(head).filter(({ path, default: unset }) => {
      const value = this.#live.values.get(path);
      return value !== undefined && !sameValue(value, unset);
    });
    return fields
      .flatMap((field) => this.#fieldParts(field))
      .flatMap(({ path, content }) => (content === undefined ? [] : [{ key: path.at(-1) ?? head, value: content }]));
  }

  #fieldParts(field: FieldSpec): BlockPart[] {
    const value = this.#live.values.get(field.path) ?? null;
    if (field.kind === "instant") return this.#momentParts(field, value);
    const content = fileValue(field, value, this.#declared.context);
    if (content !== undefined) return [{ path: field.path.split("."), content }];
    this.kept.add(field.path);
    return field.required ? [] : [{ path: field.path.split("."), content: undefined }];
  }

  /** The time is left out if it is the default time and nothing declares another one. */
  #momentParts(field: InstantSpec, value: Value): BlockPart[] {
    const { has, context, defaults } = this.#declared;
    const [path, timePath] = [field.path.split("."), field.timePath.split(".")];
    const removedTime: BlockPart[] = has(timePath) ? [{ path: timePath, content: undefined }] : [];
    if (value === null) return [{ path, content: "none" }, ...removedTime];
    const moment = fileMoment(field, value, context);
    if (moment === undefined) {
      this.kept.add(field.path);
      return [{ path, content: undefined }, ...removedTime];
    }
    const isDefaultTime = moment.time === (defaults.get(field.timePath) ?? field.timeDefault) && !has(timePath);
    const time: BlockPart[] = isDefaultTime ? [] : [{ path: timePath, content: moment.time }];
    return [{ path, content: moment.date }, ...time];
  }
}

function groupOf(entries: readonly YamlEntry[]): YamlContent {
  return entries.length === 0 ? "none" : { entries };
}
