// Fresh values as YAML: on one line, or as lines at an indentation.

import { hasUnseen } from "../domain/control-characters.ts";
import { yamlText } from "./yaml-text.ts";
import type { Fresh, FreshEntry, FreshItem, FreshScalar } from "./fresh.ts";

/** How a scalar is quoted that another takes the place of. */
export type Quoting = "double" | "single" | "plain";

/** A scalar as it stands on one line; in braces and brackets more signs need quotes. */
export function scalarText(value: FreshScalar["value"], isFlow: boolean, quoting: Quoting = "plain"): string {
  const line = yamlText({ entries: [{ key: "k", value }], inline: isFlow }).trimEnd();
  const text = isFlow ? line.slice("{ k: ".length, -" }".length) : line.slice("k: ".length);
  return typeof value === "string" ? requoted(value, text, quoting) : text;
}

/** A key as it stands before its colon. */
export function keyText(key: string, isFlow: boolean, quoting: Quoting = "plain"): string {
  const line = yamlText({ entries: [{ key, value: 1 }], inline: isFlow }).trimEnd();
  const text = isFlow ? line.slice("{ ".length, -": 1 }".length) : line.slice(0, -": 1".length);
  return requoted(key, text, quoting);
}

/** The text of a value in other quotes, where it may stand in them as it is. */
function requoted(value: string, text: string, quoting: Quoting): string {
  if (quoting === "plain" || hasUnseen(value) || (text.startsWith('"') && text.includes("\\u"))) return text;
  return quoting === "single"
    ? `'${value.replaceAll("'", "''")}'`
    : `"${value.replaceAll(/["\\]/g, (sign) => `\\${sign}`)}"`;
}

/** Whether a value is written as lines of its own, below its key. */
export function hasLines(fresh: Fresh): boolean {
  if (fresh.type === "map") return fresh.entries.length > 0 && !fresh.inline;
  return fresh.type === "list" && fresh.items.length > 0;
}

/** A value on one line. `isFlow`: it stands in braces or brackets. Comments in it are left out. */
export function inlineText(fresh: Fresh, isFlow: boolean, quoting: Quoting = "plain"): string {
  if (fresh.type === "nothing") return "null";
  if (fresh.type === "scalar") return scalarText(fresh.value, isFlow, quoting);
  const parts =
    fresh.type === "list"
      ? fresh.items.map(({ value }) => inlineText(value, true, quoting))
      : fresh.entries.map((entry) => flowEntry(entry, quoting));
  if (fresh.type === "list") return `[${parts.join(", ")}]`;
  return parts.length === 0 ? "{}" : `{ ${parts.join(", ")} }`;
}

/** An entry between braces. */
export function flowEntry({ key, value }: Pick<FreshEntry, "key" | "value">, quoting: Quoting): string {
  return `${keyText(key, true, quoting)}: ${inlineText(value, true, quoting)}`;
}

/** How lines are indented: a level by as many spaces as the file does. */
export interface Indenting {
  readonly indent: string;
  readonly step: string;
}

/** The lines of an entry, with the comments above it. */
export function entryLines({ key, value, comments }: FreshEntry, at: Indenting): string[] {
  const head = `${at.indent}${keyText(key, false)}:`;
  return [...comments.map((line) => `${at.indent}${line}`), ...valueLines(head, value, at)];
}

/** The lines of an item of a list. */
export function itemLines({ value, comments }: FreshItem, at: Indenting): string[] {
  const above = comments.map((line) => `${at.indent}${line}`);
  if (value.type !== "map" || !hasLines(value)) return [...above, ...valueLines(`${at.indent}-`, value, at)];
  const inner = value.entries.flatMap((entry) => entryLines(entry, { ...at, indent: `${at.indent}  ` }));
  return [...above, ...inner.map((line, index) => (index === 0 ? line.replace(/^( *) {2}/, "$1- ") : line))];
}

function valueLines(head: string, value: Fresh, at: Indenting): string[] {
  if (value.type === "nothing") return [head];
  if (!hasLines(value)) return [`${head} ${inlineText(value, false)}`];
  return [head, ...contentLines(value, { ...at, indent: at.indent + at.step })];
}

/** The lines of a map or list, without a key above them. */
export function contentLines(fresh: Fresh, at: Indenting): string[] {
  if (fresh.type === "map") return fresh.entries.flatMap((entry) => entryLines(entry, at));
  return fresh.type === "list" ? fresh.items.flatMap((item) => itemLines(item, at)) : [];
}
