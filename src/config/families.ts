// Families: one block that declares a link for each combination of values. They are expanded into blocks of links when the files are
// loaded, so every rule for links applies to their links, too.

import { append } from "../domain/collections.ts";
import { besides, error, MOST_SHOWN, warning, type Diagnostic } from "../domain/diagnostic.ts";
import { fold } from "../domain/fold.ts";
import { nearest } from "../domain/nearest.ts";
import { placeIn, type Place } from "../domain/place.ts";
import { showCombination, type FamilyLink } from "../domain/project.ts";
import { fieldAt, GROUPS, SECTION } from "../domain/table.ts";
import { linkContext, readBlock, type Inherited, type LoadedBlocks } from "./blocks.ts";
import { mergeFindings } from "./family-findings.ts";
import { lintBlock } from "./lint/values.ts";
import { linkKeys, PLACEHOLDER_NAME, resourceSchema } from "./schema.ts";
import { checkShape } from "./shape.ts";
import { entry, isNull, textOf, type MapNode, type ScalarNode, type TreeEntry, type TreeNode } from "./yaml.ts";

/** Limits for the families of a project, so that no file can expand without end. */
const MOST_LINKS = 10_000;
const MOST_DIMENSIONS = 10;
/** Copied characters; a copied value counts as much as 10 of them, and 5 comparisons as much as one. */
const MOST_WORK = 20_000_000;
const WORK_OF_VALUE = 10;
const WORK_OF_COMPARISON = 0.2;
/** After this many errors in the links of a family, the others are not checked. */
const MOST_ERRORS = 10_000;

/** How much the families of a project expand to. */
export interface FamilyBudget {
  links: number;
  work: number;
}

/** Reads the families of a document into `blocks`, and lints the values of their links. */
export function readFamilies(
  document: TreeNode,
  inherited: Inherited,
  blocks: LoadedBlocks,
  budget: FamilyBudget,
): void {
  const families = entry(document, "families")?.value;
  const context = linkContext(document, inherited, blocks);
  for (const written of families?.type === "map" ? families.entries : []) {
    let errors = 0;
    const found = expand(written, budget, blocks.diagnostics).map(({ block, family }) => {
      // Describing a mistake takes far longer than copying it.
      const own = errors > MOST_ERRORS ? [] : checkShape(documentOf(block), resourceSchema);
      errors += own.length;
      const lint = blocks.lint?.fresh() ?? null;
      readBlock(block, { ...context, diagnostics: own, blocks: { ...blocks, diagnostics: own, lint } }, family);
      if (lint !== null) lintBlock("link", block.value, lint);
      return { key: block.key, family, diagnostics: own, advice: lint?.diagnostics ?? [] };
    });
    append(blocks.diagnostics, mergeFindings(found));
    if (blocks.lint !== null)
      append(blocks.lint.diagnostics, mergeFindings(found.map((one) => ({ ...one, diagnostics: one.advice }))));
  }
}

/** A document with only this link. */
function documentOf(block: TreeEntry): MapNode {
  const { place } = block.value;
  return mapOf([{ key: SECTION.link, keyPlace: block.keyPlace, value: mapOf([block], place) }], place);
}

function mapOf(entries: readonly TreeEntry[], place: Place, partial = false): MapNode {
  return { type: "map", entries, byKey: new Map(entries.map((one) => [one.key, one])), place, partial };
}

/** A link of a family, as a block of `links`. */
interface FamilyMember {
  readonly block: TreeEntry;
  readonly family: FamilyLink;
}

interface Dimension {
  readonly name: string;
  readonly values: readonly DimensionValue[];
  /** The length of the longest value of each attribute that a placeholder named, and of the values themselves at `null`. */
  readonly longest: Map<string | null, number>;
}

interface DimensionValue {
  readonly text: string;
  readonly node: ScalarNode;
  /** The attributes by name. */
  readonly attributes: ReadonlyMap<string, ScalarNode>;
}

/** The chosen value of each dimension, by its name. */
type Choice = ReadonlyMap<string, DimensionValue>;

/** An entry of `exclude` or `each`: the value of each dimension, or null for any, and the fields of `each`. */
interface Condition {
  readonly texts: readonly (string | null)[];
  readonly fields: MapNode;
}

/** The links of a family. One with a mistake in its own keys or placeholders has none. */
function expand(written: TreeEntry, budget: FamilyBudget, diagnostics: Diagnostic[]): FamilyMember[] {
  const { key: pattern, keyPlace: place, value: block } = written;
  const mistakes: Diagnostic[] = [];
  const members = block.type === "map" ? membersOf(pattern, place, block, budget, mistakes) : [];
  append(diagnostics, mistakes);
  return mistakes.some(({ severity }) => severity === "error") ? [] : members;
}

function membersOf(
  pattern: string,
  place: Place,
  block: MapNode,
  budget: FamilyBudget,
  mistakes: Diagnostic[],
): FamilyMember[] {
  const dimensions = readDimensions(entry(block, "for"), mistakes);
  const exclude = readConditions(block, "exclude", dimensions, mistakes);
  const each = readConditions(block, "each", dimensions, mistakes);
  if (dimensions.length === 0) return [];
  const fields = fieldsOf(block);
  const size = dimensions.reduce((product, { values }) => product * values.length, 1);
  budget.links += size;
  if (budget.links > MOST_LINKS) {
    mistakes.push(tooLarge(pattern, place, size));
    return [];
  }
  const values = [fields, ...each.map((one) => one.fields)].map((map) => workOf(map, dimensions, mistakes));
  const conditions = (exclude.length + each.length) * WORK_OF_COMPARISON;
  budget.work +=
    size * values.reduce((sum, work) => sum + work, workOfText(pattern, place, dimensions, mistakes) + conditions);
  if (budget.work > MOST_WORK) mistakes.push(tooLarge(pattern, place, size));
  if (mistakes.length > 0) return [];
  let choices: DimensionValue[][] = [[]];
  for (const dimension of dimensions)
    choices = choices.flatMap((chosen) => dimension.values.map((value) => [...chosen, value]));
  const members = choices.flatMap((chosen): FamilyMember[] => {
    const isMatch = ({ texts }: Condition): boolean =>
      texts.every((text, at) => text === null || text === chosen[at]?.text);
    if (exclude.some(isMatch)) return [];
    const choice: Choice = new Map(chosen.map((value, at) => [dimensions[at]?.name ?? "", value]));
    const layers = [fields, ...each.filter(isMatch).map((one) => one.fields)];
    const value = layers.map((map) => filledMap(map, choice)).reduce(overlay);
    const combination = [...choice].map(([name, { text }]) => [name, text] as const);
    // Places identify blocks, so no two links share one.
    const own: TreeEntry = { key: filledText(pattern, choice), keyPlace: { ...place }, value };
    return [{ block: own, family: { pattern, combination, place } }];
  });
  if (members.length === 0) {
    const message = `\`exclude\` removes every combination, so the family \`${pattern}\` has no links.`;
    mistakes.push(warning("family-empty", message, place, "Remove the family, or an entry of `exclude`."));
  }
  checkKeys(members, mistakes);
  return members;
}

function tooLarge(pattern: string, place: Place, size: number): Diagnostic {
  const most = MOST_LINKS.toLocaleString("en-US");
  const message =
    size > MOST_LINKS
      ? `The family \`${pattern}\` has ${size.toLocaleString("en-US")} combinations, but all families together can have at most ${most}.`
      : `The families of this project expand to too many links or values: \`${pattern}\` exceeds the limit.`;
  return error("family-too-large", message, place, "Use fewer values or fewer fields, or split the project.");
}

/** Reports two combinations that result in the same alias, as the service compares aliases. */
function checkKeys(members: readonly FamilyMember[], mistakes: Diagnostic[]): void {
  const first = new Map<string, FamilyMember>();
  for (const member of members) {
    const { block, family } = member;
    const other = first.get(fold(block.key));
    first.set(fold(block.key), member);
    if (other === undefined) continue;
    const combinations = [other, member].map((one) => showCombination(one.family.combination)).join(" and ");
    const keys = new Set([other, member].map((one) => `\`${one.block.key}\``));
    const what = keys.size === 1 ? "" : ": the service ignores case and accents in";
    const message = `The combinations ${combinations} have the same alias${what} ${[...keys].join(" and ")}.`;
    const hint = "Change the values or the alias, so that each combination has its own alias.";
    mistakes.push(error("family-same-alias", message, family.place, hint));
    return;
  }
}

/** The dimensions of `for`; none if one has no values. The schema has reported what has the wrong type. */
function readDimensions(written: TreeEntry | undefined, mistakes: Diagnostic[]): Dimension[] {
  if (written?.value.type !== "map") return [];
  const { entries } = written.value;
  const empty = (message: string, place: Place, example: string): void =>
    void mistakes.push(error("family-empty", message, place, `Write \`${example}\`.`));
  if (entries.length === 0) empty("`for` has no dimensions.", written.keyPlace, "for: { region: [de, fr] }");
  if (entries.length > MOST_DIMENSIONS) {
    const message = `\`for\` has ${entries.length.toLocaleString("en-US")} dimensions, but the maximum is ${MOST_DIMENSIONS}.`;
    mistakes.push(error("family-too-large", message, written.keyPlace, "Use attributes of values."));
    return [];
  }
  const dimensions = entries.map(({ key, value }) => ({ name: key, values: valuesIn(value), longest: new Map() }));
  for (const { key, value } of entries)
    if ((value.type === "list" && value.items.length === 0) || (value.type === "map" && value.entries.length === 0))
      empty(`\`${key}\` has no values.`, value.place, `${key}: [de, fr]`);
  return dimensions.some(({ values }) => values.length === 0) ? [] : dimensions;
}

function valuesIn(node: TreeNode): DimensionValue[] {
  if (node.type === "list")
    return node.items.flatMap((item) => {
      const text = textOf(item);
      if (item.type !== "scalar" || text === null || item.broken) return [];
      return [{ text, node: item, attributes: new Map() }];
    });
  return (node.type === "map" ? node.entries : []).map(({ key, keyPlace, value }) => ({
    text: key,
    node: { type: "scalar", text: key, value: key, place: keyPlace, broken: false },
    attributes: new Map(
      (value.type === "map" ? value.entries : []).flatMap((one) =>
        one.value.type === "scalar" && !isNull(one.value) ? [[one.key, one.value] as const] : [],
      ),
    ),
  }));
}

/** The entries of a list that name a dimension. */
function readConditions(
  block: MapNode,
  list: "exclude" | "each",
  dimensions: readonly Dimension[],
  mistakes: Diagnostic[],
): Condition[] {
  const node = entry(block, list)?.value;
  // Without dimensions, the reason has been reported.
  return (node?.type === "list" && dimensions.length > 0 ? node.items : []).flatMap((item) => {
    const when = list === "each" ? entry(item, "when")?.value : item;
    if (item.type !== "map" || when?.type !== "map") return [];
    const report = (message: string, place: Place, hint: string): void =>
      void mistakes.push(error("family-unmatched", message, place, hint));
    const allowed = (texts: readonly string[]): string =>
      `Allowed: ${texts.slice(0, 20).join(", ")}${texts.length > 20 ? ", …" : ""}.`;
    if (when.entries.length === 0) {
      const what = list === "each" ? "`when`" : "An entry of `exclude`";
      report(`${what} must name at least one dimension.`, when.place, "Write `{ channel: qr }`, for example.");
    }
    for (const { key, keyPlace, value } of when.entries) {
      const text = textOf(value);
      const values = dimensions.find(({ name }) => name === key)?.values.map((one) => one.text);
      if (text === null) continue;
      if (values === undefined)
        report(`\`${key}\` is not a dimension of \`for\`.`, keyPlace, allowed(dimensions.map(({ name }) => name)));
      else if (!values.includes(text))
        report(`\`${key}\` has no value \`${text}\`, so this entry matches no link.`, value.place, allowed(values));
    }
    const texts = dimensions.map(({ name }) => textOf(entry(when, name)?.value));
    return texts.some((text) => text !== null) ? [{ texts, fields: fieldsOf(item) }] : [];
  });
}

/** The fields of links in the family or in an entry of `each`. The schema has reported unknown keys. */
function fieldsOf({ entries, place, partial }: MapNode): MapNode {
  const known = entries.filter(({ key }) => Object.hasOwn(linkKeys, key));
  const isUnknown = entries.some(({ key }) => !Object.hasOwn(linkKeys, key) && !OWN_KEYS.has(key));
  return mapOf(known, place, partial || isUnknown);
}

/** The keys of a family and of an entry of `each` that are not fields of links. */
const OWN_KEYS: ReadonlySet<string> = new Set(["for", "exclude", "each", "when"]);

/** A text in braces, or a brace alone. */
const IN_BRACES = /\{[^}]*\}|[{}]/g;
const NAME = PLACEHOLDER_NAME.source.slice(1, -1);
const PLACEHOLDER = new RegExp(`^\\{(${NAME})(?:\\.(${NAME}))?\\}$`);

/** What it takes to copy the values below a node. Reports the placeholders in them that have no value. */
function workOf(node: TreeNode, dimensions: readonly Dimension[], mistakes: Diagnostic[]): number {
  if (node.type === "scalar") return WORK_OF_VALUE + workOfText(node.text, node.place, dimensions, mistakes);
  const inner = node.type === "map" ? node.entries.map(({ value }) => value) : node.items;
  return inner.reduce((sum, one) => sum + workOf(one, dimensions, mistakes), WORK_OF_VALUE);
}

/** The characters of a text with the longest values of its placeholders; 0 for a text without any, which the links share. */
function workOfText(text: string, place: Place, dimensions: readonly Dimension[], mistakes: Diagnostic[]): number {
  let length = 0;
  for (const [part] of text.matchAll(IN_BRACES)) {
    // No report shows more, and each mistake costs a look at all values.
    if (mistakes.length > MOST_SHOWN) return 0;
    const [, name, attribute = null] = PLACEHOLDER.exec(part) ?? [];
    if (name === undefined) {
      // The first brace that is not closed ends the search, so its time is linear.
      mistakes.push(notPlaceholder(part, place));
      return 0;
    }
    const { values, longest } = dimensions.find((one) => one.name === name) ?? {};
    const known = longest?.get(attribute);
    const missing = known === undefined ? values?.find((value) => nodeOf(value, attribute) === undefined) : undefined;
    if (values === undefined) {
      const allowed = dimensions.map((one) => `\`{${one.name}}\``).join(", ");
      const message = `The placeholder \`${part}\` names no dimension of \`for\`.`;
      mistakes.push(error("family-placeholder", message, placeIn(place, part, "first"), `Allowed: ${allowed}.`));
    } else if (missing !== undefined) {
      const message = `The value \`${missing.text}\` of \`${name}\` has no attribute \`${attribute}\`.`;
      const attributes = new Set(values.flatMap((value) => [...value.attributes.keys()]));
      const meant = attributes.has(attribute ?? "") ? null : nearest(attribute ?? "", attributes);
      const add = `Add it under \`for\`: \`${missing.text}: { ${attribute}: … }\`.`;
      const hint = meant === null ? add : `Did you mean \`{${name}.${meant}}\`?`;
      const at = placeIn(place, part, "first");
      mistakes.push(besides(error("family-placeholder", message, at, hint), missing.node.place, "this value"));
    } else {
      const most = known ?? Math.max(...values.map((value) => nodeOf(value, attribute)?.text.length ?? 0));
      longest?.set(attribute, most);
      length += Math.max(text.length, most);
    }
  }
  return length;
}

function notPlaceholder(part: string, place: Place): Diagnostic {
  const shown = part.length > 60 ? part.charAt(0) : part;
  const inner = new RegExp(`^[{\\s]*(${NAME}(?:\\.${NAME})?)[\\s}]*$`).exec(part)?.[1];
  const hint =
    inner === undefined
      ? "In a family, braces are only for placeholders such as `{region}`. In a URL, write %7B and %7D."
      : `Write \`{${inner}}\`.`;
  return error("family-placeholder", `\`${shown}\` is not a placeholder.`, placeIn(place, shown, "first"), hint);
}

function nodeOf(value: DimensionValue | undefined, attribute: string | null): ScalarNode | undefined {
  return attribute === null ? value?.node : value?.attributes.get(attribute);
}

/** The value of a placeholder in a choice; undefined for another text. */
function valueOf(placeholder: string, choice: Choice): ScalarNode | undefined {
  const [, name = "", attribute = null] = PLACEHOLDER.exec(placeholder) ?? [];
  return nodeOf(choice.get(name), attribute);
}

function filledText(text: string, choice: Choice): string {
  return text.replaceAll(IN_BRACES, (placeholder) => valueOf(placeholder, choice)?.text ?? "");
}

/** A node with its placeholders replaced; the same node if it has none. */
function filled(node: TreeNode, choice: Choice): TreeNode {
  if (node.type === "map") return filledMap(node, choice);
  if (node.type === "list") {
    const items = node.items.map((item) => filled(item, choice));
    return items.every((item, at) => item === node.items[at]) ? node : { ...node, items };
  }
  if (!node.text.includes("{")) return node;
  // A string with only a placeholder gets the value itself, so that numbers and `true` work in every field.
  const text = filledText(node.text, choice);
  return { ...node, text, value: valueOf(node.text, choice)?.value ?? text };
}

function filledMap(node: MapNode, choice: Choice): MapNode {
  const entries = node.entries.map((one) => ({ ...one, value: filled(one.value, choice) }));
  const isSame = entries.every(({ value }, at) => value === node.entries[at]?.value);
  return isSame ? node : mapOf(entries, node.place, node.partial);
}

/** The fields of a later layer over those of an earlier one. As with defaults, maps merge by key, and `targeting` is replaced. */
function overlay(under: MapNode, over: MapNode): MapNode {
  const merged = new Map(under.byKey);
  for (const one of over.entries) {
    const below = merged.get(one.key)?.value;
    const value = one.value;
    const isMerged = below?.type === "map" && value.type === "map" && mergesByKey(one.key);
    merged.set(one.key, isMerged ? { ...one, value: overlay(below, value) } : one);
  }
  return mapOf([...merged.values()], over.place, under.partial || over.partial);
}

/** Secrets have one source. */
function mergesByKey(key: string): boolean {
  return fieldAt("link", key) === undefined && GROUPS[key]?.replacesAsWhole !== true;
}
