// Rules about single values in links, pixels and defaults.

import type { FieldSpec, KeyShape, OtherId, TextSpec, ValueForm } from "../../domain/field.ts";
import { EXPIRATION_URL, textProblem, type ResourceKind } from "../../domain/table.ts";
import { BLOCK_FIELDS, findValue } from "../fields.ts";
import type { LintContext, LintFinding } from "./context.ts";
import { lintAddress } from "./address.ts";
import { entry, isNull, type MapNode, type ScalarNode, type TreeEntry, type TreeNode } from "../yaml.ts";
import { PLACEHOLDERS } from "../../domain/pixel-fields.ts";

/** Lints one document. Each value is checked where it is written, so a default is checked once. */
export function lintValues(document: TreeNode, context: LintContext): void {
  const blocks = (section: string): readonly TreeEntry[] => {
    const node = entry(document, section)?.value;
    return node?.type === "map" ? node.entries : [];
  };
  for (const { value } of blocks("pixels")) lintBlock("pixel", value, context);
  for (const { value } of blocks("links")) lintBlock("link", value, context);
  const defaults = entry(entry(document, "defaults")?.value, "link")?.value;
  if (defaults !== undefined) lintBlock("link", defaults, context);
}

/** Lints the values of one block. */
export function lintBlock(kind: ResourceKind, block: TreeNode, context: LintContext): void {
  if (block.type !== "map") return;
  const layers = [block];
  for (const { spec, name, steps } of BLOCK_FIELDS[kind]) {
    const found = findValue(layers, steps);
    if (found !== null && !found.setsGroup) lintField(spec, name, found.node, block, context);
  }
}

function lintField(spec: FieldSpec, name: string, value: TreeNode, block: MapNode, context: LintContext): void {
  switch (spec.kind) {
    case "text":
      if (!isWritten(value)) return;
      // The query is not merged into an expiration URL.
      // The schema reports numbers and booleans.
      if (spec.isAddress && typeof value.value === "string")
        lintAddress(
          { text: value.text.trim(), name, isMerged: spec.path !== EXPIRATION_URL.path },
          value.place,
          context,
        );
      if (spec.forms !== null) lintForm(spec, spec.forms, value, block, context);
      return;
    case "map":
      if (value.type !== "map") return;
      for (const item of value.entries) {
        // The schema reports keys that do not match the pattern.
        if (spec.keys.pattern.test(item.key)) lintCode(spec.keys, item, context);
        if (isWritten(item.value)) lintTarget(item.value, `\`${item.key}\``, context);
      }
      return;
    case "list":
      if (value.type !== "list") return;
      for (const item of value.items) if (isWritten(item)) lintTarget(item, `An item of ${name}`, context);
      return;
    case "secret":
    case "flag":
    case "count":
    case "word":
    case "reference":
    case "references":
    case "instant":
      return;
    default:
      spec satisfies never;
  }
}

function lintTarget({ text, place }: ScalarNode, name: string, context: LintContext): void {
  lintAddress({ text: text.trim(), name, isMerged: true }, place, context);
}

/** Whether a value was written and could be read. */
function isWritten(node: TreeNode): node is ScalarNode {
  return node.type === "scalar" && !node.broken && !isNull(node);
}

function lintForm(
  spec: TextSpec,
  { by, of }: NonNullable<TextSpec["forms"]>,
  value: ScalarNode,
  block: MapNode,
  context: LintContext,
): void {
  const type = entry(block, by)?.value;
  const word = type?.type === "scalar" ? type.text : "";
  context.report(value.place, ...pixelValueFindings(spec, of, word, value.text));
  if (type === undefined || !Object.hasOwn(of, word) || of[word]?.runsScripts !== true) return;
  const note = entry(block, "note")?.value;
  if (note !== undefined && isWritten(note) && note.text.trim() !== "") return;
  const message = `A ${word} pixel can run any script, but no \`note\` names its owner.`;
  context.report(type.place, {
    rule: "tag-manager-owner",
    message,
    hint: "Add a `note` that names the person or team in charge of the pixel.",
  });
}

function lintCode({ list, noun }: KeyShape, { key, keyPlace }: TreeEntry, context: LintContext): void {
  if (list === null) return;
  const { standard, codes, refused, meant, retired, refusedBy } = list;
  const known = Object.hasOwn(meant, key) ? meant[key] : undefined;
  if (Object.hasOwn(refusedBy, key)) {
    const message = `The service refuses \`${key}\` in version ${refusedBy[key]}.`;
    const hint = codes.has(key) ? leaveOut(noun) : codeHint(noun, known?.code);
    context.report(keyPlace, { rule: "version-code", message, hint });
  } else if (refused.codes.has(key)) {
    const message = `The service refuses the ${noun} \`${key}\`.`;
    context.report(keyPlace, { rule: refused.rule, message, hint: leaveOut(noun) });
  } else if (retired.has(key)) {
    const message = `\`${key}\` is no longer an ${standard} code, so no visitor matches it.`;
    context.report(keyPlace, { rule: "retired-code", message, hint: leaveOut(noun) });
  } else if (!codes.has(key)) {
    const message = `The service refuses \`${key}\`: ${known?.because ?? `it is not an ${standard} code`}.`;
    context.report(keyPlace, { rule: list.unknown, message, hint: codeHint(noun, known?.code) });
  }
}

function leaveOut(noun: string): string {
  return `Remove it. Visitors with this ${noun} will go to \`url\`.`;
}

function codeHint(noun: string, meant: string | null | undefined): string {
  if (meant === undefined) return `Write a two-letter ${noun} code, or remove this key.`;
  return meant === null ? `List each ${noun} with its own code.` : `Did you mean \`${meant}\`?`;
}

type Forms = NonNullable<TextSpec["forms"]>["of"];

/**
 * The findings about a pixel's value, the most specific first, because only one is reported. The format is checked only if `type` is known.
 * For a value that the schema refuses, findings can only explain why.
 */
export function pixelValueFindings(spec: TextSpec, forms: Forms, type: string, text: string): LintFinding[] {
  const form = Object.hasOwn(forms, type) ? forms[type] : undefined;
  const pasted = snippet(text, form);
  if (pasted.length > 0) return pasted;
  const findings = [...placeholder(text, form), ...whiteSpace(text, form), ...otherIds(text, forms)];
  if (form === undefined || textProblem(spec, text.trim()) !== null) return findings;
  return [...findings, ...malformed(text.trim(), type, form, forms)];
}

function snippet(text: string, form: ValueForm | undefined): LintFinding[] {
  if (!/<\/?(?:script|noscript|img|iframe|!--)|\w\(/i.test(text)) return [];
  const inside = form && new RegExp(`(?<![\\w-])${form.pattern.source.slice(1, -1)}(?![\\w-])`).exec(text)?.[0];
  const instead = inside ?? form?.example;
  const hint =
    instead === undefined
      ? "Write only the id."
      : `Write only the id${inside === undefined ? ", such as" : ":"} \`${instead}\`.`;
  return [{ rule: "pixel-snippet", message: "`value` is a pasted script, not a pixel id.", hint }];
}

function placeholder(text: string, form: ValueForm | undefined): LintFinding[] {
  if (!PLACEHOLDERS.some((pattern) => pattern.test(text.trim()))) return [];
  const message = `\`${text.trim()}\` is a placeholder, not an id.`;
  return [
    { rule: "pixel-placeholder", message, hint: form === undefined ? "Write the id." : `Write the id: ${form.shape}.` },
  ];
}

function whiteSpace(text: string, form: ValueForm | undefined): LintFinding[] {
  const bare = text.replaceAll(/\s+/g, "");
  if (bare === text || bare === "") return [];
  const isInside = text.trim() !== bare;
  const isId = form?.pattern.test(bare) === true;
  const hint = isId ? `Write \`${bare}\`.` : "Remove the white space.";
  const message = `\`value\` has white space ${isInside ? "in" : "around"} it.`;
  return [{ rule: "pixel-space", message, hint }];
}

function otherIds(text: string, forms: Forms): LintFinding[] {
  return Object.values(forms).flatMap(({ others, example }) =>
    others.flatMap((other): LintFinding[] => {
      const found = other.pattern.exec(text.trim());
      if (found === null) return [];
      return [{ rule: other.rule, message: other.message, hint: insteadOf(other, found[1], example) }];
    }),
  );
}

function insteadOf({ instead }: OtherId, meant: string | undefined, example: string): string {
  return meant === undefined ? `Write ${instead}, such as \`${example}\`.` : `Write ${instead}: \`${meant}\`.`;
}

function malformed(text: string, type: string, form: ValueForm, forms: Forms): LintFinding[] {
  const findings: LintFinding[] = [];
  if (form.needs !== null && !text.includes(form.needs.text)) {
    const message = `The id of an ${type} pixel must contain \`${form.needs.text}\`. The service refuses other values.`;
    findings.push({ rule: form.needs.rule, message, hint: `Write ${form.shape}.` });
  }
  if (form.pattern.test(text)) return findings;
  const [owner] = Object.entries(forms).find(([other, candidate]) => other !== type && isTheirs(text, candidate)) ?? [];
  if (owner !== undefined && !hasPrefix(text, form)) {
    const message = `\`${text}\` looks like the id of a pixel of type ${owner}.`;
    findings.push({ rule: "pixel-type", message, hint: `Did you mean \`type: ${owner}\`?` });
  }
  const message = `\`${text}\` does not look like the id of a ${type} pixel.`;
  return [...findings, { rule: "pixel-value", message, hint: correction(text, form) }];
}

function hasPrefix(text: string, { prefix }: ValueForm): boolean {
  return prefix !== null && text.toLowerCase().startsWith(prefix.toLowerCase());
}

function isTheirs(text: string, form: ValueForm): boolean {
  return hasPrefix(text, form) || (form.isDistinct && form.pattern.test(text));
}

/** The probable fix: other case, or the missing prefix. */
function correction(text: string, { pattern, prefix, shape }: ValueForm): string {
  const candidates = [text.toUpperCase(), text.toLowerCase(), `${prefix ?? ""}${text.toUpperCase()}`];
  const meant = candidates.find((candidate) => pattern.test(candidate));
  return meant === undefined ? `Expected ${shape}.` : `Did you mean \`${meant}\`?`;
}
