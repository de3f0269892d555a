// Reports as GitHub annotations, shown beside source lines on the page of the run and in the pull request.
//
// Reviewers see the diff of the files already, so a plan is annotated only with what the diff does not show: everything below a heading
// that warns, such as short URLs that stop working. The rest is in one notice. The `markdown` format has all changes.

import { plainText, trimSurrogates, type HeadingBlock, type Item, type Line } from "../blocks.ts";
import { composeReport } from "../compose.ts";
import { DIFFERING } from "../compose-changes.ts";
import { capital } from "../counts.ts";
import { plural } from "../../domain/words.ts";
import { fullReport, runsOf, type Format, type RenderContext, type ReportedCommand, type Run } from "../format.ts";
import { hasUnseen, visible } from "../../domain/control-characters.ts";
import { isOutsideProject } from "../../domain/place.ts";
import { drawBlocks } from "../text/blocks.ts";
import { PLAIN } from "../text/screen.ts";
import type { PlaceDocument } from "../json/schema.ts";

/** GitHub shows 10 annotations of each level for a step, and 50 for a job. */
const MAX_PER_LEVEL = 10;

/** The limits of titles in GitHub's API and of messages in its runner. */
const MAX_TITLE_LENGTH = 255;
const MAX_MESSAGE_LENGTH = 4096;

const LEVELS = ["error", "warning", "notice"] as const;
type Level = (typeof LEVELS)[number];

/** Texts contain no invisible characters; `message` can have several lines. The place is from the root of the repository. */
interface Annotation {
  readonly level: Level;
  readonly title: string;
  readonly message: string;
  readonly place: PlaceDocument | null;
}

export const github: Format = (report, context) => {
  const runs = runsOf(report, context.project);
  const all = runs.flatMap((run) => annotationsOf(run, context));
  const rest = fullReport(context, runs[0]?.command ?? "plan");
  const shown = LEVELS.flatMap((level) => within(all, level, rest));
  return shown.map(commandText).join("");
};

/** Up to the limit. The last annotation counts the others, which are in `rest`. */
function within(all: readonly Annotation[], level: Level, rest: Line): readonly Annotation[] {
  const found = all.filter((one) => one.level === level);
  if (found.length <= MAX_PER_LEVEL) return found;
  const shown = found.slice(0, MAX_PER_LEVEL - 1);
  const title = `And ${plural(found.length - shown.length, `more ${level}`)}`;
  return [...shown, { level, title, message: `Full report: ${plainText(rest)}`, place: null }];
}

function annotationsOf({ report: document, command, project }: Run, render: RenderContext): Annotation[] {
  const context = { ...render, project, isLog: false, hasAllFindings: true };
  const { title, lead, blocks } = composeReport(document, command, context);
  const { run, complete, changes = [], missing = [] } = document;
  const found: Annotation[] = [];
  let section: HeadingBlock | null = null;
  for (const block of blocks) {
    if (block.is === "heading") section = block;
    if (block.is === "alert") {
      // People review a pull request, so a brake that will stop its deploy is a warning there.
      const level = command === "plan" && render.origin?.of === "request" ? "warning" : "error";
      found.push({ level, title: "linkform: brake", message: linesText(block.lines), place: null });
    }
    if (block.is !== "items") continue;
    for (const item of block.items) {
      const isMeant =
        item.tag === undefined
          ? section?.tone !== "calm" && (run === undefined || item.symbol === FAILED || item.symbol === SKIPPED)
          : command === "validate" || item.symbol !== NOTE;
      if (isMeant) found.push(itemAnnotation(item, command, section?.line ?? []));
    }
  }
  if (complete !== true || changes.length === 0) return found;
  const level = missing.length > 0 ? "warning" : "notice";
  // A repository can have several projects.
  const about = `linkform: ${visible(project)}`;
  return [...found, { level, title: about, message: linesText([title, ...lead]), place: null }];
}

function linesText(lines: readonly Line[]): string {
  return lines.map(plainText).join("\n");
}

/**
 * The symbols of notes, which would distract from a plan, of failed changes and errors, of changes that were skipped, and of objects that
 * are no longer in the files.
 */
const [NOTE, FAILED, SKIPPED, ORPHAN] = ["i", "✗", "○", "?"] as const;

/** For objects that were probably not renamed. */
const TO_DELETE = "Removing a block deletes nothing. To delete this object, add a tombstone (`absent`).";

/** A finding as sentences; a change, or a group, with its first line in a log as title. */
function itemAnnotation(item: Item, command: ReportedCommand, section: Line): Annotation {
  const { symbol, tag, notes = [], rows = [], places = [], paste, members = [] } = item;
  const level = symbol === FAILED ? "error" : symbol === NOTE ? "notice" : "warning";
  // A group has its annotation at its first member.
  const [place = null] = [item, ...members].flatMap((one) => (one.places ?? []).flatMap(({ at }) => at ?? []));
  if (tag === undefined) {
    const text = drawBlocks([{ is: "items", isOpen: true, items: [{ ...item, places: [] }] }], PLAIN);
    const [first = "", ...rest] = text.trimEnd().split(/\n(?: {4})?/);
    const isDifference = command === "drift" && rows.some(({ before }) => before !== null);
    const about = isDifference ? [DIFFERING] : symbol === ORPHAN && paste === undefined ? [TO_DELETE] : [];
    const message = [...(first.length > MAX_TITLE_LENGTH ? [first] : []), ...rest, ...about].join("\n");
    const what = first.slice(symbol.length).trim();
    // The heading is `Outdated: 2 changes` or `No longer declared, but still live: 1 object`.
    const [state = ""] = plainText(section).split(/[,:]/);
    const title = symbol === FAILED || symbol === SKIPPED || symbol === ORPHAN ? `${state}: ${what}` : capital(what);
    return { level, title, message: message || plainText(section), place };
  }
  const others = places.flatMap(({ at, source }) =>
    source.flatMap(({ line, says }) => (says === undefined ? [] : visible(`${at?.file ?? ""}:${line}: ${says}`))),
  );
  const lines = [item.title, ...notes.map((note) => note.line)].map(plainText);
  return { level, title: `linkform: ${tag}`, message: [...lines, ...others].join("\n"), place };
}

/** If no line can be marked, the message contains the place. */
function commandText({ level, title, message, place }: Annotation): string {
  // A line of another commit cannot be marked, nor a file whose name has control characters.
  const isMarked = place !== null && place.ref === undefined && !isOutsideProject(place) && !hasUnseen(place.file);
  const { file = "", line = 1, column = 1, end_column: end = column + 1, ref = null } = place ?? {};
  const at = isMarked ? { file, line, col: column, endColumn: Math.max(end - 1, column) } : {};
  const properties = Object.entries({ ...at, title: shortened(title.trim(), MAX_TITLE_LENGTH) });
  const escaped = (text: string): string => escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
  const written = properties.map(([name, value]) => `${name}=${escaped(String(value))}`).join(",");
  const where = visible(`${file}:${line}${ref === null ? "" : ` at ${ref}`}`);
  const whole = place === null || isMarked ? message : `${message}\n${where}`;
  return `::${level} ${written}::${escapeData(shortened(whole, MAX_MESSAGE_LENGTH))}\n`;
}

/** The runner unescapes it (actions/runner, `ActionCommand.cs`). */
function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function shortened(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${trimSurrogates(text.slice(0, max - 1))}…`;
}
