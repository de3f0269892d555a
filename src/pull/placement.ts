// Which document a new link belongs in: the one with the links that are most like it.

import type { DocumentOutline } from "../config/blocks.ts";
import type { Values } from "../domain/value.ts";
import { KEY_FIELD, REFERENCE_FIELD } from "../domain/table.ts";
import { aliasPrefix, type Split } from "./split.ts";

/** What makes links alike, the most telling first. */
const TRAITS = ["domain", "space", "prefix"] as const;
type Trait = (typeof TRAITS)[number];
type Traits = Readonly<Record<Trait, string>>;

/** By which split files come to be that each hold one value of a trait. */
const SPLIT_BY: Readonly<Record<Trait, Split>> = { domain: "domain", space: "space", prefix: "alias-prefix" };

function traitsOf(values: Values): Traits {
  const text = (path: string): string => JSON.stringify(values.get(path) ?? null);
  return {
    domain: text(REFERENCE_FIELD.domain),
    space: text(REFERENCE_FIELD.space),
    prefix: aliasPrefix(String(values.get(KEY_FIELD.link) ?? "")),
  };
}

/** The links of one document, counted. */
class Kin {
  readonly document: DocumentOutline;
  readonly #counts: Readonly<Record<Trait, Map<string, number>>> = {
    domain: new Map(),
    space: new Map(),
    prefix: new Map(),
  };
  size = 0;

  constructor(document: DocumentOutline) {
    this.document = document;
  }

  add(traits: Traits): void {
    this.size += 1;
    for (const trait of TRAITS) {
      const counts = this.#counts[trait];
      counts.set(traits[trait], (counts.get(traits[trait]) ?? 0) + 1);
    }
  }

  has(trait: Trait, value: string): boolean {
    return this.#counts[trait].has(value);
  }

  /** The value that most have, and how many: of equals the first. */
  most(trait: Trait): { readonly value: string; readonly count: number } {
    let most = { value: "", count: 0 };
    for (const [value, count] of this.#counts[trait]) if (count > most.count) most = { value, count };
    return most;
  }

  /**
   * How likely the next link here has this value: as often as those before it had, and a new one as often as new ones
   * came up so far (Witten and Bell's estimate). A file of one space expects no other; a file of all sorts does.
   */
  likelihood(trait: Trait, value: string): number {
    const counts = this.#counts[trait];
    return (counts.get(value) ?? counts.size) / (this.size + counts.size);
  }
}

/** When files count as cut by a trait: this share of their links have the value that most links of their file have. */
const PURE = 0.9;

/** How many files of at least how many links show that they are cut by a trait, and not alike by chance. */
const EVIDENCE: Readonly<Record<Trait, { readonly files: number; readonly links: number }>> = {
  // A domain is never there by chance.
  domain: { files: 1, links: 1 },
  space: { files: 2, links: 2 },
  prefix: { files: 3, links: 5 },
};

/** Documents that a link may belong in: what is known of them, once for all links of their domain and space. */
interface Candidate {
  readonly kin: Kin;
  readonly likelihood: number;
}

/** The documents of a project, by the links that they declare. */
export class PlacementModel {
  readonly #kin = new Map<DocumentOutline, Kin>();
  readonly #candidates = new Map<string, { readonly all: readonly Candidate[]; readonly isByPrefix: boolean }>();
  readonly #found = new Map<string, DocumentOutline | null>();

  /** Notes that a link with these values stands in this document. All are noted before the first question. */
  add(document: DocumentOutline, values: Values): void {
    const kin = this.#kin.get(document) ?? new Kin(document);
    this.#kin.set(document, kin);
    kin.add(traitsOf(values));
  }

  /**
   * The document for a link with these values. Null where nothing like it is: the files are cut by domain, say, and none is
   * of its domain; or each link has a file of its own.
   */
  documentFor(values: Values): DocumentOutline | null {
    const traits = traitsOf(values);
    const key = JSON.stringify(traits);
    const known = this.#found.get(key);
    if (known !== undefined) return known;
    const found = this.#find(traits);
    this.#found.set(key, found);
    return found;
  }

  /** How the files are cut, as far as that can be seen; null where it can't. */
  get split(): Split | null {
    const all = [...this.#kin.values()];
    const trait = TRAITS.find((one) => isCutBy(one, all, Math.max(2, EVIDENCE[one].files)));
    return trait === undefined ? null : SPLIT_BY[trait];
  }

  #find(traits: Traits): DocumentOutline | null {
    const { all, isByPrefix } = this.#candidatesFor(traits);
    let best: Kin | null = null;
    let most = 0;
    for (const { kin, likelihood } of all) {
      if (isByPrefix && !kin.has("prefix", traits.prefix)) continue;
      const total = likelihood * kin.likelihood("prefix", traits.prefix);
      if (best !== null && (total < most || (total === most && kin.size <= best.size))) continue;
      best = kin;
      most = total;
    }
    return best === null ? null : best.document;
  }

  /** The documents for a domain and space, and whether they are cut by what aliases begin with. */
  #candidatesFor(traits: Traits): { readonly all: readonly Candidate[]; readonly isByPrefix: boolean } {
    const key = JSON.stringify([traits.domain, traits.space]);
    const known = this.#candidates.get(key);
    if (known !== undefined) return known;
    let kin = [...this.#kin.values()];
    const isOneEach = kin.length > 2 && kin.every(({ size }) => size === 1);
    for (const trait of ["domain", "space"] as const)
      if (isCutBy(trait, kin)) kin = kin.filter((one) => one.has(trait, traits[trait]));
    const all = kin.map((one) => ({
      kin: one,
      likelihood: one.likelihood("domain", traits.domain) * one.likelihood("space", traits.space),
    }));
    const found = { all: isOneEach ? [] : all, isByPrefix: isCutBy("prefix", kin) };
    this.#candidates.set(key, found);
    return found;
  }
}

function isCutBy(trait: Trait, all: readonly Kin[], files = EVIDENCE[trait].files): boolean {
  const telling = all.filter(({ size }) => size >= EVIDENCE[trait].links);
  const most = telling.map((kin) => kin.most(trait));
  if (new Set(most.map(({ value }) => value)).size < files) return false;
  const links = telling.reduce((sum, { size }) => sum + size, 0);
  return most.reduce((sum, { count }) => sum + count, 0) >= PURE * links;
}
