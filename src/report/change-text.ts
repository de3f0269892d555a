// One change as a paragraph: what is done to what, what it means for visitors, and each field as it is and as it will be.

import type { Base, Change, Delete, FieldChange, Plan } from "../domain/change.ts";
import { showPlace } from "../domain/place.ts";
import { FIELDS, KEY_FIELD, REFERENCE_FIELD } from "../domain/table.ts";
import type { Values } from "../domain/value.ts";
import { tellApart } from "./alike.ts";
import { BRAKE_MARK } from "./brakes.ts";
import { plural } from "./diagnostics-text.ts";
import { fieldLines, INDENT } from "./field-lines.ts";
import { originText } from "./origins.ts";
import type { Screen } from "./screen.ts";
import { wrap } from "./width.ts";
import { visible } from "./unseen.ts";
import { wordChanges, type WordChange } from "./words.ts";

const SYMBOL: Readonly<Record<Change["action"], string>> = { create: "+", update: "~", replace: "±", delete: "-" };

/** What a change is told with. */
export interface Telling extends Screen {
  readonly plan: Pick<Plan, "base" | "zones" | "hosts">;
}

/** The paragraph of a change; it ends with a line break. `trips`: it is one of those that trip a brake. */
export function changeText(change: Change, trips: boolean, telling: Telling): string {
  const { plan, paint, columns } = telling;
  const colour = { create: paint.green, update: paint.yellow, replace: paint.magenta, delete: paint.red }[
    change.action
  ];
  const [was, key] =
    change.previousKey === null ? ["", visible(change.key)] : tellApart(change.previousKey, change.key);
  const from = was === "" ? "" : ` ${paint.dim("(was")} ${was}${paint.dim(")")}`;
  // A pixel that another one takes the name from has its id in its key.
  const isSaid = change.action === "create" || change.key.endsWith(` #${change.live.id}`);
  const id = isSaid ? "" : paint.dim(` #${change.live.id}`);
  const mark = trips ? ` ${paint.red(BRAKE_MARK)}` : "";
  const verb = colour(`${SYMBOL[change.action]} ${change.action} ${change.kind}`);
  const origin = change.origin === null ? "" : ` · ${originText(change.origin)}`;
  const lines = [
    wrap(`${verb} ${paint.bold(key)}${from}${id}${mark}`, columns, INDENT, 0),
    ...typed(change, plan).map((url) => paint.dim(`    ${url}`)),
    ...consequences(change, telling),
    ...fieldLines(change.kind, wordsOf(change, telling.plan), isWhole(change), telling),
    paint.dim(`    ${wrap(`${visible(showPlace(change.source))}${origin}`, columns, INDENT)}`),
  ];
  return `${lines.join("\n")}\n`;
}

/** A link's short URL as people type it. */
function shortUrl(key: string, values: Values, hosts: Plan["hosts"]): string {
  const domain = values.get(REFERENCE_FIELD.domain);
  const alias = values.get(KEY_FIELD.link);
  const host = typeof domain === "string" ? hosts.get(domain) : undefined;
  return host === undefined || typeof alias !== "string" ? key : `${host}/${alias}`;
}

/** The short URL where the key, which has the label of the domain, does not spell it. */
function typed(change: Change, { hosts }: Telling["plan"]): string[] {
  if (change.kind !== "link") return [];
  const values = change.action === "delete" ? change.live.values : change.desired.values;
  const url = shortUrl(change.key, values, hosts);
  return url === change.key ? [] : [visible(url)];
}

/** What the change means for visitors, where it means the end of something; and why a deletion that no line asks for. */
function consequences(change: Change, { plan: { base, hosts }, paint, columns }: Telling): string[] {
  const reason = change.action === "delete" ? reasonText(change.reason, base) : "";
  const because = (indent: number): string[] =>
    reason === "" ? [] : [`${" ".repeat(indent)}${wrap(reason, columns, indent)}`];
  if (!change.breaksUrl || change.action === "create") return because(INDENT);
  const { clicks } = change.live;
  const counted = clicks === null ? "" : ` It has ${plural(clicks, "click")}.`;
  const kept = clicks === null || clicks === 0 ? "" : ` Its ${plural(clicks, "click")} stay${clicks === 1 ? "s" : ""}.`;
  const old = visible(shortUrl(change.live.key, change.live.values, hosts));
  const says: Readonly<Record<"update" | "replace" | "delete", string>> = {
    update: `${old} stops answering as it did.${kept}`,
    replace: `${old} is deleted after ${visible(change.key)} is made; its clicks and id are lost.${counted}`,
    delete: `${old} stops answering.${counted}`,
  };
  return [`    ${paint.red("!")} ${wrap(says[change.action], columns, INDENT + 2)}`, ...because(INDENT + 2)];
}

/** Why something is deleted that no tombstone names. */
function reasonText(reason: Delete["reason"], base: Base | null): string {
  switch (reason) {
    case "removed":
      return `Its declaration was removed${base === null ? "" : ` since \`${visible(base.ref)}\``}.`;
    case "undeclared":
      return "It lies in scope and is declared nowhere.";
    case "moved":
      return "The link that replaces it is live already.";
    case "tombstone":
      return "";
    default:
      return reason satisfies never;
  }
}

/** Whether there is only one side of a change: what comes, or what goes. */
function isWhole({ action }: Change): boolean {
  return action === "create" || action === "delete";
}

function wordsOf(change: Change, { zones }: Telling["plan"]): WordChange[] {
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
function isInKey({ kind, key }: Change, { path, after }: WordChange): boolean {
  if (typeof after !== "string") return false;
  if (path === KEY_FIELD[kind]) return kind === "pixel" ? key === after : key.endsWith(`/${after}`);
  return kind === "link" && path === REFERENCE_FIELD.domain && key.startsWith(`${after}/`);
}
