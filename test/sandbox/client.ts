// A bare HTTP client for the tests: says nothing of its own (no default headers), and can come from another loopback address.
import { request } from "node:http";
import type { Sandbox } from "../../src/sandbox/index.ts";

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

/** One request, exactly as said. */
export function send(url: string, path: string, call: Call = {}): Promise<Answer> {
  const { method = "GET", headers = {}, body, localAddress = "127.0.0.1" } = call;
  return new Promise((resolve, reject) => {
    // An encoded query can make a long destination longer than what Node accepts by default.
    const options = { method, headers, localAddress, agent: false, maxHeaderSize: 131_072 };
    const outgoing = request(`${url}${path}`, options, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      incoming.on("error", reject);
      incoming.on("end", () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text });
      });
    });
    outgoing.on("error", reject);
    outgoing.end(body ?? undefined);
  });
}

/** The JSON of an answer, for looking into with `toMatchObject` and the like. */
export const parse = (answer: Answer): unknown => JSON.parse(answer.text);

export interface Account {
  get(path: string): Promise<unknown>;
  /** A form is given as it stands on the wire, unencoded: `alias=a&country[0][key]=DE`. */
  post(path: string, form: string): Promise<Result>;
  put(path: string, form: string): Promise<Result>;
  delete(path: string): Promise<Result>;
}

export interface Result {
  readonly status: number;
  readonly body: unknown;
}

/** The sandbox as its owner sees it: key and JSON in every request. */
export function accountOf({ url, apiKey }: Sandbox): Account {
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
