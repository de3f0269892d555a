// What a refusal or a broken connection means to the person, and what to do (observed.md, "Errors, in three shapes").

import * as z from "zod";
import { ServiceError, type FieldRefusal, type ServiceErrorCode } from "../errors.ts";
import type { Call } from "./call.ts";
import { ProxyRefusal } from "./proxies.ts";
import { hide, oneLine } from "./quote.ts";

/** An answer is read to this many bytes: 100 links with full target groups stay far below. */
export const MOST_BYTES: number = 64 * 1024 * 1024;
const CERTIFICATE_CODE = /CERT|^(CRL_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_(CA|PURPOSE)|PATH_LENGTH)/;
const TLS_CODE = /^(ERR_TLS|ERR_SSL|EPROTO)/;
const AGAIN = "Run again: what was applied stays, the rest is planned anew.";

const CHECK_NETWORK = "Check the address (service.base_url or --base-url) and your network.";
const CHECK_PROXY = "Check HTTPS_PROXY and HTTP_PROXY; NO_PROXY names the hosts that are reached without a proxy.";

/** A request to which no whole answer came. */
export interface Fault {
  readonly cause: unknown;
  /** The one that was asked. */
  readonly host: string;
  /** Whether a connection stood: if not, the service never had the request. */
  readonly connected: boolean;
  /** The status, where the answer came as far as that. */
  readonly status: number | null;
  /** The proxy's host, where it is the proxy that failed; else null. */
  readonly proxy: string | null;
}

/** Turns undici's or Node's error into ours. */
export function connectionError({ cause, host, connected, status, proxy }: Fault): ServiceError {
  const code = codeOf(cause);
  const peer = proxy === null ? host : `the proxy ${proxy}`;
  const checkWay = proxy === null ? CHECK_NETWORK : CHECK_PROXY;
  const fault = (kind: ServiceErrorCode, message: string, hint: string): ServiceError =>
    new ServiceError(kind, message.replace(/^the proxy/, "The proxy"), {
      hint,
      neverSent: !connected,
      cause,
      ...(status === null ? {} : { status }),
    });
  if (cause instanceof ProxyRefusal) {
    if (cause.status >= 502 && cause.status <= 504)
      return fault("unreachable", `${peer} does not reach ${host}: it answers ${cause.status}.`, CHECK_NETWORK);
    const hint = cause.status === 407 ? PROXY_WANTS_PASSWORD : CHECK_PROXY;
    return fault("proxy", `${peer} does not let through to ${host}: it answers ${cause.status}.`, hint);
  }
  if (CERTIFICATE_CODE.test(code)) {
    const hint = "If it is of your own authority, name that authority's file in NODE_EXTRA_CA_CERTS.";
    return fault("tls", `The certificate of ${peer} can't be trusted (${code}).`, hint);
  }
  if (TLS_CODE.test(code)) {
    const hint = "If it speaks http only, its address begins with http://.";
    return fault("tls", `There is no speaking https with ${peer} (${code}).`, hint);
  }
  if (code.includes("TIMEOUT") || code === "ETIMEDOUT") {
    return connected
      ? fault("timeout", `${peer} did not answer in time (${code}).`, AGAIN)
      : fault("timeout", `No connection to ${peer} was made in time (${code}).`, checkWay);
  }
  if (/^(HPE_|HTTPParserError)/.test(code)) {
    const hint = "If it speaks https, its address begins with https://.";
    return fault("unreachable", `${peer} does not answer in HTTP (${code}).`, hint);
  }
  if (connected) {
    const message = `The connection to ${peer} broke before the answer was whole (${code}).`;
    return fault(
      "unreachable",
      message,
      `${AGAIN} If it breaks again, check the address (service.base_url or --base-url).`,
    );
  }
  return fault("unreachable", `${peer} can't be reached: ${NOT_CONNECTED[code] ?? code}.`, checkWay);
}

const NOT_CONNECTED: Readonly<Record<string, string>> = {
  ENOTFOUND: "there is no such host",
  EAI_AGAIN: "its name can't be looked up",
  ECONNREFUSED: "nothing listens there",
};

function codeOf(cause: unknown): string {
  if (!(cause instanceof Error)) return "unknown";
  if ("code" in cause && typeof cause.code === "string") return cause.code;
  // Where a name has several addresses, each has failed for a reason of its own.
  if (cause instanceof AggregateError) return codeOf(cause.errors[0]);
  return cause.cause === undefined ? cause.name : codeOf(cause.cause);
}

const CODES: Readonly<Record<number, ServiceErrorCode>> = {
  401: "unauthenticated",
  403: "forbidden",
  404: "not-found",
  405: "method-refused",
  407: "proxy",
  419: "method-refused",
  422: "refused",
};

const PROXY_WANTS_PASSWORD = "Check HTTPS_PROXY and HTTP_PROXY: the proxy wants a name and a password.";

const HINTS: Partial<Record<ServiceErrorCode, string>> = {
  unauthenticated: "Check LINKFORM_API_KEY: the key may be mistyped, revoked, or of another service.",
  forbidden: "The account's plan or the key does not allow this.",
  "not-found":
    "It may have been deleted meanwhile: run again. If that does not help, check the address (service.base_url or --base-url).",
  "server-error": `The service failed. ${AGAIN}`,
  proxy: PROXY_WANTS_PASSWORD,
};

/** An answer that is not the one asked for. */
export interface Refusal {
  readonly status: number;
  /** Undefined where the body is no JSON: then it is quoted, for a proxy's message says more than "not JSON". */
  readonly json: unknown;
  readonly text: string;
  /** There was more of it than is read. */
  readonly isTooLarge: boolean;
  /** The answer's Content-Encoding. */
  readonly encoding: string | null;
  /** Where a redirect leads. */
  readonly location: URL | null;
  /** What may be in no message. */
  readonly secrets: readonly string[];
}

/** Says what the service refused and in which words, or that the answer is none of the service's at all. */
export function refusal(call: Call, answer: Refusal): ServiceError {
  const { status, json, secrets } = answer;
  const asked = `${call.method} ${call.path}`;
  if (status >= 300 && status < 400) return redirect(call, answer);
  if (json === undefined) return notJson(asked, answer);
  const code = CODES[status] ?? (status >= 500 ? "server-error" : "refused");
  const { refusals, words } = readWords(json, secrets);
  const hint = HINTS[code];
  return new ServiceError(code, `The service refuses ${asked} (${status})${words === "" ? "." : `: ${words}`}`, {
    status,
    refusals,
    ...(hint === undefined ? {} : { hint }),
  });
}

function notJson(asked: string, { status, text, isTooLarge, encoding, secrets }: Refusal): ServiceError {
  const start = quoteStart(hide(text, secrets));
  if (isTooLarge) {
    const message = `The answer to ${asked} (${status}) is larger than ${MOST_BYTES >> 20} MiB. It begins: ${start}`;
    return new ServiceError("shape", message, { status, hint: `${CHECK_ADDRESS} no list of links is that long.` });
  }
  if (encoding !== null && encoding.trim().toLowerCase() !== "identity") {
    const message = `The answer to ${asked} (${status}) comes in the encoding "${oneLine(encoding, 30)}", which was not asked for. It begins: ${start}`;
    return new ServiceError("not-json", message, {
      status,
      hint: "A proxy before the service does that: set it right.",
    });
  }
  const message = `The answer to ${asked} (${status}) is not JSON: ${start}`;
  return new ServiceError("not-json", message, { status, hint: notJsonHint(status, text) });
}

const CHECK_ADDRESS = "Check the address (service.base_url or --base-url):";

function redirect(call: Call, { status, location, secrets }: Refusal): ServiceError {
  const to = location === null ? "elsewhere" : `to ${hide(shownAddress(location), secrets)}`;
  const moved = location !== null && PLAIN_PATH.test(location.pathname) && location.pathname.endsWith(call.path);
  const hint = moved
    ? `If that is the service, write ${hide(shownAddress(location).slice(0, -call.path.length), secrets)} as service.base_url: the key is sent nowhere else.`
    : "Check LINKFORM_API_KEY and service.base_url: services send strangers to a login page like this.";
  const message = `The service redirects ${call.method} ${call.path} ${to} (${status}).`;
  return new ServiceError("redirect", message, { status, hint });
}

/** A path that hides nothing in an encoding. */
const PLAIN_PATH = /^[\w./-]{0,100}$/;

function shownAddress({ origin, pathname }: URL): string {
  return `${origin}${PLAIN_PATH.test(pathname) ? pathname : "/…"}`;
}

function notJsonHint(status: number, text: string): string {
  if (/^\s*[{[]/.test(text)) return "It is cut short or damaged: run again.";
  if (status >= 500) return "The service, or a proxy before it, failed: run again.";
  return `${CHECK_ADDRESS} this looks like something else than the service, or like a proxy before it.`;
}

/** The first words of a body, without markup. */
function quoteStart(text: string): string {
  const words = text
    .slice(0, 4000)
    .replaceAll(/<(style|script)[\s\S]*?(<\/\1>|$)|<!--[\s\S]*?(-->|$)|<[a-z/!][^>]*(>|$)/gi, " ");
  const line = oneLine(words, 120);
  return line === "" ? "it is empty." : `"${line}"`;
}

/** Validation errors are an object of lists under `message`, their keys dotted (`country.0.value`); others a text. */
const wordsBody = z.object({
  message: z.union([z.string(), z.record(z.string(), z.union([z.string(), z.array(z.string())]))]),
});

function readWords(json: unknown, secrets: readonly string[]): { refusals: FieldRefusal[]; words: string } {
  const fit = (text: string): string => oneLine(hide(text, secrets), 300);
  const body = wordsBody.safeParse(json);
  if (!body.success) return { refusals: [], words: "" };
  const { message } = body.data;
  if (typeof message === "string") return { refusals: [], words: fit(message) };
  const refusals = Object.entries(message).map(([wire, said]) => ({ wire, messages: [said].flat().map(fit) }));
  return { refusals, words: fit(refusals.flatMap(({ messages }) => messages).join(" ")) };
}
