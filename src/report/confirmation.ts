// What `apply` and `undo` ask before they write.

import type { Plan } from "../domain/change.ts";
import { visible } from "../domain/control-characters.ts";
import { plural } from "./counts.ts";
import { reportedChanges } from "./change-document.ts";
import { countObjects, isLost, lostUrl, mostClicksFirst } from "./compose-changes.ts";
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
  const [lost, taken] = [lostIn(plan), takeoverLines(plan)];
  if (lost.length === 0) {
    const changes = plan.changes.length === 1 ? "this change" : `these ${plural(plan.changes.length, "change")}`;
    return { lines: taken, question: `Apply ${changes}? Type \`yes\` to confirm: `, answer: "yes" };
  }
  const known = lost.flatMap(({ clicks }) => clicks ?? []);
  const sum = known.length === 0 ? null : known.reduce((total, clicks) => total + clicks, 0);
  const unknown =
    known.length === 0 || known.length === lost.length ? "" : `, unknown for ${lost.length - known.length}`;
  const clicks = sum === null ? "" : ` (${plural(sum, "click")}${unknown})`;
  const answer = String(lost.length);
  const question = `${plural(lost.length, "short URL")} will stop working${clicks}. Type ${answer} to confirm: `;
  return { lines: [...taken, ...(taken.length > 0 ? [""] : []), ...lostLines(lost)], question, answer };
}

function lostIn(plan: Plan): ChangeDocument[] {
  return mostClicksFirst(reportedChanges(plan).filter(isLost));
}

/** The short URLs that stop working, each on a line with its clicks, the most first. */
function lostLines(lost: readonly ChangeDocument[]): string[] {
  return namedLines(lost.map((change) => ({ name: lostUrl(change), clicks: change.clicks ?? null })));
}

/** The live objects that the plan takes over, in the same form. */
function takeoverLines({ changes }: Plan): string[] {
  const taken = changes.flatMap((change) =>
    change.takesOver === true && change.action !== "create" ? change.live : [],
  );
  if (taken.length === 0) return [];
  const sorted = taken.toSorted((a, b) => (b.clicks ?? -1) - (a.clicks ?? -1));
  const lines = namedLines(sorted.map(({ key, clicks }) => ({ name: key, clicks })));
  return [`The plan takes over ${countObjects(taken, "existing ")}:`, ...lines];
}

function namedLines(all: readonly { readonly name: string; readonly clicks: number | null }[]): string[] {
  const named = all.slice(0, MAX_NAMED).map(({ name, clicks }) => `  ${visible(name)}${clicksText(clicks)}`);
  return all.length > MAX_NAMED ? [...named, `  and ${all.length - MAX_NAMED} more`] : named;
}

function clicksText(clicks: number | null): string {
  return clicks === null ? "" : ` (${plural(clicks, "click")})`;
}
