// What there is to say of one change, in words: every format draws this. Texts show what can't be seen; a format escapes
// besides what means something in it.

import type { Base, Change, Create, Delete, FieldChange, Plan } from "../domain/change.ts";
import type { Place } from "../domain/place.ts";
import { FIELDS, KEY_FIELD, REFERENCE_FIELD } from "../domain/table.ts";
import type { Values } from "../domain/value.ts";
import { CLICK_LIMIT, OVER } from "../domain/visit-fields.ts";
import { endingOf, isNoticed } from "../domain/visitors.ts";
import { tellApart } from "./confusables.ts";
import { plural } from "./counts.ts";
import { originText } from "./origins.ts";
import { visible } from "../domain/control-characters.ts";
import { wordChanges, type WordChange } from "./values.ts";

/** What of a plan its changes are told with. */
export type ChangeContext = Pick<Plan, "base" | "zones" | "hosts">;

export interface ChangeView {
  readonly action: Change["action"];
  /** `+ ~ ± -`. */
  readonly symbol: string;
  readonly kind: Change["kind"];
  readonly key: string;
  /** The key until now, where that changes. */
  readonly was: string | null;
  /** Null where there is none yet, or the key has it in it. */
  readonly id: number | null;
  /** A link's short URL as people type it, where the key, which has the label of the domain, does not spell it. */
  readonly url: string | null;
  readonly isNoticed: boolean;
  /** What it means the end of for visitors: sentences. */
  readonly ending: string | null;
  /** Why something is deleted that no line asks for: a sentence. */
  readonly because: string | null;
  /** The fields. Their values are not yet texts: see words.ts and value-lines.ts. */
  readonly words: readonly WordChange[];
  /** There is only one side: what comes, or what goes. */
  readonly isWhole: boolean;
  readonly place: Place;
  /** Since when it is asked for, or who made it so; null without a base. */
  readonly origin: string | null;
}

/** What stands for an action. */
export const SYMBOL: Readonly<Record<Change["action"], string>> = {
  create: "+",
  update: "~",
  replace: "±",
  delete: "-",
};

/** Tells a change. */
export function viewChange(change: Change, plan: ChangeContext): ChangeView {
  const { action, kind } = change;
  const [was, key] =
    change.previousKey === null ? [null, visible(change.key)] : tellApart(change.previousKey, change.key);
  // A pixel that another one takes the name from has its id in its key.
  const isSaid = change.action === "create" || change.key.endsWith(` #${change.live.id}`);
  return {
    action,
    symbol: SYMBOL[action],
    kind,
    key,
    was,
    id: isSaid ? null : change.live.id,
    url: typedUrl(change, plan),
    isNoticed: isNoticed(change),
    ending: endingText(change, plan),
    because: change.action === "delete" ? reasonOf(change.reason, plan.base) : null,
    words: wordsOf(change, plan),
    isWhole: isWhole(change),
    place: change.source,
    origin: change.origin === null ? null : originText(change.origin),
  };
}

/** A link's short URL as people type it: with the name that visitors know for the label of its domain. */
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
  const kept = clicks === null || clicks === 0 ? "" : ` Its ${plural(clicks, "click")} stay${clicks === 1 ? "s" : ""}.`;
  const old = visible(shortUrl(change.live.key, change.live.values, hosts));
  const says: Readonly<Record<"update" | "replace" | "delete", string>> = {
    update: `${old} ${updateEnding(change)}${kept}`,
    replace: `${old} is deleted after ${visible(change.key)} is made; its clicks and id are lost.${counted}`,
    delete: `${old} stops answering.${counted}`,
  };
  return says[change.action];
}

/** How an update ends a short URL: the end of a sentence. */
function updateEnding(change: Exclude<Change, Create>): string {
  if (endingOf(change) !== "expire") return "stops answering as it did.";
  const { fields, live } = change;
  const changed = new Map(fields.map(({ path, after }) => [path, after]));
  const isCertain = live.clicks !== null || typeof changed.get(CLICK_LIMIT.path) !== "number";
  const over = changed.has(OVER.path) ? changed.get(OVER.path) : live.values.get(OVER.path);
  const then =
    typeof over === "string" ? `Visitors go to ${visible(over)} instead.` : "Visitors see a page that says so.";
  return isCertain ? `expires. ${then}` : `may expire: the service does not report its clicks. ${then}`;
}

function reasonOf(reason: Delete["reason"], base: Base | null): string | null {
  switch (reason) {
    case "removed":
      return `Its declaration was removed${base === null ? "" : ` since \`${visible(base.ref)}\``}.`;
    case "undeclared":
      return "It lies in scope and is declared nowhere.";
    case "moved":
      return "The link that replaces it is live already.";
    case "tombstone":
      return null;
    default:
      return reason satisfies never;
  }
}

function isWhole({ action }: Change): boolean {
  return action === "create" || action === "delete";
}

function wordsOf(change: Change, { zones }: ChangeContext): WordChange[] {
  const fields = change.action === "delete" ? lostFields(change) : change.fields;
  const words = fields.flatMap((field) => wordChanges(change.kind, field, zones, isWhole(change)));
  return isWhole(change) ? words.filter((word) => !isInKey(change, word)) : words;
}

/** What is most worth knowing of what is deleted: the fields without which it could not be. */
function lostFields({ kind, live }: Delete): FieldChange[] {
  return FIELDS[kind].flatMap(({ path, required }) => {
    const after = required ? live.values.get(path) : undefined;
    return after === undefined ? [] : [{ path, before: undefined, after }];
  });
}

/** Whether the key of a link or pixel says the field already. */
export function isInKey({ kind, key }: Pick<Change, "kind" | "key">, { path, after }: WordChange): boolean {
  if (typeof after !== "string") return false;
  if (path === KEY_FIELD[kind]) return kind === "pixel" ? key === after : key.endsWith(`/${after}`);
  return kind === "link" && path === REFERENCE_FIELD.domain && key.startsWith(`${after}/`);
}
