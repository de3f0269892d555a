// Explains why a request got no complete response: the cause, and what the user can do.

/** Seconds that a whole answer may take. */
export const MOST_SECONDS = 60;

/** An answer that was not complete in time. It is asked for only once more: such a server keeps connections busy. */
export class SlowAnswer extends Error {}

/** A proxy does not open a tunnel. `status` is that of its response to CONNECT. */
export class ProxyRefusal extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`The proxy answered CONNECT with ${status}`);
    this.status = status;
  }
}

/** The number of times to send a request that failed for this reason, of at most `most`. */
export function triesAfter(reason: unknown, most: number): number {
  return reason instanceof SlowAnswer ? 2 : most;
}

const CERTIFICATE_CODE = /CERT|^(CRL_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_(CA|PURPOSE)|PATH_LENGTH)/;
const TLS_CODE = /^(ERR_TLS|ERR_SSL|EPROTO)/;

const CHECK_PROXY = "Check HTTPS_PROXY and HTTP_PROXY. To bypass the proxy for a host, add the host to NO_PROXY.";
export const PROXY_WANTS_PASSWORD = "Check HTTPS_PROXY and HTTP_PROXY. The proxy requires a login name and a password.";

export interface Fault {
  readonly cause: unknown;
  readonly host: string;
  /** Whether a connection was open. If not, the service did not get the request. */
  readonly connected: boolean;
  readonly status: number | null;
  /** The proxy's host if the proxy failed. */
  readonly proxy: string | null;
}

export interface FaultExplanation {
  readonly kind: "unreachable" | "proxy" | "tls" | "timeout";
  readonly message: string;
  readonly hint: string;
}

/** Explains an error of undici or Node. `address` names the setting with the address, and `again` says how to continue. */
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
  if (cause instanceof SlowAnswer)
    return fault("timeout", `The response from ${peer} was not complete after ${MOST_SECONDS} seconds.`, again);
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
  EHOSTUNREACH: "there is no route to the host",
  ENETUNREACH: "there is no route to its network",
};

function codeOf(cause: unknown): string {
  if (!(cause instanceof Error)) return "unknown";
  if ("code" in cause && typeof cause.code === "string") return cause.code;
  // If a host name has several addresses, each has its own error.
  if (cause instanceof AggregateError) return codeOf(cause.errors[0]);
  return cause.cause === undefined ? cause.name : codeOf(cause.cause);
}
