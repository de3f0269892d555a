// A proxy in front of the sandbox, for responses that the sandbox never sends.

import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { onTestFinished } from "vitest";

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
  const server: Server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(Buffer.from(chunk));
      const made = await answer(request.method ?? "", request.url ?? "", Buffer.concat(chunks).toString());
      if (made === "drop") {
        request.socket.destroy();
        return;
      }
      if (made !== "forward") {
        response.writeHead(made.status, { "content-type": "application/json" }).end(made.body);
        return;
      }
      const { host: _host, connection: _connection, ...headers } = request.headers;
      const body = Buffer.concat(chunks);
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
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
}
