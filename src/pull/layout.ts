// Writes new files for undeclared live records. A plan of these files is empty.

import type { Live, References, Zones } from "../domain/change.ts";
import { groupBy } from "../domain/collections.ts";
import { fold } from "../domain/fold.ts";
import { compareText } from "../domain/place.ts";
import { KEY_FIELD, REFERENCE_FIELD } from "../domain/table.ts";
import type { EffectiveDefaults } from "../domain/value.ts";
import { declare, type Declarable } from "../edit/declare.ts";
import { newFileText, type NewBlock } from "../edit/new-file.ts";
import type { VariableNames } from "../edit/variable-names.ts";
import { FileNames } from "./file-names.ts";
import { schemaLine } from "../edit/schema-line.ts";
import { splitLinks, type Split } from "./split.ts";

export interface LayoutOptions {
  /** How links are split into files; null: depends on the links. */
  readonly split: Split | null;
  readonly globs: readonly string[];
  /** The files of the project. A new file matches a glob of `files`, so no other file has its path. */
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
  readonly blocks: readonly (DeclaredBlock & { readonly file: string })[];
  /** Records that cannot be declared, with the end of the sentence "it cannot be declared: …". */
  readonly problems: ReadonlyMap<Live, string>;
}

/** The key and block of a record. */
type DeclaredBlock = Exclude<Declarable, { readonly problem: string }>;

/**
 * Writes files for records that no file declares: links as `split` says, and one file for pixels. The result does not depend on
 * the order of the records. Throws a user error if no glob of the project matches a new file.
 */
export function layOut(records: readonly Live[], options: LayoutOptions): NewFiles {
  const problems = new Map<Live, string>();
  const blockOf = new Map<Live, DeclaredBlock>();
  for (const declared of inOrder(records).map((live) => declare(live, options))) {
    if ("problem" in declared) problems.set(declared.live, declared.problem);
    else blockOf.set(declared.live, declared);
  }
  const byKind = groupBy([...blockOf.keys()], ({ kind }) => kind);
  const pixels = { name: "pixels", otherwise: "pixels", members: byKind.get("pixel") ?? [] };
  const names = new FileNames(options.globs, options.taken);
  const files = [pixels, ...splitLinks(byKind.get("link") ?? [], options.split)].flatMap(
    ({ name, otherwise, members }) => {
      const [first] = members;
      if (first === undefined) return [];
      const file = names.pathFor(first.kind, name, otherwise);
      const blocks = members.flatMap((live) => blockOf.get(live) ?? []);
      const head = schemaLine(options.schema(file));
      return [{ file, blocks, text: newFileText(first.kind, head, blocks.map(entryOf)) }];
    },
  );
  return {
    texts: new Map(files.map(({ file, text }) => [file, text])),
    blocks: files.flatMap(({ file, blocks }) => blocks.map((block) => ({ ...block, file }))),
    problems,
  };
}

function entryOf({ key, block, kept }: DeclaredBlock): NewBlock {
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
