// A service over https behind a proxy: through a tunnel that the proxy cannot read, and with proxies that fail.

import { createServer, type Server } from "node:https";
import { expect, test } from "vitest";
import type { ServiceError } from "../../src/errors.ts";
import { readProxy } from "../../src/http/exchange.ts";
import { linkform } from "../support/program.ts";
import { temporaryFolder, writeFiles } from "../support/scenario.ts";
import { CREDENTIALS, startForwardProxy, through, type Failing } from "./forward-proxy.ts";
import { API_KEY, connect, failure, listen, page, startReplying } from "./server.ts";
import { deadPort, selfSigned, type SelfSigned } from "./sockets.ts";

interface Secure {
  readonly url: string;
  readonly port: number;
  readonly headers: Readonly<Record<string, unknown>>[];
  readonly certificate: SelfSigned;
}

/** A service over https with an empty account. */
async function startSecure(): Promise<Secure> {
  const certificate = selfSigned();
  const headers: Readonly<Record<string, unknown>>[] = [];
  const server: Server = createServer(certificate, (request, response) => {
    headers.push(request.headers);
    response.setHeader("content-type", "application/json").end(JSON.stringify(page([], 1, 1, 0).json));
  });
  const port = await listen(server);
  return { url: `https://127.0.0.1:${port}`, port, headers, certificate };
}

// Fails if https bypasses its proxy or fails, if the proxy gets the API key, or if the service gets the proxy's credentials.
test("https uses a tunnel: the key only goes to the service, the password only to the proxy", async () => {
  const service = await startSecure();
  const proxy = await startForwardProxy();
  const folder = await temporaryFolder();
  const text = `version: 1\nservice: { base_url: "${service.url}" }\npixels: { Main: { type: bing, value: "1000001" } }\n`;
  await writeFiles(folder, { "linkform.yaml": text });
  // In a process, because Node loads trusted certificates when it starts.
  const ran = await linkform(folder, ["plan"], {
    LINKFORM_API_KEY: API_KEY,
    HTTPS_PROXY: `http://${CREDENTIALS.written}@127.0.0.1:${proxy.port}`,
    NODE_EXTRA_CA_CERTS: service.certificate.file,
  });
  expect(ran).toMatchObject({ exit: 0, err: "" });
  expect(ran.out).toContain("Plan: 1 to create.");
  expect(proxy.asked.length).toBeGreaterThan(0);
  for (const { method, target, headers } of proxy.asked) {
    expect([method, target]).toEqual(["CONNECT", `127.0.0.1:${service.port}`]);
    expect(headers["proxy-authorization"]).toBe(CREDENTIALS.sent);
    expect(headers).not.toHaveProperty("authorization");
  }
  expect(proxy.seen()).toContain("CONNECT ");
  expect(proxy.seen()).not.toContain(API_KEY);
  expect(service.headers.length).toBeGreaterThan(0);
  for (const headers of service.headers) {
    expect(headers["authorization"]).toBe(`Bearer ${API_KEY}`);
    expect(headers).not.toHaveProperty("proxy-authorization");
  }
});

// Fails if a tunnel accepts any certificate: the proxy could read the traffic.
test("an untrusted certificate of the service is refused through a tunnel, too", async () => {
  const service = await startSecure();
  const proxy = await startForwardProxy();
  const error = await failure(through(proxy.port, service.url).client.store("link", "url=a"));
  expect(error).toMatchObject({ code: "tls", neverSent: true });
  expect(error.message).toBe(
    `The certificate of 127.0.0.1:${service.port} is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT).`,
  );
  expect(service.headers).toEqual([]);
  expect(proxy.seen()).not.toContain(API_KEY);
});

/** The result of a store through a proxy at this port. It never contains the proxy's password. */
async function storeThrough(port: number, baseUrl: string): Promise<{ error: ServiceError; sent: number }> {
  const { client, transport } = through(port, baseUrl);
  const error = await failure(client.store("link", "url=a"));
  expect(`${error.message} ${error.hint}`).not.toMatch(/p%40ss|p@ss|user/);
  return { error, sent: transport.requests };
}

const VARIABLES = "Check HTTPS_PROXY and HTTP_PROXY.";
const BYPASS = `${VARIABLES} To bypass the proxy for a host, add the host to NO_PROXY.`;
const LOGIN = `${VARIABLES} The proxy requires a login name and a password.`;
const ADDRESS = "Check the service address (`service.base_url` or `--base-url`) and your network.";
const forbids = (status: number): string => `The PROXY does not allow connections to shop.invalid (status ${status}).`;
const fails = (status: number): string => `The PROXY cannot reach shop.invalid (status ${status}).`;

// Fails if the error names the service instead of its proxy, if a store counts as sent that never reached the service, if a request that a
// proxy forbids is sent again, or if linkform gives up, or waits forever, for a proxy that is starting.
test.each<[string, Failing | "dead", number, ServiceError["code"], string, string]>([
  ["http", "dead", 2, "unreachable", "linkform cannot connect to the PROXY: the connection was refused.", BYPASS],
  ["https", "dead", 2, "unreachable", "linkform cannot connect to the PROXY: the connection was refused.", BYPASS],
  ["http", 407, 1, "proxy", forbids(407), LOGIN],
  ["https", 407, 1, "proxy", forbids(407), LOGIN],
  ["https", 403, 1, "proxy", forbids(403), BYPASS],
  ["https", 404, 1, "proxy", forbids(404), BYPASS],
  ["https", 405, 1, "proxy", forbids(405), BYPASS],
  ["https", 500, 1, "proxy", forbids(500), BYPASS],
  ["https", 502, 2, "unreachable", fails(502), ADDRESS],
  ["https", 503, 2, "unreachable", fails(503), ADDRESS],
  ["https", 504, 2, "unreachable", fails(504), ADDRESS],
  ["https", "drop", 2, "unreachable", "linkform cannot connect to the PROXY: UND_ERR_SOCKET.", BYPASS],
  ["https", "hold", 1, "timeout", "The connection to the PROXY timed out (UND_ERR_", BYPASS],
])(
  "%s through a proxy that fails (%s): sent to it %i times, and nothing to the service",
  async (scheme, failing, times, code, message, hint) => {
    const proxy = failing === "dead" ? { port: await deadPort(), asked: [] } : await startForwardProxy(failing);
    const { error, sent } = await storeThrough(proxy.port, `${scheme}://shop.invalid`);
    expect(error).toMatchObject({ code, hint, status: null, neverSent: true, aftermath: "none" });
    expect(error.message).toContain(message.replace("PROXY", `proxy 127.0.0.1:${proxy.port}`));
    expect(sent).toBe(times);
    if (failing !== "dead") expect(proxy.asked).toHaveLength(times);
  },
);

// Fails if an interrupted run waits for a proxy.
test("a tunnel that is not open yet does not delay the end of a run", async () => {
  const proxy = await startForwardProxy("hold");
  const stop = new AbortController();
  const settings = readProxy("https://shop.invalid", { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` });
  const { client, transport } = connect("https://shop.invalid", { proxy: settings, signal: stop.signal });
  const reading = client.show("link", 1).catch((cause: unknown) => cause);
  await expect.poll(() => proxy.asked.length).toBe(1);
  const reason = new Error("stopped");
  stop.abort(reason);
  expect(await reading).toBe(reason);
  await transport.close();
});

// Fails if a request that reached a plain http proxy counts as never sent: the proxy may have forwarded it.
test("the proxy drops a plain http connection: the service may have acted", async () => {
  const service = await startReplying(page([], 1, 1, 0));
  const proxy = await startForwardProxy("drop");
  const { error, sent } = await storeThrough(proxy.port, service.url);
  expect(error).toMatchObject({ code: "unreachable", neverSent: false, aftermath: "unknown" });
  expect([sent, service.asked]).toEqual([1, []]);
});

test("a proxy with an untrusted certificate: the proxy is named", async () => {
  const port = await listen(createServer(selfSigned(), (_request, response) => response.end("{}")));
  const settings = readProxy("https://shop.invalid", { HTTPS_PROXY: `https://localhost:${port}` });
  const error = await failure(connect("https://shop.invalid", { proxy: settings }).client.store("link", "url=a"));
  expect(error).toMatchObject({ code: "tls", neverSent: true });
  expect(error.message).toContain(`The certificate of the proxy localhost:${port} is not trusted`);
});
