// Sends one request of `check` on a new connection, only to public addresses, and reads the status and a few headers of the response.

import type { LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";
import { type BlockList, type LookupFunction, isIP } from "node:net";
import tls from "node:tls";
import { callbackify } from "node:util";
import type { buildConnector } from "undici";
import { isPrivate } from "../config/public-address.ts";
import { osCode } from "../files/location.ts";
import { Exchange, readProxy, retryAfter } from "../http/exchange.ts";
import { type Fault, explainFault } from "../http/faults.ts";
import { buildConnector as connector } from "../http/undici.ts";
import type { Answer, AskOptions, Verdict } from "./ask.ts";

/** The response to a request, or why there is none. */
export interface Reply extends Omit<Answer, "redirects"> {
  /** Null without a response. */
  readonly status: number | null;
  /** The target of a redirect, as the server wrote it. */
  readonly location: string | null;
  /** Milliseconds for which the host asks to wait; 0 if it does not. */
  readonly wait: number;
}

export class NoReply extends Error {
  readonly reply: Reply;

  constructor(verdict: Verdict, reason: string) {
    super(reason);
    this.reply = { verdict, reason, status: null, location: null, wait: 0 };
  }
}

/** From the start of a request to the headers of its response, with the connection. */
const TIMEOUT_SECONDS = 10;

/** Milliseconds for one address of a host that has several. Node's 250 are too few for a far server. */
const ADDRESS_TIMEOUT = 2000;

const REASONS = {
  unreachable: "no connection",
  timeout: "timed out",
  tls: "no trusted connection",
  proxy: "refused by the proxy",
};

/** Returns a function that sends one request, and throws the reason of an aborted signal. Throws a user error for a wrong proxy. */
export function requester(options: AskOptions): (method: "HEAD" | "GET", url: URL) => Promise<Reply> {
  const { clock, signal, env, version, allowed } = options;
  const [http, https] = ["http:", "https:"].map((scheme) => readProxy(scheme, env));
  const headers = {
    accept: "text/html, */*;q=0.8",
    "user-agent": `linkform/${version} (checks the destinations of short links; docs/check.md of the package linkform)`,
  };
  const connect = connector({
    lookup: checkedLookup(options),
    timeout: clock.real(TIMEOUT_SECONDS * 1000),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ADDRESS_TIMEOUT,
    // `refuseCertificate` checks it, because only an open connection has the dates of a certificate.
    rejectUnauthorized: false,
    maxCachedSessions: 0,
    // Otherwise, each connection makes its own, with the certificates of all authorities.
    secureContext: tls.createSecureContext(),
  });
  const direct: buildConnector.connector = (to, callback) => {
    connect(to, (...result) => {
      const [, socket] = result;
      const refusal = socket instanceof tls.TLSSocket ? refuseCertificate(socket, clock.now()) : null;
      if (refusal === null) return callback(...result);
      socket?.destroy();
      callback(refusal, null);
    });
  };
  return async (method, url) => {
    const proxy = (url.protocol === "http:" ? http : https) ?? null;
    const limits = { direct, headersWithin: TIMEOUT_SECONDS };
    const exchange = new Exchange({ origin: url.origin, headers, clock, proxy, explain, ...limits });
    try {
      const host = url.hostname.replaceAll(/[[\]]/g, "");
      // For an IP address, a connection has no lookup.
      if (isIP(host) !== 0) refusePrivate(host, allowed);
      const { status, header } = await exchange.send({ method, url, body: null }, signal);
      const mayWait = status === 429 || status === 503;
      return {
        verdict: status < 400 ? "alive" : status === 404 || status === 410 ? "dead" : "unknown",
        reason: String(status),
        status,
        location: [301, 302, 303, 307, 308].includes(status) ? header("location") : null,
        wait: mayWait ? 1000 * (retryAfter(header, clock.now()) ?? 0) : 0,
      };
    } catch (failed) {
      if (failed instanceof NoReply) return failed.reply;
      throw failed;
    } finally {
      await exchange.close();
    }
  };
}

/** Throws `NoReply` for an IP address that is neither public nor in `allowed`. */
export function refusePrivate(address: string, allowed: BlockList | undefined): void {
  if (isPrivate(address, allowed)) throw new NoReply("unknown", "private address");
}

/** A connection gets the addresses that were checked here, so a name server cannot return others for it. */
function checkedLookup({
  never,
  allowed,
  lookup: resolve = (host) => lookup(host, { all: true }),
}: AskOptions): LookupFunction {
  let canResolve = false;
  const resolvePublic = async (host: string): Promise<LookupAddress[]> => {
    const found = await resolve(host);
    for (const { address } of found) refusePrivate(address, allowed);
    canResolve = true;
    return [...found];
  };
  const find = async (host: string): Promise<LookupAddress[]> => {
    try {
      return await resolvePublic(host);
    } catch (failed) {
      if (osCode(failed) !== "ENOTFOUND") throw failed;
      // Without a network, some systems say this of every host but localhost. The service and the short domains do exist.
      if (!canResolve) await Promise.allSettled([...never].map(resolvePublic));
      throw canResolve ? new NoReply("dead", "no such host") : new NoReply("unknown", "no host can be resolved");
    }
  };
  const found = callbackify(find);
  return (host, _options, callback) => found(host, callback);
}

function explain(fault: Fault): NoReply {
  if (fault.cause instanceof NoReply) return fault.cause;
  const { kind } = explainFault(fault, { address: "", again: "" });
  return new NoReply("unknown", kind === "unreachable" && fault.connected ? "connection lost" : REASONS[kind]);
}

/** Why a certificate is not valid; null if it is. */
function refuseCertificate(socket: tls.TLSSocket, now: number): Error | null {
  if (socket.authorized) return null;
  // Node's types have an error here, but it is the code of one.
  const code = String(socket.authorizationError);
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") return new NoReply("dead", "certificate for another host");
  const end = Date.parse(socket.getPeerCertificate().valid_to);
  // The code is the same if an issuer's certificate has expired, which browsers may replace.
  if (code === "CERT_HAS_EXPIRED" && end < now)
    return new NoReply("dead", `certificate expired on ${new Date(end).toISOString().slice(0, 10)}`);
  return new NoReply("unknown", REASONS.tls);
}
