// Removes secrets from the text of others, in every encoding in which they can appear.

export const HIDDEN = "(hidden)";

/** Shorter secrets are not hidden: without every "a", a message would be unreadable. */
const SHORTEST_SECRET = 4;

/** A run of this many letters and digits of a secret is hidden, also if the rest is missing. */
const RUN = 8;

/** Hexadecimal digits are common in text, and two of them are one character of the secret. */
const HEX_RUN = 2 * RUN;

/** An encoding of an encoding of an encoding is still decoded. Real answers have at most two. */
const MOST_VIEWS = 40;

/** The number of keys without a secret that are remembered: rows have about thirty. */
const MOST_KEYS = 1000;

/** Replaces a text of an answer that contains the API key. JSON has no symbols, so it cannot be confused with a value. */
export const CONCEALED: unique symbol = Symbol("concealed");

type Range = readonly [from: number, to: number];

/** Removes these secrets from a text. */
export function hide(text: string, secrets: readonly string[]): string {
  return new Hider(secrets).hide(text);
}

/**
 * Finds secrets in plain text, in JSON, HTML, percent, base64 and hexadecimal encoding, in these on top of each other, and cut
 * into parts of at least eight characters. The time it takes is linear in the length of the text.
 *
 * Every way to decode the text is a view of it. In each view, only letters and digits are compared, so that neither line breaks
 * nor the two alphabets of base64 make a difference. Base64 and hexadecimal digits are not decoded: the secret is encoded instead.
 */
export class Hider {
  readonly #secrets: readonly RegExp[];
  /** The shortest run that counts, by each run of eight characters of an encoded secret. */
  readonly #runs = new Map<string, number>();
  /** Encoded secrets that have no run of eight characters. */
  readonly #short: readonly string[];
  /** Which four characters a run can begin with, and which it can end with: most texts have none of these. */
  readonly #beginnings = new Uint8Array(1 << 20);
  readonly #ends = new Uint8Array(1 << 20);
  readonly #cleanKeys = new Set<string>();
  /** Whether every secret has a run of its own. */
  readonly #hasRuns: boolean;

  constructor(secrets: readonly string[]) {
    const known = [...new Set(secrets)].filter((secret) => secret.length >= SHORTEST_SECRET);
    this.#secrets = known.map((secret) => new RegExp(literally(secret), "giu"));
    const short = new Set<string>();
    for (const { text, least, isPlain } of known.flatMap(spellings)) {
      if (text.length < RUN && !isPlain && text.length >= SHORTEST_SECRET) short.add(text);
      for (let at = 0; at + RUN <= text.length; at += 1) {
        const run = text.slice(at, at + RUN);
        this.#runs.set(run, Math.min(least, text.length, this.#runs.get(run) ?? Infinity));
        this.#beginnings[fourAt(run, 0)] = 1;
        this.#ends[fourAt(run, RUN - 4)] = 1;
      }
    }
    this.#short = [...short];
    this.#hasRuns = short.size === 0 && known.every((secret) => lettersOf(secret).text.length >= RUN);
  }

  hide(text: string): string {
    if (!this.#mayBeIn(text)) return text;
    const ranges = this.#rangesIn(text);
    if (ranges.length === 0) return text;
    let [shown, end] = ["", 0];
    for (const [from, to] of ranges.toSorted(([a], [b]) => a - b)) {
      if (from > end || end === 0) shown += text.slice(end, from) + HIDDEN;
      end = Math.max(end, to);
    }
    return shown + text.slice(end);
  }

  /** The same for a key of an answer: all rows of a list have the same ones. */
  hideKey(key: string): string {
    if (this.#cleanKeys.has(key)) return key;
    const shown = this.hide(key);
    if (shown === key && this.#cleanKeys.size < MOST_KEYS) this.#cleanKeys.add(key);
    return shown;
  }

  /** Whether there is anything to hide. */
  isIn(text: string): boolean {
    return text.length >= SHORTEST_SECRET && this.#mayBeIn(text) && this.#rangesIn(text).length > 0;
  }

  /** False for most of the plain texts that a list has: it is called for each of them. */
  #mayBeIn(text: string): boolean {
    if (!this.#hasRuns) return true;
    let [before, last] = [0, 0];
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code > 0x7e || code === PERCENT || code === BACKSLASH) return true;
      if (code === AMPERSAND && text.includes(";", at)) return true;
      if (!isLetterOrDigit(code)) continue;
      before = ((before << 5) | (last >> 15)) & 0xfffff;
      last = ((last << 5) | (code & 31)) & 0xfffff;
      if (this.#ends[last] === 1 && this.#beginnings[before] === 1) return true;
    }
    return false;
  }

  #rangesIn(text: string): Range[] {
    return viewsOf(text).flatMap((view) => [...this.#exact(view), ...this.#inRuns(view)]);
  }

  #exact(view: View): Range[] {
    return this.#secrets.flatMap((secret) =>
      Array.from(view.text.matchAll(secret), ({ 0: found, index }) => sourceOf(view, index, index + found.length)),
    );
  }

  #inRuns(view: View): Range[] {
    const { text, at } = lettersOf(view.text);
    const found: Range[] = [];
    const add = (from: number, to: number): void => {
      found.push(sourceOf(view, at[from] ?? 0, (at[to - 1] ?? 0) + 1));
    };
    for (const short of this.#short)
      for (let from = text.indexOf(short); from >= 0; from = text.indexOf(short, from + short.length))
        add(from, from + short.length);
    for (let from = 0; from + RUN <= text.length; from += 1) {
      let [to, least] = [from, Infinity];
      for (; to + RUN <= text.length && this.#beginnings[fourAt(text, to)] === 1; to += 1) {
        const own = this.#runs.get(text.slice(to, to + RUN));
        if (own === undefined) break;
        least = Math.min(least, own);
      }
      if (to === from) continue;
      const end = to + RUN - 1;
      if (end - from >= least) add(from, end);
      from = to - 1;
    }
    return found;
  }
}

/** A number for the four letters or digits of a text from an index on; others may share it. */
function fourAt(text: string, at: number): number {
  return [0, 1, 2, 3].reduce((number, offset) => (number << 5) | (text.charCodeAt(at + offset) & 31), 0);
}

const [PERCENT, AMPERSAND, BACKSLASH] = [0x25, 0x26, 0x5c];

function isLetterOrDigit(code: number): boolean {
  const lower = code | 0x20;
  return (code >= 0x30 && code <= 0x39) || (lower >= 0x61 && lower <= 0x7a);
}

interface Spelling {
  /** Letters and digits only. */
  readonly text: string;
  readonly least: number;
  readonly isPlain: boolean;
}

/** A secret as it is, in base64 and hexadecimal digits, and in two of these encodings, one on top of the other. */
function spellings(secret: string): Spelling[] {
  const plain = { text: secret, least: RUN, isPlain: true };
  const once = encoded(secret);
  const twice = [encodeURIComponent(secret.replaceAll(/\p{Cs}/gu, "\ufffd")), ...once.map(({ text }) => text)].flatMap(
    encoded,
  );
  return [plain, ...once, ...twice].map((spelling) => ({ ...spelling, text: lettersOf(spelling.text).text }));
}

function encoded(text: string): Spelling[] {
  const bytes = Buffer.from(text);
  const hex = bytes.toString("hex");
  return [
    ...[hex, hex.toUpperCase()].map((digits) => ({ text: digits, least: HEX_RUN, isPlain: false })),
    ...[0, 1, 2].map((before) => ({ text: base64After(bytes, before), least: RUN, isPlain: false })),
  ];
}

/** The characters of base64 that a text alone determines if this many bytes come before it, and others behind it. */
function base64After(bytes: Buffer, before: number): string {
  const all = Buffer.concat([Buffer.alloc(before), bytes]);
  return all.toString("base64").slice(Math.ceil((before * 8) / 6), Math.floor((all.length * 8) / 6));
}

/** Puts `CONCEALED` in the place of every text of an answer that has a secret, and removes secrets from its keys. */
export function concealIn(json: unknown, hider: Hider): unknown {
  if (typeof json === "string") return hider.isIn(json) ? CONCEALED : json;
  // A list of what is left to look at: an answer can be nested deeper than functions can.
  const open = [json];
  for (let holder = open.pop(); holder !== undefined; holder = open.pop()) {
    if (typeof holder !== "object" || holder === null) continue;
    const isList = Array.isArray(holder);
    for (const key of Object.keys(holder)) {
      const value: unknown = Reflect.get(holder, key);
      if (typeof value === "object" && value !== null) open.push(value);
      const isSecret = typeof value === "string" && hider.isIn(value);
      const name = isList ? key : hider.hideKey(key);
      if (name !== key) Reflect.deleteProperty(holder, key);
      if (isSecret || name !== key) define(holder, name, isSecret ? CONCEALED : value);
    }
  }
  return json;
}

/** Unlike an assignment, this makes `__proto__` a property like any other. */
function define(holder: object, name: string, value: unknown): void {
  Object.defineProperty(holder, name, { value, configurable: true, enumerable: true, writable: true });
}

/** A text, or what is left of it once something is decoded. */
interface View {
  readonly text: string;
  /** Where each UTF-16 unit begins in the source, and behind the last one where that ends; null: the text is the source. */
  readonly at: readonly number[] | null;
}

function sourceOf({ at }: View, from: number, to: number): Range {
  return at === null ? [from, to] : [at[from] ?? 0, at[to] ?? 0];
}

/** The letters and digits of a text in lower case, and where each is in it. */
function lettersOf(text: string): { readonly text: string; readonly at: readonly number[] } {
  const at: number[] = [];
  let letters = "";
  for (const { 0: run, index } of text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
    const lower = run.toLowerCase();
    letters += lower.length === run.length ? lower : run;
    for (let offset = 0; offset < run.length; offset += 1) at.push(index + offset);
  }
  return { text: letters, at };
}

/** The text and every way to decode it. In which order a text was encoded is not known, so all are tried. */
function viewsOf(text: string): View[] {
  const views: View[] = [{ text, at: null }];
  const known = new Set([text]);
  for (const view of views) {
    for (const decoder of DECODERS) {
      if (views.length >= MOST_VIEWS) return views;
      const decoded = decode(view, decoder);
      if (decoded === null || known.has(decoded.text)) continue;
      known.add(decoded.text);
      views.push(decoded);
    }
  }
  return views;
}

/** An encoding: how an escape looks, and what it stands for. No pattern matches in two ways, so that none takes long. */
interface Decoder {
  readonly escape: RegExp;
  readonly meaning: (escape: string) => string;
}

const JSON_NAMES: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };
const HTML_NAMES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  shy: "",
};

const DECODERS: readonly Decoder[] = [
  {
    escape: /%[c-f][0-9a-f](?:%[89ab][0-9a-f]){1,3}|%[0-9a-f]{2}|\+/gi,
    meaning: (escape) => (escape === "+" ? " " : bytesText(escape.replaceAll("%", ""))),
  },
  {
    escape: /\\(?:u[0-9a-f]{4}|u\{[0-9a-f]{1,6}\}|x[0-9a-f]{2}|[^])/gi,
    meaning: (escape) =>
      /^\\[ux]./i.test(escape)
        ? characterOf(Number.parseInt(escape.replaceAll(/[^0-9a-f]/gi, ""), 16))
        : (JSON_NAMES[escape.slice(1)] ?? escape.slice(1)),
  },
  {
    escape: /&(?:#x[0-9a-f]{1,8}|#\d{1,9}|amp|lt|gt|quot|apos|nbsp|shy);?/gi,
    meaning: (escape) => {
      const name = escape.slice(1).replace(";", "").toLowerCase();
      if (name.startsWith("#x")) return characterOf(Number.parseInt(name.slice(2), 16));
      return name.startsWith("#") ? characterOf(Number(name.slice(1))) : (HTML_NAMES[name] ?? escape);
    },
  },
];

function characterOf(codePoint: number): string {
  return codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : "\ufffd";
}

function bytesText(hex: string): string {
  const bytes = Buffer.from(hex, "hex");
  const text = bytes.toString("utf8");
  return text.includes("\ufffd") ? bytes.toString("latin1") : text;
}

/** The view with one encoding undone; null where it has none of its escapes. */
function decode({ text, at }: View, { escape, meaning }: Decoder): View | null {
  let [decoded, end] = ["", 0];
  const positions: number[] = [];
  const add = (from: number, to: number, said: string, isEscape: boolean): void => {
    decoded += said;
    for (let unit = 0; unit < said.length; unit += 1) {
      const own = isEscape ? from + Math.floor(((to - from) * unit) / said.length) : from + unit;
      positions.push(at === null ? own : (at[own] ?? 0));
    }
  };
  for (const { 0: found, index } of text.matchAll(escape)) {
    add(end, index, text.slice(end, index), false);
    end = index + found.length;
    add(index, end, meaning(found), true);
  }
  if (end === 0) return null;
  add(end, text.length, text.slice(end), false);
  positions.push(at === null ? text.length : (at[text.length] ?? 0));
  return { text: decoded, at: positions };
}

function literally(text: string): string {
  return Array.from(text, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`).join("");
}
