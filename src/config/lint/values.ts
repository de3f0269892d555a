// Rules about single values, wherever they stand: in links, pixels and defaults.

import type { FieldSpec, KeyShape, TextSpec } from "../../domain/field.ts";
import { blockFields, EXPIRATION_URL, type ResourceKind } from "../../domain/table.ts";
import type { Advice } from "./advice.ts";
import { lintAddress } from "./address.ts";
import { valueRemarks } from "./pixel.ts";
import { entry, isNull, type TreeEntry, type MapNode, type TreeNode, type ScalarNode } from "../tree.ts";

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
        lintAddress({ text: value.text.trim(), name, isMerged: row.path !== EXPIRATION_URL.path }, value.place, advice);
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
  row: TextSpec,
  { by, of }: NonNullable<TextSpec["forms"]>,
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
