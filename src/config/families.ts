// Families: one block that declares a link for each combination of values. They are expanded into blocks of links when the files are
// loaded, so every rule for links applies to their links, too.

import { append, groupBy } from "../domain/collections.ts";
import { besides, error, MOST_SHOWN, warning, type Diagnostic } from "../domain/diagnostic.ts";
import { mergeFindings } from "../domain/family-findings.ts";
import { fold } from "../domain/fold.ts";
import { didYouMean, nearest } from "../domain/nearest.ts";
import { placeIn, type Place } from "../domain/place.ts";
import { showCombination, type FamilyLink, type Mention } from "../domain/project.ts";
import { fieldAt, GROUPS, SECTION } from "../domain/table.ts";
import { readBlock, type BlockContext } from "./blocks.ts";
import { linkForm, linkKeys, MOST_DIMENSIONS, PLACEHOLDER_NAME } from "./schema.ts";
import { checkShape } from "./shape.ts";
import { entriesOf, entry, isNull, mapNode, textOf } from "./yaml.ts";
import type { MapNode, ScalarNode, TreeEntry, TreeNode } from "./yaml.ts";
import { showCount, someOf } from "../domain/words.ts";

/** Limits for the families of a project, so that no file can expand without end. */
const MOST_LINKS = 10_000;
/** Characters of filled texts; a copied value counts as much as 10 of them, and 5 comparisons as much as one. */
const MOST_WORK = 20_000_000;
const WORK_OF_VALUE = 10;
const WORK_OF_COMPARISON = 0.2;
/** After this many errors in the links of a family, the others are not checked. */
const MOST_ERRORS = 10_000;

export interface FamilyBudget {
  links: number;
  work: number;
}

/** Reads the families of a document. `context` is that of its links. */
export function readFamilies(document: TreeNode, context: BlockContext, budget: FamilyBudget): void {
  for (const written of entriesOf(entry(document, "families")?.value)) {
    let errors = 0;
    const found = expand(written, budget, context).map(({ block, family }) => {
      // Describing a mistake takes far longer than copying it.
      const own =
        errors > MOST_ERRORS ? [] : checkShape(block.value, linkForm, [SECTION.link, block.key], block.keyPlace);
      errors += own.length;
      const lint = context.lint?.into(own) ?? null;
      readBlock(block, { ...context, diagnostics: own, lint }, family);
      return { key: block.key, family, diagnostics: own };
    });
    append(context.diagnostics, mergeFindings(found));
  }
}

interface FamilyMember {
  readonly block: TreeEntry;
  readonly family: FamilyLink;
}

interface Dimension {
  readonly name: string;
  readonly values: readonly Choice[];
}

/** What placeholders stand for: values of dimensions (`channel`) and their attributes (`channel.medium`). */
type Choice = ReadonlyMap<string, ScalarNode>;

/** An entry of `exclude` or `each`: the value of each dimension, or null for any, and the fields of `each`. */
interface Condition {
  readonly wanted: readonly (string | null)[];
  readonly fields: MapNode;
}

/** The links of a family. One with a mistake in its own keys or placeholders has none. */
function expand(written: TreeEntry, budget: FamilyBudget, { diagnostics, lost }: BlockContext): FamilyMember[] {
  const { key: pattern, keyPlace: place, value: block } = written;
  const dimensions = readDimensions(entry(block, "for")?.value);
  if (block.type !== "map" || dimensions.length === 0) {
    lost.push(place);
    return [];
  }
  const before = diagnostics.length;
  const exclude = readConditions(block, "exclude", dimensions, diagnostics);
  const each = readConditions(block, "each", dimensions, diagnostics);
  const fields = fieldsOf(block);
  budget.links += dimensions.reduce((product, { values }) => product * values.length, 1);
  if (budget.links > MOST_LINKS) {
    diagnostics.push(tooLarge(pattern, place));
    return [];
  }
  const texts = [fields, ...each.map((one) => one.fields)].flatMap(scalarsIn);
  checkPlaceholders([...texts, { text: pattern, place }], dimensions, diagnostics);
  if (diagnostics.length > before) return [];
  let choices: Choice[][] = [[]];
  for (const { values } of dimensions) choices = choices.flatMap((one) => values.map((value) => [...one, value]));
  const members = choices.flatMap((chosen): FamilyMember[] => {
    const values = dimensions.map(({ name }, at) => chosen[at]?.get(name)?.text ?? "");
    const isMatch = ({ wanted }: Condition): boolean =>
      wanted.every((text, at) => text === null || text === values[at]);
    budget.work += (exclude.length + each.length) * WORK_OF_COMPARISON;
    if (budget.work > MOST_WORK || exclude.some(isMatch)) return [];
    // One at a time: a value may have thousands of attributes.
    const choice: Choice = new Map(chosen.flatMap((one) => [...one]));
    const layers = [fields, ...each.filter(isMatch).map((one) => one.fields)];
    const maps = layers.map((map) => filledMap(map, choice, budget));
    const value = merged(maps, block.place);
    const combination = dimensions.map(({ name }, at) => [name, values[at] ?? ""] as const);
    // Places identify blocks, so no two links share one.
    const own: TreeEntry = { key: filledText(pattern, choice, budget), keyPlace: { ...place }, value };
    return [{ block: own, family: { pattern, combination, place } }];
  });
  if (budget.work > MOST_WORK) diagnostics.push(tooLarge(pattern, place));
  else if (members.length === 0) {
    const message = `\`exclude\` removes every combination, so the family \`${pattern}\` has no links.`;
    diagnostics.push(warning("family-empty", message, place, "Remove the family, or an entry of `exclude`."));
  }
  checkKeys(members, diagnostics);
  return diagnostics.length > before ? [] : members;
}

function tooLarge(pattern: string, place: Place): Diagnostic {
  const message = `With \`${pattern}\`, the families of this project expand to more than ${showCount(MOST_LINKS)} links, or to too many values.`;
  return error("family-too-large", message, place, "Use fewer values or fewer fields, or split the project.");
}

/** Reports two combinations with the same alias, as the service compares aliases. */
function checkKeys(members: readonly FamilyMember[], diagnostics: Diagnostic[]): void {
  const first = new Map<string, FamilyMember>();
  for (const member of members) {
    const { block, family } = member;
    const other = first.get(fold(block.key));
    first.set(fold(block.key), member);
    if (!other) continue;
    const combinations = [other, member].map((one) => showCombination(one.family.combination)).join(" and ");
    const keys = new Set([other, member].map((one) => `\`${one.block.key}\``));
    const what = keys.size === 1 ? "" : ": the service ignores case and accents in";
    const message = `The combinations ${combinations} have the same alias${what} ${[...keys].join(" and ")}.`;
    const hint = "Change the values or the alias, so that each combination has its own alias.";
    diagnostics.push(error("family-same-alias", message, family.place, hint));
    return;
  }
}

/** The dimensions of `for`; none if one has no values. The schema has reported what is wrong. */
function readDimensions(node: TreeNode | undefined): Dimension[] {
  const entries = node?.type === "map" && node.entries.length <= MOST_DIMENSIONS ? node.entries : [];
  const dimensions = entries.map(({ key, value }) => ({ name: key, values: valuesIn(key, value) }));
  return dimensions.some(({ values }) => values.length === 0) ? [] : dimensions;
}

function valuesIn(name: string, node: TreeNode): Choice[] {
  if (node.type === "list")
    return node.items.flatMap((item) =>
      item.type === "scalar" && textOf(item) !== null && !item.broken ? [new Map([[name, item]])] : [],
    );
  return entriesOf(node).map(({ key, keyPlace, value }) => {
    const own: ScalarNode = { type: "scalar", text: key, value: key, place: keyPlace, broken: false };
    const attributes = entriesOf(value).flatMap((one) =>
      one.value.type === "scalar" && !isNull(one.value) ? [[`${name}.${one.key}`, one.value] as const] : [],
    );
    return new Map([[name, own], ...attributes]);
  });
}

function readConditions(
  block: MapNode,
  list: "exclude" | "each",
  dimensions: readonly Dimension[],
  diagnostics: Diagnostic[],
): Condition[] {
  const node = entry(block, list)?.value;
  return (node?.type === "list" ? node.items : []).flatMap((item) => {
    const when = list === "each" ? entry(item, "when")?.value : item;
    if (item.type !== "map" || when?.type !== "map") return [];
    for (const { key, keyPlace, value } of when.entries) {
      const text = textOf(value);
      if (text === null) continue;
      const values = dimensions.find(({ name }) => name === key)?.values.flatMap((one) => one.get(key)?.text ?? []);
      const hint = `Allowed: ${someOf(values ?? dimensions.map(({ name }) => name), 20)}.`;
      const unknown = `\`${key}\` is not a dimension of \`for\`.`;
      const unmatched = `\`${key}\` has no value \`${text}\`, so this entry matches no link.`;
      if (!values) diagnostics.push(error("family-unmatched", unknown, keyPlace, hint));
      else if (!values.includes(text)) diagnostics.push(error("family-unmatched", unmatched, value.place, hint));
    }
    const wanted = dimensions.map(({ name }) => textOf(entry(when, name)?.value));
    return wanted.some((text) => text !== null) ? [{ wanted, fields: fieldsOf(item) }] : [];
  });
}

/** The fields of links in the family or in an entry of `each`. The schema has reported unknown keys. */
function fieldsOf({ entries, place, partial }: MapNode): MapNode {
  const others = entries.filter(({ key }) => !OWN_KEYS.has(key));
  const known = others.filter(({ key }) => Object.hasOwn(linkKeys, key));
  return mapNode(known, place, partial || known.length < others.length);
}

/** Keys of a family and of an entry of `each` that are not fields of links. */
const OWN_KEYS = new Set(["for", "exclude", "each", "when"]);

/** A text in braces, or a brace alone. */
const IN_BRACES = /\{[^}]*\}|[{}]/g;
const NAME = PLACEHOLDER_NAME.source.slice(1, -1);
const PLACEHOLDER = new RegExp(`^\\{${NAME}(?:\\.${NAME})?\\}$`);

function scalarsIn(node: TreeNode): ScalarNode[] {
  if (node.type === "scalar") return [node];
  return (node.type === "map" ? node.entries.map(({ value }) => value) : node.items).flatMap(scalarsIn);
}

function checkPlaceholders(texts: readonly Mention[], dimensions: readonly Dimension[], found: Diagnostic[]): void {
  const problems = new Map<string, Diagnostic | null>();
  const most = found.length + MOST_SHOWN;
  for (const { text, place } of texts)
    for (const [part] of text.matchAll(IN_BRACES)) {
      // No report shows more, and each problem costs a look at all values.
      if (found.length > most) return;
      const problem = problems.has(part) ? problems.get(part) : placeholderProblem(part, dimensions);
      problems.set(part, problem ?? null);
      if (problem) found.push({ ...problem, place: placeIn(place, part, "first") });
      // The first brace that is not closed ends the search, so its time is linear.
      if (!PLACEHOLDER.test(part)) break;
    }
}

/** What is wrong with a text in braces, without its place; null if each combination has a value for it. */
function placeholderProblem(part: string, dimensions: readonly Dimension[]): Diagnostic | null {
  const problem = (message: string, hint: string): Diagnostic => error("family-placeholder", message, null, hint);
  if (!PLACEHOLDER.test(part)) {
    const shown = part.length > 60 ? part.charAt(0) : part;
    const hint = "In a family, braces are only for placeholders such as `{region}`. In a URL, write %7B and %7D.";
    return problem(`\`${shown}\` is not a placeholder.`, hint);
  }
  const inner = part.slice(1, -1);
  const [name = "", attribute = ""] = inner.split(".");
  const values = dimensions.find((one) => one.name === name)?.values;
  if (!values) {
    const allowed = dimensions.map((one) => `\`{${one.name}}\``).join(", ");
    return problem(`The placeholder \`${part}\` names no dimension of \`for\`.`, `Allowed: ${allowed}.`);
  }
  const missing = values.find((one) => !one.has(inner))?.get(name);
  if (!missing) return null;
  const message = `The value \`${missing.text}\` of \`${name}\` has no attribute \`${attribute}\`.`;
  const known = new Set(values.flatMap((one) => [...one.keys()]));
  const meant = known.has(inner) ? null : nearest(inner, known);
  const add = `Add it under \`for\`: \`${missing.text}: { ${attribute}: … }\`.`;
  return besides(problem(message, didYouMean(meant && `{${meant}}`, add)), missing.place, "this value");
}

/** A text with its placeholders replaced. Beyond the budget, which ends the expansion, nothing replaces them. */
function filledText(text: string, choice: Choice, budget: FamilyBudget): string {
  return text.replaceAll(IN_BRACES, (placeholder) => {
    const value = choice.get(placeholder.slice(1, -1))?.text ?? "";
    budget.work += Math.max(text.length, value.length);
    return budget.work > MOST_WORK ? "" : value;
  });
}

/** A node with its placeholders replaced; the same node if it has none. */
function filled(node: TreeNode, choice: Choice, budget: FamilyBudget): TreeNode {
  if (node.type === "map") return filledMap(node, choice, budget);
  budget.work += WORK_OF_VALUE;
  if (node.type === "list") {
    const items = node.items.map((item) => filled(item, choice, budget));
    return items.every((item, at) => item === node.items[at]) ? node : { ...node, items };
  }
  if (!node.text.includes("{")) return node;
  // A string with only a placeholder gets the value itself, so that numbers and `true` work in every field.
  const text = filledText(node.text, choice, budget);
  return { ...node, text, value: choice.get(node.text.slice(1, -1))?.value ?? text };
}

function filledMap(node: MapNode, choice: Choice, budget: FamilyBudget): MapNode {
  budget.work += WORK_OF_VALUE;
  const entries = node.entries.map((one) => ({ ...one, value: filled(one.value, choice, budget) }));
  const isSame = entries.every(({ value }, at) => value === node.entries[at]?.value);
  return isSame ? node : mapNode(entries, node.place, node.partial);
}

/** The fields of several layers, of which later ones win. As with defaults, maps merge by key, and `targeting` is replaced. */
function merged(layers: readonly MapNode[], place: Place): MapNode {
  const all = layers.flatMap(({ entries }) => entries);
  const entries = [...groupBy(all, ({ key }) => key)].flatMap(([key, same]) => {
    // A value that is not a map replaces the maps before it.
    const last = same.slice(same.findLastIndex(({ value }) => value.type !== "map") + 1);
    const maps = last.flatMap(({ value }) => (value.type === "map" ? [value] : []));
    // Secrets have one source.
    const isWhole = fieldAt("link", key) || GROUPS[key]?.replacesAsWhole;
    const isKept = isWhole || maps.length < 2;
    return same.slice(-1).map((one) => (isKept ? one : { ...one, value: merged(maps, one.value.place) }));
  });
  const isPartial = layers.some(({ partial }) => partial);
  return mapNode(entries, place, isPartial);
}
