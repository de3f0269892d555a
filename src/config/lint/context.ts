// Collects the findings of rules and policies, with the severity that the project sets for each.

import type { Diagnostic } from "../../domain/diagnostic.ts";
import { spotOf } from "../../domain/family-findings.ts";
import { placeIn, type Place } from "../../domain/place.ts";
import type { Declaration } from "../../domain/project.ts";
import { isRuleCode, RULES, type RuleCode, type RuleLevel } from "../../domain/rules.ts";

/** What a rule or a policy reports. */
export interface LintFinding {
  readonly rule: RuleCode | `policy/${string}`;
  readonly message: string;
  /** One sentence on what to do, or null. */
  readonly hint: string | null;
  /** The part of the value to underline; all of it if omitted or null. */
  readonly mark?: string | null;
  /** Other places that the message mentions. */
  readonly also?: Diagnostic["also"];
}

/** Checks one link or pixel. */
export type Rule = (declaration: Declaration, context: LintContext) => void;

/** `levels` are those that the project sets, by code. Other rules have their default level, and policies are errors. */
export class LintContext {
  readonly diagnostics: Diagnostic[];
  readonly #levels: ReadonlyMap<string, RuleLevel>;

  constructor(levels: ReadonlyMap<string, RuleLevel>, diagnostics: Diagnostic[]) {
    this.#levels = levels;
    this.diagnostics = diagnostics;
  }

  /** A context with the same levels, and other findings. */
  into(diagnostics: Diagnostic[]): LintContext {
    return new LintContext(this.#levels, diagnostics);
  }

  /** Reports one of these findings: the first that is an error, otherwise the first that is not off. */
  report(place: Place, ...findings: readonly LintFinding[]): void {
    const finding =
      findings.find(({ rule }) => this.#level(rule) === "error") ?? findings.find(({ rule }) => this.isEnabled(rule));
    if (finding === undefined) return;
    const { rule, message, hint, mark, also } = finding;
    const severity = this.#level(rule) === "error" ? "error" : "warning";
    const found = { code: rule, severity, message, place: placeIn(place, mark ?? "", "last"), hint } as const;
    this.diagnostics.push(also === undefined ? found : { ...found, also });
  }

  /** Whether a rule is not off. */
  isEnabled(rule: LintFinding["rule"]): boolean {
    return this.#level(rule) !== "off";
  }

  #level(rule: LintFinding["rule"]): RuleLevel {
    return this.#levels.get(rule) ?? (isRuleCode(rule) ? RULES[rule].level : "error");
  }
}

/**
 * If the schema and a rule report the same value, only the finding of the rule is kept: it explains more. Its severity is `error`, whatever
 * the level of the rule.
 */
export function preferLintMessages(findings: readonly Diagnostic[]): Diagnostic[] {
  const spotsOf = (isMeant: (one: Diagnostic) => boolean): Set<string> =>
    new Set(findings.filter(isMeant).map(({ place }) => spotOf(place)));
  const refused = spotsOf(({ code }) => code === "wrong-type");
  const explained = spotsOf(({ code }) => isRuleCode(code));
  return findings.flatMap((one): Diagnostic[] => {
    const spot = spotOf(one.place);
    if (one.code === "wrong-type") return explained.has(spot) ? [] : [one];
    return [isRuleCode(one.code) && refused.has(spot) ? { ...one, severity: "error" } : one];
  });
}
