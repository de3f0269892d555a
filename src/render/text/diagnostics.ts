// Diagnostics as people read them: what is wrong, the line it stands on with the very words marked, and what to do.

import { bySafety, type Diagnostic, type Severity } from "../../domain/diagnostic.ts";
import { showPlace } from "../../domain/place.ts";
import { concealer, type Conceal } from "../../view/redaction.ts";
import { digitsOf, frameText, quiet } from "./frame.ts";
import type { Screen } from "./screen.ts";
import { widthOf, wrap } from "./width.ts";
import { visible } from "../../domain/control-characters.ts";

/** More than these are told in a line each: nobody mends two hundred mistakes in one go. */
const MOST_IN_FULL = 30;
/** How wide the lines of files may be where nobody knows the width of what they are shown on. */
const COLUMNS = 100;

/** What findings are called. */
export const SEVERITY_WORDS: Readonly<Record<Severity, string>> = { error: "error", warning: "warning", info: "note" };

/**
 * The diagnostics in their order, with an empty line between two of them; ends with a line break. On a terminal prose is
 * broken to its width.
 */
export function diagnosticsText(diagnostics: readonly Diagnostic[], screen: Screen): string {
  const full = new Set(inFull(diagnostics));
  const conceal = concealer();
  const short = diagnostics.filter((diagnostic) => !full.has(diagnostic));
  const digits = digitsOf(
    [...full].flatMap(({ place, also }) => [place ?? [], also?.map((one) => one.place) ?? []].flat()),
  );
  const told = diagnostics
    .filter((diagnostic) => full.has(diagnostic))
    .map((one) => fullText(one, screen, { digits, conceal }));
  const rest = `And ${short.length} more, in short:\n${short.map((one) => shortText(one, screen)).join("")}`;
  return [...told, ...(short.length === 0 ? [] : [rest])].join("\n");
}

/** Those that are told in full: errors come before what is only to be known. */
function inFull(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return gravestFirst(diagnostics).slice(0, MOST_IN_FULL);
}

const RANK: Readonly<Record<Severity, number>> = { error: 0, warning: 1, info: 2 };

/** The gravest first; those of a kind stay in their order. */
export function gravestFirst(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const { safety, rest } = bySafety(diagnostics);
  return [...safety, ...rest.toSorted((a, b) => RANK[a.severity] - RANK[b.severity])];
}

function fullText(
  { code, severity, message, place, hint, also }: Diagnostic,
  screen: Screen,
  { digits, conceal }: { readonly digits: number; readonly conceal: Conceal },
): string {
  const { paint, columns } = screen;
  const colour = colourOf(severity, screen);
  const head = `${SEVERITY_WORDS[severity]}[${code}]`;
  const said = wrap(readable(message), columns, 2, head.length + 1);
  const frame =
    place === null ? "" : frameText(place, also ?? [], { paint, columns: columns ?? COLUMNS, digits, colour, conceal });
  const indent = digits + 4;
  const advice =
    hint === null ? "" : `${" ".repeat(indent - 2)}${quiet("=", paint)} ${wrap(readable(hint), columns, indent)}\n`;
  return `${paint.bold(colour(head))} ${bold(said, screen)}\n${frame}${advice}`;
}

/** A message with what nobody reads to its end cut in the middle: JSON has it whole. */
export function readable(text: string): string {
  return visible(text).replaceAll(/\S{100,}/g, (long) => `${long.slice(0, 48)}…${long.slice(-16)}`);
}

/** Each line for itself: a colour that goes over the end of a line is lost in some logs. */
function bold(text: string, { paint }: Screen): string {
  return text
    .split("\n")
    .map((line) => paint.bold(line))
    .join("\n");
}

function shortText({ code, severity, message, place }: Diagnostic, screen: Screen): string {
  const where = place === null ? "" : `${visible(showPlace(place))} `;
  const head = `${where}${SEVERITY_WORDS[severity]}[${code}]`;
  return `${where}${colourOf(severity, screen)(`${SEVERITY_WORDS[severity]}[${code}]`)} ${wrap(readable(message), screen.columns, 4, widthOf(head) + 1)}\n`;
}

function colourOf(severity: Severity, { paint }: Screen): (text: string) => string {
  return severity === "error" ? paint.red : severity === "warning" ? paint.yellow : paint.cyan;
}

/** `2 errors, 1 warning`; empty where there is neither. */
export function countText(diagnostics: readonly Diagnostic[]): string {
  const counts = (["error", "warning"] as const).flatMap((severity) => {
    const count = diagnostics.filter((diagnostic) => diagnostic.severity === severity).length;
    return count === 0 ? [] : [plural(count, severity)];
  });
  return counts.join(", ");
}

/** `1 change`, `2,000 changes`. */
export function plural(count: number, noun: string): string {
  return `${showCount(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** A count, which is whole, as people read it: `8,240`. */
export function showCount(count: number): string {
  // As the locale would, whose asking takes its time where there are many.
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}

/** A word as a sentence begins with it. */
export function capital(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}
