// Findings as blocks: what is wrong, where, with the line, and what to do.

import { visible } from "../domain/control-characters.ts";
import { BY_SEVERITY, groupIdentical, type Severity } from "../domain/diagnostic.ts";
import { bullets, heading, itemList, sentences, toned, code, joinLines, line, prose } from "./blocks.ts";
import type { Block, Item, ItemPlace, Line, MarkedLine } from "./blocks.ts";
import type { ComposeContext } from "./compose-changes.ts";
import type { ReportDocument } from "./document.ts";
import { plural, showCount } from "../domain/words.ts";
import { filePage, repositoryPath } from "./format.ts";
import type { DiagnosticDocument, PlaceDocument, RelatedDocument } from "./json/schema.ts";

const LOOKS: Readonly<Record<Severity, Pick<Item, "symbol" | "tone" | "verb">>> = {
  error: { symbol: "✗", tone: "bad", verb: "error" },
  warning: { symbol: "!", tone: "warn", verb: "warning" },
  info: { symbol: "i", tone: "calm", verb: "note" },
};

/** `2 errors, 1 warning`; empty without any of these severities. */
export function severityCounts(
  findings: readonly Pick<DiagnosticDocument, "severity" | "more">[],
  severities: readonly Severity[] = ["error", "warning"],
): string {
  const counts = severities.flatMap((severity) => {
    const count = findings.reduce((sum, one) => sum + (one.severity === severity ? (one.more ?? 1) : 0), 0);
    return count === 0 ? [] : [plural(count, LOOKS[severity].verb)];
  });
  return counts.join(", ");
}

export function validity(isValid: boolean, files: number, counts: string): Line {
  return line`${isValid ? "Valid" : "Not valid"}: ${plural(files, "file")} read${counts === "" ? "" : `, ${counts}`}.`;
}

/** `label`: if there is more to say than where it is. */
export function itemPlace(
  place: PlaceDocument,
  source: readonly MarkedLine[],
  context: ComposeContext,
  label: Line = placeLine(place, context),
): ItemPlace {
  return { label, at: { ...place, file: repositoryPath(context, place) }, source };
}

/** `links.yaml:4:3`, or in a page a link to the line. */
export function placeLine(place: PlaceDocument, context: ComposeContext): Line {
  const { isLog } = context;
  const at = `${place.file}:${place.line}${isLog ? `:${place.column}` : ""}`;
  const where = [code(at, isLog ? null : filePage(place, context))];
  return place.ref === undefined ? where : line`${where} at ${code(place.ref)}`;
}

/** The findings that reports show. A tripped brake has its own words, and some findings are only for `validate`. */
export function shownFindings({ diagnostics, brakes = [] }: ReportDocument): ReportDocument["diagnostics"] {
  return diagnostics.filter(({ code: name, hidden }) => hidden !== true && (brakes.length === 0 || name !== "brake"));
}

/** Nothing without findings. */
export function findingBlocks(
  title: string | Line,
  findings: readonly DiagnosticDocument[],
  context: ComposeContext,
): Block[] {
  const [first] = findings;
  if (first === undefined) return [];
  return [heading(LOOKS[first.severity].tone, line`${title}`), ...findingList(findings, context)];
}

/** Further findings are shown in a line each: nobody fixes two hundred mistakes in one go. */
const MAX_IN_FULL = 30;

/** Findings in their order. Four or more that differ only in their place are one item, except in a verbose log. */
export function findingList(findings: readonly DiagnosticDocument[], context: ComposeContext): Block[] {
  // The document counts the places that it leaves out in a separate finding.
  const moreAfter = new Map(findings.map((finding, at) => [finding, findings[at + 1]?.more ?? 0]));
  const merged =
    context.isVerbose === true
      ? findings.map((one) => [one])
      : groupIdentical(findings.filter((one) => one.more === undefined));
  const items = merged.flatMap((all) => findingItem(all, moreAfter, context));
  const bySeverity = BY_SEVERITY.flatMap((severity) => items.filter(({ verb }) => verb === LOOKS[severity].verb));
  const inFull = new Set(bySeverity.slice(0, context.hasAllFindings === true ? items.length : MAX_IN_FULL));
  const rest = items.filter((one) => !inFull.has(one)).map((one) => shortLine(one, context));
  const isOpen = findings.some(({ severity }) => severity === "error");
  const short = rest.length === 0 ? [] : [line`And ${showCount(rest.length)} more, in short:`, ...rest];
  const shown = items.filter((one) => inFull.has(one));
  return [...itemList(shown, isOpen), ...(context.isLog ? sentences("calm", short) : bullets(short))];
}

/** A finding in a line, with its place first. */
function shortLine({ verb, tag, title, notes = [], places = [] }: Item, { isLog }: ComposeContext): Line {
  const where = places.slice(0, 1).flatMap(({ label }) => line`${label} `);
  const hint = isLog ? [] : notes.flatMap((note) => line` → ${note.line}`);
  return line`${where}${verb}[${tag ?? ""}] ${title}${hint}`;
}

/** At most one. */
function placeOf({ source, file, line: number, column, end_column: end }: DiagnosticDocument): PlaceDocument[] {
  if (file === null) return source === undefined ? [] : [source];
  return [{ file, line: number ?? 1, column: column ?? 1, end_column: end ?? undefined }];
}

/** `all` differ only in their place. `moreAfter`: how many places the document leaves out after a finding. */
function findingItem(
  all: readonly DiagnosticDocument[],
  moreAfter: ReadonlyMap<DiagnosticDocument, number>,
  context: ComposeContext,
): Item[] {
  const count = all.reduce((sum, one) => sum + 1 + (moreAfter.get(one) ?? 0), 0);
  return all.slice(0, 1).map((finding) => {
    const { code: tag, severity, message, hint } = finding;
    const notes = [
      ...(hint === null ? [] : [prose(readable(hint))]),
      ...(all.length === 1 ? [] : [placesLine(all.flatMap(placeOf), count, context)]),
    ].map((note) => toned(note));
    return { ...LOOKS[severity], tag, title: prose(readable(message)), notes, places: findingPlaces(finding, context) };
  });
}

/** The place of a finding, with other lines of the same file in their order, and the other places. */
function findingPlaces(finding: DiagnosticDocument, context: ComposeContext): ItemPlace[] {
  const { excerpt = [], also = [] } = finding;
  const [own] = placeOf(finding);
  const linesOf = ({ says, excerpt: lines = [] }: RelatedDocument): MarkedLine[] =>
    lines.map((one) => ({ ...one, says: readable(says) }));
  const isHere = (one: RelatedDocument): boolean => one.file === own?.file && one.ref === own.ref;
  const lines = [...excerpt, ...also.filter(isHere).flatMap(linesOf)].toSorted((a, b) => a.line - b.line);
  return [
    ...(own === undefined ? [] : [itemPlace(own, lines, context)]),
    ...also.flatMap((one) => (isHere(one) ? [] : itemPlace(one, linesOf(one), context))),
  ];
}

/** More places of a merged finding are only counted. */
const MAX_PLACES = 3;

function placesLine(places: readonly PlaceDocument[], count: number, context: ComposeContext): Line {
  const named = places.slice(0, MAX_PLACES).map((place) => placeLine(place, context));
  const list = context.isLog ? " Add --verbose to list them all." : "";
  return line`${plural(count, "place")}: ${joinLines(named, ", ")} and ${showCount(count - named.length)} more.${list}`;
}

/** A message with long words cut in the middle. JSON has the full text. */
export function readable(text: string): string {
  return visible(text).replaceAll(/\S{100,}/g, (long) => `${long.slice(0, 48)}…${long.slice(-16)}`);
}
