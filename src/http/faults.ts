// Why no whole answer came: whose fault it is, and what to do.

import { ProxyRefusal } from "./proxies.ts";

const CERTIFICATE_CODE = /CERT|^(CRL_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_(CA|PURPOSE)|PATH_LENGTH)/;
const TLS_CODE = /^(ERR_TLS|ERR_SSL|EPROTO)/;

const CHECK_PROXY = "Check HTTPS_PROXY and HTTP_PROXY. To bypass the proxy for a host, add the host to NO_PROXY.";
export const PROXY_WANTS_PASSWORD = "Check HTTPS_PROXY and HTTP_PROXY. The proxy requires a login name and a password.";

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

/** What can be said of a fault: its kind, what is wrong, and what to do. */
export interface FaultExplanation {
  readonly kind: "unreachable" | "proxy" | "tls" | "timeout";
  readonly message: string;
  readonly hint: string;
}

/** Makes sense of undici's or Node's error; `address` says where the address stands that may be wrong, `again` how to go on. */
export function explainFault(
  { cause, host, connected, proxy }: Fault,
  { address, again }: { readonly address: string; readonly again: string },
): FaultExplanation {
  const code = codeOf(cause);
  const peer = proxy === null ? host : `the proxy ${proxy}`;
  const checkNetwork = `Check ${address} and your network.`;
  const checkWay = proxy === null ? checkNetwork : CHECK_PROXY;
  const fault = (kind: FaultExplanation["kind"], message: string, hint: string): FaultExplanation => ({
    kind,
    message: message.replace(/^the proxy/, "The proxy"),
    hint,
  });
  if (cause instanceof ProxyRefusal) {
    if (cause.status >= 502 && cause.status <= 504)
      return fault("unreachable", `${peer} cannot reach ${host} (status ${cause.status}).`, checkNetwork);
    const hint = cause.status === 407 ? PROXY_WANTS_PASSWORD : CHECK_PROXY;
    return fault("proxy", `${peer} does not allow connections to ${host} (status ${cause.status}).`, hint);
  }
  if (CERTIFICATE_CODE.test(code)) {
    const hint =
      "If your own certificate authority issued it, set NODE_EXTRA_CA_CERTS to the file with the authority's certificate.";
    return fault("tls", `The certificate of ${peer} is not trusted (${code}).`, hint);
  }
  if (TLS_CODE.test(code)) {
    const hint = "If the server supports only HTTP, use an address that starts with http://.";
    return fault("tls", `The TLS connection to ${peer} failed (${code}).`, hint);
  }
  if (code.includes("TIMEOUT") || code === "ETIMEDOUT") {
    return connected
      ? fault("timeout", `${peer} did not respond in time (${code}).`, again)
      : fault("timeout", `The connection to ${peer} timed out (${code}).`, checkWay);
  }
  if (/^(HPE_|HTTPParserError)/.test(code)) {
    const hint = "If the server requires HTTPS, use an address that starts with https://.";
    return fault("unreachable", `The response from ${peer} is not valid HTTP (${code}).`, hint);
  }
  if (connected) {
    const message = `The connection to ${peer} was lost before the response was complete (${code}).`;
    return fault("unreachable", message, `${again} If it fails again, check ${address}.`);
  }
  return fault("unreachable", `linkform cannot connect to ${peer}: ${NOT_CONNECTED[code] ?? code}.`, checkWay);
}

const NOT_CONNECTED: Readonly<Record<string, string>> = {
  ENOTFOUND: "the host does not exist",
  EAI_AGAIN: "the host name cannot be resolved",
  ECONNREFUSED: "the connection was refused",
};

function codeOf(cause: unknown): string {
  if (!(cause instanceof Error)) return "unknown";
  if ("code" in cause && typeof cause.code === "string") return cause.code;
  // Where a name has several addresses, each has failed for a reason of its own.
  if (cause instanceof AggregateError) return codeOf(cause.errors[0]);
  return cause.cause === undefined ? cause.name : codeOf(cause.cause);
}
