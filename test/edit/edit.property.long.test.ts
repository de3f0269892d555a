// Random edits of random YAML files. Fails if a file does not declare what it should, if an unrelated line or comment changes,
// or if setting an existing value changes a character.

import * as fc from "fast-check";
import { expect, it } from "vitest";
import { EditedFile } from "../../src/edit/edited-file.ts";
import { FILE, placeOf, said, type Said } from "./editing.ts";
import { changeAtRandom, setWhatIsThere, type Done } from "./random-changes.ts";
import { RandomFile, type Dice, type RandomDocument } from "./random-file.ts";
import { saidOf, sorted, value } from "./random-value.ts";

const RUNS = Number(process.env["LINKFORM_PROPERTY_RUNS"] ?? 400);

const dice = fc.gen().map((g): Dice => ({ below: (limit) => g(fc.nat, { max: limit - 1 }) }));

it("changes only what was edited", () => {
  fc.assert(
    fc.property(dice, (one) => {
      const random = new RandomFile(one);
      const before = random.text();
      expect({ before, says: normal(said(before)) }).toEqual({ before, says: expected(random.documents) });
      const file = new EditedFile(before, FILE);
      expect(file.text).toBe(before);
      const done = changeAtRandom(random, file, (section, key) => placeOf(before, section, key), one);
      const after = file.text;
      expect({ before, after, says: normal(said(after)) }).toEqual({ before, after, says: expected(random.documents) });
      expect(file.isChanged).toBe(after !== before);
      expect({ before, after, ...formOf(after, before) }).toEqual({ before, after, ...formOf(before, before) });
      expect({
        before,
        after,
        lost: lostLines(random, after, done),
        comments: lostComments(random, after, done),
      }).toEqual({ before, after, lost: [], comments: [] });
    }),
    { numRuns: RUNS },
  );
});

it("changes nothing if all values stay the same", () => {
  fc.assert(
    fc.property(dice, (one) => {
      const random = new RandomFile(one);
      const text = random.text();
      const file = new EditedFile(text, FILE);
      setWhatIsThere(random, file, (section, key) => placeOf(text, section, key));
      expect(file.text).toBe(text);
    }),
    { numRuns: RUNS },
  );
});

/** What no edit changes: the byte order mark, the line endings, and whether the last line has one. */
function formOf(text: string, original: string): object {
  const isWindows = original.includes("\r\n");
  const other = isWindows ? text.replaceAll("\r\n", "").includes("\n") : text.includes("\r");
  const isEmpty = original.replace(/^\uFEFF/, "") === "";
  const isOpen = !isEmpty && !original.endsWith("\n") && text !== "" ? !text.endsWith("\n") : true;
  return { mark: text.startsWith("\uFEFF"), other, isOpen };
}

/** The first line of an unchanged block that is not in its old place among the other lines. */
function lostLines(random: RandomFile, after: string, done: Done): string[] {
  const kept = random.lines.flatMap(({ owner, text }) =>
    text.trim() === "" || owner === "flow" || owner === null || done.touched.has(owner) || random.users.has(owner)
      ? []
      : [text],
  );
  let next = 0;
  for (const line of after.replace(/^\uFEFF/, "").split(/\r?\n/)) {
    const wanted = kept[next];
    // An addition may append a comma, and the removal of the last entry may remove one.
    if (wanted !== undefined && (line === wanted || (random.commas.has(wanted) && bare(line) === bare(wanted))))
      next += 1;
  }
  return kept.slice(next, next + 1);
}

/** Lost comments, except those of removed or replaced text. */
function lostComments(random: RandomFile, after: string, done: Done): string[] {
  return [...random.comments].flatMap(([name, { owner, field }]) => {
    if (owner !== null && (done.removed.has(owner) || done.rewritten.has(`${owner} ${String(field)}`))) return [];
    return after.includes(`# ${name}`) ? [] : [name];
  });
}

function bare(line: string): string {
  return line.replaceAll(",", "");
}

/** The content of documents without irrelevant differences: empty sections, and the forms of tombstones. */
function normal(documents: readonly Said[]): Said[] {
  const all = documents.map((document) => {
    const [links, pixels, absent] = ["links", "pixels", "absent"].map((name) => at(document, name));
    return { pairs: [...filled("links", links), ...filled("pixels", pixels), ...tombstones(absent)] };
  });
  return all.filter(({ pairs }) => pairs.length > 0).map(sorted);
}

function filled(name: string, said_: Said | undefined): [string, Said][] {
  return said_ !== null &&
    said_ !== undefined &&
    typeof said_ === "object" &&
    "pairs" in said_ &&
    said_.pairs.length > 0
    ? [[name, said_]]
    : [];
}

function tombstones(absent: Said | undefined): [string, Said][] {
  return ["links", "pixels"].flatMap((kind): [string, Said][] => {
    const all = absent === undefined ? [] : entriesOf(at(absent, kind));
    return all.length === 0 ? [] : [[`absent.${kind}`, { pairs: all }]];
  });
}

function entriesOf(said_: Said | undefined): [string, Said][] {
  if (said_ === undefined || said_ === null) return [];
  if (typeof said_ === "string") return [[said_, null]];
  if ("pairs" in said_) return said_.pairs.map(([key, one]) => [key, (one && at(one, "id")) ?? null]);
  return said_.flatMap(entriesOf);
}

function at(said_: Said, name: string): Said | undefined {
  if (said_ === null || typeof said_ === "string" || !("pairs" in said_)) return undefined;
  return said_.pairs.find(([key]) => key === name)?.[1];
}

function expected(documents: readonly RandomDocument[]): Said[] {
  const all = documents.map(({ links, pixels, absent }) => ({
    pairs: [
      ...filled("links", saidOf(value(links))),
      ...filled("pixels", saidOf(value(pixels))),
      ...(["links", "pixels"] as const).flatMap((kind): [string, Said][] =>
        absent[kind].size === 0 ? [] : [[`absent.${kind}`, { pairs: [...absent[kind]] }]],
      ),
    ],
  }));
  return all.filter(({ pairs }) => pairs.length > 0).map(sorted);
}
