// The tree of a YAML file, in which every key and value keeps its place and source text.

import { YAMLException } from "js-yaml";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { SourceText, type Place } from "../domain/place.ts";
import type { Mention } from "../domain/project.ts";
import { isWallTime } from "../domain/zone.ts";
import { isNull, readEvents, resolve, type ReadYaml } from "./yaml-events.ts";

export { isNull };

/** A file with syntax errors or beyond the limits for nesting and aliases has no documents. `ref`: its commit, if not on disk. */
export async function readYaml(text: string, file: string, ref: string | null = null): Promise<ReadYaml> {
  const plain = text.replace(/^\uFEFF/, "");
  const source = new SourceText(plain, file, ref);
  const read = readEvents(plain, source);
  // The library `yaml`, which explains mistakes, takes long to load.
  return read instanceof YAMLException ? (await import("./yaml-errors.ts")).explain(plain, source, read) : read;
}

/** Texts that need no quotes in braces. */
const PLAIN = /^[\p{L}\d./_(](?:[^\p{C}\p{Z},[\]{}:#]|(?<=\S)[:#](?=\S)| (?=[^\p{Z}:#]))*$/u;

/** `{ env: LINKFORM_SECRET_SPRING }` */
export function formatInline(value: unknown): string {
  if (typeof value === "string") return PLAIN.test(value) && resolve(value) === value ? value : JSON.stringify(value);
  if (typeof value !== "object" || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map(formatInline).join(", ")}]`;
  const parts = Object.entries(value).map(([key, item]) => `${formatInline(key)}: ${formatInline(item)}`);
  return parts.length === 0 ? "{}" : `{ ${parts.join(", ")} }`;
}

export interface ScalarNode {
  readonly type: "scalar";
  /** The source text, so `0123` and `on` are kept as written. */
  readonly text: string;
  /** The value in YAML 1.2. */
  readonly value: string | number | boolean | null;
  readonly place: Place;
  /** It could not be read, which has been reported. */
  readonly broken: boolean;
}

export interface TreeEntry {
  readonly key: string;
  readonly keyPlace: Place;
  readonly value: TreeNode;
}

export interface MapNode {
  readonly type: "map";
  readonly entries: readonly TreeEntry[];
  /** A file may have ten thousand links. */
  readonly byKey: ReadonlyMap<string, TreeEntry>;
  readonly place: Place;
  /** An entry could not be read, which has been reported. It may be a key that seems to be missing. */
  readonly partial: boolean;
}

export interface ListNode {
  readonly type: "list";
  readonly items: readonly TreeNode[];
  readonly place: Place;
}

export type TreeNode = ScalarNode | MapNode | ListNode;

export function entry(node: TreeNode | undefined, key: string): TreeEntry | undefined {
  return node?.type === "map" ? node.byKey.get(key) : undefined;
}

export function mapNode(entries: readonly TreeEntry[], place: Place, partial = false): MapNode {
  return { type: "map", entries, byKey: new Map(entries.map((one) => [one.key, one])), place, partial };
}

export function entriesOf(node: TreeNode | undefined): readonly TreeEntry[] {
  return node?.type === "map" ? node.entries : [];
}

export function numberOf(node: TreeNode | undefined): number | null {
  return node?.type === "scalar" && typeof node.value === "number" ? node.value : null;
}

/** The trimmed text of a scalar that has one; null for other nodes. */
export function textOf(node: TreeNode | undefined): string | null {
  return node?.type === "scalar" && !isNull(node) ? node.text.trim() || null : null;
}

export function mentionOf(node: TreeNode | undefined): Mention | null {
  const text = textOf(node);
  return node === undefined || text === null ? null : { text, place: node.place };
}

/** The texts of a list, or a text alone, as written, so `2` stays "2". The schema has reported other values. */
export function textsIn(node: TreeNode | undefined): Mention[] {
  if (node === undefined) return [];
  return (node.type === "list" ? node.items : [node]).flatMap((item) => mentionOf(item) ?? []);
}

/** Null for a text that is no date (`2027-03-31`), which the schema has reported, and for one that does not exist, which this reports. */
export function dateIn(node: TreeNode | undefined, diagnostics: Diagnostic[]): Mention | null {
  const found = mentionOf(node);
  if (found === null || !/^\d{4}-\d{2}-\d{2}$/.test(found.text)) return null;
  if (isWallTime(found.text, "00:00")) return found;
  const message = `\`${found.text}\` does not exist in the calendar.`;
  diagnostics.push(error("no-such-date", message, found.place, "Fix the date."));
  return null;
}

/** Whether a value could not be read completely. */
export function isDamaged(node: TreeNode): boolean {
  return (node.type === "scalar" && node.broken) || (node.type === "map" && node.partial);
}
