// Which proxy the environment sets, and what is sent through it.

import { expect, test } from "vitest";
import { UserError } from "../../src/errors.ts";
import { readProxy } from "../../src/http/exchange.ts";
import { CREDENTIALS, startForwardProxy, through, type Env } from "./forward-proxy.ts";
import { API_KEY, failure, page, startReplying } from "./server.ts";

const EMPTY_LIST = page([], 1, 1, 0);

// Fails if a variable for one scheme is used for another, the wrong case wins, or an empty value counts as an address.
test.each<[string, Env, string, string | null]>([
  ["http", {}, "http://a.test", null],
  ["http", { HTTP_PROXY: "http://p.test:3128" }, "http://a.test", "http://p.test:3128"],
  ["http", { http_proxy: "http://p.test:3128" }, "http://a.test", "http://p.test:3128"],
  ["http", { http_proxy: "http://low.test", HTTP_PROXY: "http://up.test" }, "http://a.test", "http://low.test"],
  ["http", { http_proxy: "", HTTP_PROXY: "http://up.test" }, "http://a.test", null],
  ["http", { HTTP_PROXY: "  " }, "http://a.test", null],
  ["http", { HTTPS_PROXY: "http://p.test:3128" }, "http://a.test", null],
  ["https", { HTTP_PROXY: "http://p.test:3128" }, "https://a.test", null],
  ["https", { HTTPS_PROXY: "http://p.test:3128" }, "https://a.test", "http://p.test:3128"],
  ["https", { https_proxy: "p.test:3128", HTTPS_PROXY: "http://up.test" }, "https://a.test", "http://p.test:3128"],
  ["https", { HTTPS_PROXY: " https://u:w@p.test " }, "https://a.test", "https://u:w@p.test"],
  ["https", { HTTPS_PROXY: "socks5://p.test:1080" }, "https://a.test", "socks5://p.test:1080"],
])("a service over %s with %j", (_scheme, env, baseUrl, proxy) => {
  expect(readProxy(baseUrl, env)).toEqual(proxy === null ? null : { address: new URL(proxy), noProxy: "" });
});

test.each<[Env, string]>([
  [{ NO_PROXY: " a.test,.b.test " }, "a.test,.b.test"],
  [{ no_proxy: "low.test", NO_PROXY: "up.test" }, "low.test"],
  [{ no_proxy: "", NO_PROXY: "up.test" }, ""],
])("exceptions as in %j", (env, noProxy) => {
  expect(readProxy("http://a.test", { HTTP_PROXY: "p.test", ...env })?.noProxy).toBe(noProxy);
});

// Fails if an invalid value is quoted. It may contain a password.
test.each(["http://user:s3cret@", "http://user:s3cret@p.test:port", "ftp://user:s3cret@p.test", "user:s3cret@ p"])(
  "%s is not a valid address of a proxy",
  (value) => {
    const read = (): unknown => readProxy("https://a.test", { https_proxy: value });
    expect(read).toThrow(UserError);
    expect(read).toThrow(/^https_proxy must be the address of a proxy\.$/);
  },
);

// Fails if plain http is tunneled, which many proxies refuse, or if headers for the proxy reach the service.
test("plain http is sent to the proxy with its credentials, which the service does not get", async () => {
  const service = await startReplying(EMPTY_LIST);
  const proxy = await startForwardProxy();
  const { client } = through(proxy.port, service.url);
  expect((await client.list("link")).records).toEqual([]);
  expect(proxy.asked).toMatchObject([
    {
      method: "GET",
      target: `${service.url}/api/v1/links?domain_id=0&by=alias&search_by=alias&sort=asc&per_page=100&page=1`,
      headers: { host: `127.0.0.1:${service.port}`, "proxy-authorization": CREDENTIALS.sent },
    },
  ]);
  expect(service.asked).toHaveLength(1);
  expect(service.asked[0]?.headers).toMatchObject({ authorization: `Bearer ${API_KEY}` });
  expect(service.asked[0]?.headers).not.toHaveProperty("proxy-authorization");
});

// Fails if an exception is ignored or applies to another host, or if the password for the proxy reaches the service.
test("an exception: directly, and without the password", async () => {
  const service = await startReplying(EMPTY_LIST);
  const proxy = await startForwardProxy();
  await through(proxy.port, service.url, { NO_PROXY: `a.test, 127.0.0.1:${service.port},b.test` }).client.list("link");
  expect(proxy.asked).toEqual([]);
  expect(service.asked).toHaveLength(1);
  expect(service.asked[0]?.headers).not.toHaveProperty("proxy-authorization");
});

test.each([
  ["http", ".shop.invalid", 0],
  ["https", ".shop.invalid", 0],
  ["http", "op.invalid", 1],
  ["https", "op.invalid", 1],
])("%s://go.shop.invalid and the exception %s: %i requests to the proxy", async (scheme, noProxy, count) => {
  const proxy = await startForwardProxy(403);
  await failure(through(proxy.port, `${scheme}://go.shop.invalid`, { NO_PROXY: noProxy }).client.list("link"));
  expect(proxy.asked).toHaveLength(count);
});
