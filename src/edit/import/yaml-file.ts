// A new file of links or pixels, and on which of its lines each block begins.

import { fieldAt, REFERENCE_FIELD, type ResourceKind } from "../../domain/table.ts";
import { yamlText, type Content, type Entry } from "../../report/yaml.ts";

/** A text with blocks in it. */
export interface BuiltFile {
  readonly text: string;
  /** The line of each block's key, in their order; lines count from 1. */
  readonly lines: readonly number[];
}

const SECTION: Readonly<Record<ResourceKind, string>> = { link: "links", pixel: "pixels" };

/** The text of a file that holds these blocks and nothing else. */
export function newFile(
  kind: ResourceKind,
  {
    head,
    shared,
    blocks,
  }: { readonly head: string; readonly shared: readonly Entry[]; readonly blocks: readonly Entry[] },
): BuiltFile {
  const section: Entry = { key: SECTION[kind], value: { entries: blocks } };
  const defaults: Entry = { key: "defaults", value: { entries: [{ key: kind, value: { entries: shared } }] } };
  const text = head + yamlText({ entries: shared.length === 0 ? [section] : [defaults, section] });
  return { text, lines: linesOfBlocks(text.split("\n"), `${SECTION[kind]}:`) };
}

/** Every text stands on one line, so what is indented by two spaces is a key of the section. */
function linesOfBlocks(lines: readonly string[], section: string): number[] {
  const from = lines.indexOf(section);
  return lines.flatMap((line, at) => (at > from && /^ {2}(?! |: )/.test(line) ? [at + 1] : []));
}

/**
 * What a file's `defaults` can say for its blocks: what all of them refer to; and what is so by default anyway, where every block
 * says something of it. Anything else would be a surprise to whoever adds a link to the file.
 */
export function sharedValues(
  kind: ResourceKind,
  rows: readonly { readonly values: ReadonlyMap<string, Content> }[],
): ReadonlyMap<string, Content> {
  const [first] = rows;
  if (kind === "pixel" || first === undefined || rows.length < 2) return new Map();
  return new Map(
    [...first.values].flatMap(([path, value]): [string, Content][] => {
      const row = fieldAt(kind, path);
      if (row === undefined || path.includes(".")) return [];
      if (row.kind === "reference")
        return rows.every(({ values }) => values.get(path) === value) ? [[path, value]] : [];
      const usual = row.default;
      if (typeof usual !== "string" && typeof usual !== "boolean") return [];
      const isSaid =
        rows.every(({ values }) => values.has(path)) && rows.some(({ values }) => values.get(path) === usual);
      return isSaid ? [[path, usual]] : [];
    }),
  );
}

/** The domain that all rows are on; null where they are on several, or some say none. */
export function sharedDomain(rows: readonly { readonly domain: string | null }[]): string | null {
  const [first] = rows;
  if (first === undefined || rows.length < 2) return null;
  return rows.every(({ domain }) => domain === first.domain) ? first.domain : null;
}

/** The entries of `defaults` for these values. */
export function sharedEntries(domain: string | null, values: ReadonlyMap<string, Content>): readonly Entry[] {
  const own = [...values].map(([key, value]): Entry => ({ key, value }));
  return domain === null ? own : [{ key: REFERENCE_FIELD.domain, value: domain }, ...own];
}
