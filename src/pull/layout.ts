// Writes new files for undeclared live records. A plan of these files is empty.

import type { Live, References, Zones } from "../domain/change.ts";
import { groupBy } from "../domain/collections.ts";
import { fold } from "../domain/fold.ts";
import { compareText } from "../domain/place.ts";
import { blockFields, GROUPS, KEY_FIELD, REFERENCE_FIELD, SECTION, type ResourceKind } from "../domain/table.ts";
import { sameValue, type EffectiveDefaults, type Value } from "../domain/value.ts";
import { declare, type Declarable } from "../edit/declare.ts";
import type { VariableNames } from "../edit/variable-names.ts";
import { yamlText, type YamlEntry } from "../edit/yaml-text.ts";
import { FileNames } from "./file-names.ts";
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
  const blocks = records.flatMap((live): NewBlock[] => {
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

/** Records sorted by domain, then by alias or name, ignoring case and accents. It is the same on every machine and in every locale. */
export function inOrder(records: readonly Live[]): Live[] {
  return records
    .map((live) => {
      const name = String(live.values.get(KEY_FIELD[live.kind]) ?? "");
      return { live, domain: String(live.values.get(REFERENCE_FIELD.domain) ?? ""), name, folded: fold(name) };
    })
    .toSorted(
      (a, b) =>
        compareText(a.domain, b.domain) ||
        compareText(a.folded, b.folded) ||
        compareText(a.name, b.name) ||
        a.live.id - b.live.id,
    )
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

type SharedDefault = YamlEntry & { readonly live: Value };

/** The defaults for a new file: values that all of its links have, and that the defaults of the project do not imply. */
function sharedDefaults(links: readonly Live[], { defaults, references, zones }: LayoutOptions): SharedDefault[] {
  const [first, second] = links;
  if (first === undefined || second === undefined) return [];
  // Secrets are never shared, so no variable is needed.
  const context = { references, zones, variableFor: () => "" };
  return SHARED.flatMap((field): SharedDefault[] => {
    const live = first.values.get(field.path);
    const implied = defaults.has(field.path) ? defaults.get(field.path) : field.default;
    if (live === undefined || (implied !== undefined && sameValue(live, implied))) return [];
    const isShared = links.every(({ values }) => {
      const own = values.get(field.path);
      return own !== undefined && sameValue(own, live);
    });
    const value = fileValue(field, live, context);
    return !isShared || value === undefined ? [] : [{ key: field.path, value, live }];
  });
}
