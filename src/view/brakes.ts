// The messages of a tripped brake: the count, the limit, and the flag or setting that raises the limit.

import { endingOf, type Change, type TrippedBrake } from "../domain/change.ts";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { SECTION } from "../domain/table.ts";
import { listText, plural, showCount } from "./counts.ts";
import { visible } from "../domain/control-characters.ts";
import { yamlText, type YamlContent } from "../edit/yaml-text.ts";

/** Marks the changes that tripped a brake, and the message of the brake. */
export const BRAKE_MARK = "‼";

/** The flag that raises a limit for one run. */
export const BRAKE_FLAG: Readonly<Record<TrippedBrake["limits"], string>> = {
  deletes: "--allow-deletes",
  updates: "--allow-updates",
  clicks: "--allow-clicks",
};

/** Which run needs the flag. A saved plan has to be created again. */
export type FlagFor = "this run" | "a new plan";

export const ADD_FLAG: Readonly<Record<FlagFor, (flag: string) => string>> = {
  "this run": (flag) => `add ${flag} to this run`,
  "a new plan": (flag) => `plan again with ${flag} and --out`,
};

/** The tripped brakes as errors, for output without a plan. */
export function brakeDiagnostics(brakes: readonly TrippedBrake[], flagFor: FlagFor): Diagnostic[] {
  return brakes.map((brake) =>
    error(
      "brake",
      `${brakeTexts(brake).join(" ")} Nothing of this plan is applied.`,
      null,
      `If this is meant, ${ADD_FLAG[flagFor](brakeFlag(brake))} (${flagScope(brake)}), or write \`${brakeKey(brake)}\` in the project file.`,
    ),
  );
}

/** The message in parts: the finding, how to raise the limit, with the flag in backticks, and the line of YAML to write. */
export function brakeParts(
  brake: TrippedBrake,
  flagFor: FlagFor,
): { readonly found: string; readonly advice: string; readonly key: string } {
  const advice = `If this is meant, ${ADD_FLAG[flagFor](`\`${brakeFlag(brake)}\``)} (${flagScope(brake)}), or write in the project file:`;
  return { found: brakeTexts(brake).join(" "), advice, key: brakeKey(brake) };
}

/** What the value of the flag counts. */
export function flagScope({ limits }: TrippedBrake): string {
  return `all ${limits} of this plan`;
}

export function brakeFlag({ limits, flag }: TrippedBrake): string {
  return `${BRAKE_FLAG[limits]} ${flag}`;
}

/** The line of the project file that raises the limit. */
export function brakeKey(brake: TrippedBrake): string {
  return yamlText({ entries: [{ key: "brake", value: raisedLimit(brake) }] }).trimEnd();
}

/** The count and the limit. */
export function brakeTexts({ limits, kind, count, limit, atStake, setting, changes }: TrippedBrake): string[] {
  const figures = `(brake: ${limits} ${visible(setting)}, ${plural(atStake, limits === "clicks" ? "click" : kind)} at stake)`;
  if (limits === "clicks") {
    const links = plural(changes.length, kind);
    return count === null
      ? [
          `Too many clicks, perhaps: the service does not say how many ${links} had; at most ${showCount(limit)} may go ${figures}.`,
        ]
      : [
          `Too many clicks: ${showCount(count)} would be lost with ${links}; at most ${showCount(limit)} may go ${figures}.`,
        ];
  }
  if (limits === "updates")
    return [
      `Too many updates: ${plural(count ?? changes.length, kind)}; at most ${showCount(limit)} may change at once ${figures}.`,
    ];
  const parts = countEndings(changes);
  const counted = listText(
    Object.entries(parts).map(([noun, number]) => plural(number, noun)),
    "and",
  );
  return [
    `Too many deletes: ${plural(count ?? changes.length, kind)}; at most ${showCount(limit)} may go at once ${figures}.`,
    ...(Object.keys(parts).some((noun) => noun !== "delete")
      ? [`Counted are ${counted}: whatever ends a short URL counts as a delete.`]
      : []),
  ];
}

/** Counts the changes by how they end a short URL, without zeros. */
function countEndings(changes: readonly Change[]): Readonly<Record<string, number>> {
  const nouns = changes.map(endingNoun);
  const known = Object.values(NOUNS);
  return Object.fromEntries(
    known.flatMap((noun) => {
      const number = nouns.filter((one) => one === noun).length;
      return number === 0 ? [] : [[noun, number]];
    }),
  );
}

const NOUNS = {
  delete: "delete",
  rename: "rename",
  replace: "replacement",
  disable: "disabled link",
  expire: "expiring link",
} as const;

/** A pixel has no short URL, so it can only be deleted. */
function endingNoun(change: Change): string {
  return NOUNS[endingOf(change) ?? "delete"];
}

/** The setting that allows these changes. It is for their kind alone, so that it allows no others. */
function raisedLimit({ limits, kind, key }: TrippedBrake): YamlContent {
  const setting = /^\d+$/.test(key) ? Number(key) : key;
  const own: YamlContent = { entries: [{ key: SECTION[kind], value: setting }], inline: true };
  return { entries: [{ key: limits, value: limits === "clicks" ? setting : own }], inline: true };
}
