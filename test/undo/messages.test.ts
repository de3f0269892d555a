// The number of links in the messages of an undo. Fails if a verb or a pronoun does not agree with it.

import { expect, test } from "vitest";
import type { ReceiptChange } from "../../src/domain/receipt.ts";
import { pixelInUse } from "../../src/undo/messages.ts";

const CREATED: ReceiptChange = {
  action: "create",
  kind: "pixel",
  key: "Main",
  previousKey: null,
  keyBefore: null,
  keyAfter: { domain: null, name: "Main" },
  id: null,
  newId: 1,
  clicks: null,
  outcome: "applied",
  mayHaveActed: null,
  before: null,
  after: null,
  place: { file: "receipt.json", line: 1, column: 1, length: 1 },
};

test.each([
  [["a"], "`Main` is not deleted: `a` uses it.", "this link"],
  [["a", "b"], "`Main` is not deleted: `a`, `b` use it.", "these links"],
  [["a", "b", "c", "d"], "`Main` is not deleted: `a`, `b`, `c` and 1 more use it.", "these links"],
])("a pixel that %j use is not deleted", (links, message, them) => {
  const skipped = pixelInUse(CREATED, links);
  expect([skipped.message, skipped.hint]).toEqual([message, `To delete it, remove it from ${them} and undo again.`]);
});
