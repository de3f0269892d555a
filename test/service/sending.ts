// A request with each method to a service where all fail.

import type { ServiceError } from "../../src/errors.ts";
import type { Clock } from "../../src/domain/clock.ts";
import type { Call } from "../../src/service/call.ts";
import type { Notice, TransportOptions } from "../../src/service/transport.ts";
import { fastClock } from "../support/clock.ts";
import { connect, failure } from "./server.ts";

export const METHODS = ["GET", "PUT", "DELETE", "POST"] as const;

export const TRIES = 5;

export const JSON_TYPE = { "content-type": "application/json" };

/** Backoff takes no time, but a response may take its time. */
export const hurried: Clock = { ...fastClock(1000), real: (ms: number): number => ms / 20 };

export function call(method: Call["method"]): Call {
  return { method, path: "/api/v1/links/5", ...(method === "PUT" || method === "POST" ? { form: "url=a" } : {}) };
}

export interface Ended {
  readonly method: Call["method"];
  readonly error: ServiceError;
  /** Requests that the transport sent. */
  readonly sent: number;
  /** The reported retries. */
  readonly notices: readonly Notice[];
}

/** Sends a request with each method to a service where all fail, and returns how each ended. */
export async function sendEach(url: string, options: Partial<TransportOptions> = {}): Promise<Ended[]> {
  const send = async (method: Call["method"]): Promise<Ended> => {
    const notices: Notice[] = [];
    const tell = (notice: Notice): void => void (notice.what === "retry" && notices.push(notice));
    const { transport } = connect(url, { clock: hurried, tell, ...options });
    const error = await failure(transport.send(call(method)));
    return { method, error, sent: transport.requests, notices };
  };
  return Promise.all(METHODS.map(send));
}
