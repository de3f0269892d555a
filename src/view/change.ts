// One change as every report shows it: planned, applied, or found by `drift`.

import {
  changeIdentity,
  changesByIdentity,
  endingOf,
  isNoticed,
  takeoverText,
  type Base,
  type Change,
  type Create,
  type Delete,
  type Desired,
  type FieldChange,
  type Plan,
} from "../domain/change.ts";
import { visible } from "../domain/control-characters.ts";
import type { Place } from "../domain/place.ts";
import { DESTINATION_FIELD, CLICK_LIMIT, EXPIRATION_URL, FIELDS, KEY_FIELD, REFERENCE_FIELD } from "../domain/table.ts";
import type { Values } from "../domain/value.ts";
import { distinguishPair } from "./confusables.ts";
import { resultStatus, type ResultStatus } from "./apply-result.ts";
import type { Countable } from "./change-counts.ts";
import { plural } from "./counts.ts";
import type { ChangeDocument, ChangeResult, ErrorDocument, OutcomeDocument } from "./document.ts";
import { lastChangedText, driftState, ownersOf, type DriftState } from "./drift.ts";
import { originText } from "./plan-remarks.ts";
import { splitUtmWords, wordChanges, type WordChange } from "./values.ts";

/** The parts of a plan that the view of a change needs. */
export type ChangeContext = Pick<Plan, "base" | "zones" | "hosts">;

/** Texts have invisible characters shown by code point. Each format escapes its own syntax. */
export interface ChangeView {
  readonly action: Change["action"];
  readonly kind: Change["kind"];
  readonly key: string;
  /** The key before the change; null if it stays. */
  readonly previousKey: string | null;
  /** Null if there is none yet, or the key contains it. */
  readonly id: number | null;
  /** The short URL of a link; null if it is the key. */
  readonly url: string | null;
  /** Where the key and the previous key lead in a browser; null if they do not exist, or are no address. */
  readonly addresses: { readonly key: string | null; readonly previous: string | null };
  /** The short URL that stops working; null if none does. */
  readonly lost: string | null;
  /** Null if the service does not report them. */
  readonly clicks: number | null;
  /** Whether visitors notice the change. */
  readonly isNoticed: boolean;
  /** What stops working for visitors, in sentences. */
  readonly ending: string | null;
  /** Why an object without a tombstone is deleted, or that the change takes one over, in a sentence. */
  readonly remark: string | null;
  /** The fields with their values; see value-diff.ts for how they differ. */
  readonly words: readonly WordChange[];
  /** Whether the whole object is created or deleted. */
  readonly isWhole: boolean;
  /** How summaries count it. */
  readonly counted: Countable;
  readonly place: Place;
  /** The people or teams in charge of the link, as in the files. */
  readonly owners: readonly string[];
  /** The alias of the link's family; null if it is in none. */
  readonly family: string | null;
  /** The lines of the files that ask for it. The line of the key is the first. */
  readonly lines: () => readonly Place[];
  /** Null without a base. */
  readonly origin: string | null;
  /** Whether it is one of the changes that trip a brake. */
  readonly trips: boolean;
  /** In a drift report: how the live object differs, and when the service last changed it. */
  readonly state: DriftState | null;
  readonly since: string | null;
  /** Only in the report of an apply. */
  readonly result: { readonly status: ResultStatus; readonly error: ErrorDocument | null } | null;
  /** Changes with the same text can be shown together; null for a change that is shown alone. */
  readonly groupKey: string | null;
}

export const SYMBOL: Readonly<Record<Change["action"], string>> = {
  create: "+",
  update: "~",
  replace: "±",
  delete: "-",
};

const NEITHER_DRIFT_NOR_RESULT = { state: null, since: null, result: null } as const;

/** Sorts changes by clicks, the most first. Unknown clicks come last. */
export function mostClicksFirst(changes: readonly ChangeView[]): ChangeView[] {
  return changes.toSorted((a, b) => (b.clicks ?? -1) - (a.clicks ?? -1));
}

export function viewPlan(plan: Plan): ChangeView[] {
  const tripping = new Set(plan.brakes.flatMap(({ changes }) => changes));
  return plan.changes.map((change) => viewChange(change, plan, tripping.has(change)));
}

export function viewChange(change: Change, plan: ChangeContext, trips: boolean = false): ChangeView {
  const { action, kind } = change;
  const [was, key] =
    change.previousKey === null ? [null, visible(change.key)] : distinguishPair(change.previousKey, change.key);
  const live = change.action === "create" ? null : change.live;
  const origin = change.origin === null ? null : originText(change.origin);
  const remark =
    change.action === "delete"
      ? reasonOf(change.reason, plan.base)
      : takeoverRemark(change.takesOver, kind, live?.clicks);
  return {
    action,
    kind,
    key,
    previousKey: was,
    // The key contains the id if another pixel gets its name.
    id: live === null || change.key.endsWith(` #${live.id}`) ? null : live.id,
    url: typedUrl(change, plan),
    addresses: addressesOf(change, plan, false),
    lost: change.breaksUrl && live !== null ? visible(shortUrl(live.key, live.values, plan.hosts)) : null,
    clicks: live?.clicks ?? null,
    isNoticed: isNoticed(change),
    ending: endingText(change, plan),
    remark,
    words: wordsOf(change, plan),
    isWhole: isWhole(change),
    counted: change,
    place: change.source,
    owners: ownersOf(change),
    family: familyOf(change),
    lines: () => linesOf(change),
    origin,
    trips,
    ...NEITHER_DRIFT_NOR_RESULT,
    groupKey: was === null && !trips && change.takesOver !== true ? `${action} ${origin ?? ""} ${remark ?? ""}` : null,
  };
}

/** How the live state differs from the files: `before` is the declared value, `after` the live one. */
export function viewDifference(change: Change, plan: Plan): ChangeView {
  const view = viewChange(change, plan);
  const words = view.isWhole
    ? view.words
    : view.words.map(({ path, before, after }) => ({ path, before: after, after: before }));
  // The change is not going to be applied, so nothing ends.
  return {
    ...view,
    ending: null,
    lost: null,
    origin: null,
    words,
    since: lastChangedText(change),
    state: driftState(change),
  };
}

/** The changes of an apply, in their order: from the plan if it has them, else as they were saved. */
export function viewResults(results: readonly ChangeResult[], plan: Plan): ChangeView[] {
  const planned = changesByIdentity(plan.changes);
  return results.map((one) => {
    const change = planned.get(changeIdentity(one));
    const result = { status: resultStatus(one), error: one.error };
    if (change === undefined) return { ...viewSaved(one), result };
    const view = viewChange(change, plan);
    // A saved change is shown as it was reviewed, even if part of it was already done.
    const addresses = addressesOf(change, plan, result.status === "applied");
    return { ...view, addresses, words: one.action === "update" ? splitUtmWords(one.fields) : view.words, result };
  });
}

/** The keys of a change document that a report adds for readers without the plan. */
export function reportKeys(view: ChangeView): Partial<ChangeDocument> {
  const { action, url, lost, clicks, ending, remark, owners, state } = view;
  return {
    ...(url !== null && { short_url: url }),
    ...(lost !== null && { lost_url: lost }),
    ...(clicks !== null && { clicks }),
    ...(ending !== null && { ending }),
    ...(action === "delete" && remark !== null && { because: remark }),
    noticed: view.isNoticed,
    ...(owners.length > 0 && { owner: [...owners] }),
    ...(state !== null && { drift: state }),
    ...(view.trips && { trips: true }),
  };
}

/** Changes as JSON reports show them. `views`: one for each document. */
export function withReportKeys<Document extends ChangeDocument>(
  documents: readonly Document[],
  views: readonly ChangeView[],
): Document[] {
  return documents.map((document, at) => {
    const view = views[at];
    return view === undefined ? document : { ...document, ...reportKeys(view) };
  });
}

/** A change of a JSON report. */
export function viewDocument(document: ChangeDocument & Partial<OutcomeDocument>): ChangeView {
  const { outcome, error = null, drift = null } = document;
  const view = viewSaved(document);
  return {
    ...view,
    result: outcome === undefined ? null : { status: resultStatus({ ...document, outcome, error }), error },
    state: drift,
    // A drift report shows the declared value first.
    ...(drift !== null && {
      origin: null,
      lost: null,
      words: view.isWhole
        ? view.words
        : view.words.map(({ path, before, after }) => ({ path, before: after, after: before })),
    }),
  };
}

/** A change as its document shows it. */
function viewSaved(saved: ChangeDocument): ChangeView {
  const { action, kind, id, breaks_url, fields, source } = saved;
  const [was, key] =
    saved.previous_key === null ? [null, visible(saved.key)] : distinguishPair(saved.previous_key, saved.key);
  const origin = saved.origin === null ? null : originText(saved.origin);
  const isOneSided = action === "create" || action === "delete";
  return {
    action,
    kind,
    key,
    previousKey: was,
    id,
    url: saved.short_url === undefined ? null : visible(saved.short_url),
    addresses: savedAddresses(saved),
    lost: breaks_url ? visible(saved.lost_url ?? was ?? key) : null,
    clicks: saved.clicks ?? null,
    isNoticed: saved.noticed ?? breaks_url,
    ending: saved.ending === undefined ? null : visible(saved.ending),
    remark: saved.because === undefined ? takeoverRemark(saved.takes_over, kind, saved.clicks) : visible(saved.because),
    words: shownWords(saved, fields),
    isWhole: isOneSided,
    counted: saved,
    place: source,
    owners: saved.owner ?? [],
    family: saved.family === undefined ? null : visible(saved.family.pattern),
    lines: () => [source],
    origin,
    trips: saved.trips === true,
    ...NEITHER_DRIFT_NOR_RESULT,
    groupKey:
      was === null && saved.trips !== true && saved.takes_over !== true
        ? `${action} ${origin ?? ""} ${saved.because ?? ""}`
        : null,
  };
}

function familyOf(change: Change): string | null {
  const family = change.action === "delete" ? undefined : change.desired.family;
  return family === undefined ? null : visible(family.pattern);
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

/** The part of an address that needs no escaping. */
const HOST = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/i;

/** Where a link leads in a browser; null if its domain's host is not known. */
function addressOf(values: Values, hosts: Plan["hosts"]): string | null {
  const domain = values.get(REFERENCE_FIELD.domain);
  const alias = values.get(KEY_FIELD.link);
  const host = typeof domain === "string" ? (hosts.get(domain) ?? "") : "";
  if (typeof alias !== "string" || alias === "" || !HOST.test(host) || /\p{Cs}/u.test(alias)) return null;
  return `https://${host}/${encodeURIComponent(alias)}`;
}

/** A link that is created or renamed cannot be visited before the apply, a deleted one not after it. */
function addressesOf(change: Change, { hosts }: ChangeContext, isApplied: boolean): ChangeView["addresses"] {
  const none = { key: null, previous: null };
  if (change.kind !== "link") return none;
  if (isApplied)
    return change.action === "delete" ? none : { key: addressOf(change.desired.values, hosts), previous: null };
  if (change.action === "create") return none;
  const address = addressOf(change.live.values, hosts);
  return change.previousKey === null ? { key: address, previous: null } : { key: null, previous: address };
}

/** The addresses of a change in a document. Its keys may have labels for domains, but its short URLs have host names. */
function savedAddresses(saved: ChangeDocument): ChangeView["addresses"] {
  const { action, kind, key, previous_key: previous, short_url: url, lost_url: lost } = saved;
  if (kind !== "link" || action === "create") return { key: null, previous: null };
  const address = writtenAddress(previous === null ? (url ?? lost ?? key) : (lost ?? previous));
  return previous === null ? { key: address, previous: null } : { key: null, previous: address };
}

function writtenAddress(url: string): string | null {
  const slash = url.indexOf("/");
  const [host, alias] = [url.slice(0, slash), url.slice(slash + 1)];
  return slash < 0 || alias === "" || !HOST.test(host) || /\p{Cs}/u.test(alias)
    ? null
    : `https://${host}/${encodeURIComponent(alias)}`;
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

function takeoverRemark(takesOver: boolean | null, kind: Change["kind"], clicks: number | null = null): string | null {
  return takesOver === true ? `It ${takeoverText(kind, clicks)}.` : null;
}

function isWhole({ action }: Change): boolean {
  return action === "create" || action === "delete";
}

function wordsOf(change: Change, { zones }: ChangeContext): readonly WordChange[] {
  const fields = change.action === "delete" ? lostFields(change) : change.fields;
  const words = fields.flatMap((field) => wordChanges(change.kind, field, zones, isWhole(change)));
  return shownWords(change, words);
}

/** The words that a report shows. The destination of a deleted link stays one text: nobody checks its UTM values any more. */
function shownWords(change: ShownChange, words: readonly WordChange[]): readonly WordChange[] {
  if (change.action === "update" || change.action === "replace") return splitUtmWords(words);
  const own = words.filter((word) => !isInKey(change, word));
  return change.action === "create" ? splitUtmWords(own) : own;
}

type ShownChange = Pick<Change, "action" | "kind" | "key">;

/** The required fields of a deleted object. */
function lostFields({ kind, live }: Delete): FieldChange[] {
  return FIELDS[kind].flatMap(({ path, required }) => {
    const after = required ? live.values.get(path) : undefined;
    return after === undefined ? [] : [{ path, before: undefined, after }];
  });
}

/** Whether the key contains the value of the field. */
function isInKey({ kind, key }: Pick<Change, "kind" | "key">, { path, after }: WordChange): boolean {
  if (typeof after !== "string") return false;
  if (path === KEY_FIELD[kind]) return kind === "pixel" ? key === after : key.endsWith(`/${after}`);
  return kind === "link" && path === REFERENCE_FIELD.domain && key.startsWith(`${after}/`);
}
