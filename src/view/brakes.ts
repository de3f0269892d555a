// What a brake says: what was counted, the limit, and both ways to let it through.

import { endingOf } from "../domain/visitors.ts";
import type { Change, TrippedBrake } from "../domain/change.ts";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { SECTION } from "../domain/table.ts";
import { plural, showCount } from "./counts.ts";
import { visible } from "../domain/control-characters.ts";
import { yamlText, type YamlContent } from "../edit/yaml-text.ts";

/** Stands at every change that tripped a brake, and before what the brake says. */
export const BRAKE_MARK = "‼";

/** The flag that raises a limit for one run. */
export const BRAKE_FLAG: Readonly<Record<TrippedBrake["limits"], string>> = {
  deletes: "--allow-deletes",
  updates: "--allow-updates",
  clicks: "--allow-clicks",
};

/** Which run a flag would have to be given to: this one, or the one that makes the next plan, where a saved plan is applied. */
export type FlagFor = "this run" | "a new plan";

export const ADD_FLAG: Readonly<Record<FlagFor, (flag: string) => string>> = {
  "this run": (flag) => `add ${flag} to this run`,
  "a new plan": (flag) => `plan again with ${flag} and --out`,
};

/** The same as errors, for whoever sees no plan. */
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

/** What a brake says in parts: what was found, what lets it through in a sentence with the flag in backticks, and a line of YAML. */
export function brakeParts(
  brake: TrippedBrake,
  flagFor: FlagFor,
): { readonly found: string; readonly way: string; readonly key: string } {
  const way = `If this is meant, ${ADD_FLAG[flagFor](`\`${brakeFlag(brake)}\``)} (${flagScope(brake)}), or write in the project file:`;
  return { found: brakeTexts(brake).join(" "), way, key: brakeKey(brake) };
}

/** What the number of the flag counts. */
export function flagScope({ limits }: TrippedBrake): string {
  return `all ${limits} of this plan`;
}

export function brakeFlag({ limits, flag }: TrippedBrake): string {
  return `${BRAKE_FLAG[limits]} ${flag}`;
}

/** One line of a project file. */
export function brakeKey(brake: TrippedBrake): string {
  return yamlText({ entries: [{ key: "brake", value: raisedLimit(brake) }] }).trimEnd();
}

/** What was counted, and the limit. */
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
  const others = Object.keys(parts).filter((noun) => noun !== "delete");
  return [
    `Too many deletes: ${plural(count ?? changes.length, kind)}; at most ${showCount(limit)} may go at once ${figures}.`,
    ...(others.length === 0
      ? []
      : [
          `Counted are ${list(Object.entries(parts).map(([noun, number]) => plural(number, noun)))}: whatever ends a short URL counts as a delete.`,
        ]),
  ];
}

/** How many of these are what, by noun; none that there is none of. */
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

/** A pixel has no short URL: it is only ever deleted. */
function endingNoun(change: Change): string {
  return NOUNS[endingOf(change) ?? "delete"];
}

function list(items: readonly string[]): string {
  return items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items.at(-1) ?? ""}`;
}

/** The setting that would let these changes through: of this kind alone, so that it opens no more than that. */
function raisedLimit({ limits, kind, key }: TrippedBrake): YamlContent {
  const setting = /^\d+$/.test(key) ? Number(key) : key;
  const own: YamlContent = { entries: [{ key: SECTION[kind], value: setting }], inline: true };
  return { entries: [{ key: limits, value: limits === "clicks" ? setting : own }], inline: true };
}
