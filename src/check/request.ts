// Sends one request of `check`, on a new connection. Only the headers of the response are read.

import { isIP } from "node:net";
import tls from "node:tls";
import type { buildConnector } from "undici";
import { Exchange } from "../http/exchange.ts";
import { explainFault, type Fault } from "../http/faults.ts";
import { readProxy } from "../http/proxies.ts";
import { buildConnector as connector } from "../http/undici.ts";
import { checkedLookup, refusePrivate } from "./addresses.ts";
import type { AskOptions } from "./ask.ts";
import { NoReply, readReply, type Reply } from "./reply.ts";

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

/**
 * Returns a function that sends one request and follows no redirect. It throws the reason of an aborted signal. Throws a user error if
 * the environment has a wrong proxy.
 */
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
      return readReply(status, header, clock.now());
    } catch (failed) {
      if (failed instanceof NoReply) return failed.reply;
      throw failed;
    } finally {
      await exchange.close();
    }
  };
}

function explain(fault: Fault): NoReply {
  if (fault.cause instanceof NoReply) return fault.cause;
  const { kind } = explainFault(fault, { address: "", again: "" });
  return new NoReply("unknown", kind === "unreachable" && fault.connected ? "connection lost" : REASONS[kind]);
}

/** Why the certificate of this connection is not valid; null if it is. */
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
