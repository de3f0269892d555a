// A list of live objects as a table.

import { showPlace } from "../../domain/place.ts";
import { blockFields, DESTINATION_FIELD, FIELDS, REFERENCE_FIELD, TYPE_FIELD } from "../../domain/table.ts";
import { showCount } from "../counts.ts";
import { shown } from "../confusables.ts";
import { isList, liveWords, type Word } from "../values.ts";
import type { Screen } from "./screen.ts";
import { accessText, declaredMark, DECLARED_MARK, emptyListText, listCounts, type ListReport } from "../inspect.ts";
import { drawTable, type TableColumn } from "./table.ts";
import { visible } from "../../domain/control-characters.ts";
import { wrap } from "./width.ts";

/** Terminals at least this wide show more of a destination. */
const WIDE_COLUMNS = 60;

/** The status of an object with an unreadable field: what visitors get is unknown. */
const UNREADABLE = "unreadable";

/** The table, and a last line with the counts. */
export function listText(report: ListReport, screen: Screen): string {
  const { rows, kind } = report;
  if (rows.length === 0) return `${wrap(emptyListText(report), screen.columns, 0)}\n`;
  const words = rows.map(({ live }) => liveWords(live, report.zones));
  const columns = kind === "link" ? linkColumns(report, words, screen) : pixelColumns(report, words, screen);
  const { lines, omitted } = drawTable(columns, screen);
  const { dim } = screen.paint;
  const hint =
    omitted.length === 0 ? [] : [`Hidden columns: ${omitted.join(", ")}. Use a wider terminal, or \`--format csv\`.`];
  const end = [...hint.map((line) => dim(wrap(line, screen.columns, 0))), wrap(listCounts(report), screen.columns, 0)];
  return `${lines.join("\n")}\n\n${end.join("\n")}\n`;
}

function leadingColumns({ rows }: ListReport, head: string, { columns, paint }: Screen): TableColumn[] {
  return [
    {
      head: "",
      cells: rows.map(declaredMark),
      minWidth: 1,
      rank: null,
      color: (text) => (text === DECLARED_MARK ? paint.green(text) : paint.red(text)),
    },
    {
      head,
      cells: rows.map(({ live }) => visible(live.key === "" ? `#${live.id}` : live.key)),
      minWidth: Math.max(12, Math.floor((columns ?? 0) * 0.4)),
      rank: null,
      isUncut: true,
      color: paint.bold,
    },
  ];
}

function trailingColumns({ rows }: ListReport, { paint }: Screen): TableColumn[] {
  return [
    {
      head: "DECLARED",
      cells: rows.map(({ declared, absent }) => {
        const place = declared ?? absent;
        return place === null ? "" : visible(showPlace(place).replace(/:\d+$/, ""));
      }),
      minWidth: 24,
      rank: 5,
      color: paint.dim,
    },
    {
      head: "ID",
      cells: rows.map(({ live }) => `#${live.id}`),
      minWidth: 8,
      rank: 6,
      isNumber: true,
      color: paint.dim,
    },
  ];
}

type RowValues = readonly ReadonlyMap<string, Word>[];

function linkColumns(report: ListReport, words: RowValues, screen: Screen): TableColumn[] {
  const { rows, search } = report;
  const { paint, columns } = screen;
  const cells = (path: string): string[] => words.map((all) => cellText(all.get(path) ?? null));
  const searchesTitle = search !== null && !FIELDS.link.some(({ path }) => path === search.in);
  return [
    ...leadingColumns(report, "KEY", screen),
    {
      head: "DESTINATION",
      cells: shortened(cells(DESTINATION_FIELD), columns),
      minWidth: (columns ?? WIDE_COLUMNS) < WIDE_COLUMNS ? 8 : 24,
      rank: null,
    },
    {
      head: "STATUS",
      cells: rows.map(({ statuses, unreadable }) => (unreadable.length > 0 ? UNREADABLE : statuses.join(", "))),
      minWidth: 8,
      rank: null,
      color: (text, row) => (rows[row]?.statuses[0] === "active" ? paint.green : paint.yellow)(text),
    },
    {
      head: "CLICKS",
      cells: rows.map(({ live }) => (live.clicks === null ? "" : showCount(live.clicks))),
      minWidth: 11,
      rank: 1,
      isNumber: true,
    },
    { head: "ACCESS", cells: words.map(accessText), minWidth: 14, rank: 2 },
    { head: "SPACE", cells: cells(REFERENCE_FIELD.space), minWidth: 10, rank: 3 },
    { head: "PIXELS", cells: cells(REFERENCE_FIELD.pixel), minWidth: 10, rank: 4 },
    ...trailingColumns(report, screen),
    { head: "TITLE", cells: rows.map(({ title }) => shown(title ?? "")), minWidth: 20, rank: searchesTitle ? 0.5 : 7 },
  ];
}

function pixelColumns(report: ListReport, words: RowValues, screen: Screen): TableColumn[] {
  const others = blockFields("pixel");
  return [
    ...leadingColumns(report, "NAME", screen),
    ...others.map(({ path }): TableColumn => ({
      head: path.toUpperCase(),
      cells: words.map((all, at) =>
        path === TYPE_FIELD && (report.rows[at]?.unreadable.length ?? 0) > 0
          ? UNREADABLE
          : cellText(all.get(path) ?? null),
      ),
      minWidth: path === TYPE_FIELD ? 18 : 16,
      rank: null,
    })),
    ...trailingColumns(report, screen),
  ];
}

/** A value on one line. */
function cellText(word: Word): string {
  if (word === null) return "";
  if (typeof word === "object") return isList(word) ? word.map(visible).join("; ") : "(unknown)";
  return shown(String(word));
}

/** On a terminal, where URLs are cut, the common `https://` is dropped. */
function shortened(addresses: readonly string[], columns: number | null): string[] {
  return columns === null ? [...addresses] : addresses.map((address) => address.replace(/^https:\/\/(?=.)/i, ""));
}
