// Families: one block that declares a link for each combination of values. They are expanded into blocks of links when the files are
// loaded, so every rule for links applies to their links, too.

import { append } from "../domain/collections.ts";
import { besides, error, warning, type Diagnostic } from "../domain/diagnostic.ts";
import { fold } from "../domain/fold.ts";
import { nearest, SearchBudget } from "../domain/nearest.ts";
import { placeIn, type Place } from "../domain/place.ts";
import { showCombination, type Combination, type FamilyLink } from "../domain/project.ts";
import { fieldAt, GROUPS, SECTION } from "../domain/table.ts";
import { linkContext, readBlock, type Inherited, type LoadedBlocks } from "./blocks.ts";
import { mergeFindings } from "./family-findings.ts";
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
const MOST_VALUES = 2_000_000;
const MOST_CHARACTERS = 20_000_000;
const MOST_COMPARISONS = 100_000_000;
const MOST_DIMENSIONS = 10;

/** How much the families of a project have expanded to. */
export class FamilyBudget {
  links = 0;
  values = 0;
  characters = 0;
  comparisons = 0;

  get isExceeded(): boolean {
    return (
      this.links > MOST_LINKS ||
      this.values > MOST_VALUES ||
      this.characters > MOST_CHARACTERS ||
      this.comparisons > MOST_COMPARISONS
    );
  }
}

/** A link of a family, as a block of `links`. */
export interface FamilyMember {
  readonly block: TreeEntry;
  readonly family: FamilyLink;
}

/** Reads the families of a document into `blocks`, and returns their links for the lint rules. */
export function readFamilies(
  document: TreeNode,
  inherited: Inherited,
  blocks: LoadedBlocks,
  budget: FamilyBudget,
): FamilyMember[] {
  const families = entry(document, "families")?.value;
  if (families?.type !== "map") return [];
  const context = linkContext(document, inherited, blocks);
  return families.entries.flatMap((written) => {
    const { members, diagnostics, known } = expand(written, budget);
    append(blocks.diagnostics, diagnostics);
    const findings = members.map((member) => {
      const own: Diagnostic[] = checkShape(documentOf(member), resourceSchema).filter(({ place }) => !known.has(place));
      readBlock(member.block, { ...context, diagnostics: own, blocks: { ...blocks, diagnostics: own } }, member.family);
      return { key: member.block.key, family: member.family, diagnostics: own };
    });
    append(blocks.diagnostics, mergeFindings(findings));
    return members;
  });
}

/** A document with only this link. */
export function documentOf({ block }: FamilyMember): MapNode {
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
  const combinations = family.combinations();
  if (!budget.isExceeded) family.checkTemplates(combinations);
  if (diagnostics.length > 0) return none;
  const members: FamilyMember[] = [];
  for (const combination of combinations) {
    members.push(family.member(combination));
    if (budget.isExceeded) {
      diagnostics.push(tooLarge(written, family.size));
      return none;
    }
  }
  append(diagnostics, family.unmatched(combinations));
  if (combinations.length === 0)
    diagnostics.push(
      warning(
        "family-empty",
        `\`exclude\` removes every combination, so the family \`${written.key}\` has no links.`,
        written.keyPlace,
        "Remove the family, or an entry of `exclude`.",
      ),
    );
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
    const unused = family.combination.find(
      ([name, value], at) =>
        other.family.combination[at]?.[1] !== value &&
        !family.pattern.includes(`{${name}}`) &&
        !family.pattern.includes(`{${name}.`),
    )?.[0];
    const hint =
      unused === undefined
        ? "Change the values so that each combination has its own alias."
        : `Add \`{${unused}}\` to the alias: \`${family.pattern}-{${unused}}\`.`;
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

/** An entry of `exclude`, or the `when` of an entry of `each`: the positions of its dimensions, and their values. */
interface Condition {
  readonly positions: readonly number[];
  readonly texts: readonly string[];
  readonly place: Place;
}

interface EachEntry extends Condition {
  readonly fields: Fields;
}

/** The fields of links, before their placeholders are replaced. */
interface Fields {
  readonly map: MapNode;
  readonly fill: Fill<MapNode> | null;
}

/** Replaces the placeholders below a node. Null stands for a node without any, which all links share. */
type Fill<Node extends TreeNode> = (choice: Choice) => Node;

/** A family and its parsed keys. Mistakes are added to `diagnostics`. */
class Family {
  readonly #written: TreeEntry;
  readonly #block: MapNode;
  readonly #budget: FamilyBudget;
  readonly #diagnostics: Diagnostic[];
  /** The texts with placeholders. */
  readonly #templates: { readonly template: Template; readonly place: Place }[] = [];
  readonly #pattern: Template;
  readonly #exclude: readonly Condition[];
  readonly #fields: Fields;
  readonly #each: readonly EachEntry[];
  /** The entries of `each` that match a link. */
  readonly #used = new Set<EachEntry>();
  readonly dimensions: readonly Dimension[];
  readonly unknownKeys: ReadonlySet<Place | null>;
  /** The number of combinations, without `exclude`. */
  readonly size: number;
  /** The values in the family's block. */
  #valueCount = 0;
  readonly #searches = new SearchBudget();

  constructor(written: TreeEntry, block: MapNode, budget: FamilyBudget, diagnostics: Diagnostic[]) {
    this.#written = written;
    this.#block = block;
    this.#budget = budget;
    this.#diagnostics = diagnostics;
    this.dimensions = this.#readDimensions(entry(block, "for"));
    this.size = this.dimensions.reduce((product, { values }) => product * values.length, 1);
    this.#pattern = this.#parse(written.key, written.keyPlace);
    this.#exclude = this.#conditions("exclude").map(({ condition }) => condition);
    this.#fields = this.#compileFields(block);
    this.#each = this.#conditions("each").map(({ condition, map }) => ({
      ...condition,
      fields: this.#compileFields(map),
    }));
    const maps = [this.#fields, ...this.#each.map((one) => one.fields)].map(({ map }) => map);
    this.unknownKeys = new Set(
      maps.flatMap(({ entries }) =>
        entries.flatMap(({ key, keyPlace }) => (Object.hasOwn(linkKeys, key) ? [] : [keyPlace])),
      ),
    );
  }

  /** The combinations that no entry of `exclude` matches, in the order of `for`; none beyond the limits. */
  combinations(): Choice[] {
    this.#budget.links += this.size;
    this.#budget.values += this.size * this.#valueCount;
    this.#budget.comparisons += this.size * (this.#exclude.length + this.#each.length);
    if (this.#budget.isExceeded) {
      this.#diagnostics.push(tooLarge(this.#written, this.size));
      return [];
    }
    let choices: Choice[] = [[]];
    for (const { values } of this.dimensions)
      choices = choices.flatMap((choice) => values.map((value) => [...choice, value]));
    return choices.filter((choice) => !this.#exclude.some((one) => isMatch(one, choice)));
  }

  /** Checks that every placeholder has a value in each of these combinations. */
  checkTemplates(choices: readonly Choice[]): void {
    const used = this.dimensions.map((_, at) => new Set(choices.flatMap((choice) => choice[at] ?? [])));
    for (const { template, place } of this.#templates)
      for (const part of template.parts) if (typeof part !== "string") this.#checkPlaceholder(part, place, used);
  }

  #checkPlaceholder(
    { text, dimension, attribute }: Placeholder,
    place: Place,
    used: readonly ReadonlySet<DimensionValue>[],
  ): void {
    const at = this.dimensions.findIndex(({ name }) => name === dimension);
    const found = this.dimensions[at];
    const where = placeIn(place, text, "first");
    if (found === undefined) {
      const names = this.dimensions.map(({ name }) => name);
      const meant = nearest(dimension, names);
      const hint =
        meant === null
          ? `Allowed: ${names.map((name) => `\`{${name}}\``).join(", ")}.`
          : `Did you mean \`{${[meant, attribute].filter((one) => one !== null).join(".")}}\`?`;
      this.#diagnostics.push(
        error("family-placeholder", `The placeholder \`${text}\` names no dimension of \`for\`.`, where, hint),
      );
      return;
    }
    if (attribute === null) return;
    const missing = [...(used[at] ?? [])].find(({ attributes }) => !attributes.has(attribute));
    if (missing === undefined) return;
    const names = new Set(found.values.flatMap(({ attributes }) => [...attributes.keys()]));
    const meant = names.has(attribute) ? null : nearest(attribute, names);
    const message = `The value \`${missing.text}\` of \`${dimension}\` has no attribute \`${attribute}\`.`;
    const hint =
      meant === null
        ? `Add it under \`for\`: \`${missing.text}: { ${attribute}: … }\`.`
        : `Did you mean \`{${dimension}.${meant}}\`?`;
    const finding = error("family-placeholder", message, where, hint);
    this.#diagnostics.push(besides(finding, missing.node.place, "this value"));
  }

  /** A warning for each entry of `each` that matches no link, because `exclude` removes its combinations. */
  unmatched(choices: readonly Choice[]): Diagnostic[] {
    const unused = choices.length === 0 ? [] : this.#each.filter((one) => !this.#used.has(one));
    const message = "This entry of `each` matches no link: `exclude` removes its combinations.";
    return unused.map(({ place }) => warning("family-unmatched", message, place, "Remove the entry."));
  }

  member(choice: Choice): FamilyMember {
    const combination: Combination = this.dimensions.map(({ name }, at) => [name, choice[at]?.text ?? ""]);
    const matching = this.#each.filter((one) => isMatch(one, choice));
    for (const one of matching) this.#used.add(one);
    this.#budget.values += matching.length;
    const layers = [this.#fields, ...matching.map(({ fields }) => fields)];
    const value = layers.map(({ map, fill }) => fill?.(choice) ?? map).reduce(overlay);
    const { keyPlace, key: pattern } = this.#written;
    const key = this.#textOf(this.#pattern, choice);
    // Places identify blocks, so no two links share one.
    return {
      block: { key, keyPlace: { ...keyPlace }, value },
      family: { pattern, combination, place: keyPlace },
    };
  }

  /** The fields of the family or of an entry of `each`. */
  #compileFields({ entries, place, partial }: MapNode): Fields {
    const map = mapOf(
      entries.filter(({ key }) => !OWN_KEYS.has(key)),
      place,
      partial,
    );
    return { map, fill: this.#compileMap(map) };
  }

  #compile(node: TreeNode): Fill<TreeNode> | null {
    if (node.type === "map") return this.#compileMap(node);
    this.#valueCount += 1;
    if (node.type === "list") {
      const fills = node.items.map((item) => this.#compile(item));
      if (fills.every((fill) => fill === null)) return null;
      return (choice) => ({ ...node, items: node.items.map((item, at) => fills[at]?.(choice) ?? item) });
    }
    if (!/[{}]/.test(node.text)) return null;
    const template = this.#parse(node.text, node.place);
    return (choice) => this.#filled(node, template, choice);
  }

  #compileMap({ entries, place, partial }: MapNode): Fill<MapNode> | null {
    this.#valueCount += 1;
    const fills = entries.map(({ value }) => this.#compile(value));
    if (fills.every((fill) => fill === null)) return null;
    return (choice) =>
      mapOf(
        entries.map((one, at) => ({ ...one, value: fills[at]?.(choice) ?? one.value })),
        place,
        partial,
      );
  }

  /** A string with only a placeholder gets the value itself, so that numbers and `true` work in every field. */
  #filled(node: ScalarNode, template: Template, choice: Choice): ScalarNode {
    const [only, ...more] = template.parts;
    const single = only === undefined || typeof only === "string" || more.length > 0 ? null : only;
    const value = single === null ? null : this.#valueOf(single, choice);
    const text = this.#textOf(template, choice);
    return { ...node, text, value: value?.value ?? text };
  }

  /** The text of a template; empty once the budget is exceeded, because a string has a greatest length. */
  #textOf({ parts }: Template, choice: Choice): string {
    const texts = parts.map((part) => (typeof part === "string" ? part : (this.#valueOf(part, choice)?.text ?? "")));
    for (const { length } of texts) this.#budget.characters += length;
    return this.#budget.isExceeded ? "" : texts.join("");
  }

  #valueOf({ dimension, attribute }: Placeholder, choice: Choice): ScalarNode | undefined {
    const value = choice[this.dimensions.findIndex(({ name }) => name === dimension)];
    return attribute === null ? value?.node : value?.attributes.get(attribute);
  }

  #parse(text: string, place: Place): Template {
    const template = parseTemplate(text);
    this.#templates.push({ template, place });
    if (template.problem !== null) {
      const { part, hint } = template.problem;
      const message = `\`${part}\` is not a placeholder.`;
      this.#diagnostics.push(error("family-placeholder", message, placeIn(place, part, "first"), hint));
    }
    return template;
  }

  /** The dimensions of `for`. The schema has reported what has the wrong type. */
  #readDimensions(written: TreeEntry | undefined): Dimension[] {
    if (written?.value.type !== "map") return [];
    const { entries } = written.value;
    if (entries.length === 0) {
      const message = "`for` has no dimensions.";
      this.#diagnostics.push(error("family-empty", message, written.keyPlace, "Write `for: { region: [de, fr] }`."));
      return [];
    }
    if (entries.length > MOST_DIMENSIONS) {
      const message = `\`for\` has ${entries.length} dimensions, but the maximum is ${MOST_DIMENSIONS}.`;
      this.#diagnostics.push(error("family-too-large", message, written.keyPlace, "Use attributes of values."));
      return [];
    }
    const dimensions = entries.map(({ key, value }): Dimension => ({
      name: key,
      values: this.#readValues(key, value) ?? [],
    }));
    return dimensions.some(({ values }) => values.length === 0) ? [] : dimensions;
  }

  #readValues(dimension: string, node: TreeNode): DimensionValue[] | null {
    const values = node.type === "list" ? listValues(node) : node.type === "map" ? mapValues(node) : null;
    if (values === null) return null;
    const isEmpty = node.type === "list" ? node.items.length === 0 : values.length === 0;
    if (isEmpty) {
      const message = `\`${dimension}\` has no values.`;
      this.#diagnostics.push(error("family-empty", message, node.place, `Write \`${dimension}: [de, fr]\`.`));
    }
    const seen = new Set<string>();
    for (const { text, node: written } of values) {
      if (seen.has(text)) {
        const message = `The value \`${text}\` of \`${dimension}\` appears twice.`;
        this.#diagnostics.push(error("duplicate-key", message, written.place, "Keep one of the two."));
      }
      seen.add(text);
    }
    return values;
  }

  /** The conditions of a list of entries. */
  #conditions(name: "exclude" | "each"): { readonly condition: Condition; readonly map: MapNode }[] {
    const list = entry(this.#block, name)?.value;
    if (list?.type !== "list") return [];
    return list.items.flatMap((item) => {
      const when = name === "each" ? entry(item, "when")?.value : item;
      if (item.type !== "map" || when?.type !== "map") return [];
      const condition = this.#condition(name, when);
      return condition === null ? [] : [{ condition, map: item }];
    });
  }

  #condition(name: "exclude" | "each", when: MapNode): Condition | null {
    const chosen = when.entries.flatMap(({ key, keyPlace, value }) => {
      const at = this.dimensions.findIndex((one) => one.name === key);
      const dimension = this.dimensions[at];
      const text = textOf(value);
      // Without dimensions, the reason has been reported.
      if (this.dimensions.length === 0 || text === null) return [];
      if (dimension === undefined) {
        this.#unknown(
          `\`${key}\` is not a dimension of \`for\`.`,
          key,
          keyPlace,
          this.dimensions.map((one) => one.name),
        );
        return [];
      }
      if (!dimension.values.some((one) => one.text === text)) {
        const texts = dimension.values.map((one) => one.text);
        this.#unknown(`\`${key}\` has no value \`${text}\`, so this entry matches no link.`, text, value.place, texts);
      }
      return [{ at, text }];
    });
    if (when.entries.length === 0) {
      const what = name === "each" ? "`when`" : "An entry of `exclude`";
      const message = `${what} must name at least one dimension.`;
      this.#diagnostics.push(error("family-unmatched", message, when.place, "Write `{ channel: qr }`, for example."));
    }
    if (chosen.length === 0) return null;
    const sorted = chosen.toSorted((a, b) => a.at - b.at);
    return { positions: sorted.map(({ at }) => at), texts: sorted.map(({ text }) => text), place: when.place };
  }

  #unknown(message: string, word: string, place: Place, candidates: readonly string[]): void {
    const meant = this.#searches.take(candidates.length) ? nearest(word, candidates) : null;
    const some = candidates.slice(0, 20).join(", ");
    const hint =
      meant === null ? `Allowed: ${some}${candidates.length > 20 ? ", …" : ""}.` : `Did you mean \`${meant}\`?`;
    this.#diagnostics.push(error("family-unmatched", message, place, hint));
  }
}

function isMatch({ positions, texts }: Condition, choice: Choice): boolean {
  return positions.every((at, index) => choice[at]?.text === texts[index]);
}

function listValues(node: ListNode): DimensionValue[] {
  return node.items.flatMap((item) => {
    const text = textOf(item);
    return item.type === "scalar" && text !== null && !item.broken ? [{ text, node: item, attributes: new Map() }] : [];
  });
}

function mapValues(node: MapNode): DimensionValue[] {
  return node.entries.map(({ key, keyPlace, value }) => {
    const attributes = value.type === "map" ? value.entries : [];
    return {
      text: key,
      node: { type: "scalar", text: key, value: key, place: keyPlace, broken: false },
      attributes: new Map(
        attributes.flatMap((one) =>
          one.value.type === "scalar" && !isNull(one.value) ? [[one.key, one.value] as const] : [],
        ),
      ),
    };
  });
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
