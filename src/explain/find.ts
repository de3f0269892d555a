// Finds the link that the user names, in the files and in the account.

import { warning, type Diagnostic } from "../domain/diagnostic.ts";
import { fold } from "../domain/fold.ts";
import type { LiveRecord } from "../domain/live.ts";
import { nearest } from "../domain/nearest.ts";
import {
  emptyProject,
  showKey,
  type Declaration,
  type Project,
  type Tombstone,
  type WrittenKey,
} from "../domain/project.ts";
import { hostName, type ShortUrl } from "./question.ts";
import { domainOf, nameOf } from "../plan/names.ts";
import type { Reader } from "../service/service.ts";
import { readLinks } from "../session/read-links.ts";
import { labelsOf } from "../config/keys.ts";
import { UserError } from "../errors.ts";

/** The records with the requested key: several if the service treats them as one key. */
export interface LiveFound {
  readonly records: readonly LiveRecord[];
  readonly diagnostics: readonly Diagnostic[];
}

/** `go.example.com/spring`, with the service's name of the domain. */
export function keyOfRecord(record: LiveRecord): string {
  return `${domainOf(record)?.name ?? ""}/${nameOf(record)}`;
}

/**
 * Looks a link up in the account. This takes one request if the search finds it, and more to verify that it does not exist. Throws a user
 * error if several domains have the alias. `project` has other names of domains; null without one.
 */
export async function findLive(
  shortUrl: ShortUrl,
  reader: Reader,
  project: Project | null,
  detail: (text: string) => void,
): Promise<LiveFound> {
  const known = project && new KnownDomains(project);
  const texts = shortUrl.domain === null ? [] : (known?.namesOf(shortUrl.domain) ?? [shortUrl.domain]);
  const hosts = new Set(texts.map(hostName));
  const matches = (record: LiveRecord): boolean => {
    const domain = domainOf(record);
    if (fold(nameOf(record)) !== fold(shortUrl.alias)) return false;
    return (
      shortUrl.domain === null ||
      (domain !== undefined && (hosts.has(hostName(domain.name)) || texts.includes(String(domain.id))))
    );
  };
  detail(`Searching the links for ${shortUrl.alias}.`);
  const found = (await reader.find("link", shortUrl.alias)).filter(matches);
  const records = found.length > 0 ? found : (await readBySpelling(shortUrl, reader, detail)).filter(matches);
  const domains = new Set(records.map((record) => domainOf(record)?.id));
  if (domains.size > 1) throw severalDomains(shortUrl.alias, records.map(keyOfRecord));
  const isUnknown = records.length === 0 && shortUrl.domain !== null && known?.has(shortUrl.domain) !== true;
  return { records, diagnostics: isUnknown ? await unknownDomain(shortUrl.domain, hosts, reader) : [] };
}

/** Reads links with other spellings of the alias, which the search does not find. */
async function readBySpelling(
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

/** Warns about a domain that is not in the account's list. The list lacks domains that all accounts share. */
async function unknownDomain(domain: string, hosts: ReadonlySet<string>, reader: Reader): Promise<Diagnostic[]> {
  const listed = await reader.names("domains");
  if (listed === null || listed.some(({ name, id }) => hosts.has(hostName(name)) || String(id) === domain)) return [];
  const names = listed.map(({ name }) => name);
  const suggestion = nearest(domain, names);
  const hint =
    suggestion === null
      ? names.length === 0
        ? null
        : `The account has: ${names.join(", ")}.`
      : `Did you mean \`${suggestion}\`?`;
  return [warning("unknown-domain", `Domain \`${domain}\` does not exist in this account.`, null, hint)];
}

/** The link in the files: declared, renamed, tombstoned, or none of these. */
export type DeclaredLink =
  | { readonly is: "declared"; readonly declaration: Declaration }
  | { readonly is: "renamed"; readonly declaration: Declaration; readonly from: WrittenKey }
  | { readonly is: "deleted"; readonly tombstone: Tombstone }
  | { readonly is: "nothing"; readonly nearest: string | null };

/** The domains of a project, and whether a text means one of them. */
export class KnownDomains {
  readonly #project: Project;
  readonly #texts: ReadonlySet<string>;

  constructor(project: Project) {
    this.#project = project;
    const { declarations, tombstones, domains, policy } = project;
    const keys: readonly WrittenKey[] = [
      ...declarations,
      ...tombstones,
      ...declarations.flatMap((one) => one.renamedFrom ?? []),
    ];
    this.#texts = new Set([
      ...keys.flatMap(({ domain }) => domain ?? []),
      ...domains.map(({ label }) => label),
      ...(policy.scope?.domains?.map(({ text }) => text) ?? []),
    ]);
  }

  /** All names of a domain in the files: label, name, id. */
  namesOf(text: string): string[] {
    const label = labelsOf(this.#project.domains).find(text);
    return [text, label?.label, label?.name, label?.id].flatMap((name) =>
      name === undefined || name === null ? [] : String(name),
    );
  }

  /** Whether two texts mean one domain according to the files. */
  isSame(one: string, other: string): boolean {
    const hosts = new Set(this.namesOf(one).map(hostName));
    return this.namesOf(other).some((name) => hosts.has(hostName(name)));
  }

  has(domain: string): boolean {
    return [...this.#texts].some((text) => this.isSame(domain, text));
  }

  nearest(domain: string): string | null {
    return nearest(domain, this.#texts);
  }
}

/** Looks a link up in the files. Throws a user error if several domains have the alias. */
export function lookUp({ domain, alias }: ShortUrl, project: Project): DeclaredLink {
  const domains = new KnownDomains(project);
  const folded = fold(alias);
  const matches = (key: WrittenKey): boolean =>
    key.kind === "link" && fold(key.name) === folded && (domain === null || domains.isSame(domain, key.domain ?? ""));
  const links = project.declarations.filter(({ kind }) => kind === "link");
  const declared = only(links.filter(matches), alias);
  if (declared !== null) return { is: "declared", declaration: declared };
  const renamed = only(
    links.flatMap((declaration) => {
      const from = declaration.renamedFrom;
      return from !== null && matches(from) ? [{ ...from, declaration, from }] : [];
    }),
    alias,
  );
  if (renamed !== null) return { is: "renamed", declaration: renamed.declaration, from: renamed.from };
  const tombstone = only(project.tombstones.filter(matches), alias);
  if (tombstone !== null) return { is: "deleted", tombstone };
  const near = nearest(
    alias,
    links.flatMap(({ name, domain: own }) => (domain === null || domains.isSame(domain, own ?? "") ? [name] : [])),
  );
  const suggestion = links.find(({ name }) => name === near);
  return { is: "nothing", nearest: suggestion === undefined ? null : showKey(suggestion) };
}

/** The only key; null for none. */
function only<Key extends WrittenKey>(keys: readonly Key[], alias: string): Key | null {
  const [first, other] = keys;
  if (first === undefined) return null;
  if (other === undefined) return first;
  throw severalDomains(alias, keys.map(showKey));
}

/** The error for an alias that several domains have. */
function severalDomains(alias: string, keys: readonly string[]): UserError {
  const all = keys.map((key) => `\`${key}\``).join(", ");
  return new UserError("several-links", `Several links have the alias \`${alias}\`: ${all}.`, {
    hint: `Add the domain: \`linkform explain ${keys[0] ?? ""}\`.`,
  });
}
