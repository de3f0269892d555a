// Whether a file says something already, as its reader understands it; and which items of a list stay.

import { isMap, isScalar, isSeq, type Node as YamlNode } from "yaml";
import { sourceOf } from "../config/yaml.ts";
import type { YamlContent } from "./yaml-text.ts";
import { isBlock } from "./fresh.ts";

/** Whether a node says a scalar: texts by their source, so that `0123` is one whether it is quoted or not; all others by value. */
export function saysScalar(node: YamlNode | null, content: string | number | boolean | null): boolean {
  if (content === null) return node === null || (isScalar(node) && node.value === null);
  if (!isScalar(node) || node.value === null) return false;
  if (typeof content !== "string") return node.value === content;
  const text = sourceOf(node);
  return text === content || text.trim() === content;
}

/** The same for maps and lists; `resolved` follows aliases. `isSet`: of a list, the order means nothing. */
export function says(
  written: unknown,
  content: YamlContent,
  resolved: (node: unknown) => YamlNode | null,
  isSet = false,
): boolean {
  const node = resolved(written);
  if (content === null || typeof content !== "object") return saysScalar(node, content);
  if (isBlock(content)) {
    if (!isMap(node) || node.items.length !== content.entries.length) return false;
    return content.entries.every(({ key, value }) => {
      const pair = node.items.find((one) => isScalar(one.key) && sourceOf(one.key) === key);
      return pair !== undefined && says(pair.value, value, resolved);
    });
  }
  if (!isSeq(node) || node.items.length !== content.length) return false;
  const isAt = (item: unknown, text: string): boolean => saysScalar(resolved(item), text);
  return content.every((text, index) =>
    isSet ? node.items.some((item) => isAt(item, text)) : isAt(node.items[index], text),
  );
}

/** A step from the items of a list to those that it is to have. */
export interface ListStep {
  /** The item that is here; null where there is none. */
  readonly from: number | null;
  /** What is to be here; null where nothing is. */
  readonly to: number | null;
}

/** The fewest items to write anew: those that stay are steps with both, of which `isSame` is true. */
export function listSteps(count: number, wanted: number, isSame: (from: number, to: number) => boolean): ListStep[] {
  // longest[from][to]: how many items stay from there on.
  const longest = Array.from({ length: count + 1 }, () => new Uint32Array(wanted + 1));
  const at = (from: number, to: number): number => longest[from]?.[to] ?? 0;
  for (let from = count - 1; from >= 0; from -= 1) {
    for (let to = wanted - 1; to >= 0; to -= 1) {
      const best = isSame(from, to) ? at(from + 1, to + 1) + 1 : Math.max(at(from + 1, to), at(from, to + 1));
      const row = longest[from];
      if (row !== undefined) row[to] = best;
    }
  }
  const steps: ListStep[] = [];
  let [from, to] = [0, 0];
  let lost: number[] = [];
  let found: number[] = [];
  // What differs between two items that stay is written where it stands, as far as both go.
  const pairUp = (): void => {
    for (let index = 0; index < Math.max(lost.length, found.length); index += 1)
      steps.push({ from: lost[index] ?? null, to: found[index] ?? null });
    [lost, found] = [[], []];
  };
  while (from < count || to < wanted) {
    if (from < count && to < wanted && isSame(from, to)) {
      pairUp();
      steps.push({ from: from++, to: to++ });
    } else if (to >= wanted || (from < count && at(from + 1, to) >= at(from, to + 1))) lost.push(from++);
    else found.push(to++);
  }
  pairUp();
  return steps;
}
