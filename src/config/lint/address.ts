// Rules about one destination: its host, scheme and credentials.

import { addressProblem, addressTypo, type AddressProblem } from "../../domain/address.ts";
import { parseUrl } from "../../domain/hosts.ts";
import { BlockList, isIPv4 } from "node:net";
import type { Place } from "../../domain/place.ts";
import { DESTINATION, textProblem } from "../../domain/table.ts";
import type { ScalarNode } from "../yaml.ts";
import type { LintContext, LintFinding } from "./context.ts";
import { utmInFragment } from "./utm.ts";

/** What browsers do with URLs that have these schemes. */
const UNSAFE: Readonly<Record<string, string>> = {
  javascript: "which would run a script in the visitor's browser",
  vbscript: "which would run a script in the visitor's browser",
  data: "which can show a forged page",
  file: "which opens a file on the visitor's computer",
};

/** Lints a destination; `name` is its name in messages. `isMerged`: the service merges the short URL's query into it. */
export function lintAddress(node: ScalarNode, name: string, isMerged: boolean, context: LintContext): void {
  const { place } = node;
  const text = node.text.trim();
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase() ?? "";
  const unsafe = Object.hasOwn(UNSAFE, scheme) ? UNSAFE[scheme] : undefined;
  const refused = textProblem(DESTINATION, text) === null ? addressProblem(text) : null;
  const findings = refused === null ? [] : [refusedFinding(refused, text, name, place)];
  if (unsafe !== undefined) {
    const message = `${name} is a \`${scheme}:\` URL, ${unsafe}.`;
    const hint = "Write a URL that starts with https://.";
    context.report(place, { rule: "unsafe-scheme", message, hint }, ...findings);
    return;
  }
  const typo = refused === null ? addressTypo(text) : null;
  if (typo !== null) findings.push(problemFinding("address-typo", typo, name));
  context.report(place, ...findings);
  const url = parseUrl(text);
  if (url === null) return;
  if (hasUser(url)) context.report(place, credentialsFinding(url, name));
  const reach = reachFinding(url, name);
  if (reach !== null) context.report(place, reach);
  if (isMerged) reportLostParts(url, name, place, context);
}

/** A break between two lines arrives as a space. */
function refusedFinding(refused: AddressProblem, text: string, name: string, place: Place): LintFinding {
  if (/\s/.test(text) && place.source?.line(place.line)?.includes(text) === false)
    return { rule: "refused-address", message: `${name} ${refused.is}.`, hint: "Write the URL on one line." };
  return problemFinding("refused-address", refused, name);
}

function problemFinding(
  rule: "refused-address" | "address-typo",
  { is, hint, mark }: AddressProblem,
  name: string,
): LintFinding {
  return { rule, message: `${name} ${is}.`, hint, mark };
}

/** Reports what the service drops, unless another rule reports it. User info is not printed, because it may be a password. */
function reportLostParts(url: URL, name: string, place: Place, context: LintContext): void {
  const { port, hash } = url;
  const isUser = hasUser(url) && !context.isEnabled("url-credentials");
  const isFragment = hash !== "" && (utmInFragment(hash) === undefined || !context.isEnabled("utm-fragment"));
  const lost = [
    ...(port === "" ? [] : ["a port"]),
    ...(isUser ? ["user info"] : []),
    ...(isFragment ? ["a fragment"] : []),
  ];
  if (lost.length === 0) return;
  const message = `${name} has ${lost.join(" and ")}. The service drops ${lost.length === 1 ? "it" : "them"} if a visitor's short URL has a query, such as \`?utm_source=mail\`.`;
  const hint = "Use a destination without these parts that redirects to this one.";
  const mark = lost.length > 1 || isUser ? null : isFragment ? hash : `:${port}`;
  context.report(place, { rule: "query-drops-port", message, hint, mark });
}

function hasUser({ username, password }: URL): boolean {
  return username !== "" || password !== "";
}

/** The message must not contain the credentials. */
function credentialsFinding({ protocol, host, password }: URL, name: string): LintFinding {
  const what = password === "" ? "a user name" : "a user name and a password";
  return {
    rule: "url-credentials",
    message: `${name} contains ${what} (${protocol}//•••@${host}), which everyone who follows the link can read.`,
    hint: "Remove the part before the `@`.",
  };
}

/** Reports an address that visitors cannot reach, or that they reach over plain http. */
function reachFinding({ protocol, hostname }: URL, name: string): LintFinding | null {
  const reach = privateReach(hostname);
  if (reach !== null) {
    const hint = "Write a URL that visitors can reach.";
    return { rule: "private-address", message: `${name} leads to ${hostname}, ${reach}.`, hint, mark: hostname };
  }
  if (protocol !== "http:") return null;
  const message = `${name} uses plain http, so others can read and change the traffic.`;
  return { rule: "plain-http", message, hint: "Use https:// if the site supports it.", mark: "http://" };
}

const OWN_MACHINE = "which is the visitor's own computer";
const OWN_NETWORK = "which can be reached only from its private network";

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet("127.0.0.0", 8);
LOOPBACK.addSubnet("0.0.0.0", 8);
LOOPBACK.addAddress("::1", "ipv6");
LOOPBACK.addAddress("::", "ipv6");

/** Private use (RFC 1918), shared address space (RFC 6598), link-local (RFC 3927, RFC 4291), unique local (RFC 4193). */
const PRIVATE = new BlockList();
PRIVATE.addSubnet("10.0.0.0", 8);
PRIVATE.addSubnet("172.16.0.0", 12);
PRIVATE.addSubnet("192.168.0.0", 16);
PRIVATE.addSubnet("100.64.0.0", 10);
PRIVATE.addSubnet("169.254.0.0", 16);
PRIVATE.addSubnet("fc00::", 7, "ipv6");
PRIVATE.addSubnet("fe80::", 10, "ipv6");

/** The end of a sentence "leads to HOST, …" for a host that is not public; null for a public one. */
function privateReach(hostname: string): string | null {
  const host = hostname
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.$/, "")
    .toLowerCase();
  const family = host.includes(":") ? "ipv6" : isIPv4(host) ? "ipv4" : null;
  if (family !== null) {
    if (LOOPBACK.check(host, family)) return OWN_MACHINE;
    return PRIVATE.check(host, family) ? OWN_NETWORK : null;
  }
  if (/(?:^|\.)localhost$/.test(host)) return OWN_MACHINE;
  return /\.(?:local|internal|lan|home\.arpa)$/.test(host) ? OWN_NETWORK : null;
}
