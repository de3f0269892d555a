// The text of `validate --explain`.

import { visible } from "../../domain/control-characters.ts";
import { withPages, type RuleExplanation } from "../../view/rule-explanation.ts";
import { lineWidth, type Screen } from "./screen.ts";
import { wrap } from "./width.ts";

export function ruleText({ code, kind, level, about, why, examples, policy }: RuleExplanation, screen: Screen): string {
  const { paint } = screen;
  const prose = (text: string): string => wrap(visible(withPages(text)), lineWidth(screen), 0);
  const yaml = (text: string): string =>
    text
      .split("\n")
      .map((line) => `  ${visible(line)}\n`)
      .join("");
  const keys = policy === null ? "" : [...policy.settings].map(([key, value]) => `${key}: ${value}`).join("\n");
  const head = `${paint.bold(code)} (${level}${kind === "rule" ? " by default" : ""})\n${prose(about)}\n`;
  return [
    head,
    ...(why === null ? [] : [`${prose(`Why: ${why}`)}\n`]),
    ...(examples === null ? [] : [`Wrong:\n${yaml(examples.wrong)}Right:\n${yaml(examples.right)}`]),
    ...(policy === null ? [] : [`Policy at ${visible(policy.place)}:\n${yaml(keys)}`]),
    ...(kind === "rule"
      ? [`To change its severity, write in the project file:\n  rules: { ${code}: off } # off, warning or error\n`]
      : []),
  ].join("\n");
}
