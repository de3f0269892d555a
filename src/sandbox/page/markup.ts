// HTML templates. All inserted text is escaped; only the template itself is markup.

export interface Markup {
  readonly source: string;
}

/** Null becomes nothing, and lists are joined. */
export type Content = Markup | string | number | null | readonly Content[];

/** The template with its values: markup unchanged, everything else escaped. */
export function markup(parts: TemplateStringsArray, ...values: readonly Content[]): Markup {
  return { source: parts.map((part, at) => (at === 0 ? part : render(values[at - 1] ?? null) + part)).join("") };
}

function render(content: Content): string {
  if (content === null) return "";
  if (typeof content !== "object") return escapeText(String(content));
  return "source" in content ? content.source : content.map(render).join("");
}

export const joined = (items: readonly Content[]): Content => items.map((item, at) => [at === 0 ? "" : ", ", item]);

/** For elements and quoted attributes. */
export function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** Text of a user, isolated because it may be right to left or have characters that reverse its surroundings. */
export const words = (text: string): Markup => markup`<bdi>${text}</bdi>`;

/** An address: a link if it leads to the web, else text. `javascript:` and the like never become links. */
export function address(url: string): Markup {
  const isWeb = URL.canParse(url) && ["http:", "https:"].includes(new URL(url).protocol);
  return isWeb ? markup`<a href="${url}" rel="noreferrer"><bdi>${url}</bdi></a>` : words(url);
}

/** Whether a page may link to it: not if the browser would run or read it directly. */
export function mayGoOn(url: string): boolean {
  const scripted = ["javascript:", "data:", "vbscript:", "file:", "blob:", "about:"];
  return URL.canParse(url) && !scripted.includes(new URL(url).protocol);
}
