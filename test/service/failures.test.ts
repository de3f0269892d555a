// Failed requests: which are retried, whether the service may have acted, and what the user sees.

import dns from "node:dns";
import { createServer as createTlsServer } from "node:https";
import { createServer as createTcpServer, type LookupFunction } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import type { ServiceError } from "../../src/errors.ts";
import { connectionError } from "../../src/service/answers.ts";
import type { Notice } from "../../src/service/transport.ts";
import { StillClock } from "../support/clock.ts";
import {
  connect,
  failure,
  linkRow,
  listen,
  shown,
  startReplying,
  startServer,
  type Answering,
  type Reply,
} from "./server.ts";
import { deadPort, selfSigned } from "./sockets.ts";
import { call, hurried, JSON_TYPE, METHODS, sendEach, TRIES } from "./sending.ts";

const constantly =
  (reply: Reply): Answering =>
  () =>
    reply;
const json = (status: number): Answering => constantly({ status, json: { message: `Words of a ${status}.`, status } });
const NOTHING = constantly({ status: 204, body: "" });
const page = (status: number): Answering => constantly({ status, body: `<h1>Page of a ${status}</h1>` });

const dropped: Answering = (_asked, response) => {
  response.socket?.resetAndDestroy();
  return null;
};

const cut: Answering = (_asked, response) => {
  response.writeHead(200, { ...JSON_TYPE, "content-length": "1000" });
  response.write('{"data":{', () => response.socket?.destroy());
  return null;
};

type Row = readonly [
  what: string,
  /** The requests for a read, update or delete. A store is sent once. */
  times: number,
  answering: Answering,
  code: ServiceError["code"],
  status: number | null,
  aftermath: ServiceError["aftermath"],
  says: string,
];

const FAILURES: readonly Row[] = [
  ["a dropped connection", TRIES, dropped, "unreachable", null, "unknown", "was lost before the response was complete"],
  ["a body that is cut", TRIES, cut, "unreachable", 200, "unknown", "was lost before the response was complete"],
  ["JSON that is cut", TRIES, constantly({ headers: JSON_TYPE, body: '{"a' }), "not-json", 200, "unknown", '"{"a"'],
  ["a page", TRIES, page(200), "not-json", 200, "unknown", '(200) is not JSON: "Page of a 200"'],
  ["nothing", TRIES, NOTHING, "not-json", 204, "unknown", "(204) is not JSON: it is empty."],
  ["408", TRIES, json(408), "refused", 408, "unknown", "(408): Words of a 408."],
  ["425", TRIES, json(425), "refused", 425, "unknown", "(425): Words of a 425."],
  ["500", TRIES, json(500), "server-error", 500, "ended", "(500): Words of a 500."],
  ["500 as a page", TRIES, page(500), "not-json", 500, "unknown", '(500) is not JSON: "Page of a 500"'],
  ["502", TRIES, page(502), "not-json", 502, "unknown", '(502) is not JSON: "Page of a 502"'],
  ["503", TRIES, page(503), "not-json", 503, "unknown", '(503) is not JSON: "Page of a 503"'],
  ["503 in JSON", TRIES, json(503), "server-error", 503, "unknown", "(503): Words of a 503."],
  ["504", TRIES, page(504), "not-json", 504, "unknown", '(504) is not JSON: "Page of a 504"'],
  ["400", 1, json(400), "refused", 400, "none", "(400): Words of a 400."],
  ["400 as a page", 1, page(400), "not-json", 400, "none", '"Page of a 400"'],
  ["401", 1, json(401), "unauthenticated", 401, "none", "(401): Words of a 401."],
  ["403", 1, json(403), "forbidden", 403, "none", "(403): Words of a 403."],
  ["404", 1, json(404), "not-found", 404, "none", "(404): Words of a 404."],
  ["404 as a page", 1, page(404), "not-json", 404, "none", '"Page of a 404"'],
  ["405", 1, json(405), "method-refused", 405, "none", "(405): Words of a 405."],
  ["419", 1, json(419), "method-refused", 419, "none", "(419): Words of a 419."],
  ["501", 1, json(501), "server-error", 501, "unknown", "(501): Words of a 501."],
  ["a redirect", 1, constantly({ status: 302, headers: { location: "/login" } }), "redirect", 302, "ended", "to http"],
];

// Fails if a temporary failure fails a run, if a refused request is sent again, if a store that may have worked is sent again, or if a delay is
// not explained.
test.each(FAILURES)("%s: sent %i times, a store once", async (_, times, answering, code, status, aftermath, says) => {
  const { url, asked } = await startServer(answering);
  for (const { method, error, sent, notices } of await sendEach(url)) {
    const expected = method === "POST" ? 1 : times;
    expect([method, sent, asked.filter((one) => one.method === method).length]).toEqual([method, expected, expected]);
    expect(error).toMatchObject({ code, status, aftermath, neverSent: false, mayHaveActed: aftermath !== "none" });
    expect(error.message).toContain(says);
    const tried = Array.from({ length: expected - 1 }, (_none, at) => at + 1);
    expect(notices).toMatchObject(tried.map((tries) => ({ what: "retry", because: error.message, tries })));
  }
});

const UNSENT = { code: "unreachable", status: null, neverSent: true, aftermath: "none", mayHaveActed: false };

// Fails if a wrong address takes 17 s and prints 15 lines.
test("a refused connection at the start: tried twice within 3 s, without a notice", async () => {
  const notices: Notice[] = [];
  const clock = new StillClock();
  const tell = (notice: Notice): void => void notices.push(notice);
  const port = await deadPort();
  const { transport } = connect(`http://127.0.0.1:${port}`, { clock, tell });
  expect(await failure(transport.send(call("POST")))).toMatchObject({
    ...UNSENT,
    message: `linkform cannot connect to 127.0.0.1:${port}: the connection was refused.`,
    hint: "Check the service address (`service.base_url` or `--base-url`) and your network.",
  });
  expect([transport.requests, notices, clock.slept]).toEqual([2, [], [1000]]);
  // The next project of the run does not wait again.
  const errors = await Promise.all(METHODS.map((method) => failure(transport.send(call(method)))));
  expect(errors).toMatchObject(METHODS.map(() => UNSENT));
  expect([transport.requests, notices, clock.slept]).toEqual([2 + METHODS.length, [], [1000]]);
});

// Fails if a restart of the service fails a run. Requests that were never sent may be retried, including stores.
test("a refused connection later in the run: tried five times, including stores, and nothing was sent", async () => {
  const server = await startServer(() => ({ ...shown(linkRow(5)), headers: { connection: "close" } }));
  const { transport } = connect(server.url, { clock: hurried });
  await transport.send(call("GET"));
  server.stop();
  expect(await failure(transport.send(call("POST")))).toMatchObject(UNSENT);
  expect([transport.requests, server.asked.length]).toEqual([1 + TRIES, 1]);
});

// Fails if a request is retried after an invalid certificate.
test("an untrusted certificate is final: tried once, and nothing was sent", async () => {
  const port = await listen(createTlsServer(selfSigned(), (_request, response) => response.end("{}")));
  for (const { error, sent } of await sendEach(`https://127.0.0.1:${port}`)) {
    expect(sent).toBe(1);
    expect(error).toMatchObject({ code: "tls", neverSent: true, aftermath: "none" });
    expect(error.message).toBe(`The certificate of 127.0.0.1:${port} is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT).`);
    expect(error.hint).toContain("NODE_EXTRA_CA_CERTS");
  }
});

/** A service that fails in these ways, one after the other, and then works. */
async function startFailing(...failing: readonly Answering[]): ReturnType<typeof startServer> {
  const left = [...failing];
  return startServer((asked, response) => {
    const next = left.shift();
    if (next !== undefined) return next(asked, response);
    return asked.method === "DELETE" ? { json: { id: 5, deleted: true } } : shown(linkRow(5));
  });
}

// Fails if a request is given up too early, or if the response to a later attempt is ignored.
test("four different failures, then success: the caller sees none", async () => {
  for (const method of ["GET", "PUT", "DELETE"] as const) {
    const { url, asked } = await startFailing(dropped, page(502), json(500), cut);
    const { transport } = connect(url, { clock: hurried });
    await transport.send(call(method));
    expect(asked.map((one) => one.method)).toEqual(Array(TRIES).fill(method));
    expect(new Set(asked.map(({ path, body }) => `${path} ${body}`)).size).toBe(1);
  }
});

// Fails if the last failure hides an earlier uncertain one: a run that changed something would end as "nothing was applied".
test.each<[string, readonly Answering[], ServiceError["code"]]>([
  ["a refusal", [dropped, json(422)], "refused"],
  ["a key that is no longer accepted", [page(504), page(503), json(401)], "unauthenticated"],
])("a write that may have worked, then %s: it may have worked", async (_what, failing, code) => {
  for (const method of ["PUT", "DELETE"] as const) {
    const { url } = await startFailing(...failing);
    const error = await failure(connect(url, { clock: hurried }).transport.send(call(method)));
    expect(error).toMatchObject({ code, mayHaveActed: true, aftermath: "unknown", neverSent: false });
  }
  // A read has no effect.
  const { url } = await startFailing(...failing);
  expect(await failure(connect(url, { clock: hurried }).transport.send(call("GET")))).toMatchObject({
    code,
    mayHaveActed: false,
  });
});

test("a write that may have worked, then a service that is down: it may have worked", async () => {
  const service = await startServer((asked, response) => {
    service.stop();
    return dropped(asked, response);
  });
  const { transport } = connect(service.url, { clock: hurried });
  const error = await failure(transport.send(call("PUT")));
  expect([transport.requests, service.asked.length]).toEqual([TRIES, 1]);
  expect(error.message).toMatch(/^linkform cannot connect to .*: the connection was refused\.$/);
  expect(error).toMatchObject({ code: "unreachable", mayHaveActed: true, aftermath: "unknown", neverSent: false });
});

// Fails if a delete that worked without a response is an error, or is sent to another path.
test("a delete without a response is done when it is sent again", async () => {
  const rows = new Set([5]);
  const { url, asked } = await startServer(({ method, path }, response) => {
    if (!path.startsWith("/api/")) return { status: 405, json: { message: "No." } };
    if (method === "GET" && rows.has(5)) return shown(linkRow(5));
    if (rows.delete(5)) return dropped({ method: "", path, headers: {}, body: "" }, response);
    return { status: 404, json: { message: "Resource not found.", status: 404 } };
  });
  expect(await connect(url, { clock: hurried }).client.delete("link", 5, () => undefined)).toBe(false);
  expect(asked.map(({ method, path }) => `${method} ${path}`)).toEqual([
    "GET /api/v1/links/5",
    "DELETE /links/5/destroy",
    "GET /api/v1/links/5",
    "DELETE /api/v1/links/5",
    "GET /api/v1/links/5",
  ]);
});

const FORM = "url=https%3A%2F%2Fexample.com%2F&domain=2";

// Fails if the status is lost because the body was cut off. A refused write is refused.
test("the connection breaks in the body of a refusal: the service did not act", async () => {
  const { url } = await startServer((_asked, response) => {
    response.writeHead(422, { "content-type": "application/json", "content-length": "1000" });
    response.write('{"message":', () => response.socket?.destroy());
    return null;
  });
  const error = await failure(connect(url).client.store("link", FORM));
  expect(error).toMatchObject({ code: "unreachable", status: 422, mayHaveActed: false });
});

test("https to a port with http: nothing was sent", async () => {
  const { port, asked } = await startReplying({ json: {} });
  const error = await failure(connect(`https://127.0.0.1:${port}`).client.store("link", FORM));
  const hint = "If the server supports only HTTP, use an address that starts with http://.";
  expect(error).toMatchObject({ code: "tls", hint, mayHaveActed: false });
  expect(asked).toEqual([]);
});

test("a response that is not HTTP: an error that says so", async () => {
  const server = createTcpServer((socket) => socket.once("data", () => socket.end("SSH-2.0-OpenSSH_9.6\r\n")));
  const port = await listen(server);
  const error = await failure(connect(`http://127.0.0.1:${port}`).client.list("link"));
  expect(error.message).toMatch(/^The response from 127\.0\.0\.1:\d+ is not valid HTTP \(\w+\)\.$/);
  expect(error.hint).toBe("If the server requires HTTPS, use an address that starts with https://.");
});

// Fails if a wrong address costs a run half a minute. The connection waits for a handshake that never comes.
test("a first connection that is never made: tried once, and nothing was sent", async () => {
  const port = await listen(createTcpServer((socket) => socket.resume()));
  const { transport, client } = connect(`https://127.0.0.1:${port}`);
  const error = await failure(client.list("link"));
  expect([error.code, error.neverSent, transport.requests]).toEqual(["timeout", true, 1]);
});

// Fails if the limit of the first connection includes the answer of a name server, which may be slow where CI jobs run.
test("a name that takes longer to resolve than the first connection may take", async () => {
  const empty = { data: [], meta: { current_page: 1, last_page: 1, total: 0 } };
  const { url } = await startServer(constantly({ json: empty }));
  const { lookup } = dns;
  const slow: LookupFunction = (_name, options, done) =>
    void setTimeout(() => lookup("127.0.0.1", options, done), 2500);
  Object.assign(dns, { lookup: slow });
  onTestFinished(() => void Object.assign(dns, { lookup }));
  const { client } = connect(url.replace("127.0.0.1", "short.example.test"));
  expect((await client.list("link")).records).toEqual([]);
});

test("an error without a code has the code of its first cause that has one", () => {
  const first = Object.assign(new Error("::1"), { code: "ECONNREFUSED" });
  const cause = new TypeError("failed", { cause: new AggregateError([first, new Error("127.0.0.1")]) });
  const of = (from: unknown): string =>
    connectionError({ cause: from, host: "h", connected: false, status: null, proxy: null }).message;
  expect(of(cause)).toBe("linkform cannot connect to h: the connection was refused.");
  expect(of(new RangeError("x"))).toBe("linkform cannot connect to h: RangeError.");
  expect(of("x")).toBe("linkform cannot connect to h: unknown.");
});
