// YAML text -> a tree in which every key and value keeps its place and its source text.

import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseAllDocuments,
  type Node as YamlNode,
  type Pair,
  Scalar,
} from "yaml";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import type { Place } from "../domain/place.ts";

/** A single value. `text` is what stands in the source, so `0123` and `on` are what they look like. */
export interface ScalarNode {
  readonly type: "scalar";
  readonly text: string;
  /** What YAML 1.2 takes it for. */
  readonly value: string | number | boolean | null;
  readonly place: Place;
}

export interface Entry {
  readonly key: string;
  readonly keyPlace: Place;
  readonly value: Node;
}

export interface MapNode {
  readonly type: "map";
  readonly entries: readonly Entry[];
  readonly place: Place;
}

export interface ListNode {
  readonly type: "list";
  readonly items: readonly Node[];
  readonly place: Place;
}

export type Node = ScalarNode | MapNode | ListNode;

/** How many nodes aliases may unfold to in one file: far above honest use, far below what hurts. */
const ALIAS_LIMIT = 100_000;
const DEPTH_LIMIT = 100;

/**
 * Parses a file's text, which may hold several documents; empty ones are left out. Every mistake of the syntax is
 * returned, and documents that have one are left out as well.
 */
export function parseYaml(text: string, file: string): { documents: Node[]; diagnostics: Diagnostic[] } {
  const lines = new LineCounter();
  const diagnostics: Diagnostic[] = [];
  const placeAt = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const documents: Node[] = [];
  const parsed = parseAllDocuments(text, {
    lineCounter: lines,
    // The default is quadratic, and says nothing of the other place; `Reader.map` does both.
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: "silent",
    schema: "core",
    version: "1.2",
  });
  // With no document at all the library answers with an empty marker instead of a list.
  for (const document of Array.isArray(parsed) ? parsed : []) {
    for (const problem of document.errors) {
      diagnostics.push(
        error(
          "yaml-syntax",
          `${sentence(problem.message)}.`,
          placeAt(problem.pos[0]),
          YAML_HINTS.get(problem.code) ?? null,
        ),
      );
    }
    if (document.errors.length > 0 || document.contents === null) continue;
    const reader = new Reader(placeAt);
    const node = reader.read(document.contents, 0);
    diagnostics.push(...reader.diagnostics);
    if (!isEmpty(node)) documents.push(node);
  }
  return { documents, diagnostics };
}

const YAML_HINTS = new Map<string, string>([
  ["TAB_AS_INDENT", "Indent with spaces."],
  ["BAD_INDENT", "Line this up with the lines it belongs to."],
  ["MISSING_CHAR", "Close the quote or bracket, or quote the whole value."],
  ["BLOCK_AS_IMPLICIT_KEY", "Put quotes around a value that holds `: `."],
]);

function isEmpty(node: Node): boolean {
  return node.type === "scalar" && node.value === null;
}

/** The library's sentences, without their full stop and without the example lines that some carry. */
function sentence(message: string): string {
  const line = (message.split("\n")[0] ?? message).trim();
  return line.replace(/[.:]+$/, "");
}

/** Turns the nodes of one document into ours, following aliases within bounds. */
class Reader {
  readonly diagnostics: Diagnostic[] = [];
  readonly #placeAt: (offset: number) => Place;
  readonly #anchors = new Map<string, YamlNode>();
  readonly #open = new Set<YamlNode>();
  #unfolded = 0;
  #inAlias = 0;

  constructor(placeAt: (offset: number) => Place) {
    this.#placeAt = placeAt;
  }

  read(node: YamlNode, depth: number): Node {
    const place = this.#placeAt(node.range?.[0] ?? 0);
    if (this.#inAlias > 0 && ++this.#unfolded > ALIAS_LIMIT) {
      if (this.#unfolded === ALIAS_LIMIT + 1) {
        this.#report(
          "yaml-alias-bomb",
          `The aliases of this file unfold to more than ${ALIAS_LIMIT} values.`,
          place,
          "Write the values out, or use fewer aliases inside aliases.",
        );
      }
      return nothing(place);
    }
    if (depth > DEPTH_LIMIT) {
      this.#report(
        "yaml-too-deep",
        `This is nested more than ${DEPTH_LIMIT} levels deep.`,
        place,
        "No linkform file needs more than six.",
      );
      return nothing(place);
    }
    if (isAlias(node)) return this.#alias(node.source, place, depth);
    if (node.anchor !== undefined) this.#anchors.set(node.anchor, node);
    if (node.tag !== undefined && node.tag.startsWith("!")) {
      this.#report("yaml-tag", `The tag ${node.tag} has no meaning here.`, place, "Remove the tag.");
    }
    this.#open.add(node);
    const read = this.#content(node, place, depth);
    this.#open.delete(node);
    return read;
  }

  #content(node: YamlNode, place: Place, depth: number): Node {
    if (isMap(node)) return this.#map(node.items, place, depth);
    if (isSeq(node)) {
      const items = node.items.map((item) => (isNode(item) ? this.read(item, depth + 1) : nothing(place)));
      return { type: "list", items, place };
    }
    return isScalar(node) ? scalar(node, place) : nothing(place);
  }

  #alias(name: string, place: Place, depth: number): Node {
    const target = this.#anchors.get(name);
    if (target === undefined) {
      this.#report(
        "yaml-alias",
        `No anchor &${name} stands before this alias.`,
        place,
        `Define &${name} earlier in the same document.`,
      );
      return nothing(place);
    }
    if (this.#open.has(target)) {
      this.#report("yaml-alias", `The alias *${name} stands inside its own anchor.`, place, "Move it outside.");
      return nothing(place);
    }
    this.#inAlias += 1;
    const read = this.read(target, depth + 1);
    this.#inAlias -= 1;
    // A mistake in an unfolded value is best seen where the alias was used.
    return { ...read, place };
  }

  #map(pairs: readonly Pair[], place: Place, depth: number): MapNode {
    const entries = new Map<string, Entry>();
    for (const pair of pairs) {
      const key = isAlias(pair.key) ? undefined : pair.key;
      if (!isScalar(key)) {
        this.#report(
          "yaml-key",
          "A key must be plain text.",
          isNode(key) ? this.#placeAt(key.range?.[0] ?? 0) : place,
          "Write `key: value`.",
        );
        continue;
      }
      const keyPlace = this.#placeAt(key.range?.[0] ?? 0);
      const text = sourceOf(key);
      if (text === "<<" && key.type === Scalar.PLAIN) {
        this.#report(
          "yaml-merge-key",
          "YAML merge keys (`<<`) are not followed.",
          keyPlace,
          "Put what the blocks share under `defaults`.",
        );
        continue;
      }
      const first = entries.get(text);
      if (first !== undefined) {
        this.#report(
          "duplicate-key",
          `\`${text}\` stands here twice, first on line ${first.keyPlace.line}.`,
          keyPlace,
          "Remove one of the two.",
        );
        continue;
      }
      const value = isNode(pair.value) ? this.read(pair.value, depth + 1) : nothing(keyPlace);
      entries.set(text, { key: text, keyPlace, value });
    }
    return { type: "map", entries: [...entries.values()], place };
  }

  #report(code: string, message: string, place: Place, hint: string): void {
    this.diagnostics.push(error(code, message, place, hint));
  }
}

function isNode(value: unknown): value is YamlNode {
  return isScalar(value) || isMap(value) || isSeq(value) || isAlias(value);
}

function scalar(node: Scalar, place: Place): ScalarNode {
  const text = sourceOf(node);
  const { value } = node;
  const plain = typeof value === "string" || typeof value === "number" || typeof value === "boolean" || value === null;
  return { type: "scalar", text, value: plain ? value : text, place };
}

/** The source text of a scalar; for a quoted one, what its quotes hold. */
function sourceOf(node: Scalar): string {
  if (node.type === Scalar.PLAIN) return node.source ?? "";
  return typeof node.value === "string" ? node.value : (node.source ?? "");
}

function nothing(place: Place): ScalarNode {
  return { type: "scalar", text: "", value: null, place };
}

/** The value under a key, or undefined. */
export function entry(node: Node | undefined, key: string): Entry | undefined {
  return node?.type === "map" ? node.entries.find((candidate) => candidate.key === key) : undefined;
}

/** Whether a value is YAML's null: `null`, `~`, or nothing at all. */
export function isNull(node: Node): boolean {
  return node.type === "scalar" && node.value === null;
}
