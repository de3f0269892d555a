// Renames as a graph, compared with a slow and simple search for forks and circles. Fails if a circle or fork is missed, reported twice or
// at the wrong block, if a chain is refused, or if the order of the files matters.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Place } from "../../src/domain/place.ts";
import { checkRenames, type RenameNode } from "../../src/domain/renames.ts";

const place = (line: number, column: number): Place => ({ file: "a.yaml", line, column });

/** Block `at` is on line `at + 1`; `from` is the block that it is renamed from, or a key that no block has. */
function node(at: number, from: number | null): RenameNode {
  return {
    kind: "link",
    identity: `link ${at}`,
    key: `k${at}`,
    place: place(at + 1, 3),
    renamedFrom: from === null ? null : { identity: `link ${from}`, key: `k${from}`, place: place(at + 1, 30) },
  };
}

const SIZE = 9;
const targets = fc.array(fc.option(fc.nat(SIZE + 3), { freq: 6 }), { minLength: 1, maxLength: SIZE });

/** The circle from a block back to it; null if there is none, or if it names itself. */
function circleOf(start: number, from: readonly (number | null)[]): number[] | null {
  const walk = [start];
  for (let at = from[start]; at !== undefined && at !== null && walk.length <= from.length; at = from[at]) {
    if (at === start) return walk.length > 1 ? walk : null;
    walk.push(at);
  }
  return null;
}

test("random renames", () => {
  fc.assert(
    fc.property(targets, fc.infiniteStream(fc.nat(1000)), (from, dice) => {
      const nodes = from.map((target, at) => node(at, target));
      const found = checkRenames(nodes);
      const circles = from.flatMap((_, at) => {
        const circle = circleOf(at, from);
        // Reported once, at the first block.
        return circle === null || Math.min(...circle) !== at
          ? []
          : [{ line: at + 1, keys: circle.map((k) => `k${k}`) }];
      });
      const forks = from.flatMap((target, at) => {
        const isSecond = target !== null && target !== at && from.some((t, b) => b < at && t === target && b !== t);
        return isSecond ? [at + 1] : [];
      });
      const told = (code: string): typeof found => found.filter((diagnostic) => diagnostic.code === code);
      expect(told("renamed-twice").map((diagnostic) => diagnostic.place?.line)).toEqual(forks);
      expect(
        told("rename-cycle").map(({ place: at, message }) => ({
          line: at?.line,
          keys: [...message.matchAll(/`(k\d+)` from/g)].map(([, key]) => key),
        })),
      ).toEqual(circles);
      expect(found).toHaveLength(forks.length + circles.length);
      const shuffled = nodes
        .map((one) => ({ one, order: dice.next().value }))
        .toSorted((a, b) => a.order - b.order)
        .map(({ one }) => one);
      expect(checkRenames(shuffled)).toEqual(found);
    }),
    { numRuns: 2000 },
  );
});

test("a chain of ten thousand is no circle, and a circle of ten thousand is one", () => {
  const chain = Array.from({ length: 10_000 }, (_, at) => node(at, at + 1));
  expect(checkRenames(chain)).toEqual([]);
  expect(checkRenames([...chain, node(10_000, 0)]).map(({ code }) => code)).toEqual(["rename-cycle"]);
});
