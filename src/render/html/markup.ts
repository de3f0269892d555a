// HTML in which every text stays text: only what was written as a template is markup.

import { visible } from "../../domain/control-characters.ts";
import type { Span } from "../../view/spans.ts";

export class Markup {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
}

/** Null leaves nothing; lists follow one another. */
export type HtmlContent = Markup | string | number | null | readonly HtmlContent[];

/** The template with its values put in: markup as it is, all else escaped for elements and quoted attributes. */
export function markup(parts: TemplateStringsArray, ...values: readonly HtmlContent[]): Markup {
  let source = parts[0] ?? "";
  for (let at = 0; at < values.length; at += 1) source += sourceOf(values[at] ?? null) + (parts[at + 1] ?? "");
  return new Markup(source);
}

/** Contents with something between each two. */
export function joined(contents: readonly HtmlContent[], between: HtmlContent): HtmlContent {
  return contents.map((content, at) => (at === 0 ? content : [between, content]));
}

/** Text with what stands in backticks as code: people copy it. */
export function prose(text: string): HtmlContent {
  return text.split(/(`[^`]+`)/).map((part, at) => (at % 2 === 1 ? markup`<code>${part.slice(1, -1)}</code>` : part));
}

/** A line of spans. */
export function spans(line: readonly Span[]): HtmlContent {
  return line.map(({ text, as }) => {
    if (as === "text") return text;
    const code = markup`<code>${text}</code>`;
    return as === "code" ? code : markup`<b>${code}</b>`;
  });
}

function sourceOf(content: HtmlContent): string {
  if (typeof content === "string") return escapeText(content);
  if (content === null) return "";
  if (content instanceof Markup) return content.source;
  if (typeof content === "object") {
    let source = "";
    for (const one of content) source += sourceOf(one);
    return source;
  }
  return escapeText(String(content));
}

/** Most texts are plain: they need no further look. */
const UNESCAPED = /^[ !#-%(-;=?-~]*$/;

/** For elements and quoted attributes; what can't be seen, or would turn its surroundings, is shown by its number. */
function escapeText(text: string): string {
  if (UNESCAPED.test(text)) return text;
  return visible(text).replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
