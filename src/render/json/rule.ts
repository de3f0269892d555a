// The document of `validate --explain --format json`.

import * as z from "zod";
import { withPages, type RuleExplanation } from "../../view/rule-explanation.ts";

export const ruleSchema = z.object({
  format_version: z.literal("1.0"),
  code: z.string(),
  kind: z
    .enum(["rule", "policy", "finding"])
    .describe(
      "`rule`: a lint rule. `policy`: a policy of the project. `finding`: a finding about policies or waivers.",
    ),
  level: z.enum(["off", "warning", "error"]).describe("The default severity of a rule, otherwise the severity."),
  about: z.string(),
  why: z.string().nullable(),
  examples: z.object({ wrong: z.string(), right: z.string() }).nullable(),
  policy: z
    .object({ place: z.string(), settings: z.record(z.string(), z.string()) })
    .nullable()
    .describe("Only for a policy of the project."),
});

export type RuleDocument = z.infer<typeof ruleSchema>;

export function ruleDocument({ why, policy, ...rest }: RuleExplanation): RuleDocument {
  return {
    format_version: "1.0",
    ...rest,
    why: why === null ? null : withPages(why),
    policy: policy && { place: policy.place, settings: Object.fromEntries(policy.settings) },
  };
}
