// Chooses the proxy for an origin from HTTPS_PROXY, HTTP_PROXY and NO_PROXY, in upper or lower case.

import { parseUrl } from "../domain/hosts.ts";
import { UserError } from "../errors.ts";

/** The address of a proxy, which may contain a password, and a comma-separated list of the hosts that bypass it. */
export interface ProxySettings {
  readonly address: URL;
  readonly noProxy: string;
}

/**
 * The proxy for this address; null if the environment sets none for its scheme. If both cases of a name are set, the lower case
 * wins, as in curl. Throws a user error if a value is not an address.
 */
export function readProxy(baseUrl: string, env: Readonly<Record<string, string | undefined>>): ProxySettings | null {
  const name = baseUrl.startsWith("https:") ? "https_proxy" : "http_proxy";
  const [proxy, from] = env[name] === undefined ? [env[name.toUpperCase()], name.toUpperCase()] : [env[name], name];
  if (proxy === undefined || proxy.trim() === "") return null;
  return { address: parseProxy(proxy.trim(), from), noProxy: (env["no_proxy"] ?? env["NO_PROXY"] ?? "").trim() };
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
function parseProxy(text: string, from: string): URL {
  const address = parseUrl(text.includes("://") ? text : `http://${text}`);
  if (address !== null && /^(https?|socks5?):$/.test(address.protocol)) return address;
  // The value may contain a password.
  throw new UserError("wrong-proxy", `${from} must be the address of a proxy.`, {
    hint: "Set it to an address such as http://proxy.example.com:3128, or unset it.",
  });
}
