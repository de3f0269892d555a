// What a brake says, as paragraphs.

import type { TrippedBrake } from "../../domain/change.ts";
import { ADD, BRAKE_MARK, finding, flagOf, keyOf, scopeOf, type FlagFor } from "../../view/brakes.ts";
import type { Screen } from "./screen.ts";
import { wrap } from "./width.ts";

/** A paragraph for each brake, each ending with an empty line. */
export function brakesText(brakes: readonly TrippedBrake[], flagFor: FlagFor, screen: Screen): string {
  return brakes.map((brake) => `${brakeText(brake, flagFor, screen)}\n`).join("");
}

function brakeText(brake: TrippedBrake, flagFor: FlagFor, { paint, columns }: Screen): string {
  const [first = "", ...rest] = finding(brake);
  const ways = `If this is meant, ${ADD[flagFor](paint.bold(flagOf(brake)))} (${scopeOf(brake)}), or write in the project file:`;
  const lines = [
    wrap(`${paint.red(BRAKE_MARK)} ${first}`, columns, 4, 0),
    ...rest.map((line) => `    ${wrap(line, columns, 4)}`),
    `    ${wrap(ways, columns, 4)}`,
    `        ${keyOf(brake)}`,
  ];
  return lines.map((line) => `${line}\n`).join("");
}
