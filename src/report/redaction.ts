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
/** A key with an equals sign, or whose colon no space follows, unless it is an address or a host with a port. The rest may be a secret. */
const UNSPACED_KEY =
  /(?:^|[{,])(?!\s*[\w.-]+\.[a-z]+:\d)[^:,"'#[\]{}]+:(?=[^\s:/]|\/(?!\/))|(?:^|\{|,(?=\s))[^:=,"'#[\]{}]+=\s*(?=\S)/;
const USER_INFO = /(?<=:\/\/)[^\s/?#]*(?=@)/g;

/** Variable names and file paths are no secrets: people need to see a misspelled one. */
const VARIABLE = /^(LINKFORM_SECRET_\w*|[A-Z][A-Z0-9]*(_[A-Z0-9]+)+|linkform_secret_\w*)$/;
const FILE_PATH = /^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/;

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
  return [
    {
      line,
      before: `${start > 0 ? "…" : ""}${withoutSecrets(text, start, from, hidden)}`,
      marked: withoutSecrets(text, from, to, hidden, true),
      after: `${withoutSecrets(text, to, end, hidden)}${end < text.length ? "…" : ""}`,
    },
  ];
}

/** A part of a line. Asterisks replace the hidden ranges, and are in the marked part if a range is only in part in this one. */
function withoutSecrets(
  text: string,
  from: number,
  to: number,
  hidden: readonly TextRange[],
  isMarked: boolean = false,
): string {
  let written = "";
  let at = from;
  for (const [first, last] of hidden) {
    if (last <= at || first >= to) continue;
    written += `${text.slice(at, Math.max(at, first))}${isMarked || (first >= from && last <= to) ? CONCEALED : ""}`;
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

/** The keys in a line of secrets and of the service's address, what follows each, and whether that can be shown. */
function keysOf(
  line: string,
): { readonly from: number; readonly rest: string; readonly isSecret: boolean; readonly isHarmless: boolean }[] {
  return [...line.matchAll(KEY)].flatMap(({ 0: written, 2: key = "", index }) => {
    const isSecret = soundsSecret(key);
    if (!isSecret && nearest(key, ["base_url"]) === null) return [];
    const from = index + written.length;
    const rest = line.slice(from);
    return [{ from, rest, isSecret, isHarmless: isSecret ? isHarmlessRest(rest) : isHarmlessAddress(rest) }];
  });
}

function secretRanges(line: string, keys: ReturnType<typeof keysOf>, isBelowSecret: boolean): TextRange[] {
  if (isBelowSecret && !isHarmlessLine(line)) return [[indentOf(line), line.length]];
  const users = [...line.matchAll(USER_INFO)].map(({ 0: text, index }): TextRange => [index, index + text.length]);
  const starts = keys.flatMap(({ isHarmless, from, rest }) => (isHarmless ? [] : [from + indentOf(rest)]));
  const unspaced = UNSPACED_KEY.exec(line);
  const start = Math.min(...starts.slice(0, 1), unspaced === null ? Infinity : unspaced.index + unspaced[0].length);
  if (start === Infinity) return users;
  return [...users.filter(([from]) => from < start), [start, line.length]];
}

/** Whether the value of this key may be a secret. */
export function soundsSecret(key: string): boolean {
  return SOUNDS_SECRET.test(key) || nearest(key, SECRET_KEYS) !== null;
}

function indentOf(line: string): number {
  return /^\s*/.exec(line)?.[0].length ?? 0;
}

/** Looks for secrets, whose values can continue on the lines below them. */
function secretsOf(source: SourceText): TextRange[][] {
  const found: TextRange[][] = [];
  /** The indentation of a secret whose value continues below it. */
  let open = Infinity;
  let isLastOpen = false;
  for (let line = source.line(1); line !== null; line = source.line(found.length + 1)) {
    const isSkipped = /^\s*(#|$)/.test(line);
    const indent = indentOf(line);
    if (!isSkipped && indent <= open) open = Infinity;
    // The next line continues the value unless it has a key.
    const isContinued = isLastOpen && !/^\s*(- |["']?[\w./-]+["']?\s*:(\s|$))/.test(line);
    const keys = keysOf(line);
    found.push(secretRanges(line, keys, indent > open || isContinued));
    if (isSkipped) continue;
    isLastOpen = endsOpen(keys);
    if (isLastOpen) open = Math.min(open, indent);
  }
  return found;
}

/** Whether the value of the last secret in a line continues on the lines below. */
function endsOpen(keys: ReturnType<typeof keysOf>): boolean {
  const last = keys.findLast(({ isSecret }) => isSecret);
  return last !== undefined && (!last.isHarmless || /^\s*(#.*)?$|\{[^}]*$/.test(last.rest));
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

/** Whether an address has no user and no query. A text that is no address may itself be an API key. */
function isHarmlessAddress(rest: string): boolean {
  const [, double, single, plain = ""] = /^\s*(?:"([^"]*)|'([^']*)|(\S*))/.exec(rest) ?? [];
  const text = double ?? single ?? plain.replace(/[,}\]]+$/, "");
  return text.length < MIN_KEY_LENGTH || (!/[?#@]/.test(text) && (text.includes("://") || HOST.test(text)));
}
