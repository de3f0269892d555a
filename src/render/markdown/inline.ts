// Foreign text in Markdown: it stands in code spans, in which neither GitHub nor GitLab makes links, mentions or markup.

import { visible } from "../../domain/control-characters.ts";
import { shortened, type Span } from "../../view/spans.ts";
import type { Place } from "../../domain/place.ts";
import { repositoryPath, type RenderContext } from "../format.ts";

/** A text from outside as it is, between backticks; nothing where it is empty. */
export function code(text: string): string {
  const shown = visible(text);
  if (shown === "") return "";
  const ticks = "`".repeat(longestRun(shown) + 1);
  // One space is taken off both sides where both have one: then, and beside a backtick, there is one more.
  const isPadded = /^`|`$/.test(shown) || (/^ .* $/.test(shown) && shown.trim() !== "");
  const pad = isPadded ? " " : "";
  return `${ticks}${pad}${shown}${pad}${ticks}`;
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, { length }) => Math.max(longest, length), 0);
}

/** Words as people write them, numbers, and signs that mean nothing anywhere. Short: a longer number may be a commit. */
const WORD =
  /^[("“„«‘]*(?:(?:\p{L}[\p{L}\p{M}]*['’‑-])*\p{L}[\p{L}\p{M}]*|\d{1,6}|\d{1,3}(?:,\d{3})+|\d{1,3}%)?[)"”»’.,:;?!…–—]*$/u;
/** What may be the name of a commit; a letter beyond ASCII beside it is no part of a word to everybody. */
const COMMIT = /(?<!\w)[0-9a-f]{7,}(?!\w)/i;

/** What a sentence has around a word that is none. */
const PUNCTUATED = /^([("“„]*)(.*?)([.,:;?!)"”]*)$/su;

/** A sentence in which texts from outside may stand: its plain words, and all else in code spans, as what it has in backticks. */
export function prose(sentence: string): string {
  const pieces: { text: string; isCode: boolean }[] = [];
  const put = (text: string, isCode: boolean): void => {
    const last = pieces.at(-1);
    if (text === "") return;
    // Two code spans side by side would be one with other ends.
    if (last !== undefined && last.isCode === isCode) last.text += text;
    else pieces.push({ text, isCode });
  };
  for (const [at, part] of visible(sentence).split("`").entries()) {
    if (at % 2 === 1) put(part, true);
    else for (const token of part.split(/( +)/)) putToken(token, put);
  }
  return pieces.map(({ text, isCode }) => (isCode ? code(text) : text)).join("");
}

function putToken(token: string, put: (text: string, isCode: boolean) => void): void {
  if (/^ *$/.test(token)) return put(token, false);
  if (isPlain(token)) return put(token, false);
  const [, before = "", core = token, after = ""] = PUNCTUATED.exec(token) ?? [];
  put(before, false);
  put(core, true);
  put(after, false);
}

function isPlain(token: string): boolean {
  return WORD.test(token) && !COMMIT.test(token);
}

/** A line of spans. What is plain text in it is ours. */
export function spanText(spans: readonly Span[]): string {
  return spans
    .map(({ text, as }) => (as === "text" ? text : as === "code" ? code(text) : `**${code(text)}**`))
    .join("");
}

/** A row of a table. */
export function row(cells: readonly string[]): string {
  return `| ${cells.map(cell).join(" | ")} |\n`;
}

/** A pipe ends a cell in code spans too. Of a backslash before it, libraries think differently: then it is shown by number. */
function cell(text: string): string {
  return text.replaceAll(/\\?\|/g, (found) => (found === "|" ? "\\|" : "\\\\u{7c}"));
}

/** The first two lines of a table. */
export function tableHead(names: readonly string[]): string {
  return `| ${names.join(" | ")} |\n| ${names.map(() => "---").join(" | ")} |\n`;
}

/** Lines as they are, between fences that they can't close. */
export function fence(lines: string, language = ""): string {
  const ticks = "`".repeat(Math.max(3, longestRun(lines) + 1));
  return `${ticks}${language}\n${lines.replace(/\n*$/, "\n")}${ticks}\n`;
}

/** What is to be opened: `summary` is ours. */
export function fold(summary: string, content: string): string {
  return `<details><summary>${summary}</summary>\n\n${content.trimEnd()}\n\n</details>\n\n`;
}

/** An address that can stand in a link as it is: with nothing in it but a path, and a line. */
const LINKABLE = /^https?:\/\/[\w.~:/%@+-]{1,1000}(?:#L\d+)?$/;

/** A link, where the address is one that can't end it; else the text alone. */
export function link(text: string, url: string | null): string {
  return url !== null && LINKABLE.test(url) ? `[${text}](${url})` : text;
}

/** A path as it stands in an address; half a character has no place there, and is put as a sign for what is missing. */
export function pathInUrl(path: string): string {
  return path
    .replaceAll(/\p{Cs}/gu, "\ufffd")
    .split("/")
    .map((part) =>
      encodeURIComponent(part).replaceAll(
        /[!'()*]/g,
        (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
      ),
    )
    .join("/");
}

/** More of a path than this is no help. */
const MAX_PLACE_LENGTH = 160;

/** `file:line`. Files of a place lie below the project's folder, those of a web page below the repository's root. */
export function placeText(place: Place, context: Pick<RenderContext, "blobUrl" | "project">): string {
  const { file, line, source } = place;
  const { blobUrl } = context;
  const ref = source?.ref ?? null;
  const text = code(shortened(`${file}:${line}`, MAX_PLACE_LENGTH));
  // A line of another commit stands elsewhere in this one's.
  if (ref !== null) return `${text} at ${code(ref)}`;
  if (blobUrl === null) return text;
  return link(text, `${blobUrl}${pathInUrl(repositoryPath(context, place))}#L${line}`);
}
