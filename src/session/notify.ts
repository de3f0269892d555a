// Sends a notification about a run to a chat, such as an incoming webhook of Slack or Teams.

import { parseUrl } from "../domain/hosts.ts";
import { warning, type Diagnostic } from "../domain/diagnostic.ts";
import { Exchange } from "../http/exchange.ts";
import { explainFault, type Fault } from "../http/faults.ts";
import { readProxies } from "../http/proxies.ts";
import type { World } from "./context.ts";

/** Milliseconds until linkform gives up: nothing waits for a chat. */
const TIMEOUT = 10_000;

const VARIABLE = "LINKFORM_NOTIFY_URL";

/** The address from the flag or the environment; null if there is none. */
export function notifyAddress(flag: string | undefined, env: World["env"]): string | null {
  return (flag ?? env[VARIABLE] ?? "").trim() || null;
}

/**
 * Posts `{"text": …}` to this address. The address is a secret, so no message contains more of it than the host. Returns a warning if
 * the notification could not be sent.
 */
export async function notify(world: World, address: string, text: string): Promise<Diagnostic | null> {
  const url = parseUrl(address);
  const isLocal = url !== null && ["127.0.0.1", "localhost", "[::1]"].includes(url.hostname);
  if (url === null || !(url.protocol === "https:" || (url.protocol === "http:" && isLocal)))
    return failed("Its address is not a URL that starts with https://.", `Check ${VARIABLE} or --notify.`);
  const exchange = new Exchange({
    origin: url.origin,
    headers: { "user-agent": `linkform/${world.version}`, accept: "*/*" },
    clock: world.clock,
    proxies: readProxies(address, world.env),
    explain: (fault) => new Unsent(fault),
  });
  const body = { type: "application/json", text: JSON.stringify({ text: escaped(text) }) };
  try {
    const signal = AbortSignal.timeout(world.clock.real(TIMEOUT));
    const { status } = await exchange.send({ method: "POST", url, body }, signal);
    if (status >= 200 && status < 300) return null;
    return failed(`${url.host} answered with status ${status}.`, `Check ${VARIABLE} or --notify.`);
  } catch (cause) {
    if (!(cause instanceof Unsent)) return failed(`${url.host} did not respond in time.`, null);
    const { message, hint } = explainFault(cause.fault, { address: VARIABLE, again: "The run itself is complete." });
    return failed(message, hint);
  } finally {
    await exchange.close();
  }
}

class Unsent extends Error {
  readonly fault: Fault;

  constructor(fault: Fault) {
    super("the notification was not sent");
    this.fault = fault;
  }
}

/** Slack reads these three characters as markup. */
function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function failed(why: string, hint: string | null): Diagnostic {
  return warning("not-notified", `The notification was not sent. ${why}`, null, hint);
}
