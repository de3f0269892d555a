// Rules about one destination: where it leads, how, and what it gives away.

import { BlockList, isIP } from "node:net";
import type { Place } from "../../domain/place.ts";
import { DESTINATION, textProblem } from "../../domain/table.ts";
import { lostParts, type LostPart } from "../../domain/visit-query.ts";
import type { Advice, Remark } from "./advice.ts";
import { utmRemarks } from "./utm.ts";

/** What an address with such a scheme does instead of leading somewhere. */
const UNSAFE: Readonly<Record<string, string>> = {
  javascript: "it would run a script in the visitor's browser",
  vbscript: "it would run a script in the visitor's browser",
  data: "it is a page by itself, which nobody can tell from a forged one",
  file: "it leads into the visitor's own machine",
};

/** A destination; `name` is what a sentence calls it. `isMerged`: the service merges the short URL's query into it. */
export interface WrittenAddress {
  readonly text: string;
  readonly name: string;
  readonly isMerged: boolean;
}

/** Lints a destination. One that is refused anyway is explained, if need be. */
export function lintAddress({ text, name, isMerged }: WrittenAddress, place: Place, advice: Advice): void {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase() ?? "";
  const unsafe = Object.hasOwn(UNSAFE, scheme) ? UNSAFE[scheme] : undefined;
  if (unsafe !== undefined) {
    const message = `${name} is a \`${scheme}:\` address: ${unsafe}.`;
    advice.say(place, { rule: "unsafe-scheme", message, hint: "Write an address that begins with https://." });
  }
  if (unsafe !== undefined || textProblem(DESTINATION, text) !== null) return;
  const url = parseAddress(text);
  if (url === null) return;
  if (url.username !== "" || url.password !== "") advice.say(place, credentials(url, name));
  const reach = reachRemark(url, name);
  if (reach !== null) advice.say(place, reach);
  const utm = utmRemarks(url, name);
  for (const remark of utm) advice.say(place, remark);
  // A part that another rule warns about anyway is not reported twice.
  const isFragmentReported = utm.some(({ rule }) => rule === "utm-fragment" && advice.hears(rule));
  const lost = lostParts(text).filter((part) =>
    part === "user info" ? !advice.hears("url-credentials") : part !== "fragment" || !isFragmentReported,
  );
  if (isMerged && lost.length > 0) advice.say(place, dropped(url, lost, name));
}

/** User info is not repeated: it may be a password. */
function dropped({ port, hash }: URL, lost: readonly LostPart[], name: string): Remark {
  const [only] = lost.length === 1 ? lost : [];
  const mark = only === "port" ? `:${port}` : only === "fragment" ? hash : null;
  const parts = lost.map((part) => (part === "user info" ? part : `a ${part}`)).join(" and ");
  const them = lost.length === 1 ? "it" : "them";
  return {
    rule: "query-drops-port",
    message: `${name} has ${parts}. The service drops ${them} for visitors who come with a query, such as \`?utm_source=mail\`.`,
    hint: "Use a destination without these parts that redirects to this one.",
    ...(mark === null || mark === "" ? {} : { mark }),
  };
}

/** An address in its parts; null for what browsers can't read. */
export function parseAddress(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

/** The message must not hold what it warns of. */
function credentials({ protocol, host, password }: URL, name: string): Remark {
  const what = password === "" ? "a user name" : "a user name and a password";
  return {
    rule: "url-credentials",
    message: `${name} holds ${what} (${protocol}//•••@${host}): whoever follows the link gets them.`,
    hint: "Remove what stands before the `@`.",
  };
}

/** What stands between the visitors and the address: on the own machine or network, plain http is no matter. */
function reachRemark({ protocol, hostname }: URL, name: string): Remark | null {
  const reach = privateReach(hostname);
  if (reach !== null) {
    const hint = "Write the address that visitors can reach.";
    return { rule: "private-address", message: `${name} leads to ${hostname}, ${reach}.`, hint, mark: hostname };
  }
  if (protocol !== "http:") return null;
  const message = `${name} is plain http: on its way it can be read and changed.`;
  return { rule: "plain-http", message, hint: "Write https:// if the site has it.", mark: "http://" };
}

const OWN_MACHINE = "which is each visitor's own machine";
const OWN_NETWORK = "which only its own network reaches";

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet("127.0.0.0", 8);
LOOPBACK.addSubnet("0.0.0.0", 8);
LOOPBACK.addAddress("::1", "ipv6");
LOOPBACK.addAddress("::", "ipv6");

/** Private use (RFC 1918), carriers' own (RFC 6598), link-local (RFC 3927, RFC 4291), unique local (RFC 4193). */
const PRIVATE = new BlockList();
PRIVATE.addSubnet("10.0.0.0", 8);
PRIVATE.addSubnet("172.16.0.0", 12);
PRIVATE.addSubnet("192.168.0.0", 16);
PRIVATE.addSubnet("100.64.0.0", 10);
PRIVATE.addSubnet("169.254.0.0", 16);
PRIVATE.addSubnet("fc00::", 7, "ipv6");
PRIVATE.addSubnet("fe80::", 10, "ipv6");

/** Who reaches a host that not everybody does, to go on from "leads to …"; null for one that everybody may. */
function privateReach(hostname: string): string | null {
  const host = hostname
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.$/, "")
    .toLowerCase();
  const version = isIP(host);
  if (version !== 0) {
    const family = version === 6 ? "ipv6" : "ipv4";
    if (LOOPBACK.check(host, family)) return OWN_MACHINE;
    return PRIVATE.check(host, family) ? OWN_NETWORK : null;
  }
  if (/(?:^|\.)localhost$/.test(host)) return OWN_MACHINE;
  return /\.(?:local|internal|lan|home\.arpa)$/.test(host) ? OWN_NETWORK : null;
}
