// An explanation as text: where a visitor is sent, then each step with its source.

import { showPlace } from "../../domain/place.ts";
import { nameVersions, NOTES, type End, type VisitStep } from "../../domain/visit.ts";
import { capital, plural } from "../counts.ts";
import {
  answerText,
  doubtTexts,
  endText,
  noteCodes,
  destinationRows,
  stepBasis,
  stepText,
  timeText,
  type DestinationRow,
} from "../explain-text.ts";
import {
  groupVersions,
  type ExplainedSide,
  type ExplainReport,
  type FoundLink,
  type VersionGroup,
} from "../explanation.ts";
import type { Screen } from "./screen.ts";
import { visible } from "../../domain/control-characters.ts";
import { pad, widthOf, wrap } from "./width.ts";

const QUESTION: Readonly<Record<VisitStep["asks"], string>> = {
  expired: "Expired?",
  disabled: "Disabled?",
  password: "Password?",
  warning: "Warning?",
  destination: "Where to?",
  pixels: "Pixels?",
};

const QUESTION_WIDTH = Math.max(...Object.values(QUESTION).map((question) => question.length));
const INDENT = QUESTION_WIDTH + 4;

export function explainText(report: ExplainReport, screen: Screen): string {
  const { paint } = screen;
  const { side, asked } = report;
  const key = paint.bold(visible(side.key ?? asked));
  const from = side.from === "files" ? "According to the files: " : "According to the account: ";
  const head = `${key}\n  ${prose(`${from}${originText(side)}`, screen, 2)}\n`;
  const steps = stepsText(report, screen);
  const unknown = doubtTexts(side).map((text) => `${paint.yellow("?")} ${prose(text, screen, 2)}\n`);
  return `${head}\n${answerLines(side, screen)}${steps === "" ? "" : `\n${steps}`}${unknown.length === 0 ? "" : `\n${unknown.join("")}`}${notesText(report, screen)}`;
}

/** The answer, or that of each version if the version is unknown and the answers differ. */
function answerLines(side: ExplainedSide, screen: Screen): string {
  const versions = groupVersions(side.found);
  if (versions.length === 0)
    return `${screen.paint.bold(prose(answerText(side), screen, 0))}\n${destinationsText(side.found, screen)}`;
  return `${prose(VERSIONS_DIFFER, screen, 0)}\n${versionsText(versions, screen)}`;
}

const VERSIONS_DIFFER = "The answer depends on the version of the service, which is unknown.";

function versionsText(groups: readonly VersionGroup[], screen: Screen): string {
  const { paint } = screen;
  return groups
    .map(({ versions, visit: { end } }) => {
      const head = `${capital(nameVersions(versions))}:`;
      const says = wrap(endText(end), screen.columns, 4, head.length + 3);
      return `  ${head} ${paint.bold(says)}\n${endDestinationsText(end, screen)}`;
    })
    .join("");
}

function prose(text: string, { columns }: Screen, indent: number): string {
  return wrap(text, columns, indent);
}

function originText({ from, place, found, id }: ExplainedSide): string {
  if (from === "files") return place === null ? "no file declares it" : visible(showPlace(place));
  if (found.is !== "link") return "no such link";
  return `id ${id ?? "unknown"}`;
}

/** The visitor, the time, and the clicks until then. */
function visitorText({ visitor, zone, side: { found, clicks } }: ExplainReport): string {
  // The steps are those of one version.
  const on = found.is === "link" && groupVersions(found).length > 0 ? `, on ${nameVersions([found.version])}` : "";
  if (visitor.isCrawler) return `For a crawler, at ${timeText(visitor.at, zone)}${on}`;
  const known = [...visitor.is].map(([word, key]) => `${word} ${key === null ? "other" : visible(key)}`);
  const who = known.length === 0 ? "any visitor" : `a visitor with ${known.join(", ")}`;
  const after = found.is === "link" && clicks !== null ? `, after ${plural(clicks, "click")}` : "";
  return `For ${who}, at ${timeText(visitor.at, zone)}${after}${on}`;
}

function destinationsText(found: FoundLink, screen: Screen): string {
  return found.is === "link" ? endDestinationsText(found.visit.end, screen) : "";
}

function endDestinationsText(end: End, screen: Screen): string {
  return end.kind !== "sent on" || end.ways.length < 2 ? "" : rowsText(destinationRows(end.ways), screen, 2);
}

/** A row for each destination: who, where to, and its place, on the same line if it fits. */
function rowsText(rows: readonly DestinationRow[], { columns, paint }: Screen, indent: number): string {
  const width = Math.max(...rows.map(({ who }) => widthOf(who)));
  return rows
    .map(({ who, to, place }) => {
      const line = `${" ".repeat(indent)}${pad(who, width)}  ${to}`;
      const where = place === null ? "" : paint.dim(`  ${visible(showPlace(place))}`);
      const isRoom = columns === null || widthOf(line) + widthOf(where) <= columns;
      return `${line}${where === "" || isRoom ? where : `\n${" ".repeat(indent + width + 2)}${where.trimStart()}`}\n`;
    })
    .join("");
}

function stepsText(report: ExplainReport, screen: Screen): string {
  const { found } = report.side;
  const steps = found.is === "link" ? found.visit.steps.filter(({ isReached }) => isReached) : [];
  const lines = steps.map((step) => {
    const label = QUESTION[step.asks].padEnd(QUESTION_WIDTH);
    return `  ${screen.paint.bold(label)}  ${prose(lineOf(stepText(step, report.zone), step), screen, INDENT)}\n`;
  });
  return lines.length === 0
    ? ""
    : `${screen.paint.dim(prose(`${visitorText(report)}:`, screen, 0))}\n${lines.join("")}`;
}

function lineOf(sentence: string, step: VisitStep): string {
  const { place } = step;
  const basis = stepBasis(step);
  const where = place === null ? "" : ` (${visible(showPlace(place))})`;
  return `${sentence}${where}${basis === null ? "" : ` [${basis}]`}`;
}

const NOTE_HEADINGS = {
  doubtful: "Doubtful: observed on a test installation. Your service can differ:",
  unknown: "Unknown:",
} as const;

/** The facts behind the answer that are not certain. */
function notesText({ side }: ExplainReport, screen: Screen): string {
  const { paint } = screen;
  const codes = new Set(noteCodes(side));
  const notes = [...codes].map((code) => NOTES[code]);
  return (["doubtful", "unknown"] as const)
    .map((basis) => {
      const lines = notes.flatMap((note) => (note.basis === basis ? [`  - ${prose(note.says, screen, 4)}\n`] : []));
      return lines.length === 0 ? "" : `\n${paint.dim(prose(NOTE_HEADINGS[basis], screen, 0))}\n${lines.join("")}`;
    })
    .join("");
}
