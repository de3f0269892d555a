// A list of live objects as a table.

import { showPlace } from "../../domain/place.ts";
import { SEARCHED_FIELDS } from "../../domain/filter.ts";
import { blockFields, DESTINATION_FIELD, FIELDS, REFERENCE_FIELD, TYPE_FIELD } from "../../domain/table.ts";
import { plural, showCount } from "../../view/counts.ts";
import { shown } from "../../view/confusables.ts";
import { isList, isSetSecret, liveWords, type Word } from "../../view/values.ts";
import type { Screen } from "./screen.ts";
import type { ListReport } from "../../view/inspect.ts";
import { drawTable, type TableColumn } from "./table.ts";
import { visible } from "../../domain/control-characters.ts";
import { wrap } from "./width.ts";

/** Terminals at least this wide show more of a destination. */
const WIDE_COLUMNS = 60;

/** Marks of rows that a file declares or a tombstone names. */
const DECLARED = "✓";
const ABSENT = "-";

/** The status of an object with an unreadable field: what visitors get is unknown. */
const UNREADABLE = "unreadable";

/** The table, and a last line with the counts. */
export function listText(report: ListReport, screen: Screen): string {
  const { rows, kind } = report;
  if (rows.length === 0) return `${wrap(emptyText(report), screen.columns, 0)}\n`;
  const words = rows.map(({ live }) => liveWords(live, report.zones));
  const columns = kind === "link" ? linkColumns(report, words, screen) : pixelColumns(report, words, screen);
  const { lines, omitted } = drawTable(columns, screen);
  const { dim } = screen.paint;
  const hint =
    omitted.length === 0 ? [] : [`No room for ${omitted.join(", ")}: a wider terminal or \`--format csv\` has them.`];
  const end = [...hint.map((line) => dim(wrap(line, screen.columns, 0))), wrap(countText(report), screen.columns, 0)];
  return `${lines.join("\n")}\n\n${end.join("\n")}\n`;
}

function emptyText({ kind, isFiltered, search, requests }: ListReport): string {
  const others = kind === "link" ? SEARCHED_FIELDS.filter((field) => field !== search?.in) : [];
  const elsewhere =
    others.length === 0 ? "" : ` ${others.map((field) => `--by ${field}`).join(" and ")} search elsewhere.`;
  const had = search === null ? "" : ` with \`${visible(search.text)}\` in its ${search.in}`;
  const what = isFiltered ? `No ${kind}${had === "" ? " is like that" : `${had} was found`}` : `There are no ${kind}s`;
  return `${what}; ${plural(requests, "request")}.${search === null ? "" : elsewhere}`;
}

function countText({ rows, kind, total, sort, requests, hasProject }: ListReport): string {
  const order = { desc: "newest first", asc: "oldest first", max: "most clicks first", min: "fewest clicks first" }[
    sort
  ];
  const count =
    total === rows.length
      ? plural(rows.length, kind)
      : `${showCount(rows.length)} of ${total === null ? `more ${kind}s` : plural(total, kind)}`;
  const declared = rows.filter((seen) => seen.declared !== null).length;
  const absent = rows.filter((seen) => seen.absent !== null).length;
  const parts = [
    ...(hasProject ? [`${DECLARED} ${showCount(declared)} declared`] : []),
    ...(absent === 0 ? [] : [`${ABSENT} ${showCount(absent)} to be deleted (tombstones)`]),
  ];
  return `${[`${count}, ${order}`, ...parts, plural(requests, "request")].join("; ")}.`;
}

function leadingColumns({ rows }: ListReport, head: string, { columns, paint }: Screen): TableColumn[] {
  return [
    {
      head: "",
      cells: rows.map(({ declared, absent }) => (declared !== null ? DECLARED : absent !== null ? ABSENT : "")),
      minWidth: 1,
      rank: null,
      color: (text) => (text === DECLARED ? paint.green(text) : paint.red(text)),
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

/** Access restrictions: a password, or statistics that are not at their default. */
function accessText(words: ReadonlyMap<string, Word>): string {
  return FIELDS.link
    .flatMap((field) => {
      const word = words.get(field.path) ?? null;
      if (field.kind === "secret" && field.worksWith === null && isSetSecret(word)) return [field.path];
      const isOther =
        field.kind === "word" && field.opens !== null && word !== field.default && typeof word === "string";
      return isOther ? [`${visible(word)} stats`] : [];
    })
    .join(", ");
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
