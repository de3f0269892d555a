// A minimal HTTP client for tests, without default headers, which can use another loopback address.
import { request } from "node:http";
import { expect, onTestFinished } from "vitest";
import {
  type Sandbox,
  type SandboxOptions,
  type SeedState,
  startSandbox,
  type State,
} from "../../src/sandbox/index.ts";
import { bytesOf } from "../support/http.ts";

export interface Call {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | null;
  readonly localAddress?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Sends one request exactly as given. */
export function send(url: string, path: string, call: Call = {}): Promise<Answer> {
  const { method = "GET", headers = {}, body, localAddress = "127.0.0.1" } = call;
  return new Promise((resolve, reject) => {
    // An encoded query can make a long destination longer than what Node accepts by default.
    const options = { method, headers, localAddress, agent: false, maxHeaderSize: 131_072 };
    const outgoing = request(`${url}${path}`, options, (incoming) => {
      const { statusCode: status = 0, headers: received } = incoming;
      bytesOf(incoming).then((bytes) => resolve({ status, headers: received, text: bytes.toString() }), reject);
    });
    outgoing.on("error", reject);
    outgoing.end(body ?? undefined);
  });
}

/** The JSON of a response, for `toMatchObject` and the like. */
export const parse = (answer: Answer): unknown => JSON.parse(answer.text);

export interface Account {
  readonly get: (path: string) => Promise<unknown>;
  /** A form as on the wire, unencoded: `alias=a&country[0][key]=DE`. */
  readonly post: (path: string, form: string) => Promise<Result>;
  readonly put: (path: string, form: string) => Promise<Result>;
  readonly delete: (path: string) => Promise<Result>;
}

export interface Result {
  readonly status: number;
  readonly body: unknown;
}

export const SERVER_ERROR: Result = { status: 500, body: { message: "Server Error" } };

/** A 422 that names exactly these fields. */
export const refusal = (...fields: readonly string[]): unknown => ({
  status: 422,
  body: { status: 422, message: Object.fromEntries(fields.map((field) => [field, [expect.any(String)]])) },
});

export type SeedLink = NonNullable<SeedState["links"]>[number];

/** One version for each of the two sets of names of the same fields. 4.9 has the names of 4.1. */
export const UNTIL_44 = ["4.1", "44"] as const;

export const NAMES = {
  "4.1": { domain: "domain", space: "space", pixels: "pixels", pixel: "pixel" },
  "4.9": { domain: "domain", space: "space", pixels: "pixels", pixel: "pixel" },
  "44": { domain: "domain_id", space: "space_id", pixels: "pixel_ids", pixel: "pixel_id" },
  "49": { domain: "domain_id", space: "space_id", pixels: "pixel_ids", pixel: "pixel_id" },
} as const;

export interface Rows {
  readonly data: readonly { readonly id: number; readonly alias: string; readonly name: string }[];
  readonly links: { readonly first: string; readonly next: string | null };
  readonly meta: { readonly per_page: unknown };
}

const isRows = (body: unknown): body is Rows => typeof body === "object" && body !== null && "data" in body;

export interface Started extends Account {
  readonly sandbox: Sandbox;
  readonly rows: (path: string) => Promise<Rows>;
  readonly stored: (id?: number) => State["links"][number] | undefined;
}

/** A sandbox without a rate limit, closed when the test ends. */
export async function start(options: SandboxOptions = {}): Promise<Started> {
  const sandbox = await startSandbox({ rateLimit: 0, ...options });
  onTestFinished(() => sandbox.close());
  const account = accountOf(sandbox);
  return {
    ...account,
    sandbox,
    rows: async (path) => {
      const body = await account.get(path);
      if (!isRows(body)) throw new Error(`${path} is no list`);
      return body;
    },
    stored: (id = 1) => sandbox.state().links.find((link) => link.id === id),
  };
}

/** The sandbox as its owner sees it: key and JSON in every request. */
export function accountOf({ url, apiKey }: Pick<Sandbox, "url" | "apiKey">): Account {
  const headers = { accept: "application/json", authorization: `Bearer ${apiKey}` };
  const formHeaders = { ...headers, "content-type": "application/x-www-form-urlencoded" };
  const write = async (method: string, path: string, body?: string): Promise<Result> => {
    const answer = await send(url, `/api/v1/${path}`, {
      method,
      headers: body === undefined ? headers : formHeaders,
      body: body ?? null,
    });
    return { status: answer.status, body: parse(answer) };
  };
  return {
    get: async (path) => parse(await send(url, `/api/v1/${path}`, { headers })),
    post: (path, form) => write("POST", path, form),
    put: (path, form) => write("PUT", path, form),
    delete: (path) => write("DELETE", path),
  };
}
