// Connections to one origin, directly or through a proxy, and which end failed if there was none.

import { isIP } from "node:net";
import type { buildConnector, Client, Dispatcher, Pool } from "undici";
import type { ProxySettings } from "./exchange.ts";
import { ProxyRefusal } from "./faults.ts";

/**
 * The first connection may take this many turns of 100 ms, so that a run with a wrong address ends within 3 s. Turns take longer while the
 * program is busy. Name servers have undici's limit of 10 s, and so have later connections, whose server is known to exist.
 */
const FIRST_TURNS = 18;
const TURN_MS = 100;

export class Connections {
  readonly #proxy: ProxySettings | null;
  /** Milliseconds to wait for a proxy's response to CONNECT. */
  readonly #timeout: number;
  readonly #direct: buildConnector.connector | undefined;
  readonly #neverConnected = new WeakSet<object>();
  readonly #atProxy = new WeakSet<object>();
  #isReached = false;

  /** `direct` opens the connections that go through no proxy, one at a time to each origin. */
  constructor(proxy: ProxySettings | null, timeout: number, direct?: buildConnector.connector) {
    this.#proxy = proxy;
    this.#timeout = timeout;
    this.#direct = direct;
  }

  /** The dispatcher that sends requests. undici is loaded with the first request, because it takes 15 ms. */
  async open(): Promise<Dispatcher> {
    const undici = await import("./undici.ts");
    const connector = undici.buildConnector({});
    const open: buildConnector.connector = (options, callback) => {
      let turns = this.#isReached ? Infinity : FIRST_TURNS;
      let isResolved = isIP(options.hostname) !== 0;
      const timer = setInterval(() => {
        if (isResolved) turns -= 1;
        if (turns === 0) socket.destroy(Object.assign(new Error("no connection"), { code: "ETIMEDOUT" }));
      }, TURN_MS);
      const socket = connector(options, (...result) => {
        clearInterval(timer);
        this.#isReached ||= result[0] === null;
        callback(...result);
      });
      socket.once("lookup", () => {
        isResolved = true;
      });
    };
    const pool = (origin: string | URL, options: Pool.Options, isProxy = false): Client | Pool =>
      // A pool has room for 2,048 waiting requests, which is too much for a single one.
      new (isProxy || this.#direct === undefined ? undici.Pool : undici.Client)(origin, {
        ...options,
        connect: options.connect ?? (isProxy ? open : (this.#direct ?? open)),
      }).on("connectionError", (_origin, _targets, cause) => {
        this.#neverConnected.add(cause);
        if (isProxy) this.#atProxy.add(cause);
      });
    if (this.#proxy === null) return new undici.Agent({ factory: pool });
    const { address, noProxy } = this.#proxy;
    return new undici.EnvHttpProxyAgent({
      httpProxy: address.href,
      // For both schemes. undici would read the environment without it.
      httpsProxy: "",
      noProxy,
      // As other programs do, plain http is requested from the proxy without a tunnel.
      proxyTunnel: false,
      // Without a tunnel, undici connects to the proxy's own address.
      factory: (origin, options) => pool(origin, options, String(origin) === address.href),
      clientFactory: (origin, options) => {
        const client = pool(origin, { ...options, connect: open, headersTimeout: this.#timeout }, true);
        const connect = client.connect.bind(client);
        return Object.assign(client, {
          connect: (call: Dispatcher.ConnectOptions) => this.#tunnel(() => connect(call)),
        });
      },
    });
  }

  /** Whether a connection was open when the request failed, and the proxy's host if the proxy failed. */
  explain(failed: unknown): { readonly cause: unknown; readonly connected: boolean; readonly proxy: string | null } {
    if (!(failed instanceof Error)) return { cause: failed, connected: true, proxy: null };
    const proxy = this.#proxy?.address.host ?? null;
    // undici reports the 407 of a proxy without a tunnel as an invalid argument. No request of linkform has one.
    if (proxy !== null && "code" in failed && failed.code === "UND_ERR_INVALID_ARG")
      return { cause: new ProxyRefusal(407), connected: false, proxy };
    const isProxys = this.#atProxy.has(failed);
    return { cause: failed, connected: !this.#neverConnected.has(failed), proxy: isProxys ? proxy : null };
  }

  async #tunnel(open: () => Promise<Dispatcher.ConnectData>): Promise<Dispatcher.ConnectData> {
    try {
      const opened = await open();
      if (opened.statusCode === 200) return opened;
      opened.socket.on("error", () => undefined).destroy();
      throw new ProxyRefusal(opened.statusCode);
    } catch (cause) {
      // If undici sees the error code of a socket that the proxy closed, it reconnects at once, again and again.
      const failed = cause instanceof ProxyRefusal ? cause : new Error("no tunnel", { cause });
      this.#atProxy.add(failed);
      throw failed;
    }
  }
}
