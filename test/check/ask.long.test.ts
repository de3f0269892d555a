// `check` on large networks.

import { expect, test } from "vitest";
import { fastClock } from "../support/clock.ts";
import { Random } from "../support/random.ts";
import { brief, KINDS, Network, redirect, SLOW, status, type Handler } from "./network.ts";

const SEED = Number(process.env["LINKFORM_TEST_SEED"] ?? Date.now());

// Fails if an answer gets another verdict, a host gets two requests at once or within half a second, or a body is read to its end.
test("300 servers that answer in every way", async () => {
  const network = new Network(fastClock(50));
  const expected = await network.addAll(Array.from({ length: 5 }, () => [...KINDS, ...SLOW]).flat());
  expect(expected.size).toBeGreaterThan(300);
  const answers = await network.ask([...expected.keys()]);
  expect(new Map([...answers].map(([url, answer]) => [url, brief(answer)]))).toEqual(expected);
  expect(network.faults).toEqual([]);
  expect(network.most).toBe(16);
  // What fits into the buffers of connections.
  expect(network.bytes / 5).toBeLessThan(2 ** 25);
});

/** A host whose 25 pages answer in random ways, but always in the same one, or without faults if it is asked politely. */
function randomHost(random: Random, others: readonly string[], begun: () => number): Handler {
  const mood = random.pick(["steady", "steady", "down for 20 s", "impatient"]);
  const pages = Array.from({ length: 25 }, () => {
    const get = random.pick([200, 200, 204, 301, 401, 403, 404, 404, 410, 429, 500, 503, 999]);
    // A server may refuse HEAD, but it does not answer HEAD better than GET.
    const head = random.chance(0.6) ? get : random.pick([400, 403, 404, 405, 501, 503]);
    const to = `${random.pick(["/", ...others])}${random.between(0, 24)}`;
    return { head, get, to, isReset: random.chance(0.1) };
  });
  let last = -Infinity;
  return (request, response, before, network) => {
    const now = network.clock.now();
    const isHasty = now - last < 500;
    last = now;
    const page = pages[Number(request.url?.slice(1))] ?? expect.fail();
    const code = request.method === "HEAD" ? page.head : page.get;
    if ((mood === "impatient" && isHasty) || (mood === "down for 20 s" && now < begun() + 20_000))
      status(404)(request, response, before, network);
    else if (page.isReset && request.method === "HEAD") request.socket.destroy();
    else (code === 301 ? redirect(page.to) : status(code))(request, response, before, network);
  };
}

// Fails if an outage of half a minute, a refused HEAD or a hasty request makes a destination dead in one run and not in the next.
test("1,000 random answers have no alarm that a second run takes back", async () => {
  const clock = fastClock(50);
  const network = new Network(clock);
  const random = new Random(SEED);
  let begun = 0;
  const hosts: string[] = [];
  for (let at = 0; at < 40; at += 1) hosts.push(await network.add(randomHost(random, hosts.slice(), () => begun)));
  const urls = hosts.flatMap((host) => Array.from({ length: 25 }, (_, page) => `${host}${page}`));
  const dead: string[][] = [];
  for (let run = 0; run < 2; run += 1) {
    await clock.sleep(500);
    begun = clock.now();
    const answers = await network.ask(urls);
    dead.push([...answers].filter(([, { verdict }]) => verdict === "dead").map(([url]) => url));
  }
  expect(dead[1], `LINKFORM_TEST_SEED=${SEED}`).toEqual(dead[0]);
  expect(dead[0]?.length).toBeGreaterThan(50);
  expect(network.faults).toEqual([]);
});

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
