// What an error response or a broken connection means to the user, and what to do about it (docs/service.md, "Errors").

import * as z from "zod";
import { ServiceError, type FieldRefusal, type ServiceErrorCode } from "../errors.ts";
import type { Call } from "./call.ts";
import { MOST_BYTES, type HttpResponse } from "../http/exchange.ts";
import { explainFault, PROXY_WANTS_PASSWORD, type Fault } from "../http/faults.ts";
import { MOST_QUOTED, oneLine, type Secrets } from "../http/redact.ts";

const ADVICE = {
  address: "the service address (`service.base_url` or `--base-url`)",
  again: "Run the command again. Applied changes stay, and the rest is planned again.",
};

export function connectionError(fault: Fault): ServiceError {
  const { kind, message, hint } = explainFault(fault, ADVICE);
  const { connected, status, cause } = fault;
  return new ServiceError(kind, message, { hint, status, neverSent: !connected, cause });
}

const CHECK_ADDRESS = "Check the service address (`service.base_url` or `--base-url`).";

const CODES: Readonly<Record<number, ServiceErrorCode>> = {
  401: "unauthenticated",
  403: "forbidden",
  404: "not-found",
  405: "method-refused",
  407: "proxy",
  419: "method-refused",
  422: "refused",
};

const HINTS: Partial<Record<ServiceErrorCode, string>> = {
  unauthenticated: "Check LINKFORM_API_KEY. The API key may be mistyped, revoked, or for another service.",
  forbidden: "The account's plan or the API key does not allow this.",
  "not-found": "It may have been deleted in the meantime. Run the command again.",
  "server-error":
    "The service failed. Run the command again later. Applied changes are kept. If the error persists, report the message to the operator of the service.",
  proxy: PROXY_WANTS_PASSWORD,
};

/**
 * The error for a rejected request, or for a response that does not come from the service. `json` is undefined if the body is not JSON. It
 * is quoted then, because a proxy's message says more than "not JSON". `secrets` are those that the request had.
 */
export function refusal(call: Call, answer: HttpResponse, json: unknown, secrets: Secrets): ServiceError {
  const { status } = answer;
  const asked = `${call.method} ${call.path}`;
  if (status >= 300 && status < 400) return redirect(call, answer, secrets);
  if (json === undefined) return notJson(asked, answer, secrets);
  const code = CODES[status] ?? (status >= 500 ? "server-error" : "refused");
  const { refusals, words } = readWords(json, call, secrets);
  const hint = code === "not-found" && !OF_A_ROW.test(call.path) ? CHECK_ADDRESS : HINTS[code];
  const message = `The service rejected ${asked} (${status})${words === "" ? "." : `: ${words}`}`;
  return new ServiceError(code, message, { status, refusals, hint });
}

/** A path of a list exists as long as the service does, but a row can be deleted. */
const OF_A_ROW = /\/\d+(\/destroy)?$/;

function notJson(asked: string, { status, body, isTooLarge }: HttpResponse, secrets: Secrets): ServiceError {
  const text = body.toString("utf8", 0, MOST_QUOTED);
  const start = quoteStart(text, secrets);
  if (isTooLarge) {
    const message = `The response to ${asked} (${status}) is larger than ${MOST_BYTES >> 20} MiB. It starts with: ${start}`;
    return new ServiceError("shape", message, { status, hint: `${CHECK_ADDRESS} No list of links is that long.` });
  }
  const message = `The response to ${asked} (${status}) is not JSON: ${start}`;
  return new ServiceError("not-json", message, { status, hint: notJsonHint(status, text) });
}

function redirect(call: Call, { status, location }: HttpResponse, secrets: Secrets): ServiceError {
  // An encoded path may have a secret that is encoded twice.
  const path = location?.pathname.includes("%") === true ? "/…" : location?.pathname;
  const shown = location && secrets.hide(`${location.origin}${path}`);
  const to = shown === null ? "elsewhere" : `to ${oneLine(shown, 200)}`;
  const hint = shown?.endsWith(call.path)
    ? `If this is your service, set \`service.base_url\` to ${oneLine(shown.slice(0, -call.path.length), 200)}. linkform does not send the API key to another address.`
    : "Check LINKFORM_API_KEY and `service.base_url`. A service redirects to its login page if it does not accept the API key.";
  const message = `The service redirects ${call.method} ${call.path} ${to} (${status}).`;
  return new ServiceError("redirect", message, { status, hint });
}

function notJsonHint(status: number, text: string): string {
  if (/^\s*[{[]/.test(text)) return "The response is incomplete or damaged. Run the command again.";
  if (status >= 500) return "The service, or a proxy in front of it, failed. Run the command again.";
  return `${CHECK_ADDRESS} The response seems to come from another server, or from a proxy.`;
}

const ESCAPE = /\\u([\da-f]{4})|\\(["\\/bfnrt])|&(amp|lt|gt|quot|#0?39);/gi;
const ESCAPED: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };
const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"' };

function unescape(_escape: string, unit?: string, character?: string, entity?: string): string {
  if (unit !== undefined) return String.fromCharCode(Number.parseInt(unit, 16));
  if (character !== undefined) return ESCAPED[character] ?? character;
  return ENTITIES[entity ?? ""] ?? "'";
}

/** Characters at the start of a text that are searched for words to quote. */
const MOST_SEARCHED = 4000;

function quoteStart(text: string, secrets: Secrets): string {
  // A page or JSON may quote a secret with escapes, and a part of a secret can look like markup.
  const shown = secrets.hide(secrets.hideStart(text, MOST_SEARCHED).replaceAll(ESCAPE, unescape));
  const words = shown.replaceAll(/<(style|script)[\s\S]*?(<\/\1>|$)|<!--[\s\S]*?(-->|$)|<[a-z/!][^>]*(>|$)/gi, " ");
  const line = oneLine(words, 120);
  return line === "" ? "it is empty." : `"${line}"`;
}

/** Validation errors are an object of lists under `message`, with dotted keys (`country.0.value`). Other errors are a string. */
const wordsBody = z.object({
  message: z.union([z.string(), z.record(z.string(), z.union([z.string(), z.array(z.string())]))]),
});

/** More than any form has. */
const MOST_FIELDS = 100;
const MOST_MESSAGES = 10;

function readWords(json: unknown, { form }: Call, secrets: Secrets): { refusals: FieldRefusal[]; words: string } {
  const fit = (text: string): string => oneLine(secrets.hideStart(text, MOST_SEARCHED), 300);
  const sent = new Set([...new URLSearchParams(form).keys()].map((name) => name.split("[")[0]));
  const body = wordsBody.safeParse(json);
  if (!body.success) return { refusals: [], words: "" };
  const { message } = body.data;
  if (typeof message === "string") return { refusals: [], words: fit(message) };
  const refusals = Object.entries(message)
    .slice(0, MOST_FIELDS)
    .map(([wire, said]) => ({
      // A name that was sent is no secret, also if it is a password somewhere.
      wire: sent.has(wire.split(".")[0]) ? wire : fit(wire),
      messages: [said].flat().slice(0, MOST_MESSAGES).map(fit),
    }));
  return { refusals, words: oneLine(refusals.flatMap(({ messages }) => messages).join(" "), 300) };
}
