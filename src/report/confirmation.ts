// What `apply` and `undo` ask before they write.

import type { Plan } from "../domain/change.ts";
import { visible } from "../domain/control-characters.ts";
import { plural } from "./counts.ts";
import { reportedChanges } from "./change-document.ts";
import { countObjects, isLost, lostTitle, lostUrl, mostClicksFirst } from "./compose-changes.ts";
import type { ChangeDocument } from "./json/schema.ts";

/** The question, the only answer that confirms it, and what to show directly above it. */
export interface Confirmation {
  readonly lines: readonly string[];
  readonly question: string;
  readonly answer: string;
}

/** More short URLs are counted instead of named, so that the list fits above the question on any terminal. */
const MAX_NAMED = 10;

/** Asks for the number of short URLs that stop working, so that nobody confirms it out of habit; without any, for `yes`. */
export function confirmationOf(plan: Plan): Confirmation {
  const changes = mostClicksFirst(reportedChanges(plan));
  const lost = changes.filter(isLost);
  const taken = changes.filter(({ action, takes_over: takesOver }) => takesOver === true && action !== "create");
  const lines = [
    ...(taken.length === 0 ? [] : [`The plan takes over ${countObjects(taken, "existing ")}:`]),
    ...namedLines(taken, ({ previous_key: previous, key }) => previous ?? key),
    ...(taken.length === 0 || lost.length === 0 ? [] : [""]),
    ...namedLines(lost, lostUrl),
  ];
  if (lost.length === 0) {
    const all = changes.length === 1 ? "this change" : `these ${plural(changes.length, "change")}`;
    return { lines, question: `Apply ${all}? Type \`yes\` to confirm: `, answer: "yes" };
  }
  const answer = String(lost.length);
  const title = lostTitle(lost, "plan").map(({ text }) => text);
  return { lines, question: `${title.join("")} Type ${answer} to confirm: `, answer };
}

/** Each on a line with its clicks, the most first. */
function namedLines(all: readonly ChangeDocument[], nameOf: (change: ChangeDocument) => string): string[] {
  const named = all.slice(0, MAX_NAMED).map((change) => {
    const clicks = change.clicks === undefined ? "" : ` (${plural(change.clicks, "click")})`;
    return `  ${visible(nameOf(change))}${clicks}`;
  });
  return all.length > MAX_NAMED ? [...named, `  and ${all.length - MAX_NAMED} more`] : named;
}
