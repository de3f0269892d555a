// Diagnostics as people read them: what is wrong, the line it stands on with the very words marked, and what to do.

import type { Diagnostic, Severity } from "../../domain/diagnostic.ts";
import { showPlace } from "../../domain/place.ts";
import { secretFinder, type SecretFinder } from "../../view/redaction.ts";
import { digitsOf, frameText, quiet } from "./frame.ts";
import type { Screen } from "./screen.ts";
import { widthOf, wrap } from "./width.ts";
import { visible } from "../../domain/control-characters.ts";
import { sortBySeverity, readable, SEVERITY_WORDS } from "../../view/diagnostics.ts";

/** More than these are told in a line each: nobody mends two hundred mistakes in one go. */
const MOST_IN_FULL = 30;

/** How wide the lines of files may be where nobody knows the width of what they are shown on. */
const COLUMNS = 100;

/**
 * The diagnostics in their order, with an empty line between two of them; ends with a line break. On a terminal prose is
 * broken to its width.
 */
export function diagnosticsText(diagnostics: readonly Diagnostic[], screen: Screen): string {
  const full = new Set(inFull(diagnostics));
  const conceal = secretFinder();
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
  return sortBySeverity(diagnostics).slice(0, MOST_IN_FULL);
}

function fullText(
  { code, severity, message, place, hint, also }: Diagnostic,
  screen: Screen,
  { digits, conceal }: { readonly digits: number; readonly conceal: SecretFinder },
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
