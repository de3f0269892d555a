// A list of live objects as a table.

import { visible } from "../domain/control-characters.ts";
import { SEARCHED_FIELDS } from "../domain/filter.ts";
import { blockFields, DESTINATION_FIELD, FIELDS, REFERENCE_FIELD, TYPE_FIELD } from "../domain/table.ts";
import { sentences, toned, code, line, type LogBlock, type TableColumn, type TonedLine } from "./blocks.ts";
import { shown } from "./confusables.ts";
import { listText, plural, showCount } from "../domain/words.ts";
import type { ListDocument, RecordDocument } from "./json/inspect.ts";
import { isList, isSetSecret } from "./values.ts";

const DECLARED_MARK = "✓";
const ABSENT_MARK = "-";

type ListColumn = TableColumn & { readonly cellOf: (row: RecordDocument) => string | TonedLine };

/** `columns`: the width of the terminal; null without one. */
export function listLog(document: ListDocument, columns: number | null): LogBlock[] {
  const { rows, kind } = document;
  if (rows.length === 0) return sentences("calm", [line`${emptyText(document)}`]);
  const all = kind === "pixel" ? pixelColumns(columns) : linkColumns(columns);
  const cells = rows.map((row) =>
    all.map(({ cellOf }) => cellOf(row)).map((one) => (typeof one === "string" ? toned(line`${one}`) : one)),
  );
  return [{ is: "table", indent: 0, columns: all, rows: cells, foot: line`${countsText(document)}` }];
}

const columnOf =
  (isKept: boolean) =>
  (head: string, min: number, cellOf: ListColumn["cellOf"]): ListColumn => ({ head, min, fit: "cut", isKept, cellOf });
const [kept, optional] = [columnOf(true), columnOf(false)];

function leading(head: string, columns: number | null): ListColumn[] {
  const name = ({ key, id }: RecordDocument): TonedLine =>
    toned([{ text: key === "" ? `#${id}` : key, as: "strong code" }]);
  return [
    kept("", 1, ({ declared, absent }) =>
      declared !== null
        ? toned(line`${DECLARED_MARK}`, "good")
        : absent === null
          ? ""
          : toned(line`${ABSENT_MARK}`, "bad"),
    ),
    { ...kept(head, Math.max(12, Math.floor((columns ?? 0) * 0.4)), name), fit: "whole" },
  ];
}

const TRAILING: readonly ListColumn[] = [
  optional("DECLARED", 24, ({ declared, absent }) => {
    const place = declared ?? absent;
    return place === null ? "" : toned([code(`${place.file}:${place.line}`)], "muted");
  }),
  { ...optional("ID", 8, ({ id }) => toned(line`#${String(id)}`, "muted")), isRight: true },
];

/** Terminals at least this wide show more of a destination. */
const WIDE_COLUMNS = 60;

/** The status of an object with an unreadable field: what visitors get is unknown. */
const UNREADABLE = "unreadable";

function linkColumns(columns: number | null): ListColumn[] {
  // On a terminal, where URLs are cut, the common `https://` is dropped.
  const dropped = columns === null ? "" : /^https:\/\/(?=.)/i;
  const clicks = optional("CLICKS", 11, (row) => (row.clicks === null ? "" : showCount(row.clicks)));
  return [
    ...leading("KEY", columns),
    kept("DESTINATION", (columns ?? WIDE_COLUMNS) < WIDE_COLUMNS ? 8 : 24, (row) =>
      fieldText(row, DESTINATION_FIELD).replace(dropped, ""),
    ),
    kept("STATUS", 8, ({ status, unreadable }) =>
      toned(
        line`${unreadable === undefined ? status.join(", ") : UNREADABLE}`,
        status[0] === "active" ? "good" : "warn",
      ),
    ),
    { ...clicks, isRight: true },
    optional("ACCESS", 14, accessText),
    optional("SPACE", 10, (row) => fieldText(row, REFERENCE_FIELD.space)),
    optional("PIXELS", 10, (row) => fieldText(row, REFERENCE_FIELD.pixel)),
    ...TRAILING,
    optional("TITLE", 20, (row) => shown(row.title ?? "")),
  ];
}

function pixelColumns(columns: number | null): ListColumn[] {
  const fields = blockFields("pixel").map(({ path }) =>
    kept(path.toUpperCase(), path === TYPE_FIELD ? 18 : 16, (row) =>
      path === TYPE_FIELD && row.unreadable !== undefined ? UNREADABLE : fieldText(row, path),
    ),
  );
  return [...leading("NAME", columns), ...fields, ...TRAILING];
}

function fieldText({ fields }: RecordDocument, path: string): string {
  const word = fields[path] ?? null;
  if (word === null) return "";
  if (typeof word === "object") return isList(word) ? word.map(visible).join("; ") : "(unknown)";
  return shown(String(word));
}

/** Access restrictions: a password, or statistics that are not at their default. */
function accessText({ fields }: RecordDocument): string {
  return FIELDS.link
    .flatMap((field) => {
      const word = fields[field.path] ?? null;
      if (field.kind === "secret" && field.worksWith === null && isSetSecret(word)) return [field.path];
      const isOther =
        field.kind === "word" && field.opens !== null && word !== field.default && typeof word === "string";
      return isOther ? [`${visible(word)} stats`] : [];
    })
    .join(", ");
}

function emptyText({ kind, filtered, search, requests }: ListDocument): string {
  const sent = `(${plural(requests.read, "request")})`;
  if (!filtered) return `The account has no ${kind}s ${sent}.`;
  if (search === null) return `No ${kind} matches ${sent}.`;
  const others = kind === "link" ? SEARCHED_FIELDS.filter((field) => field !== search.in) : [];
  const flags = listText(
    others.map((field) => `--by ${field}`),
    "or",
  );
  const found = `No ${kind} with \`${visible(search.text)}\` in its ${search.in} was found ${sent}.`;
  return flags === "" ? found : `${found} Try ${flags}.`;
}

const ORDERS = { desc: "newest first", asc: "oldest first", max: "most clicks first", min: "fewest clicks first" };

function countsText({ rows, kind, total, sort, requests, has_files: hasFiles }: ListDocument): string {
  const all = plural(rows.length, kind ?? "link");
  const count =
    total === null
      ? `First ${all}`
      : total === rows.length
        ? all
        : `${showCount(rows.length)} of ${plural(total, kind ?? "link")}`;
  const absent = rows.filter((row) => row.absent !== null).length;
  const parts = [
    `${count}, ${ORDERS[sort ?? "desc"]}`,
    ...(hasFiles ? [`${DECLARED_MARK} ${showCount(rows.filter((row) => row.declared !== null).length)} declared`] : []),
    ...(absent === 0 ? [] : [`${ABSENT_MARK} ${showCount(absent)} with a tombstone`]),
    plural(requests.read, "request"),
  ];
  return `${parts.join("; ")}.`;
}
