// Compares two texts word by word, and two versions of a file.

import { createTwoFilesPatch, diffArrays, FILE_HEADERS_ONLY } from "diff";
import { visible } from "../domain/control-characters.ts";
import type { Piece } from "./blocks.ts";

/** A file before and after. `before` is null for a new file. */
export interface FileEdit {
  /** Relative to the project folder, with `/`. */
  readonly file: string;
  readonly before: string | null;
  readonly after: string;
  /** True for a copied file: its text is not shown. */
  readonly isCopy?: boolean;
}

const WORDS = /[\p{L}\p{M}\p{N}]+|[^\p{L}\p{M}\p{N}]/gu;

/** Texts that need more edits have little in common. */
const MAX_STEPS = 200;

/** The smallest common share of the longer text for which marks are useful. */
const MIN_SHARED = 0.3;

/** Null for texts that have too little in common. */
export function compareTexts(before: string, after: string): Record<"before" | "after", readonly Piece[]> | null {
  const steps = diffArrays(before.match(WORDS) ?? [], after.match(WORDS) ?? [], { maxEditLength: MAX_STEPS });
  if (steps === undefined) return null;
  const sideWithout = (other: "added" | "removed"): Piece[] =>
    steps.flatMap((step) => (step[other] ? [] : { text: step.value.join(""), differs: step.added || step.removed }));
  const compared = { before: sideWithout("added"), after: sideWithout("removed") };
  const shared = compared.before.reduce((sum, { text, differs }) => sum + (differs ? 0 : text.length), 0);
  return shared < MIN_SHARED * Math.max(before.length, after.length) ? null : compared;
}

/** The unified diff of a file, as git shows it. With too many changes for a smallest difference, it deletes the file and creates it. */
export function filePatch({ file, before, after }: FileEdit): string {
  // As git does: otherwise `patch` ends a name at its first space.
  const end = file.includes(" ") ? "\t" : "";
  const patchOf = (from: string, to: string, old: string, next: string, maxEditLength: number): string | undefined => {
    const options = { context: 3, headerOptions: FILE_HEADERS_ONLY, maxEditLength };
    const lines = createTwoFilesPatch(from, to, old, next, "", "", options)?.split("\n");
    return lines?.map((line, at) => applicable(line) + (at < 2 ? end : "")).join("\n");
  };
  const [from, to, old] = [before === null ? NO_FILE : `a/${file}`, `b/${file}`, before ?? ""];
  return (
    patchOf(from, to, old, after, old === "" ? Infinity : MAX_EDITS) ??
    `${patchOf(from, NO_FILE, old, "", Infinity)}${patchOf(NO_FILE, to, "", after, Infinity)}`
  );
}

const NO_FILE = "/dev/null";

/** The time of a diff grows with the square of this number of added and removed lines. */
const MAX_EDITS = 3000;

/** Shows invisible characters, except a byte order mark and a carriage return: the patch would not apply without them. */
function applicable(line: string): string {
  const [, start = "", text = "", end = ""] = /^([-+ ]\uFEFF)?(.*?)(\r?)$/s.exec(line) ?? [];
  return start + visible(text) + end;
}
