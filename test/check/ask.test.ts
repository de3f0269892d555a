import { expect, it } from "vitest";
import { askAll } from "../../src/check/ask.ts";
import { fastClock } from "../support/clock.ts";
import { KINDS, Network } from "./network.ts";

it("each kind of answer has its verdict", async () => {
  const clock = fastClock(50);
  const network = new Network(clock);
  const expected = new Map<string, unknown>();
  const named = new Map<string, string>();
  for (const [name, kind] of Object.entries(KINDS)) {
    const url = await network.add(kind);
    named.set(url, name);
    expected.set(name, [kind.verdict, kind.reason, kind.redirects ?? 0]);
  }
  const answers = await askAll([...named.keys()], {
    clock,
    signal: new AbortController().signal,
    deadline: null,
    version: "1.2.3",
    never: new Set(["go.test"]),
    env: {},
    allowed: network.allowed,
    lookup: network.lookup,
  });
  const found = new Map([...answers].map(([url, a]) => [named.get(url), [a.verdict, a.reason, a.redirects.length]]));
  expect(found).toEqual(expected);
  expect(network.faults).toEqual([]);
});
