// A service that is down for a while: all requests wait while one retries.

import { expect, test } from "vitest";
import type { Notice } from "../../src/service/transport.ts";
import { holdingClock } from "../support/clock.ts";
import { connect, JUST_READ, type Reply, startServer } from "./server.ts";

const WORKERS = Array.from({ length: 10 }, (_, at) => at + 1);

// Fails if each of ten workers retries separately: fifty requests in an outage of seconds.
test.each([0, 502, 503, 504])("one request retries after %i, and the others wait until it succeeds", async (status) => {
  const server = await startServer(({ path }, response) => {
    if (server.asked.length > 13) return { json: { data: { id: Number(path.split("/").at(-1)) }, status: 200 } };
    if (status === 0) response.socket?.destroy();
    return status === 0 ? null : { status };
  });
  const notices: Notice[] = [];
  // No wait ends before all ten have failed. On a busy machine, the last one would count as a second outage.
  const clock = holdingClock(() => notices.filter(({ what }) => what === "retry").length >= WORKERS.length);
  const { client } = connect(server.url, { clock, tell: (notice) => void notices.push(notice) });
  await Promise.all(WORKERS.map((id) => client.update("link", id, "url=a", ...JUST_READ)));
  // Ten requests when it went down, three single retries, and ten that were answered.
  expect(server.asked).toHaveLength(23);
  const waits = notices.flatMap((notice) => (notice.what === "wait" ? [notice] : []));
  expect(waits.map(({ why }) => why)).toEqual(["outage", "outage", "outage", "outage"]);
  // Each may be twice as long as the one before, and half of it is random.
  const seconds = waits.map((wait) => wait.seconds);
  expect(seconds.every((wait, at) => wait >= 0.25 * 2 ** at && wait <= 0.5 * 2 ** at)).toBe(true);
});

// How a run ends if the service does not come back: test/engine/interruption.test.ts.

// Fails if errors for a single request of a working service make all others wait.
test.each<[string, Reply]>([
  ["500", { status: 500, json: { message: "Server Error" } }],
  ["422", { status: 422, json: { message: { url: ["Invalid."] }, status: 422 } }],
])("%s is not an outage", async (_what, reply) => {
  const server = await startServer(() => reply);
  const notices: Notice[] = [];
  const { client } = connect(server.url, { tell: (notice) => void notices.push(notice) });
  await Promise.allSettled(WORKERS.map((id) => client.update("link", id, "url=a", ...JUST_READ)));
  expect(notices.filter(({ what }) => what === "wait")).toEqual([]);
});
