// How `fmt` writes a single value: without quotes if that means the same, else in double quotes.

import { isAlias, isScalar, Scalar, type CST, type Node as YamlNode } from "yaml";
import { isOtherInYaml11 } from "../config/yaml-events.ts";
import { keyText, scalarText } from "./fresh.ts";
import { needsQuotes } from "./yaml-text.ts";

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
    return requoted(source, node.value, (value) => scalarText(value, isFlow));
  return node.type === Scalar.PLAIN && needsQuotes(node.value) ? `"${source}"` : source;
}

/** A key on one line. */
export function keyLine(key: Scalar, text: string, isFlow: boolean): string {
  const source = sourceText(key, text);
  if (typeof key.value !== "string") return `"${source}"`;
  if (key.type === Scalar.PLAIN) {
    const plain = key.source ?? source;
    return isOtherInYaml11(plain) ? `"${plain}"` : plain;
  }
  const onOneLine = source.includes("\n") ? JSON.stringify(key.value) : source;
  return requoted(onOneLine, key.value, (value) => keyText(value, isFlow));
}

function sourceText(node: YamlNode, text: string): string {
  const [start = 0, end = start] = node.range ?? [];
  return text.slice(start, end);
}

/** A quoted text. A text with escapes, or with double quotes inside of single ones, stays as it is. */
function requoted(source: string, value: string, fresh: (value: string) => string): string {
  if (/["\\]/.test(source.slice(1, -1))) return source;
  // Globs and placeholders mean the same without quotes, but look like YAML syntax.
  if (/[*{}]/.test(value)) return `"${value}"`;
  return PLAIN.test(value) || fresh(value) === value ? value : `"${value}"`;
}

/** Long words, words with hyphens and common addresses: writing each of them to compare would be slow in large files. */
const PLAIN =
  /^(?:[A-Za-z][A-Za-z0-9]{5,}|[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)+|https?:\/\/[\w.-]+(?:\/[\w.~/?&=%+-]*)?)$/;

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
