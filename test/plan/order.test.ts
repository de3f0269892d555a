// The order of changes in reports. Fails if changes that end a short URL are not first, if changes left from before precede those of this
// pull request, or if links precede the pixels that they use or are not sorted by key.

import { expect, it } from "vitest";
import { sortForDisplay } from "../../src/plan/order.ts";
import { create, GO, liveLink, livePixel, remove, update } from "../report/plans.ts";

const url = [{ path: "url", before: "https://example.com/", after: "https://example.com/new" }] as const;

it("losses for visitors, other visible changes, the rest; each by origin, kind and key", () => {
  const ordered = [
    remove(liveLink("z"), { origin: "drift" }),
    update(liveLink("y"), { fields: url, origin: "declared here" }),
    update(liveLink("x"), { fields: url, origin: "both" }),
    update(liveLink("w"), { fields: url, origin: "pending" }),
    update(liveLink("v"), { fields: url, origin: "drift" }),
    update(liveLink("u"), { fields: url }),
    create("Main", {}, "pixel"),
    remove(livePixel("Old")),
    create(`${GO}/a`),
    create(`${GO}/b`),
  ];
  const keys = ordered.map(({ key }) => key);
  expect(sortForDisplay(ordered.toReversed()).map(({ key }) => key)).toEqual(keys);
  expect(sortForDisplay(ordered).map(({ key }) => key)).toEqual(keys);
});
