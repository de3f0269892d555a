// Rules about one destination: its host, scheme and credentials.

import { isIP } from "node:net";
import { addressProblem, addressTypo } from "../../domain/address.ts";
import type { Diagnostic } from "../../domain/diagnostic.ts";
import { parseUrl } from "../../domain/hosts.ts";
import { placeIn } from "../../domain/place.ts";
import { isPrivate } from "../public-address.ts";
import type { RuleCode } from "../../domain/rules.ts";
import { DESTINATION, textProblem } from "../../domain/table.ts";
import type { ScalarNode } from "../yaml.ts";
import { advice, type LintContext } from "./context.ts";
import { utmInFragment } from "./utm.ts";

/** What browsers do with URLs that have these schemes. */
const UNSAFE = new Map([
  ["javascript", "which would run a script in the visitor's browser"],
  ["vbscript", "which would run a script in the visitor's browser"],
  ["data", "which can show a forged page"],
  ["file", "which opens a file on the visitor's computer"],
]);

/** Lints a destination; `name` is its name in messages. `isMerged`: the service merges the short URL's query into it. */
export function lintAddress(node: ScalarNode, name: string, isMerged: boolean, context: LintContext): void {
  const { place } = node;
  const text = node.text.trim();
  // `mark` is the part of the address to underline; by default, all of it.
  const about = (rule: RuleCode, is: string, hint: string | null, mark: string | null = null): Diagnostic =>
    advice(rule, `${name} ${is}.`, placeIn(place, mark ?? "", "last"), hint);
  const findings: Diagnostic[] = [];
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase() ?? "";
  const unsafe = UNSAFE.get(scheme);
  if (unsafe !== undefined) {
    const is = `is a \`${scheme}:\` URL, ${unsafe}`;
    findings.push(about("unsafe-scheme", is, "Write a URL that starts with https://."));
  }
  const refused = textProblem(DESTINATION, text) === null ? addressProblem(text) : null;
  // A break between two lines arrives as a space.
  if (refused !== null && /\s/.test(text) && place.source?.line(place.line)?.includes(text) === false)
    findings.push(about("refused-address", refused.is, "Write the URL on one line."));
  else if (refused !== null) findings.push(about("refused-address", refused.is, refused.hint, refused.mark));
  const typo = findings.length === 0 ? addressTypo(text) : null;
  if (typo !== null) findings.push(about("address-typo", typo.is, typo.hint, typo.mark));
  context.report(...findings);
  const url = unsafe === undefined ? parseUrl(text) : null;
  if (url === null) return;
  const { protocol, host, hostname, port, hash, username, password } = url;
  const hasUser = username + password !== "";
  if (hasUser) {
    const what = password === "" ? "a user name" : "a user name and a password";
    // The message must not contain the credentials.
    const is = `contains ${what} (${protocol}//•••@${host}), which everyone who follows the link can read`;
    context.report(about("url-credentials", is, "Remove the part before the `@`."));
  }
  const reach = privateReach(hostname);
  const plain = "uses plain http, so others can read and change the traffic";
  if (reach !== null) {
    const hint = "Write a URL that visitors can reach.";
    context.report(about("private-address", `leads to ${hostname}, ${reach}`, hint, hostname));
  } else if (protocol === "http:")
    context.report(about("plain-http", plain, "Use https:// if the site supports it.", "http://"));
  // What another rule reports is left out. User info is not printed, because it may be a password.
  const isUser = hasUser && !context.isEnabled("url-credentials");
  const isFragment = hash !== "" && (utmInFragment(hash) === undefined || !context.isEnabled("utm-fragment"));
  const parts = [port !== "" && "a port", isUser && "user info", isFragment && "a fragment"];
  const lost = parts.filter((part) => part !== false);
  if (!isMerged || lost.length === 0) return;
  const is = `has ${lost.join(" and ")}. The service drops ${lost.length === 1 ? "it" : "them"} if a visitor's short URL has a query, such as \`?utm_source=mail\``;
  const mark = lost.length > 1 || isUser ? null : isFragment ? hash : `:${port}`;
  const hint = "Use a destination without these parts that redirects to this one.";
  context.report(about("query-drops-port", is, hint, mark));
}

/** The end of a sentence "leads to HOST, …" for a host that is not public; null for a public one. */
function privateReach(hostname: string): string | null {
  const host = hostname.replaceAll(/^\[|\]$|\.$/g, "").toLowerCase();
  if (/(?:^|\.)localhost$|^(?:::|::1|(?:127|0)\.[\d.]+)$/.test(host)) return "which is the visitor's own computer";
  if (isIP(host) === 0 ? !/\.(?:local|internal|lan|home\.arpa)$/.test(host) : !isPrivate(host)) return null;
  return "which is not on the public internet";
}
