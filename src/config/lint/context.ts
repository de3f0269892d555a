// What the rules say of the files, as strictly as the project has set each of them.

import type { Diagnostic } from "../../domain/diagnostic.ts";
import { placeIn, type Place } from "../../domain/place.ts";
import { RULE_LEVELS, RULES, type RuleCode, type RuleLevel } from "../../domain/rules.ts";
import { entry, type TreeNode } from "../yaml.ts";

/** What a rule has to say of something. */
export interface Remark {
  readonly rule: RuleCode;
  readonly message: string;
  /** One sentence on what to do, or null. */
  readonly hint: string | null;
  /** The part of the value that it is about; all of it if left out. */
  readonly mark?: string;
  /** Other places that the message speaks of. */
  readonly also?: Diagnostic["also"];
}

/** How a project has set the rules: those that it does not name are as the catalogue has them. */
export type RuleLevels = ReadonlyMap<string, RuleLevel>;

/** Reads `rules` of a project file. What is not of the schema's shape has been reported, and is passed over. */
export function readRuleLevels(document: TreeNode | undefined): RuleLevels {
  const said = entry(document, "rules")?.value;
  if (said?.type !== "map") return new Map();
  return new Map(
    said.entries.flatMap(({ key, value }): [string, RuleLevel][] => {
      const level = RULE_LEVELS.find((word) => value.type === "scalar" && value.text === word);
      return level === undefined ? [] : [[key, level]];
    }),
  );
}

/** Gathers remarks as diagnostics. */
export class Advice {
  readonly diagnostics: Diagnostic[] = [];
  readonly #levels: RuleLevels;

  constructor(levels: RuleLevels) {
    this.#levels = levels;
  }

  /** Says one thing of a place: of the remarks that fit, the first that is an error, or else the first that is not off. */
  say(place: Place, ...remarks: readonly Remark[]): void {
    const level = ({ rule }: Remark): RuleLevel => this.#levels.get(rule) ?? RULES[rule].level;
    const said = remarks.find((one) => level(one) === "error") ?? remarks.find((one) => level(one) !== "off");
    if (said === undefined) return;
    const severity = level(said) === "error" ? "error" : "warning";
    const { rule, message, hint, mark, also } = said;
    const marked = mark === undefined ? place : placeIn(place, mark, "last");
    const found = { code: rule, severity, message, place: marked, hint } as const;
    this.diagnostics.push(also === undefined ? found : { ...found, also });
  }

  /** Whether a rule would be heard. */
  hears(rule: RuleCode): boolean {
    return (this.#levels.get(rule) ?? RULES[rule].level) !== "off";
  }
}

/**
 * All findings, where a value that the schema refuses is told in the words of the rule that knows what it is: one mistake, and
 * an error however the rule is set.
 */
export function inBetterWords(findings: readonly Diagnostic[], advice: readonly Diagnostic[]): Diagnostic[] {
  const refused = new Map(findings.flatMap((one) => (one.code === "wrong-type" ? [[placeKey(one), one]] : [])));
  const explained = new Set<Diagnostic>();
  const told = advice.map((one): Diagnostic => {
    const same = refused.get(placeKey(one));
    if (same === undefined) return one;
    explained.add(same);
    return { ...one, severity: "error" };
  });
  return [...findings.filter((one) => !explained.has(one)), ...told];
}

function placeKey({ place }: Diagnostic): string {
  return place === null ? "" : `${place.file}:${place.line}:${place.column}`;
}
