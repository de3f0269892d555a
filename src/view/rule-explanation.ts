// What `validate --explain` shows about a lint rule or a policy.

import type { RuleLevel } from "../domain/rules.ts";

export interface RuleExplanation {
  readonly code: string;
  /** A rule can be set in `rules`. `finding` is about policies and waivers in general. */
  readonly kind: "rule" | "policy" | "finding";
  /** The default severity of a rule; otherwise the severity. */
  readonly level: RuleLevel;
  readonly about: string;
  /** Null for a policy without a reason. */
  readonly why: string | null;
  /** Null for a policy of the project. */
  readonly examples: { readonly wrong: string; readonly right: string } | null;
  /** The place of a policy of the project, and its keys as text. */
  readonly policy: { readonly place: string; readonly settings: ReadonlyMap<string, string> } | null;
}

/** Names the page of each link, which a terminal does not show. Links in the guide are relative to docs/rules.md. */
export function withPages(markdown: string): string {
  return markdown.replaceAll(/\[([^\]]*)\]\(([^)]*)\)/g, (_, text: string, target: string) => {
    return `${text} (docs/${target.startsWith("#") ? "rules.md" : ""}${target})`;
  });
}
