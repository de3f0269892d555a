// Collects the findings of lint rules, with the severity that the project sets for each rule.

import type { Diagnostic } from "../../domain/diagnostic.ts";
import { placeIn, type Place } from "../../domain/place.ts";
import { spotOf } from "../../domain/shared-findings.ts";
import { RULES, type RuleCode, type RuleLevel } from "../../domain/rules.ts";

/** What a rule reports. */
export interface LintFinding {
  readonly rule: RuleCode;
  readonly message: string;
  /** One sentence on what to do, or null. */
  readonly hint: string | null;
  /** The part of the value to underline; all of it if omitted. */
  readonly mark?: string;
  /** Other places that the message mentions. */
  readonly also?: Diagnostic["also"];
}

/** `levels` are those that the project sets. Other rules have their default level. */
export class LintContext {
  readonly diagnostics: Diagnostic[] = [];
  readonly #levels: ReadonlyMap<string, RuleLevel>;

  constructor(levels: ReadonlyMap<string, RuleLevel>) {
    this.#levels = levels;
  }

  /** A context with the same levels, and without findings. */
  fresh(): LintContext {
    return new LintContext(this.#levels);
  }

  /** Reports one of these findings: the first that is an error, otherwise the first that is not off. */
  report(place: Place, ...findings: readonly LintFinding[]): void {
    const finding =
      findings.find(({ rule }) => this.#level(rule) === "error") ?? findings.find(({ rule }) => this.isEnabled(rule));
    if (finding === undefined) return;
    const { rule, message, hint, mark, also } = finding;
    const severity = this.#level(rule) === "error" ? "error" : "warning";
    const marked = mark === undefined ? place : placeIn(place, mark, "last");
    const found = { code: rule, severity, message, place: marked, hint } as const;
    this.diagnostics.push(also === undefined ? found : { ...found, also });
  }

  /** Whether a rule is not off. */
  isEnabled(rule: RuleCode): boolean {
    return this.#level(rule) !== "off";
  }

  #level(rule: RuleCode): RuleLevel {
    return this.#levels.get(rule) ?? RULES[rule].level;
  }
}

/**
 * Merges findings of the schema and of lint rules. If both report the same value, only the rule's finding is kept: it explains
 * more. Its severity is `error`, whatever the level of the rule.
 */
export function preferLintMessages(findings: readonly Diagnostic[], advice: readonly Diagnostic[]): Diagnostic[] {
  const refused = new Map(findings.flatMap((one) => (one.code === "wrong-type" ? [[spotOf(one.place), one]] : [])));
  const explained = new Set<Diagnostic>();
  const preferred = advice.map((one): Diagnostic => {
    const same = refused.get(spotOf(one.place));
    if (same === undefined) return one;
    explained.add(same);
    return { ...one, severity: "error" };
  });
  return [...findings.filter((one) => !explained.has(one)), ...preferred];
}
