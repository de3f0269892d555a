// Rules about single values in links, pixels and defaults.

import type { FieldSpec, KeyShape, OtherId, TextRow, ValueForm } from "../../domain/field.ts";
import { blockFields, type ResourceKind } from "../../domain/table.ts";
import { OVER } from "../../domain/visit-fields.ts";
import type { Advice, Remark } from "./context.ts";
import { lintAddress } from "./address.ts";
import { entry, isNull, type MapNode, type ScalarNode, type TreeEntry, type TreeNode } from "../yaml.ts";
import { PLACEHOLDERS } from "../../domain/pixel-values.ts";
import { textProblem } from "../../domain/text.ts";

/** Lints one document; each value is judged once, where it stands, however many links have it from `defaults`. */
export function lintValues(document: TreeNode, advice: Advice): void {
  const blocks = (section: string): readonly TreeEntry[] => {
    const node = entry(document, section)?.value;
    return node?.type === "map" ? node.entries : [];
  };
  for (const { value } of blocks("pixels")) lintBlock("pixel", value, advice);
  for (const { value } of blocks("links")) lintBlock("link", value, advice);
  const defaults = entry(entry(document, "defaults")?.value, "link")?.value;
  if (defaults !== undefined) lintBlock("link", defaults, advice);
}

/** A field, and the keys that lead to it in a block: there may be ten thousand of them. */
interface ValuePath {
  readonly row: FieldSpec;
  readonly steps: readonly string[];
}

function waysOf(kind: ResourceKind): readonly ValuePath[] {
  return blockFields(kind).map((row) => ({ row, steps: row.path.split(".") }));
}

const WAYS: Readonly<Record<ResourceKind, readonly ValuePath[]>> = { link: waysOf("link"), pixel: waysOf("pixel") };

function lintBlock(kind: ResourceKind, block: TreeNode, advice: Advice): void {
  if (block.type !== "map") return;
  for (const { row, steps } of WAYS[kind]) {
    let node: TreeNode | undefined = block;
    for (const step of steps) node = entry(node, step)?.value;
    if (node !== undefined) lintField(row, `\`${steps.at(-1)}\``, node, block, advice);
  }
}

function lintField(row: FieldSpec, name: string, value: TreeNode, block: MapNode, advice: Advice): void {
  switch (row.kind) {
    case "text":
      if (!isWritten(value)) return;
      // The query is not merged into an expiration URL.
      if (row.isAddress)
        lintAddress({ text: value.text.trim(), name, isMerged: row.path !== OVER.path }, value.place, advice);
      if (row.forms !== null) lintForm(row, row.forms, value, block, advice);
      return;
    case "map":
      if (value.type !== "map") return;
      for (const item of value.entries) {
        // What the pattern refuses has been reported.
        if (row.keys.pattern.test(item.key)) lintCode(row.keys, item, advice);
        if (isWritten(item.value)) lintTarget(item.value, `\`${item.key}\``, advice);
      }
      return;
    case "list":
      if (value.type !== "list") return;
      for (const item of value.items) if (isWritten(item)) lintTarget(item, `An item of ${name}`, advice);
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
      row satisfies never;
  }
}

function lintTarget({ text, place }: ScalarNode, name: string, advice: Advice): void {
  lintAddress({ text: text.trim(), name, isMerged: true }, place, advice);
}

/** Whether something stands there that was understood. */
function isWritten(node: TreeNode): node is ScalarNode {
  return node.type === "scalar" && !node.broken && !isNull(node);
}

function lintForm(
  row: TextRow,
  { by, of }: NonNullable<TextRow["forms"]>,
  value: ScalarNode,
  block: MapNode,
  advice: Advice,
): void {
  const type = entry(block, by)?.value;
  const word = type?.type === "scalar" ? type.text : "";
  advice.say(value.place, ...valueRemarks(row, of, word, value.text));
  if (type === undefined || !Object.hasOwn(of, word) || of[word]?.runsScripts !== true) return;
  const note = entry(block, "note")?.value;
  if (note !== undefined && isWritten(note) && note.text.trim() !== "") return;
  const message = `A ${word} pixel can run any script, and no \`note\` says who answers for it.`;
  advice.say(type.place, { rule: "tag-manager-owner", message, hint: "Add a `note` that names somebody." });
}

function lintCode({ list, noun }: KeyShape, { key, keyPlace }: TreeEntry, advice: Advice): void {
  if (list === null) return;
  const { standard, codes, refused, meant, retired, refusedBy } = list;
  const known = Object.hasOwn(meant, key) ? meant[key] : undefined;
  if (Object.hasOwn(refusedBy, key)) {
    const message = `\`${key}\` is refused by version ${refusedBy[key]} of the service.`;
    const hint = codes.has(key) ? leaveOut(noun) : codeHint(noun, known?.code);
    advice.say(keyPlace, { rule: "version-code", message, hint });
  } else if (refused.codes.has(key)) {
    const message = `The service refuses the ${noun} \`${key}\`.`;
    advice.say(keyPlace, { rule: refused.rule, message, hint: leaveOut(noun) });
  } else if (retired.has(key)) {
    const message = `\`${key}\` is no longer a code of ${standard}: no visitor matches it.`;
    advice.say(keyPlace, { rule: "retired-code", message, hint: leaveOut(noun) });
  } else if (!codes.has(key)) {
    const message = `The service refuses \`${key}\`: ${known?.because ?? `it is not a code of ${standard}`}.`;
    advice.say(keyPlace, { rule: list.unknown, message, hint: codeHint(noun, known?.code) });
  }
}

function leaveOut(noun: string): string {
  return `Remove it: visitors with this ${noun} go to \`url\`.`;
}

function codeHint(noun: string, meant: string | null | undefined): string {
  if (meant === undefined) return `Write the ${noun} as a code of two letters, or remove it.`;
  return meant === null ? `Write each ${noun} by its own code.` : `Did you mean \`${meant}\`?`;
}

type Forms = NonNullable<TextRow["forms"]>["of"];

/**
 * What is to be said of a value, the most telling first: only one of it is worth saying. `type` is the pixel's; of one
 * without, or that is not known, the form is not judged. A value that is refused anyway is explained, if need be.
 */
export function valueRemarks(row: TextRow, forms: Forms, type: string, text: string): Remark[] {
  const form = Object.hasOwn(forms, type) ? forms[type] : undefined;
  const pasted = snippet(text, form);
  if (pasted.length > 0) return pasted;
  const told = [...placeholder(text, form), ...space(text, form), ...otherIds(text, forms)];
  if (form === undefined || textProblem(row, text.trim()) !== null) return told;
  return [...told, ...misformed(text.trim(), type, form, forms)];
}

function snippet(text: string, form: ValueForm | undefined): Remark[] {
  if (!/<\/?(?:script|noscript|img|iframe|!--)|\w\(/i.test(text)) return [];
  const inside = form && new RegExp(`(?<![\\w-])${form.pattern.source.slice(1, -1)}(?![\\w-])`).exec(text)?.[0];
  const instead = inside ?? form?.example;
  const hint =
    instead === undefined
      ? "Write the id alone."
      : `Write the id alone${inside === undefined ? ", such as" : ":"} \`${instead}\`.`;
  return [{ rule: "pixel-snippet", message: "`value` is a pasted script, not the id in it.", hint }];
}

function placeholder(text: string, form: ValueForm | undefined): Remark[] {
  if (!PLACEHOLDERS.some((pattern) => pattern.test(text.trim()))) return [];
  const message = `\`${text.trim()}\` is a placeholder, not an id.`;
  return [
    { rule: "pixel-placeholder", message, hint: form === undefined ? "Write the id." : `Write the id: ${form.shape}.` },
  ];
}

function space(text: string, form: ValueForm | undefined): Remark[] {
  const bare = text.replaceAll(/\s+/g, "");
  if (bare === text || bare === "") return [];
  const isInside = text.trim() !== bare;
  const hint = form?.pattern.test(bare) === true ? `Write it without: \`${bare}\`.` : "Remove it.";
  return [{ rule: "pixel-space", message: `\`value\` has white space ${isInside ? "in" : "around"} it.`, hint }];
}

function otherIds(text: string, forms: Forms): Remark[] {
  return Object.values(forms).flatMap(({ others, example }) =>
    others.flatMap((other): Remark[] => {
      const found = other.pattern.exec(text.trim());
      if (found === null) return [];
      return [{ rule: other.rule, message: other.message, hint: insteadOf(other, found[1], example) }];
    }),
  );
}

function insteadOf({ instead }: OtherId, meant: string | undefined, example: string): string {
  return meant === undefined ? `Write ${instead}, such as \`${example}\`.` : `Write ${instead}: \`${meant}\`.`;
}

function misformed(text: string, type: string, form: ValueForm, forms: Forms): Remark[] {
  const remarks: Remark[] = [];
  if (form.needs !== null && !text.includes(form.needs.text)) {
    const message = `The service refuses the id of an ${type} pixel without \`${form.needs.text}\`.`;
    remarks.push({ rule: form.needs.rule, message, hint: `Write ${form.shape}.` });
  }
  if (form.pattern.test(text)) return remarks;
  const [owner] = Object.entries(forms).find(([other, candidate]) => other !== type && isTheirs(text, candidate)) ?? [];
  if (owner !== undefined && !hasPrefix(text, form)) {
    const message = `\`${text}\` looks like the id of another type, ${owner}.`;
    remarks.push({ rule: "pixel-type", message, hint: `Did you mean \`type: ${owner}\`?` });
  }
  const message = `\`${text}\` does not look like the id of a ${type} pixel.`;
  return [...remarks, { rule: "pixel-value", message, hint: correction(text, form) }];
}

function hasPrefix(text: string, { prefix }: ValueForm): boolean {
  return prefix !== null && text.toLowerCase().startsWith(prefix.toLowerCase());
}

function isTheirs(text: string, form: ValueForm): boolean {
  return hasPrefix(text, form) || (form.isDistinct && form.pattern.test(text));
}

/** What was most likely meant: in capitals, or with the prefix that was left out. */
function correction(text: string, { pattern, prefix, shape }: ValueForm): string {
  const candidates = [text.toUpperCase(), text.toLowerCase(), `${prefix ?? ""}${text.toUpperCase()}`];
  const meant = candidates.find((candidate) => pattern.test(candidate));
  return meant === undefined ? `It is ${shape}.` : `Did you mean \`${meant}\`?`;
}
