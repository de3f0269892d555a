// A bug in linkform during an apply fails one change. The changes before it are reported anyway.

import { expect, it } from "vitest";
import { fastClock } from "../support/clock.ts";
import { startWith } from "../support/scenario.ts";
import { documentThrough, SERVER_ERROR } from "../support/through.ts";

const MISTAKE = { code: "internal-error", message: "Internal error in linkform: a mistake" };
const FAILED = { outcome: "failed", error: MISTAKE };

it.each<[string, (request: string, stores: number) => boolean, object]>([
  ["made", (request) => request.startsWith("POST"), { outcome: "applied", error: null }],
  ["verified", (request, stores) => request.startsWith("GET") && stores > 0, FAILED],
])("while a change is %s", async (_when, isBroken, first) => {
  const scenario = await startWith(
    "links:\n  go.example.com/new: { url: https://example.com/ }\n  go.example.com/old: { url: https://example.com/2 }\n",
    { links: [{ url: "https://example.com/", domain: 2, alias: "old" }] },
  );
  // linkform draws a random number before a retry.
  const clock = {
    ...fastClock(50),
    random: () => {
      throw new TypeError("a mistake");
    },
  };
  let stores = 0;
  const { exit, document } = await documentThrough(
    scenario,
    (request) => {
      if (isBroken(request, stores)) return SERVER_ERROR;
      if (request.startsWith("POST")) stores += 1;
      return "forward";
    },
    { concurrency: 1 },
    { clock },
  );
  expect(exit).toBe(4);
  // The update comes first, because visitors notice it.
  expect(document.changes).toMatchObject([first, FAILED]);
  expect(scenario.link("old").url).toBe("https://example.com/2");
});
