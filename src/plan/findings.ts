// Diagnostics about single objects of a plan.

import type { Desired, Live } from "../domain/change.ts";
import { error, info, warning, type Diagnostic } from "../domain/diagnostic.ts";
import type { Tombstone } from "../domain/project.ts";
import { GROUPS, type ResourceKind } from "../domain/table.ts";
import type { KeptValue } from "./compare.ts";

/** Several live records have one key. */
export function severalRecords(
  key: string,
  records: readonly Live[],
  place: Desired["place"],
  hint: string,
): Diagnostic {
  const list = records.map((record) => `${record.key} (id ${record.id})`).join(", ");
  return error("two-live-rows", `Several live rows fold to \`${key}\`: ${list}.`, place, hint);
}

/** How to delete one of several records with a key. */
export function deleteOne(kind: ResourceKind, [first]: readonly Live[]): string {
  return `Delete one with a tombstone: \`absent: { ${kind}s: { ${first?.key}: { id: … } } }\`.`;
}

/** A tombstone with an id names the only record of a declared key. */
export function declaredAndDeleted(desired: Desired, live: Live): Diagnostic {
  const message = `\`${desired.key}\` is declared, and its only row (id ${live.id}) is to be deleted.`;
  return error("declared-and-absent", message, desired.place, "Remove the tombstone, or the declaration.");
}

/** A tombstone without a live object. */
export function tombstoneSpent(key: string, { id, place }: Pick<Tombstone, "id" | "place">): Diagnostic {
  const what = id === null ? `\`${key}\` is not live` : `No live row of \`${key}\` has the id ${id}`;
  return info("tombstone-spent", `${what}: the tombstone can go.`, place);
}

/** A rename that is done. */
export function renameDone(desired: Desired): Diagnostic {
  return info(
    "rename-done",
    `\`${desired.key}\` has been renamed; \`renamed_from\` can go.`,
    desired.renamedFrom?.place ?? desired.place,
  );
}

/** A rename whose new key is live already, while `former` still has the old one. */
export function renameBlocked(desired: Desired, former: Live): Diagnostic {
  const message = `\`${desired.key}\` and \`${former.key}\`, from which it is to be renamed, are both live; \`${former.key}\` is left alone.`;
  const hint = "Remove `renamed_from`; to delete the old one, write a tombstone.";
  return warning("rename-blocked", message, desired.renamedFrom?.place ?? desired.place, hint);
}

/**
 * A link is to be replaced by one that is live already and has another destination. Updating that one would look like an interrupted
 * replacement, and the next plan would delete the old link.
 */
export function replaceBlocked(desired: Desired, former: Live): Diagnostic {
  const message = `\`${desired.key}\` is to replace \`${former.key}\`, but is live already and leads elsewhere.`;
  const hint = `Remove \`renamed_from\`; to delete \`${former.key}\`, write a tombstone.`;
  return error("rename-blocked", message, desired.renamedFrom?.place ?? desired.place, hint);
}

/** A rename with no live object under either key. */
export function renameOfNothing({ key }: Desired, former: NonNullable<Desired["renamedFrom"]>): Diagnostic {
  return info(
    "rename-of-nothing",
    `No row of \`${former.key}\` is there to be renamed: \`${key}\` is made new.`,
    former.place,
  );
}

/** An undeclared field keeps a link closed. */
export function kept(desired: Desired, closed: readonly KeptValue[]): Diagnostic {
  const states = statesOf(closed).join(", ");
  const lines = linesToOpen(desired, closed).join(", ");
  const message = `\`${desired.key}\` ${states} and the file is silent about it: it stays so.`;
  return warning("kept", message, desired.place, `To change that, write ${lines}.`);
}

/** A replacement would be more open than the old link. One error for each closed state. */
export function replaceOpens(desired: Desired, live: Live, closed: readonly KeptValue[]): Diagnostic[] {
  return statesOf(closed).map((state) => {
    const lines = linesToOpen(
      desired,
      closed.filter(({ opens }) => opens.state === state),
    );
    const message = `\`${desired.key}\` replaces \`${live.key}\` but would be more open: \`${live.key}\` ${state}.`;
    const hint = `Declare the same for the new link, or write ${lines.join(", ")}.`;
    return error("replace-opens", message, desired.place, hint);
  });
}

function statesOf(closed: readonly KeptValue[]): string[] {
  return [...new Set(closed.map(({ opens }) => opens.state))];
}

/**
 * The lines that open only these fields. An undeclared group is cleared as a whole. In a group that is declared in part, only these
 * fields are.
 */
function linesToOpen({ declared }: Desired, closed: readonly KeptValue[]): string[] {
  const lines = closed.map(({ path, opens }) => {
    const [group = "", member] = path.split(".");
    const isPartly = GROUPS[group] !== undefined && [...declared.keys()].some((other) => other.startsWith(`${group}.`));
    if (!isPartly) return opens.line;
    const members = closed.flatMap((one) => {
      const [of, name] = one.path.split(".");
      return of === group ? [`${name ?? member}: ${one.opens.word}`] : [];
    });
    return `${group}: { ${members.join(", ")} }`;
  });
  return [...new Set(lines)].map((line) => `\`${line}\``);
}

/** A live rotation with an empty entry that the plan leaves as it is. */
export function rotationHole(desired: Desired): Diagnostic {
  const message = `The live rotation of \`${desired.key}\` has an empty entry, so every visit ends with an error (500).`;
  const hint = "Declare its `targeting`, and apply: that replaces the rotation.";
  return warning("rotation-hole", message, desired.place, hint);
}
