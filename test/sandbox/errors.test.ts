// Errors in their three forms, delete paths, and responses without JSON in Accept (docs/service.md, "Errors").
import { describe, expect, test } from "vitest";
import type { SandboxOptions } from "../../src/sandbox/index.ts";
import { type Answer, parse, send, start as startWith, type Started } from "./client.ts";

const SEED = {
  pixels: [{ name: "A", type: "bing", value: "1" }],
  links: [{ url: "https://example.com/", domain: 2, alias: "a" }],
};

type Ask = (method: string, path: string, accept?: string, body?: string) => Promise<Answer>;

async function start(options: SandboxOptions = {}): Promise<Started & { ask: Ask }> {
  const started = await startWith({ seed: SEED, ...options });
  const { url, apiKey } = started.sandbox;
  const form = { authorization: `Bearer ${apiKey}`, "content-type": "application/x-www-form-urlencoded" };
  const ask: Ask = (method, path, accept = "application/json", body) =>
    send(url, path, { method, headers: { ...form, accept }, body: body ?? null });
  return { ...started, ask };
}

describe("delete paths", () => {
  const PATHS = ["/links/1/destroy", "/index.php/links/1/destroy", "/pixels/1/destroy", "/index.php/pixels/1/destroy"];
  const API = ["/api/v1/links/1", "/index.php/api/v1/links/1", "/api/v1/pixels/1", "/index.php/api/v1/pixels/1"];

  // Fails if the refused path deletes, or if the other one does not, under either prefix. Recordings have the default.
  test.each([
    ["documented", PATHS, 200],
    ["documented", API, 405],
    ["both", PATHS, 200],
    ["both", API, 200],
  ] as const)("%s: %s answer %i", async (deletePath, paths, status) => {
    for (const path of paths) {
      const { ask, sandbox } = await start({ deletePath });
      expect((await ask("DELETE", path)).status).toBe(status);
      const { links, pixels } = sandbox.state();
      expect(links.length + pixels.length).toBe(status === 200 ? 1 : 2);
      if (status === 200) expect((await ask("DELETE", path)).status).toBe(404);
    }
  });
});

describe("without JSON as the first type in Accept", () => {
  const HTML = "text/html; charset=UTF-8";

  // Fails if an error of the framework is JSON for a client that did not ask for it first.
  test.each([
    ["GET", "/nothing", 404],
    ["PUT", "/api/v1/links/9", 404],
    ["DELETE", "/links/1/destroy", 405],
    ["POST", "/links/1/destroy", 419],
    ["PUT", "/api/v1/links/1?", 500],
  ])("%s %s is an HTML page with %i", async (method, path, status) => {
    const { ask } = await start();
    const answer = await ask(method, path, "text/html, application/json", method === "PUT" ? "privacy=" : undefined);
    expect([answer.status, answer.headers["content-type"]]).toEqual([status, HTML]);
    expect(answer.text).toMatch(/^<!DOCTYPE html>/);
  });

  // Fails if the application's own 404 or a 422 is HTML. Those are JSON for every client.
  test("the application's own errors stay JSON", async () => {
    const { ask } = await start();
    const missing = await ask("GET", "/api/v1/links/9", HTML);
    expect([missing.status, parse(missing)]).toEqual([404, { message: "Resource not found.", status: 404 }]);
    const invalid = await ask("POST", "/api/v1/links", HTML);
    expect([invalid.status, invalid.headers["content-type"]]).toEqual([422, "application/json"]);
  });
});

// Fails if a body above PHP's limit is read, or one below it is refused.
test.each([
  [8 * 1024 * 1024, 422],
  [8 * 1024 * 1024 + 1, 413],
])("a body of %i bytes: %i", async (bytes, status) => {
  const { ask } = await start();
  expect((await ask("POST", "/api/v1/links", "application/json", "a".repeat(bytes))).status).toBe(status);
});
