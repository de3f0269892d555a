// Chains and cycles of renames of any length; their reports are in fixtures/config/invalid/together-rename*. Fails if a walk is repeated
// for each of its blocks, or put on the call stack.
import { expect, test } from "vitest";
import { checkRenames, type RenameNode } from "../../src/domain/renames.ts";

/** Block `at` is on line `at + 1`, and renamed from another block. */
function node(at: number, from: number): RenameNode {
  const place = { file: "a.yaml", line: at + 1, column: 3 };
  const renamedFrom = { identity: `link ${from}`, key: `k${from}`, place };
  return { kind: "link", identity: `link ${at}`, key: `k${at}`, place, renamedFrom };
}

test("a chain of ten thousand is no circle, and a circle of ten thousand is one", () => {
  const chain = Array.from({ length: 10_000 }, (_, at) => node(at, at + 1));
  expect(checkRenames(chain)).toEqual([]);
  expect(checkRenames([...chain, node(10_000, 0)]).map(({ code }) => code)).toEqual(["rename-cycle"]);
});
