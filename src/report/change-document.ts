// A change of a plan as its JSON document: all that reports show of it.

import {
  changeIdentity,
  changesByIdentity,
  endingOf,
  isNoticed,
  recordIdOf,
  type Base,
  type Change,
  type Create,
  type Delete,
  type Desired,
  type FieldChange,
  type Origin,
  type Plan,
  type Reason,
} from "../domain/change.ts";
import type { SourceLine } from "./blocks.ts";
import { visible } from "../domain/control-characters.ts";
import type { Outcome } from "../apply/outcome.ts";
import type { Place } from "../domain/place.ts";
import type { Action } from "../domain/project.ts";
import {
  CLICK_LIMIT,
  DESTINATION_FIELD,
  EXPIRATION_URL,
  FIELDS,
  KEY_FIELD,
  REFERENCE_FIELD,
  type ResourceKind,
} from "../domain/table.ts";
import type { Values } from "../domain/value.ts";
import { plural } from "./counts.ts";
import { driftState, ownersOf, type DriftState } from "./drift.ts";
import { excerptOf } from "./redaction.ts";
import { splitUtmWords, wordChanges, type Word } from "./values.ts";

/** A change, as JSON shows it. */
export interface ChangeDocument {
  action: Action;
  kind: ResourceKind;
  key: string;
  previous_key: string | null;
  id: number | null;
  reason: Reason;
  origin: Origin | null;
  breaks_url: boolean;
  takes_over: boolean | null;
  fields: { path: string; before: Word; after: Word }[];
  /** Only for a replacement: all fields of the new object, while `fields` has the differences from the old one. */
  stored?: { path: string; before: Word; after: Word }[];
  source: PlaceDocument;
  /** Only for a link of a family: the alias of the family, and the link's values. */
  family?: { pattern: string; combination: Record<string, string> };
  /** The following only in reports, and only if they are known. */
  short_url?: string;
  /** The short URL that stops working. */
  lost_url?: string;
  clicks?: number;
  /** What stops working for visitors. */
  ending?: string;
  /** Why an object without a tombstone is deleted. */
  because?: string;
  /** The fields of a deleted object that identify it. */
  lost?: { path: string; value: Word }[];
  /** Whether visitors notice the change. */
  noticed?: boolean;
  /** The people or teams in charge of the link; left out if there are none. */
  owner?: string[];
  /** In a drift report: how the live object differs. */
  drift?: DriftState;
  /** In a drift report: when the service last changed the live object, as a canonical instant. */
  changed_at?: string;
  /** Whether it is one of the changes that exceed a limit. */
  trips?: boolean;
  /** The lines of the files that ask for it, without secrets. The line of the key is the first. */
  excerpt?: SourceLine[];
}

/** A position in the files. */
export interface PlaceDocument {
  file: string;
  line: number;
  column: number;
  /** The column after its last character; left out if only the start is known. */
  end_column?: number;
  /** Only for a position in the files of another commit. */
  ref?: string;
}

/** Why a change was not applied, or not as declared. */
export interface ErrorDocument {
  code: string;
  message: string;
  hint: string | null;
  path: string | null;
  file: string;
  line: number;
  column: number;
  /** The line of the place, without secrets. */
  excerpt?: SourceLine[];
}

/** The outcome of a change. `already_so` is only for a saved plan: the change was already live before this run. */
export interface OutcomeDocument {
  outcome: Outcome["outcome"];
  error: ErrorDocument | null;
  already_so?: boolean;
}

/** A change of an apply, with its outcome. */
export type ChangeResult = ChangeDocument & OutcomeDocument;

/** A position as JSON shows it. */
export function placeDocument({ file, line, column, length, source }: Place): PlaceDocument {
  const ref = source?.ref ?? null;
  return {
    file,
    line,
    column,
    ...(length !== undefined && { end_column: column + length }),
    ...(ref !== null && { ref }),
  };
}

/** The parts of a plan that the document of a change needs. */
export type ChangeContext = Pick<Plan, "base" | "zones" | "hosts">;

/** A change as saved plans and events have it. */
export function changeDocument(change: Change, { zones }: Pick<Plan, "zones">): ChangeDocument {
  const isNew = change.action === "create";
  const family = change.action === "delete" ? undefined : change.desired.family;
  return {
    action: change.action,
    kind: change.kind,
    key: change.key,
    previous_key: change.previousKey,
    id: recordIdOf(change),
    reason: change.reason,
    origin: change.origin,
    breaks_url: change.breaksUrl,
    takes_over: change.takesOver,
    fields: change.fields.flatMap((field) => wordChanges(change.kind, field, zones, isNew)),
    ...(change.action === "replace" && {
      stored: change.stored.flatMap((field) => wordChanges(change.kind, field, zones, true)),
    }),
    source: placeDocument(change.source),
    ...(family !== undefined && {
      family: { pattern: family.pattern, combination: Object.fromEntries(family.combination) },
    }),
  };
}

/** The changes of a plan, as its report has them. */
export function reportedChanges(plan: Plan): ChangeDocument[] {
  const tripping = new Set(plan.brakes.flatMap(({ changes }) => changes));
  return plan.changes.map((change) => reportedChange(change, plan, tripping.has(change)));
}

/** A change with what people read of it. `trips`: it is one of the changes that exceed a limit. */
export function reportedChange(change: Change, plan: ChangeContext, trips: boolean = false): ChangeDocument {
  return { ...changeDocument(change, plan), ...reportKeys(change, plan, trips) };
}

/** A difference between the files and the live state. It is not going to be applied, so nothing ends. */
export function reportedDifference(change: Change, plan: ChangeContext): ChangeDocument {
  const { ending: _ending, lost_url: _lost, ...rest } = reportedChange(change, plan);
  const updatedAt = change.action === "update" || change.action === "replace" ? change.live.updatedAt : null;
  return { ...rest, drift: driftState(change), ...(updatedAt !== null && { changed_at: updatedAt }) };
}

/** The changes of an apply, in their order. One of a saved plan that is not planned any more has no more than was saved. */
export function reportedResults(results: readonly ChangeResult[], plan: Plan): ChangeResult[] {
  const planned = changesByIdentity(plan.changes);
  const tripping = new Set(plan.brakes.flatMap(({ changes }) => changes));
  return results.map((one) => {
    const change = planned.get(changeIdentity(one));
    return change === undefined ? one : { ...one, ...reportKeys(change, plan, tripping.has(change)) };
  });
}

function reportKeys(change: Change, plan: ChangeContext, trips: boolean): Partial<ChangeDocument> {
  const live = change.action === "create" ? null : change.live;
  const url = typedUrl(change, plan);
  const ending = endingText(change, plan);
  const because = change.action === "delete" ? reasonOf(change.reason, plan.base) : null;
  const owners = ownersOf(change);
  const excerpt = excerptOf(linesOf(change), false);
  return {
    ...(url !== null && { short_url: url }),
    ...(change.breaksUrl && live !== null && { lost_url: visible(shortUrl(live.key, live.values, plan.hosts)) }),
    ...(live !== null && live.clicks !== null && { clicks: live.clicks }),
    ...(ending !== null && { ending }),
    ...(because !== null && { because }),
    ...(change.action === "delete" && { lost: lostFields(change, plan) }),
    noticed: isNoticed(change),
    ...(owners.length > 0 && { owner: [...owners] }),
    ...(trips && { trips: true }),
    ...(excerpt.length > 0 && { excerpt }),
  };
}

const MAX_LINES = 4;

/** The line of the key, and the lines of changed fields in the same file. */
function linesOf(change: Change): Place[] {
  const { source } = change;
  if (change.action === "delete" || change.action === "create") return [source];
  const changed = change.fields.flatMap((field) => placesOf(field, change.desired));
  const places = changed.filter((place) => place.source === source.source && place.line !== source.line);
  const byLine = new Map(places.map((place) => [place.line, place]));
  return [source, ...[...byLine.values()].toSorted((a, b) => a.line - b.line)].slice(0, MAX_LINES);
}

/** Where the files set a field. For a destination, also its UTM values, and not the URL if only these change. */
function placesOf({ path, before, after }: FieldChange, { declared, utm }: Desired): Place[] {
  const own = declared.get(path)?.place;
  const all = own === undefined ? [] : [own];
  if (path !== DESTINATION_FIELD || typeof before !== "string" || typeof after !== "string") return all;
  const changed = new Set(splitUtmWords([{ path, before, after }]).map((word) => word.path));
  const values = [...utm].flatMap(([key, { place }]) => (changed.has(`utm.${key}`) ? [place] : []));
  return changed.has(path) || values.length === 0 ? [...all, ...values] : values;
}

/** The short URL of a link: its domain's host name instead of the label in the files. */
export function shortUrl(key: string, values: Values, hosts: Plan["hosts"]): string {
  const domain = values.get(REFERENCE_FIELD.domain);
  const alias = values.get(KEY_FIELD.link);
  const host = typeof domain === "string" ? hosts.get(domain) : undefined;
  return host === undefined || typeof alias !== "string" ? key : `${host}/${alias}`;
}

function typedUrl(change: Change, { hosts }: ChangeContext): string | null {
  if (change.kind !== "link") return null;
  const values = change.action === "delete" ? change.live.values : change.desired.values;
  const url = shortUrl(change.key, values, hosts);
  return url === change.key ? null : visible(url);
}

function endingText(change: Change, { hosts }: ChangeContext): string | null {
  if (!change.breaksUrl || change.action === "create") return null;
  const { clicks } = change.live;
  const counted = clicks === null ? "" : ` It has ${plural(clicks, "click")}.`;
  const kept =
    clicks === null || clicks === 0 ? "" : ` Its ${plural(clicks, "click")} ${clicks === 1 ? "is" : "are"} kept.`;
  const old = visible(shortUrl(change.live.key, change.live.values, hosts));
  const texts: Readonly<Record<"update" | "replace" | "delete", string>> = {
    update: `${old} ${updateEnding(change)}${kept}`,
    replace: `${old} is deleted after ${visible(change.key)} is created. Its id and its ${clicks === null ? "clicks" : plural(clicks, "click")} are lost.`,
    delete: `${old} stops working.${counted}`,
  };
  return texts[change.action];
}

/** How an update ends a short URL: the end of a sentence. */
function updateEnding(change: Exclude<Change, Create>): string {
  if (endingOf(change) !== "expire") return "stops working.";
  const { fields, live } = change;
  const changed = new Map(fields.map(({ path, after }) => [path, after]));
  const isCertain = live.clicks !== null || typeof changed.get(CLICK_LIMIT.path) !== "number";
  const over = changed.has(EXPIRATION_URL.path)
    ? changed.get(EXPIRATION_URL.path)
    : live.values.get(EXPIRATION_URL.path);
  const then =
    typeof over === "string"
      ? `Visitors go to ${visible(over)} instead.`
      : "Visitors see a page that says that the link has expired.";
  return isCertain ? `expires. ${then}` : `may expire, because the service does not report its clicks. ${then}`;
}

function reasonOf(reason: Delete["reason"], base: Base | null): string | null {
  switch (reason) {
    case "removed":
      return `It was removed from the files${base === null ? "" : ` since \`${visible(base.ref)}\``}.`;
    case "undeclared":
      return "It is in scope, but no file declares it.";
    case "moved":
      return "The link that replaces it is already live.";
    case "tombstone":
      return null;
    default:
      return reason satisfies never;
  }
}

/** The required fields of a deleted object. */
function lostFields({ kind, live }: Delete, { zones }: ChangeContext): NonNullable<ChangeDocument["lost"]> {
  return FIELDS[kind].flatMap(({ path, required }) => {
    const after = required ? live.values.get(path) : undefined;
    if (after === undefined) return [];
    return wordChanges(kind, { path, before: undefined, after }, zones, true).map((word) => ({
      path: word.path,
      value: word.after,
    }));
  });
}
