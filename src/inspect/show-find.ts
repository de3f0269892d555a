// Finds the live object that an argument names: by key, alias, name, id or short URL.

import { labelsOf } from "../config/keys.ts";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { NO_FILTER, sameName } from "../domain/filter.ts";
import { fold, unmistakablePart } from "../domain/fold.ts";
import type { LiveRecord } from "../domain/live.ts";
import { readNamedKey } from "../domain/named-key.ts";
import { nearestOrLonger } from "../domain/nearest.ts";
import { showKey, type Project, type WrittenKey } from "../domain/project.ts";
import { fieldAt, KEY_FIELD, REFERENCE_FIELD, textProblem, type ResourceKind } from "../domain/table.ts";
import { nameOf } from "../plan/names.ts";
import type { Reader } from "../service/service.ts";
import { capital } from "../report/counts.ts";
import { readWanted } from "./list-read.ts";
import type { LogDetail } from "../session/read-links.ts";

/** A parsed argument, which can name several objects. */
export interface ObjectArgument {
  readonly text: string;
  /** Null for a link or a pixel. */
  readonly kind: ResourceKind | null;
  readonly id: number | null;
  /** As a file would write it; null for an id only. */
  readonly key: Pick<WrittenKey, "domain" | "name"> | null;
}

/**
 * Parses an argument. `#12` is the id of a link, `link:` and `pixel:` set the kind, and only the domain and the alias of a short URL
 * matter.
 */
export function parseNamedObject(text: string): ObjectArgument {
  const [, prefix, number] = /^(?:(link|pixel):)?#(\d+)$/.exec(text) ?? [];
  if (number !== undefined) return { text, kind: prefix === "pixel" ? "pixel" : "link", id: Number(number), key: null };
  const key = readNamedKey(text);
  return { text, kind: key.kind, id: null, key };
}

/** Finds live objects. Every list is read at most once. */
export class Finder {
  readonly #reader: Reader;
  readonly #project: Project;
  readonly #now: string;
  readonly #detail: LogDetail;
  readonly #byAlias = new Map<string, Promise<readonly LiveRecord[]>>();
  #pixels: Promise<readonly LiveRecord[]> | null = null;

  constructor(reader: Reader, project: Project, now: string, detail: LogDetail) {
    this.#reader = reader;
    this.#project = project;
    this.#now = now;
    this.#detail = detail;
  }

  /** All pixels of the account. */
  pixels(): Promise<readonly LiveRecord[]> {
    this.#pixels ??= this.#reader.list("pixel").then(({ records }) => records);
    return this.#pixels;
  }

  /** The links that have this alias, on any domain. */
  links(alias: string): Promise<readonly LiveRecord[]> {
    const folded = fold(alias);
    const known = this.#byAlias.get(folded);
    if (known !== undefined) return known;
    const reading = this.#lookUp(alias);
    this.#byAlias.set(folded, reading);
    return reading;
  }

  async #lookUp(alias: string): Promise<readonly LiveRecord[]> {
    const search = { text: unmistakablePart(alias) ?? alias, in: KEY_FIELD.link };
    const filter = { ...NO_FILTER, search };
    const manner = { order: "asc", enough: null } as const;
    const asked = { kind: "link", filter, now: this.#now, ...manner } as const;
    const { records } = await readWanted(this.#reader, asked, this.#detail);
    return records.filter((record) => fold(nameOf(record)) === fold(alias));
  }

  /** All objects that an argument can name. */
  async find({ kind, id, key }: ObjectArgument): Promise<readonly LiveRecord[]> {
    if (id !== null) return [await this.#reader.show(kind ?? "link", id)].flatMap((record) => record ?? []);
    if (key === null) return [];
    const [links, pixels] = await Promise.all([
      kind === "pixel" || !isAlias(key.name) ? [] : this.links(key.name),
      kind === "link" || (kind === null && key.domain !== null) ? [] : this.#pixelsNamed(key.name),
    ]);
    const { domain } = key;
    const found = [...links.filter((record) => domain === null || this.#isOn(record, domain)), ...pixels];
    // A pixel's name may hold a slash.
    return found.length > 0 || kind !== null || domain === null ? found : this.#pixelsNamed(`${domain}/${key.name}`);
  }

  async #pixelsNamed(name: string): Promise<LiveRecord[]> {
    return (await this.pixels()).filter((record) => fold(nameOf(record)) === fold(name));
  }

  /** Whether a link is on the domain with this label, name or id. */
  #isOn({ references }: LiveRecord, text: string): boolean {
    const domain = references.get(REFERENCE_FIELD.domain)?.[0];
    if (domain === undefined) return false;
    const { domains } = this.#project;
    const label = labelsOf(domains).find(text);
    if (sameName(domain.name, text) || String(domain.id) === text) return true;
    return label !== undefined && (label.id === domain.id || sameName(domain.name, label.name ?? label.label));
  }

  /** The error for an object that does not exist, with the most similar key. */
  async missing({ text, kind, id, key }: ObjectArgument): Promise<Diagnostic> {
    const listing = `Run \`linkform list${kind === "pixel" ? " pixels" : ""}\` to see all ${kind ?? "link"}s.`;
    if (key === null) return error("not-found", `No ${kind ?? "link"} has the id ${id}.`, null, listing);
    const declared = this.#declared(key, kind);
    const what = kind ?? (key.domain === null ? "link or pixel" : "link");
    if (declared !== undefined) {
      const message = `\`${text}\` is declared but not live.`;
      return error(
        "not-live",
        message,
        declared.place,
        "Run `linkform plan` to see what would be created, and `linkform apply` to create it.",
      );
    }
    const suggestion = await this.#nearest(key, kind);
    const hint = suggestion === null ? listing : `Did you mean \`${suggestion}\`?`;
    return error(
      "not-found",
      `${capital(what)} \`${text.replace(/^(?:link|pixel):(?=.)/, "")}\` does not exist.`,
      null,
      hint,
    );
  }

  #declared(
    { domain, name }: NonNullable<ObjectArgument["key"]>,
    kind: ObjectArgument["kind"],
  ): WrittenKey | undefined {
    const { declarations, domains } = this.#project;
    return declarations.find((one) => {
      if (kind !== null && one.kind !== kind) return false;
      if (domain !== null && one.kind === "link" && labelsOf(domains).labelOf(domain) !== one.domain) return false;
      return fold(one.name) === fold(name) && (domain === null || one.kind === "link");
    });
  }

  /** One half of a misspelled alias is probably right: one page of the links with either half is searched. */
  async #nearest(
    { domain, name }: NonNullable<ObjectArgument["key"]>,
    kind: ObjectArgument["kind"],
  ): Promise<string | null> {
    const middle = Math.ceil(name.length / 2);
    const halves =
      kind === "pixel" ? [] : [name.slice(0, middle), name.slice(middle)].filter((half) => half.length > 2);
    const pages = await Promise.all(halves.map((containing) => this.#reader.open("link", { containing })));
    const links = pages.flatMap(({ records }) => records).map((record) => keyOf(record));
    const declared = this.#project.declarations.filter((one) => kind === null || one.kind === kind).map(showKey);
    const pixels = kind === "link" ? [] : (await this.pixels()).map(nameOf);
    const keys = [...new Set([...links, ...declared, ...pixels])];
    const tail = (key: string): string => (domain === null ? key.slice(key.lastIndexOf("/") + 1) : key).toLowerCase();
    const byName = new Map(keys.map((key) => [tail(key), key]));
    const near = nearestOrLonger((domain === null ? name : `${domain}/${name}`).toLowerCase(), [...byName.keys()]);
    return near === null ? null : (byName.get(near) ?? null);
  }
}

/** Whether a link can have this alias. Other texts are not looked up. */
function isAlias(name: string): boolean {
  const field = fieldAt("link", KEY_FIELD.link);
  return field?.kind !== "text" || textProblem(field, name) === null;
}

/** The key of a record, with the service's own names. */
export function keyOf(record: LiveRecord): string {
  const domain = record.references.get(REFERENCE_FIELD.domain)?.[0]?.name;
  return domain === undefined ? nameOf(record) : `${domain}/${nameOf(record)}`;
}
