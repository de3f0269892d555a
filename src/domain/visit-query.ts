// The query of a short URL, merged into that of the destination (observed.md, "What a visitor meets").

/** The destination with a visitor's parameters, and the names that both have: of these nobody has observed which value wins. */
export interface Merged {
  readonly to: string;
  readonly doubled: readonly string[];
}

/**
 * Merges a query, which is without `?`, into a destination. Of a name that both have the visitor's value is taken. The rest of
 * the destination stays as it is, and its fragment at the end.
 */
export function mergeQuery(destination: string, query: string): Merged {
  const added = query.split("&").filter((pair) => pair !== "");
  if (added.length === 0) return { to: destination, doubled: [] };
  const [, base = "", own = "", fragment = ""] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(destination) ?? [];
  const names = new Set(added.map(nameOf));
  const before = own.split("&").filter((pair) => pair !== "");
  const kept = before.filter((pair) => !names.has(nameOf(pair)));
  return {
    to: `${base}?${[...kept, ...added.map(sent)].join("&")}${fragment}`,
    doubled: [...new Set(before.map(nameOf))].filter((name) => names.has(name)),
  };
}

/** The name of a parameter as programs read it. */
function nameOf(pair: string): string {
  const name = (pair.split("=", 1)[0] ?? "").replaceAll("+", " ");
  return name.replaceAll(/(?:%[0-9a-f]{2})+/gi, (bytes) => {
    try {
      return decodeURIComponent(bytes);
    } catch {
      return bytes;
    }
  });
}

/** As a browser puts it into an address. */
function sent(pair: string): string {
  return pair.replaceAll(/\p{Surrogate}/gu, "\ufffd").replaceAll(/[^\x21-\x7e]+/g, encodeURIComponent);
}
