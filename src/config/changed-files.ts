// The files of a project and its base, without files of links that are the same in both: `--changed` does not parse them.

import { fold } from "../domain/fold.ts";
import { ProjectFolder } from "../files/folder.ts";
import { decodeText, folderSource, type FileSource, type SearchContext } from "./file-source.ts";
import { globsIn } from "./load.ts";

/** A commit's files, with the ids of their content. */
export interface HashedFiles extends FileSource {
  /** The object id of a file's content; null if the commit does not have the file. */
  idOf(file: string): Promise<string | null>;
}

export interface ReducedFiles {
  readonly now: FileSource;
  readonly base: FileSource;
  /** The texts of the files that are left out; empty unless they are kept. */
  readonly texts: ReadonlyMap<string, string>;
  /** The number of links that both leave out. */
  readonly omitted: number;
}

/**
 * Leaves out files of links that are the same at the base. It keeps files with renames, and with an alias that appears in a changed file.
 * Null if it is not certain which links matter, or if files that are the same do not have more links than `from`.
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
  const former = new Set([projectFile, ...before.files]);
  const same: string[] = [];
  const words = new Set<string>();
  for (const file of new Set([...present, ...former])) {
    const bytes = present.has(file) ? await disk.read(file).catch(() => null) : null;
    const id = former.has(file) ? await base.idOf(file) : null;
    const isSame = bytes !== null && id !== null && blobId(bytes, id) === id;
    if (!isSame && file === projectFile) return null;
    if (isSame && !bytes.includes(RENAME)) {
      same.push(file);
      continue;
    }
    // A chain of renames is planned as a whole.
    const texts = [bytes && decodeText(bytes, file, null), isSame || id === null ? null : await base.read(file)];
    for (const read of texts) {
      if (read === null) continue;
      if (!("text" in read) || (!isSame && HIDES_USERS.test(read.text))) return null;
      for (const word of read.text.split(NO_WORD)) words.add(fold(word));
    }
  }
  const texts = new Map<string, string>();
  const left = new Set<string>();
  let omitted = 0;
  for (const file of same) {
    const read = await source.read(file);
    const aliases = "text" in read ? aliasesIn(read.text) : null;
    if (aliases === null || aliases.some((alias) => words.has(alias))) continue;
    left.add(file);
    omitted += aliases.length;
    if (keepsTexts && "text" in read) texts.set(file, read.text);
  }
  return omitted <= from ? null : { now: without(source, left), base: without(base, left), texts, omitted };
}

/** The id that git gives to this content, in the form of another id: SHA-1 or SHA-256. */
function blobId(bytes: Buffer, { length }: string): string {
  return process
    .getBuiltinModule("node:crypto")
    .createHash(length === SHA1_LENGTH ? "sha1" : "sha256")
    .update(`blob ${bytes.length}\0`)
    .update(bytes)
    .digest("hex");
}

const SHA1_LENGTH = 40;

/** Characters around aliases in a changed file. */
const NO_WORD = /[\s,:{}[\]"'#/?&=]+/;

const RENAME = "renamed_from";

/** The start of a line outside `links` and settings for them. Tombstones, pixels and families matter to links that they do not name. */
const OTHER_SECTION = /^(?![\s#]|(?:links|defaults|unspecified):(?:[ \r]|$))./m;

/** A change may be about links that the words of the file do not name. */
const HIDES_USERS = new RegExp(`${OTHER_SECTION.source}|\\\\`, "m");

/** An anchor, alias or tag connects a link with others, and a tab hides where it ends. */
const UNUSUAL = /(?:^|[\s[{,:-])[&*!][\w<!]|^ *\t/m;

const LINKS = /^links: *(?:#.*)?\r?\n/m;
const TOP_LEVEL = /^[^\s#]/m;
const FIRST_LINE = /^( +)[^\s#]/m;

/** A plain or quoted key without escapes. */
const KEY = /^ +(?:([^\s"'#:{}[\],&*!|>%@`?-][^\s:#]*)|"([^"\\\n]*)"|'([^'\n]*)'):(?=[ \r\n]|$)/;

/** The folded aliases in a file that has only links, found by indentation. Null if it has anything else, or this is not certain. */
export function aliasesIn(text: string): string[] | null {
  const links = LINKS.exec(text);
  if (links === null || OTHER_SECTION.test(text) || UNUSUAL.test(text)) return null;
  const rest = text.slice(links.index + links[0].length);
  const section = rest.slice(0, TOP_LEVEL.exec(rest)?.index);
  const indent = FIRST_LINE.exec(section)?.[1]?.length ?? 0;
  const isOutdented = new RegExp(`^ {0,${indent - 1}}[^\\s#]`, "m");
  if (indent === 0 || isOutdented.test(section) || LINKS.test(rest)) return null;
  const aliases: string[] = [];
  for (const [line] of section.matchAll(new RegExp(`^ {${indent}}[^\\s#].*`, "gm"))) {
    const [, plain, double, single] = KEY.exec(line) ?? [];
    const key = plain ?? double ?? single;
    if (key === undefined) return null;
    aliases.push(fold(key.slice(key.lastIndexOf("/") + 1)));
  }
  return aliases;
}

/** A source in which these files are empty. */
function without(source: FileSource, left: ReadonlySet<string>): FileSource {
  return {
    ref: source.ref,
    read: async (file) => (left.has(file) ? { text: "" } : source.read(file)),
    find: async (projectFile, globs) => source.find(projectFile, globs),
  };
}
