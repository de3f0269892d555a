// A service that is down for a while: all requests wait while one retries, and in the end linkform gives up.

import { expect, test } from "vitest";
import { UserError } from "../../src/errors.ts";
import type { Notice } from "../../src/service/transport.ts";
import { fastClock, holdingClock } from "../support/clock.ts";
import { connect, startServer, type Answering, type Reply } from "./server.ts";

const WORKERS = Array.from({ length: 10 }, (_, at) => at + 1);

/** Breaks the connection until this number of requests have come. */
function goneFor(count: number, asked: () => number): Answering {
  return ({ path }, response) => {
    if (asked() > count) return { json: { data: { id: Number(path.split("/").at(-1)) }, status: 200 } };
    response.socket?.destroy();
    return null;
  };
}

// Fails if each of ten workers retries separately: fifty requests in an outage of seconds.
test("one request retries, and the others wait until it succeeds", async () => {
  let asked = 0;
  const server = await startServer((one, response) => {
    asked += 1;
    return goneFor(13, () => asked)(one, response);
  });
  const notices: Notice[] = [];
  // No wait ends before all ten have failed. On a busy machine, the last one would count as a second outage.
  const clock = holdingClock(() => notices.filter(({ what }) => what === "retry").length >= WORKERS.length);
  const { client } = connect(server.url, { clock, tell: (notice) => void notices.push(notice) });
  await Promise.all(WORKERS.map((id) => client.update("link", id, "url=a")));
  // Ten requests when it went down, three single retries, and ten that were answered.
  expect(asked).toBe(23);
  const waits = notices.flatMap((notice) => (notice.what === "wait" ? [notice] : []));
  expect(waits.map(({ why }) => why)).toEqual(["outage", "outage", "outage", "outage"]);
  // Each may be twice as long as the one before, and half of it is random.
  const seconds = waits.map((wait) => wait.seconds);
  expect(seconds.every((wait, at) => wait >= 0.25 * 2 ** at && wait <= 0.5 * 2 ** at)).toBe(true);
});

// Fails if linkform never gives up, or if only one of the workers stops.
test("all requests fail if the service does not come back", async () => {
  let asked = 0;
  const server = await startServer((_one, response) => {
    asked += 1;
    response.socket?.destroy();
    return null;
  });
  const clock = fastClock(500);
  const { client, transport } = connect(server.url, { clock });
  const before = clock.now();
  const ends = await Promise.allSettled(WORKERS.map((id) => client.store("link", `url=${id}`)));
  expect(ends.every(({ status }) => status === "rejected")).toBe(true);
  // A store is not retried directly. The reads that look for its record are, five times each.
  for (let reading = 0; reading < 3; reading += 1) await client.show("link", 1).catch(() => null);
  const last = await client.show("link", 1).catch((cause: unknown) => cause);
  expect(last).toMatchObject({ code: "service-down" });
  expect(last).toBeInstanceOf(UserError);
  const sent = transport.requests;
  await expect(client.update("link", 1, "url=a")).rejects.toMatchObject({ code: "service-down" });
  expect(transport.requests).toBe(sent);
  expect(asked).toBe(sent);
  expect(clock.now() - before).toBeGreaterThan(20_000);
});

// Fails if errors for a single request of a working service make all others wait.
test.each<[string, Reply]>([
  ["500", { status: 500, json: { message: "Server Error" } }],
  ["422", { status: 422, json: { message: { url: ["Invalid."] }, status: 422 } }],
  ["404", { status: 404, json: { message: "Resource not found.", status: 404 } }],
])("%s is no outage", async (_what, reply) => {
  const server = await startServer(() => reply);
  const notices: Notice[] = [];
  const { client } = connect(server.url, { tell: (notice) => void notices.push(notice) });
  await Promise.allSettled(WORKERS.map((id) => client.update("link", id, "url=a")));
  expect(notices.filter(({ what }) => what === "wait")).toEqual([]);
});
