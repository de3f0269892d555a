// How long the client waits for a response: undici counts these timeouts in real seconds.

import { expect, test } from "vitest";
import { fastClock } from "../support/clock.ts";
import { connect, failure, startServer, type Answering } from "./server.ts";
import { call, JSON_TYPE, sendEach, TRIES } from "./sending.ts";

const stalled: Answering = (_asked, response) => {
  response.writeHead(200, JSON_TYPE).write('{"data":{');
  return null;
};

// Fails if linkform waits forever for a response, or for the rest of one.
test("half a minute without a response, or without the rest of it, is temporary: sent five times, a store once", async () => {
  const hold = async (answering: Answering, part: string, status: number | null): Promise<void> => {
    const { url } = await startServer(answering);
    for (const { method, error, sent } of await sendEach(url, { clock: fastClock(500) })) {
      expect([method, sent]).toEqual([method, method === "POST" ? 1 : TRIES]);
      expect(error).toMatchObject({ code: "timeout", status, aftermath: "unknown", neverSent: false });
      expect(error.message).toMatch(/^127\.0\.0\.1:\d+ did not respond in time/);
      expect(error.message).toContain(`(UND_ERR_${part}_TIMEOUT)`);
    }
    // A tenth of the time, with a margin for a busy machine.
    const before = performance.now();
    await failure(connect(url, { clock: fastClock(10) }).transport.send(call("POST")));
    expect(performance.now() - before).toBeGreaterThanOrEqual(3000);
    expect(performance.now() - before).toBeLessThan(12_000);
  };
  await Promise.all([hold(() => null, "HEADERS", null), hold(stalled, "BODY", 200)]);
});

/** Never stops, so that no timeout between two parts ends it. */
const dripping =
  (start: string): Answering =>
  (_asked, response) => {
    response.socket?.write(start);
    const drip = setInterval(() => response.socket?.write(start.endsWith("\n") ? " " : "x"), 10);
    response.socket?.on("close", () => clearInterval(drip));
    return null;
  };

// Fails if linkform waits forever for a response that comes byte by byte.
test.each<[string, string, number | null]>([
  ["body", "HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n", 200],
  ["header", "HTTP/1.1 200 OK\r\nx: ", null],
])(
  "a response whose %s comes byte by byte ends after a minute: sent twice, a store once",
  async (_part, start, status) => {
    const { url } = await startServer(dripping(start));
    const clock = { ...fastClock(1000), real: (ms: number): number => ms / 100 };
    for (const { method, error, sent } of await sendEach(url, { clock })) {
      expect([method, sent]).toEqual([method, method === "POST" ? 1 : 2]);
      expect(error).toMatchObject({ code: "timeout", status, aftermath: "unknown", neverSent: false });
      expect(error.message).toMatch(/^The response from 127\.0\.0\.1:\d+ was not complete after 60 seconds\.$/);
    }
  },
);
