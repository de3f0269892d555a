// Rules about links that lead to a short link, to their own domain, or where another link leads.

import { besides, type Diagnostic } from "../../domain/diagnostic.ts";
import { fold } from "../../domain/fold.ts";
import { decodePercent } from "../../domain/named-key.ts";
import { showPlace } from "../../domain/place.ts";
import { showKey, type Declaration } from "../../domain/project.ts";
import { DESTINATION } from "../../domain/table.ts";
import { advice, type Rule } from "./context.ts";
import type { Labels } from "../keys.ts";
import { hostOf, parseUrl } from "../../domain/hosts.ts";
import { destinationsOf, type Destination } from "../utm.ts";
import { atStart } from "./utm.ts";

/** A destination on a short domain of the project; `target` is the declared link there. */
interface Hop {
  readonly destination: Destination;
  readonly host: string;
  readonly target: Declaration | null;
}

type HopsByLink = ReadonlyMap<Declaration, readonly Hop[]>;

export function shortLinkRule(declarations: readonly Declaration[], domains: Labels): Rule {
  const links = declarations.filter(({ kind }) => kind === "link");
  const shortHost = hostsOf(domains);
  const byAddress = new Map(links.map((link) => [`${shortHost(link)}/${fold(link.name)}`, link]));
  const hosts = new Set(links.map(shortHost));
  const hopsOf = (link: Declaration): Hop[] =>
    destinationsOf(link).flatMap((destination) => {
      const url = hosts.has(roughHost(destination.text)) ? parseUrl(destination.text) : null;
      if (url === null || url.port !== "" || !/^https?:$/.test(url.protocol)) return [];
      const target = byAddress.get(`${url.hostname}/${fold(aliasIn(url))}`) ?? null;
      return target === null && url.hostname !== shortHost(link) ? [] : [{ destination, host: url.hostname, target }];
    });
  const hops = new Map(links.map((link) => [link, hopsOf(link)] as const).filter(([, own]) => own.length > 0));
  return (link, context) => {
    for (const hop of hops.get(link) ?? [])
      context.report(...hopFindings(link, hop, hops, hop.host === shortHost(link)));
  };
}

/** The host of a link's short URL, as far as the files show it. */
export function hostsOf(domains: Labels): (link: Pick<Declaration, "domain">) => string | null {
  const known = new Map<string, string | null>();
  return ({ domain }) => {
    if (domain === null) return null;
    const found = known.get(domain);
    if (found !== undefined) return found;
    const { name } = domains.meaningOf(domain);
    const host = name === null ? null : hostOf(`https://${name}`);
    known.set(domain, host);
    return host;
  };
}

/** The host of an address, without parsing it if possible: parsing all of them is slow. */
function roughHost(text: string): string {
  const host = /^https?:\/\/(?:[^/?#@]*@)?([^/?#:]+)/i.exec(text)?.[1]?.toLowerCase() ?? "";
  return /^[a-z0-9.-]*$/.test(host) ? host : (parseUrl(text)?.hostname ?? "");
}

export function aliasIn({ pathname }: URL): string {
  return decodePercent(pathname.replace(/^\/|\/$/g, ""));
}

/** The limit of browsers. */
const MAX_REDIRECTS = 20;

/** The shortest chain of redirects between two links, including both; null if browsers would not follow one. */
function pathBetween(from: Declaration, to: Declaration, hops: HopsByLink): readonly Declaration[] | null {
  const chains = new Map<Declaration, readonly Declaration[]>([[from, [from]]]);
  for (const [link, chain] of chains) {
    if (link === to) return chain;
    for (const { target } of chain.length < MAX_REDIRECTS ? (hops.get(link) ?? []) : [])
      if (target !== null && !chains.has(target)) chains.set(target, [...chain, target]);
  }
  return null;
}

function hopFindings(
  link: Declaration,
  { destination, host, target }: Hop,
  hops: HopsByLink,
  isOwnDomain: boolean,
): Diagnostic[] {
  const { place } = destination;
  const name = atStart(destination.name);
  const hint = "Write the destination that visitors should reach.";
  const findings: Diagnostic[] = [];
  const back = target && pathBetween(target, link, hops);
  if (back !== null) {
    const loop = `causes a redirect loop: ${[link, ...back].map(showKey).join(" → ")}`;
    const is = target === link ? `leads back to the link itself, \`${showKey(link)}\`` : loop;
    findings.push(advice("redirect-loop", `${name} ${is}.`, place, hint));
  } else if (target !== null) {
    const message = `${name} leads to another short link, \`${showKey(target)}\` (${showPlace(target.place)}).`;
    const follow = "Write the destination of that link, unless this link should follow it.";
    findings.push(besides(advice("short-link-chain", message, place, follow), target.place, "the other link"));
  }
  const own = `${name} is on ${host}, the short domain of this link.`;
  if (isOwnDomain) findings.push(advice("own-short-domain", own, place, hint));
  return findings;
}

/** Remembers the first link with each destination. */
export function sameDestinationRule(): Rule {
  const first = new Map<string, Declaration>();
  return (link, context) => {
    const declared = link.fields.get(DESTINATION.path);
    if (typeof declared?.value !== "string") return;
    const other = first.get(declared.value) ?? link;
    first.set(declared.value, other);
    if (other === link) return;
    const message = `\`${showKey(link)}\` has the same destination as \`${showKey(other)}\` (${showPlace(other.place)}).`;
    const hint = "Remove one of the two, or distinguish them with UTM parameters.";
    context.report(besides(advice("same-destination", message, declared.place, hint), other.place, "the other link"));
  };
}
