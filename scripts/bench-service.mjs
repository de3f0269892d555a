// The service of the benchmarks, in a separate process: a sandbox behind a proxy that adds latency and keeps the pages of lists, so that
// the service takes little of the time that is measured. Talks to its parent: gets { seed, latency }, sends { url, apiKey }; gets
// { log: true } to send every request since the last time. With { rows }, the account has that many links like the newest one of the seed:
// they are computed for each page, and take no memory.

import { createServer, request } from "node:http";
import { startSandbox } from "../dist/sandbox.js";

let log = [];
const kept = new Map();

process.once("message", async ({ seed, latency, rows = null }) => {
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
      const isList = rows !== null && method === "GET" && /\/links\?/.test(url);
      const answer = isList
        ? await computed(sandbox.port, { url, headers }, rows)
        : (kept.get(url) ?? (await forward(sandbox.port, { method, url, headers, body })));
      if (method === "GET" && !isList && answer.status === 200) kept.set(url, answer);
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

/** A page of computed links, by id or by a search for one alias. */
async function computed(port, { url, headers }, rows) {
  const { pathname, searchParams: query } = new URL(url, "http://127.0.0.1");
  const { body } = await forward(port, { method: "GET", url: `${pathname}?per_page=100`, headers });
  const {
    data: [like],
    ...rest
  } = JSON.parse(body);
  const searched = /^link-(\d{7})$/.exec(query.get("search") ?? "");
  const [number, size] = [Number(query.get("page") ?? 1), Number(query.get("per_page") ?? 10)];
  const first = searched === null ? (number - 1) * size : Number(searched[1]);
  const count = searched === null ? Math.max(Math.min(size, rows - first), 0) : Number(first < rows);
  const data = Array.from({ length: count }, (_, at) => rowOf(like, first + at));
  const total = searched === null ? rows : count;
  const last = Math.max(Math.ceil(total / size), 1);
  const links = {
    ...rest.links,
    prev: null,
    next: number < last ? `http://127.0.0.1${pathname}?page=${number + 1}` : null,
  };
  const meta = { ...rest.meta, current_page: number, last_page: last, per_page: String(size), total };
  return {
    status: 200,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...rest, data, links, meta }),
  };
}

/** The link of this number, from 0 on. */
function rowOf(like, n) {
  const alias = `link-${String(n).padStart(7, "0")}`;
  return {
    ...like,
    id: n + 1,
    alias,
    short_url: like.short_url.replace(/[^/]*$/, alias),
    url: `https://www.example.com/articles/${n}`,
  };
}

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
