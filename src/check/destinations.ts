// The destinations of declared links, each once. A destination on a short domain is resolved from the files, so that no click is counted.

import { Labels } from "../config/keys.ts";
import { aliasIn, hostsOf } from "../config/lint/links.ts";
import { destinationsOf } from "../config/utm.ts";
import { fold } from "../domain/fold.ts";
import { hostOf } from "../domain/hosts.ts";
import type { Place } from "../domain/place.ts";
import { namedKeys, showKey, type Declaration, type Project } from "../domain/project.ts";
import { DESTINATION_FIELD } from "../domain/table.ts";
import { parseWeb, type Answer, type Verdict } from "./ask.ts";

interface Destination {
  readonly url: string;
  /** What the files answer; null if the destination has to be asked. */
  readonly known: Answer | null;
}

/** A destination of a link. It does not hold the link, whose project takes much memory. */
export interface Use extends Destination, Pick<Declaration, "owners" | "waivers"> {
  readonly key: string;
  readonly place: Place;
}

/** Equal for uses of the same destination. */
export function destinationOf({ url, known }: Destination): string {
  return JSON.stringify([url, known?.reason]);
}

interface FoundUse {
  readonly use: Use;
  readonly link: Declaration;
  /** Equal for the same destination of the same link at another commit. */
  readonly identity: string;
}

/** The web destinations of all links, and the hosts that are never asked: the service and its short domains. */
export function destinationsIn(project: Project): { readonly found: FoundUse[]; readonly never: ReadonlySet<string> } {
  const { declarations, tombstones, domains, baseUrl } = project;
  const labels = new Labels(domains);
  const hostOfKey = hostsOf(labels);
  const links = declarations.filter(({ kind }) => kind === "link");
  const keys = [...namedKeys(project), ...domains.map(({ label: domain }) => ({ domain }))];
  const never = new Set([hostOf(baseUrl.value), ...keys.map(hostOfKey)].flatMap((host) => host ?? []));
  const addressOf = (key: Pick<Declaration, "domain" | "name">): string => `${hostOfKey(key)}/${fold(key.name)}`;
  const byAddress = new Map(links.map((link) => [addressOf(link), link]));
  const deleted = new Set(tombstones.map(addressOf));

  /** Follows short links; null for an address that is not on the web. */
  const resolve = (from: Declaration, written: string): Destination | null => {
    const chain = [from];
    for (let address = written; ;) {
      const parsed = parseWeb(address);
      if (parsed === null) return null;
      const url = parsed.href;
      const host = hostOf(url) ?? "";
      const ends = (verdict: Verdict, reason: string): Destination => ({
        url,
        known: { verdict, reason, redirects: [] },
      });
      if (!never.has(host)) return { url, known: null };
      const short = `${host}/${fold(aliasIn(parsed))}`;
      if (deleted.has(short)) return ends("dead", "the files delete this short link");
      const target = parsed.port === "" ? byAddress.get(short) : undefined;
      const next = target?.fields.get(DESTINATION_FIELD)?.value;
      if (target === undefined || typeof next !== "string") return ends("unknown", "no file declares this short link");
      if (chain.includes(target)) return ends("dead", `redirect loop: ${[...chain, target].map(showKey).join(" → ")}`);
      chain.push(target);
      address = next;
    }
  };

  const found = links.flatMap((link) =>
    destinationsOf(link).flatMap(({ text, place }): FoundUse[] => {
      const end = resolve(link, text);
      if (end === null) return [];
      const use = { ...end, place, key: showKey(link), owners: link.owners, waivers: link.waivers };
      return [{ use, link, identity: `${labels.keyIdentity(link)} ${destinationOf(end)}` }];
    }),
  );
  return { found, never };
}
