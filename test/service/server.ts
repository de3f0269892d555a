// An HTTP server on 127.0.0.1 that responds as a test decides, records its requests, and ends with the test.

import {
  createServer,
  type IncomingHttpHeaders,
  type RequestListener,
  Server as HttpServer,
  type ServerResponse,
} from "node:http";
import { Server as HttpsServer } from "node:https";
import type { Server as NetServer } from "node:net";
import { expect, onTestFinished } from "vitest";
import { ServiceError } from "../../src/errors.ts";
import { connectWriter, type Guard, type RecentRead, type Writer } from "../../src/service/service.ts";
import { fastClock } from "../support/clock.ts";
import { Transport, type TransportOptions } from "../../src/service/transport.ts";

export const API_KEY = "key-0123456789abcdef";

export interface Asked {
  readonly method: string;
  /** Including its query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** `json` is sent as JSON, and `body` as it is (HTML unless `headers` have another type). */
export interface Reply {
  readonly status?: number;
  /** Several values of one name are on separate lines. */
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly json?: unknown;
  readonly body?: string | Buffer;
}

/** Responds, or uses the socket and returns null. */
export type Answering = (asked: Asked, response: ServerResponse) => Reply | null;

export interface Running {
  readonly url: string;
  readonly port: number;
  readonly asked: readonly Asked[];
  /** Accepts no new connections, and keeps the open ones. */
  stop(): void;
}

/** Listens on a free port of 127.0.0.1 until the test ends. */
export async function listen(server: NetServer): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        if (server instanceof HttpServer || server instanceof HttpsServer) server.closeAllConnections();
      }),
  );
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

export async function startServer(answer: Answering): Promise<Running> {
  const asked: Asked[] = [];
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url: path = "", headers } = request;
      const one = { method, path, headers, body: Buffer.concat(chunks).toString() };
      asked.push(one);
      const reply = answer(one, response);
      if (reply === null) return;
      const { status = 200, json, body = JSON.stringify(json) ?? "" } = reply;
      const type = json === undefined ? "text/html; charset=UTF-8" : "application/json";
      response.writeHead(status, { "content-type": type, ...reply.headers });
      response.end(body);
    });
  };
  const server = createServer(listener);
  const port = await listen(server);
  return { url: `http://127.0.0.1:${port}`, port, asked, stop: () => void server.close() };
}

/** A server with the same response for every request. */
export async function startReplying(reply: Reply): Promise<Running> {
  return startServer(() => reply);
}

/** For an update without a reading before it: the row was read a moment ago. */
export const JUST_READ: readonly [Guard, RecentRead] = [
  () => undefined,
  { next: () => Promise.resolve(null), now: () => null, take: () => true },
];

export interface Connected {
  readonly client: Writer;
  readonly transport: Transport;
  /** The waits that the transport reported, in seconds. */
  readonly waits: readonly number[];
}

/** The real client, closed when the test ends. */
export function connect(baseUrl: string, options: Partial<TransportOptions> = {}): Connected {
  const waits: number[] = [];
  const transport = new Transport({
    baseUrl,
    apiKey: API_KEY,
    software: { version: "4.1", from: "the test" },
    version: "1.2.3-test",
    clock: fastClock(50),
    tell: (notice) => void (notice.what === "wait" && notice.why === "limit" && waits.push(notice.seconds)),
    ...options,
  });
  onTestFinished(() => transport.close());
  return { client: connectWriter(transport), transport, waits };
}

/** Shows a link this number of times, with this number of workers. */
export async function showAll({ client }: Connected, count: number, workers: number): Promise<void> {
  let left = count;
  const work = async (): Promise<void> => {
    while (left-- > 0) expect((await client.show("link", 1))?.id).toBe(1);
  };
  await Promise.all(Array.from({ length: workers }, work));
}

/** The `ServiceError` that this ends in. No message of it or of its causes contains the key. */
export async function failure(attempt: Promise<unknown>): Promise<ServiceError> {
  const outcome = await attempt.then(
    (value: unknown) => new Error(`it came to ${JSON.stringify(value)}`),
    (cause: unknown) => cause,
  );
  if (!(outcome instanceof ServiceError)) throw outcome;
  const said = [outcome.hint ?? ""];
  for (let error: unknown = outcome; error instanceof Error; error = error.cause) said.push(error.message);
  if (said.join("\n").includes(API_KEY)) throw new Error(`the key is in: ${said.join("\n")}`);
  return outcome;
}

/** A record in a list, with these fields. */
export function linkRow(id: number, fields: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    id,
    alias: `alias-${id}`,
    url: `https://example.com/${id}`,
    short_url: `go.example.test/alias-${id}`,
    title: null,
    target_type: 0,
    country_target: null,
    platform_target: null,
    language_target: null,
    rotation_target: null,
    last_rotation: 0,
    disabled: 0,
    privacy: 0,
    privacy_password: false,
    password: false,
    expiration_url: null,
    expiration_clicks: 0,
    clicks: 7,
    space: null,
    domain: { id: 2, name: "go.example.test" },
    pixels: [],
    ends_at: null,
    ...fields,
  };
}

/** The response to a show. */
export function shown(row: unknown): Reply {
  return { json: { data: row, status: 200 } };
}

/** A page of a list. */
export function page(rows: readonly unknown[], current: number, last: number, total: number): Reply {
  return {
    json: { data: rows, meta: { current_page: current, last_page: last, total, per_page: "100" }, status: 200 },
  };
}
