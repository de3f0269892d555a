// An HTTP layer in front of the sandbox. It counts requests, applies a fault to some, and forwards the others.

import {
  createServer,
  request as send,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { Clock } from "../../src/domain/clock.ts";
import { bytesOf, listen } from "./http.ts";
import { ownForm } from "./sandbox.ts";

/** A request, counted from 0 in the order of arrival. */
export interface Asked {
  readonly index: number;
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A request with a fault, and its possible effects. */
export interface Struck {
  readonly asked: Asked;
  readonly clock: Clock;
  /** The service processes this request, or another one. */
  readonly forward: (instead?: Partial<Omit<Asked, "index">>) => Promise<Answered>;
  /** No effect if the client has disconnected. */
  readonly answer: (answered: Answered) => void;
  /** Announces the whole body, sends the first half of it, and breaks the connection. */
  readonly cut: (answered: Answered) => void;
  readonly drop: () => void;
  /** Aborted when the client disconnects. */
  readonly hungUp: AbortSignal;
}

export type Strike = (struck: Struck) => Promise<void>;

/** The requests with a fault, and what happens to them. */
export interface Fault {
  readonly at: (asked: Asked) => boolean;
  readonly strike: Strike;
}

export interface Layer {
  readonly url: string;
  /** The received requests, in order. */
  readonly requests: readonly Asked[];
  /** Whether the fault has happened. */
  readonly struck: boolean;
  /**
   * Stores that came before an earlier store of the same record had ended. The sandbox processes one request at a time, but on the service
   * both can succeed (docs/service.md, "Writing").
   */
  readonly overlapping: readonly Asked[];
  /** Ends when all received requests are done, even if their client has disconnected. Throws the errors of this layer. */
  settled(): Promise<void>;
  /** Throws the errors of this layer so far. */
  close(): void;
}

/** Headers of the service that are forwarded. */
const PASSED_ON = /^(content-type|retry-after|x-ratelimit-.*)$/;

/** Starts a layer in front of the service at `target`. */
export async function startLayer(target: string, clock: Clock, fault: Fault | null): Promise<Layer> {
  const requests: Asked[] = [];
  const overlapping: Asked[] = [];
  const stores = new Map<Asked, string>();
  const underWay = new Set<Promise<void>>();
  const failures: unknown[] = [];
  let struck = false;

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bytesOf(request);
    const { method = "", url = "", headers } = request;
    const asked = { index: requests.length, method, url, headers, body };
    requests.push(asked);
    if (method === "POST") {
      const stored = rowStored(asked);
      if ([...stores.values()].includes(stored)) overlapping.push(asked);
      stores.set(asked, stored);
    }
    const hungUp = new AbortController();
    response.once("close", () => hungUp.abort());
    const at: Struck = {
      asked,
      clock,
      forward: async (instead) => {
        const answered = await forward(target, { ...asked, ...instead });
        stores.delete(asked);
        return answered;
      },
      answer: (answered) => answer(response, answered),
      cut: (answered) => cut(response, answered),
      drop: () => void request.socket.destroy(),
      hungUp: hungUp.signal,
    };
    if (fault?.at(asked) !== true) return at.answer(await at.forward());
    struck = true;
    await fault.strike(at);
    stores.delete(asked);
  };

  const server = createServer((request, response) => {
    const work = serve(request, response)
      .catch((cause: unknown) => {
        failures.push(cause);
        request.socket.destroy();
      })
      .finally(() => underWay.delete(work));
    underWay.add(work);
  });
  // A connection that the server closes itself would be a second fault.
  server.keepAliveTimeout = 0;
  const url = await listen(server);

  return {
    url,
    requests,
    overlapping,
    get struck() {
      return struck;
    },
    settled: async () => {
      while (underWay.size > 0) await Promise.all(underWay);
      if (failures.length > 0) throw failures[0];
    },
    close: () => {
      server.close();
      server.closeAllConnections();
      if (failures.length > 0) throw failures[0];
    },
  };
}

/** The record of a store, identified as by the service: the alias on its domain, or the pixel's name. */
function rowStored({ url, body }: Asked): string {
  const form = ownForm(body.toString());
  return [url, ...["domain", "alias", "name"].map((name) => form.get(name) ?? "")].join(" ").toLowerCase();
}

/** On a separate connection, because one that the service has just closed would be a second fault. */
async function forward(target: string, asked: Omit<Asked, "index">): Promise<Answered> {
  const { host: _host, connection: _connection, "content-length": _length, ...headers } = asked.headers;
  const answered = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = send(`${target}${asked.url}`, { agent: false, method: asked.method, headers });
    request.once("response", resolve).once("error", reject);
    request.end(asked.body);
  });
  const kept = Object.entries(answered.headers).filter(([name]) => PASSED_ON.test(name));
  return { status: answered.statusCode ?? 0, headers: Object.fromEntries(kept), body: await bytesOf(answered) };
}

function answer(response: ServerResponse, { status, headers, body }: Answered): void {
  if (response.destroyed) return;
  response.writeHead(status, { ...headers, "content-length": body.length }).end(body);
}

function cut(response: ServerResponse, { status, headers, body }: Answered): void {
  response.writeHead(status, { ...headers, "content-length": body.length });
  response.write(body.subarray(0, body.length >> 1), () => response.destroy());
}
