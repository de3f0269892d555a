// Writes new files for live records that no file declares. A plan of these files is empty.

import type { Live, References, Zones } from "../domain/change.ts";
import { REFERENCE_FIELD, SECTION, type ResourceKind, blockFields, GROUPS } from "../domain/table.ts";
import { type EffectiveDefaults, sameValue, type Value } from "../domain/value.ts";
import { declare, undeclarable, type Declaring, type DeclareContext } from "../edit/declare.ts";
import type { VariableNames } from "../edit/variable-names.ts";
import { yamlText, type YamlEntry, type YamlContent } from "../edit/yaml-text.ts";
import { FileNames } from "./file-names.ts";
import { byKey, keyOf } from "./key-order.ts";
import { schemaLine } from "../edit/schema-line.ts";
import { splitLinks, type Split } from "./split.ts";
import type { FieldSpec } from "../domain/field.ts";
import { fileValue, type FileContext } from "../edit/file-values.ts";

/** What new files depend on, besides the rows. */
export interface LayoutOptions {
  /** How links are put into files; null: as it suits them. */
  readonly split: Split | null;
  /** The globs of the project's files (`Loaded.globs`). */
  readonly globs: readonly string[];
  /** Paths that no new file may have: all files below the project folder, the project file too. */
  readonly taken: Iterable<string>;
  /** What the project's defaults give, settled (`settleGiven(loaded.given, side)`). */
  readonly given: EffectiveDefaults;
  readonly references: References;
  readonly zones: Zones;
  /** Hands out the variables of passwords; the same one may be used for blocks that go elsewhere. */
  readonly variables: VariableNames;
  /** What a file of this path says of its schema (`../node_modules/…/resource.schema.json`); null: nothing. */
  readonly schema: (file: string) => string | null;
  /** Rows that this project may not declare. */
  readonly outsideScope: ReadonlySet<Live>;
}

/** New files, and what became of each row. */
export interface NewFiles {
  /** Texts by path, relative to the project folder. */
  readonly texts: ReadonlyMap<string, string>;
  /** The file of each row that is declared now. */
  readonly files: ReadonlyMap<Live, string>;
  /** The variables that must be set, each with the row whose secret it is, by name. */
  readonly variables: readonly { readonly name: string; readonly live: Live }[];
  /** What no file can say of a row, and its block leaves as it is live. */
  readonly kept: ReadonlyMap<Live, readonly string[]>;
  /** Rows that can't be declared, and why, as the end of "it can't be declared: …". */
  readonly problems: ReadonlyMap<Live, string>;
}

/** What declares a row: its key, what stands under it, and what is to be known of that. */
export type NewBlock = Exclude<Declaring, { readonly problem: string }>;

/**
 * Lays out rows that no file declares: links in files as `split` says, pixels in one of their own. The same rows give the same texts,
 * in whatever order they come. Throws a user error if the project's globs find no new file.
 */
export function layOut(rows: readonly Live[], options: LayoutOptions): NewFiles {
  const problems = undeclarable(rows, options.outsideScope);
  const sorted = inOrder(rows.filter((live) => !problems.has(live)));
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
  const variables = blocks.flatMap((block) => block.variables.map((name) => ({ name, live: block.live })));
  return {
    texts,
    files: new Map(blocks.map(({ live, file }) => [live, file])),
    variables: variables.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    kept: new Map(blocks.flatMap(({ live, kept }) => (kept.length > 0 ? [[live, kept]] : []))),
    problems,
  };
}

interface WrittenFile {
  readonly text: string;
  readonly blocks: readonly NewBlock[];
}

/** The text of one file: its schema, what its links agree on, and a block for each row without empty lines between them. */
function write(kind: ResourceKind, rows: readonly Live[], options: LayoutOptions, file: string): WrittenFile {
  // Nothing of a default is secret: no variable is asked for.
  const context = { ...options, variableFor: () => "" };
  const { entries, given } =
    kind === "link" ? factor(rows, options.given, context) : { entries: [], given: options.given };
  const surroundings: DeclareContext = { ...options, given };
  const first = given.get(REFERENCE_FIELD.domain);
  const blocks = inOrder(rows, typeof first === "string" ? [first] : []).flatMap((live): NewBlock[] => {
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

/** What stands above a block that leaves something as it is live; null above any other. */
export function keptComment(kept: readonly string[]): string | null {
  return kept.length === 0 ? null : `No file can say its ${kept.join(", ")}: that stays as it is live.`;
}

/** Rows by key, those of the domains named `first` before the others. */
function inOrder(rows: readonly Live[], first: readonly string[] = []): Live[] {
  const compare = byKey(first);
  return rows
    .map((live) => ({ live, key: keyOf(live) }))
    .toSorted((a, b) => compare(a.key, b.key) || a.live.id - b.live.id)
    .map(({ live }) => live);
}

/** The lines of `defaults.link`, and what is given to the links below them. */
interface Factored {
  readonly entries: readonly YamlEntry[];
  readonly given: EffectiveDefaults;
}

/**
 * Fields that say what links belong to, or how they are handled: of these a default holds for the next link of the file, too. A
 * secret, a flag, a date, a count or a destination is a link's own, and would be a surprise to the next one.
 */
const SHARED: readonly FieldSpec[] = blockFields("link").filter(({ kind, path }) => {
  const group = GROUPS[path.split(".")[0] ?? path];
  return (kind === "reference" || kind === "references" || kind === "word") && group?.replacesAsWhole !== true;
});

/** `defaults:` and `link:`, and the empty line behind them. */
const HEAD_LINES = 3;

/**
 * The defaults that some links get in a file of their own, where `given` holds already: what more than half of them have, if that
 * saves lines. The domain is not counted in lines: it makes keys shorter once two links have it.
 */
function factor(links: readonly Live[], given: EffectiveDefaults, context: FileContext): Factored {
  const found = SHARED.flatMap((row) => shared(row, links, given, context));
  const isOnDomain = found.some(({ row }) => row.path === REFERENCE_FIELD.domain);
  const saved = found.reduce((sum, one) => sum + one.saved, 0);
  const worth = isOnDomain || saved > HEAD_LINES ? found : [];
  return {
    entries: worth.map(({ row, content }) => ({ key: row.path, value: content })),
    given: new Map([...given, ...worth.map(({ row, value }) => [row.path, value] as const)]),
  };
}

interface SharedField {
  readonly row: FieldSpec;
  readonly value: Value;
  readonly content: YamlContent;
  /** How many lines fewer the file has. */
  readonly saved: number;
}

function shared(row: FieldSpec, links: readonly Live[], given: EffectiveDefaults, context: FileContext): SharedField[] {
  const counts = new Map<string, { readonly value: Value; readonly content: YamlContent; count: number }>();
  for (const { values } of links) {
    const value = values.get(row.path);
    const known = value === undefined ? undefined : counts.get(JSON.stringify(value));
    if (known !== undefined) {
      known.count += 1;
      continue;
    }
    const content = value === undefined ? undefined : fileValue(row, value, context);
    // A link of which nobody knows it, or that can't say it in its own lines, would be given what it does not have.
    if (value === undefined || content === undefined) return [];
    counts.set(JSON.stringify(value), { value, content, count: 1 });
  }
  const all = [...counts.values()];
  const most = all.find(({ count }) => count > links.length / 2);
  if (most === undefined) return [];
  const before = given.has(row.path) ? given.get(row.path) : row.default;
  const spent = (silent: Value | undefined): number =>
    all.reduce((sum, { value, content, count }) => {
      const goesWithoutSaying = silent !== undefined && sameValue(value, silent);
      return goesWithoutSaying ? sum : sum + count * linesOf(content);
    }, 0);
  if (before !== undefined && sameValue(most.value, before)) return [];
  const saved = spent(before) - spent(most.value) - linesOf(most.content);
  if (row.path === REFERENCE_FIELD.domain) return most.count < 2 ? [] : [{ ...most, row, saved: 0 }];
  return saved > 0 ? [{ ...most, row, saved }] : [];
}

function linesOf(content: YamlContent): number {
  return Array.isArray(content) ? 1 + content.length : 1;
}
