// Reads the declared values of a block: finds the layer that sets a field, and decodes its value by kind.

import type { FieldSpec, InstantSpec } from "../domain/field.ts";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { compareText } from "../domain/place.ts";
import type { Declared, Mention, SecretSource } from "../domain/project.ts";
import { blockFields, eachKind, GROUPS, TARGETS, textProblem, type ResourceKind } from "../domain/table.ts";
import type { Pair, Value } from "../domain/value.ts";
import { wordOf } from "../domain/wire.ts";
import { isWallTime } from "../domain/zone.ts";
import { advice, type LintContext } from "./lint/context.ts";
import { dateIn, textsIn, entry, isDamaged, isNull, type TreeNode, type ScalarNode } from "./yaml.ts";

/** The fields of a block and its defaults. `broken` has the fields whose values are not valid. */
interface DeclaredFields extends FindingTarget {
  readonly fields: Map<string, Declared>;
  readonly secrets: Map<string, SecretSource>;
  readonly broken: Set<string>;
}

/** Gets errors, and findings of lint rules if any run. */
export interface FindingTarget {
  readonly diagnostics: Diagnostic[];
  readonly lint: LintContext | null;
}

interface FoundValue {
  readonly node: TreeNode;
  /** It is the value of the path's group, `none` or `null`. */
  readonly setsGroup: boolean;
  readonly layer: number;
}

/** Reads the fields of one block. `layers` are the block and its defaults, nearest first. Maps merge by key. */
export function readFields(
  kind: ResourceKind,
  layers: readonly TreeNode[],
  { diagnostics, lint }: FindingTarget = { diagnostics: [], lint: null },
): DeclaredFields {
  const result: DeclaredFields = { fields: new Map(), secrets: new Map(), broken: new Set(), diagnostics, lint };
  for (const { spec, steps } of BLOCK_FIELDS[kind]) {
    const found = findValue(layers, steps);
    if (spec.kind === "instant") readInstant(spec, found, findValue(layers, splitPath(spec.timePath)), result);
    else if (found !== null) readField(spec, found, result);
  }
  if (kind === "link") resolveTargeting(layers, result);
  return result;
}

/** The value of a path in the nearest layer that sets it. */
export function findValue(layers: readonly TreeNode[], [head, tail]: Steps): FoundValue | null {
  for (let layer = 0; layer < layers.length; layer += 1) {
    const value = entry(layers[layer], head)?.value;
    if (!value) continue;
    if (tail === null) return { node: value, setsGroup: false, layer };
    if (value.type === "scalar") return { node: value, setsGroup: true, layer };
    const member = entry(value, tail)?.value;
    if (member) return { node: member, setsGroup: false, layer };
    if (GROUPS[head]?.replacesAsWhole) return null;
  }
  return null;
}

type Steps = readonly [head: string, tail: string | null];

function splitPath(path: string): Steps {
  const [head = path, tail = null] = path.split(".");
  return [head, tail];
}

interface BlockField {
  readonly spec: FieldSpec;
  readonly steps: Steps;
}

export const BLOCK_FIELDS: Readonly<Record<ResourceKind, readonly BlockField[]>> = eachKind((kind) =>
  blockFields(kind).map((spec) => ({ spec, steps: splitPath(spec.path) })),
);

/** Whether `null` is allowed: the default opens nothing. */
export function takesNull(spec: FieldSpec): boolean {
  return !spec.required && spec.opens === null;
}

function readField(
  spec: Exclude<FieldSpec, InstantSpec>,
  { node, setsGroup }: FoundValue,
  { fields, secrets, broken }: DeclaredFields,
): void {
  const { place } = node;
  const items = setsGroup ? null : itemsIn(spec, node);
  if (items !== null) {
    const value = spec.kind === "map" ? items.map(({ key, text }): Pair => [key, text]) : items.map(({ text }) => text);
    fields.set(spec.path, { value, place, parts: items.map((one) => one.place) });
    return;
  }
  const value = setsGroup || isNull(node) ? cleared(spec, node) : decode(spec, node, secrets);
  if (value === undefined) broken.add(spec.path);
  else fields.set(spec.path, { value, place });
}

/** The names or destinations in a list or map, in the order of its value; null for another value. */
function itemsIn({ kind }: FieldSpec, node: TreeNode): readonly (Mention & { readonly key: string })[] | null {
  if (kind === "map" && node.type === "map")
    return node.entries
      .flatMap(({ key, value }) =>
        value.type === "scalar" ? [{ key, text: value.text.trim(), place: value.place }] : [],
      )
      .toSorted((a, b) => compareText(a.key, b.key));
  if (node.type !== "list" || (kind !== "list" && kind !== "references")) return null;
  const items = textsIn(node).map(({ text, place }) => ({ key: text, text, place }));
  if (kind === "list") return items;
  const first = new Map(items.toReversed().map((one) => [one.text, one]));
  return [...first.values()].toSorted((a, b) => compareText(a.text, b.text));
}

/** `null` sets the default, unless the default opens a link. `none` for a group sets the defaults of its fields. */
function cleared(spec: FieldSpec, node: TreeNode): Value | undefined {
  if (spec.required) return undefined;
  if (isNull(node)) return takesNull(spec) ? spec.default : undefined;
  return node.type === "scalar" && node.text === "none" ? spec.default : undefined;
}

/** The canonical value of a single value; undefined if it is not valid, which the schema has reported. */
function decode(
  spec: Exclude<FieldSpec, InstantSpec>,
  node: TreeNode,
  secrets: DeclaredFields["secrets"],
): Value | undefined {
  if (node.type !== "scalar") {
    const source = spec.kind === "secret" ? secretSource(node) : null;
    if (source !== null) secrets.set(spec.path, source);
    return source === null ? undefined : true;
  }
  const { value, text: written } = node;
  const text = written.trim();
  switch (spec.kind) {
    case "text":
      return textProblem(spec, text) === null ? text : undefined;
    case "secret":
      return written === "none" ? false : undefined;
    case "flag":
      return typeof value === "boolean" ? value : undefined;
    case "count":
      if (written === "none" || value === 0) return null;
      return typeof value === "number" ? value : undefined;
    case "word":
      return wordOf(spec, written);
    case "reference":
      return text;
    case "references":
    case "map":
    case "list":
      return undefined;
    default:
      return spec satisfies never;
  }
}

function secretSource(node: TreeNode): SecretSource | null {
  for (const from of ["env", "file"] as const) {
    const name = entry(node, from)?.value;
    if (name?.type === "scalar" && name.text !== "") return { from, name: name.text, place: node.place };
  }
  return null;
}

/** Date and time merge by key like other fields. Together they are one wall time or none. */
function readInstant(
  spec: InstantSpec,
  date: FoundValue | null,
  time: FoundValue | null,
  { fields, broken, diagnostics, lint }: DeclaredFields,
): void {
  const { path, timePath, timeDefault } = spec;
  const text = date?.node.type === "scalar" ? date.node.text : "";
  const isNone = text === "none";
  const written = timeIn(time);
  // In `defaults`, a time alone applies to the dates of links. In a link itself it has no effect.
  if (written && time?.layer === 0 && (date === null || isNone)) {
    const message = `\`${timePath}\` has no effect without \`${path}\`.`;
    lint?.report(advice("time-without-date", message, written.place, "Add the date, or remove the time."));
  }
  if (date === null) return;
  const { place } = date.node;
  const clock = written?.text ?? timeDefault;
  if (isNone) fields.set(path, { value: spec.default, place });
  else if (isWallTime(text, clock)) fields.set(path, { value: `${text}T${clock}`, place });
  else {
    broken.add(path);
    dateIn(date.node, diagnostics);
  }
}

function timeIn(time: FoundValue | null): ScalarNode | null {
  return time?.node.type === "scalar" && !time.setsGroup && !isNull(time.node) ? time.node : null;
}

/** The times of day that `defaults` set for dates, by path. */
export function defaultTimes(layers: readonly TreeNode[]): (readonly [string, Declared])[] {
  return blockFields("link").flatMap((spec) => {
    const time = spec.kind === "instant" ? timeIn(findValue(layers, splitPath(spec.timePath))) : null;
    if (spec.kind !== "instant" || time === null) return [];
    return [[spec.timePath, { value: time.text, place: time.place }] as const];
  });
}

/** Only one target group is active. If several are set, `active` must name it. */
function resolveTargeting(layers: readonly TreeNode[], { fields, broken, diagnostics }: DeclaredFields): void {
  const [group] = layers.flatMap((layer) => entry(layer, "targeting") ?? []);
  if (group?.value.type !== "map" || isDamaged(group.value)) return;
  const place = group.keyPlace;
  const { active, byWord } = TARGETS;
  for (const { path, default: value } of byWord.values())
    if (!fields.has(path) && !broken.has(path)) fields.set(path, { value, place });
  if ([active, ...byWord.values()].some(({ path }) => broken.has(path))) return;
  const filled = [...byWord].flatMap(([word, { path }]) => {
    const value = fields.get(path)?.value;
    return Array.isArray(value) && value.length > 0 ? [word] : [];
  });
  const declared = fields.get(active.path);
  if (!declared && filled.length > 1) {
    const message = `Only one of these groups can be active: ${filled.join(", ")}.`;
    const hint = `Add \`active: ${filled[0]}\`, or keep only one group.`;
    diagnostics.push(error("targeting-active", message, place, hint));
  } else if (!declared) fields.set(active.path, { value: filled[0] ?? active.default, place });
  else if (declared.value !== active.default && !filled.some((word) => word === declared.value)) {
    const word = String(declared.value);
    const message = `\`active: ${word}\` selects a group that has no destinations.`;
    const hint = `Add \`${word}:\` with its destinations, or write \`active: none\`.`;
    diagnostics.push(error("targeting-active", message, declared.place, hint));
  }
}
