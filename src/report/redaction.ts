// Finds the parts of a YAML line that must not be shown, because people may write a password in the wrong place.

import { nearest } from "../domain/nearest.ts";
import type { Place, SourceText } from "../domain/place.ts";
import { FIELDS } from "../domain/table.ts";
import { sentNames } from "../domain/wire.ts";
import { trimSurrogates } from "./spans.ts";
import type { SourceLine } from "./json/schema.ts";

/** Indexes in a line; `to` is exclusive. */
export type TextRange = readonly [from: number, to: number];

/** The keys of secrets, in the files and at the service. */
const SECRET_KEYS = Object.values(FIELDS)
  .flat()
  .flatMap((field) => (field.kind === "secret" ? [field.path, ...sentNames(field)] : []));
const SOUNDS_SECRET = /^(.*[_-])?(pass(word|wort|phrase|wd|code)?|pwd?|secret|token|api[_-]?key|credentials?)$/i;

/** What looks like a key: people forget the space after the colon, or write an equals sign. */
const KEY = /(?:(["'])|(?<![\p{L}\p{N}_-]))([\p{L}\p{N}_-]+)\1[ \t]*[:=]/gu;
const USER_INFO = /(?<=:\/\/)[^\s/?#]*(?=@)/g;

/** Variable names and file paths are no secrets: people need to see a misspelled one. */
const VARIABLE = /^(LINKFORM_SECRET_\w*|[A-Z][A-Z0-9]*(_[A-Z0-9]+)+|linkform_secret_\w*)$/;
const FILE_PATH = /^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/;

/** Keys that people write below the key of a secret. */
const KEY_OF_SOURCE = /^\s*(env|file|value|text|name|path|password|secret):\s+/;
const HOST = /^([a-z0-9-]+\.)+[a-z]{2,}(?![a-z0-9])|^localhost\b/;

/** API keys are not shorter than this. */
const MIN_KEY_LENGTH = 8;

/** Shown in place of a secret. */
const CONCEALED = "********";

/** The text that is shown before and after a place: a line can be as long as a file. */
const MAX_BEFORE = 60;
const MAX_AFTER = 160;

/** The line of a place without secrets; undefined if its text is not available. A long line is cut around its place. */
export function excerptOf({ source, line, column, length = 1 }: Place): SourceLine[] | undefined {
  const text = source?.line(line) ?? null;
  if (source === undefined || text === null) return undefined;
  const isShort = text.length <= MAX_BEFORE + MAX_AFTER;
  const start = isShort ? 0 : Math.max(0, column - 1 - MAX_BEFORE);
  const end = isShort ? text.length : Math.min(text.length, column - 1 + MAX_AFTER);
  const [from, to] = [column - 1, Math.min(end, column - 1 + length)];
  const hidden = concealedIn(source)[line - 1] ?? [];
  // A secret that is marked in part is concealed there.
  const isWithin = (first: number, last: number): TextRange[] => hidden.filter(([a, b]) => a >= first && b <= last);
  const before = withoutSecrets(text, start, from, hidden, isWithin(start, from));
  const after = withoutSecrets(text, to, end, hidden, isWithin(to, end));
  return [
    {
      line,
      before: `${start > 0 ? "…" : ""}${before}`,
      marked: withoutSecrets(text, from, to, hidden, hidden),
      after: `${after}${end < text.length ? "…" : ""}`,
    },
  ];
}

/** A part of a line. Asterisks replace the ranges in `shown`. The other `hidden` ranges are left out. */
function withoutSecrets(
  text: string,
  from: number,
  to: number,
  hidden: readonly TextRange[],
  shown: readonly TextRange[],
): string {
  let written = "";
  let at = from;
  for (const range of hidden) {
    const [first, last] = range;
    if (last <= at || first >= to) continue;
    written += `${text.slice(at, Math.max(at, first))}${shown.includes(range) ? CONCEALED : ""}`;
    at = Math.min(last, to);
  }
  return trimSurrogates(written + text.slice(at, Math.max(at, to)));
}

/** The parts that may contain a secret, for each line of a file: it can be one long line with many mistakes, or have one on every line. */
const cache = new WeakMap<SourceText, readonly (readonly TextRange[])[]>();

function concealedIn(source: SourceText): readonly (readonly TextRange[])[] {
  const found = cache.get(source) ?? secretsOf(source);
  cache.set(source, found);
  return found;
}

/** The keys in a line of secrets and of the service's address, and what follows each. */
function keysOf(line: string): { readonly from: number; readonly rest: string; readonly of: "secret" | "address" }[] {
  return [...line.matchAll(KEY)].flatMap(({ 0: written, 2: key = "", index }) => {
    const of = soundsSecret(key) ? "secret" : nearest(key, ["base_url"]) === null ? null : "address";
    const from = index + written.length;
    return of === null ? [] : [{ from, rest: line.slice(from), of }];
  });
}

function secretRanges(line: string, keys: ReturnType<typeof keysOf>, isBelowSecret: boolean): TextRange[] {
  if (isBelowSecret && !isHarmlessLine(line))
    return [[KEY_OF_SOURCE.exec(line)?.[0].length ?? indentOf(line), line.length]];
  const found: TextRange[] = [...line.matchAll(USER_INFO)].map(({ 0: text, index }) => [index, index + text.length]);
  for (const { from, rest, of } of keys) {
    if (of === "address") found.push(...addressSecrets(rest, from));
    else if (!isHarmlessRest(rest)) found.push(secretRange(rest, from));
  }
  return found.toSorted(([a], [b]) => a - b);
}

/** Whether the value of this key may be a secret. */
export function soundsSecret(key: string): boolean {
  return SOUNDS_SECRET.test(key) || nearest(key, SECRET_KEYS) !== null;
}

function indentOf(line: string): number {
  const first = line.search(/\S/);
  return first < 0 ? line.length : first;
}

/** Looks for secrets, whose values can continue on the lines below them. */
function secretsOf(source: SourceText): TextRange[][] {
  const found: TextRange[][] = [];
  /** The parents of the next line, outermost first. `isOpen`: the value of a secret continues below it. */
  const parents: { readonly indent: number; readonly isOpen: boolean }[] = [];
  let isLastOpen = false;
  for (let line = source.line(1); line !== null; line = source.line(found.length + 1)) {
    const indent = indentOf(line);
    const isInside = parents.findLast((parent) => parent.indent < indent)?.isOpen === true;
    // The next line continues the value unless it has a key.
    const isContinued = isLastOpen && !/^\s*(- |["']?[\w-]+["']?\s*:(\s|$))/.test(line);
    const keys = keysOf(line);
    found.push(secretRanges(line, keys, isInside || isContinued));
    if (/^\s*(#|$)/.test(line)) continue;
    while ((parents.at(-1)?.indent ?? -1) >= indent) parents.pop();
    isLastOpen = endsOpen(keys);
    parents.push({ indent, isOpen: isInside || isLastOpen });
  }
  return found;
}

/** Whether the value of the last secret in a line continues on the lines below. */
function endsOpen(keys: ReturnType<typeof keysOf>): boolean {
  const rest = keys.findLast(({ of }) => of === "secret")?.rest;
  if (rest === undefined) return false;
  return /^\s*(#.*)?$/.test(rest) || !isHarmlessRest(rest) || /\{[^}]*$/.test(rest);
}

/** In braces, the value that may be a secret and the rest of the braces; otherwise all that follows the key. */
function secretRange(rest: string, offset: number): TextRange {
  const [before, pair = ""] = /^(?:\s*\{\s*\w+\s*:\s+)([^"'{}]+)(?=\})/.exec(rest) ?? [];
  const first = before === undefined ? indentOf(rest) : before.length - pair.length;
  return [offset + first, offset + (before === undefined ? rest.length : before.trimEnd().length)];
}

/** Whether the value of a secret's key only says where the secret is, or that there is none. */
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

/** The user and the query of the service's address. A text that is no address may itself be an API key. */
function addressSecrets(rest: string, offset: number): TextRange[] {
  const [, before = "", quote, whole = ""] = /^(\s*(["'])?)([^\s]*)/.exec(rest) ?? [];
  const from = offset + before.length;
  const text = quote === undefined ? whole.replace(/[,}\]]+$/, "") : (whole.split(quote)[0] ?? "");
  const hasScheme = text.includes("://");
  if (!hasScheme && !HOST.test(text)) return text.length < MIN_KEY_LENGTH ? [] : [[from, from + text.length]];
  const found: TextRange[] = [];
  const query = text.search(/[?#]/);
  if (query >= 0) found.push([from + query + 1, from + text.length]);
  const user = text.lastIndexOf("@");
  if (user > 0) found.push([from + (hasScheme ? text.indexOf("://") + 3 : 0), from + user]);
  return found.filter(([start, end]) => end > start);
}
