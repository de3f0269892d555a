// What a refusal or a broken connection means to the person, and what to do (observed.md, "Errors, in three shapes").

import { ServiceError, type FieldRefusal, type ServiceErrorCode } from "../errors.ts";
import type { Call } from "./transport.ts";

const TLS_CODE = /^(CERT_|ERR_TLS|ERR_SSL|EPROTO|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|HOSTNAME_MISMATCH)/;
const TIMEOUT_CODE = /TIMEOUT|ETIMEDOUT/;
/** Codes of a connection that never stood, so that nothing was sent. */
const NOT_CONNECTED = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** No answer came: turns undici's or Node's error into ours. `host` is the one that was asked. */
export function connectionError(cause: unknown, host: string): ServiceError {
  const code = codeOf(cause);
  const neverSent = NOT_CONNECTED.has(code);
  if (TLS_CODE.test(code)) {
    return new ServiceError("tls", `${host} can't be trusted over https (${code}).`, {
      hint: "If it has a certificate of your own authority, name that in NODE_EXTRA_CA_CERTS; if it speaks http only, its address begins with http://.",
      neverSent: true,
      cause,
    });
  }
  if (TIMEOUT_CODE.test(code)) {
    return new ServiceError("timeout", `${host} did not answer in time (${code}).`, {
      hint: "Run again; if it stays so, check the address.",
      neverSent,
      cause,
    });
  }
  const why =
    code === "ENOTFOUND" || code === "EAI_AGAIN"
      ? "there is no such host"
      : code === "ECONNREFUSED"
        ? "nothing listens there"
        : code;
  return new ServiceError("unreachable", `${host} can't be reached: ${why}.`, {
    hint: "Check service.base_url and your network.",
    neverSent,
    cause,
  });
}

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
  419: "method-refused",
  422: "refused",
  429: "rate-limited",
};

const HINTS: Partial<Record<ServiceErrorCode, string>> = {
  unauthenticated: "Check LINKFORM_API_KEY: the key may be mistyped, revoked, or of another service.",
  forbidden: "The account's plan or the key does not allow this.",
  "server-error": "The service failed. Run again: what was applied stays, the rest is planned anew.",
};

/**
 * An answer that is not the one asked for. `json` is undefined where the body is no JSON: then it is quoted, for a login
 * page or a proxy's message says more than "not JSON".
 */
export function refusal(call: Call, status: number, json: unknown, text: string): ServiceError {
  const asked = `${call.method} ${call.path}`;
  if (status >= 300 && status < 400) {
    return new ServiceError("redirect", `The service redirects ${asked} elsewhere (${status}).`, {
      status,
      hint: "Write the address that it redirects to as service.base_url: the key is never sent along.",
    });
  }
  if (json === undefined) {
    const hint =
      status === 404 || status < 300
        ? "Check service.base_url: this looks like another page."
        : "A proxy may have answered: try again.";
    return new ServiceError("not-json", `The answer to ${asked} (${status}) is not JSON: ${quoteStart(text)}`, {
      status,
      hint,
    });
  }
  const code = CODES[status] ?? (status >= 500 ? "server-error" : "refused");
  const refusals = readRefusals(json);
  const said = refusals.length > 0 ? refusals.flatMap(({ messages }) => messages).join(" ") : messageOf(json);
  const hint = HINTS[code];
  return new ServiceError(code, `The service refuses ${asked} (${status})${said === "" ? "." : `: ${said}`}`, {
    status,
    refusals,
    ...(hint === undefined ? {} : { hint }),
  });
}

/** The first words of a body, without control characters and markup. */
function quoteStart(text: string): string {
  const words = text
    .slice(0, 4000)
    .replaceAll(/<(style|script)[\s\S]*?(<\/\1>|$)|<[^>]*>/gi, " ")
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .trim();
  return words === "" ? "it is empty." : `"${words.slice(0, 120)}${words.length > 120 ? "…" : ""}"`;
}

/** Validation errors are an object of lists under `message`, their keys dotted (`country.0.value`). */
function readRefusals(json: unknown): FieldRefusal[] {
  const message = memberOf(json, "message");
  if (typeof message !== "object" || message === null) return [];
  return Object.entries(message).map(([wire, said]: [string, unknown]) => ({
    wire,
    messages: Array.isArray(said) ? said.filter((line) => typeof line === "string") : [String(said)],
  }));
}

function messageOf(json: unknown): string {
  const message = memberOf(json, "message");
  return typeof message === "string" ? message : "";
}

function memberOf(json: unknown, name: string): unknown {
  return typeof json === "object" && json !== null && name in json
    ? Object.entries(json).find(([key]) => key === name)?.[1]
    : undefined;
}
