// Writes new files for undeclared live records. A plan of these files is empty.

import type { Live, References, Zones } from "../domain/change.ts";
import { groupBy } from "../domain/collections.ts";
import { REFERENCE_FIELD, SECTION, type ResourceKind, blockFields, GROUPS } from "../domain/table.ts";
import type { EffectiveDefaults, Value } from "../domain/value.ts";
import { declare, type Declarable } from "../edit/declare.ts";
import type { VariableNames } from "../edit/variable-names.ts";
import { yamlText, type YamlEntry } from "../edit/yaml-text.ts";
import { FileNames } from "./file-names.ts";
import { byKey, sortKeyOf } from "./key-order.ts";
import { schemaLine } from "../edit/schema-line.ts";
import { splitLinks, type Split } from "./split.ts";
import type { FieldSpec } from "../domain/field.ts";
import { fileValue } from "../edit/file-values.ts";

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
}

/** New files, and the result for each record. */
export interface NewFiles {
  /** By path, relative to the project folder. */
  readonly texts: ReadonlyMap<string, string>;
  readonly blocks: readonly (NewBlock & { readonly file: string })[];
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
  const problems = new Map<Live, string>();
  const good = inOrder(records).filter((live) => {
    const declared = declare(live, options);
    if ("problem" in declared) problems.set(live, declared.problem);
    return !("problem" in declared);
  });
  const byKind = groupBy(good, ({ kind }) => kind);
  const pixels = { name: "pixels", otherwise: "pixels", members: byKind.get("pixel") ?? [] };
  const names = new FileNames(options.globs, options.taken);
  const files = [pixels, ...splitLinks(byKind.get("link") ?? [], options.split)].flatMap(
    ({ name, otherwise, members }) => {
      const [first] = members;
      if (first === undefined) return [];
      const file = names.pathFor(first.kind, name, otherwise);
      return [{ file, ...write(first.kind, members, options, file) }];
    },
  );
  return {
    texts: new Map(files.map(({ file, text }) => [file, text])),
    blocks: files.flatMap(({ file, blocks }) => blocks.map((block) => ({ ...block, file }))),
    problems,
  };
}

/** The text of one file: the schema line, the shared defaults and the blocks. */
function write(
  kind: ResourceKind,
  records: readonly Live[],
  options: LayoutOptions,
  file: string,
): { readonly text: string; readonly blocks: readonly NewBlock[] } {
  const shared = kind === "pixel" ? [] : sharedDefaults(records, options);
  const defaults = new Map([...options.defaults, ...shared.map(({ key, live }) => [key, live] as const)]);
  const first = defaults.get(REFERENCE_FIELD.domain);
  const blocks = inOrder(records, typeof first === "string" ? [first] : []).flatMap((live): NewBlock[] => {
    const declared = declare(live, { ...options, defaults });
    return "problem" in declared ? [] : [declared];
  });
  const sections = [
    ...(shared.length === 0
      ? []
      : [{ key: "defaults", value: { entries: [{ key: "link", value: { entries: shared } }] } }]),
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
    .map((live) => ({ live, key: sortKeyOf(live) }))
    .toSorted((a, b) => compare(a.key, b.key) || a.live.id - b.live.id)
    .map(({ live }) => live);
}

/**
 * Fields whose default also suits the next link of the file. A secret, flag, date, count or destination belongs to one link,
 * and would surprise the author of the next one.
 */
const SHARED: readonly FieldSpec[] = blockFields("link").filter(({ kind, path }) => {
  const group = GROUPS[path.split(".")[0] ?? path];
  return (kind === "reference" || kind === "references" || kind === "word") && group?.replacesAsWhole !== true;
});

/** The defaults for a new file: values of more than half of its links, if that saves lines. */
function sharedDefaults(links: readonly Live[], options: LayoutOptions): readonly SharedDefault[] {
  // A domain also shortens the keys, so two links are enough for it. The first default takes two more lines and an empty one.
  const isDomain = ({ path }: FieldSpec): boolean => path === REFERENCE_FIELD.domain;
  const domain = SHARED.filter(isDomain).flatMap((field) => sharedDefault(field, links, 2, options));
  const least = domain.length === 0 ? 6 : 2;
  const others = SHARED.filter((field) => !isDomain(field));
  return [...domain, ...others.flatMap((field) => sharedDefault(field, links, least, options))];
}

type SharedDefault = YamlEntry & { readonly live: Value };

/** The value of more than half of the links, if it shortens at least `least` more blocks than it lengthens. */
function sharedDefault(
  field: FieldSpec,
  links: readonly Live[],
  least: number,
  { defaults, references, zones }: LayoutOptions,
): SharedDefault[] {
  const before = defaults.has(field.path) ? defaults.get(field.path) : field.default;
  const jsonText = (value: Value | undefined): string => JSON.stringify(value ?? null);
  const all = groupBy(links, ({ values }) => jsonText(values.get(field.path)));
  const [most, same = []] = [...all].find(([, { length }]) => length > links.length / 2) ?? [];
  const longer = field.path === REFERENCE_FIELD.domain ? 0 : (all.get(jsonText(before))?.length ?? 0);
  if (most === jsonText(before) || same.length - longer < least) return [];
  // Secrets are never shared, so no variable is needed.
  const context = { references, zones, variableFor: () => "" };
  const contents = new Map(
    [...all].map(([text, [link]]) => {
      const live = link?.values.get(field.path);
      return [text, live === undefined ? undefined : fileValue(field, live, context)];
    }),
  );
  const [live, value] = [same[0]?.values.get(field.path), contents.get(most ?? "")];
  // If the value of one link is unknown or cannot be written, a default would give it a wrong value.
  const isKnown = links.every(({ values }) => values.has(field.path)) && ![...contents.values()].includes(undefined);
  return isKnown && live !== undefined && value !== undefined ? [{ key: field.path, value, live }] : [];
}
