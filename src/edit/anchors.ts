// Keeps aliases valid: if an edit removes an anchor, its first remaining alias becomes the anchored value.

import { isAlias, isMap, isScalar, isSeq, type Node as YamlNode } from "yaml";
import { freshCopy, inlineText } from "./fresh.ts";
import type { Splices } from "./splices.ts";
import type { Syntax } from "./syntax.ts";

interface AnchorMark {
  readonly start: number;
  readonly end: number;
  readonly name: string;
  /** The anchored value; null for an alias. */
  readonly anchored: YamlNode | null;
}

/** Writes the value of each removed anchor at its first remaining alias. */
export function keepAnchors(text: string, syntax: Syntax, splices: Splices): void {
  const marks = syntax.roots.map((root) => marksIn(text, root));
  if (!marks.some((all) => all.some(({ anchored }) => anchored === null))) return;
  for (const all of marks) {
    const remaining = new Set(splices.leaves(all));
    const current = new Map<string, AnchorMark & { readonly anchored: YamlNode }>();
    for (const mark of all) {
      const { anchored } = mark;
      if (anchored !== null) current.set(mark.name, { ...mark, anchored });
      const source = current.get(mark.name);
      if (anchored !== null || source === undefined || !remaining.has(mark)) continue;
      current.delete(mark.name);
      if (remaining.has(all.find(({ start }) => start === source.start) ?? mark)) continue;
      const value = inlineText(
        freshCopy(source.anchored, (node) => syntax.resolved(node)),
        true,
      );
      splices.delete(mark.start, mark.end);
      splices.insert(mark.start, `&${mark.name} ${value}`);
    }
  }
}

function marksIn(text: string, root: YamlNode | null): AnchorMark[] {
  const found: AnchorMark[] = [];
  const visit = (node: unknown): void => {
    if (isMap(node)) {
      note(node);
      for (const { key, value } of node.items) {
        visit(key);
        visit(value);
      }
    } else if (isSeq(node)) {
      note(node);
      for (const item of node.items) visit(item);
    } else if (isScalar(node)) note(node);
    else if (isAlias(node)) {
      const [start = 0, end = 0] = node.range ?? [];
      found.push({ start, end, name: node.source, anchored: null });
    }
  };
  const note = (node: YamlNode): void => {
    if (!("anchor" in node) || node.anchor === undefined) return;
    const start = text.lastIndexOf(`&${node.anchor}`, node.range?.[0] ?? 0);
    found.push({ start, end: start, name: node.anchor, anchored: node });
  };
  visit(root);
  return found;
}
