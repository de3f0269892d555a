// Changes as blocks, in sections by their effect on visitors. Similar changes of a section are a group.

import { itemPlace, placeLine } from "./compose-findings.ts";
import { takeoverText } from "../domain/change.ts";
import { groupBy } from "../domain/collections.ts";
import { calledAt, DESTINATION_FIELD } from "../domain/table.ts";
import { groupNotApplied, type NotApplied } from "./run-document.ts";
import { heading, itemList, sentences, toned, code, joinLines, line, prose, strong } from "./blocks.ts";
import type { Block, Item, ItemPlace, Line, Row, Tone, TonedLine } from "./blocks.ts";
import { distinguishPair } from "./values.ts";
import { capital, kindOf, kindsText, showInstant } from "./counts.ts";
import { plural, showCount } from "../domain/words.ts";
import type { RenderContext } from "./format.ts";
import { DRIFT_STATES, type ShownChange } from "./document.ts";
import { originText } from "./plan-remarks.ts";
import { changedRow, isWhole, wholeRow, wordsOf, fieldName, groupSimilar, wordSpan } from "./rows.ts";
import type { Group, Member, Tense } from "./rows.ts";
import type { ChangeDocument, ErrorDocument } from "./json/schema.ts";

export interface ComposeContext extends Pick<RenderContext, "project" | "runUrl" | "blobUrl" | "origin"> {
  /** A terminal or log, where findings and outcomes were printed before. */
  readonly isLog: boolean;
  /** A log shows what most people need not know, and every place of a finding. */
  readonly isVerbose?: boolean;
  /** However many findings there are, each is an item. */
  readonly hasAllFindings?: boolean;
  /** All changes have the same origin, which the plan says in a sentence. */
  readonly hasOneOrigin?: boolean;
  readonly hasBrakes?: boolean;
  /** The report of several projects says once which have no base. */
  readonly isOneOfSeveral?: boolean;
}

const MARKS: Readonly<Record<ChangeDocument["action"], readonly [symbol: string, tone: Tone]>> = {
  create: ["+", "good"],
  update: ["~", "warn"],
  replace: ["±", "warn"],
  delete: ["-", "bad"],
};

export function mostClicksFirst(changes: readonly ShownChange[]): ShownChange[] {
  return changes.toSorted((a, b) => (b.clicks ?? -1) - (a.clicks ?? -1));
}

export function isLost({ breaks_url: breaks, drift }: ChangeDocument): boolean {
  return breaks && drift === undefined;
}

export function lostUrl({ lost_url: url, previous_key: previous, key }: ChangeDocument): string {
  return url ?? previous ?? key;
}

interface Section {
  readonly holds: (change: ShownChange) => boolean;
  readonly heading: (changes: readonly ShownChange[], tense: Tense, context: ComposeContext) => string;
  readonly lead?: (changes: readonly ShownChange[], tense: Tense) => string;
  readonly tone?: Tone;
}

/** `3 links to delete` in a plan, `3 links deleted` after an apply. */
function headingOf(planned: string, done: string): Section["heading"] {
  return (changes, tense) => `${countObjects(changes)} ${tense === "plan" ? planned : done}`;
}

/** A change is in the first section that holds it. */
const SECTIONS: readonly Section[] = [
  {
    holds: isLost,
    heading: lostText,
    lead: (changes) =>
      `QR codes, posts and emails with ${pick(changes, "it", "them")} no longer lead to the destination.`,
    tone: "bad",
  },
  { holds: ({ action }) => action === "delete", heading: headingOf("to delete", "deleted") },
  {
    holds: ({ action, noticed }) => action !== "create" && noticed === true,
    heading: (changes, tense) =>
      `${countObjects(changes)} ${tense === "plan" ? pick(changes, "changes", "change") : "changed"} for visitors`,
  },
  {
    holds: ({ action }) => action !== "create",
    heading: headingOf("to update", "updated"),
    lead: (changes, tense) =>
      tense === "plan" && changes.some(({ kind }) => kind === "link") ? "Visitors will not notice." : "",
  },
  {
    holds: () => true,
    heading: (changes, tense) =>
      tense === "plan" ? countObjects(changes, "new ") : `${countObjects(changes)} created`,
  },
];

export const DIFFERING = "Declared value → live value.";

const DRIFT_SECTIONS: readonly Section[] = DRIFT_STATES.map((state) => ({
  holds: ({ drift }) => drift === state,
  heading: (changes) => `${countObjects(changes)} ${state === "undeclared" ? "live, but not in the files" : state}`,
  lead: (changes) => {
    if (state === "missing") return "In the files, but not live. A missing short URL leads nowhere.";
    return changes.some(({ action }) => action !== "delete") ? DIFFERING : "";
  },
  tone: state === "missing" ? "bad" : "warn",
}));

export function changeBlocks(changes: readonly ShownChange[], tense: Tense, context: ComposeContext): Block[] {
  const sections = tense === "drift" ? DRIFT_SECTIONS : SECTIONS;
  const bySection = groupBy(changes, (change) => sections.find(({ holds }) => holds(change)));
  const said = new Set<string>();
  return sections.flatMap((section) => {
    const members = bySection.get(section) ?? [];
    if (members.length === 0) return [];
    const text = section.lead?.(members, tense) ?? "";
    const lead = said.has(text) ? "" : text;
    said.add(text);
    return [
      heading(section.tone ?? "calm", line`${section.heading(members, tense, context)}`, line`${lead}`),
      ...itemBlocks(members, tense, context),
    ];
  });
}

/** Changes that break or take over something come first and are never folded. */
function itemBlocks(changes: readonly ShownChange[], tense: Tense, context: ComposeContext): Block[] {
  const sorted = mostClicksFirst(changes);
  const isOpen = (one: ShownChange): boolean => isLost(one) || isTakeover(one);
  const others = sorted.filter((one) => !isOpen(one));
  const { groups, rest } = groupSimilar(others, tense);
  const draw = (all: readonly ShownChange[]): Item[] => all.map((change) => changeItem(change, context));
  const items = [...groups.map((group) => groupItem(group, context)), ...draw(rest)];
  return [...itemList(draw(sorted.filter(isOpen)), true), ...itemList(items)];
}

function isTakeover({ takes_over: takesOver, drift }: ShownChange): boolean {
  return takesOver === true && drift === undefined;
}

function groupItem({ members, statement, differing }: Group, context: ComposeContext): Item {
  const [{ change: first }] = members;
  const changes = members.map(({ change }) => change);
  const [family, ...others] = new Set(changes.map((change) => change.family?.pattern));
  const of = family === undefined || others.length > 0 ? [] : line` of family ${code(family)}`;
  const clicks = clicksOf(changes);
  const files = [...new Set(changes.map(({ source }) => source.file))].map((file) => [code(file)]);
  const { symbol, tone, isBraked = false } = changeItem(first, context);
  const { action, drift, owner = [] } = first;
  return {
    symbol,
    tone,
    verb: drift ?? action,
    title: line`${strong(countObjects(changes))}${of}`,
    isBraked,
    facts: [...(clicks === "" ? [] : [line`${clicks} so far`]), ...ownerFacts(drift === undefined ? [] : owner)],
    notes: statement.length === 0 ? [] : [toned(statement)],
    places: [{ label: placeLabel(joinLines(files, ", "), first, context), source: [] }],
    members: changes.map((change) => changeItem(change, context)),
    list: members.map((one) => memberLine(one, differing)),
  };
}

function ownerFacts(owner: readonly string[]): Line[] {
  return owner.length === 0 ? [] : [line`owner ${code(owner.join(", "))}`];
}

function memberLine({ change, words }: Member, differing: ReadonlySet<string>): Line {
  const values = words.flatMap(({ path, before, after }) => {
    const value = wordSpan(isWhole(change) ? after : before);
    if (!differing.has(path)) return [];
    return [path === DESTINATION_FIELD ? [value] : line`${fieldName(path)} ${value}`];
  });
  const key = code(change.key);
  if (values.length === 0) return [key];
  // The value before a change is still live in a drift report.
  const verb = change.drift === undefined ? ", was " : ", is ";
  return line`${key}${isWhole(change) ? " → " : verb}${joinLines(values, ", ")}`;
}

export function changeItem(change: ShownChange, context: ComposeContext): Item {
  const { action, kind, drift, source } = change;
  const [symbol, tone] = drift === undefined ? MARKS[action] : (["≠", drift === "missing" ? "bad" : "warn"] as const);
  return {
    symbol: symbol === "-" && !context.isLog ? "−" : symbol,
    tone,
    verb: `${drift ?? verbOf(change)} ${kind}`,
    title: line`${titleOf(change)}${context.isLog ? idText(change) : ""}`,
    isBraked: change.trips === true && drift === undefined,
    facts: factsOf(change, context),
    notes: notesOf(change),
    rows: rowsOf(change, context),
    places: [itemPlace(source, [], context, placeLabel(placeLine(source, context), change, context))],
  };
}

function verbOf(change: ShownChange): string {
  const kind = kindOf(change);
  return kind === "disable" ? change.action : kind;
}

function titleOf(change: ShownChange): Line {
  const { previous_key: previous, key, drift } = change;
  const old = isLost(change) ? lostUrl(change) : (previous ?? key);
  if (previous === null) return [code(old)];
  const [was, is] = distinguishPair(old, key);
  return drift === undefined ? line`${code(was)} → ${code(is)}` : line`${code(is)}, still ${code(was)}`;
}

/** ` #12`; empty without an id, and if the key has it because another pixel gets the name. */
export function idText({ id, key }: Pick<ShownChange, "id" | "key">): string {
  return id === null || key.endsWith(` #${id}`) ? "" : ` #${id}`;
}

function factsOf(change: ShownChange, { isLog }: ComposeContext): Line[] {
  const { id, short_url: url, previous_key: was, clicks, owner = [], changed_at: at } = change;
  return [
    // In a comment, a number with this sign would be a link to an issue.
    ...(isLog || idText(change) === "" ? [] : [line`id ${String(id)}`]),
    ...(url === undefined || lostUrl(change) === url ? [] : [[code(url)]]),
    ...(clicks === undefined ? [] : [line`${plural(clicks, "click")}`]),
    ...(was === null || !isLost(change) || lostUrl(change) === was ? [] : [line`was ${code(was)}`]),
    ...ownerFacts(owner),
    ...(change.already_so === true ? [line`already done before this run`] : []),
    ...(at === undefined ? [] : [line`last changed at the service on ${code(showInstant(at))}`]),
  ];
}

function notesOf(change: ShownChange): TonedLine[] {
  const { action, kind, ending, because, clicks = null } = change;
  return [
    // The heading says that a deleted link stops working.
    ...(ending === undefined || action === "delete" ? [] : [toned(prose(ending), "bad")]),
    ...(because === undefined ? [] : [toned(prose(because))]),
    ...(isTakeover(change) ? [toned(prose(`It ${takeoverText(kind, clicks)}.`), "warn")] : []),
  ];
}

function placeLabel(place: Line, change: ShownChange, context: ComposeContext): Line {
  const { origin, drift, outcome } = change;
  const isDone = origin === "pending" && outcome === "applied";
  if (origin === null || drift !== undefined || context.hasOneOrigin === true || isDone) return place;
  return line`${place} · ${originText(origin, context.origin?.of === "request")}`;
}

/** In a log, fields have their paths in the files, which a reader may search; elsewhere their names. */
function rowsOf(change: ShownChange, { isLog }: ComposeContext): Row[] {
  return wordsOf(change).map((word) => {
    // A drift report shows the declared value first.
    const shown = change.drift === undefined ? word : { ...word, before: word.after, after: word.before };
    const row = isWhole(change) ? wholeRow(word) : changedRow(change.kind, shown);
    return isLog ? row : { ...row, label: calledAt(row.label) ?? row.label };
  });
}

export function notAppliedBlocks(changes: readonly ShownChange[], context: ComposeContext): Block[] {
  return groupNotApplied(changes).flatMap(([status, left]): Block[] => {
    const reasonOf = ({ error }: ShownChange): string => JSON.stringify([error?.code, error?.message, error?.hint]);
    const groups = [...groupBy(left, reasonOf).values()].slice(0, context.isLog ? MAX_LISTED : Infinity);
    const rest = left.length - groups.flat().length;
    return [
      heading(status === "failed" ? "bad" : "warn", line`${capital(status)}: ${plural(left.length, "change")}`),
      ...itemList(groups.map((group) => leftItem(status, group, context))),
      ...(rest === 0 ? [] : sentences("calm", [line`… and ${showCount(rest)} more`])),
    ];
  });
}

/** A log only counts more reasons, and more changes with the same reason. */
const MAX_LISTED = 10;

function leftItem(status: NotApplied, changes: readonly ShownChange[], context: ComposeContext): Item {
  const [symbol, tone] = status === "failed" ? (["✗", "bad"] as const) : (["○", "warn"] as const);
  const reason = changes[0]?.error;
  const notes = [
    ...(reason == null ? [] : [toned(reasonLine(status, reason, context), tone)]),
    ...(reason?.hint == null ? [] : [toned(line`→ ${prose(reason.hint)}`)]),
  ];
  const named = context.isLog ? changes.slice(0, MAX_LISTED) : changes;
  const lines = named.map((one) => {
    const where = placesOf(one, context).flatMap(({ label }) => line` ${label}`);
    return line`${verbOf(one)} ${one.kind} ${code(one.key)}${context.isLog ? idText(one) : ""}${where}`;
  });
  const rest = changes.length - named.length;
  const list = rest === 0 ? lines : [...lines, line`… and ${showCount(rest)} more like these`];
  const items = changes.map((one) => ({ ...changeItem(one, context), symbol, tone, places: placesOf(one, context) }));
  const [only, ...others] = items;
  if (only !== undefined && others.length === 0) return { ...only, notes, ...(context.isLog && { rows: [] }) };
  return { symbol, tone, verb: "", title: [strong(plural(changes.length, "change"))], notes, members: items, list };
}

function reasonLine(status: NotApplied, { code: name, message }: ErrorDocument, { isLog }: ComposeContext): Line {
  if (status !== "failed") return prose(message);
  return isLog ? prose(`error[${name}] ${message}`) : line`${code(name)}: ${prose(message)}`;
}

function placesOf({ error, source }: ShownChange, context: ComposeContext): ItemPlace[] {
  return [itemPlace(error ?? source, error?.excerpt ?? [], context)];
}

/** The short URLs that stop working, or would if no brake had stopped the plan, and their clicks. */
export function lostText(
  changes: readonly ShownChange[],
  tense: Tense,
  { hasBrakes = false }: Pick<ComposeContext, "hasBrakes"> = {},
): string {
  const will = `${hasBrakes ? "would" : "will"} stop working`;
  const stop = tense === "apply" ? `no longer ${pick(changes, "works", "work")}` : will;
  const clicks = clicksOf(changes);
  const unknown = changes.filter((one) => one.clicks === undefined).length;
  const rest = unknown === 0 ? "" : `, unknown for ${showCount(unknown)}`;
  return `${plural(changes.length, "short URL")} ${stop}${clicks === "" ? "" : ` (${clicks} so far${rest})`}`;
}

function pick(changes: readonly unknown[], single: string, many: string): string {
  return changes.length === 1 ? single : many;
}

/** `8,240 clicks`; empty for none or unknown ones. */
function clicksOf(changes: readonly ShownChange[]): string {
  const sum = changes.reduce((clicks, change) => clicks + (change.clicks ?? 0), 0);
  return sum === 0 ? "" : plural(sum, "click");
}

export function countObjects(all: readonly ShownChange[], adjective: string = ""): string {
  const link = all.filter(({ kind }) => kind === "link").length;
  return kindsText({ link, pixel: all.length - link }, adjective);
}
