// Hosts of addresses, and patterns of hosts. Both are compared in the form that browsers use: lower case, punycode, without a port.

export function hostOf(address: string): string | null {
  const url = parseUrl(address);
  if (url === null || url.hostname === "") return null;
  // Browsers leave the hosts of other schemes as they are written.
  const isWeb = url.protocol === "https:" || url.protocol === "http:";
  const host = isWeb ? url.hostname : (parseUrl(`https://${url.hostname}/`)?.hostname ?? url.hostname);
  // A dot at the end changes how a host is looked up, but not which one it is.
  return host.replace(/\.$/, "");
}

/** Parses `example.com`, or `*.example.com` for the hosts below it; null if the text is neither. */
export function parseHostPattern(text: string): string | null {
  const [, star = "", host = ""] = /^(\*\.)?(.*)$/s.exec(text) ?? [];
  if (host.length > LONGEST || /[\s/\\?#@*]|:\d*$/.test(host)) return null;
  const found = hostOf(`https://${host}/`);
  return found === null ? null : `${star}${found}`;
}

/** A test whether a host matches one of these parsed patterns. Its time does not depend on their number. */
export function hostMatcher(patterns: Iterable<string>): (host: string) => boolean {
  const known = new Set(patterns);
  return (host) => {
    if (known.has(host)) return true;
    for (let dot = host.indexOf("."); dot >= 0; dot = host.indexOf(".", dot + 1))
      if (known.has(`*${host.slice(dot)}`)) return true;
    return false;
  };
}

/** The maximum of the domain name system. */
const LONGEST = 253;

/**
 * Parses an address; null if it is not valid. In Node 20, `URL.canParse` returns false for an address such as `https://bücher.test/`
 * once its caller has been optimized.
 */
export function parseUrl(address: string, base?: string): URL | null {
  try {
    return new URL(address, base);
  } catch {
    return null;
  }
}
