// Chooses the proxy for an origin from HTTPS_PROXY, HTTP_PROXY and NO_PROXY, in upper or lower case.

import { parseUrl } from "../domain/hosts.ts";
import { UserError } from "../errors.ts";

/** A proxy for each scheme (empty for none), and a comma-separated list of the hosts that bypass it. */
export interface Proxies {
  readonly httpProxy: string;
  readonly httpsProxy: string;
  readonly noProxy: string;
}

/**
 * The proxies for this address; null if the environment sets none for its scheme. If both cases of a name are set, the lower case
 * wins, as in curl. Throws a user error if a value is not an address.
 */
export function readProxies(baseUrl: string, env: Readonly<Record<string, string | undefined>>): Proxies | null {
  const isSecure = baseUrl.startsWith("https:");
  const name = isSecure ? "https_proxy" : "http_proxy";
  const [proxy, from] = env[name] === undefined ? [env[name.toUpperCase()], name.toUpperCase()] : [env[name], name];
  if (proxy === undefined || proxy.trim() === "") return null;
  const address = parseProxy(proxy.trim(), from);
  return {
    httpProxy: isSecure ? "" : address,
    httpsProxy: isSecure ? address : "",
    noProxy: (env["no_proxy"] ?? env["NO_PROXY"] ?? "").trim(),
  };
}

/** The address of the proxy, which may contain a password. */
export function proxyAddress({ httpProxy, httpsProxy }: Proxies): URL {
  return new URL(httpsProxy === "" ? httpProxy : httpsProxy);
}

/** A proxy does not open a tunnel. */
export class ProxyRefusal extends Error {
  override readonly name = "ProxyRefusal";
  /** The status of its response to CONNECT. */
  readonly status: number;

  constructor(status: number) {
    super(`The proxy answered CONNECT with ${status}`);
    this.status = status;
  }
}

/** Programs that read these variables take `proxy.example.com:3128` for http. */
function parseProxy(text: string, from: string): string {
  const address = text.includes("://") ? text : `http://${text}`;
  if (/^(https?|socks5?):$/.test(parseUrl(address)?.protocol ?? "")) return address;
  // The value may contain a password.
  throw new UserError("wrong-proxy", `${from} must be the address of a proxy.`, {
    hint: "Set it to an address such as http://proxy.example.com:3128, or unset it.",
  });
}
