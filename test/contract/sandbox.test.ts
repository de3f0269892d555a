// The sandbox against the responses of running instances of the service (transcripts/, recorded from every version).
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Sandbox, type SeedState, SOFTWARE, startSandbox } from "../../src/sandbox/index.ts";
import { type Answer, accountOf, parse, send } from "../sandbox/client.ts";

interface Exchange {
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string | null;
  };
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly json?: unknown;
    readonly text?: string;
  };
}

function recorded(software: string): readonly Exchange[] {
  const file = new URL(`transcripts/v${software}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, "utf8")).exchanges;
}

/** The account of the recording session. */
const SEED: SeedState = {
  domains: [
    { id: 1, name: "short.example.test", shared: true },
    { id: 2, name: "go.example.test" },
    {
      id: 3,
      name: "promo.example.test",
      index_page: "https://promo.example.test/home",
      not_found_page: "https://promo.example.test/404",
    },
  ],
};

/** Requests of the session that were not recorded: `go.example.test` has page-0 to page-11 when paging is recorded. */
const BEFORE: Readonly<Record<string, (sandbox: Sandbox) => Promise<void>>> = {
  "links: first page of several": async (sandbox) => {
    for (let page = 0; page < 12; page++) {
      await accountOf(sandbox).post(
        "links",
        `url=https://example.com/p${page}&domain=2&domain_id=2&alias=page-${page}`,
      );
    }
  },
  "over the rate limit": async (sandbox) => {
    for (let call = 0; call < 60; call++) await accountOf(sandbox).get("links");
  },
};

describe.each(SOFTWARE)("the sandbox as %s", (software) => {
  let sandbox: Sandbox;
  // A window of the rate limit for each exchange: Remaining is 59 throughout, as in the recording.
  let clock = Date.parse("2026-11-20T23:53:51Z");
  beforeAll(async () => {
    sandbox = await startSandbox({ seed: SEED, software, now: () => new Date(clock) });
  });
  afterAll(() => sandbox.close());

  // Fails if the status, a recorded header, or any key, value or type of the body differs: a renamed key, a number instead of a text,
  // another date format, `status` in or out of an error. Exchanges build on each other: a wrong value fails in the show after the write.
  test.each(recorded(software))("$name", async ({ name, request, response }) => {
    clock += 60_000;
    await BEFORE[name]?.(sandbox);
    if (name === "over the rate limit") clock += 60_000 - Number(response.headers["retry-after"]) * 1000;
    else if (BEFORE[name] !== undefined) clock += 60_000;
    const answer = await send(sandbox.url, request.path, {
      method: request.method,
      headers: { ...request.headers, Host: "short.example.test", ...authorization(name, request, sandbox) },
      body: request.body,
    });
    expect(answer.status).toBe(response.status);
    expect(recordable(answer)).toEqual({ ...response.headers, ...resetTime(response.headers) });
    if (response.text !== undefined) expect(comparable(answer.text)).toContain(comparable(response.text));
    else expect(asRecorded(name, parse(answer))).toEqual(withoutTimes(response.json));
  });
});

function authorization(name: string, request: Exchange["request"], { apiKey }: Sandbox): Record<string, string> {
  if (request.headers["Authorization"] === undefined) return {};
  return { Authorization: `Bearer ${name.startsWith("bad key") ? "wrong" : apiKey}` };
}

/** One exchange was recorded with only the first of its ten rows (its `meta.to` is 10). All others are complete. */
function asRecorded(name: string, json: unknown): unknown {
  const plain = withoutTimes(json);
  if (name !== "links: per_page out of range") return plain;
  expect(plain).toHaveProperty("data.length", 10);
  return JSON.parse(
    JSON.stringify(plain, (key, value: unknown) =>
      key === "data" && Array.isArray(value) ? value.slice(0, 1) : value,
    ),
  );
}

const RECORDED_HEADERS = ["allow", "content-type", "location", "retry-after"];

/** The recorded headers. For the time of a reset, only its presence is compared. */
function recordable({ headers }: Answer): Record<string, unknown> {
  const kept = Object.entries(headers).filter(
    ([name]) => RECORDED_HEADERS.includes(name) || name.startsWith("x-ratelimit"),
  );
  return { ...Object.fromEntries(kept), ...resetTime(headers) };
}

const resetTime = (headers: Answer["headers"]): Record<string, unknown> =>
  headers["x-ratelimit-reset"] === undefined ? {} : { "x-ratelimit-reset": expect.stringMatching(/^\d{10}$/) };

/** HTML was recorded up to 200 characters. 4.1 and 4.9 have different style sheets after the title. */
const comparable = (html: string): string => html.replace(/\s*<(!--|styl)\s?$/, "");

/** Removes the times of creation and update, but not their format. `ends_at` is compared exactly. */
function withoutTimes(json: unknown): unknown {
  const digits = (key: string, value: unknown): unknown =>
    /^(created|updated)_at$/.test(key) && typeof value === "string" ? value.replace(/\d/g, "0") : value;
  return JSON.parse(JSON.stringify(json, digits));
}
