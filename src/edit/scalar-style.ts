// How `fmt` writes a single value: without quotes if that means the same, else in double quotes.

import { isAlias, isScalar, Scalar, stringify, type CST, type Node as YamlNode } from "yaml";
import { hasUnseen, isCommandLike } from "../domain/control-characters.ts";

/** The spaces of one level. */
export const STEP = 2;

/** A value without its properties: the text on the line of its key, and lines below it without indentation. */
export interface ScalarLines {
  readonly first: string;
  readonly more: readonly string[];
}

/** The lines of a value in a block collection. */
export function scalarLines(node: YamlNode, text: string): ScalarLines {
  if (isScalar(node) && node.srcToken?.type === "block-scalar") return blockScalarLines(node.srcToken);
  const [first = "", ...more] = sourceText(node, text)
    .split("\n")
    .map((line) => line.trim());
  if (more.length > 0) return { first, more };
  return { first: singleLine(node, text, false) ?? first, more };
}

/** A value on one line; null if it needs several. `isFlow`: inside of braces or brackets. */
export function singleLine(node: YamlNode, text: string, isFlow: boolean): string | null {
  if (isAlias(node)) return `*${node.source}`;
  const source = sourceText(node, text);
  if (source.includes("\n")) return null;
  if (!isScalar(node) || typeof node.value !== "string") return source;
  if (node.type === Scalar.QUOTE_DOUBLE || node.type === Scalar.QUOTE_SINGLE)
    return requoted(source, node.value, isFlow, (value) => ({ k: value }));
  return source;
}

/** A key on one line. */
export function keyLine(key: Scalar, text: string, isFlow: boolean): string {
  const source = sourceText(key, text);
  if (typeof key.value !== "string") return source === "" ? '""' : source;
  if (key.type === Scalar.PLAIN) return key.source ?? source;
  const onOneLine = source.includes("\n") ? JSON.stringify(key.value) : source;
  return requoted(onOneLine, key.value, isFlow, (value) => new Map([[value, 1]]));
}

function sourceText(node: YamlNode, text: string): string {
  const [start = 0, end = start] = node.range ?? [];
  return text.slice(start, end);
}

/** A quoted text. A text with escapes, or with double quotes inside of single ones, stays as it is. */
function requoted(source: string, value: string, isFlow: boolean, inMap: (value: string) => unknown): string {
  if (/["\\]/.test(source.slice(1, -1))) return source;
  // Globs and placeholders mean the same without quotes, but look like YAML syntax.
  if (/[*{}]/.test(value)) return `"${value}"`;
  return isPlain(value, isFlow, inMap) ? value : `"${value}"`;
}

/** Long words, words with hyphens and common addresses: their check against the rules of YAML would be slow in large files. */
const PLAIN =
  /^(?:[A-Za-z][A-Za-z0-9]{5,}|[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)+|https?:\/\/[\w.-]+(?:\/[\w.~/?&=%+-]*)?)$/;

/** Whether a text means the same without quotes, also in YAML 1.1, where `on` and `12:30` are not texts. */
function isPlain(value: string, isFlow: boolean, inMap: (value: string) => unknown): boolean {
  if (PLAIN.test(value)) return true;
  if (value === "<<" || value.trim() !== value || hasUnseen(value) || isCommandLike(value)) return false;
  const options = { version: "1.2", schema: "core", compat: "yaml-1.1", lineWidth: 0 } as const;
  const written = stringify(inMap(value), { ...options, collectionStyle: isFlow ? "flow" : "block" }).trimEnd();
  const [before, after] = isFlow ? ["{ ", " }"] : ["", ""];
  return written === `${before}k: ${value}${after}` || written === `${before}${value}: 1${after}`;
}

/** The lines of a `|` or `>` text without their indentation. */
function blockScalarLines(token: CST.BlockScalar): ScalarLines {
  const header = token.props.find((one) => one.type === "block-scalar-header");
  const source = header !== undefined && "source" in header ? header.source : "|";
  const lines = token.source.replace(/\n$/, "").split("\n");
  const given = /[1-9]/.exec(source)?.[0];
  const first = lines.find((line) => line.trim() !== "");
  // Without text, only `|+` and `>+` keep the lines.
  const isEmpty = token.source === "" || (first === undefined && !source.includes("+"));
  const indent = given === undefined ? indentOf(first) : Math.max(token.indent, 0) + Number(given);
  return {
    first: given === undefined ? source : source.replace(given, String(STEP)),
    more: isEmpty ? [] : lines.map((line) => line.slice(indent)),
  };
}

/** The indentation of the first line with content. Without such a line, all spaces are indentation. */
function indentOf(first: string | undefined): number {
  return first === undefined ? Infinity : first.length - first.trimStart().length;
}
