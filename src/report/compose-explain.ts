// An explanation as blocks: where a visitor is sent, then each step with its source, and what is not certain.

import { groupBy } from "../domain/collections.ts";
import { visible } from "../domain/control-characters.ts";
import { showPlace } from "../domain/place.ts";
import { nameVersions } from "../domain/visit.ts";
import { sentences, toned, twoColumns, code, line, prose, strong, type Line, type LogBlock } from "./blocks.ts";
import { shown } from "./values.ts";
import { capital, timeText } from "./counts.ts";
import { plural } from "../domain/words.ts";
import type { ExplainDocument, SideDocument, VisitDocument } from "./json/explain.ts";
import type { PlaceDocument } from "./json/schema.ts";

const BASES = [
  ["doubtful", "Doubtful: observed on a test installation. Your service can differ:"],
  ["unknown", "Unknown:"],
] as const;

export function explainLog(document: ExplainDocument): LogBlock[] {
  return document.sides.flatMap((side) => sideLog(side, document));
}

function sideLog(side: SideDocument, document: ExplainDocument): LogBlock[] {
  const { key, by_version: versions, notes } = side;
  const from = line`According to the ${side.from === "files" ? "files" : "account"}: ${originLine(side)}`;
  const name = [{ text: key ?? document.asked ?? "", as: "strong code" as const }];
  // Versions with the same answer share a line.
  const answers = groupBy(versions, ({ version: _version, ...answer }) => JSON.stringify(answer));
  const reached = side.steps.filter((step) => step.reached);
  const steps = reached.map(({ asks, says, source, basis }) => [
    toned([strong(asks === "destination" ? "Where to?" : `${capital(asks)}?`)]),
    toned(line`${prose(says)}${inParentheses(source)}${basis === null ? "" : ` [${basis}]`}`),
  ]);
  const doubts = side.unknown_says.map((says) => [toned(line`?`, "warn"), toned(prose(says))]);
  return [
    { is: "heading", level: 1, tone: "calm", line: name, lead: from },
    ...(answers.size === 0
      ? [answerTable(side, [])]
      : sentences("calm", [line`The answer depends on the version of the service, which is unknown.`])),
    ...[...answers.values()].flatMap((same) => {
      const head = line`${capital(nameVersions(same.map(({ version }) => version)))}: `;
      return same.slice(0, 1).map((one) => answerTable(one, head));
    }),
    ...(steps.length === 0 ? [] : [twoColumns(toned(line`${visitorLine(side, document)}:`, "muted"), 2, steps)]),
    ...(doubts.length === 0 ? [] : [twoColumns(null, 0, doubts)]),
    ...BASES.flatMap(([basis, title]) => {
      const own = notes.filter((note) => note.basis === basis).map(({ says }) => line`  - ${prose(says)}`);
      return own.length === 0 ? [] : sentences("calm", [line`${title}`, ...own]);
    }),
  ];
}

function answerTable({ says, goes_to: routes }: VisitDocument, before: Line): LogBlock {
  const rows = routes.map(({ who, url, source }) => [
    toned([code(whoText(who))]),
    toned(line`${shown(url)}${inParentheses(source)}`),
  ]);
  return twoColumns(toned(line`${before}${[{ text: says, as: "strong code" }]}`), 2, rows.length < 2 ? [] : rows);
}

function whoText(who: VisitDocument["goes_to"][number]["who"]): string {
  if (who.by === "key") return who.key;
  if (who.by === "turn") return `${who.turn} of ${who.turns}`;
  return who.by === "others" ? "all others" : who.by;
}

function originLine({ from, source, found, id }: SideDocument): Line {
  if (from === "files") return source === null ? line`no file declares it` : [code(showPlace(source))];
  return found === "link" ? line`id ${String(id ?? "unknown")}` : line`no such link`;
}

function inParentheses(place: PlaceDocument | null): Line {
  return place === null ? [] : line` (${code(showPlace(place))})`;
}

function visitorLine({ by_version: [first], clicks }: SideDocument, { visitor, timezone }: ExplainDocument): string {
  const at = visitor === null ? "" : `, at ${timeText(visitor.at, timezone ?? "UTC")}`;
  // The steps are those of one version.
  const on = first === undefined ? "" : `, on ${nameVersions([first.version])}`;
  if (visitor?.crawler === true) return `For a crawler${at}${on}`;
  const known = Object.entries(visitor?.is ?? {}).map(([word, key]) => `${word} ${visible(key ?? "other")}`);
  const who = known.length === 0 ? "any visitor" : `a visitor with ${known.join(", ")}`;
  return `For ${who}${at}${clicks === null ? "" : `, after ${plural(clicks, "click")}`}${on}`;
}
