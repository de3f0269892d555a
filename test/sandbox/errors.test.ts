// Errors in their three forms, delete paths, and responses without JSON in Accept (docs/service.md, "Errors").
import { afterEach, describe, expect, test } from "vitest";
import { type Sandbox, type SandboxOptions, startSandbox } from "../../src/sandbox/index.ts";
import { accountOf, parse, send } from "./client.ts";

let sandbox: Sandbox;
afterEach(() => sandbox.close());

const SEED = {
  pixels: [{ name: "A", type: "bing", value: "1" }],
  links: [{ url: "https://example.com/", domain: 2, alias: "a" }],
};

async function start(options: SandboxOptions = {}): Promise<void> {
  sandbox = await startSandbox({ seed: SEED, ...options });
}

const key = (): Record<string, string> => ({ authorization: `Bearer ${sandbox.apiKey}` });
const JSON_FIRST = { accept: "application/json" };

describe("delete paths", () => {
  const PATHS = ["/links/1/destroy", "/index.php/links/1/destroy", "/pixels/1/destroy", "/index.php/pixels/1/destroy"];
  const API = ["/api/v1/links/1", "/index.php/api/v1/links/1", "/api/v1/pixels/1", "/index.php/api/v1/pixels/1"];

  // Fails if the refused path deletes, or if the other one does not, under either prefix.
  test.each([
    ["api", PATHS, 405],
    ["api", API, 200],
    ["documented", PATHS, 200],
    ["documented", API, 405],
    ["both", PATHS, 200],
    ["both", API, 200],
  ] as const)("%s: %s answer %i", async (deletePath, paths, status) => {
    for (const path of paths) {
      await start({ deletePath });
      const remove = async (): Promise<number> =>
        (await send(sandbox.url, path, { method: "DELETE", headers: { ...JSON_FIRST, ...key() } })).status;
      expect(await remove()).toBe(status);
      const { links, pixels } = sandbox.state();
      expect(links.length + pixels.length).toBe(status === 200 ? 1 : 2);
      if (status === 200) expect(await remove()).toBe(404);
      await sandbox.close();
    }
  });
});

describe("without JSON as the first type in Accept", () => {
  // Fails if an error of the framework is JSON for a client that did not ask for it first.
  test.each([
    ["GET", "/nothing", 404],
    ["PUT", "/api/v1/links/9", 404],
    ["DELETE", "/links/1/destroy", 405],
    ["POST", "/links/1/destroy", 419],
    ["PUT", "/api/v1/links/1?", 500],
  ])("%s %s is an HTML page with %i", async (method, path, status) => {
    await start();
    const headers = {
      ...key(),
      accept: "text/html, application/json",
      "content-type": "application/x-www-form-urlencoded",
    };
    const answer = await send(sandbox.url, path, { method, headers, body: method === "PUT" ? "privacy=" : null });
    expect(answer.status).toBe(status);
    expect(answer.headers["content-type"]).toBe("text/html; charset=UTF-8");
    expect(answer.text).toMatch(/^<!DOCTYPE html>/);
  });

  // Fails if weights in Accept are ignored.
  test("weights decide which type is first", async () => {
    await start();
    const type = async (accept: string): Promise<unknown> =>
      (await send(sandbox.url, "/nothing", { headers: { accept } })).headers["content-type"];
    expect(await type("text/html;q=0.5, application/json")).toBe("application/json");
    expect(await type("application/json;q=0.5, text/html")).toBe("text/html; charset=UTF-8");
  });

  // Fails if the application's own 404 or a 422 is HTML. Those are JSON for every client.
  test("the application's own errors stay JSON", async () => {
    await start();
    const missing = await send(sandbox.url, "/api/v1/links/9", { headers: key() });
    expect([missing.status, parse(missing)]).toEqual([404, { message: "Resource not found.", status: 404 }]);
    const invalid = await send(sandbox.url, "/api/v1/links", { method: "POST", headers: key() });
    expect([invalid.status, invalid.headers["content-type"]]).toEqual([422, "application/json"]);
  });
});

describe("bodies", () => {
  // Fails if slashes or non-ASCII letters are not escaped.
  test("are JSON as PHP writes it", async () => {
    await start();
    await accountOf(sandbox).put("links/1", "url=https://example.com/ü/日本/𠮷");
    const answer = await send(sandbox.url, "/api/v1/links/1", { headers: { ...JSON_FIRST, ...key() } });
    expect(answer.text).toContain(String.raw`"url":"https:\/\/example.com\/\u00fc\/\u65e5\u672c\/\ud842\udfb7"`);
    expect(answer.headers).not.toHaveProperty("etag");
  });

  // Fails if a body above PHP's limit is read, or one below it is refused.
  test("over 8 MB are 413", async () => {
    await start();
    const post = async (bytes: number): Promise<number> => {
      const headers = { ...JSON_FIRST, ...key(), "content-type": "application/x-www-form-urlencoded" };
      return (await send(sandbox.url, "/api/v1/links", { method: "POST", headers, body: "a".repeat(bytes) })).status;
    };
    expect(await post(8 * 1024 * 1024)).toBe(422);
    expect(await post(8 * 1024 * 1024 + 1)).toBe(413);
  });
});

describe("the log", () => {
  // Fails if a request is missing, out of order, or lacks details that tests need.
  test("holds every request with its answer's status", async () => {
    await start();
    await accountOf(sandbox).get("links?page=2");
    await accountOf(sandbox).put("links/1", "alias=ü");
    await send(sandbox.url, "/api/v1/links", { method: "HEAD" });
    expect(sandbox.requests.map(({ method, path, status, body }) => [method, path, status, body])).toEqual([
      ["GET", "/api/v1/links?page=2", 200, ""],
      ["PUT", "/api/v1/links/1", 200, "alias=ü"],
      ["HEAD", "/api/v1/links", 404, ""],
    ]);
    expect(sandbox.requests[0]?.headers).toMatchObject({ accept: "application/json" });
  });
});
