// Cuts a file into the blocks of its links by indentation, without parsing it. What is written in an unusual way is not cut.

import { fold } from "../domain/fold.ts";

/** The lines of one link. */
export interface LinkBlock {
  /** The folded alias. */
  readonly alias: string;
  readonly text: string;
}

/** A file as the blocks of its links and the lines around them. */
export interface CutFile {
  readonly before: string;
  readonly blocks: readonly LinkBlock[];
  readonly after: string;
}

/** An anchor, alias or tag connects a block with others, and a tab, a second document or an unusual top level hides where one ends. */
const UNUSUAL = /(?:^|[\s[{,:-])[&*!][\w<!]|^ *\t|^(?![\s#]|[a-z_]+:(?:[ \r]|$))./m;

const LINKS = /^links: *(?:#.*)?\r?\n/m;
const TOP_LEVEL = /^[^\s#]/m;
const FIRST_LINE = /^( +)[^\s#]/m;

/** A plain or quoted key without escapes. */
const KEY = /^ +(?:([^\s"'#:{}[\],&*!|>%@`?-][^\s:#]*)|"([^"\\\n]*)"|'([^'\n]*)'):(?=[ \r\n]|$)/;

/** Cuts a resource file; null if it cannot be cut with certainty. Every line is in one part, so their lines are those of the file. */
export function cutFile(text: string): CutFile | null {
  if (UNUSUAL.test(text)) return null;
  const links = LINKS.exec(text);
  const start = links === null ? text.length : links.index + links[0].length;
  const rest = text.slice(start);
  const end = TOP_LEVEL.exec(rest)?.index ?? rest.length;
  const section = rest.slice(0, end);
  const [before, after] = [text.slice(0, start), rest.slice(end)];
  const indent = FIRST_LINE.exec(section)?.[1]?.length;
  if (indent === undefined) return { before: text, blocks: [], after: "" };
  const isOutdented = indent > 1 && new RegExp(`^ {1,${indent - 1}}[^\\s#]`, "m").test(section);
  if (isOutdented || /^links:/m.test(after)) return null;
  const starts = [...section.matchAll(new RegExp(`^ {${indent}}(?=[^\\s#])`, "gm"))].map(({ index }) => index);
  const blocks: LinkBlock[] = [];
  for (const [at, from] of starts.entries()) {
    const block = section.slice(from, starts[at + 1] ?? section.length);
    const [, plain, double, single] = KEY.exec(block) ?? [];
    const key = plain ?? double ?? single;
    if (key === undefined) return null;
    blocks.push({ alias: fold(key.slice(key.lastIndexOf("/") + 1)), text: block });
  }
  return { before: before + section.slice(0, starts[0]), blocks, after };
}

/** The file without some of its blocks. Empty lines replace them, so that all places stay. */
export function omitBlocks({ before, blocks, after }: CutFile, isOmitted: (block: LinkBlock) => boolean): CutFile {
  const kept: LinkBlock[] = [];
  let gap = "";
  for (const block of blocks) {
    if (isOmitted(block)) gap += block.text.replaceAll(/[^\n]+/g, "");
    else {
      kept.push({ ...block, text: gap + block.text });
      gap = "";
    }
  }
  return { before, blocks: kept, after: after === "" ? "" : gap + after };
}

export function textOf({ before, blocks, after }: CutFile): string {
  return `${before}${blocks.map(({ text }) => text).join("")}${after}`;
}
