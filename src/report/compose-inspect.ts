// Live objects as blocks: a list as a table, or their fields, and how the files declare them.

import { visible } from "../domain/control-characters.ts";
import { SEARCHED_FIELDS } from "../domain/filter.ts";
import { fieldsText } from "../domain/live.ts";
import { showPlace } from "../domain/place.ts";
import { blockFields, DESTINATION_FIELD, FIELDS, KEY_FIELD, REFERENCE_FIELD, TYPE_FIELD } from "../domain/table.ts";
import { listText, plural, showCount } from "../domain/words.ts";
import { code, itemList, line, prose, sentences, toned, yaml } from "./blocks.ts";
import type { Block, Item, LogBlock, TableColumn, Tone, TonedLine } from "./blocks.ts";
import { changeItem, type ComposeContext } from "./compose-changes.ts";
import { findingList } from "./compose-findings.ts";
import { shown, isList, isSetSecret, splitUtmWords, type WordChange } from "./values.ts";
import { showInstant } from "./counts.ts";
import type { ListDocument, RecordDocument, ShowDocument, ShownDocument } from "./json/inspect.ts";
import { wholeRow } from "./rows.ts";
import { unmanagedLines } from "./unplanned.ts";

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
      declared !== null ? toned(line`✓`, "good") : absent === null ? "" : toned(line`-`, "bad"),
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

/** With an unreadable field, what visitors get is unknown. */
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
    kept("STATUS", 8, ({ status, unreadable = [] }) => {
      const text = unreadable.length === 0 ? status.join(", ") : UNREADABLE;
      return toned(line`${text}`, status[0] === "active" ? "good" : "warn");
    }),
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
  const texts = FIELDS.link.flatMap((field) => {
    const word = fields[field.path] ?? null;
    if (field.kind === "secret" && field.worksWith === null && isSetSecret(word)) return [field.path];
    const isOther = field.kind === "word" && field.opens !== null && word !== field.default;
    return isOther && typeof word === "string" ? [`${visible(word)} stats`] : [];
  });
  return texts.join(", ");
}

function emptyText({ kind, filtered, search, requests }: ListDocument): string {
  const sent = `(${plural(requests.read, "request")})`;
  if (!filtered) return `The account has no ${kind}s ${sent}.`;
  if (search === null) return `No ${kind} matches ${sent}.`;
  const found = `No ${kind} with \`${visible(search.text)}\` in its ${search.in} was found ${sent}.`;
  if (kind !== "link") return found;
  const flags = SEARCHED_FIELDS.flatMap((field) => (field === search.in ? [] : `--by ${field}`));
  return `${found} Try ${listText(flags, "or")}.`;
}

const ORDERS = { desc: "newest first", asc: "oldest first", max: "most clicks first", min: "fewest clicks first" };

function countsText({ rows, kind, total, sort, requests, has_files: hasFiles }: ListDocument): string {
  const all = plural(rows.length, kind ?? "link");
  const part = total === null ? `First ${all}` : `${showCount(rows.length)} of ${plural(total, kind ?? "link")}`;
  const declared = rows.filter((row) => row.declared !== null).length;
  const absent = rows.filter((row) => row.absent !== null).length;
  const parts = [
    `${total === rows.length ? all : part}, ${ORDERS[sort ?? "desc"]}`,
    ...(hasFiles ? [`✓ ${showCount(declared)} declared`] : []),
    ...(absent === 0 ? [] : [`- ${showCount(absent)} with a tombstone`]),
    plural(requests.read, "request"),
  ];
  return `${parts.join("; ")}.`;
}

export function showLog(document: ShowDocument, context: ComposeContext): Block[] {
  const { objects, requests } = document;
  return [
    ...objects.flatMap((one) => [...itemList([objectItem(one)]), ...filesBlocks(one, document, context)]),
    ...(context.isVerbose === true ? says("calm", `${plural(requests.read, "request")}.`) : []),
  ];
}

function says(tone: Tone, text: string): Block[] {
  return sentences(tone, [prose(text)]);
}

function objectItem(one: ShownDocument): Item {
  const { kind, key, id, unreadable = [] } = one;
  const unread = `linkform cannot read this: ${fieldsText(unreadable)}. It does not change or delete it.`;
  return {
    symbol: "",
    tone: "calm",
    verb: kind,
    title: line`${code(key)} #${String(id)}`,
    notes: unreadable.length === 0 ? [] : [toned(prose(unread), "warn")],
    rows: [...factsOf(one), ...fieldsOf(one)].map(wholeRow),
  };
}

function factsOf(one: ShownDocument): WordChange[] {
  const { clicks, created_at: created, updated_at: updated, used_by: users } = one;
  const facts: readonly (readonly [string, string | null])[] = [
    ["short URL", one.short_url],
    ["status", one.status.join(", ")],
    ["clicks", clicks === null ? null : showCount(clicks)],
    ["title", one.title],
    ["created", created && showInstant(created)],
    ["updated", updated && showInstant(updated)],
    ["owner", one.owner.join(", ")],
    ["review by", one.review_by],
    ["used by", users && usersText(users)],
  ];
  return facts.flatMap(([path, after]) => (after === null || after === "" ? [] : [{ path, before: null, after }]));
}

function usersText({ count, keys }: NonNullable<ShownDocument["used_by"]>): string {
  if (keys.length === 0) return "no link";
  const named = keys.join(", ");
  if (count === null) return `${named} and perhaps more`;
  const more = count === keys.length ? "" : ` and ${showCount(count - keys.length)} more`;
  return `${plural(count, "link")}: ${named}${more}`;
}

/** The fields that differ from their default. The name of a pixel is its key. */
function fieldsOf({ kind, fields, defaults }: ShownDocument): readonly WordChange[] {
  const isKey = (path: string): boolean => kind === "pixel" && path === KEY_FIELD.pixel;
  const others = Object.entries(fields).filter(([path]) => !defaults.includes(path) && !isKey(path));
  return splitUtmWords(others.map(([path, after]) => ({ path, before: null, after })));
}

function filesBlocks(one: ShownDocument, { has_files: hasFiles }: ShowDocument, context: ComposeContext): Block[] {
  const { declared, absent, family, change, problems, declare, declare_problem: undeclarable, pruned } = one;
  const findings = findingList(problems, context);
  const place = declared ?? absent;
  if (place !== null) {
    const at = visible(showPlace(place));
    const by = family === undefined ? "" : ` in the family \`${visible(family)}\``;
    const where = declared === null ? `A tombstone at ${at} deletes it.` : `Declared${by} at ${at}.`;
    if (problems.length > 0) return [...says("calm", `${where} linkform cannot compare it:`), ...findings];
    if (change === null) return declared === null ? says("calm", where) : says("good", `${where} It matches the file.`);
    const differs = declared === null ? "" : " It differs from the file. An apply would make this change:";
    return [...says("warn", `${where}${differs}`), ...itemList([changeItem(change, context)])];
  }
  const isUnknown = problems.length > 0;
  const nowhere = isUnknown ? "" : hasFiles ? "Not declared in any file. " : "No project was read. ";
  return [
    ...(isUnknown ? [...says("calm", "It is unknown whether the files declare it:"), ...findings] : []),
    ...(pruned ? says("bad", "It is in scope, so the next apply deletes it (`prune: scope`).") : []),
    ...(undeclarable === undefined ? [] : says("calm", `${nowhere}It cannot be declared here: ${undeclarable}.`)),
    ...(declare === null ? [] : says("calm", `${nowhere}These lines would declare it:`)),
    ...yaml(unmanagedLines([one])),
  ];
}
