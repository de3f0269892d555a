// `linkform validate --explain CODE`: explains a lint rule or a policy. It checks no files, and needs a project only for its policies.

import { policyCode, readLinkPolicies } from "../config/link-policies/keys.ts";
import { parseYaml } from "../config/yaml.ts";
import { visible } from "../domain/control-characters.ts";
import { nearestOrLonger } from "../domain/nearest.ts";
import { showPlace } from "../domain/place.ts";
import type { LinkPolicy } from "../domain/project.ts";
import { POLICY_GUIDE, RULE_GUIDE } from "../domain/rule-guide.ts";
import { isRuleCode, RULES } from "../domain/rules.ts";
import { EXIT, UserError, type ExitCode } from "../errors.ts";
import { ruleDocument } from "../render/json/rule.ts";
import { jsonText } from "../render/json/text.ts";
import { diagnosticsText } from "../render/text/diagnostics.ts";
import { ruleText } from "../render/text/rule.ts";
import { PLAIN, type Screen } from "../render/text/screen.ts";
import { screenOf, type World } from "../session/context.ts";
import { parseSinks, writeFileSink, writeOut } from "../session/outputs.ts";
import { openProject } from "../session/project.ts";
import type { RuleExplanation } from "../view/rule-explanation.ts";
import type { ValidateFlags } from "./validate.ts";

/** Prints what this code is about, why it exists, and an example. Throws a user error for an unknown code. */
export async function explainCode(
  world: World,
  flags: ValidateFlags,
  code: string,
  files: readonly string[],
): Promise<ExitCode> {
  const others = [
    ...(files.length > 0 ? ["the files"] : []),
    ...(flags.base === undefined ? [] : ["--base"]),
    ...(flags.resources === undefined ? [] : ["--resources"]),
  ];
  if (others.length > 0) {
    const hint = `Remove ${others.join(" and ")}.`;
    throw new UserError("explain-alone", "`--explain` checks no files.", { hint, exit: EXIT.usage });
  }
  const sinks = parseSinks(flags.format ?? ["text"], "validate");
  const other = sinks.find(({ format }) => format !== "text" && format !== "json");
  if (other !== undefined)
    throw new UserError("unknown-format", `\`--explain\` does not support the format \`${other.format}\`.`, {
      hint: "Supported formats: text, json.",
      exit: EXIT.usage,
    });
  const explanation = world.secrets.hideIn(generalExplanation(code) ?? (await policyExplanation(world, flags, code)));
  let exit: ExitCode = EXIT.done;
  for (const { format, file } of sinks) {
    const screen = file === null ? screenOf(world.stdout, world.env, flags.color !== false) : PLAIN;
    const text = contentOf(explanation, format === "json", screen);
    const problem = file === null ? await writeOut(world.stdout, text) : await writeFileSink(world, file, text);
    if (problem === null) continue;
    world.line.print(diagnosticsText([problem], screenOf(world.stderr, world.env, flags.color !== false)));
    exit = EXIT.error;
  }
  return exit;
}

function contentOf(explanation: RuleExplanation, isJson: boolean, screen: Screen): string {
  return isJson ? `${jsonText(ruleDocument(explanation), 2)}\n` : ruleText(explanation, screen);
}

/** What is the same in every project; null for other codes. */
function generalExplanation(code: string): RuleExplanation | null {
  if (isRuleCode(code)) {
    const { why, wrong, right } = RULE_GUIDE[code];
    return { code, kind: "rule", ...RULES[code], why, examples: { wrong, right }, policy: null };
  }
  const guide = Object.hasOwn(POLICY_GUIDE, code) ? POLICY_GUIDE[code] : undefined;
  if (guide === undefined) return null;
  const { level, about, why, wrong, right } = guide;
  return { code, kind: "finding", level, about, why, examples: { wrong, right }, policy: null };
}

/** Explains a policy of the project, by its name or by the code of its findings. */
async function policyExplanation(world: World, flags: ValidateFlags, code: string): Promise<RuleExplanation> {
  const policies = await policiesOf(world, flags);
  const name = code.replace(/^policy\//, "");
  const policy = policies.get(name);
  if (policy === undefined) throw unknownCode(code, [...policies.keys()]);
  const { place, reason, settings } = policy;
  return {
    code: policyCode(name),
    kind: "policy",
    level: settings.get("severity") === "warning" ? "warning" : "error",
    about: "A link does not follow this policy of the project.",
    why: reason,
    examples: null,
    policy: { place: showPlace(place), settings },
  };
}

/** The policies of the project, even if its files have errors; none without a project. */
async function policiesOf(world: World, flags: ValidateFlags): Promise<ReadonlyMap<string, LinkPolicy>> {
  try {
    const { file, texts } = await openProject(world, flags);
    const [document] = parseYaml(texts.get(file) ?? "", file).documents;
    return document === undefined ? new Map() : readLinkPolicies(document);
  } catch (cause) {
    // Only a project that was named must exist.
    if (cause instanceof UserError && flags.config === undefined) return new Map();
    throw cause;
  }
}

function unknownCode(code: string, policies: readonly string[]): UserError {
  const shown = visible(code);
  const known = [...Object.keys(RULES), ...Object.keys(POLICY_GUIDE), ...policies, ...policies.map(policyCode)];
  const meant = nearestOrLonger(code, known);
  const message = `\`${shown}\` is not a lint rule or a policy.`;
  const hint =
    meant === null
      ? "Only lint rules and policies have an explanation. The hint of every other finding says what to do."
      : `Did you mean \`${meant}\`?`;
  return new UserError("unknown-code", message, { hint, exit: EXIT.usage });
}
