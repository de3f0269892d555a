// The fast reader reads 100,000 random documents and 100,000 damaged files of projects as `yaml` does, or leaves them to it.

import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { damaged, restyled } from "../fuzz/damage.ts";
import { findBases } from "../fuzz/trial.ts";
import { Random } from "../support/random.ts";
import { compareReaders, randomDocument } from "./yaml-documents.ts";

const COUNT = 100_000;
const FIRST = Number(process.env["LINKFORM_TEST_SEED"] ?? Date.now() % 1_000_000_000);

/** The seeds and texts that the two ways read differently, and how many were read the fast way. */
function differences(draw: (random: Random) => string): { different: unknown[]; equal: number } {
  const different: unknown[] = [];
  let equal = 0;
  for (let seed = FIRST; seed < FIRST + COUNT; seed += 1) {
    const text = draw(new Random(seed));
    const result = compareReaders(text);
    if (result === "different") different.push({ seed, text });
    if (result === "equal") equal += 1;
  }
  return { different, equal };
}

// Fails if a random document has another value or place, or a mistake is accepted.
test("random documents", () => {
  const { different, equal } = differences(randomDocument);
  expect(different).toEqual([]);
  expect(equal).toBeGreaterThan(COUNT / 5);
});

// Fails if a damaged file has another value or place, or a mistake is accepted.
test("damaged files", async () => {
  const folders = (await findBases()).map(({ folder }) => folder);
  const names = await Promise.all(
    folders.map(async (folder) =>
      (await readdir(folder, { recursive: true })).flatMap((name) =>
        name.endsWith(".yaml") ? [path.join(folder, name)] : [],
      ),
    ),
  );
  const files = await Promise.all(names.flat().map((name) => readFile(name)));
  const { different, equal } = differences((random) => {
    const change = random.chance(0.5) ? damaged : restyled;
    return change(random.pick(files), random.pick(files), random).toString("utf8");
  });
  expect(different).toEqual([]);
  expect(equal).toBeGreaterThan(COUNT / 5);
});
