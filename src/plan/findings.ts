// Diagnostics about single objects of a plan.

import { takeoverText, type Base, type Change, type Desired, type Live } from "../domain/change.ts";
import { groupBy } from "../domain/collections.ts";
import { error, info, warning, type Diagnostic } from "../domain/diagnostic.ts";
import type { Policy, Tombstone } from "../domain/project.ts";
import { levelOf } from "../domain/rules.ts";
import { GROUPS } from "../domain/table.ts";
import type { KeptValue } from "./compare.ts";
import { showCount, someOf } from "../domain/words.ts";

/** Several live records have one key. By default, the hint is to delete one of them. */
export function severalRecords(
  key: string,
  records: readonly Live[],
  place: Desired["place"],
  hint: string = `Delete one of them with a tombstone: \`absent: { ${records[0]?.kind}s: { ${records[0]?.key}: { id: … } } }\`.`,
): Diagnostic {
  const list = records.map((record) => `${record.key} (id ${record.id})`).join(", ");
  return error("two-live-rows", `Several live records match the key \`${key}\`: ${list}.`, place, hint);
}

/** A tombstone with an id names the only record of a declared key. */
export function declaredAndDeleted(desired: Desired, live: Live): Diagnostic {
  const message = `\`${desired.key}\` is declared, but a tombstone deletes the only live ${live.kind} with this key (id ${live.id}).`;
  return error("declared-and-absent", message, desired.place, "Remove the tombstone or the declaration.");
}

export function tombstoneSpent(key: string, { id, place }: Tombstone): Diagnostic {
  const what = id === null ? `\`${key}\` is not live` : `\`${key}\` with the id ${id} is not live`;
  return info("tombstone-spent", `${what}. You can remove the tombstone.`, place);
}

export function renameDone(desired: Desired): Diagnostic {
  const message = `\`${desired.key}\` has been renamed. You can remove \`renamed_from\`.`;
  return info("rename-done", message, desired.renamedFrom?.place ?? desired.place);
}

/** A rename whose new key is live already, while `former` still has the old one. */
export function renameBlocked(desired: Desired, former: Live): Diagnostic {
  const message = `\`${former.key}\` cannot be renamed to \`${desired.key}\`, because both are live. linkform does not change \`${former.key}\`.`;
  const hint = `Remove \`renamed_from\`. To delete \`${former.key}\`, write a tombstone.`;
  return warning("rename-blocked", message, desired.renamedFrom?.place ?? desired.place, hint);
}

export function renameOfNothing({ key }: Desired, former: NonNullable<Desired["renamedFrom"]>): Diagnostic {
  const message = `\`${former.key}\` is not live, so linkform creates \`${key}\` instead of renaming it.`;
  return info("rename-of-nothing", message, former.place);
}

export function kept(desired: Desired, closed: readonly KeptValue[]): Diagnostic {
  const states = [...new Set(closed.map(({ opens }) => opens.state))].join(" and ");
  const lines = linesToOpen(desired, closed).join(", ");
  const message = `\`${desired.key}\` ${states}. The files do not mention this, so linkform does not change it.`;
  return warning("kept", message, desired.place, `To change that, write ${lines}.`);
}

/** A replacement would be more open than the old link. One error for each closed state. */
export function replaceOpens(desired: Desired, live: Live, closed: readonly KeptValue[]): Diagnostic[] {
  return [...groupBy(closed, ({ opens }) => opens.state)].map(([state, same]) => {
    const lines = linesToOpen(desired, same);
    const message = `\`${desired.key}\` replaces \`${live.key}\`, but would be less restricted: \`${live.key}\` ${state}.`;
    const hint = `Declare the same for the new link. If it should be open, write ${lines.join(", ")}.`;
    return error("replace-opens", message, desired.place, hint);
  });
}

/**
 * The lines that open only these fields. An undeclared group is cleared as a whole. In a group that is declared in part, only these
 * fields are.
 */
function linesToOpen({ fields }: Desired, closed: readonly KeptValue[]): string[] {
  const lines = closed.map(({ path, opens }) => {
    const [group = path, member] = path.split(".");
    const isPartly = GROUPS[group] !== undefined && [...fields.keys()].some((other) => other.startsWith(`${group}.`));
    if (!isPartly) return `${group}: ${opens.word}`;
    const members = closed.flatMap((one) => {
      const [of, name] = one.path.split(".");
      return of === group ? [`${name ?? member}: ${one.opens.word}`] : [];
    });
    return `${group}: { ${members.join(", ")} }`;
  });
  return [...new Set(lines)].map((line) => `\`${line}\``);
}

/** More takeovers are one finding, because each change is marked, too. */
const MAX_TAKEOVERS = 3;

/** Changes of objects that the base does not declare, which may belong to somebody else. */
export function takeovers(changes: readonly Change[], rules: Policy["rules"], base: Base | null): Diagnostic[] {
  const severity = levelOf("takes-over", rules);
  if (severity === "off") return [];
  const taking = changes.filter(({ takesOver }) => takesOver === true);
  // The base stays behind the account if a deploy is incomplete, or in a clone whose tag is old.
  const more =
    base?.impliedDays !== undefined
      ? ` If the tag is old, run \`git fetch --force origin tag ${base.ref}\`.`
      : severity === "error"
        ? " If an incomplete deploy created it, set `rules: { takes-over: warning }` until a deploy is complete."
        : "";
  const finding = (message: string, { source }: Change, it: string): Diagnostic => ({
    code: "takes-over",
    severity,
    message,
    place: source,
    hint: `The base does not declare ${it}. If somebody else uses ${it}, choose another key or remove the block.${more}`,
  });
  const clicksOf = (change: Change): number | null => (change.action === "create" ? null : change.live.clicks);
  const [first] = taking;
  if (first === undefined || taking.length <= MAX_TAKEOVERS)
    return taking.map((one) => finding(`\`${one.key}\` ${takeoverText(one.kind, clicksOf(one))}.`, one, "it"));
  const clicks = taking.reduce((sum, change) => sum + (clicksOf(change) ?? 0), 0);
  const quoted = taking.map(({ key }) => `\`${key}\``);
  const message = `${someOf(quoted, MAX_TAKEOVERS)} take over existing objects (${showCount(clicks)} clicks in total).`;
  return [finding(message, first, "them")];
}
