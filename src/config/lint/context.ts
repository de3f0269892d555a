// Collects the findings of rules and policies, with the severity that the project sets for each.

import { warning, type Diagnostic } from "../../domain/diagnostic.ts";
import { spotOf } from "../../domain/family-findings.ts";
import type { Place } from "../../domain/place.ts";
import type { Declaration, Policy } from "../../domain/project.ts";
import { isRuleCode, levelOf, type RuleCode, type RuleLevel } from "../../domain/rules.ts";

type LintCode = RuleCode | `policy/${string}`;

/** Makes the finding of a rule or a policy. Its severity is set when it is reported. */
export const advice: (code: LintCode, message: string, place: Place, hint: string | null) => Diagnostic = warning;

export type Rule = (declaration: Declaration, context: LintContext) => void;

export class LintContext {
  readonly diagnostics: Diagnostic[];
  readonly #policy: Policy;

  constructor(policy: Policy, diagnostics: Diagnostic[]) {
    this.#policy = policy;
    this.diagnostics = diagnostics;
  }

  /** A context with the same levels, and other findings. */
  into(diagnostics: Diagnostic[]): LintContext {
    return new LintContext(this.#policy, diagnostics);
  }

  /** Reports one of these findings: the first that is an error, otherwise the first that is not off. */
  report(...findings: readonly Diagnostic[]): void {
    const isError = ({ code }: Diagnostic): boolean => this.#level(code) === "error";
    const found = findings.find(isError) ?? findings.find(({ code }) => this.isEnabled(code));
    if (found) this.diagnostics.push({ ...found, severity: isError(found) ? "error" : "warning" });
  }

  isEnabled(code: string): boolean {
    return this.#level(code) !== "off";
  }

  #level(code: string): RuleLevel {
    const { rules, linkPolicies } = this.#policy;
    if (isRuleCode(code)) return levelOf(code, rules);
    const severity = linkPolicies.get(code.slice("policy/".length))?.settings.get("severity");
    return severity === "warning" ? "warning" : "error";
  }
}

/** If the schema and a rule report the same value, only the finding of the rule is kept, as an error: it explains more. */
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
