// The tree of a YAML file, in which every key and value keeps its place and source text.

import { YAMLException } from "js-yaml";
import { stringify } from "yaml";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { SourceText, type Place } from "../domain/place.ts";
import type { Mention } from "../domain/project.ts";
import { isWallTime } from "../domain/zone.ts";
import { explainSyntax, refusal } from "./yaml-errors.ts";
import { isNull, readEvents, type ReadYaml } from "./yaml-events.ts";

export { isNull };

/**
 * Parses a file, which may have several documents. Omits documents that are empty. A file with syntax errors or beyond the limits for
 * nesting and aliases has no documents. `ref` is the commit of a file that is not on disk.
 */
export function parseYaml(text: string, file: string, ref: string | null = null): ReadYaml {
  const source = new SourceText(text, file, ref);
  const read = tryRead(text, source);
  if (!(read instanceof YAMLException)) return read;
  const { mistakes, joined } = explainSyntax(text, source, read);
  if (mistakes.length > 0) return { documents: [], diagnostics: mistakes };
  const again = tryRead(joined, source);
  return again instanceof YAMLException ? { documents: [], diagnostics: [refusal(source, again)] } : again;
}

function tryRead(text: string, source: SourceText): ReadYaml | YAMLException {
  try {
    return readEvents(text, source);
  } catch (cause) {
    if (cause instanceof YAMLException) return cause;
    throw cause;
  }
}

/** A value on one line of YAML: `{ env: LINKFORM_SECRET_SPRING }`. */
export function formatInline(value: unknown): string {
  return stringify(value, { collectionStyle: "flow", lineWidth: 0 }).trim();
}

/** A single value. `text` is the source text, so `0123` and `on` are kept as written. */
export interface ScalarNode {
  readonly type: "scalar";
  readonly text: string;
  /** The value in YAML 1.2. */
  readonly value: string | number | boolean | null;
  readonly place: Place;
  /** It could not be read, which has been reported. No other error is reported for it. */
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
  /** The same entries by key: a file may have ten thousand links. */
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

/** The trimmed text of a scalar that has one; null for other nodes. */
export function textOf(node: TreeNode | undefined): string | null {
  return node?.type === "scalar" && !isNull(node) ? node.text.trim() || null : null;
}

/** The same with its place. */
export function mentionOf(node: TreeNode | undefined): Mention | null {
  const text = textOf(node);
  return node === undefined || text === null ? null : { text, place: node.place };
}

/** The texts of a list, or a text alone, as written, so `2` stays "2". The schema has reported other values. */
export function textsIn(node: TreeNode | undefined): Mention[] {
  if (node === undefined) return [];
  return (node.type === "list" ? node.items : [node]).flatMap((item) => mentionOf(item) ?? []);
}

/** A date (`2027-03-31`). Null for other texts, which the schema has reported, and for a date that does not exist, which this reports. */
export function dateIn(node: TreeNode | undefined, diagnostics: Diagnostic[]): Mention | null {
  const found = mentionOf(node);
  if (found === null || !/^\d{4}-\d{2}-\d{2}$/.test(found.text)) return null;
  if (isWallTime(found.text, "00:00")) return found;
  const message = `\`${found.text}\` does not exist in the calendar.`;
  diagnostics.push(error("no-such-date", message, found.place, "Fix the date."));
  return null;
}

/** Whether a value could not be read completely, which has been reported. */
export function isDamaged(node: TreeNode): boolean {
  return (node.type === "scalar" && node.broken) || (node.type === "map" && node.partial);
}
