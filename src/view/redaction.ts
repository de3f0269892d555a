// What of a line of YAML must not be shown: somebody may have written a password where none belongs.

import { nearest } from "../domain/nearest.ts";
import type { SourceText } from "../domain/source-text.ts";
import { FIELDS } from "../domain/table.ts";
import { sentNames } from "../domain/wire.ts";

/** From an index of the line to another, which is behind it. */
export type TextRange = readonly [from: number, to: number];

/** The keys under which secrets stand, as the files and the service call them, and what else sounds like one. */
const SECRET_KEYS = Object.values(FIELDS)
  .flat()
  .flatMap((row) => (row.kind === "secret" ? [row.path, ...sentNames(row)] : []));
const SOUNDS_SECRET = /^(.*[_-])?(pass(word|wort|phrase|wd|code)?|pwd?|secret|token|api[_-]?key|credentials?)$/i;

/** What looks like a key: people forget the space behind a colon, or write another sign. */
const KEY = /(?:(["'])|(?<![\p{L}\p{N}_-]))([\p{L}\p{N}_-]+)\1[ \t]*[:=]/gu;
const USER_INFO = /(?<=:\/\/)[^\s/?#]*(?=@)/g;

/** A variable's name and a file's path are no secrets: people see which one they have misspelt. */
const VARIABLE = /^(LINKFORM_SECRET_\w*|[A-Z][A-Z0-9]*(_[A-Z0-9]+)+|linkform_secret_\w*)$/;
const FILE_PATH = /^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/;

/** Keys that people write below that of a secret. */
const KEY_OF_SOURCE = /^\s*(env|file|value|text|name|path|password|secret):\s+/;
const HOST = /^([a-z0-9-]+\.)+[a-z]{2,}(?![a-z0-9])|^localhost\b/;

/** No key of a service is that short. */
const SHORT = 8;

/** Tells the stretches of a line that may hold a secret; lines count from 1. */
export type SecretFinder = (source: SourceText, line: number) => readonly TextRange[];

/** Looks at each file and line once: a file may be one long line with many mistakes, or have a change on each of its lines. */
export function secretFinder(): SecretFinder {
  const known = new Map<
    SourceText,
    { readonly below: ReadonlySet<number>; readonly lines: Map<number, TextRange[]> }
  >();
  return (source, line) => {
    const file = known.get(source) ?? { below: linesBelowSecrets(source), lines: new Map<number, TextRange[]>() };
    const found = file.lines.get(line) ?? secretRanges(source.line(line) ?? "", file.below.has(line));
    file.lines.set(line, found);
    known.set(source, file);
    return found;
  };
}

function secretRanges(line: string, isBelowSecret: boolean): TextRange[] {
  if (isBelowSecret && !isHarmlessLine(line))
    return [[KEY_OF_SOURCE.exec(line)?.[0].length ?? indentOf(line), line.length]];
  const found: TextRange[] = [...line.matchAll(USER_INFO)].map(({ 0: text, index }) => [index, index + text.length]);
  for (const { 0: written, 2: key = "", index } of line.matchAll(KEY)) {
    const from = index + written.length;
    const rest = line.slice(from);
    if (soundsSecret(key) && !isHarmlessRest(rest)) found.push(secretRange(rest, from));
    if (isAddressKey(key)) found.push(...addressSecrets(rest, from));
  }
  return found;
}

/** Whether what stands under this name may be a secret. */
export function soundsSecret(key: string): boolean {
  return SOUNDS_SECRET.test(key) || nearest(key, SECRET_KEYS) !== null;
}

function isAddressKey(key: string): boolean {
  return nearest(key, ["base_url"]) !== null;
}

function indentOf(line: string): number {
  const first = line.search(/\S/);
  return first < 0 ? line.length : first;
}

/** The lines that go on with the value of a secret's key that stands above them. */
function linesBelowSecrets(source: SourceText): Set<number> {
  const found = new Set<number>();
  /** The lines that the next one may stand below, from the outside in; `isOpen`: it or one around it leaves a secret open. */
  const around: { readonly indent: number; readonly isOpen: boolean }[] = [];
  let isLastOpen = false;
  for (let number = 1; ; number += 1) {
    const line = source.line(number);
    if (line === null) return found;
    const indent = indentOf(line);
    const isInside = around.findLast((parent) => parent.indent < indent)?.isOpen === true;
    // A value may stand anywhere on the line that follows; another key there is a neighbour.
    const goesOn = isLastOpen && !/^\s*(- |["']?[\w-]+["']?\s*:(\s|$))/.test(line);
    if (isInside || goesOn) found.add(number);
    if (/^\s*(#|$)/.test(line)) continue;
    while ((around.at(-1)?.indent ?? -1) >= indent) around.pop();
    isLastOpen = leavesOpen(line);
    around.push({ indent, isOpen: isInside || isLastOpen });
  }
}

/** Whether the last secret's key of a line has its value on the lines below, or part of it. */
function leavesOpen(line: string): boolean {
  const last = [...line.matchAll(KEY)].findLast(([, , key = ""]) => soundsSecret(key));
  if (last === undefined) return false;
  const rest = line.slice(last.index + last[0].length);
  return /^\s*(#.*)?$/.test(rest) || !isHarmlessRest(rest) || /\{[^}]*$/.test(rest);
}

/** Of braces the value that may be a secret, and what follows in them; else all that follows the key. */
function secretRange(rest: string, offset: number): TextRange {
  const [before, pair = ""] = /^(?:\s*\{\s*\w+\s*:\s+)([^"'{}]+)(?=\})/.exec(rest) ?? [];
  const first = before === undefined ? indentOf(rest) : before.length - pair.length;
  return [offset + first, offset + (before === undefined ? rest.length : before.trimEnd().length)];
}

/** Whether what follows a secret's key says no more than where the secret is, or that there is none. */
function isHarmlessRest(rest: string): boolean {
  const [, inBraces] = /^\s*\{([^}]*)/.exec(rest) ?? [];
  if (inBraces !== undefined) return inBraces.split(",").every(isHarmlessPair);
  const [, text = ""] = /^\s*([^\s,}\]]*)(?=\s*([,}\]]|#|$))/.exec(rest) ?? [null, rest];
  return isHarmlessValue("", text);
}

function isHarmlessLine(line: string): boolean {
  return /^[\s{}[\]]*$/.test(line) || isHarmlessPair(line.replace(/\s#.*$/, ""));
}

function isHarmlessPair(pair: string): boolean {
  if (pair.trim() === "") return true;
  const [, key, value] = /^\s*["']?(\w+)["']?\s*:(?:\s+(.*?))?\s*$/.exec(pair) ?? [];
  return key !== undefined && isHarmlessValue(key, value ?? "");
}

function isHarmlessValue(key: string, written: string): boolean {
  const value = written.replace(/^(["'])(.*)\1$/, "$2");
  return /^(none|null|~)?$/.test(value) || VARIABLE.test(value) || (key === "file" && FILE_PATH.test(value));
}

/** Of the service's address the user and what may hold a key. A text that is no address may itself be a key. */
function addressSecrets(rest: string, offset: number): TextRange[] {
  const [, before = "", quote, whole = ""] = /^(\s*(["'])?)([^\s]*)/.exec(rest) ?? [];
  const from = offset + before.length;
  const text = quote === undefined ? whole.replace(/[,}\]]+$/, "") : (whole.split(quote)[0] ?? "");
  const hasScheme = text.includes("://");
  if (!hasScheme && !HOST.test(text)) return text.length < SHORT ? [] : [[from, from + text.length]];
  const found: TextRange[] = [];
  const query = text.search(/[?#]/);
  if (query >= 0) found.push([from + query + 1, from + text.length]);
  const user = text.lastIndexOf("@");
  if (user > 0) found.push([from + (hasScheme ? text.indexOf("://") + 3 : 0), from + user]);
  return found.filter(([start, end]) => end > start);
}
