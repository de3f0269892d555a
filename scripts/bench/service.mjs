// The service of the benchmarks, in a separate process: a sandbox behind a proxy that adds latency and keeps the pages of lists, so that
// the service takes little of the time that is measured. Talks to its parent: gets { seed, latency }, sends { url, apiKey }; gets
// { log: true } to send every request since the last time.

import { createServer, request } from "node:http";
import { startSandbox } from "../../dist/sandbox.js";

let log = [];
const kept = new Map();

process.once("message", async ({ seed, latency }) => {
  const sandbox = await startSandbox({ rateLimit: 0, seed });
  const server = createServer((incoming, outgoing) => {
    const chunks = [];
    incoming.on("data", (chunk) => chunks.push(chunk));
    incoming.on("end", async () => {
      const { method, url, headers } = incoming;
      const body = Buffer.concat(chunks);
      const begun = performance.now();
      log.push({ method, path: url, type: headers["content-type"], body: body.toString() });
      if (method !== "GET") kept.clear();
      const answer = kept.get(url) ?? (await forward(sandbox.port, { method, url, headers, body }));
      if (method === "GET" && answer.status === 200) kept.set(url, answer);
      setTimeout(
        () => outgoing.writeHead(answer.status, answer.headers).end(answer.body),
        Math.max(latency - (performance.now() - begun), 0),
      );
    });
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, "127.0.0.1", () => {
    process.send({ url: `http://127.0.0.1:${server.address().port}`, apiKey: sandbox.apiKey });
  });
  process.on("message", (message) => {
    process.send({ log: message.log === true ? log.splice(0) : [] });
  });
});
process.once("disconnect", () => process.exit());

/** The answer of the sandbox. Links in it name the proxy, because the sandbox takes its address from the request. */
function forward(port, { method, url, headers, body }) {
  return new Promise((resolve, reject) => {
    const outgoing = request({ port, host: "127.0.0.1", method, path: url, headers }, (answer) => {
      const chunks = [];
      answer.on("data", (chunk) => chunks.push(chunk));
      answer.on("end", () => {
        const { connection: _, "keep-alive": __, "transfer-encoding": ___, ...rest } = answer.headers;
        resolve({ status: answer.statusCode, headers: rest, body: Buffer.concat(chunks) });
      });
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}
