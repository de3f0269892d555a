// HTML templates that escape their values.

import { visible } from "../../domain/control-characters.ts";

export class Markup {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
}

/** Null renders nothing; lists are concatenated. */
export type HtmlContent = Markup | string | number | null | readonly HtmlContent[];

/** A template tag. Values other than markup are escaped for elements and quoted attributes. */
export function markup(parts: TemplateStringsArray, ...values: readonly HtmlContent[]): Markup {
  let source = parts[0] ?? "";
  for (let at = 0; at < values.length; at += 1) source += sourceOf(values[at] ?? null) + (parts[at + 1] ?? "");
  return new Markup(source);
}

export function joined(contents: readonly HtmlContent[], between: HtmlContent): HtmlContent {
  return contents.map((content, at) => (at === 0 ? content : [between, content]));
}

/** Text with code in backticks. */
export function prose(text: string): HtmlContent {
  return text.split(/(`[^`]+`)/).map((part, at) => (at % 2 === 1 ? markup`<code>${part.slice(1, -1)}</code>` : part));
}

/** Only web addresses become links, never `javascript:` or `file:`. An unpaired surrogate cannot be encoded in a URL. */
export function webLink(content: HtmlContent, href: string | null): HtmlContent {
  if (href === null || !/^https?:\/\//i.test(href) || /\p{Cs}/u.test(href)) return content;
  return markup`<a href="${href}" rel="noreferrer noopener">${content}</a>`;
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

/** Most texts need no escaping. */
const UNESCAPED = /^[ !#-%(-;=?-~]*$/;

/** Escapes for elements and quoted attributes. Invisible and bidirectional characters are shown as code points. */
function escapeText(text: string): string {
  if (UNESCAPED.test(text)) return text;
  return visible(text).replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
