// Words of the markdown report in HTML: its code spans, in which all texts from outside stand, and what is bold.

import { markup, type HtmlContent } from "./markup.ts";

/** A run of backticks, and what stands before the next one of the same length. */
const SPAN = /(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)/gs;

/** A line of markdown/statement.ts. */
export function spans(line: string): HtmlContent {
  const found: HtmlContent[] = [];
  let isBold = false;
  const put = (content: HtmlContent): void => void found.push(isBold ? markup`<b>${content}</b>` : content);
  const putWords = (words: string): void => {
    for (const [at, part] of words.split("**").entries()) {
      if (at > 0) isBold = !isBold;
      if (part !== "") put(part);
    }
  };
  let end = 0;
  for (const { 0: whole, 2: text = "", index } of line.matchAll(SPAN)) {
    putWords(line.slice(end, index));
    put(markup`<code>${/^ .* $/s.test(text) && text.trim() !== "" ? text.slice(1, -1) : text}</code>`);
    end = index + whole.length;
  }
  putWords(line.slice(end));
  return found;
}
