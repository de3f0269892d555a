// The files of a project and its base, without links that are the same in both: `--changed` does not parse them.

import { createHash } from "node:crypto";
import { fold } from "../domain/fold.ts";
import { ProjectFolder } from "../files/folder.ts";
import { decodeText, folderSource, type FileSource, type FileText, type SearchContext } from "./file-source.ts";
import { cutFile, omitBlocks, textOf, type CutFile, type LinkBlock } from "./link-blocks.ts";
import { globsIn } from "./load.ts";

/** A commit's files, with the ids of their content. */
export interface HashedFiles extends FileSource {
  /** The object id of a file's content; null if the commit does not have the file. */
  idOf(file: string): Promise<string | null>;
}

export interface ReducedFiles {
  readonly now: FileSource;
  readonly base: FileSource;
  /** The whole texts of present files that may lack links; empty unless they are kept. */
  readonly texts: ReadonlyMap<string, string>;
  /** The number of links that both leave out. */
  readonly omitted: number;
}

/** A changed file, now and at the base; null where it does not exist. */
interface Pair {
  readonly now: CutFile | null;
  readonly former: CutFile | null;
}

/**
 * Leaves out links whose lines are the same at the base. It keeps renames, and links with an alias that appears in a changed line. Null
 * if it is not certain which links matter, or the files do not have more links than `from`.
 */
export async function reduceFiles(
  folder: string,
  projectFile: string,
  base: HashedFiles,
  context: SearchContext,
  from: number,
  keepsTexts: boolean,
): Promise<ReducedFiles | null> {
  const [disk, source] = [new ProjectFolder(folder), folderSource(folder, context)];
  const globs = await globsIn(source, projectFile);
  const [found, before] = [await source.find(projectFile, globs), await base.find(projectFile, globs)];
  if (found.diagnostics.length + before.diagnostics.length > 0) return null;
  const present = new Set([projectFile, ...found.files]);
  const formerFiles = new Set([projectFile, ...before.files]);

  const equal: string[] = [];
  const words = new Set<string>();
  const addWords = (text: string): void => {
    for (const word of text.split(NO_WORD)) words.add(fold(word));
  };
  const pairs = new Map<string, Pair>();
  for (const file of new Set([...present, ...formerFiles])) {
    const bytes = present.has(file) ? await disk.read(file).catch(() => null) : null;
    const id = formerFiles.has(file) ? await base.idOf(file) : null;
    if (bytes !== null && id !== null && blobId(bytes, id) === id) {
      equal.push(file);
      // A chain of renames is planned as a whole.
      if (bytes.includes(RENAME)) for (const text of renamesIn(decodeText(bytes, file, null))) addWords(text);
      continue;
    }
    const [now, former] = [
      present.has(file) ? cut(bytes && decodeText(bytes, file, null)) : null,
      formerFiles.has(file) ? cut(await base.read(file)) : null,
    ];
    if (now === undefined || former === undefined) return null;
    pairs.set(file, { now, former });
  }
  for (const [file, pair] of pairs) {
    const changed = changedTexts(pair);
    if (changed === null || (file === projectFile && !isSameAround(pair))) return null;
    for (const text of changed) addWords(text);
  }

  const [texts, textsBefore, whole] = [new Map<string, string>(), new Map<string, string>(), new Map<string, string>()];
  let [omitted, total] = [0, 0];
  const reduce = (file: CutFile, isSame: (block: LinkBlock) => boolean): CutFile => {
    const isOmitted = (one: LinkBlock): boolean => isSame(one) && !words.has(one.alias) && !one.text.includes(RENAME);
    return omitBlocks(file, isOmitted);
  };
  for (const [file, pair] of pairs) {
    const same = sameBlocks(pair);
    const isSame = ({ text }: LinkBlock): boolean => same.has(text);
    const [now, former] = [pair.now && reduce(pair.now, isSame), pair.former && reduce(pair.former, isSame)];
    if (pair.now !== null && keepsTexts) whole.set(file, textOf(pair.now));
    if (now !== null) texts.set(file, textOf(now));
    if (former !== null) textsBefore.set(file, textOf(former));
    total += pair.now?.blocks.length ?? 0;
    omitted += (pair.now?.blocks.length ?? 0) - (now?.blocks.length ?? 0);
  }
  for (const file of equal) {
    const bytes = await disk.read(file).catch(() => null);
    const all = cut(bytes && decodeText(bytes, file, null));
    if (all === undefined) continue;
    const part = reduce(all, () => true);
    if (keepsTexts) whole.set(file, textOf(all));
    texts.set(file, textOf(part));
    total += all.blocks.length;
    omitted += all.blocks.length - part.blocks.length;
  }
  if (total <= from) return null;
  const former = withTexts(base, new Map([...texts, ...textsBefore]));
  return { now: withTexts(source, texts), base: former, texts: whole, omitted };
}

/** The id that git gives to this content, in the form of another id: SHA-1 or SHA-256. */
function blobId(bytes: Buffer, { length }: string): string {
  return createHash(length === SHA1_LENGTH ? "sha1" : "sha256")
    .update(`blob ${bytes.length}\0`)
    .update(bytes)
    .digest("hex");
}

const SHA1_LENGTH = 40;

/** Characters around aliases in a changed block. */
const NO_WORD = /[\s,:{}[\]"'#/?&=]+/;

const RENAME = "renamed_from";

/** The parts of a file that rename something. */
function renamesIn(read: FileText): string[] {
  if (!("text" in read)) return [];
  const file = cutFile(read.text);
  const parts = file === null ? [read.text] : [file.before, file.after, ...file.blocks.map(({ text }) => text)];
  return parts.filter((text) => text.includes(RENAME));
}

/** Undefined if the file cannot be read or cut. */
function cut(read: FileText | null): CutFile | undefined {
  return (read !== null && "text" in read ? cutFile(read.text) : null) ?? undefined;
}

/** Whether both files are equal apart from their links. */
function isSameAround({ now, former }: Pair): boolean {
  return now !== null && former !== null && now.before === former.before && now.after === former.after;
}

/** The texts of blocks that both files have. They mean the same only if what is around them is the same. */
function sameBlocks(pair: Pair): ReadonlySet<string> {
  const { now, former } = pair;
  if (now === null || former === null || !isSameAround(pair)) return new Set();
  const before = new Set(former.blocks.map(({ text }) => text));
  return new Set(now.blocks.flatMap(({ text }) => (before.has(text) ? [text] : [])));
}

/** What changed in a file. Null if it may be about links that its words do not name: those of a family, or the users of a pixel. */
function changedTexts(pair: Pair): string[] | null {
  const both = [pair.now, pair.former].filter((file) => file !== null);
  const same = sameBlocks(pair);
  const around = isSameAround(pair) ? [] : both.flatMap(({ before, after }) => [before, after]);
  const changed = both.flatMap(({ before, blocks, after }) => [
    ...[before, after].filter((text) => text.includes(RENAME)),
    ...blocks.flatMap(({ text }) => (same.has(text) && !text.includes(RENAME) ? [] : [text])),
  ]);
  if (around.some((text) => /pixels|families/.test(text))) return null;
  const texts = [...around, ...changed];
  return texts.some((text) => text.includes("\\")) ? null : texts;
}

/** A source whose files have other texts. */
function withTexts(source: FileSource, texts: ReadonlyMap<string, string>): FileSource {
  return {
    ref: source.ref,
    read: async (file) => {
      const text = texts.get(file);
      return text === undefined ? source.read(file) : { text };
    },
    find: async (projectFile, globs) => source.find(projectFile, globs),
  };
}
