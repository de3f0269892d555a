// A service that is unreachable, disconnects, or violates the protocol: which error follows, whether the service may have acted, and what
// the user sees.

import { createServer as createTlsServer } from "node:https";
import { createServer as createTcpServer } from "node:net";
import { expect, test } from "vitest";
import { connectionError } from "../../src/service/answers.ts";
import { connect, failure, listen, startReplying, startServer } from "./server.ts";
import { deadPort, selfSigned } from "./sockets.ts";

const FORM = "url=https%3A%2F%2Fexample.com%2F&domain=2";

// Fails if a refused connection counts as sent: a deploy that never reached the service would end as partial.
test("no listener: nothing was sent", async () => {
  const port = await deadPort();
  const error = await failure(connect(`http://127.0.0.1:${port}`).client.store("link", FORM));
  expect(error).toMatchObject({
    code: "unreachable",
    message: `linkform cannot connect to 127.0.0.1:${port}: the connection was refused.`,
    hint: "Check the service address (`service.base_url` or `--base-url`) and your network.",
    status: null,
    mayHaveActed: false,
  });
});

// Fails if the code of a failed DNS look-up is ignored, or if such a request counts as sent.
test("an unknown host: nothing was sent", async () => {
  const error = await failure(connect("http://linkform-test.invalid").client.store("link", FORM));
  expect(error).toMatchObject({ code: "unreachable", mayHaveActed: false });
  expect(error.message).toMatch(
    /^linkform cannot connect to linkform-test\.invalid: (the host does not exist|the host name cannot be resolved)\.$/,
  );
});

// Fails if the error for a lost response has no fix.
test("the connection breaks in the middle of a body: the service may have acted", async () => {
  const { url } = await startServer((_asked, response) => {
    response.writeHead(201, { "content-type": "application/json" });
    response.write('{"data":{"id":1', () => response.socket?.resetAndDestroy());
    return null;
  });
  const error = await failure(connect(url).client.store("link", FORM));
  expect(error).toMatchObject({ code: "unreachable", mayHaveActed: true });
  expect(error.message).toMatch(
    /^The connection to 127\.0\.0\.1:\d+ was lost before the response was complete \([A-Z_]+\)\.$/,
  );
  expect(error.hint).toBe(
    "Run the command again. Applied changes stay, and the rest is planned again. If it fails again, check the service address (`service.base_url` or `--base-url`).",
  );
});

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
  expect(error).toMatchObject({
    code: "tls",
    hint: "If the server supports only HTTP, use an address that starts with http://.",
  });
  expect(error.mayHaveActed).toBe(false);
  expect(asked).toEqual([]);
});

test("http to a port with https: an error that names the address", async () => {
  const asked: string[] = [];
  const server = createTlsServer(selfSigned(), ({ url = "" }, response) => {
    asked.push(url);
    response.end("{}");
  });
  const port = await listen(server);
  const error = await failure(connect(`http://127.0.0.1:${port}`).client.list("link"));
  expect(error.code).toBe("unreachable");
  expect(error.message).toContain(`127.0.0.1:${port}`);
  expect(asked).toEqual([]);
});

test("a response that is not HTTP: an error that says so", async () => {
  const server = createTcpServer((socket) => socket.once("data", () => socket.end("SSH-2.0-OpenSSH_9.6\r\n")));
  const port = await listen(server);
  const error = await failure(connect(`http://127.0.0.1:${port}`).client.list("link"));
  expect(error.message).toMatch(/^The response from 127\.0\.0\.1:\d+ is not valid HTTP \(\w+\)\.$/);
  expect(error.hint).toBe("If the server requires HTTPS, use an address that starts with https://.");
});

// The two timeouts that are too long for a test, and the result of several addresses for one name.
test.each([
  [true, "timeout", "short.example.test did not respond in time (UND_ERR_HEADERS_TIMEOUT).", "UND_ERR_HEADERS_TIMEOUT"],
  [true, "timeout", "short.example.test did not respond in time (ETIMEDOUT).", "ETIMEDOUT"],
  [
    false,
    "timeout",
    "The connection to short.example.test timed out (UND_ERR_CONNECT_TIMEOUT).",
    "UND_ERR_CONNECT_TIMEOUT",
  ],
  [false, "tls", "The certificate of short.example.test is not trusted (CERT_HAS_EXPIRED).", "CERT_HAS_EXPIRED"],
  [
    false,
    "tls",
    "The certificate of short.example.test is not trusted (ERR_TLS_CERT_ALTNAME_INVALID).",
    "ERR_TLS_CERT_ALTNAME_INVALID",
  ],
  [false, "unreachable", "linkform cannot connect to short.example.test: EHOSTUNREACH.", "EHOSTUNREACH"],
])("connected %s: %s, %s", (connected, kind, message, code) => {
  const cause = Object.assign(new Error("low level"), { code });
  const error = connectionError({ cause, host: "short.example.test", connected, status: null, proxy: null });
  expect(error).toMatchObject({ code: kind, message, mayHaveActed: connected });
  expect(error.cause).toBe(cause);
});

test("a fault without a code has that of the first cause with one", () => {
  const first = Object.assign(new Error("::1"), { code: "ECONNREFUSED" });
  const cause = new TypeError("failed", { cause: new AggregateError([first, new Error("127.0.0.1")]) });
  const of = (from: unknown): string =>
    connectionError({ cause: from, host: "h", connected: false, status: null, proxy: null }).message;
  expect(of(cause)).toBe("linkform cannot connect to h: the connection was refused.");
  expect(of(new RangeError("x"))).toBe("linkform cannot connect to h: RangeError.");
  expect(of("x")).toBe("linkform cannot connect to h: unknown.");
});
