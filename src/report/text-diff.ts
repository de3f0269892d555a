// Compares two texts word by word, two addresses by their query parameters, and two versions of a file.

import { createTwoFilesPatch, diffArrays, FILE_HEADERS_ONLY, formatPatch, type StructuredPatch } from "diff";
import { visible } from "../domain/control-characters.ts";
import type { FileEdit } from "./report.ts";
import { numberDuplicates } from "./values.ts";

/** A part of a text. If it does not differ, the other text has it, too. */
export interface TextPiece {
  readonly text: string;
  readonly differs: boolean;
}

export interface TextComparison {
  readonly before: readonly TextPiece[];
  readonly after: readonly TextPiece[];
}

/** Words and single characters: the smallest parts that are marked. */
const WORDS = /[\p{L}\p{M}\p{N}]+|[^\p{L}\p{M}\p{N}]/gu;
const WORD_ENDS = /[\p{L}\p{M}\p{N}]$/u;
const WORD_BEGINS = /^[\p{L}\p{M}\p{N}]/u;

/** Texts that need more edits have little in common. */
const MAX_STEPS = 200;

/** The smallest common share of the longer text for which marks are useful. */
const MIN_SHARED = 0.3;

/**
 * Which parts of two texts differ; null if they have too little in common. Pieces that differ and pieces that do not
 * alternate.
 */
export function compareTexts(before: string, after: string): TextComparison | null {
  const [start, end] = commonEnds(before, after);
  const old = wordsOf(before.slice(start, before.length - end));
  const next = wordsOf(after.slice(start, after.length - end));
  // The usual case, a difference in one place, needs no search.
  const isSingle = old.length === 0 || next.length === 0 || (old.length === 1 && next.length === 1);
  const steps = isSingle ? replacing(old, next) : diffArrays(old, next, { maxEditLength: MAX_STEPS });
  if (steps === undefined) return null;
  const shared = steps
    .filter(({ added, removed }) => !added && !removed)
    .reduce((length, { value }) => length + value.join("").length, start + end);
  if (shared < MIN_SHARED * Math.max(before.length, after.length)) return null;
  const all = [kept(before.slice(0, start)), ...steps, kept(before.slice(before.length - end))];
  return {
    before: piecesOf(all.filter(({ added }) => !added).map(({ value, removed }) => piece(value, removed))),
    after: piecesOf(all.filter(({ removed }) => !removed).map(({ value, added }) => piece(value, added))),
  };
}

interface DiffStep {
  readonly value: readonly string[];
  readonly added: boolean;
  readonly removed: boolean;
}

function kept(text: string): DiffStep {
  return { value: [text], added: false, removed: false };
}

function replacing(old: readonly string[], next: readonly string[]): DiffStep[] {
  return [
    { value: old, added: false, removed: true },
    { value: next, added: true, removed: false },
  ];
}

function piece(value: readonly string[], differs: boolean): TextPiece {
  return { text: value.join(""), differs };
}

/** Removes empty pieces and joins adjacent ones of the same type. */
function piecesOf(pieces: readonly TextPiece[]): TextPiece[] {
  const merged: TextPiece[] = [];
  for (const { text, differs } of pieces) {
    const last = merged.at(-1);
    if (text === "") continue;
    if (last?.differs === differs) merged[merged.length - 1] = { text: last.text + text, differs };
    else merged.push({ text, differs });
  }
  return merged;
}

/** The lengths of the common start and end, in whole words. */
function commonEnds(before: string, after: string): [start: number, end: number] {
  const least = Math.min(before.length, after.length);
  let start = 0;
  while (start < least && before.charCodeAt(start) === after.charCodeAt(start)) start += 1;
  while (isInWord(before, start) || isInWord(after, start)) start -= 1;
  let end = 0;
  while (end < least - start && before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end))
    end += 1;
  while (isInWord(before, before.length - end) || isInWord(after, after.length - end)) end -= 1;
  return [start, end];
}

/** Whether a cut at this index would split a word or a character. */
function isInWord(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return false;
  if (/^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 1, at + 1))) return true;
  return WORD_ENDS.test(text.slice(Math.max(0, at - 2), at)) && WORD_BEGINS.test(text.slice(at, at + 2));
}

function wordsOf(text: string): string[] {
  return text.match(WORDS) ?? [];
}

/** A named part of two values; undefined on the side that does not have it. */
export interface PartDiff {
  readonly name: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** The entries of two maps: those of `after` in their order, then the removed ones. */
export function compareParts(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): PartDiff[] {
  const names = new Set([...after.keys(), ...before.keys()]);
  return [...names].map((name) => ({ name, before: before.get(name), after: after.get(name) }));
}

interface AddressParts {
  readonly page: string;
  readonly parameters: ReadonlyMap<string, string>;
  /** Names of the parameters without an equals sign. */
  readonly bare: ReadonlySet<string>;
}

/** Two addresses by their parts. Parameter values are percent-encoded. */
export interface ComparedAddress {
  readonly page: { readonly before: string; readonly after: string };
  /** The fragment is named `#`. See `numberDuplicates` for repeated names. */
  readonly parameters: readonly PartDiff[];
}

const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\/./i;

export function isAddress(text: string): boolean {
  return ADDRESS.test(text);
}

/**
 * Compares two addresses by their parts. Null if the parts do not show the whole difference: if no parameter differs, or the common
 * ones have another order or spelling.
 */
export function compareAddresses(before: string, after: string): ComparedAddress | null {
  if (queryAndFragment(before) === queryAndFragment(after)) return null;
  const [old, next] = [parseAddress(before), parseAddress(after)];
  const parameters = compareParts(old.parameters, next.parameters);
  if (parameters.every((part) => part.before === part.after)) return null;
  if (commonParameters(old, next) !== commonParameters(next, old)) return null;
  return { page: { before: old.page, after: next.page }, parameters };
}

function queryAndFragment(text: string): string {
  const at = text.search(/[?#]/);
  return at < 0 ? "" : text.slice(at);
}

function parseAddress(text: string): AddressParts {
  const [, page = text, query = "", fragment] = /^([^?#]*)\??([^#]*)(?:#(.*))?$/s.exec(text) ?? [];
  const written = query === "" ? [] : query.split("&");
  const parameters = numberDuplicates(
    written.map((pair) => {
      const [, name = pair, value = ""] = /^([^=]*)=?(.*)$/s.exec(pair) ?? [];
      return [name, value] as const;
    }),
  );
  const bare = new Set([...parameters.keys()].filter((_, at) => written[at]?.includes("=") !== true));
  if (fragment !== undefined) parameters.set("#", fragment);
  return { page, parameters, bare };
}

/** The parameters that another address has, too, in the order and spelling of this one. */
function commonParameters({ parameters, bare }: AddressParts, other: AddressParts): string {
  const names = [...parameters.keys()].filter((name) => other.parameters.has(name));
  return JSON.stringify(names.map((name) => [name, bare.has(name)]));
}

/** The unified diff of a file, as git shows it: a patch that can be applied in the project folder. */
export function filePatch({ file, before, after }: FileEdit): string {
  const [from, to] = [before === null ? "/dev/null" : `a/${file}`, after === null ? "/dev/null" : `b/${file}`];
  const options = { context: 3, headerOptions: FILE_HEADERS_ONLY };
  const patch =
    createTwoFilesPatch(from, to, before ?? "", after ?? "", "", "", { ...options, maxEditLength: MAX_EDITS }) ??
    formatPatch(replacement(from, to, before ?? "", after ?? ""), FILE_HEADERS_ONLY);
  return patch
    .split("\n")
    .map((line, index) => {
      // As git does: otherwise `patch` ends the name at the first space.
      const isNamed = index < 2 && line.endsWith(file) && file.includes(" ");
      return isNamed ? `${visible(line)}\t` : applicable(line);
    })
    .join("\n");
}

/** The time of a diff grows with the square of this number of added and removed lines. */
const MAX_EDITS = 3000;

/** A patch that replaces a whole text: for changes that are too many to find the smallest difference. */
function replacement(from: string, to: string, before: string, after: string): StructuredPatch {
  const removed = linesWith("-", before);
  const added = linesWith("+", after);
  const hunk = { oldStart: 1, oldLines: removed.count, newStart: 1, newLines: added.count };
  const hunks = [{ ...hunk, lines: [...removed.lines, ...added.lines] }];
  return { oldFileName: from, newFileName: to, oldHeader: "", newHeader: "", hunks };
}

function linesWith(sign: "-" | "+", text: string): { readonly lines: string[]; readonly count: number } {
  if (text === "") return { lines: [], count: 0 };
  const isEnded = text.endsWith("\n");
  const lines = (isEnded ? text.slice(0, -1) : text).split("\n").map((line) => sign + line);
  return { lines: isEnded ? lines : [...lines, "\\ No newline at end of file"], count: lines.length };
}

/** Shows invisible characters, except a byte order mark and a carriage return: the patch would not apply without them. */
function applicable(line: string): string {
  const [, start = "", text = "", end = ""] = /^([-+ ]\uFEFF)?(.*?)(\r?)$/s.exec(line) ?? [];
  return start + visible(text) + end;
}
