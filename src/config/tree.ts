// A YAML document as a tree in which every key and value keeps its place and its source text.

import type { Place } from "../domain/place.ts";

/** A single value. `text` is what stands in the source, so `0123` and `on` are what they look like. */
export interface ScalarNode {
  readonly type: "scalar";
  readonly text: string;
  /** What YAML 1.2 takes it for. */
  readonly value: string | number | boolean | null;
  readonly place: Place;
  /** It could not be read, and that has been reported: nothing more is to be said of it. */
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
  /** The same entries: one file may hold ten thousand links. */
  readonly byKey: ReadonlyMap<string, TreeEntry>;
  readonly place: Place;
  /** Some entry could not be read, and that has been reported: what seems to be missing may stand there. */
  readonly partial: boolean;
}

export interface ListNode {
  readonly type: "list";
  readonly items: readonly TreeNode[];
  readonly place: Place;
}

export type TreeNode = ScalarNode | MapNode | ListNode;

/** The value under a key, or undefined. */
export function entry(node: TreeNode | undefined, key: string): TreeEntry | undefined {
  return node?.type === "map" ? node.byKey.get(key) : undefined;
}

/** Whether a value is YAML's null: `null`, `~`, or nothing at all. */
export function isNull(node: TreeNode): boolean {
  return node.type === "scalar" && node.value === null;
}

/** Whether a value could not be read, in whole or in part, for a reason that has been reported. */
export function isDamaged(node: TreeNode): boolean {
  return (node.type === "scalar" && node.broken) || (node.type === "map" && node.partial);
}
