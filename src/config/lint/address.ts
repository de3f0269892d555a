// Rules about one destination: its host, scheme, UTM parameters, and credentials.

import { addressProblem, addressTypo, type AddressProblem } from "../../domain/address.ts";
import { parseUrl } from "../../domain/hosts.ts";
import { BlockList, isIPv4 } from "node:net";
import type { Place } from "../../domain/place.ts";
import { DESTINATION, textProblem } from "../../domain/table.ts";
import { queryParameters } from "../../domain/utm.ts";
import { lostParts, type LostPart } from "../../domain/visit-query.ts";
import type { LintContext, LintFinding } from "./context.ts";
import { nearest } from "../../domain/nearest.ts";

/** What browsers do with URLs that have these schemes. */
const UNSAFE: Readonly<Record<string, string>> = {
  javascript: "which would run a script in the visitor's browser",
  vbscript: "which would run a script in the visitor's browser",
  data: "which can show a forged page",
  file: "which opens a file on the visitor's computer",
};

/** A destination; `name` is its name in messages. `isMerged`: the service merges the short URL's query into it. */
export interface WrittenAddress {
  readonly text: string;
  readonly name: string;
  readonly isMerged: boolean;
}

/** Lints a destination. */
export function lintAddress({ text, name, isMerged }: WrittenAddress, place: Place, context: LintContext): void {
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
  if (url.username !== "" || url.password !== "") context.report(place, credentialsFinding(url, name));
  const reach = reachFinding(url, name);
  if (reach !== null) context.report(place, reach);
  const utm = utmFindings(url, name);
  for (const finding of utm) context.report(place, finding);
  // Do not report a part that another rule reports.
  const isFragmentReported = utm.some(({ rule }) => rule === "utm-fragment" && context.isEnabled(rule));
  const lost = lostParts(text).filter((part) =>
    part === "user info" ? !context.isEnabled("url-credentials") : part !== "fragment" || !isFragmentReported,
  );
  if (isMerged && lost.length > 0) context.report(place, lostPartsFinding(url, lost, name));
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
  return { rule, message: `${name} ${is}.`, hint, ...(mark !== null && { mark }) };
}

/** User info is not printed, because it may be a password. */
function lostPartsFinding({ port, hash }: URL, lost: readonly LostPart[], name: string): LintFinding {
  const [only] = lost.length === 1 ? lost : [];
  const mark = only === "port" ? `:${port}` : only === "fragment" ? hash : null;
  const parts = lost.map((part) => (part === "user info" ? part : `a ${part}`)).join(" and ");
  const them = lost.length === 1 ? "it" : "them";
  return {
    rule: "query-drops-port",
    message: `${name} has ${parts}. The service drops ${them} if a visitor's short URL has a query, such as \`?utm_source=mail\`.`,
    hint: "Use a destination without these parts that redirects to this one.",
    ...(mark === null || mark === "" ? {} : { mark }),
  };
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

/** Reports need all of these. */
const REQUIRED: readonly string[] = ["utm_source", "utm_medium", "utm_campaign"];

/** Matches most addresses that have all of these, much faster than parsing. */
const HAS_ALL = new RegExp(`^[^?#]*${REQUIRED.map((one) => `(?=\\?(?:[^#]*&)?${one}=[^&#\\s])`).join("")}`);

/** Analytics tools treat words with different case as different. */
const WORDS: readonly string[] = [
  ...REQUIRED,
  "utm_term",
  "utm_content",
  "utm_source_platform",
  "utm_creative_format",
  "utm_marketing_tactic",
];

/** The parameters of Google Analytics 4. The case of an id is part of the id. */
const NAMES: readonly string[] = [...WORDS, "utm_id"];
const PREFIX = "utm_";

/** Names without the prefix, which would make all names similar. */
const TAILS: readonly string[] = NAMES.map((name) => name.slice(PREFIX.length));

/** A parameter of the address; `known` is the known parameter that it is or resembles. */
interface Parameter {
  readonly written: string;
  readonly value: string;
  readonly known: string | null;
}

function utmFindings(url: URL, name: string): LintFinding[] {
  if (!/utm/i.test(url.search) && !/utm/i.test(url.hash)) return [];
  const given = queryParameters(url.search.slice(1)).flatMap(([written, value]) => readParameter(written, value));
  return [
    ...unknownParameters(given, name),
    ...repeatedParameters(given, name),
    ...capitalizedValues(given, name),
    ...fragmentParameters(url.hash, name),
  ];
}

/** `amp;` remains if `&amp;` was copied from HTML, which the rule `address-typo` reports. */
function readParameter(inUrl: string, value: string): Parameter[] {
  const written = inUrl.replace(/^(?:amp;)+/, "");
  if (NAMES.includes(written)) return [{ written, value, known: written }];
  const [, bar, tail] = /^utm([_-]?)(.*)$/is.exec(written) ?? [];
  const meant = tail === undefined ? null : nearest(tail, TAILS);
  if (meant === null) return bar === "_" ? [{ written, value, known: null }] : [];
  return [{ written, value, known: `${PREFIX}${meant}` }];
}

function unknownParameters(given: readonly Parameter[], name: string): LintFinding[] {
  return given.flatMap(({ written, known }): LintFinding[] => {
    if (written === known) return [];
    const message = `${name} has \`${written}\`, which is not a known UTM parameter.`;
    const hint = known === null ? `Known parameters: ${NAMES.join(", ")}.` : `Did you mean \`${known}\`?`;
    return [{ rule: "utm-unknown", message, hint, mark: written }];
  });
}

/** The UTM parameters that reports need and that an address lacks; none if it has no UTM parameter. */
export function missingParameters(address: string): readonly string[] {
  if (!/utm/i.test(address) || HAS_ALL.test(address)) return [];
  const given = queryParameters(parseUrl(address)?.search.slice(1) ?? "").flatMap(([name, value]) =>
    readParameter(name, value),
  );
  if (!given.some(({ known }) => known !== null)) return [];
  const filled = new Set(given.flatMap(({ known, value }) => (value === "" ? [] : (known ?? []))));
  return REQUIRED.filter((one) => !filled.has(one));
}

function repeatedParameters(given: readonly Parameter[], name: string): LintFinding[] {
  const repeated = NAMES.filter((one) => given.filter(({ known }) => known === one).length > 1);
  return repeated.map((one) => {
    const message = `${name} has \`${one}\` more than once. Analytics tools use only one of the values.`;
    return { rule: "utm-twice", message, hint: "Keep one of the values.", mark: `${one}=` };
  });
}

function capitalizedValues(given: readonly Parameter[], name: string): LintFinding[] {
  const words = given.filter(({ known }) => isWord(known));
  return words.flatMap(({ written, known, value }): LintFinding[] => {
    const small = value.toLowerCase();
    if (value === small) return [];
    const message = `${name} has capital letters in \`${known}=${value}\`. Reports count \`${value}\` and \`${small}\` separately.`;
    const hint = `Write it in lowercase: \`${known}=${small}\`.`;
    return [{ rule: "utm-case", message, hint, mark: `${written}=${value}` }];
  });
}

/** Whether the value of a parameter is a word, so that its case matters in reports. */
export function isWord(parameter: string | null): boolean {
  return parameter !== null && WORDS.includes(parameter);
}

function fragmentParameters(hash: string, name: string): LintFinding[] {
  const found = /[#&?](utm_[a-z_]+)=/i.exec(hash)?.[1];
  if (found === undefined) return [];
  const message = `${name} has \`${found}\` after the \`#\`, where analytics tools ignore it.`;
  return [{ rule: "utm-fragment", message, hint: "Put the parameters before the `#`.", mark: hash }];
}
