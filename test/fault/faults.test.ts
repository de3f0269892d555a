// The faults themselves, seen by an ordinary client. Fails if a fault does not do what its name says: then the tests
// that use it would show nothing.

import { expect, it } from "vitest";
import type { State } from "../../src/sandbox/index.ts";
import { fastClock } from "../support/clock.ts";
import { STRIKES, type FaultName } from "../support/faults.ts";
import { startLayer } from "../support/layer.ts";
import { startSandbox } from "../support/sandbox.ts";

const SEED = {
  pixels: ["a", "b", "c"].map((name) => ({ name, type: "bing", value: "1" })),
  links: Array.from({ length: 15 }, (_, index) => ({ alias: `l${index}`, url: "https://example.com/", domain: 2 })),
};

interface Seen {
  /** The status and body, or the error. */
  readonly answer: string;
  readonly after: State;
  readonly struck: boolean;
}

/** Sends a request through a layer with this fault. Another request comes first, so that the fault is at index 1. */
async function through(fault: FaultName, method: string, path: string, form = ""): Promise<Seen> {
  const sandbox = await startSandbox({ rateLimit: 0, seed: SEED });
  const layer = await startLayer(sandbox.url, fastClock(1000), {
    at: ({ index }) => index === 1,
    strike: STRIKES[fault],
  });
  const headers = {
    accept: "application/json",
    authorization: `Bearer ${sandbox.apiKey}`,
    "content-type": "application/x-www-form-urlencoded",
  };
  try {
    await (await fetch(`${layer.url}/api/v1/account`, { headers })).text();
    const body = method === "GET" ? {} : { body: form };
    const answer = await fetch(`${layer.url}${path}`, { method, headers, ...body }).then(
      async (response) => `${response.status} ${await response.text().catch(() => "broken")}`,
      (cause: unknown) => (cause instanceof Error ? `no answer: ${String(Object(cause.cause).code)}` : ""),
    );
    await layer.settled();
    return { answer, after: sandbox.state(), struck: layer.struck };
  } finally {
    layer.close();
    await sandbox.close();
  }
}

it.each<[FaultName, RegExp, number]>([
  ["drop-before", /^no answer: UND_ERR_SOCKET$/, 0],
  ["drop-after", /^no answer: UND_ERR_SOCKET$/, 1],
  ["slow-store", /^no answer: UND_ERR_SOCKET$/, 1],
  ["cut", /^201 broken$/, 1],
  ["cut-clean", /^201 \{"data":\{[^}]*$/, 1],
  ["delay", /^201 .*"status":200}$/, 1],
  ["429", /^429 .*Too Many/, 0],
  ["429-bare", /^429 .*Too Many/, 0],
  ["500", /^500 \{"message":"Server Error"}$/, 0],
  ["500-after", /^500 \{"message":"Server Error"}$/, 1],
  ["502", /^502 <!DOCTYPE html>/, 1],
  ["503", /^503 <!DOCTYPE html>/, 0],
  ["504", /^504 <!DOCTYPE html>/, 1],
  ["html", /^200 <!DOCTYPE html>/, 0],
  ["html-after", /^200 <!DOCTYPE html>/, 1],
  ["skip-row", /^201 .*"status":200}$/, 1],
])("%s on a store", async (fault, answered, stored) => {
  const { answer, after, struck } = await through(fault, "POST", "/api/v1/pixels", "name=new&type=bing&value=2");
  expect([struck, after.pixels.length - 3]).toEqual([true, stored]);
  expect(answer).toMatch(answered);
});

it("without-pixels saves a link without its pixels", async () => {
  const form = "url=https%3A%2F%2Fexample.com%2F&domain=2&domain_id=2&alias=new&pixels%5B%5D=1&pixel_ids%5B%5D=1";
  const { answer, after } = await through("without-pixels", "POST", "/api/v1/links", form);
  expect(answer).toMatch(/^500 /);
  expect(after.links.at(-1)).toMatchObject({ alias: "new", pixels: [] });
});

const PAGE_2 = [11, 12, 13, 14, 15];

it.each<[FaultName, readonly number[], number]>([
  ["repeat-row", [10, 12, 13, 14, 15], 15],
  ["skip-row", [11, 12, 14, 15], 15],
  ["add-row", [...PAGE_2, 16], 16],
  ["lie-total", PAGE_2, 16],
  ["lie-total-less", PAGE_2, 14],
])("%s on the second page of a list", async (fault, ids, total) => {
  const { answer } = await through(fault, "GET", "/api/v1/links?sort=asc&per_page=10&page=2");
  const { data, meta }: { data: { id: number }[]; meta: { total: number } } = JSON.parse(answer.slice(4));
  expect([data.map(({ id }) => id), meta.total]).toEqual([ids, total]);
});
