// A proxy in front of the sandbox, for responses that the sandbox never sends.

import { createServer } from "node:http";
import { onTestFinished } from "vitest";
import { bytesOf, listen } from "./http.ts";

/** How a proxy handles a request. */
export type Answer = { readonly status: number; readonly body: string } | "drop" | "forward";

/** Headers of the service that the proxy forwards. */
const PASSED_ON = /^(content-type|retry-after|x-ratelimit-.*)$/;

/**
 * Starts a proxy that may answer a request itself. "drop" closes the connection. `rewrite` changes forwarded responses. Returns its
 * address.
 */
export async function startProxy(
  target: string,
  answer: (method: string, url: string, body: string) => Answer | Promise<Answer>,
  rewrite: (body: string, url: string) => string = (body) => body,
): Promise<string> {
  const server = createServer((request, response) => {
    void (async () => {
      const body = await bytesOf(request);
      const made = await answer(request.method ?? "", request.url ?? "", body.toString());
      if (made === "drop") {
        request.socket.destroy();
        return;
      }
      if (made !== "forward") {
        response.writeHead(made.status, { "content-type": "application/json" }).end(made.body);
        return;
      }
      const { host: _host, connection: _connection, ...headers } = request.headers;
      const forwarded = await fetch(`${target}${request.url}`, {
        method: request.method ?? "GET",
        headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
        redirect: "manual",
        ...(body.length > 0 ? { body } : {}),
      });
      const kept = [...forwarded.headers].filter(([name]) => PASSED_ON.test(name));
      response
        .writeHead(forwarded.status, Object.fromEntries(kept))
        .end(rewrite(await forwarded.text(), request.url ?? ""));
    })();
  });
  onTestFinished(() => void server.close());
  return listen(server);
}
