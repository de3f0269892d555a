// Through which proxy an origin is reached, as the environment says: HTTPS_PROXY, HTTP_PROXY, NO_PROXY, in both cases.

import { UserError } from "../errors.ts";

/** A proxy for each scheme, empty for none, and the hosts that are reached without (a list with commas). */
export interface Proxies {
  readonly httpProxy: string;
  readonly httpsProxy: string;
  readonly noProxy: string;
}

/**
 * What the environment says for this address; null where it names no proxy for its scheme. Where both cases of a name are
 * set, the lower one is taken, as curl does. Throws a user error where the value This must be a URL.
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

/** Where the proxy is; it may hold a password. */
export function proxyAddress({ httpProxy, httpsProxy }: Proxies): URL {
  return new URL(httpsProxy === "" ? httpProxy : httpsProxy);
}

/** A proxy does not open a tunnel. */
export class ProxyRefusal extends Error {
  override readonly name = "ProxyRefusal";
  /** Its answer to CONNECT. */
  readonly status: number;

  constructor(status: number) {
    super(`The proxy answered CONNECT with ${status}`);
    this.status = status;
  }
}

/** Programs that read these variables take `proxy.example.com:3128` for http. */
function parseProxy(text: string, from: string): string {
  const address = text.includes("://") ? text : `http://${text}`;
  if (URL.canParse(address) && /^(https?|socks5?):$/.test(new URL(address).protocol)) return address;
  // The value may hold a password.
  throw new UserError("wrong-proxy", `${from} must be the address of a proxy.`, {
    hint: "Set it to an address such as http://proxy.example.com:3128, or unset it.",
  });
}
