// What the files say of a link that a person asks for.

import { labelsOf } from "../config/keys.ts";
import { fold } from "../domain/fold.ts";
import { nearest } from "../domain/nearest.ts";
import { showKey, type Declaration, type Project, type Tombstone, type WrittenKey } from "../domain/project.ts";
import { hostName, type ShortUrl } from "../domain/short-url.ts";
import { UserError } from "../errors.ts";

/** What the files say: they declare the link, give it another key, ask for its deletion, or none of these. */
export type DeclaredLink =
  | { readonly is: "declared"; readonly declaration: Declaration }
  | { readonly is: "renamed"; readonly declaration: Declaration; readonly from: WrittenKey }
  | { readonly is: "deleted"; readonly tombstone: Tombstone }
  | { readonly is: "nothing"; readonly nearest: string | null };

/** Which domains a project speaks of, and whether a text means one of them. */
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

  /** Whatever the files call the domain that a text of theirs means: label, name, id. */
  namesOf(text: string): string[] {
    const label = this.#project.domains.find((one) => one.label === labelsOf(this.#project.domains).labelOf(text));
    return [text, label?.label, label?.name, label?.id].flatMap((name) =>
      name === undefined || name === null ? [] : String(name),
    );
  }

  /** Whether two texts mean one domain, as far as the files tell. */
  isSame(asked: string, text: string): boolean {
    const hosts = new Set(this.namesOf(asked).map(hostName));
    return this.namesOf(text).some((name) => hosts.has(hostName(name)));
  }

  has(asked: string): boolean {
    return [...this.#texts].some((text) => this.isSame(asked, text));
  }

  nearest(asked: string): string | null {
    return nearest(asked, this.#texts);
  }
}

/** Looks a link up in the files. Throws a user error where an alias alone is there on several domains. */
export function lookUp({ domain, alias }: ShortUrl, project: Project): DeclaredLink {
  const domains = new KnownDomains(project);
  const folded = fold(alias);
  const isMeant = (key: WrittenKey): boolean =>
    key.kind === "link" && fold(key.name) === folded && (domain === null || domains.isSame(domain, key.domain ?? ""));
  const links = project.declarations.filter(({ kind }) => kind === "link");
  const declared = only(links.filter(isMeant), alias);
  if (declared !== null) return { is: "declared", declaration: declared };
  const renamed = only(
    links.flatMap((declaration) => {
      const from = declaration.renamedFrom;
      return from !== null && isMeant(from) ? [{ ...from, declaration, from }] : [];
    }),
    alias,
  );
  if (renamed !== null) return { is: "renamed", declaration: renamed.declaration, from: renamed.from };
  const tombstone = only(project.tombstones.filter(isMeant), alias);
  if (tombstone !== null) return { is: "deleted", tombstone };
  const near = nearest(
    alias,
    links.flatMap(({ name, domain: own }) => (domain === null || domains.isSame(domain, own ?? "") ? [name] : [])),
  );
  const meant = links.find(({ name }) => name === near);
  return { is: "nothing", nearest: meant === undefined ? null : showKey(meant) };
}

/** The only one; null where there is none. */
function only<Key extends WrittenKey>(keys: readonly Key[], alias: string): Key | null {
  const [first, other] = keys;
  if (first === undefined) return null;
  if (other === undefined) return first;
  throw severalDomains(alias, keys.map(showKey));
}

/** An alias alone that links of several domains have. */
export function severalDomains(alias: string, keys: readonly string[]): UserError {
  const all = keys.map((key) => `\`${key}\``).join(", ");
  return new UserError("several-links", `Several links have the alias \`${alias}\`: ${all}.`, {
    hint: `Name the domain as well: \`linkform explain ${keys[0] ?? ""}\`.`,
  });
}
