// `check` on large networks.

import { expect, test } from "vitest";
import { fastClock } from "../support/clock.ts";
import { Network } from "./network.ts";

// Fails if a destination that answers HEAD is asked twice, or if the time grows faster than the requests of the largest host.
test("10,000 links on 3,000 hosts take one request each", async () => {
  const clock = fastClock(50);
  const network = new Network(clock);
  const origin = new URL(await network.add((_request, response) => setTimeout(() => response.end(), 1)));
  const lookup = () => network.lookup(origin.hostname);
  const urls = Array.from({ length: 10_000 }, (_, at) => `http://s${at % 3000}.test:${origin.port}/${at}`);
  const answers = await network.ask(urls, { lookup });
  expect([...answers.values()].filter(({ verdict }) => verdict === "alive")).toHaveLength(10_000);
  expect(network.requests).toBe(10_000);
});
