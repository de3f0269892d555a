// Hides secrets in texts: as they are, percent-encoded, and in base64. Quotes foreign text in one line, without control characters.

export const HIDDEN = "(hidden)";

/** Shorter secrets are not searched for in reports: `1234` is part of many dates, ids and addresses. */
const SHORTEST = 8;

/** Secrets that no output may contain. */
export class Secrets {
  readonly #shortest: number;
  readonly #texts = new Set<string>();
  /** Matches every form without percent-encoded characters; null if there is no secret. */
  #plain: RegExp | null = null;
  #encoded = /(?!)/gu;
  #longest = 0;
  #views = new WeakMap<object, object>();
  readonly #originals = new WeakMap<object, object>();

  /** Ignores secrets with fewer characters than `shortest`. Short ones are hidden only if no letter or digit is next to them. */
  constructor(texts: readonly string[] = [], shortest: number = SHORTEST) {
    this.#shortest = shortest;
    this.add(...texts);
  }

  add(...texts: readonly string[]): void {
    const added = texts.filter((text) => text.length >= this.#shortest && !this.#texts.has(text));
    if (added.length === 0) return;
    for (const text of added) this.#texts.add(text);
    // The first alternative that matches is used.
    const forms = [...this.#texts].toSorted((a, b) => b.length - a.length).flatMap(formsOf);
    this.#plain = new RegExp(forms.map((form) => pattern(form, literal)).join("|"), "gu");
    this.#encoded = new RegExp(forms.map((form) => pattern(form, percentEncoded)).join("|"), "gu");
    this.#longest = Math.max(...forms.map(({ text }) => 3 * Buffer.byteLength(text)));
    this.#views = new WeakMap();
  }

  /** The text without secrets. The time it takes is linear in its length. */
  hide(text: string): string {
    if (this.#plain === null) return text;
    const left = text.replaceAll(this.#plain, HIDDEN);
    return left.includes("%") ? left.replaceAll(this.#encoded, HIDDEN) : left;
  }

  /** The start of a text without secrets: at least `most` characters before they are hidden. It does not look at the rest. */
  hideStart(text: string, most: number): string {
    const end = most + 2 * this.#longest;
    if (text.length <= end) return this.hide(text);
    // A secret that the cut splits is in the characters that are removed.
    const start = this.hide(text.slice(0, end));
    return start.slice(0, start.length - this.#longest);
  }

  /** Whether a value that JSON can express contains a secret. */
  has(value: unknown): boolean {
    return JSON.stringify(value) !== JSON.stringify(this.hideIn(value));
  }

  /** The same value with secrets hidden in every text that is read from it, in names too. The value itself is not changed. */
  hideIn<Value>(value: Value): Value;
  hideIn(value: unknown): unknown {
    if (typeof value === "string") return this.hide(value);
    if (typeof value !== "object" || value === null || this.#plain === null || this.#originals.has(value)) return value;
    const known = this.#views.get(value);
    if (known !== undefined) return known;
    const view = new Proxy(this.#withNames(value), {
      get: (target, name): unknown => {
        const read: unknown = Reflect.get(target, name);
        // The methods of arrays read from the view.
        if (typeof read !== "function" || Array.isArray(target)) return this.hideIn(read);
        return (...given: unknown[]) =>
          this.hideIn(
            Reflect.apply(
              read,
              target,
              given.map((one) => this.#original(one)),
            ),
          );
      },
    });
    this.#views.set(value, view);
    this.#originals.set(view, value);
    return view;
  }

  /** A copy if the name of a property contains a secret. */
  #withNames(value: object): object {
    const names = Array.isArray(value) ? [] : Object.keys(value);
    if (names.every((name) => this.hide(name) === name)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [this.hide(name), one]));
  }

  #original(value: unknown): unknown {
    return typeof value === "object" && value !== null ? (this.#originals.get(value) ?? value) : value;
  }
}

/** The API keys and passwords in the environment, to hide them in every output. */
export function secretsIn(env: Readonly<Record<string, string | undefined>>): Secrets {
  const names = Object.keys(env).filter((name) => /^LINKFORM_(API_KEY|SECRET_)/.test(name));
  return new Secrets(names.map((name) => (env[name] ?? "").trim()));
}

/** A secret, or the characters of base64 that it determines. `beside` cannot come directly before or after it. */
interface Form {
  readonly text: string;
  readonly beside: string | null;
}

function formsOf(secret: string): Form[] {
  const bytes = Buffer.from(secret);
  const isShort = secret.length < SHORTEST;
  const inBase64 = (isShort ? [0] : [0, 1, 2]).flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]);
    const end = isShort ? Infinity : Math.floor((encoded.length * 4) / 3);
    return (["base64", "base64url"] as const).map((alphabet) =>
      encoded
        .toString(alphabet)
        .slice(Math.ceil((before * 4) / 3), end)
        .replace(/=+$/, ""),
    );
  });
  return [
    { text: secret, beside: isShort ? "[\\p{L}\\p{N}]" : null },
    ...[...new Set(inBase64)].map((text) => ({ text, beside: isShort ? "[\\w+/-]" : null })),
  ];
}

function pattern({ text, beside }: Form, spell: (character: string) => string): string {
  const spelled = Array.from(text, spell).join("");
  return beside === null ? spelled : `(?:(?<!${beside})|(?<=%[\\da-fA-F]{2}))${spelled}(?!${beside})`;
}

/** In a URL, a plus sign can be a space. */
function literal(character: string): string {
  return character === " " ? "[ +]" : `\\u{${character.codePointAt(0)?.toString(16)}}`;
}

/** One character as it is or percent-encoded. A percent sign is always encoded, so that there is only one way to match. */
function percentEncoded(character: string): string {
  const hex = Buffer.from(character).toString("hex").replaceAll(/../g, "%$&");
  const encoded = hex.replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
  if (character === "%") return encoded;
  return `(?:${literal(character)}|${encoded})`;
}

/** White space, control characters, half characters, marks that change the direction of a text, and characters without width. */
const UNFIT = /[\s\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]+/gu;
/** Bytes of a body that a message can quote. */
export const MOST_QUOTED = 65_536;
const MOST_KEYS = 8;
const LONGEST_KEY = 30;
const LONGEST_STRING = 60;

/** The text in one line of at most `most` characters. */
export function oneLine(text: string, most: number): string {
  const line = text.replaceAll(UNFIT, " ").trim();
  return line.length > most ? `${line.slice(0, most).replace(/\p{Cs}$/u, "")}…` : line;
}

/** Quotes a string, and describes any other JSON value. A long text is left out, because a report cannot find a secret in a part of one. */
export function quote(json: unknown): string {
  return typeof json === "string" && json.length <= LONGEST_STRING
    ? `"${oneLine(json, LONGEST_STRING)}"`
    : describe(json);
}

/** Describes a JSON value without its strings: a response in an unknown form may repeat the request, with the API key and passwords. */
export function describe(json: unknown): string {
  if (json === undefined) return "it is missing";
  if (typeof json === "string") return "a string";
  if (Array.isArray(json)) return `an array of length ${json.length}`;
  if (typeof json !== "object" || json === null) return JSON.stringify(json) ?? "nothing";
  const keys = Object.keys(json);
  if (keys.length === 0) return "an empty object";
  const shown = keys.filter((key) => key.length <= LONGEST_KEY).slice(0, MOST_KEYS);
  const names = shown.map((key) => `\`${oneLine(key, LONGEST_KEY)}\``);
  return `an object with ${[...names, ...(keys.length > shown.length ? ["…"] : [])].join(", ")}`;
}
