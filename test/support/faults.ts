// Faults of one request between linkform and the service: their names and their effects.

import type { Answered, Strike } from "./layer.ts";
import { LIST_STRIKES, type ListFaultName } from "./list-faults.ts";
import { PIXELS_SENT } from "./sandbox.ts";

const JSON_TYPE = { "content-type": "application/json" };

const SERVER_ERROR: Answered = { status: 500, headers: JSON_TYPE, body: Buffer.from('{"message":"Server Error"}') };

/** As recorded: at the account's limit, the header still has the value for the address (docs/service.md, "Rate limit"). */
const TOO_MANY: Answered = {
  status: 429,
  headers: { ...JSON_TYPE, "retry-after": "1", "x-ratelimit-limit": "60", "x-ratelimit-remaining": "29" },
  body: Buffer.from('{"message":"Too Many Attempts."}'),
};

function page(status: number, title: string): Answered {
  const body = `<!DOCTYPE html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`;
  return { status, headers: { "content-type": "text/html; charset=UTF-8" }, body: Buffer.from(body) };
}

/** The service never gets the request. */
const instead =
  (answered: Answered): Strike =>
  async ({ answer }) =>
    answer(answered);

/** The service processes the request, but another response is sent. */
const after =
  (answered: Answered): Strike =>
  async ({ forward, answer }) => {
    await forward();
    answer(answered);
  };

export type FaultName =
  /** The connection breaks: before processing, after it, or in the middle of the response. */
  | "drop-before"
  | "drop-after"
  | "cut"
  /** Half of the response, with the length of that half. */
  | "cut-clean"
  /** The response comes after the client has given up. */
  | "delay"
  /** A store continues after the client has disconnected, and here also starts late (docs/service.md, "Writing"). */
  | "slow-store"
  /** Too many requests, with and without the time to wait. */
  | "429"
  | "429-bare"
  /** An error of the service: before processing, after it, or after saving all but a link's pixels. */
  | "500"
  | "500-after"
  | "without-pixels"
  /** The pages of a proxy. 502 and 504 come after processing. */
  | "502"
  | "503"
  | "504"
  /** Another page with status 200. */
  | "html"
  | "html-after"
  | ListFaultName;

/** The effect of each fault on a request. */
export const STRIKES: Readonly<Record<FaultName, Strike>> = {
  ...LIST_STRIKES,
  "drop-before": async ({ drop }) => drop(),
  "drop-after": async ({ forward, drop }) => {
    await forward();
    drop();
  },
  cut: async ({ forward, cut }) => cut(await forward()),
  "cut-clean": async ({ forward, answer }) => {
    const answered = await forward();
    answer({ ...answered, body: answered.body.subarray(0, answered.body.length >> 1) });
  },
  delay: async ({ forward, answer, clock, hungUp }) => {
    const answered = await forward();
    // Far beyond the client's 30 s. A client without a timeout must not hang the test.
    await clock.sleep(90_000, hungUp).catch(() => null);
    answer(answered);
  },
  "slow-store": async ({ forward, drop, clock }) => {
    drop();
    await clock.sleep(3000);
    await forward();
  },
  "429": instead(TOO_MANY),
  "429-bare": instead({ ...TOO_MANY, headers: JSON_TYPE }),
  "500": instead(SERVER_ERROR),
  "500-after": after(SERVER_ERROR),
  "without-pixels": async ({ asked, forward, answer }) => {
    const form = new URLSearchParams(asked.body.toString());
    for (const name of PIXELS_SENT) form.delete(name);
    await forward({ body: Buffer.from(form.toString()) });
    answer(SERVER_ERROR);
  },
  "502": after(page(502, "502 Bad Gateway")),
  "503": instead(page(503, "503 Service Temporarily Unavailable")),
  "504": after(page(504, "504 Gateway Time-out")),
  html: instead(page(200, "Welcome")),
  "html-after": after(page(200, "Welcome")),
};
