// Random YAML files built from pieces: comments everywhere, flow and block, anchors, quotes, odd indentation.

import * as fc from "fast-check";

/** Random choices that fast-check can shrink. */
export interface Dice {
  readonly below: (limit: number) => number;
}

/** By limit: in the arguments of one function, fast-check would look for each limit one by one. */
const naturals: (() => fc.Arbitrary<number>)[] = [];

export const anyDice: fc.Arbitrary<Dice> = fc.gen().map((g) => ({
  below: (limit) => g((naturals[limit] ??= () => fc.nat({ max: limit - 1 }))),
}));

export interface Line {
  readonly text: string;
  /** The block or tombstone that it belongs to; null for none, "flow" for a line that several share. */
  readonly owner: string | null;
}

/** The value of a key. */
type Content = string | null | Content[] | Map<string, Content>;

/** What the value of a key is. */
type What = "absent" | "blocks" | "block" | "tombstones" | "tombstone" | "field";

const CHILD: Readonly<Record<What, What>> = {
  absent: "tombstones",
  tombstones: "tombstone",
  tombstone: "field",
  blocks: "block",
  block: "field",
  field: "field",
};

const KEYS = 'spring¦null¦0123¦on¦ключ¦a b¦it\'s¦x: y¦# k¦~¦2024¦日本¦p-1¦-x¦go.example.com/a¦é¦"q"¦true¦*s¦last'.split(
  "¦",
);

const TEXTS = [
  'https://example.com/a¦https://example.com/?q=1#x¦0123¦null¦on¦Ünïcode¦a b¦it\'s¦say "hi"¦a: b¦x #y¦- a',
  "{a}¦[b], c¦back\\slash¦1e3¦*a¦&b¦@c¦%d¦none",
].flatMap((texts) => texts.split("¦"));

const SAFE = /^(?!(null|true|false|~)$)[\p{L}\p{N}/?=.:][\p{L}\p{N}/?=.:#' -]*$/u;

export class RandomFile {
  readonly lines: Line[] = [];
  /** Comments, each with the block that it belongs to. */
  readonly comments: Map<string, string | null> = new Map();
  /** Keys of blocks whose lines depend on others. */
  readonly users: Set<string> = new Set();
  /** Keys of tombstones and of blocks between braces, whose lines are written together with those of others. */
  readonly shared: Set<string> = new Set();
  readonly #dice: Dice;
  readonly #keys: string[];
  readonly #step: string;
  #owner: string | null = null;
  /** The anchors of a document, by the kind of value that they name. */
  readonly #anchors = new Map<string, string[]>();

  constructor(dice: Dice) {
    this.#dice = dice;
    this.#keys = this.#shuffled(KEYS);
    this.#step = " ".repeat(1 + dice.below(4));
    const count = 1 + dice.below(3);
    for (let index = 0; index < count; index += 1) this.#document(index);
  }

  get unusedKeys(): readonly string[] {
    return this.#keys;
  }

  text(): string {
    const dice = this.#dice;
    const text = this.lines.map((line) => line.text).join("\n") + (dice.below(4) === 0 ? "" : "\n");
    const broken = dice.below(3) === 0 ? text.replaceAll("\n", "\r\n") : text;
    return dice.below(5) === 0 ? `\uFEFF${broken}` : broken;
  }

  someText(): string {
    return this.#pick(TEXTS);
  }

  #document(index: number): void {
    this.#anchors.clear();
    if (index > 0 || this.#dice.below(3) === 0) this.#line("---");
    this.#loose("");
    const names = this.#shuffled(["links", "pixels", "absent", "defaults"]).filter(() => this.#dice.below(3) > 0);
    const sections = new Map(names.map((name) => [name, this.#section(name)]));
    if (sections.size > 0 && this.#dice.below(8) === 0) {
      const parts = [...sections].map((entry) => this.#flow(new Map([entry])).slice(2, -2));
      const [start, between, end] = this.#pick([
        ["{ ", ", ", " }"],
        ["{\n  ", ",\n  ", "\n}"],
      ]);
      this.#own("flow", () => this.#line(`${start}${parts.join(between)}${end}${this.#remark()}`));
      return;
    }
    for (const [name, section] of sections) {
      this.#pair("", name, section, name === "defaults" ? "field" : name === "absent" ? name : "blocks");
      this.#loose("");
    }
    if (this.#dice.below(6) === 0) this.#line("...");
  }

  /** Lines that belong to no block. An empty line separates a comment from the next block. */
  #loose(indent: string): void {
    if (this.#dice.below(3) === 0) this.#line(this.#pick(["", "  ", ""]));
    if (this.#dice.below(3) > 0) return;
    this.#line("");
    while (this.#dice.below(2) === 1) this.#line(`${this.#pick([indent, ""])}${this.#comment()}`);
    this.#line("");
  }

  #section(name: string): Content {
    if (name === "defaults") return new Map([["link", new Map([["domain", "go.example.com"]])]]);
    if (name !== "absent") {
      const keys = this.#keys.splice(0, this.#dice.below(5));
      return keys.length === 0 ? this.#pick([null, new Map()]) : new Map(keys.map((key) => [key, this.#fields()]));
    }
    const kinds = this.#shuffled(["links", "pixels"]).slice(0, 1 + this.#dice.below(2));
    return new Map(kinds.map((kind) => [kind, this.#tombstones()]));
  }

  #fields(): Content {
    const optional: [string, () => Content][] = [
      ["space", () => this.#pick([null, "Marketing", "0"])],
      ["disabled", () => this.#pick(["true", "false"])],
      ["pixels", () => this.#shuffled(["Meta main", "Old, one", "2024"]).slice(0, this.#dice.below(4))],
      [
        "expiration",
        () =>
          this.#pick<Content>([
            "none",
            new Map([
              ["date", "2027-03-31"],
              ["clicks", "5000"],
              ["url", this.someText()],
            ]),
          ]),
      ],
      ["targeting", () => new Map([["country", new Map(["DE", "NO"].map((key) => [key, this.someText()]))]])],
      ["note", () => "two\nlines"],
    ];
    const chosen = this.#shuffled(optional).filter(() => this.#dice.below(3) === 0);
    return new Map([["url", this.someText()], ...chosen.map(([name, make]): [string, Content] => [name, make()])]);
  }

  /** A map of keys, or a list of keys and maps. */
  #tombstones(): Content {
    const all = this.#keys.splice(0, 1 + this.#dice.below(3)).map((key): [string, Content] => {
      this.shared.add(key);
      return [key, this.#pick([null, new Map([["id", "7"]])])];
    });
    if (this.#dice.below(2) === 0) return new Map(all);
    return all.map(([key, value]) => (value === null ? key : new Map([[key, value]])));
  }

  #pair(indent: string, key: string, content: Content, what: What): void {
    const name = this.#scalar(key, false);
    const shares = what === "block" ? what : what === "field" && /^(url|expiration)$/.test(key) ? key : null;
    const known = this.#anchors.get(shares ?? "") ?? [];
    if (known.length > 0 && this.#dice.below(4) === 0) {
      if (this.#owner !== null) this.users.add(this.#owner);
      this.#line(`${indent}${name}: *${this.#pick(known)}${this.#remark()}`);
      return;
    }
    const isExplicit = (what === "block" || what === "field") && !Array.isArray(content) && this.#dice.below(8) === 0;
    if (isExplicit) this.#line(`${indent}? ${name}${this.#remark()}`);
    const anchor = shares !== null && content !== null && this.#dice.below(5) === 0 ? this.#anchor(shares) : "";
    const tag = anchor === "" && key === "url" && this.#dice.below(8) === 0 ? " !!str" : "";
    this.#value(`${indent}${isExplicit ? "" : name}:${tag}${anchor}`, indent, content, what);
  }

  #value(head: string, indent: string, content: Content, what: What): void {
    const next = indent + this.#step;
    const isOwn = isInBlock(what);
    if (content === null) this.#line(`${head}${this.#pick(["", " null", " ~"])}${this.#remark()}`);
    else if (typeof content === "string") this.#text(head, next, content);
    else if (entriesOf(content).length === 0 || what === "tombstone" || this.#dice.below(4) === 0)
      this.#own(isOwn ? this.#owner : "flow", () => this.#line(`${head} ${this.#flow(content)}${this.#remark()}`));
    else if (what !== "absent" && this.#dice.below(6) === 0) this.#flowLines(head, next, content, what);
    else {
      this.#line(`${head}${this.#remark()}`);
      const dash = this.#pick([indent, next]);
      for (const [key, one] of entriesOf(content)) {
        if (what === "blocks") this.#loose(next);
        else if (isOwn && this.#dice.below(8) === 0) this.#line("");
        this.#own(isOwn || what === "absent" ? this.#owner : key, () => {
          // Comments directly above a block belong to it.
          if (this.#dice.below(4) === 0) this.#line(`${Array.isArray(content) ? dash : next}${this.#comment()}`);
          if (Array.isArray(content))
            this.#line(`${dash}- ${this.#flow(one).replace(/^\{ (.*) \}$/, "$1")}${this.#remark()}`);
          else this.#pair(next, key, one, CHILD[what]);
        });
      }
      if (isOwn && content instanceof Map && this.#dice.below(5) === 0) this.#line(`${next}${this.#comment()}`);
      if (what === "blocks") this.#loose(next);
    }
  }

  /** Braces or brackets with a line for each entry. */
  #flowLines(head: string, next: string, content: Content[] | Map<string, Content>, what: What): void {
    const [open, close] = Array.isArray(content) ? "[]" : "{}";
    const isOwn = isInBlock(what);
    this.#own(isOwn ? this.#owner : "flow", () => {
      this.#line(`${head} ${open}${this.#remark()}`);
      const entries = entriesOf(content);
      for (const [at, [key, one]] of entries.entries()) {
        if (!isOwn) this.shared.add(key);
        this.#own(isOwn ? this.#owner : key, () => {
          if (this.#dice.below(4) === 0) this.#line(`${next}${this.#comment()}`);
          const comma = at < entries.length - 1 || this.#dice.below(3) === 0 ? "," : "";
          const text = Array.isArray(content) ? this.#flow(one) : this.#flow(new Map([[key, one]])).slice(2, -2);
          this.#line(`${next}${text}${comma}${this.#remark()}`);
        });
      }
      this.#line(`${next}${close}${this.#remark()}`);
    });
  }

  #text(head: string, next: string, text: string): void {
    const [first = "", ...rest] = text.split(" ");
    if (text.includes("\n")) {
      this.#line(`${head} |-${this.#remark()}`);
      for (const line of text.split("\n")) this.#line(`${next}${line}`);
    } else if (rest.length > 0 && this.#dice.below(3) === 0) {
      // In quotes, a line break is a space.
      this.#line(`${head} ${JSON.stringify(first).slice(0, -1)}`);
      this.#line(`${next}${JSON.stringify(rest.join(" ")).slice(1)}${this.#remark()}`);
    } else if (this.#dice.below(8) === 0) {
      this.#line(`${head}${this.#remark()}`);
      this.#line(`${next}${this.#scalar(text, false)}${this.#remark()}`);
    } else this.#line(`${head}${this.#pick([" ", "  "])}${this.#scalar(text, false)}${this.#remark()}`);
  }

  #anchor(name: string): string {
    const all = this.#anchors.get(name) ?? [];
    this.#anchors.set(name, [...all, `${name}${all.length}`]);
    return ` &${name}${all.length}`;
  }

  #flow(content: Content | ReadonlyMap<string, Content>): string {
    if (content === null) return this.#pick(["null", "~"]);
    if (typeof content === "string") return this.#scalar(content, true);
    if (Array.isArray(content)) return `[${content.map((one) => this.#flow(one)).join(", ")}]`;
    return `{ ${[...content].map(([key, one]) => `${this.#scalar(key, true)}: ${this.#flow(one)}`).join(", ")} }`;
  }

  /** Words of YAML keep their type, so that they differ from texts. */
  #scalar(text: string, isFlow: boolean): string {
    if (["true", "false"].includes(text)) return text;
    if (text.includes("\n")) return JSON.stringify(text);
    const styles = [JSON.stringify(text), `'${text.replaceAll("'", "''")}'`];
    const isPlain = SAFE.test(text) && !/: | #|:$|\s$/.test(text) && !(isFlow && /[,[\]{}]/.test(text));
    return this.#pick(isPlain ? [text, text, ...styles] : styles);
  }

  #comment(): string {
    const name = `c${this.comments.size}.`;
    this.comments.set(name, this.#owner);
    return `# ${name}${this.#pick(["", " 'quote", " a: b", "\ttab", " trailing  "])}`;
  }

  #remark(): string {
    return this.#dice.below(4) === 0
      ? `${this.#pick([" ", "   ", "\t"])}${this.#comment()}`
      : this.#pick(["", "", "", "  "]);
  }

  #own(owner: string | null, write: () => void): void {
    const before = this.#owner;
    this.#owner = owner;
    write();
    this.#owner = before;
  }

  #line(text: string): void {
    this.lines.push({ text, owner: this.#owner });
  }

  #pick<Item>(items: readonly Item[]): Item {
    const item = items[this.#dice.below(items.length)];
    if (item === undefined) throw new Error("nothing to pick");
    return item;
  }

  #shuffled<Item>(items: readonly Item[]): Item[] {
    const left = [...items];
    return items.flatMap(() => left.splice(this.#dice.below(left.length), 1));
  }
}

function isInBlock(what: What): boolean {
  return what === "block" || what === "tombstone" || what === "field";
}

/** The entries of a map, or the items of a list, each with its key or text. */
function entriesOf(content: Exclude<Content, string | null>): [key: string, value: Content][] {
  if (content instanceof Map) return [...content];
  return content.map((one) => [typeof one === "string" ? one : (entriesOf(one ?? [])[0]?.[0] ?? ""), one]);
}
