// Writes new files for undeclared live records. A plan of these files is empty.

import type { Live, References, Zones } from "../domain/change.ts";
import { REFERENCE_FIELD, SECTION, type ResourceKind, blockFields, GROUPS } from "../domain/table.ts";
import { type EffectiveDefaults, sameValue, type Value } from "../domain/value.ts";
import { declare, undeclarable, type Declarable, type DeclareContext } from "../edit/declare.ts";
import type { VariableNames } from "../edit/variable-names.ts";
import { yamlText, type YamlEntry, type YamlContent } from "../edit/yaml-text.ts";
import { FileNames } from "./file-names.ts";
import { byKey, keyOf } from "./key-order.ts";
import { schemaLine } from "../edit/schema-line.ts";
import { splitLinks, type Split } from "./split.ts";
import type { FieldSpec } from "../domain/field.ts";
import { fileValue, type FileContext } from "../edit/file-values.ts";

export interface LayoutOptions {
  /** How links are split into files; null: depends on the links. */
  readonly split: Split | null;
  readonly globs: readonly string[];
  /** Paths of all existing files below the project folder. */
  readonly taken: Iterable<string>;
  /** The defaults of the project in canonical form (`resolveDefaults`). */
  readonly defaults: EffectiveDefaults;
  readonly references: References;
  readonly zones: Zones;
  /** Creates the variable names of passwords. Blocks for existing files share it. */
  readonly variables: VariableNames;
  /** The path of the schema for the first line of a file; null: no such line. */
  readonly schema: (file: string) => string | null;
  /** Write UTM parameters as `utm`. */
  readonly usesUtm: boolean;
  /** Records outside the scope of this project. */
  readonly outsideScope: ReadonlySet<Live>;
}

/** New files, and the result for each record. */
export interface NewFiles {
  /** By path, relative to the project folder. */
  readonly texts: ReadonlyMap<string, string>;
  /** The file that declares each record. */
  readonly files: ReadonlyMap<Live, string>;
  /** Values that no file can express. The block leaves them unchanged. */
  readonly kept: ReadonlyMap<Live, readonly string[]>;
  /** Records that cannot be declared, with the end of the sentence "it cannot be declared: …". */
  readonly problems: ReadonlyMap<Live, string>;
}

/** The key and block of a record. */
export type NewBlock = Exclude<Declarable, { readonly problem: string }>;

/**
 * Writes files for records that no file declares: links as `split` says, and one file for pixels. The result does not depend on
 * the order of the records. Throws a user error if no glob of the project matches a new file.
 */
export function layOut(records: readonly Live[], options: LayoutOptions): NewFiles {
  const problems = undeclarable(records, options.outsideScope);
  const sorted = inOrder(records.filter((live) => !problems.has(live)));
  const good = sorted.filter((live) => {
    const declared = declare(live, options);
    if ("problem" in declared) problems.set(live, declared.problem);
    return !("problem" in declared);
  });
  const names = new FileNames(options.globs, options.taken);
  const texts = new Map<string, string>();
  const blocks: (NewBlock & { readonly file: string })[] = [];
  const put = (file: string, written: WrittenFile): void => {
    texts.set(file, written.text);
    for (const block of written.blocks) blocks.push({ ...block, file });
  };
  const pixels = good.filter(({ kind }) => kind === "pixel");
  if (pixels.length > 0) {
    const file = names.pathFor("pixel", "pixels", "pixels");
    put(file, write("pixel", pixels, options, file));
  }
  const links = good.filter(({ kind }) => kind === "link");
  for (const group of splitLinks(links, options.split)) {
    const file = names.pathFor("link", group.name, group.otherwise);
    put(file, write("link", group.links, options, file));
  }
  return {
    texts,
    files: new Map(blocks.map(({ live, file }) => [live, file])),
    kept: new Map(blocks.flatMap(({ live, kept }) => (kept.length > 0 ? [[live, kept]] : []))),
    problems,
  };
}

interface WrittenFile {
  readonly text: string;
  readonly blocks: readonly NewBlock[];
}

/** The text of one file: the schema line, the shared defaults and the blocks. */
function write(kind: ResourceKind, records: readonly Live[], options: LayoutOptions, file: string): WrittenFile {
  // Secrets are never shared, so no variable is needed.
  const context = { ...options, variableFor: () => "" };
  const { entries, defaults } =
    kind === "link" ? factor(records, options.defaults, context) : { entries: [], defaults: options.defaults };
  const surroundings: DeclareContext = { ...options, defaults };
  const first = defaults.get(REFERENCE_FIELD.domain);
  const blocks = inOrder(records, typeof first === "string" ? [first] : []).flatMap((live): NewBlock[] => {
    const declared = declare(live, surroundings);
    return "problem" in declared ? [] : [declared];
  });
  const sections = [
    ...(entries.length === 0 ? [] : [{ key: "defaults", value: { entries: [{ key: "link", value: { entries } }] } }]),
    { key: SECTION[kind], value: { entries: blocks.map(entryOf) } },
  ];
  const head = schemaLine(options.schema(file));
  return { text: head + sections.map((section) => yamlText({ entries: [section] })).join("\n"), blocks };
}

function entryOf({ key, block, kept }: NewBlock): YamlEntry {
  const comment = keptComment(kept);
  return { key, value: { entries: block }, ...(comment !== null && { comment }) };
}

/** The comment above a block with values that no file can express. */
export function keptComment(kept: readonly string[]): string | null {
  return kept.length === 0 ? null : `Files cannot express its ${kept.join(", ")}, so the live state is kept.`;
}

/** Records sorted by key, with the domains in `first` before the others. */
function inOrder(records: readonly Live[], first: readonly string[] = []): Live[] {
  const compare = byKey(first);
  return records
    .map((live) => ({ live, key: keyOf(live) }))
    .toSorted((a, b) => compare(a.key, b.key) || a.live.id - b.live.id)
    .map(({ live }) => live);
}

/** The entries of `defaults.link`, and the defaults that result for the links. */
interface Factored {
  readonly entries: readonly YamlEntry[];
  readonly defaults: EffectiveDefaults;
}

/**
 * Fields whose default also suits the next link of the file. A secret, flag, date, count or destination belongs to one link,
 * and would surprise the author of the next one.
 */
const SHARED: readonly FieldSpec[] = blockFields("link").filter(({ kind, path }) => {
  const group = GROUPS[path.split(".")[0] ?? path];
  return (kind === "reference" || kind === "references" || kind === "word") && group?.replacesAsWhole !== true;
});

/** `defaults:`, `link:` and an empty line. */
const HEAD_LINES = 3;

/**
 * The defaults for a new file: values of more than half of its links, if that saves lines. A shared domain also shortens the
 * keys, so it is used from two links on.
 */
function factor(links: readonly Live[], defaults: EffectiveDefaults, context: FileContext): Factored {
  const found = SHARED.flatMap((field) => shared(field, links, defaults, context));
  const isOnDomain = found.some(({ field }) => field.path === REFERENCE_FIELD.domain);
  const saved = found.reduce((sum, one) => sum + one.saved, 0);
  const worth = isOnDomain || saved > HEAD_LINES ? found : [];
  return {
    entries: worth.map(({ field, content }) => ({ key: field.path, value: content })),
    defaults: new Map([...defaults, ...worth.map(({ field, value }) => [field.path, value] as const)]),
  };
}

interface SharedField {
  readonly field: FieldSpec;
  readonly value: Value;
  readonly content: YamlContent;
  /** The number of lines that the default saves. */
  readonly saved: number;
}

function shared(
  field: FieldSpec,
  links: readonly Live[],
  defaults: EffectiveDefaults,
  context: FileContext,
): SharedField[] {
  const counts = new Map<string, { readonly value: Value; readonly content: YamlContent; count: number }>();
  for (const { values } of links) {
    const value = values.get(field.path);
    const known = value === undefined ? undefined : counts.get(JSON.stringify(value));
    if (known !== undefined) {
      known.count += 1;
      continue;
    }
    const content = value === undefined ? undefined : fileValue(field, value, context);
    // If the value of one link is unknown or cannot be written, a default would give it a wrong value.
    if (value === undefined || content === undefined) return [];
    counts.set(JSON.stringify(value), { value, content, count: 1 });
  }
  const all = [...counts.values()];
  const most = all.find(({ count }) => count > links.length / 2);
  if (most === undefined) return [];
  const before = defaults.has(field.path) ? defaults.get(field.path) : field.default;
  const spent = (implied: Value | undefined): number =>
    all.reduce((sum, { value, content, count }) => {
      const isImplied = implied !== undefined && sameValue(value, implied);
      return isImplied ? sum : sum + count * linesOf(content);
    }, 0);
  if (before !== undefined && sameValue(most.value, before)) return [];
  const saved = spent(before) - spent(most.value) - linesOf(most.content);
  if (field.path === REFERENCE_FIELD.domain) return most.count < 2 ? [] : [{ ...most, field, saved: 0 }];
  return saved > 0 ? [{ ...most, field, saved }] : [];
}

function linesOf(content: YamlContent): number {
  return Array.isArray(content) ? 1 + content.length : 1;
}
