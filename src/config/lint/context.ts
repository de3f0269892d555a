// What the rules say of the files, as strictly as the project has set each of them.

import type { Diagnostic } from "../../domain/diagnostic.ts";
import { placeIn, type Place } from "../../domain/place.ts";
import { RULE_LEVELS, RULES, type RuleCode, type RuleLevel } from "../../domain/rules.ts";
import { entry, type TreeNode } from "../yaml.ts";

/** What a rule has to say of something. */
export interface LintFinding {
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
  const rules = entry(document, "rules")?.value;
  if (rules?.type !== "map") return new Map();
  return new Map(
    rules.entries.flatMap(({ key, value }): [string, RuleLevel][] => {
      const level = RULE_LEVELS.find((word) => value.type === "scalar" && value.text === word);
      return level === undefined ? [] : [[key, level]];
    }),
  );
}

/** Gathers remarks as diagnostics. */
export class LintContext {
  readonly diagnostics: Diagnostic[] = [];
  readonly #levels: RuleLevels;

  constructor(levels: RuleLevels) {
    this.#levels = levels;
  }

  /** Says one thing of a place: of the remarks that fit, the first that is an error, or else the first that is not off. */
  report(place: Place, ...findings: readonly LintFinding[]): void {
    const level = ({ rule }: LintFinding): RuleLevel => this.#levels.get(rule) ?? RULES[rule].level;
    const rules = findings.find((one) => level(one) === "error") ?? findings.find((one) => level(one) !== "off");
    if (rules === undefined) return;
    const severity = level(rules) === "error" ? "error" : "warning";
    const { rule, message, hint, mark, also } = rules;
    const marked = mark === undefined ? place : placeIn(place, mark, "last");
    const found = { code: rule, severity, message, place: marked, hint } as const;
    this.diagnostics.push(also === undefined ? found : { ...found, also });
  }

  /** Whether a rule would be heard. */
  isEnabled(rule: RuleCode): boolean {
    return (this.#levels.get(rule) ?? RULES[rule].level) !== "off";
  }
}

/**
 * All findings, where a value that the schema refuses is told in the words of the rule that knows what it is: one mistake, and
 * an error however the rule is set.
 */
export function preferLintMessages(findings: readonly Diagnostic[], advice: readonly Diagnostic[]): Diagnostic[] {
  const refused = new Map(findings.flatMap((one) => (one.code === "wrong-type" ? [[placeKey(one), one]] : [])));
  const explained = new Set<Diagnostic>();
  const preferred = advice.map((one): Diagnostic => {
    const same = refused.get(placeKey(one));
    if (same === undefined) return one;
    explained.add(same);
    return { ...one, severity: "error" };
  });
  return [...findings.filter((one) => !explained.has(one)), ...preferred];
}

function placeKey({ place }: Diagnostic): string {
  return place === null ? "" : `${place.file}:${place.line}:${place.column}`;
}
