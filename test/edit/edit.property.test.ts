// Random edits of random YAML files. Fails if a file does not say what it should after them, if an unrelated line or comment changes, if
// setting an existing value changes a character, or if too many edits are left alone.

import * as fc from "fast-check";
import { expect, it } from "vitest";
import { parseYaml } from "../../src/config/yaml-errors.ts";
import { entry, type TreeNode } from "../../src/config/yaml.ts";
import type { Place } from "../../src/domain/place.ts";
import { writeEdits, type Edit } from "../../src/edit/writer.ts";
import { isBlock, type YamlContent } from "../../src/edit/yaml-text.ts";
import { runs } from "../support/states.ts";
import { anyDice, RandomFile, type Dice } from "./random-file.ts";

const FILE = "links/a.yaml";
const RUNS = runs(150);
const KINDS = { links: "link", pixels: "pixel" } as const;
const SECTIONS = ["links", "pixels"] as const;

/** A value as linkform reads it: source texts, lists, and maps without their order. */
type Content = string | null | Content[] | Map<string, Content>;

/** What a file says: blocks by section and key, and the ids of tombstones. */
type Model = Map<string, Content>;

function documentsIn(text: string): TreeNode[] {
  const { documents, diagnostics } = parseYaml(text.replace(/^\uFEFF/, ""), FILE);
  if (diagnostics.length > 0) throw new Error(`${diagnostics.map(({ message }) => message).join(" ")}\n${text}`);
  return documents;
}

function contentOf(node: TreeNode): Content {
  if (node.type === "list") return node.items.map(contentOf);
  if (node.type === "map") return new Map(node.entries.map(({ key, value }) => [key, contentOf(value)]));
  return node.value === null ? null : node.text;
}

function contentFor(content: YamlContent): Content {
  if (content === null || typeof content !== "object") return content === null ? null : String(content);
  if (!isBlock(content)) return [...content];
  return new Map(content.entries.map(({ key, value }) => [key, contentFor(value)]));
}

interface Found {
  readonly section: (typeof SECTIONS)[number];
  readonly key: string;
  readonly place: Place;
  readonly isTombstone: boolean;
}

/** The keys of a map, or of a list of keys and maps. */
function keysIn(node: TreeNode | undefined): { key: string; place: Place; value?: TreeNode }[] {
  if (node?.type === "map") return node.entries.map(({ key, keyPlace, value }) => ({ key, place: keyPlace, value }));
  if (node?.type !== "list") return [];
  return node.items.flatMap((item) => (item.type === "scalar" ? { key: item.text, place: item.place } : keysIn(item)));
}

/** The blocks and tombstones of a text, and what it says. */
function read(text: string): { readonly found: Found[]; readonly model: Model } {
  const found: Found[] = [];
  const model: Model = new Map();
  for (const document of documentsIn(text))
    for (const section of SECTIONS) {
      const blocks = entry(document, section)?.value;
      for (const { key, place, value } of blocks?.type === "map" ? keysIn(blocks) : []) {
        found.push({ section, key, place, isTombstone: false });
        model.set(`${section} ${key}`, value === undefined ? null : contentOf(value));
      }
      for (const { key, place, value } of keysIn(entry(entry(document, "absent")?.value, section)?.value)) {
        found.push({ section, key, place, isTombstone: true });
        const id = entry(value, "id")?.value;
        model.set(`absent ${section} ${key}`, id === undefined ? null : contentOf(id));
      }
    }
  return { found, model };
}

interface Trial {
  readonly edit: Edit;
  readonly apply: (model: Model) => void;
  /** The key of the block that it changes, whose lines may differ. */
  readonly touches: string | null;
  /** Whether comments of the block may go. They stay with another key, and in the tombstone of a block outside braces. */
  readonly drops: boolean;
}

function randomTrial(at: Found, random: RandomFile, fresh: string | undefined, { below }: Dice): Trial | null {
  const { section, key, place } = at;
  const kind = KINDS[section];
  const name = `${section} ${key}`;
  if (at.isTombstone)
    return {
      edit: (file) => file.remove({ place }),
      apply: (model) => model.delete(`absent ${name}`),
      touches: key,
      drops: true,
    };
  const what = below(fresh === undefined ? 4 : 7);
  if (what < 2) {
    const parts = ["url", "space", "disabled", "pixels", "expiration", "targeting"].flatMap((field) =>
      below(2) === 0 ? [] : randomPart(field, random.someText(), below),
    );
    return {
      edit: (file) => file.change(place, kind, new Map(parts)),
      apply: (model) => {
        for (const part of parts) setPart(model.get(name), part, kind === "link");
      },
      touches: key,
      drops: true,
    };
  }
  if (what === 2)
    return { edit: (file) => file.remove({ place }), apply: (model) => model.delete(name), touches: key, drops: true };
  if (what === 3) {
    const id = below(2) === 0 ? null : 12;
    return {
      edit: (file) => {
        file.remove({ place });
        file.addTombstone(place, kind, key, id);
      },
      apply: (model) => {
        model.delete(name);
        model.set(`absent ${name}`, id === null ? null : String(id));
      },
      touches: key,
      drops: random.shared.has(key),
    };
  }
  const other = fresh ?? "";
  if (what === 4)
    return {
      edit: (file) => file.change(place, kind, new Map(), other),
      apply: (model) => {
        model.set(`${section} ${other}`, model.get(name) ?? null);
        model.delete(name);
      },
      touches: key,
      drops: false,
    };
  const value = {
    entries: [
      { key: "url", value: random.someText() },
      { key: "pixels", value: ["a", "b: c"] },
    ],
  };
  return {
    edit: (file) => file.add(kind, { key: other, value }, what === 5 ? place : null),
    apply: (model) => model.set(`${section} ${other}`, contentFor(value)),
    touches: null,
    drops: false,
  };
}

type Part = [path: string, content: YamlContent | undefined];

function randomPart(field: string, text: string, below: Dice["below"]): Part[] {
  const inner = field === "expiration" && below(2) === 0 ? ["date", "time", "clicks"][below(3)] : undefined;
  const path = inner === undefined ? field : `${field}.${inner}`;
  if (field !== "url" && below(3) === 0) return [[path, undefined]];
  const group: YamlContent = { entries: [{ key: "country", value: { entries: [{ key: "NO", value: text }] } }] };
  const contents: Readonly<Record<string, YamlContent>> = {
    disabled: below(2) === 0,
    space: below(2) === 0 ? null : text,
    pixels: [[], ["Meta main"], ["2024", "Meta main"], ["new: one", "Old, one", "2024"]][below(4)] ?? [],
    targeting: group,
    expiration: below(2) === 0 ? "none" : { entries: [{ key: "date", value: text }] },
  };
  return [[path, inner === undefined ? (contents[field] ?? text) : text]];
}

function setPart(block: Content | undefined, [path, content]: Part, isLink: boolean): void {
  if (!(block instanceof Map)) return;
  const [name = "", ...below] = path.split(".");
  const known = block.get(name);
  if (below.length > 0) {
    const map = known instanceof Map ? known : new Map<string, Content>();
    if (content === undefined && !(known instanceof Map)) return;
    block.set(name, map);
    setPart(map, [below.join("."), content], isLink);
    if (map.size === 0) block.delete(name);
  } else if (content === undefined) block.delete(name);
  else {
    const wanted = contentFor(content);
    // The order of a set has no meaning: its items stay where they are.
    const isSet = isLink && name === "pixels" && Array.isArray(known) && Array.isArray(wanted);
    const kept = isSet ? known.filter((one) => wanted.includes(one)) : [];
    block.set(name, isSet ? [...kept, ...wanted.filter((one) => !kept.includes(one))] : wanted);
  }
}

function sorted(model: Content): unknown {
  if (Array.isArray(model)) return model.map(sorted);
  if (!(model instanceof Map)) return model;
  return [...model].map(([key, one]) => [key, sorted(one)]).toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1));
}

it("changes only what was edited", () => {
  const count = { made: 0, leftAlone: 0 };
  fc.assert(
    fc.property(anyDice, (one) => {
      const random = new RandomFile(one);
      const before = random.text();
      const { found, model } = read(before);
      const fresh = [...random.unusedKeys];
      const trials = found.flatMap((at) => {
        if (one.below(2) === 0) return [];
        return randomTrial(at, random, fresh.pop(), one) ?? [];
      });
      const { text: after, leftAlone } = writeEdits(
        before,
        FILE,
        trials.map(({ edit }) => edit),
      );
      const made = trials.filter(({ edit }) => !leftAlone.has(edit));
      count.made += made.length;
      count.leftAlone += leftAlone.size;
      for (const { apply } of made) apply(model);
      expect({ before, after, says: sorted(read(after).model) }).toEqual({ before, after, says: sorted(model) });
      const touched = new Set(made.map(({ touches }) => touches));
      const dropped = new Set(made.map(({ touches, drops }) => (drops ? touches : null)));
      expect({ before, after, ...formOf(after, before) }).toEqual({ before, after, ...formOf(before, before) });
      expect({
        before,
        after,
        lost: lostLines(random, after, touched),
        comments: lostComments(random, after, dropped),
      }).toEqual({ before, after, lost: [], comments: [] });
    }),
    { numRuns: RUNS },
  );
  expect(count.leftAlone).toBeLessThan(count.made / 3);
});

it("changes nothing if all values stay the same", () => {
  fc.assert(
    fc.property(anyDice, (one) => {
      const random = new RandomFile(one);
      const text = random.text();
      const { found, model } = read(text);
      const edits = found.map(({ section, key, place }): Edit => {
        const block = model.get(`${section} ${key}`);
        const parts = [...(block instanceof Map ? block : [])].flatMap(([name, content]) =>
          typeof content === "string" && content !== "none" ? [[name, content] as const] : [],
        );
        return (file) => file.change(place, KINDS[section], new Map(parts));
      });
      // In a block with an alias, setting an equal value replaces the alias.
      const own = edits.filter((_, at) => found[at]?.isTombstone === false && !random.users.has(found[at].key));
      expect(writeEdits(text, FILE, own).text).toBe(text);
    }),
    { numRuns: RUNS },
  );
});

/** What no edit changes: the byte order mark, the line endings, and whether the last line has one. */
function formOf(text: string, original: string): object {
  const isWindows = original.includes("\r\n");
  const other = isWindows ? text.replaceAll("\r\n", "").includes("\n") : text.includes("\r");
  const isOpen = !original.endsWith("\n") && text.trim() !== "" ? !text.endsWith("\n") : true;
  return { mark: text.startsWith("\uFEFF"), other, isOpen };
}

/** The first line of an unchanged block that is not in its old place among the other lines. */
function lostLines(random: RandomFile, after: string, touched: ReadonlySet<string | null>): string[] {
  const kept = random.lines.flatMap(({ owner, text }) =>
    text.trim() === "" ||
    owner === "flow" ||
    owner === null ||
    touched.has(owner) ||
    random.users.has(owner) ||
    random.shared.has(owner)
      ? []
      : [text],
  );
  let next = 0;
  for (const line of after.replace(/^\uFEFF/, "").split(/\r?\n/)) {
    const wanted = kept[next];
    // An edit of a section may drop spaces at the end of the line above it, and indent a comment below it.
    const isComment = line.trimStart().startsWith("#") && line.trim() === wanted?.trim();
    if (isComment || line.trimEnd() === wanted?.trimEnd()) next += 1;
  }
  return kept.slice(next, next + 1);
}

function lostComments(random: RandomFile, after: string, dropped: ReadonlySet<string | null>): string[] {
  return [...random.comments].flatMap(([name, owner]) =>
    (owner !== null && dropped.has(owner)) || after.includes(`# ${name}`) ? [] : [name],
  );
}
