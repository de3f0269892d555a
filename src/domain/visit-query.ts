// The parts of a destination that the service drops for visitors with a query.

/** A part of a destination that no visitor with a query gets. */
export type LostPart = "port" | "user info" | "fragment";

/** What a destination loses as soon as a visitor comes with a query. The port that its scheme has anyway is no loss. */
export function lostParts(destination: string): LostPart[] {
  const [, scheme = "", userInfo = "", port = "", fragment = ""] =
    /^([a-z][a-z0-9+.-]*):\/\/(?:([^/?#]*)@)?[^/?#]*?(?::(\d*))?(?:[/?][^#]*)?(#.*)?$/is.exec(destination) ?? [];
  return [
    ...(port === "" || USUAL_PORT[scheme.toLowerCase()] === port ? [] : (["port"] as const)),
    ...(userInfo === "" ? [] : (["user info"] as const)),
    ...(fragment === "" ? [] : (["fragment"] as const)),
  ];
}

const USUAL_PORT: Readonly<Record<string, string>> = { http: "80", https: "443" };
