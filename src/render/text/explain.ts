// An explanation as text: where a visitor is sent, then each step with its source.

import { showPlace } from "../../domain/place.ts";
import { nameVersions, NOTES, type Basis, type End, type VisitStep } from "../../domain/visit.ts";
import { capital, plural } from "../../view/counts.ts";
import {
  answerText,
  doubtTexts,
  endText,
  noteCodes,
  destinationRows,
  stepBasis,
  stepText,
  timeText,
  utmRows,
  type DestinationRow,
} from "../../view/explain-text.ts";
import {
  isSameForVisitors,
  groupVersions,
  type ExplainedSide,
  type ExplainReport,
  type FoundLink,
  type VersionGroup,
} from "../../view/explanation.ts";
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
  const [first, second] = report.sides;
  if (first === undefined) return "";
  const head = headText(report, screen);
  const answers =
    second === undefined ? oneSideText(first, report, screen) : bothSidesText(report, first, second, screen);
  const steps = stepsText(report, screen);
  const doubts = report.sides.flatMap((side) => doubtTexts(side).map((text) => ({ side, text })));
  const unknown = doubts.map(({ side, text }) => {
    const whose = second === undefined ? "" : side.from === "files" ? "Files: " : "Live: ";
    return `${paint.yellow("?")} ${prose(`${whose}${text}`, screen, 2)}\n`;
  });
  return `${head}\n${answers}${steps === "" ? "" : `\n${steps}`}${unknown.length === 0 ? "" : `\n${unknown.join("")}`}${notesText(report, screen)}`;
}

/** The answer of one side, or of each version if the version is unknown and the answers differ. */
function oneSideText(side: ExplainedSide, { asked }: ExplainReport, screen: Screen): string {
  const versions = groupVersions(side.found);
  if (versions.length === 0)
    return `${screen.paint.bold(prose(answerText(side, asked), screen, 0))}\n${destinationsText(side.found, screen)}`;
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

/** The link, and a line for each side. */
function headText({ asked, sides }: ExplainReport, screen: Screen): string {
  const key = sides.map((side) => side.key).find((one) => one !== null) ?? asked;
  const lines = sides.map((side) => {
    const text =
      sides.length === 1 ? (side.from === "files" ? FILES_ONLY : LIVE_ONLY) : `${side.from.padEnd(LABEL_WIDTH)}  `;
    return `  ${prose(`${text}${originText(side)}`, screen, sides.length === 1 ? 2 : LABEL_WIDTH + 4)}\n`;
  });
  return `${screen.paint.bold(visible(key))}\n${lines.join("")}`;
}

const FILES_ONLY = "According to the files: ";
const LIVE_ONLY = "According to the account: ";

function originText({ from, place, found, id }: ExplainedSide): string {
  if (from === "files") return place === null ? "no file declares it" : visible(showPlace(place));
  if (found.is !== "link") return "no such link";
  return `id ${id ?? "unknown"}`;
}

/** The visitor, the time, and the clicks until then. */
function visitorText({ visitor, zone, sides }: ExplainReport): string {
  // The steps are those of one version.
  const [version] = sides.flatMap(({ found }) =>
    groupVersions(found).length > 0 && found.is === "link" ? found.version : [],
  );
  const on = version === undefined ? "" : `, on ${nameVersions([version])}`;
  if (visitor.isCrawler) return `For a crawler, at ${timeText(visitor.at, zone)}${on}`;
  const known = [...visitor.is].map(([word, key]) => `${word} ${key === null ? "other" : visible(key)}`);
  const who = known.length === 0 ? "any visitor" : `a visitor with ${known.join(", ")}`;
  const clicks = new Set(
    sides.flatMap((side) => (side.found.is === "link" && side.clicks !== null ? [side.clicks] : [])),
  );
  const after = [...clicks].map((count) => `, after ${plural(count, "click")}`);
  return `For ${who}, at ${timeText(visitor.at, zone)}${after.length === 1 ? after.join("") : ""}${on}`;
}

function destinationsText(found: FoundLink, screen: Screen): string {
  return found.is === "link" ? endDestinationsText(found.visit.end, screen) : "";
}

function endDestinationsText(end: End, screen: Screen): string {
  const rows = end.kind !== "sent on" || end.ways.length < 2 ? "" : rowsText(destinationRows(end.ways), screen, 2);
  const utm = utmRows(end).map(([path, value]) => ({ who: path, to: value, place: null }));
  return `${rows}${utm.length === 0 ? "" : rowsText(utm, screen, 2)}`;
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

function bothSidesText(report: ExplainReport, files: ExplainedSide, live: ExplainedSide, screen: Screen): string {
  const { paint, columns } = screen;
  const isSame = isSameForVisitors(report.sides);
  const [one, other] = [answerText(files, report.asked), answerText(live, report.asked)];
  const versions = [files, live].some(({ found }) => groupVersions(found).length > 0);
  const lines = sideText(files, one, screen) + sideText(live, other, screen);
  if (isSame === null) return lines;
  if (!isSame)
    return `${paint.yellow("The files and the live link differ.")} The files show the link after an apply.\n${lines}`;
  if (one !== other || versions) return `${paint.green("Visitors get the same result.")}\n${lines}`;
  const answer = wrap(one, columns, 0, THE_SAME.length + 1);
  return `${paint.green(THE_SAME)} ${paint.bold(answer)}\n${destinationsText(files.found, screen)}`;
}

const THE_SAME = "Same result:";

/** Fits "files" and "live". */
const LABEL_WIDTH = 5;

function sideText(side: ExplainedSide, answer: string, screen: Screen): string {
  const indent = LABEL_WIDTH + 4;
  const versions = groupVersions(side.found);
  const below = versions.length === 0 ? destinationsText(side.found, screen) : versionsText(versions, screen);
  const table = below.replaceAll(/^(?=.)/gm, " ".repeat(indent - 2));
  return `  ${screen.paint.bold(side.from.padEnd(LABEL_WIDTH))}  ${prose(versions.length === 0 ? answer : VERSIONS_DIFFER, screen, indent)}\n${table}`;
}

function stepsText(report: ExplainReport, screen: Screen): string {
  const { paint } = screen;
  const sides = report.sides.flatMap(({ from, found }) =>
    found.is === "link" ? [{ from, steps: found.visit.steps }] : [],
  );
  const asked = new Set(sides.flatMap(({ steps }) => steps.flatMap((step) => (step.isReached ? [step.asks] : []))));
  const order = [...new Set(sides.flatMap(({ steps }) => steps.map((step) => step.asks)))];
  const lines = order
    .filter((question) => asked.has(question))
    .map((question) => {
      const answers = sides.map(({ from, steps }) => {
        const step = steps.find(({ asks }) => asks === question);
        return step?.isReached === true ? { from, step, says: stepText(step, report.zone) } : { from, says: null };
      });
      const isSame = answers.every((one) => one.says === answers[0]?.says);
      return (isSame ? answers.slice(0, 1) : answers)
        .map((one, at) => {
          const label = (at === 0 ? QUESTION[question] : "").padEnd(QUESTION_WIDTH);
          return `  ${paint.bold(label)}  ${prose(`${isSame ? "" : `${one.from}: `}${one.says === null ? "not reached" : lineOf(one.says, one.step)}`, screen, INDENT)}\n`;
        })
        .join("");
    });
  return lines.length === 0 ? "" : `${paint.dim(prose(`${visitorText(report)}:`, screen, 0))}\n${lines.join("")}`;
}

function lineOf(sentence: string, step: VisitStep): string {
  const { place } = step;
  const basis = stepBasis(step);
  const where = place === null ? "" : ` (${visible(showPlace(place))})`;
  return `${sentence}${where}${basis === null ? "" : ` [${BASIS[basis]}]`}`;
}

const NOTE_HEADINGS = {
  observed: "Observed on a running service, but not documented:",
  doubtful: "Doubtful: observed on a test installation. Your service can differ:",
  unknown: "Unknown:",
} as const;

const BASIS: Readonly<Record<Basis, string>> = {
  documented: "documented",
  observed: "observed",
  doubtful: "doubtful",
  unknown: "unknown",
};

/** The facts behind the answer that the service does not document. */
function notesText({ sides }: ExplainReport, screen: Screen): string {
  const { paint } = screen;
  const codes = new Set(sides.flatMap(noteCodes));
  const notes = [...codes].map((code) => NOTES[code]);
  return (["observed", "doubtful", "unknown"] as const)
    .map((basis) => {
      const lines = notes.flatMap((note) => (note.basis === basis ? [`  - ${prose(note.says, screen, 4)}\n`] : []));
      return lines.length === 0 ? "" : `\n${paint.dim(prose(NOTE_HEADINGS[basis], screen, 0))}\n${lines.join("")}`;
    })
    .join("");
}
