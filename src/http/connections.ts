// Connections to one origin, directly or through a proxy, and whose fault it is where one never stood.

import { isIP } from "node:net";
import Agent from "undici/lib/dispatcher/agent.js";
import Pool from "undici/lib/dispatcher/pool.js";
import type { buildConnector, Dispatcher } from "undici";
import { ProxyRefusal, proxyAddress, type Proxies } from "./proxies.ts";

export class Connections {
  readonly #proxies: Proxies | null;
  /** ms for a proxy's answer to CONNECT. */
  readonly #timeout: number;
  readonly #neverStood = new WeakSet<object>();
  readonly #atProxy = new WeakSet<object>();

  constructor(proxies: Proxies | null, timeout: number) {
    this.#proxies = proxies;
    this.#timeout = timeout;
  }

  /** What requests are sent with. */
  async open(): Promise<Dispatcher> {
    const proxies = this.#proxies;
    if (proxies === null) return new Agent({ factory: (origin, options) => this.#pool(origin, options) });
    const proxy = proxyAddress(proxies);
    const [{ default: EnvHttpProxyAgent }, { default: connect }, { default: connector }] = await Promise.all([
      import("undici/lib/dispatcher/env-http-proxy-agent.js"),
      import("undici/lib/api/api-connect.js"),
      import("undici/lib/core/connect.js"),
    ]);
    const toProxy = byName(connector({}));
    return new EnvHttpProxyAgent({
      ...proxies,
      // Plain http goes through a proxy as it does with other programs: asked of it, not tunnelled.
      proxyTunnel: false,
      // Without a tunnel the proxy's own address is connected to.
      factory: (origin, options) => this.#pool(origin, options, String(origin) === proxy.href),
      clientFactory: (origin, options) => {
        const pool = this.#pool(origin, { ...options, connect: toProxy, headersTimeout: this.#timeout }, true);
        // Loaded by parts, undici leaves this out of its classes, and its tunnels need it.
        return Object.assign(pool, {
          connect: (call: Dispatcher.ConnectOptions) => this.#tunnel(() => connect.call(pool, call)),
        });
      },
    });
  }

  /** Whose fault this is: whether a connection stood, and the proxy if it was that one's. */
  explain(failed: unknown): { readonly cause: unknown; readonly connected: boolean; readonly proxy: string | null } {
    if (!(failed instanceof Error)) return { cause: failed, connected: true, proxy: null };
    const proxy = this.#proxies === null ? null : proxyAddress(this.#proxies).host;
    // How undici says that a proxy which is asked without a tunnel answers 407: nothing that we send is an invalid argument.
    if (proxy !== null && "code" in failed && failed.code === "UND_ERR_INVALID_ARG")
      return { cause: new ProxyRefusal(407), connected: false, proxy };
    const isProxys = this.#atProxy.has(failed);
    return { cause: failed, connected: !this.#neverStood.has(failed), proxy: isProxys ? proxy : null };
  }

  #pool(origin: string | URL, options: object, isProxy = false): Dispatcher {
    return new Pool(origin, options).on("connectionError", (_origin, _targets, cause) => {
      this.#neverStood.add(cause);
      if (isProxy) this.#atProxy.add(cause);
    });
  }

  async #tunnel(open: () => Promise<Dispatcher.ConnectData>): Promise<Dispatcher.ConnectData> {
    try {
      const opened = await open();
      if (opened.statusCode === 200) return opened;
      opened.socket.on("error", () => undefined).destroy();
      throw new ProxyRefusal(opened.statusCode);
    } catch (cause) {
      // By its code undici takes a socket that the proxy closes for one to open again at once, and so for ever.
      const failed = cause instanceof ProxyRefusal ? cause : new Error("no tunnel", { cause });
      this.#atProxy.add(failed);
      throw failed;
    }
  }
}

/** In TLS only names are asked for: for an address undici does so, too, and Node 26 refuses that. */
function byName(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) => {
    const { servername, ...rest } = options;
    // Without https there is none, which here is null.
    const isAddress = typeof servername === "string" && isIP(servername.replaceAll(/[[\]]/g, "")) !== 0;
    connect(isAddress ? rest : options, callback);
  };
}
