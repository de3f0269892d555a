// From the blocks of a file to declared values: which layer says it, and what its words mean, by kind of field.

import type { FieldSpec, InstantSpec } from "../domain/field.ts";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { compareText } from "../domain/place.ts";
import type { Place } from "../domain/place.ts";
import type { Declared, SecretSource } from "../domain/project.ts";
import { blockFields, groupFields, GROUPS, textProblem, type ResourceKind } from "../domain/table.ts";
import type { Pair, Value } from "../domain/value.ts";
import { wordOf } from "../domain/wire.ts";
import { isWallTime } from "../domain/zone.ts";
import type { Remark } from "./lint/advice.ts";
import { takesNull } from "./field-schema.ts";
import { entry, isDamaged, isNull, type MapNode, type TreeNode, type ScalarNode } from "./tree.ts";

/** A remark, and where it stands. */
export interface PlacedRemark {
  readonly place: Place;
  readonly remark: Remark;
}

/** What a block and its defaults say. `broken` holds fields that are given but not in a form that has a meaning. */
export interface DeclaredFields {
  readonly fields: Map<string, Declared>;
  readonly secrets: Map<string, SecretSource>;
  readonly broken: Set<string>;
  readonly diagnostics: Diagnostic[];
  readonly remarks: PlacedRemark[];
}

/**
 * A value found for a path, and in which layer. `whole` is set where a group's own word (`none`, `null`) answers for all
 * of its fields.
 */
interface FoundValue {
  readonly node: TreeNode;
  readonly whole: boolean;
  readonly layer: number;
}

/**
 * Reads the fields of one block. `layers` are the maps that may speak of them, the nearest first; maps merge by key.
 */
export function readFields(kind: ResourceKind, layers: readonly TreeNode[]): DeclaredFields {
  const result: DeclaredFields = {
    fields: new Map(),
    secrets: new Map(),
    broken: new Set(),
    diagnostics: [],
    remarks: [],
  };
  for (const row of blockFields(kind)) {
    const found = find(layers, row.path);
    if (row.kind === "instant") readInstant(row, found, find(layers, row.timePath), result);
    else if (found !== null) readField(row, found, result);
  }
  for (const [name, { active }] of Object.entries(GROUPS)) {
    if (kind === "link" && active !== null) settleActive(name, active, layers, result);
  }
  return result;
}

/** What the nearest of these layers that speaks of it says of a path. */
function find(layers: readonly TreeNode[], path: string): FoundValue | null {
  const [head, tail] = splitPath(path);
  for (const [layer, map] of layers.entries()) {
    const value = entry(map, head)?.value;
    if (value === undefined) continue;
    if (tail === null) return { node: value, whole: false, layer };
    if (value.type === "scalar") return { node: value, whole: true, layer };
    const member = entry(value, tail)?.value;
    if (member !== undefined) return { node: member, whole: false, layer };
    if (GROUPS[head]?.replacesAsWhole === true) return null;
  }
  return null;
}

function splitPath(path: string): [head: string, tail: string | null] {
  const dot = path.indexOf(".");
  return dot < 0 ? [path, null] : [path.slice(0, dot), path.slice(dot + 1)];
}

function readField(row: Exclude<FieldSpec, InstantSpec>, { node, whole }: FoundValue, result: DeclaredFields): void {
  const value = whole || isNull(node) ? clearedBy(row, node) : decode(row, node, result);
  if (value === undefined) result.broken.add(row.path);
  else result.fields.set(row.path, { value, place: node.place, ...itemsOf(row, node), ...partsOf(row, node) });
}

/** Where each item of a list stands first. */
function itemsOf(row: FieldSpec, node: TreeNode): Pick<Declared, "items"> {
  if (row.kind !== "references" || node.type !== "list") return {};
  const items = node.items.toReversed().flatMap((item) => (item.type === "scalar" ? [item] : []));
  return { items: new Map(items.map(({ text, place }) => [text.trim(), place])) };
}

/** Where the destinations of a map or list stand; `decode` puts them in this order. */
function partsOf(row: FieldSpec, node: TreeNode): Pick<Declared, "parts"> {
  if (row.kind === "map" && node.type === "map") return { parts: sortedEntries(node).map(({ value }) => value.place) };
  return row.kind === "list" && node.type === "list" ? { parts: written(node.items).map(({ place }) => place) } : {};
}

/** `null` is the default where that opens nothing; `none` for a whole group is the default of each of its fields. */
function clearedBy(row: FieldSpec, node: TreeNode): Value | undefined {
  if (row.required) return undefined;
  if (isNull(node)) return takesNull(row) ? row.default : undefined;
  return node.type === "scalar" && node.text === "none" ? row.default : undefined;
}

/** The canonical value of a node, or undefined where it has none; schema.ts has then said why. */
function decode(row: Exclude<FieldSpec, InstantSpec>, node: TreeNode, result: DeclaredFields): Value | undefined {
  switch (row.kind) {
    case "text": {
      if (node.type !== "scalar") return undefined;
      const text = node.text.trim();
      const problem = textProblem(row, text);
      if (problem === null) return text;
      // A number or a word of YAML passes the schema, which sees what YAML makes of it.
      if (typeof node.value === "number" || typeof node.value === "boolean")
        result.diagnostics.push(error("wrong-type", problem.replace(/^This/, `\`${row.path}\``), node.place));
      return undefined;
    }
    case "secret": {
      if (node.type === "scalar") return node.text === "none" ? false : undefined;
      const source = secretSource(node);
      if (source === null) return undefined;
      result.secrets.set(row.path, source);
      return true;
    }
    case "flag":
      return node.type === "scalar" && typeof node.value === "boolean" ? node.value : undefined;
    case "count":
      if (node.type !== "scalar") return undefined;
      if (node.text === "none" || node.value === 0) return null;
      return typeof node.value === "number" ? node.value : undefined;
    case "word":
      return node.type === "scalar" ? wordOf(row, node.text) : undefined;
    case "reference":
      return node.type === "scalar" ? node.text.trim() : undefined;
    case "references":
      return node.type === "list" ? [...new Set(texts(node.items))].toSorted(compareText) : undefined;
    case "map":
      return node.type === "map" ? pairs(node) : undefined;
    case "list":
      return node.type === "list" ? texts(node.items) : undefined;
    default:
      return row satisfies never;
  }
}

function texts(items: readonly TreeNode[]): string[] {
  return written(items).map(({ text }) => text.trim());
}

function written(items: readonly TreeNode[]): ScalarNode[] {
  return items.flatMap((item) => (item.type === "scalar" && !isNull(item) && item.text.trim() !== "" ? [item] : []));
}

function pairs(node: MapNode): Pair[] {
  return sortedEntries(node).map(({ key, value }): Pair => [key, value.text.trim()]);
}

function sortedEntries({ entries }: MapNode): { readonly key: string; readonly value: ScalarNode }[] {
  const read = entries.flatMap(({ key, value }) => (value.type === "scalar" ? [{ key, value }] : []));
  return read.toSorted((a, b) => compareText(a.key, b.key));
}

function secretSource(node: TreeNode): SecretSource | null {
  for (const from of ["env", "file"] as const) {
    const name = entry(node, from)?.value;
    if (name?.type === "scalar" && name.text !== "") return { from, name: name.text, place: node.place };
  }
  return null;
}

/** Date and time merge by key like any other; together they are one wall time, or none. */
function readInstant(row: InstantSpec, date: FoundValue | null, time: FoundValue | null, result: DeclaredFields): void {
  const isNone = date?.node.type === "scalar" && date.node.text === "none";
  // In `defaults` a time alone is the time of the dates that links give; in a link's own block it has no meaning.
  if ((date === null || isNone) && time?.layer === 0 && !time.whole && !isNull(time.node)) {
    const message = `\`${row.timePath}\` stands without \`${row.path}\`.`;
    const remark = { rule: "time-without-date", message, hint: "Add the date, or remove the time." } as const;
    result.remarks.push({ place: time.node.place, remark });
  }
  if (date === null) return;
  const { node } = date;
  const text = node.type === "scalar" ? node.text : "";
  if (isNone) {
    result.fields.set(row.path, { value: row.default, place: node.place });
    return;
  }
  const clock = timeIn(time)?.text ?? row.timeDefault;
  if (isWallTime(text, clock)) {
    result.fields.set(row.path, { value: `${text}T${clock}`, place: node.place });
    return;
  }
  result.broken.add(row.path);
  if (/^\d{4}-\d{2}-\d{2}$/.test(text) && !isWallTime(text, row.timeDefault)) {
    const message = `There is no ${text} in the calendar.`;
    result.diagnostics.push(error("no-such-date", message, node.place, "Correct the date."));
  }
}

function timeIn(time: FoundValue | null): ScalarNode | null {
  return time?.node.type === "scalar" && !time.whole && !isNull(time.node) ? time.node : null;
}

/** The time of day that dates alone mean below these defaults, where they say it. */
export function givenTime(row: InstantSpec, layers: readonly TreeNode[]): Declared | null {
  const said = timeIn(find(layers, row.timePath));
  return said && { value: said.text, place: said.place };
}

/** A single group is active. With more than one, `active` names the active group. */
function settleActive(
  name: string,
  activePath: string,
  layers: readonly TreeNode[],
  { fields, broken, diagnostics }: DeclaredFields,
): void {
  const group = layers.map((layer) => entry(layer, name)).find((found) => found !== undefined);
  if (group === undefined || group.value.type !== "map" || isDamaged(group.value)) return;
  const place = group.keyPlace;
  const members = groupFields(name).filter(({ path }) => path !== activePath);
  for (const { path, default: value } of members) {
    if (!fields.has(path) && !broken.has(path)) fields.set(path, { value, place });
  }
  if ([activePath, ...members.map(({ path }) => path)].some((path) => broken.has(path))) return;
  const filled = members.filter(({ path }) => isFilled(fields.get(path)?.value));
  const names = filled.map(({ path }) => path.slice(name.length + 1));
  const said = fields.get(activePath);
  const key = activePath.slice(name.length + 1);
  const none = groupFields(name).find(({ path }) => path === activePath)?.default ?? null;
  if (said === undefined && names.length > 1) {
    const message = `These groups are given: ${names.join(", ")}. Only one can be active.`;
    const hint = `Add \`${key}: ${names[0]}\`, or remove the others.`;
    diagnostics.push(error(`${name}-active`, message, place, hint));
  } else if (said === undefined) {
    fields.set(activePath, { value: names[0] ?? none, place });
  } else if (typeof said.value === "string" && said.value !== none && !names.includes(said.value)) {
    const message = `\`${key}: ${said.value}\` names a group that is empty.`;
    const hint = `Add \`${said.value}:\` with its destinations, or write \`${key}: ${String(none)}\`.`;
    diagnostics.push(error(`${name}-active`, message, said.place, hint));
  }
}

function isFilled(value: Value | undefined): boolean {
  return Array.isArray(value) && value.length > 0;
}
