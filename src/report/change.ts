// One change as every report shows it: planned, applied, or found by `drift`.

import { takeoverText, type Plan } from "../domain/change.ts";
import { visible } from "../domain/control-characters.ts";
import { SourceText, type Place } from "../domain/place.ts";
import { KEY_FIELD, REFERENCE_FIELD } from "../domain/table.ts";
import { distinguishPair } from "./confusables.ts";
import { resultStatus, type ResultStatus } from "./apply-result.ts";
import { reportedChanges } from "./change-document.ts";
import type { Countable } from "./change-counts.ts";
import type { ChangeDocument, ErrorDocument, OutcomeDocument, PlaceDocument } from "./change-document.ts";
import { showInstant, type DriftState } from "./drift.ts";
import { originText } from "./plan-remarks.ts";
import { splitUtmWords, type WordChange } from "./values.ts";

/** Texts have invisible characters shown by code point. Each format escapes its own syntax. */
export interface ChangeView {
  readonly action: ChangeDocument["action"];
  readonly kind: ChangeDocument["kind"];
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
  /** Why an object without a tombstone is deleted, or that the change takes over an existing object, in a sentence. */
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
  readonly excerpt: string;
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

export const SYMBOL: Readonly<Record<ChangeDocument["action"], string>> = {
  create: "+",
  update: "~",
  replace: "±",
  delete: "-",
};

/** Sorts changes by clicks, the most first. Unknown clicks come last. */
export function mostClicksFirst(changes: readonly ChangeView[]): ChangeView[] {
  return changes.toSorted((a, b) => (b.clicks ?? -1) - (a.clicks ?? -1));
}

/** The changes of a plan. */
export function viewPlan(plan: Plan): ChangeView[] {
  return reportedChanges(plan).map(viewDocument);
}

/** A change of a report. */
export function viewDocument(document: ChangeDocument & Partial<OutcomeDocument>): ChangeView {
  const { action, kind, id, source, takes_over, clicks, outcome, error = null, drift = null, excerpt = "" } = document;
  const [was, key] =
    document.previous_key === null
      ? [null, visible(document.key)]
      : distinguishPair(document.previous_key, document.key);
  // What drift differs in is not going to be applied, so it has no origin.
  const origin = document.origin === null || drift !== null ? null : originText(document.origin);
  const remark =
    document.because !== undefined
      ? visible(document.because)
      : takes_over === true
        ? `It ${takeoverText(kind, clicks ?? null)}.`
        : null;
  const isWhole = action === "create" || action === "delete";
  const trips = document.trips === true;
  const words = wordsOf(document);
  return {
    action,
    kind,
    key,
    previousKey: was,
    // The key contains the id if another pixel gets its name.
    id: id === null || document.key.endsWith(` #${id}`) ? null : id,
    url: document.short_url === undefined ? null : visible(document.short_url),
    addresses: addressesOf(document),
    lost: document.breaks_url && drift === null ? visible(document.lost_url ?? was ?? key) : null,
    clicks: clicks ?? null,
    isNoticed: document.noticed ?? document.breaks_url,
    ending: document.ending === undefined ? null : visible(document.ending),
    remark,
    // A drift report shows the declared value first.
    words:
      drift === null || isWhole
        ? words
        : words.map(({ path, before, after }) => ({ path, before: after, after: before })),
    isWhole,
    counted: document,
    place: placeOf(source),
    owners: document.owner ?? [],
    family: document.family === undefined ? null : visible(document.family.pattern),
    excerpt,
    origin,
    trips,
    state: drift,
    since:
      document.changed_at === undefined ? null : `last changed at the service on ${showInstant(document.changed_at)}`,
    result: outcome === undefined ? null : { status: resultStatus({ ...document, outcome, error }), error },
    groupKey:
      was === null && !trips && takes_over !== true ? `${action} ${origin ?? ""} ${document.because ?? ""}` : null,
  };
}

/** The place of a document. Lines of another commit have a source, so that nothing links to this one. */
function placeOf({ file, line, column, end_column: end, ref }: PlaceDocument): Place {
  return {
    file,
    line,
    column,
    ...(end !== undefined && { length: end - column }),
    ...(ref !== undefined && { source: new SourceText("", file, ref) }),
  };
}

/** The part of an address that needs no escaping. A name without a dot and a port is a label in the files, not a host. */
const HOST = /^(?=[^:]*[.:])[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/i;

/** A link that is created or renamed cannot be visited before the apply, a deleted one not after it. */
function addressesOf(document: ChangeDocument & Partial<OutcomeDocument>): ChangeView["addresses"] {
  const { action, kind, key, previous_key: previous, short_url: url, lost_url: lost, outcome } = document;
  const none = { key: null, previous: null };
  if (kind !== "link") return none;
  if (outcome === "applied") return action === "delete" ? none : { key: addressOf(url ?? key), previous: null };
  if (action === "create") return none;
  const address = addressOf(previous === null ? (url ?? lost ?? key) : (lost ?? previous));
  return previous === null ? { key: address, previous: null } : { key: null, previous: address };
}

/** Where a short URL leads in a browser; null if its host is not known. */
function addressOf(url: string): string | null {
  const slash = url.indexOf("/");
  const [host, alias] = [url.slice(0, slash), url.slice(slash + 1)];
  if (slash < 0 || alias === "" || !HOST.test(host) || /\p{Cs}/u.test(alias)) return null;
  return `https://${host}/${encodeURIComponent(alias)}`;
}

/** The words that a report shows. The destination of a deleted link stays one text: nobody checks its UTM values any more. */
function wordsOf(document: ChangeDocument): readonly WordChange[] {
  const { action, fields, lost = [] } = document;
  if (action === "update" || action === "replace") return splitUtmWords(fields);
  const words = action === "create" ? fields : lost.map(({ path, value }) => ({ path, before: null, after: value }));
  const own = words.filter((word) => !isInKey(document, word));
  return action === "create" ? splitUtmWords(own) : own;
}

/** Whether the key contains the value of the field. */
function isInKey({ kind, key }: ChangeDocument, { path, after }: WordChange): boolean {
  if (typeof after !== "string") return false;
  if (path === KEY_FIELD[kind]) return kind === "pixel" ? key === after : key.endsWith(`/${after}`);
  return kind === "link" && path === REFERENCE_FIELD.domain && key.startsWith(`${after}/`);
}
