// Live objects as blocks: their fields, and how the files declare them.

import { visible } from "../domain/control-characters.ts";
import { fieldsText } from "../domain/live.ts";
import { showPlace } from "../domain/place.ts";
import { KEY_FIELD } from "../domain/table.ts";
import { itemList, sentences, toned, yaml, code, line, prose, type Block, type Item, type Tone } from "./blocks.ts";
import { changeItem, type ComposeContext } from "./compose-changes.ts";
import { findingList } from "./compose-findings.ts";
import { showInstant } from "./counts.ts";
import { plural, showCount } from "../domain/words.ts";
import type { ShowDocument, ShownDocument } from "./json/inspect.ts";
import { wholeRow } from "./rows.ts";
import { unmanagedLines } from "./unplanned.ts";
import { splitUtmWords, type WordChange } from "./values.ts";

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
  const shown = Object.entries(fields).filter(([path]) => !defaults.includes(path) && !isKey(path));
  return splitUtmWords(shown.map(([path, after]) => ({ path, before: null, after })));
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
