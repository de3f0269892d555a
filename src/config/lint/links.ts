// Rules about links that lead to a short link, to their own domain, or where another link leads.

import { fold } from "../../domain/fold.ts";
import { groupBy } from "../../domain/collections.ts";
import { decodePercent } from "../../domain/named-key.ts";
import { showPlace } from "../../domain/place.ts";
import { showKey, type Declaration } from "../../domain/project.ts";
import { DESTINATION } from "../../domain/table.ts";
import type { LintContext, LintFinding } from "./context.ts";
import type { Labels } from "../keys.ts";
import { parseUrl } from "../../domain/hosts.ts";
import { destinationsOf, type Destination } from "../utm.ts";
import { atStart } from "./utm.ts";

/** A destination on a short domain of the project; `target` is the declared link there, or null. */
interface Hop {
  readonly link: Declaration;
  readonly destination: Destination;
  readonly host: string;
  readonly target: Declaration | null;
}

export function lintLinks(declarations: readonly Declaration[], domains: Labels, context: LintContext): void {
  const links = declarations.filter(({ kind }) => kind === "link");
  const hostOf = hostsOf(domains);
  const hops = hopsOf(links, hostOf);
  const byLink = groupBy(hops, ({ link }) => link);
  for (const hop of hops) context.report(hop.destination.place, ...hopFindings(hop, byLink, hostOf));
  if (context.isEnabled("same-destination")) lintSameDestination(links, context);
}

/** The host of a link's short URL, as far as the files show it. */
export function hostsOf(domains: Labels): (link: Pick<Declaration, "domain">) => string | null {
  const known = new Map<string, string | null>();
  return ({ domain }) => {
    if (domain === null) return null;
    const found = known.get(domain);
    if (found !== undefined) return found;
    const label = domains.find(domain);
    // A label with only an id is assumed to be the name of the domain.
    const name = label === undefined ? (/^\d+$/.test(domain) ? null : domain) : (label.name ?? label.label);
    const host = name === null ? null : (parseUrl(`https://${name}`)?.hostname ?? null);
    known.set(domain, host);
    return host;
  };
}

function hopsOf(links: readonly Declaration[], hostOf: (link: Declaration) => string | null): Hop[] {
  const byAddress = new Map<string, Declaration>();
  const hosts = new Set<string>();
  for (const link of links) {
    const host = hostOf(link);
    if (host === null) continue;
    hosts.add(host);
    byAddress.set(`${host}/${fold(link.name)}`, link);
  }
  return links.flatMap((link) => {
    const own = hostOf(link);
    return destinationsOf(link).flatMap((destination): Hop[] => {
      const url = hosts.has(roughHost(destination.text)) ? parseUrl(destination.text) : null;
      if (url === null || url.port !== "" || !/^https?:$/.test(url.protocol)) return [];
      const target = byAddress.get(`${url.hostname}/${fold(aliasIn(url))}`) ?? null;
      return target === null && url.hostname !== own ? [] : [{ link, destination, host: url.hostname, target }];
    });
  });
}

/** The host of an address, without parsing it if possible: parsing all of them is slow. */
function roughHost(text: string): string {
  const host = /^https?:\/\/(?:[^/?#@]*@)?([^/?#:]+)/i.exec(text)?.[1]?.toLowerCase() ?? "";
  return /^[a-z0-9.-]*$/.test(host) ? host : (parseUrl(text)?.hostname ?? "");
}

/** The alias in a short URL. */
export function aliasIn({ pathname }: URL): string {
  return decodePercent(pathname.replace(/^\/|\/$/g, ""));
}

type HopsByLink = ReadonlyMap<Declaration, readonly Hop[]>;

/** The limit of browsers. */
const MAX_REDIRECTS = 20;

/** The shortest chain of redirects between two links, including both; null if browsers would not follow one. */
function pathBetween(from: Declaration, to: Declaration, byLink: HopsByLink): readonly Declaration[] | null {
  /** The chain to each link that was reached, the shortest first. */
  const chains = new Map<Declaration, readonly Declaration[]>([[from, [from]]]);
  for (const [link, chain] of chains) {
    if (link === to) return chain;
    for (const { target } of chain.length < MAX_REDIRECTS ? (byLink.get(link) ?? []) : [])
      if (target !== null && !chains.has(target)) chains.set(target, [...chain, target]);
  }
  return null;
}

function hopFindings(
  { link, destination, host, target }: Hop,
  byLink: HopsByLink,
  hostOf: (link: Declaration) => string | null,
): LintFinding[] {
  const name = atStart(destination.name);
  const hint = "Write the destination that visitors should reach.";
  const findings: LintFinding[] = [];
  const back = target === null ? null : pathBetween(target, link, byLink);
  if (target === link) {
    findings.push({
      rule: "redirect-loop",
      message: `${name} leads back to the link itself, \`${showKey(link)}\`.`,
      hint,
    });
  } else if (back !== null) {
    const message = `${name} causes a redirect loop: ${[link, ...back].map(showKey).join(" → ")}.`;
    findings.push({ rule: "redirect-loop", message, hint });
  } else if (target !== null) {
    const message = `${name} leads to another short link, \`${showKey(target)}\` (${showPlace(target.place)}).`;
    findings.push({
      rule: "short-link-chain",
      message,
      hint: "Write the destination of that link, unless this link should follow it.",
      also: [{ place: target.place, says: "the other link" }],
    });
  }
  if (host === hostOf(link)) {
    const message = `${name} is on ${host}, the short domain of this link.`;
    findings.push({ rule: "own-short-domain", message, hint });
  }
  return findings;
}

function lintSameDestination(links: readonly Declaration[], context: LintContext): void {
  const first = new Map<string, Declaration>();
  for (const link of links) {
    const declared = link.fields.get(DESTINATION.path);
    if (declared === undefined || typeof declared.value !== "string") continue;
    const other = first.get(declared.value);
    if (other === undefined) {
      first.set(declared.value, link);
      continue;
    }
    const message = `\`${showKey(link)}\` has the same destination as \`${showKey(other)}\` (${showPlace(other.place)}).`;
    context.report(declared.place, {
      rule: "same-destination",
      message,
      hint: "Remove one of the two, or distinguish them with UTM parameters.",
      also: [{ place: other.place, says: "the other link" }],
    });
  }
}
