// Compares a block with a live object, and returns the parts of the block that must change.

import type { FieldSpec } from "../domain/field.ts";
import { blockFields, groupFields, GROUPS, REFERENCE_FIELD, textProblem, type ResourceKind } from "../domain/table.ts";
import { UTM_KEYS, type UtmValues } from "../domain/utm.ts";
import { sameValue, type EffectiveDefaults, type Value, type Values } from "../domain/value.ts";
import { fileGroup, fileMoment, fileValue, type FileContext } from "./file-values.ts";
import { utmContent, utmForm, utmPath } from "./utm.ts";
import type { YamlContent } from "./yaml-text.ts";

/** A block in its file, or the place of a new one, which has only the values of its defaults. */
export interface ComparedBlock {
  readonly kind: ResourceKind;
  /** What the block and its defaults declare. A declared value is undefined if it has no meaning in this account. */
  readonly values: Values;
  /** Whether the block itself has this path, not `defaults` and not an alias. */
  readonly has: (path: string) => boolean;
  /** The UTM values of the block and its defaults; null to leave UTM parameters in the addresses. */
  readonly utm: UtmValues | null;
  /** The declared value of a field, without the parameters that `utm` appends; undefined if it appends none. */
  readonly writtenAt: (path: string) => Value | undefined;
  readonly unspecified: "reset" | "keep";
  readonly defaults: EffectiveDefaults;
}

/** Parts of a block, by path. A part without content is removed. */
export type BlockParts = ReadonlyMap<string, YamlContent | undefined>;

export interface BlockDiff {
  readonly parts: BlockParts;
  /** Paths whose live values no file can express. They are left out, and `unspecified: keep` leaves them unchanged. */
  readonly kept: readonly string[];
  /** The reason why such a path cannot be left out: it is required, or `defaults` set it. The end of the sentence "it cannot be declared: …". */
  readonly problem: string | null;
}

/** Compares a block with live values, field by field. With `utm`, its addresses are compared without the UTM parameters. */
export function diffBlock(block: ComparedBlock, live: Values, context: FileContext): BlockDiff {
  const { utm, values, writtenAt, unspecified } = block;
  if (utm === null) return diffFields(block, live, context);
  // Addresses that the block leaves to the service do not limit its UTM values.
  const isCompared = (path: string): boolean => values.has(path) || unspecified !== "keep";
  const form = utmForm({ get: (path) => (isCompared(path) ? live.get(path) : undefined) }, utm, writtenAt);
  const withAddresses = (all: Values, addressAt: (path: string) => Value | undefined): Values => ({
    get: (path) => addressAt(path) ?? all.get(path),
    has: (path) => all.has(path),
  });
  const plain = { ...block, values: withAddresses(values, writtenAt) };
  const diff = diffFields(
    plain,
    withAddresses(live, (path) => form.addresses.get(path)),
    context,
  );
  return { ...diff, parts: new Map([...diff.parts, ...utmParts(form.utm, utm, block)]) };
}

function diffFields(block: ComparedBlock, live: Values, context: FileContext): BlockDiff {
  const parts = new Map<string, YamlContent | undefined>();
  const kept = new Map<string, string | null>();
  for (const field of blockFields(block.kind).filter((one) => differs(one, block, live))) {
    const [whole = ""] = field.path.split(".");
    const isGroup = GROUPS[whole]?.replacesAsWhole === true;
    const path = isGroup ? whole : field.path;
    const content = isGroup ? fileGroup(whole, live, context) : fileValue(field, live.get(field.path) ?? null, context);
    parts.set(path, content);
    if (content === undefined) kept.set(path, keptProblem(path, field, block, live));
    if (field.kind !== "instant" || isGroup) continue;
    const { timePath, timeDefault } = field;
    const time = fileMoment(field, live.get(field.path) ?? null, context)?.time;
    const implied = block.defaults.has(timePath) ? block.defaults.get(timePath) : timeDefault;
    // The default time is left out if the block has none.
    if ((time !== undefined && time !== implied) || block.has(timePath)) parts.set(timePath, time);
  }
  if (kept.size > 0 && block.unspecified !== "keep") parts.set("unspecified", "keep");
  return {
    parts,
    kept: [...kept.keys()],
    problem: [...kept.values()].find((problem) => problem !== null) ?? null,
  };
}

/** Why a path whose live value no file can express cannot be left out; null if it can. */
function keptProblem(path: string, field: FieldSpec, { has, values }: ComparedBlock, live: Values): string | null {
  if (field.required) {
    const value = live.get(path);
    const problem = field.kind === "text" && typeof value === "string" ? textProblem(field, value) : null;
    return problem === null ? `files cannot express its ${path}` : `its ${path} ${endOf(problem)}`;
  }
  const isDeclared = [path, ...groupFields(path).map((one) => one.path)].some((one) => values.has(one));
  return isDeclared && !has(path) ? `files cannot express its ${path}, and \`defaults\` set another value` : null;
}

/** Turns "This must be …" into "must be …". */
export function endOf(problem: string): string {
  return problem.replace(/^This /, "").replace(/\.$/, "");
}

function utmParts(utm: UtmValues, before: UtmValues, { has, defaults }: ComparedBlock): BlockParts {
  const changed = UTM_KEYS.filter((key) => utm.get(key) !== before.get(key));
  if (changed.length > 0 && (utm.size === 0 || !has("utm"))) return new Map([["utm", utmContent(utm, defaults)]]);
  return new Map(
    changed.map((key) => {
      const [path, value] = [utmPath(key), utm.get(key)];
      const isImplied = defaults.get(path) === value;
      return [path, value === undefined && defaults.has(path) ? null : isImplied ? undefined : value];
    }),
  );
}

function differs(field: FieldSpec, { values, unspecified }: ComparedBlock, live: Values): boolean {
  const liveValue = live.get(field.path);
  // Links on different domains are different links.
  if (liveValue === undefined || field.path === REFERENCE_FIELD.domain) return false;
  if (values.has(field.path)) {
    const declared = values.get(field.path);
    return declared === undefined || !sameValue(declared, liveValue);
  }
  return unspecified !== "keep" && !sameValue(field.default, liveValue);
}
