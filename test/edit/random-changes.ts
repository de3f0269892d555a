// Random changes to a random file: made to the text by linkform, and to its content by simple code.

import type { EditedFile } from "../../src/edit/edited-file.ts";
import type { Place } from "../../src/domain/place.ts";
import type { YamlContent } from "../../src/edit/yaml-text.ts";
import { contentOf, saidOf, value, valueOf, type Value } from "./random-value.ts";
import type { Dice, RandomDocument, RandomFile } from "./random-file.ts";

export interface Done {
  /** Changed blocks and tombstones. */
  readonly touched: Set<string>;
  /** Removed ones, whose comments are removed, too. */
  readonly removed: Set<string>;
  /** Fields in which more than a scalar changed, as `key field`. */
  readonly rewritten: Set<string>;
}

const KINDS = { links: "link", pixels: "pixel" } as const;

export function changeAtRandom(
  random: RandomFile,
  file: EditedFile,
  placeOf: (section: string, key: string) => Place,
  dice: Dice,
): Done {
  const done: Done = { touched: new Set(), removed: new Set(), rewritten: new Set() };
  const fresh = [...random.unusedKeys];
  const changesOwners = dice.below(2) === 0;
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[dice.below(items.length)];
    if (item === undefined) throw new Error("nothing to pick");
    return item;
  };
  for (const document of random.documents) {
    for (const section of ["links", "pixels"] as const) {
      const blocks = document[section];
      const tombstones = [...document.absent[section].keys()];
      const keys = [...blocks.keys()];
      for (const key of keys) {
        // A change of a shared value affects all its users, which are then not compared.
        if (random.owners.has(key) && random.users.has(key)) continue;
        if (changesOwners ? random.users.has(key) : random.owners.has(key)) continue;
        changeBlock({ document, section, key, place: placeOf(section, key) });
      }
      for (const key of tombstones) {
        if (dice.below(4) > 0) continue;
        const place = placeOf(`absent.${section}`, key);
        file.remove(place);
        document.absent[section].delete(key);
        done.touched.add(key);
        done.removed.add(key);
      }
    }
  }
  for (const section of ["links", "pixels"] as const) {
    const key = fresh.pop();
    if (key === undefined || dice.below(3) > 0) continue;
    const block = { entries: [{ key: "url", value: random.someText() }] };
    const document = random.documents.findLast((one) => one[section].size > 0 || hasSection(random, one, section));
    file.add(KINDS[section], key, block, null);
    (document ?? lastDocument(random))[section].set(key, valueOf(block));
  }
  return done;

  function changeBlock(at: { document: RandomDocument; section: "links" | "pixels"; key: string; place: Place }): void {
    const { document, section, key, place } = at;
    const block = document[section].get(key);
    if (block === undefined) throw new Error(key);
    const what = pick([
      "nothing",
      "nothing",
      "edit",
      "edit",
      "edit",
      "remove",
      "tombstone",
      "replace",
      "rename",
      "add",
    ]);
    const isAlias = random.aliased.has(key);
    if (what === "nothing" || (what === "edit" && isAlias)) return;
    const next = what === "rename" || what === "add" ? fresh.pop() : "";
    if (next === undefined) return;
    done.touched.add(key);
    if (what === "edit") {
      editFields(section, block, key, place);
    } else if (what === "remove" || what === "tombstone") {
      document[section].delete(key);
      if (what === "remove") {
        file.remove(place);
        done.removed.add(key);
      } else {
        const id = pick([null, 12]);
        file.addTombstone(place, KINDS[section], key, id);
        document.absent[section].set(key, id === null ? null : String(id));
      }
    } else if (what === "replace") {
      const content = { entries: [{ key: "url", value: random.someText() }] };
      file.replace(place, content);
      done.removed.add(key);
      if (isAlias) document[section].set(key, valueOf(content));
      else block.content = valueOf(content).content;
    } else if (what === "rename") {
      file.rename(place, next);
      document[section].delete(key);
      document[section].set(next, block);
    } else {
      const content = {
        entries: [
          { key: "url", value: random.someText() },
          { key: "pixels", value: ["a", "b: c"] },
        ],
      };
      const isAfter = dice.below(2) === 0;
      file.add(KINDS[section], next, content, isAfter ? { after: place } : { before: place });
      document[section].set(next, valueOf(content));
    }
  }

  function editFields(section: string, block: Value, key: string, place: Place): void {
    if (!(block.content instanceof Map)) throw new Error("no map");
    const fields = block.content;
    const isShared = random.owners.has(key) || random.users.has(key);
    for (const name of ["url", "space", "disabled", "pixels", "expiration", "targeting"]) {
      if (dice.below(2) === 0) continue;
      const known = fields.get(name);
      if (name === "expiration" && dice.below(2) === 0 && !isShared) {
        setMember(fields, key, place, known);
      } else if (dice.below(3) === 0 && name !== "url") {
        file.unset(place, [name]);
        fields.delete(name);
        done.rewritten.add(`${key} ${name}`);
      } else {
        const content = newContent(name, random.someText());
        file.set(place, [name], content, ["url", "space", "pixels", "disabled", "expiration"]);
        const wanted = valueOf(content);
        if (name === "pixels" && section === "links" && Array.isArray(known?.content))
          wanted.content = inOrder(known.content, wanted);
        // An alias is removed, an anchor stays.
        if (known === undefined || !random.owners.has(key)) fields.set(name, wanted);
        else if (!same(known, content)) known.content = wanted.content;
        if (typeof content === "object") done.rewritten.add(`${key} ${name}`);
        if (known !== undefined && typeof known.content !== "string") done.rewritten.add(`${key} ${name}`);
        if (name === "expiration") done.rewritten.add(`${key} ${name}`);
      }
    }
  }

  /** A member of a group, which may exist, have another value, or not exist. */
  function setMember(fields: Map<string, Value>, key: string, place: Place, known: Value | undefined): void {
    const name = pick(["date", "clicks", "time"]);
    done.rewritten.add(`${key} expiration`);
    if (dice.below(3) === 0) {
      file.unset(place, ["expiration", name]);
      if (!(known?.content instanceof Map)) return;
      known.content.delete(name);
      if (known.content.size === 0) fields.delete("expiration");
      return;
    }
    const text = random.someText();
    file.set(place, ["expiration", name], text, ["date", "time", "clicks"]);
    const group = known ?? value(new Map());
    if (!(group.content instanceof Map)) group.content = new Map();
    group.content.set(name, value(text));
    fields.set("expiration", group);
  }

  function newContent(name: string, text: string): YamlContent {
    if (name === "disabled") return dice.below(2) === 0;
    if (name === "space") return pick([text, null]);
    if (name === "pixels") return pick([[], ["Meta main"], ["2024", "Meta main"], ["new: one", "Old, one", "2024"]]);
    if (name === "targeting") {
      const country = { entries: [{ key: "NO", value: text }, ...pick([[], [{ key: "US", value: "x" }]])] };
      return { entries: [{ key: "country", value: country }] };
    }
    if (name === "expiration")
      return pick([name === "expiration" ? "none" : text, { entries: [{ key: "date", value: text }] }]);
    return text;
  }
}

/** Existing pixels keep their order. */
function inOrder(before: readonly Value[], { content }: Value): Value[] {
  const wanted = Array.isArray(content) ? content : [];
  const has = (all: readonly Value[], one: Value): boolean => all.some((other) => other.content === one.content);
  return [...before.filter((one) => has(wanted, one)), ...wanted.filter((one) => !has(before, one))];
}

function same(known: Value, content: YamlContent): boolean {
  return JSON.stringify(saidOf(known)) === JSON.stringify(saidOf(valueOf(content)));
}

function hasSection(random: RandomFile, document: RandomDocument, section: string): boolean {
  return random.sections.get(document)?.has(section) === true;
}

function lastDocument(random: RandomFile): RandomDocument {
  const document = random.documents.findLast((one) => (random.sections.get(one)?.size ?? 0) > 0);
  if (document !== undefined) return document;
  const last = random.documents.at(-1);
  if (last === undefined) throw new Error("no document");
  return last;
}

/** All existing values, set again. */
export function setWhatIsThere(
  random: RandomFile,
  file: EditedFile,
  placeOf: (section: string, key: string) => Place,
): void {
  for (const document of random.documents) {
    for (const section of ["links", "pixels"] as const) {
      for (const [key, block] of document[section]) {
        if (random.aliased.has(key) || !(block.content instanceof Map)) continue;
        for (const [name, one] of block.content) file.set(placeOf(section, key), [name], contentOf(one));
      }
    }
  }
}
