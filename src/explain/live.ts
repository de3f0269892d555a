// The row of a link that a person asks for, in as few requests as that takes.

import { warning, type Diagnostic } from "../domain/diagnostic.ts";
import { fold } from "../domain/fold.ts";
import type { LiveRecord, Named } from "../domain/live.ts";
import { nearest } from "../domain/nearest.ts";
import { emptyProject, type Project } from "../domain/project.ts";
import { hostName, type ShortUrl } from "../domain/short-url.ts";
import { REFERENCE_FIELD } from "../domain/table.ts";
import { nameOf } from "../plan/names.ts";
import type { Reader } from "../service/service.ts";
import { KnownDomains, severalDomains } from "./declared.ts";
import { readLinks } from "../session/read-links.ts";

/** The rows with the key that was asked for: more than one where two fold together. */
export interface LiveFound {
  readonly rows: readonly LiveRecord[];
  readonly diagnostics: readonly Diagnostic[];
}

/** `go.example.com/spring`, with the service's name of the domain. */
export function keyOfRow(row: LiveRecord): string {
  return `${domainOf(row)?.name ?? ""}/${nameOf(row)}`;
}

/** The domain that a link is on; undefined where the service does not say. */
export function domainOf(row: LiveRecord): Named | undefined {
  return row.references.get(REFERENCE_FIELD.domain)?.[0];
}

/**
 * Looks a link up in the account: one request where the search finds it; where it does not, that is made sure of. Throws a user
 * error where an alias alone is there on several domains. `project`: what calls domains by other names; null without one.
 */
export async function findLive(
  asked: ShortUrl,
  reader: Reader,
  project: Project | null,
  detail: (text: string) => void,
): Promise<LiveFound> {
  const known = project && new KnownDomains(project);
  const texts = asked.domain === null ? [] : (known?.namesOf(asked.domain) ?? [asked.domain]);
  const hosts = new Set(texts.map(hostName));
  const isMeant = (row: LiveRecord): boolean => {
    const domain = domainOf(row);
    if (fold(nameOf(row)) !== fold(asked.alias)) return false;
    return (
      asked.domain === null ||
      (domain !== undefined && (hosts.has(hostName(domain.name)) || texts.includes(String(domain.id))))
    );
  };
  detail(`Searching the links for ${asked.alias}.`);
  const found = (await reader.find("link", asked.alias)).filter(isMeant);
  const rows = found.length > 0 ? found : (await thorough(asked, reader, detail)).filter(isMeant);
  const domains = new Set(rows.map((row) => domainOf(row)?.id));
  if (domains.size > 1) throw severalDomains(asked.alias, rows.map(keyOfRow));
  const isStrange = rows.length === 0 && asked.domain !== null && known?.has(asked.domain) !== true;
  return { rows, diagnostics: isStrange ? await strangeDomain(asked.domain, hosts, reader) : [] };
}

/** Another spelling of the alias, which the search for this one does not find; or nothing, and that is certain. */
async function thorough(
  { alias }: ShortUrl,
  reader: Reader,
  detail: (text: string) => void,
): Promise<readonly LiveRecord[]> {
  const nothing = emptyProject("");
  const { place } = nothing.baseUrl;
  const project: Project = { ...nothing, tombstones: [{ kind: "link", domain: null, name: alias, place, id: null }] };
  const read = await readLinks({ project, base: null }, reader, false, detail, () => ({ end: () => undefined }));
  return read.links;
}

/** A domain that is not among the account's, as far as its list tells: a domain that all accounts share is not in it. */
async function strangeDomain(domain: string, hosts: ReadonlySet<string>, reader: Reader): Promise<Diagnostic[]> {
  const listed = await reader.names("domains");
  if (listed === null || listed.some(({ name, id }) => hosts.has(hostName(name)) || String(id) === domain)) return [];
  const names = listed.map(({ name }) => name);
  const meant = nearest(domain, names);
  const hint =
    meant === null ? (names.length === 0 ? null : `They are: ${names.join(", ")}.`) : `Did you mean \`${meant}\`?`;
  return [warning("unknown-domain", `\`${domain}\` is not among the account's own domains.`, null, hint)];
}
