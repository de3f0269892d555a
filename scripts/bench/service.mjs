// The service of the benchmarks, in a separate process: a sandbox behind a proxy that adds latency and keeps the pages of lists, so that
// the service takes little of the time that is measured. Talks to its parent: gets { seed, latency }, sends { url, apiKey }; gets
// { log: true } to send every request since the last time.

import { once } from "node:events";
import { createServer, request } from "node:http";
import { buffer } from "node:stream/consumers";
import { startSandbox } from "../../dist/sandbox.js";

const log = [];
const kept = new Map();

process.once("message", async ({ seed, latency }) => {
  const sandbox = await startSandbox({ rateLimit: 0, seed });
  const server = createServer(async (incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const body = await buffer(incoming);
    const begun = performance.now();
    log.push({ method, path: url, type: headers["content-type"], body: body.toString() });
    if (method !== "GET") kept.clear();
    const answer = kept.get(url) ?? (await forward(sandbox.port, { method, path: url, headers }, body));
    if (method === "GET" && answer.status === 200) kept.set(url, answer);
    const left = Math.max(latency - (performance.now() - begun), 0);
    setTimeout(() => outgoing.writeHead(answer.status, answer.headers).end(answer.body), left);
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, "127.0.0.1", () => {
    process.send({ url: `http://127.0.0.1:${server.address().port}`, apiKey: sandbox.apiKey });
  });
  process.on("message", () => process.send({ log: log.splice(0) }));
});
process.once("disconnect", () => process.exit());

/** The answer of the sandbox. Links in it name the proxy, because the sandbox takes its address from the request. */
async function forward(port, options, body) {
  const outgoing = request({ port, host: "127.0.0.1", ...options }).end(body);
  const [answer] = await once(outgoing, "response");
  const { connection: _, "keep-alive": __, "transfer-encoding": ___, ...headers } = answer.headers;
  return { status: answer.statusCode, headers, body: await buffer(answer) };
}
