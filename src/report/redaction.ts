// Finds the parts of a YAML line that must not be shown, because people may write a password in the wrong place.

import { nearest } from "../domain/nearest.ts";
import type { Place, SourceText } from "../domain/place.ts";
import { FIELDS } from "../domain/table.ts";
import { sentNames } from "../domain/wire.ts";
import { trimSurrogates } from "./blocks.ts";
import type { SourceLine } from "./json/schema.ts";

/** In the files and at the service. */
const SECRET_KEYS = Object.values(FIELDS)
  .flat()
  .flatMap((field) => (field.kind === "secret" ? [field.path, ...sentNames(field)] : []));
const SOUNDS_SECRET =
  /^(.*[_-])?(pass(word|wort|phrase|wd|code)?|kennwort|pwd?|secret|token|api[_-]?key|credentials?)$/i;

/** People forget the space after the colon, or write an equals sign. */
const KEY = /(?:(["'])|(?<![\p{L}\p{N}_-]))([\p{L}\p{N}_-]+)\1[ \t]*[:=]/gu;
/** A key with `=`, or a colon without a space, but no address or host with a port. The rest may be a secret. */
const UNSPACED_KEY =
  /(?:^|[{,])(?!\s*[\w.-]+\.[a-z]+:\d)[^:,"'#[\]{}]+:(?=[^\s:/]|\/(?!\/))|(?:^|\{|,(?=\s))[^:=,"'#[\]{}]+=\s*(?=\S)/;
const USER_INFO = /(?<=:\/\/)[^\s/?#]*(?=@)/g;

/** No secrets: people need to see a misspelled one. */
const VARIABLE = /^(LINKFORM_SECRET_\w*|[A-Z][A-Z0-9]*(_[A-Z0-9]+)+|linkform_secret_\w*)$/;
const FILE_PATH = /^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/;

const HOST = /^([a-z0-9-]+\.)+[a-z]{2,}(?![a-z0-9])|^localhost\b/;

/** API keys are not shorter. */
const MIN_KEY_LENGTH = 8;

/** Each character of a secret in a masked line, which keeps its length. */
const HIDDEN = "\uffff";

/** What is shown around a place: a line can be as long as a file. */
const MAX_BEFORE = 60;
const MAX_AFTER = 160;

/** The line of a place without secrets, if its text is available. A long line is cut around its place. */
export function excerptOf({ source, line, column, length = 1 }: Place): SourceLine[] | undefined {
  const text = source?.line(line) ?? null;
  if (source === undefined || text === null) return undefined;
  const lines = cache.get(source) ?? maskLines(source);
  cache.set(source, lines);
  const masked = lines[line - 1] ?? "";
  const isShort = text.length <= MAX_BEFORE + MAX_AFTER;
  const start = isShort ? 0 : Math.max(0, column - 1 - MAX_BEFORE);
  const end = isShort ? text.length : Math.min(text.length, column - 1 + MAX_AFTER);
  const [from, to] = [column - 1, Math.min(end, column - 1 + length)];
  const shown = (part: string): string => trimSurrogates(part).replaceAll(/\uffff+/g, "********");
  // The asterisks of a secret that is marked in part are only in the marked part.
  const before = masked.slice(start, from).replace(from < to && masked[from] === HIDDEN ? /\uffff+$/ : "", "");
  const after = masked.slice(to, end).replace(masked[to - 1] === HIDDEN ? /^\uffff+/ : "", "");
  return [
    {
      line,
      before: `${start > 0 ? "…" : ""}${shown(before)}`,
      marked: shown(masked.slice(from, to)),
      after: `${shown(after)}${end < text.length ? "…" : ""}`,
    },
  ];
}

/** The masked lines of a file: it can be one long line with many mistakes, or have one on every line. */
const cache = new WeakMap<SourceText, readonly string[]>();

/** The keys in a line of secrets and of the service's address, what follows each, and whether that can be shown. */
function keysOf(line: string) {
  return [...line.matchAll(KEY)].flatMap(({ 0: written, 2: key = "", index }) => {
    const isSecret = soundsSecret(key);
    if (!isSecret && nearest(key, ["base_url"]) === null) return [];
    const from = index + written.length;
    const rest = line.slice(from);
    return [{ from, rest, isSecret, isHarmless: isSecret ? isHarmlessRest(rest) : isHarmlessAddress(rest) }];
  });
}

function maskLine(line: string, keys: ReturnType<typeof keysOf>, isBelowSecret: boolean): string {
  const mask = (secret: string): string => HIDDEN.repeat(secret.length);
  const maskFrom = (start: number): string =>
    `${line.replaceAll(USER_INFO, mask).slice(0, start)}${mask(line.slice(start))}`;
  const isHarmless = /^[\s{}[\]]*$/.test(line) || isHarmlessPair(line.replace(/\s#.*$/, ""));
  if (isBelowSecret && !isHarmless) return maskFrom(indentOf(line));
  const secret = keys.find((one) => !one.isHarmless);
  const unspaced = UNSPACED_KEY.exec(line);
  return maskFrom(
    Math.min(
      secret === undefined ? line.length : secret.from + indentOf(secret.rest),
      unspaced === null ? line.length : unspaced.index + unspaced[0].length,
    ),
  );
}

export function soundsSecret(key: string): boolean {
  return SOUNDS_SECRET.test(key) || nearest(key, SECRET_KEYS) !== null;
}

function indentOf(line: string): number {
  return /^\s*/.exec(line)?.[0].length ?? 0;
}

/** Looks for secrets, whose values can continue on the lines below them. */
function maskLines(source: SourceText): string[] {
  const found: string[] = [];
  // The indentation of a secret whose value continues below it.
  let open = Infinity;
  let isLastOpen = false;
  for (let line = source.line(1); line !== null; line = source.line(found.length + 1)) {
    const isSkipped = /^\s*(#|$)/.test(line);
    const indent = indentOf(line);
    if (!isSkipped && indent <= open) open = Infinity;
    // The next line continues the value unless it has a key.
    const isContinued = isLastOpen && !/^\s*(- |["']?[\w./-]+["']?\s*:(\s|$))/.test(line);
    const keys = keysOf(line);
    found.push(maskLine(line, keys, indent > open || isContinued));
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

/** Whether a value only says where the secret is, or that there is none. */
function isHarmlessRest(rest: string): boolean {
  const [, inBraces] = /^\s*\{([^}]*)/.exec(rest) ?? [];
  if (inBraces !== undefined) return inBraces.split(",").every(isHarmlessPair);
  const [, text = ""] = /^\s*([^\s,}\]]*)(?=\s*([,}\]]|#|$))/.exec(rest) ?? [null, rest];
  return isHarmlessValue("", text);
}

function isHarmlessPair(pair: string): boolean {
  if (pair.trim() === "") return true;
  const [, key, value = ""] = /^\s*["']?(\w+)["']?\s*:(?:\s+(.*?))?\s*$/.exec(pair) ?? [];
  return key !== undefined && isHarmlessValue(key, value);
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
