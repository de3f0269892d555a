// Families: one block that declares a link for each combination of values. They are expanded into blocks of links when the files are
// loaded, so every rule for links applies to their links, too.

import { append } from "../domain/collections.ts";
import { besides, error, warning, type Diagnostic } from "../domain/diagnostic.ts";
import { fold } from "../domain/fold.ts";
import { nearest } from "../domain/nearest.ts";
import { placeIn, type Place } from "../domain/place.ts";
import { showCombination, type Combination, type FamilyLink } from "../domain/project.ts";
import { fieldAt, GROUPS, SECTION } from "../domain/table.ts";
import { linkContext, readBlock, type Inherited, type LoadedBlocks } from "./blocks.ts";
import { mergeFindings } from "./family-findings.ts";
import { lintBlock } from "./lint/values.ts";
import { linkKeys, resourceSchema } from "./schema.ts";
import { checkShape } from "./shape.ts";
import { parseTemplate, type Placeholder, type Template } from "./template.ts";
import {
  entry,
  isNull,
  textOf,
  type ListNode,
  type MapNode,
  type ScalarNode,
  type TreeEntry,
  type TreeNode,
} from "./yaml.ts";

/** The keys of a family and of an entry of `each` that are not fields of links. */
const OWN_KEYS: ReadonlySet<string> = new Set(["for", "exclude", "each", "when"]);

/** Limits for the families of a project, so that no file can expand without end. */
const MOST_LINKS = 10_000;
const MOST_DIMENSIONS = 10;
/** Copied characters; a copied value counts as much as 10 of them, and 5 comparisons as much as one. */
const MOST_WORK = 20_000_000;
const WORK_OF_VALUE = 10;
const WORK_OF_COMPARISON = 0.2;

/** How much the families of a project have expanded to. */
export interface FamilyBudget {
  links: number;
  work: number;
}

function isExceeded({ links, work }: FamilyBudget): boolean {
  return links > MOST_LINKS || work > MOST_WORK;
}

/** A link of a family, as a block of `links`. */
interface FamilyMember {
  readonly block: TreeEntry;
  readonly family: FamilyLink;
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
    const { members, diagnostics, known } = expand(written, budget);
    append(blocks.diagnostics, diagnostics);
    const found = members.map(({ block, family }) => {
      const own: Diagnostic[] = checkShape(documentOf(block), resourceSchema).filter(({ place }) => !known.has(place));
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
  const { value, keyPlace } = block;
  const place = value.place;
  const links: TreeEntry = { key: SECTION.link, keyPlace, value: mapOf([block], place) };
  return mapOf([links], place);
}

function mapOf(entries: readonly TreeEntry[], place: Place, partial = false): MapNode {
  return { type: "map", entries, byKey: new Map(entries.map((one) => [one.key, one])), place, partial };
}

interface Expanded {
  readonly members: readonly FamilyMember[];
  readonly diagnostics: readonly Diagnostic[];
  /** The places of unknown keys of the family, which its schema has reported. */
  readonly known: ReadonlySet<Place | null>;
}

/** Expands one family. A family with a mistake in its own keys or placeholders has no links. */
function expand(written: TreeEntry, budget: FamilyBudget): Expanded {
  const diagnostics: Diagnostic[] = [];
  const none: Expanded = { members: [], diagnostics, known: new Set() };
  if (written.value.type !== "map") return none;
  const family = new Family(written, written.value, budget, diagnostics);
  if (family.dimensions.length === 0) return none;
  const choices = family.choices();
  if (!isExceeded(budget)) family.checkTemplates();
  if (diagnostics.length > 0) return none;
  const members: FamilyMember[] = [];
  for (const choice of choices) {
    members.push(family.member(choice));
    if (!isExceeded(budget)) continue;
    diagnostics.push(tooLarge(written, family.size));
    return none;
  }
  if (choices.length === 0) {
    const message = `\`exclude\` removes every combination, so the family \`${written.key}\` has no links.`;
    diagnostics.push(
      warning("family-empty", message, written.keyPlace, "Remove the family, or an entry of `exclude`."),
    );
  }
  const same = sameKey(members);
  if (same === null) return { members, diagnostics, known: family.unknownKeys };
  diagnostics.push(same);
  return none;
}

function tooLarge({ key, keyPlace }: TreeEntry, size: number): Diagnostic {
  const most = MOST_LINKS.toLocaleString("en-US");
  const message =
    size > MOST_LINKS
      ? `The family \`${key}\` has ${size.toLocaleString("en-US")} combinations, but all families together can have at most ${most}.`
      : `The families of this project expand to too many links or values: \`${key}\` exceeds the limit.`;
  return error("family-too-large", message, keyPlace, "Use fewer values or fewer fields, or split the project.");
}

/** Two combinations that result in the same alias, as the service compares aliases. */
function sameKey(members: readonly FamilyMember[]): Diagnostic | null {
  const first = new Map<string, FamilyMember>();
  for (const member of members) {
    const { block, family } = member;
    const identity = fold(block.key);
    const other = first.get(identity);
    if (other === undefined) {
      first.set(identity, member);
      continue;
    }
    const [one, two] = [other.family.combination, family.combination].map(showCombination);
    const isEqual = other.block.key === block.key;
    const message = isEqual
      ? `The combinations ${one} and ${two} have the same alias \`${block.key}\`.`
      : `The combinations ${one} and ${two} have the same alias: the service ignores case and accents in \`${other.block.key}\` and \`${block.key}\`.`;
    const hint = "Change the values or the alias, so that each combination has its own alias.";
    return error("family-same-alias", message, block.keyPlace, hint);
  }
  return null;
}

interface Dimension {
  readonly name: string;
  readonly values: readonly DimensionValue[];
}

interface DimensionValue {
  readonly text: string;
  readonly node: ScalarNode;
  /** The attributes by name. */
  readonly attributes: ReadonlyMap<string, ScalarNode>;
}

/** The chosen value of each dimension, in the order of `for`. */
type Choice = readonly DimensionValue[];

/** An entry of `exclude` or `each`: the value of each dimension that it names, and the fields of `each`. */
interface Condition {
  readonly texts: readonly (string | null)[];
  readonly place: Place;
  readonly fields: MapNode;
}

/** A family and its parsed keys. Mistakes are added to `diagnostics`. */
class Family {
  readonly #written: TreeEntry;
  readonly #budget: FamilyBudget;
  readonly #diagnostics: Diagnostic[];
  readonly #pattern: Template;
  /** The texts with placeholders in the fields. All links share the other values. */
  readonly #templates = new Map<ScalarNode, Template>();
  readonly #exclude: readonly Condition[];
  readonly #fields: MapNode;
  readonly #each: readonly Condition[];
  readonly dimensions: readonly Dimension[];
  readonly unknownKeys: ReadonlySet<Place | null>;
  /** The number of combinations, without `exclude`. */
  readonly size: number;
  /** The values in the fields. */
  #valueCount = 0;

  constructor(written: TreeEntry, block: MapNode, budget: FamilyBudget, diagnostics: Diagnostic[]) {
    this.#written = written;
    this.#budget = budget;
    this.#diagnostics = diagnostics;
    this.dimensions = this.#readDimensions(entry(block, "for"));
    this.size = this.dimensions.reduce((product, { values }) => product * values.length, 1);
    this.#pattern = this.#parse(written.key, written.keyPlace);
    this.#exclude = this.#conditions(block, "exclude");
    this.#each = this.#conditions(block, "each");
    this.#fields = fieldsOf(block);
    const maps = [this.#fields, ...this.#each.map(({ fields }) => fields)];
    for (const map of maps) this.#readTemplates(map);
    const keys = maps.flatMap(({ entries }) => entries);
    this.unknownKeys = new Set(keys.flatMap((one) => (Object.hasOwn(linkKeys, one.key) ? [] : [one.keyPlace])));
  }

  /** The combinations that no entry of `exclude` matches, in the order of `for`; none beyond the limits. */
  choices(): Choice[] {
    this.#budget.links += this.size;
    this.#budget.work += this.size * this.#valueCount * WORK_OF_VALUE;
    this.#budget.work += this.size * (this.#exclude.length + this.#each.length) * WORK_OF_COMPARISON;
    if (isExceeded(this.#budget)) {
      this.#diagnostics.push(tooLarge(this.#written, this.size));
      return [];
    }
    let choices: Choice[] = [[]];
    for (const { values } of this.dimensions)
      choices = choices.flatMap((choice) => values.map((value) => [...choice, value]));
    return choices.filter((choice) => !this.#exclude.some((one) => isMatch(one, choice)));
  }

  /** Checks that every placeholder names a dimension, whose values have its attribute. */
  checkTemplates(): void {
    const templates = [...this.#templates].map(([{ place }, template]) => ({ place, template }));
    for (const { template, place } of [{ template: this.#pattern, place: this.#written.keyPlace }, ...templates])
      for (const part of template.parts) if (typeof part !== "string") this.#checkPlaceholder(part, place);
  }

  #checkPlaceholder({ text, dimension, attribute }: Placeholder, place: Place): void {
    const where = placeIn(place, text, "first");
    const found = this.dimensions.find(({ name }) => name === dimension);
    if (found === undefined) {
      const allowed = this.dimensions.map(({ name }) => `\`{${name}}\``).join(", ");
      const message = `The placeholder \`${text}\` names no dimension of \`for\`.`;
      this.#report("family-placeholder", message, where, `Allowed: ${allowed}.`);
      return;
    }
    const missing = found.values.find(({ attributes }) => attribute !== null && !attributes.has(attribute));
    if (attribute === null || missing === undefined) return;
    const message = `The value \`${missing.text}\` of \`${dimension}\` has no attribute \`${attribute}\`.`;
    const meant = nearest(
      attribute,
      found.values.flatMap(({ attributes }) => [...attributes.keys()]),
    );
    const hint =
      meant === null || meant === attribute
        ? `Add it under \`for\`: \`${missing.text}: { ${attribute}: … }\`.`
        : `Did you mean \`{${dimension}.${meant}}\`?`;
    const finding = error("family-placeholder", message, where, hint);
    this.#diagnostics.push(besides(finding, missing.node.place, "this value"));
  }

  member(choice: Choice): FamilyMember {
    const combination: Combination = this.dimensions.map(({ name }, at) => [name, choice[at]?.text ?? ""]);
    const matching = this.#each.filter((one) => isMatch(one, choice));
    this.#budget.work += matching.length * WORK_OF_VALUE;
    const layers = [this.#fields, ...matching.map(({ fields }) => fields)];
    const value = layers.map((fields) => this.#filledMap(fields, choice)).reduce(overlay);
    const { keyPlace, key: pattern } = this.#written;
    const key = this.#textOf(this.#pattern, choice);
    // Places identify blocks, so no two links share one.
    return {
      block: { key, keyPlace: { ...keyPlace }, value },
      family: { pattern, combination, place: keyPlace },
    };
  }

  /** Parses the texts below a node that have braces, and counts the values. */
  #readTemplates(node: TreeNode): void {
    this.#valueCount += 1;
    if (node.type === "map") for (const { value } of node.entries) this.#readTemplates(value);
    else if (node.type === "list") for (const item of node.items) this.#readTemplates(item);
    else if (/[{}]/.test(node.text)) this.#templates.set(node, this.#parse(node.text, node.place));
  }

  /** A node with its placeholders replaced; the same node if it has none. */
  #filled(node: TreeNode, choice: Choice): TreeNode {
    if (node.type === "map") return this.#filledMap(node, choice);
    if (node.type === "list") {
      const items = node.items.map((item) => this.#filled(item, choice));
      return items.every((item, at) => item === node.items[at]) ? node : { ...node, items };
    }
    const template = this.#templates.get(node);
    if (template === undefined) return node;
    // A string with only a placeholder gets the value itself, so that numbers and `true` work in every field.
    const [only, ...more] = template.parts;
    const isSingle = only !== undefined && typeof only !== "string" && more.length === 0;
    const text = this.#textOf(template, choice);
    return { ...node, text, value: (isSingle ? this.#valueOf(only, choice)?.value : null) ?? text };
  }

  #filledMap(node: MapNode, choice: Choice): MapNode {
    const values = node.entries.map(({ value }) => this.#filled(value, choice));
    if (values.every((value, at) => value === node.entries[at]?.value)) return node;
    const entries = node.entries.map((one, at) => ({ ...one, value: values[at] ?? one.value }));
    return mapOf(entries, node.place, node.partial);
  }

  /** The text of a template; empty once the budget is exceeded, because a string has a greatest length. */
  #textOf({ parts }: Template, choice: Choice): string {
    const texts = parts.map((part) => (typeof part === "string" ? part : (this.#valueOf(part, choice)?.text ?? "")));
    for (const { length } of texts) this.#budget.work += length;
    return isExceeded(this.#budget) ? "" : texts.join("");
  }

  #valueOf({ dimension, attribute }: Placeholder, choice: Choice): ScalarNode | undefined {
    const value = choice[this.dimensions.findIndex(({ name }) => name === dimension)];
    return attribute === null ? value?.node : value?.attributes.get(attribute);
  }

  #parse(text: string, place: Place): Template {
    const template = parseTemplate(text);
    if (template.problem !== null) {
      const { part, hint } = template.problem;
      const where = placeIn(place, part, "first");
      this.#report("family-placeholder", `\`${part}\` is not a placeholder.`, where, hint);
    }
    return template;
  }

  /** The dimensions of `for`. The schema has reported what has the wrong type. */
  #readDimensions(written: TreeEntry | undefined): Dimension[] {
    if (written?.value.type !== "map") return [];
    const { entries } = written.value;
    if (entries.length === 0)
      this.#report("family-empty", "`for` has no dimensions.", written.keyPlace, "Write `for: { region: [de, fr] }`.");
    if (entries.length > MOST_DIMENSIONS) {
      const message = `\`for\` has ${entries.length} dimensions, but the maximum is ${MOST_DIMENSIONS}.`;
      this.#report("family-too-large", message, written.keyPlace, "Use attributes of values.");
      return [];
    }
    const dimensions = entries.map(({ key, value }) => ({ name: key, values: this.#readValues(key, value) }));
    return dimensions.some(({ values }) => values.length === 0) ? [] : dimensions;
  }

  #readValues(dimension: string, node: TreeNode): DimensionValue[] {
    if (node.type === "scalar") return [];
    const values = node.type === "list" ? listValues(node) : mapValues(node);
    if ((node.type === "list" ? node.items : values).length === 0)
      this.#report("family-empty", `\`${dimension}\` has no values.`, node.place, `Write \`${dimension}: [de, fr]\`.`);
    const seen = new Set<string>();
    for (const { text, node: written } of values) {
      const message = `The value \`${text}\` of \`${dimension}\` appears twice.`;
      if (seen.has(text)) this.#report("duplicate-key", message, written.place, "Keep one of the two.");
      seen.add(text);
    }
    return values;
  }

  /** The entries of a list that name a dimension. */
  #conditions(block: MapNode, name: "exclude" | "each"): Condition[] {
    const list = entry(block, name)?.value;
    return (list?.type === "list" ? list.items : []).flatMap((item) => {
      const when = name === "each" ? entry(item, "when")?.value : item;
      if (item.type !== "map" || when?.type !== "map") return [];
      if (when.entries.length === 0) {
        const message = `${name === "each" ? "`when`" : "An entry of `exclude`"} must name at least one dimension.`;
        this.#report("family-unmatched", message, when.place, "Write `{ channel: qr }`, for example.");
      }
      // Without dimensions, the reason has been reported.
      if (this.dimensions.length > 0) this.#checkCondition(when);
      const texts = this.dimensions.map((dimension) => textOf(entry(when, dimension.name)?.value));
      return texts.some((text) => text !== null) ? [{ texts, place: when.place, fields: fieldsOf(item) }] : [];
    });
  }

  #checkCondition(when: MapNode): void {
    const report = (message: string, place: Place, allowed: readonly string[]): void => {
      const some = allowed.slice(0, 20).join(", ");
      this.#report("family-unmatched", message, place, `Allowed: ${some}${allowed.length > 20 ? ", …" : ""}.`);
    };
    for (const { key, keyPlace, value } of when.entries) {
      const text = textOf(value);
      const values = this.dimensions.find(({ name }) => name === key)?.values.map((one) => one.text);
      if (text === null) continue;
      if (values === undefined)
        report(
          `\`${key}\` is not a dimension of \`for\`.`,
          keyPlace,
          this.dimensions.map(({ name }) => name),
        );
      else if (!values.includes(text))
        report(`\`${key}\` has no value \`${text}\`, so this entry matches no link.`, value.place, values);
    }
  }

  #report(code: string, message: string, place: Place, hint: string): void {
    this.#diagnostics.push(error(code, message, place, hint));
  }
}

function isMatch({ texts }: Condition, choice: Choice): boolean {
  return texts.every((text, at) => text === null || text === choice[at]?.text);
}

/** The fields of the family or of an entry of `each`. */
function fieldsOf({ entries, place, partial }: MapNode): MapNode {
  return mapOf(
    entries.filter(({ key }) => !OWN_KEYS.has(key)),
    place,
    partial,
  );
}

function listValues({ items }: ListNode): DimensionValue[] {
  return items.flatMap((item) => {
    const text = textOf(item);
    return item.type === "scalar" && text !== null && !item.broken ? [{ text, node: item, attributes: new Map() }] : [];
  });
}

function mapValues({ entries }: MapNode): DimensionValue[] {
  return entries.map(({ key, keyPlace, value }) => ({
    text: key,
    node: { type: "scalar", text: key, value: key, place: keyPlace, broken: false },
    attributes: new Map(
      (value.type === "map" ? value.entries : []).flatMap((one) =>
        one.value.type === "scalar" && !isNull(one.value) ? [[one.key, one.value] as const] : [],
      ),
    ),
  }));
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
