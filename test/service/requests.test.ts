// Requests to the service: paths, headers, bodies, and only one origin.

import { expect, test } from "vitest";
import {
  API_KEY,
  type Asked,
  connect,
  failure,
  JUST_READ,
  linkRow,
  page,
  shown,
  startReplying,
  startServer,
} from "./server.ts";

const ECHO = { status: 201, json: { data: { id: 5 }, status: 200 } };

/** A service with the expected response for each operation. */
function answer({ method, path }: Asked): { status?: number; json: unknown } {
  if (method === "DELETE") return { json: { id: 5, deleted: true } };
  if (method !== "GET") return ECHO;
  if (path === "/api/v1/account") return { json: { data: { timezone: "Europe/Berlin" } } };
  if (path.includes("?")) return { json: page([], 1, 1, 0).json };
  const row = path.includes("pixels") ? { id: 5, name: "P", type: "bing", value: "1" } : linkRow(5);
  return { json: shown(row).json };
}

// Fails if a path, method or query is undocumented (docs/service.md, "Endpoints"), if a header is missing, if the key is in a query or
// body, or if a request without a body has a content type.
test("every operation goes to its documented path with the documented headers", async () => {
  const { url, asked } = await startServer(answer);
  const { client } = connect(url);
  await client.list("link");
  await client.list("pixel");
  await client.show("link", 5);
  await client.show("pixel", 5);
  await client.store("link", "url=a");
  await client.store("pixel", "name=a");
  await client.update("link", 5, "url=b", ...JUST_READ);
  await client.update("pixel", 5, "name=b", ...JUST_READ);
  await client.delete("link", 5, () => undefined);
  await client.delete("pixel", 5, () => undefined);
  await client.names("domains");
  await client.names("spaces");
  expect(await client.account()).toEqual({ id: null, zone: "Europe/Berlin" });
  expect(asked.map(({ method, path, body }) => [method, path, body].join(" ").trim())).toEqual([
    "GET /api/v1/links?domain_id=0&by=alias&search_by=alias&sort=asc&per_page=100&page=1",
    "GET /index.php/api/v1/pixels?sort=asc&per_page=100&page=1",
    "GET /api/v1/links/5",
    "GET /index.php/api/v1/pixels/5",
    "POST /api/v1/links url=a",
    "POST /index.php/api/v1/pixels name=a",
    "PUT /api/v1/links/5 url=b",
    "PUT /index.php/api/v1/pixels/5 name=b",
    "GET /api/v1/links/5",
    "DELETE /links/5/destroy",
    "GET /index.php/api/v1/pixels/5",
    "GET /api/v1/links?pixel=5&pixel_id=5&sort=asc&per_page=10&page=1",
    "DELETE /index.php/pixels/5/destroy",
    "GET /api/v1/domains?sort=asc&per_page=100&page=1",
    "GET /api/v1/spaces?sort=asc&per_page=100&page=1",
    "GET /api/v1/account",
  ]);
  for (const { headers, body, path } of asked) {
    expect(headers.authorization).toBe(`Bearer ${API_KEY}`);
    expect(headers.accept).toBe("application/json");
    expect(headers["user-agent"]).toBe("linkform/1.2.3-test");
    expect(headers["content-type"]).toBe(body === "" ? undefined : "application/x-www-form-urlencoded");
    expect(`${path}${body}`).not.toContain(API_KEY);
  }
  expect(client.requests).toBe(asked.length);
});

test("a base address with a path keeps it", async () => {
  const { url, asked } = await startServer(answer);
  await connect(`${url}/short`).client.list("link");
  expect(asked.map(({ path }) => path)).toEqual([
    "/short/api/v1/links?domain_id=0&by=alias&search_by=alias&sort=asc&per_page=100&page=1",
  ]);
});

// Fails if a redirect is followed: the key would be sent to any host that the response names.
test.each([301, 302, 303, 307, 308])(
  "a redirect (%i) is not followed, to another server or the same",
  async (status) => {
    const other = await startReplying({ json: page([], 1, 1, 0).json });
    const { url, asked } = await startServer(({ path }) => ({
      status,
      headers: { location: path.startsWith("/api/v1/links/") ? "/login" : `${other.url}/moved${path}` },
      body: "<p>Redirecting</p>",
    }));
    const { client } = connect(url);
    const moved = await failure(client.list("link"));
    expect(moved).toMatchObject({
      code: "redirect",
      status,
      message: `The service redirects GET /api/v1/links to ${other.url}/moved/api/v1/links (${status}).`,
      hint: `If this is your service, set \`service.base_url\` to ${other.url}/moved. linkform does not send the API key to another address.`,
    });
    const login = await failure(client.update("link", 5, "url=b", ...JUST_READ));
    expect(login.message).toBe(`The service redirects PUT /api/v1/links/5 to ${url}/login (${status}).`);
    expect(login.hint).toContain("login page");
    expect(other.asked).toEqual([]);
    expect(asked).toHaveLength(2);
  },
);

test.each([undefined, "javascript:alert(1)", "http://[broken"])(
  "a redirect to nowhere (%s) is an error too",
  async (to) => {
    const { url } = await startReplying({ status: 302, headers: to === undefined ? {} : { location: to } });
    const error = await failure(connect(url).client.list("link"));
    expect(error.message).toBe("The service redirects GET /api/v1/links elsewhere (302).");
  },
);
