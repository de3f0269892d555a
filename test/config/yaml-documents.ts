// Random YAML: what people write, with a share of rare and wrong things.

import type { Random } from "../support/random.ts";

const SCALARS =
  'a,b,c,d,links,url,https://example.com/a?b=c,spring sale,1,true,null,~,2027-12-31,1.5,x#y,it\'s,\'x\',"y","a\\nb"'.split(
    ",",
  );

const RARE_SCALARS = [
  "0o7¦1e3¦.inf¦-.INF¦.nan¦0x1F¦012¦Null¦NULL¦nULL¦True¦TRUE¦false¦yes¦on¦-1¦+1¦1.50¦-0¦1_000¦1.¦.5¦1e999¦0o8¦0b1",
  '99999999999999999999¦2027-12-31T10:00:00Z¦23:59¦=¦<<¦__proto__¦constructor¦a: b¦a:b¦a #b¦#c¦y"z¦a  b¦a\\b¦{{ a }}',
  "a,b¦a]b¦a}b¦[x¦{y¦- ¦-¦-a¦- - a¦?¦? a¦?a¦:¦::¦:a¦a:¦a: b: c¦&x¦&x a¦*x¦*¦!t¦!!str a¦!¦|¦>¦%d¦@a¦`a¦...¦---¦--- a¦",
  'ünï¦日本¦😀¦\u00a0x¦a\u2028b¦a\u0085b¦\ufeff¦\u0001¦\u007f¦\ud800¦a\tb¦\t¦"\t"¦""¦\'\'¦"a: b"¦\'it\'\'s\'¦"a # b"¦"1"',
  '"\\u00e9"¦"\\x41"¦"\\U0001F600"¦"a\\"b"¦"\\q"¦"\\/"¦"\\ud800"¦"a¦"a\\\n  b"¦"a\n  b"¦"a"b',
  "'a¦'a\n  b'¦'a\n\n  b'¦'null'¦'\n  a \n\n\n  b \n  '¦'a\t\n \tb'",
  '"a\\\n\n  b"¦"a \\\n \n\n  b"¦"\n  a\n  "¦"a\\  \n  b"¦"a\t\n  \tb"¦"a\\n\n\n  \\ b"¦"\\\n  a"¦"a\\\\\n  b"',
  "a\n  b\n\n  c¦a \n    b¦a\n  # c\n  b¦a\t\n  b¦a\n  - b¦a\n  b: c¦a\n\n\n¦- \n  a¦-\ta",
].flatMap((texts) => texts.split("¦"));

/** The document of a seed. The share of rare and wrong things is drawn first, and often is zero. */
export function randomDocument(random: Random): string {
  return new Writer(random).text();
}

class Writer {
  readonly #random: Random;
  readonly #rare: number;
  readonly #lineBreak: string;
  #keys = 0;

  constructor(random: Random) {
    this.#random = random;
    this.#rare = random.pick([0, 0.02, 0.1, 0.3]);
    this.#lineBreak = random.chance(0.1) ? "\r\n" : "\n";
  }

  text(): string {
    const random = this.#random;
    let text = this.#rarely(["\ufeff", "%YAML 1.2\n---\n", "%TAG ! x\n", "...\n", " "], 0.6);
    for (let left = random.pick([1, 1, 1, 1, 2, 3]); left > 0; left -= 1) {
      if (text !== "" || random.chance(0.1))
        text += random.pick(["---", "--- ", "--- # c"]) + this.#rarely([` ${this.#scalar()}`], 1) + this.#lineBreak;
      const kind = random.next();
      if (kind < 0.05) text += this.#flow(0, "") + this.#lineBreak;
      else if (kind < 0.1) text += this.#scalar() + this.#lineBreak;
      else if (kind > 0.15) text += this.#block(0, this.#rarely([" "], 0.3));
      text += this.#emptyLines("") + (random.chance(0.05) ? random.pick(["...", "... # c"]) + this.#lineBreak : "");
    }
    if (random.chance(0.1)) text = text.trimEnd();
    if (!random.chance(this.#rare)) return text;
    const at = random.between(0, text.length);
    const change = random.pick([..."\n \t:#-\"'\r[}", "", "  ", "---\n"]);
    return text.slice(0, at) + change + text.slice(at + random.between(0, 2));
  }

  /** One of these, in a share of the rare cases. */
  #rarely(texts: readonly string[], share: number): string {
    return this.#random.chance(this.#rare * share) ? this.#random.pick(texts) : "";
  }

  #scalar(): string {
    return this.#random.pick(this.#random.chance(this.#rare) ? RARE_SCALARS : SCALARS);
  }

  #key(): string {
    const before = this.#rarely(["? ", "&a ", "!t ", "!!str ", "*a "], 1.5);
    if (this.#random.chance(this.#rare)) return before + this.#scalar();
    const quote = this.#random.pick(["", "", "", "", "'", '"']);
    this.#keys += 1;
    return `${before}${quote}k${this.#keys}${quote}`;
  }

  #comment(): string {
    return this.#random.chance(0.1)
      ? this.#random.pick([" # c", "  # c: d"])
      : this.#rarely(["\t# c", "# c", "\t"], 0.3);
  }

  #emptyLines(indent: string): string {
    let lines = "";
    while (this.#random.chance(0.12))
      lines += this.#random.pick(["", indent, `${indent}# c`, "# c", `${indent}  # c`, "  "]) + this.#lineBreak;
    return lines;
  }

  #flow(depth: number, indent: string): string {
    const random = this.#random;
    if (depth > 3 || random.chance(0.4)) return this.#scalar();
    const isMap = random.chance(0.5);
    const gap = (): string =>
      random.chance(0.08)
        ? `${this.#comment()}${this.#lineBreak}${indent}${random.pick(["  ", "    ", " ", ""])}`
        : random.pick(["", " ", " "]);
    const items = Array.from({ length: random.between(0, 3) }, () => {
      const key = isMap || random.chance(this.#rare) ? this.#key() + (this.#rarely(["", ":", " :"], 1) || ": ") : "";
      return key + (random.chance(this.#rare) ? "" : gap() + this.#flow(depth + 1, indent));
    });
    const end = this.#rarely(["", "]", "}"], 0.3) || (isMap ? "}" : "]");
    return `${isMap ? "{" : "["}${gap()}${items.join(`${gap()},${gap()}`)}${random.chance(0.05) ? "," : ""}${gap()}${end}`;
  }

  #blockScalar(indent: string): string {
    const inner = indent + this.#random.pick(["  ", "  ", " ", "    "]);
    const line = (): string =>
      this.#random.pick([`${inner}text`, `${inner}a: b # c`, "", inner, `${inner}  more`]) +
      this.#rarely(["\t", " ", `${this.#lineBreak}${indent} x`, `${this.#lineBreak}\t`], 1) +
      this.#lineBreak;
    const header = this.#random.pick(["|", ">", "|-", ">-", "|+", ">+", "|2", ">1-"]);
    return header + this.#comment() + this.#lineBreak + this.#random.list(4, line).join("");
  }

  /** What follows a colon or a dash, to the end of the line or the block. */
  #value(depth: number, indent: string): string {
    const random = this.#random;
    const property = this.#rarely(["&a ", "*a", "!t ", "!!str ", "&b "], 1);
    const end = this.#comment() + this.#lineBreak;
    const kind = random.next();
    if (kind < 0.4 || depth > 5) return ` ${property}${random.pick(["", "", "", " "])}${this.#scalar()}${end}`;
    if (kind < 0.45)
      return ` ${this.#scalar()}${this.#lineBreak}${indent} ${random.pick(["", " "])}${this.#scalar()}${end}`;
    if (kind < 0.5) return end;
    if (kind < 0.62) return ` ${property}${this.#flow(0, indent)}${end}`;
    if (kind < 0.68) return ` ${property}${this.#blockScalar(indent)}`;
    const inner = indent + random.pick(["  ", "  ", "  ", " ", "    ", ""]);
    return `${property === "" ? "" : ` ${property}`}${end}${this.#block(depth + 1, inner)}`;
  }

  #block(depth: number, indent: string): string {
    const random = this.#random;
    const isMap = random.chance(0.65);
    const entry = (): string => {
      const before =
        this.#emptyLines(indent) + (this.#rarely([`${indent} `, indent.slice(1), `\t${indent}`], 0.4) || indent);
      const colon = random.chance(0.03) ? " :" : this.#rarely(["", "::"], 0.3) || ":";
      if (isMap) return before + this.#key() + colon + this.#value(depth, indent);
      if (random.chance(0.15)) return `${before}- ${this.#block(depth + 1, `${indent}  `).trimStart()}`;
      return `${before}-${this.#value(depth, indent)}`;
    };
    return random.list(4, entry).join("");
  }
}
