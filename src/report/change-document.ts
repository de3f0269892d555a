// A change of a plan as its JSON document: all that reports show of it.

import { placeDocument } from "./finding-document.ts";
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
  type Live,
  type Plan,
} from "../domain/change.ts";
import { visible } from "../domain/control-characters.ts";
import { CLICK_LIMIT, EXPIRATION_URL, FIELDS, KEY_FIELD, REFERENCE_FIELD } from "../domain/table.ts";
import type { Values } from "../domain/value.ts";
import { plural } from "./counts.ts";
import { driftState } from "./drift.ts";
import { wordChanges } from "./values.ts";
import type { ChangeDocument, ChangeResult } from "./json/schema.ts";

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
    stored:
      change.action === "replace"
        ? change.stored.flatMap((field) => wordChanges(change.kind, field, zones, true))
        : undefined,
    source: placeDocument(change.source),
    family: family && { pattern: family.pattern, combination: Object.fromEntries(family.combination) },
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
  const updatedAt = change.action === "update" || change.action === "replace" ? change.live.updatedAt : null;
  return {
    ...reportedChange(change, plan),
    ending: undefined,
    lost_url: undefined,
    drift: driftState(change),
    changed_at: updatedAt ?? undefined,
  };
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
  // A deleted object is in no file.
  const owners = change.action === "delete" ? [] : change.desired.owners;
  return {
    short_url: typedUrl(change, plan),
    lost_url: change.breaksUrl && live !== null ? liveUrl(live, plan) : undefined,
    clicks: live?.clicks ?? undefined,
    ending: endingText(change, plan),
    because: change.action === "delete" ? reasonOf(change.reason, plan.base) : undefined,
    lost: change.action === "delete" ? lostFields(change, plan) : undefined,
    noticed: isNoticed(change),
    owner: owners.length > 0 ? [...owners] : undefined,
    trips: trips || undefined,
  };
}

/** The short URL of a link: its domain's host name instead of the label in the files. */
export function shortUrl(key: string, values: Values, hosts: Plan["hosts"]): string {
  const domain = values.get(REFERENCE_FIELD.domain);
  const alias = values.get(KEY_FIELD.link);
  const host = typeof domain === "string" ? hosts.get(domain) : undefined;
  return host === undefined || typeof alias !== "string" ? key : `${host}/${alias}`;
}

function liveUrl({ key, values }: Live, { hosts }: ChangeContext): string {
  return visible(shortUrl(key, values, hosts));
}

function typedUrl(change: Change, { hosts }: ChangeContext): string | undefined {
  if (change.kind !== "link") return undefined;
  const values = change.action === "delete" ? change.live.values : change.desired.values;
  const url = shortUrl(change.key, values, hosts);
  return url === change.key ? undefined : visible(url);
}

function endingText(change: Change, plan: ChangeContext): string | undefined {
  if (!change.breaksUrl || change.action === "create") return undefined;
  const { clicks } = change.live;
  const counted = clicks === null ? "" : ` It has ${plural(clicks, "click")}.`;
  const kept =
    clicks === null || clicks === 0 ? "" : ` Its ${plural(clicks, "click")} ${clicks === 1 ? "is" : "are"} kept.`;
  const old = liveUrl(change.live, plan);
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

function reasonOf(reason: Delete["reason"], base: Base | null): string | undefined {
  const texts: Readonly<Record<Delete["reason"], string | undefined>> = {
    removed: `It was removed from the files${base === null ? "" : ` since \`${visible(base.ref)}\``}.`,
    undeclared: "It is in scope, but no file declares it.",
    moved: "The link that replaces it is already live.",
    tombstone: undefined,
  };
  return texts[reason];
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
