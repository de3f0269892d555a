// A layer in front of the sandbox for responses that the sandbox never sends. It ends with the test.

import { onTestFinished } from "vitest";
import { fastClock } from "./clock.ts";
import { startLayer } from "./layer.ts";

/** How a proxy handles a request. */
export type Answer = { readonly status: number; readonly body: string } | "drop" | "forward";

/**
 * Starts a proxy that may answer a request itself. "drop" closes the connection. `rewrite` changes forwarded responses. Returns its
 * address.
 */
export async function startProxy(
  target: string,
  answer: (method: string, url: string, body: string) => Answer | Promise<Answer>,
  rewrite: (body: string, url: string) => string = (body) => body,
): Promise<string> {
  const layer = await startLayer(target, fastClock(1), {
    at: () => true,
    strike: async ({ asked: { method, url, body }, forward, answer: send, drop }) => {
      const made = await answer(method, url, body.toString());
      if (made === "drop") return drop();
      if (made !== "forward")
        return send({ ...made, headers: { "content-type": "application/json" }, body: Buffer.from(made.body) });
      const answered = await forward();
      send({ ...answered, body: Buffer.from(rewrite(answered.body.toString(), url)) });
    },
  });
  onTestFinished(() => layer.close());
  return layer.url;
}
