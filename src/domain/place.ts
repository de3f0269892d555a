// Where something stands in the files.

import type { SourceText } from "./source-text.ts";

/** A file, relative to the project folder with `/`, and a line and column that both count from 1 (characters as editors count). */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** How many characters of the line are meant; left out where only the beginning is known. */
  readonly length?: number;
  /** The text in which this is a place, where it is at hand: reports show its line from here, never from a second reading. */
  readonly source?: SourceText;
}

/** Orders places as a person reads them: by file, then line, then column. */
export function comparePlaces(a: Place, b: Place): number {
  return compareText(a.file, b.file) || a.line - b.line || a.column - b.column;
}

/** `file:line:column`, the form that editors and terminals link. */
export function showPlace(place: Place): string {
  return `${place.file}:${place.line}:${place.column}`;
}

/**
 * The place of a part of what stands at a place, the first or last such part; the whole where it is not found there, or what
 * stands there is not at hand.
 */
export function placeIn(place: Place, part: string, which: "first" | "last"): Place {
  const { source, line, column, length } = place;
  const text = source?.line(line)?.slice(column - 1, column - 1 + (length ?? 0)) ?? "";
  const at = which === "first" ? text.indexOf(part) : text.lastIndexOf(part);
  return at < 0 || part === "" ? place : { ...place, column: column + at, length: part.length };
}

/** Compares by code unit, so that the order is the same on every machine and in every locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
