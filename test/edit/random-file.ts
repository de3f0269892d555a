// Random YAML files built from pieces: comments everywhere, flow and block, anchors, quotes, odd indentation.

import * as fc from "fast-check";

/** Random choices that fast-check can shrink. */
export interface Dice {
  readonly below: (limit: number) => number;
}

export const anyDice: fc.Arbitrary<Dice> = fc.gen().map((g) => ({ below: (limit) => g(fc.nat, { max: limit - 1 }) }));

export interface Line {
  readonly text: string;
  /** The block or tombstone that it belongs to; null for none, "flow" for a line that several share. */
  readonly owner: string | null;
}

/** The value of a key. */
type Content = string | null | Content[] | Map<string, Content>;

type Fields = ReadonlyMap<string, Content>;

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
  #anchors: string[] = [];

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
    this.#anchors = [];
    if (index > 0 || this.#dice.below(3) === 0) this.#line("---");
    this.#loose("");
    if (this.#dice.below(8) === 0) {
      this.#braces();
      return;
    }
    for (const section of this.#shuffled(["links", "pixels", "absent", "defaults"])) {
      if (this.#dice.below(3) === 0) continue;
      if (section === "defaults") this.#line(`defaults: { link: { domain: go.example.com } }${this.#remark()}`);
      else if (section === "absent") this.#absent();
      else this.#section(section);
      this.#loose("");
    }
    if (this.#dice.below(6) === 0) this.#line("...");
  }

  /** A document in braces, on one line or on one line for each section. */
  #braces(): void {
    const kinds = this.#shuffled(["links", "pixels"] as const).slice(0, 1 + this.#dice.below(2));
    const parts = kinds.map((kind) => {
      const blocks = this.#keys.splice(0, 1 + this.#dice.below(2)).map((key) => this.#flowBlock(key));
      return `${this.#flowKey(kind)}: { ${blocks.join(", ")} }`;
    });
    if (this.#dice.below(2) === 0) parts.push(`absent: { links: ${this.#flowTombstones()} }`);
    this.#own("flow", () => {
      if (this.#dice.below(2) === 0) this.#line(`{ ${parts.join(", ")} }${this.#remark()}`);
      else this.#line(`{\n${parts.map((part) => `  ${part}`).join(",\n")}\n}${this.#remark()}`);
    });
  }

  #section(name: string): void {
    const keys = this.#keys.splice(0, this.#dice.below(5));
    const style = keys.length === 0 ? "none" : this.#pick(["block", "block", "block", "flow", "flow lines"]);
    if (style === "none") {
      this.#line(`${name}:${this.#pick(["", " {}", " null"])}${this.#remark()}`);
    } else if (style === "flow") {
      const parts = keys.map((key) => this.#flowBlock(key));
      this.#own("flow", () => this.#line(`${name}: { ${parts.join(", ")}${this.#pick(["", ","])} }${this.#remark()}`));
    } else if (style === "flow lines") {
      this.#own("flow", () => {
        this.#line(`${name}: {${this.#remark()}`);
        for (const [index, key] of keys.entries()) {
          const part = this.#flowBlock(key);
          const comma = index < keys.length - 1 || this.#dice.below(2) === 0 ? "," : "";
          this.#own(key, () => this.#line(`${this.#step}${part}${comma}${this.#remark()}`));
          this.shared.add(key);
        }
        this.#line(`${this.#step}}`);
      });
    } else {
      this.#line(`${name}:${this.#remark()}`);
      const indent = this.#step;
      for (const key of keys) {
        this.#loose(indent);
        this.#own(key, () => {
          // Comments directly above it belong to it.
          while (this.#dice.below(3) === 2) this.#line(`${indent}${this.#comment()}`);
          this.#block(key, indent);
        });
      }
      this.#loose(indent);
    }
  }

  /** Lines that belong to no block. An empty line separates a comment from the next block. */
  #loose(indent: string): void {
    if (this.#dice.below(3) === 0) this.#line(this.#pick(["", "  ", ""]));
    if (this.#dice.below(3) > 0) return;
    this.#line("");
    while (this.#dice.below(2) === 1) this.#line(`${this.#pick([indent, ""])}${this.#comment()}`);
    this.#line("");
  }

  #flowBlock(key: string): string {
    const parts = [...this.#fields()].map(([name, one]) => `${this.#flowKey(name)}: ${this.#flow(one)}`);
    return `${this.#flowKey(key)}: { ${parts.join(", ")} }`;
  }

  #fields(): Fields {
    const fields = new Map<string, Content>([["url", this.someText()]]);
    const optional: [string, () => Content][] = [
      ["space", () => this.#pick([null, "Marketing", "0"])],
      ["disabled", () => this.#pick(["true", "false"])],
      ["pixels", () => this.#shuffled(["Meta main", "Old, one", "2024"]).slice(0, this.#dice.below(4))],
      ["expiration", () => this.#expiration()],
      ["targeting", () => new Map([["country", this.#urls(["DE", "NO"])]])],
      ["note", () => "two\nlines"],
    ];
    for (const [name, make] of this.#shuffled(optional)) if (this.#dice.below(3) === 0) fields.set(name, make());
    return fields;
  }

  #expiration(): Content {
    const parts = new Map([
      ["date", "2027-03-31"],
      ["clicks", "5000"],
      ["url", this.someText()],
    ]);
    return this.#pick<Content>(["none", parts]);
  }

  #urls(keys: readonly string[]): Map<string, Content> {
    return new Map(keys.map((key) => [key, this.someText()]));
  }

  #block(key: string, indent: string): void {
    const shared = this.#anchors.filter((name) => name.startsWith("b"));
    const alias = shared.length > 0 && this.#dice.below(5) === 0 ? this.#pick(shared) : undefined;
    if (alias !== undefined) {
      this.users.add(key);
      this.#line(`${indent}${this.#keyText(key)}: *${alias}${this.#remark()}`);
      return;
    }
    if (this.#dice.below(5) === 0) {
      this.#line(`${indent}${this.#flowBlock(key)}${this.#remark()}`);
      return;
    }
    const fields = this.#fields();
    const anchor = this.#dice.below(5) === 0 ? ` &${this.#anchor("b")}` : "";
    const isExplicit = this.#dice.below(8) === 0;
    const isCompact = anchor === "" && this.#dice.below(10) === 0;
    const inner = isCompact ? `${indent}  ` : indent + this.#step;
    if (isCompact) {
      this.#line(`${indent}? ${this.#keyText(key)}${this.#remark()}`);
      // The first field follows the colon.
      this.#line(`${indent}: url: ${this.#scalar(textOf(fields.get("url")), false)}${this.#remark()}`);
    } else if (isExplicit) {
      this.#line(`${indent}? ${this.#keyText(key)}${this.#remark()}`);
      this.#line(`${indent}:${anchor}${this.#remark()}`);
    } else this.#line(`${indent}${this.#keyText(key)}:${anchor}${this.#remark()}`);
    for (const [name, one] of fields) {
      if (isCompact && name === "url") continue;
      if (this.#dice.below(5) === 0) this.#line(`${inner}${this.#comment()}`);
      if (this.#dice.below(8) === 0) this.#line("");
      this.#fieldLines(key, name, one, inner);
    }
    if (this.#dice.below(5) === 0) this.#line(`${inner}${this.#comment()}`);
  }

  #fieldLines(key: string, name: string, content: Content, indent: string): void {
    const known = this.#anchors.filter((anchor) => anchor.startsWith(name));
    const alias = known.length > 0 && this.#dice.below(3) === 0 ? this.#pick(known) : undefined;
    if (alias !== undefined) {
      this.users.add(key);
      this.#line(`${indent}${name}: *${alias}${this.#remark()}`);
      return;
    }
    const canShare = name === "url" || name === "expiration";
    const anchor = canShare && this.#dice.below(5) === 0 ? `&${this.#anchor(name)} ` : "";
    const next = indent + this.#step;
    if (name === "note") {
      this.#line(`${indent}note: |-${this.#remark()}`);
      for (const line of ["two", "lines"]) this.#line(`${next}${line}`);
    } else if (content === null) {
      this.#line(`${indent}${name}:${this.#pick(["", " null", " ~"])}${this.#remark()}`);
    } else if (typeof content === "string" && content.includes(" ") && anchor === "" && this.#dice.below(3) === 0) {
      // In quotes, a line break is a space.
      const [first = "", ...rest] = content.split(" ");
      this.#line(`${indent}${name}: ${JSON.stringify(first).slice(0, -1)}`);
      this.#line(`${next}${JSON.stringify(rest.join(" ")).slice(1)}${this.#remark()}`);
    } else if (content instanceof Map && this.#dice.below(4) === 0) {
      this.#line(`${indent}${name}: ${anchor}{${this.#remark()}`);
      const parts = [...content].map(([key_, item]) => `${this.#flowKey(key_)}: ${this.#flow(item)}`);
      for (const [index, part] of parts.entries()) {
        if (this.#dice.below(4) === 0) this.#line(`${next}${this.#comment()}`);
        const comma = index < parts.length - 1 || this.#dice.below(3) === 0 ? "," : "";
        this.#line(`${next}${part}${comma}${this.#remark()}`);
      }
      this.#line(`${next}}${this.#remark()}`);
    } else if (Array.isArray(content) && content.length > 0 && this.#dice.below(4) === 0) {
      this.#line(`${indent}${name}:${this.#remark()}`);
      const parts = content.map((item) => this.#flow(item));
      this.#line(`${next}[ ${parts[0] ?? ""}${parts.length > 1 ? "," : ""}${this.#remark()}`);
      this.#line(`${next}${parts.slice(1).join(" , ")} ]${this.#remark()}`);
    } else if (typeof content === "string") {
      const isTagged = anchor === "" && name === "url" && this.#dice.below(8) === 0;
      const text = `${isTagged ? "!!str " : ""}${anchor}${this.#scalar(content, false)}`;
      const style = this.#dice.below(8);
      if (style === 0) {
        this.#line(`${indent}? ${name}${this.#remark()}`);
        this.#line(`${indent}: ${text}${this.#remark()}`);
      } else if (style === 1) {
        this.#line(`${indent}${name}:${this.#remark()}`);
        this.#line(`${next}${text}${this.#remark()}`);
      } else this.#line(`${indent}${name}:${this.#pick([" ", "  "])}${text}${this.#remark()}`);
    } else if (this.#dice.below(3) === 0 || (Array.isArray(content) ? content.length === 0 : false)) {
      this.#line(`${indent}${name}: ${anchor}${this.#flow(content)}${this.#remark()}`);
    } else if (Array.isArray(content)) {
      this.#line(`${indent}${name}:${this.#remark()}`);
      const dash = this.#pick([indent, next]);
      for (const item of content) this.#line(`${dash}- ${this.#scalar(textOf(item), false)}${this.#remark()}`);
    } else {
      this.#line(`${indent}${name}:${anchor === "" ? "" : ` ${anchor.trim()}`}${this.#remark()}`);
      for (const [inner, item] of content) {
        if (item instanceof Map) {
          this.#line(`${next}${inner}:${this.#remark()}`);
          for (const [last, end] of item)
            this.#line(`${next}${this.#step}${last}: ${this.#flow(end)}${this.#remark()}`);
        } else this.#line(`${next}${inner}: ${this.#scalar(textOf(item), false)}${this.#remark()}`);
      }
    }
  }

  #absent(): void {
    const kinds = this.#shuffled(["links", "pixels"] as const).slice(0, 1 + this.#dice.below(2));
    if (this.#dice.below(3) === 0) {
      const parts = kinds.map((kind) => `${kind}: ${this.#flowTombstones()}`);
      this.#own("flow", () => this.#line(`absent: { ${parts.join(", ")} }${this.#remark()}`));
      return;
    }
    this.#line(`absent:${this.#remark()}`);
    for (const kind of kinds) {
      if (this.#dice.below(3) === 0) {
        this.#own("flow", () => this.#line(`${this.#step}${kind}: ${this.#flowTombstones()}${this.#remark()}`));
        continue;
      }
      this.#line(`${this.#step}${kind}:${this.#remark()}`);
      const isMap = this.#dice.below(2) === 0;
      const indent = isMap ? this.#step + this.#step : this.#pick([this.#step, this.#step + this.#step]);
      for (const key of this.#keys.splice(0, 1 + this.#dice.below(2))) {
        const id = this.#pick([null, "7"]);
        this.shared.add(key);
        const other = isMap || id === null || this.#dice.below(3) > 0 ? undefined : this.#keys.pop();
        if (other !== undefined) {
          // Two in one map of a list: the second replaces the first.
          this.users.add(other);
          this.#own(key, () => this.#line(`${indent}- ${this.#keyText(key)}: { id: ${id} }${this.#remark()}`));
          this.#own(other, () => {
            if (this.#dice.below(3) === 0) this.#line(`${indent}  ${this.#comment()}`);
            this.#line(`${indent}  ${this.#keyText(other)}: { id: ${id} }${this.#remark()}`);
          });
          continue;
        }
        this.#own(key, () => {
          if (this.#dice.below(4) === 0) this.#line(`${indent}${this.#comment()}`);
          const named = `${this.#keyText(key)}:${id === null ? "" : ` { id: ${id} }`}`;
          this.#line(`${indent}${isMap ? named : `- ${id === null ? this.#keyText(key) : named}`}${this.#remark()}`);
        });
      }
    }
  }

  #flowTombstones(): string {
    const keys = this.#keys.splice(0, 1 + this.#dice.below(3));
    const isMap = this.#dice.below(2) === 0;
    const parts = keys.map((key) => {
      const id = this.#pick([null, "7"]);
      if (id === null) return this.#flowKey(key);
      const named = `${this.#flowKey(key)}: { id: ${id} }`;
      return isMap ? named : this.#pick([named, `{ ${named} }`]);
    });
    return isMap ? `{ ${parts.join(", ")} }` : `[${parts.join(", ")}]`;
  }

  #anchor(prefix: string): string {
    const name = `${prefix}${this.#anchors.length}`;
    this.#anchors.push(name);
    return name;
  }

  #flow(content: Content): string {
    if (content === null) return this.#pick(["null", "~"]);
    if (typeof content === "string") return this.#scalar(content, true);
    if (Array.isArray(content)) return `[${content.map((one) => this.#flow(one)).join(", ")}]`;
    return `{ ${[...content].map(([key, one]) => `${key}: ${this.#flow(one)}`).join(", ")} }`;
  }

  /** Words of YAML keep their type, so that they differ from texts. */
  #scalar(text: string, isFlow: boolean): string {
    if (["true", "false"].includes(text)) return text;
    if (text.includes("\n")) return JSON.stringify(text);
    const styles = [JSON.stringify(text), `'${text.replaceAll("'", "''")}'`];
    const isPlain = SAFE.test(text) && !/: | #|:$|\s$/.test(text) && !(isFlow && /[,[\]{}]/.test(text));
    return this.#pick(isPlain ? [text, text, ...styles] : styles);
  }

  #keyText(key: string): string {
    return this.#scalar(key, false);
  }

  #flowKey(key: string): string {
    return this.#scalar(key, true);
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

  #own(owner: string, write: () => void): void {
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

function textOf(content: Content | undefined): string {
  if (typeof content !== "string") throw new Error("no scalar");
  return content;
}
