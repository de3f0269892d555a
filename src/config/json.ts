// Parses JSON resource files into the same tree as YAML. JSON.parse has no positions and accepts duplicate keys.

import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { SourceText, type Place } from "../domain/place.ts";
import { CONFLICT_MARK, conflictIn, TOO_DEEP_HINT } from "./yaml-errors.ts";
import {
  DEPTH_LIMIT,
  duplicateKey,
  isNull,
  prototypeKey,
  type ScalarNode,
  type TreeEntry,
  type TreeNode,
} from "./yaml.ts";

/** Whether a file is read as JSON, because of its name. */
export function isJsonFile(file: string): boolean {
  return /\.json$/i.test(file);
}

/** The error for a command that would have to edit a JSON file. `what` is the start of the sentence "… it is declared in". */
export function generatedFile(what: string, place: Place): Diagnostic {
  const message = `${what} it is declared in the JSON file ${place.file}, which linkform does not edit.`;
  const hint = "Change the source that generates the file, and generate it again.";
  return error("generated-file", message, place, hint);
}

/** Parses a JSON file. After a syntax error there is no document. `ref` is the commit of a file that is not on disk. */
export function parseJson(
  text: string,
  file: string,
  ref: string | null = null,
): { documents: TreeNode[]; diagnostics: Diagnostic[] } {
  const source = new SourceText(text, file, ref);
  const placeAt = (offset: number, end?: number): Place => source.place(offset, end);
  const reader = new JsonReader(text, placeAt);
  try {
    const node = reader.document();
    return { documents: isNull(node) ? [] : [node], diagnostics: reader.diagnostics };
  } catch (cause) {
    if (!(cause instanceof JsonError)) throw cause;
    const conflict = conflictIn({ text, placeAt, conflictAt: text.search(CONFLICT_MARK) });
    const found = error(cause.code, cause.message, placeAt(cause.start, cause.end), cause.hint);
    return { documents: [], diagnostics: [...reader.diagnostics, conflict ?? found] };
  }
}

/** The error that ends the reading. `start` and `end` are offsets. */
class JsonError extends Error {
  readonly code: string;
  readonly start: number;
  readonly end: number;
  readonly hint: string;

  constructor(message: string, hint: string, start: number, end: number, code: string = "json-syntax") {
    super(message);
    this.code = code;
    this.start = start;
    this.end = end;
    this.hint = hint;
  }
}

const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** What people write where JSON needs a value or a quoted key. */
const WORD = /[^\s{}[\],:"'/#]+/y;
/** A part of a text without escapes. JSON forbids control characters in a text. */
// oxlint-disable-next-line no-control-regex
const PLAIN_TEXT = /[^"\\\u0000-\u001f]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

const LITERALS: ReadonlyMap<string, boolean | null> = new Map([
  ["true", true],
  ["false", false],
  ["null", null],
]);

/** Words of other formats. */
const MEANT: ReadonlyMap<string, string> = new Map([
  ["True", "true"],
  ["False", "false"],
  ["None", "null"],
  ["undefined", "null"],
  ["nil", "null"],
]);

const LINE_BREAK_HINT = String.raw`Add the double quote. Write a line break in a text as \n.`;

class JsonReader {
  readonly diagnostics: Diagnostic[] = [];
  readonly #text: string;
  readonly #placeAt: (offset: number, end?: number) => Place;
  #at = 0;

  constructor(text: string, placeAt: (offset: number, end?: number) => Place) {
    this.#text = text;
    this.#placeAt = placeAt;
  }

  document(): TreeNode {
    this.#skipSpace();
    if (this.#at === this.#text.length)
      throw new JsonError("This file is empty, which is not valid JSON.", "Write `{}`, or delete the file.", 0, 0);
    const node = this.#value(0);
    this.#skipSpace();
    if (this.#at === this.#text.length) return node;
    const hint = "A JSON file is a single value. Put all links into one object, or use several files.";
    throw new JsonError("There is more text after the end of the JSON value.", hint, this.#at, this.#at + 1);
  }

  #skipSpace(): void {
    this.#match(SPACE);
    const [first = "", second = ""] = [this.#text[this.#at], this.#text[this.#at + 1]];
    if (first !== "#" && !(first === "/" && (second === "/" || second === "*"))) return;
    const end = this.#text.indexOf("\n", this.#at);
    const hint = "Remove the comment. To keep notes about a link, use its `note` key, or write YAML.";
    throw new JsonError("JSON has no comments.", hint, this.#at, end < 0 ? this.#text.length : end);
  }

  /** The text that a sticky pattern matches here, and moves behind it; empty if it does not match. */
  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? "";
    this.#at += found.length;
    return found;
  }

  #value(depth: number): TreeNode {
    const start = this.#at;
    if (depth > DEPTH_LIMIT) {
      const message = `This is nested more than ${DEPTH_LIMIT} levels deep.`;
      throw new JsonError(message, TOO_DEEP_HINT, start, start + 1, "json-too-deep");
    }
    const first = this.#text[start];
    if (first === "{") return this.#object(depth);
    if (first === "[") return this.#array(depth);
    if (first !== '"') return this.#word(start);
    const text = this.#string();
    return this.#scalar(text, text, start);
  }

  #scalar(text: string, value: ScalarNode["value"], start: number): ScalarNode {
    return { type: "scalar", text, value, place: this.#placeAt(start, this.#at), broken: false };
  }

  /** A number, or a word such as `true`. */
  #word(start: number): ScalarNode {
    const number = this.#match(NUMBER);
    const rest = this.#match(WORD);
    const text = number + rest;
    if (number !== "" && rest === "") return this.#scalar(text, Number(text), start);
    const literal = LITERALS.get(text);
    if (literal !== undefined) return this.#scalar(text, literal, start);
    throw this.#unexpected(start, "a value");
  }

  #object(depth: number): TreeNode {
    const start = this.#at;
    const entries = new Map<string, TreeEntry>();
    let partial = false;
    this.#items("}", () => {
      const keyAt = this.#at;
      if (this.#text[keyAt] !== '"') {
        this.#match(WORD);
        throw this.#unexpected(keyAt, "a key in double quotes");
      }
      const key = this.#string();
      const keyPlace = this.#placeAt(keyAt, this.#at);
      this.#skipSpace();
      if (this.#text[this.#at] !== ":") throw this.#unexpected(this.#at, "a `:` after the key");
      this.#at += 1;
      this.#skipSpace();
      const value = this.#value(depth + 1);
      const first = entries.get(key);
      if (key === "__proto__") this.diagnostics.push(prototypeKey(keyPlace));
      else if (first !== undefined) this.diagnostics.push(duplicateKey(key, keyPlace, first.keyPlace));
      else {
        entries.set(key, { key, keyPlace, value });
        return;
      }
      partial = true;
    });
    const place = this.#placeAt(start, this.#at);
    return { type: "map", entries: [...entries.values()], byKey: entries, place, partial };
  }

  #array(depth: number): TreeNode {
    const start = this.#at;
    const items: TreeNode[] = [];
    this.#items("]", () => items.push(this.#value(depth + 1)));
    return { type: "list", items, place: this.#placeAt(start, this.#at) };
  }

  /** Reads the items between brackets, with a comma between two of them. */
  #items(close: "}" | "]", read: () => void): void {
    this.#at += 1;
    this.#skipSpace();
    if (this.#text[this.#at] === close) {
      this.#at += 1;
      return;
    }
    for (;;) {
      read();
      const end = this.#at;
      this.#skipSpace();
      const comma = this.#at;
      const next = this.#text[comma];
      if (next === close) {
        this.#at += 1;
        return;
      }
      if (next === undefined) throw this.#unexpected(comma, `\`${close}\``);
      if (next !== ",")
        throw new JsonError(`A comma or \`${close}\` is missing.`, "Add a comma after this value.", end - 1, end);
      this.#at += 1;
      this.#skipSpace();
      if (this.#text[this.#at] === close)
        throw new JsonError(`The last value has a comma after it.`, "Remove the comma.", comma, comma + 1);
    }
  }

  /** The text of a string in double quotes. */
  #string(): string {
    const start = this.#at;
    this.#at += 1;
    this.#match(PLAIN_TEXT);
    while (this.#text[this.#at] === "\\") {
      const at = this.#at;
      const escape = this.#match(ESCAPE);
      if (escape === "") {
        const hint = String.raw`Write a backslash as \\.`;
        throw new JsonError(`\`${this.#text.slice(at, at + 2)}\` is not an escape of JSON.`, hint, at, at + 2);
      }
      this.#match(PLAIN_TEXT);
    }
    const next = this.#text[this.#at];
    if (next === undefined) throw this.#unexpected(this.#at, "a double quote");
    if (next === "\n" || next === "\r")
      throw new JsonError("This text has no closing double quote on its line.", LINE_BREAK_HINT, start, this.#at);
    if (next !== '"') {
      const code = next.charCodeAt(0).toString(16).padStart(4, "0");
      const hint = String.raw`Write it as \u${code}, or remove it.`;
      throw new JsonError("A control character is not allowed in a JSON text.", hint, this.#at, this.#at + 1);
    }
    this.#at += 1;
    const source = this.#text.slice(start, this.#at);
    const text = source.includes("\\") ? String(JSON.parse(source)) : source.slice(1, -1);
    if (/\p{Cs}/u.test(text)) {
      const hint = String.raw`Write both halves, such as \ud83d\ude00, or the character itself.`;
      throw new JsonError(String.raw`A \u escape is only one half of a character.`, hint, start, this.#at);
    }
    return text;
  }

  /** The error for the text from `start` to here, or for the next character. */
  #unexpected(start: number, wanted: string): JsonError {
    const end = Math.max(this.#at, start + 1);
    const found = this.#text.slice(start, end);
    if (found === "") {
      const hint = "The file may be incomplete. Write it again.";
      return new JsonError(`The file ends where ${wanted} is expected.`, hint, start, start);
    }
    // The word may be a password, so the message does not repeat it.
    const message = `Expected ${wanted}.`;
    const meant = MEANT.get(found);
    const hint =
      meant !== undefined
        ? `Write \`${meant}\`.`
        : /^[{}[\],:]$/.test(found)
          ? "Check the brackets and commas before it."
          : /^[+.\d-]/.test(found)
            ? "Write a number such as 7 or -1.5, without leading zeros. Put text into double quotes."
            : "Put keys and text into double quotes.";
    return new JsonError(message, hint, start, end);
  }
}
