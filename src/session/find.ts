// Finds what a key on the command line names, in the files and in the account.

import { domainToASCII } from "node:url";
import { Labels } from "../config/keys.ts";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { searchable } from "../domain/filter.ts";
import { fold, unmistakablePart } from "../domain/fold.ts";
import type { LiveRecord } from "../domain/live.ts";
import { meansName, nameFor, type NamedKey } from "../domain/named-key.ts";
import { nearestOrLonger } from "../domain/nearest.ts";
import { showKey, type Project, type WrittenKey } from "../domain/project.ts";
import { fieldAt, KEY_FIELD, textProblem } from "../domain/table.ts";
import { domainOf, nameOf } from "../plan/names.ts";
import { listText } from "../domain/words.ts";
import type { Reader } from "../service/service.ts";

type Domains = Project["domains"];

function hostName(text: string): string {
  return domainToASCII(text.replace(/:\d+$/, "")) || text.toLowerCase();
}

function isSameDomain(a: string, b: string, domains: Domains): boolean {
  const labels = new Labels(domains);
  const names = new Set(labels.namesOf(a).map(hostName));
  return labels.namesOf(b).some((name) => names.has(hostName(name)));
}

/** Whether a key names this one of the files. Without a domain, it names the alias on any domain. */
export function isNamed(key: NamedKey, one: WrittenKey, domains: Domains): boolean {
  if (!meansName(key, one.kind, one.name)) return false;
  return key.domain === null || one.domain === null || isSameDomain(key.domain, one.domain, domains);
}

/** The most similar of these keys; null if none is. If any is on the domain of a misspelled one, only the names on it are compared. */
export function nearestKey({ domain, name }: NamedKey, keys: readonly string[]): string | null {
  const isOn = (key: string): boolean => key.toLowerCase().startsWith(`${domain?.toLowerCase()}/`);
  const own = domain === null ? keys : keys.filter(isOn);
  const isWhole = own.length === 0;
  const compared = (key: string): string => (isWhole ? key : key.slice(key.lastIndexOf("/") + 1)).toLowerCase();
  const all = new Map((isWhole ? keys : own).map((key) => [compared(key), key]));
  const near = nearestOrLonger((isWhole ? `${domain}/${name}` : name).toLowerCase(), [...all.keys()]);
  return near === null ? null : (all.get(near) ?? null);
}

/** `names`: what to write instead of a key that names several objects. */
export function ambiguousKey(word: string, names: readonly string[]): Diagnostic {
  return error("ambiguous-key", `\`${word}\` matches ${listText(names, "and")}.`, null, "Use one of these names.");
}

/** Whether the files can give a link this alias. Other texts are more likely names of pixels. */
function isAlias(name: string): boolean {
  const field = fieldAt("link", KEY_FIELD.link);
  return field?.kind !== "text" || textProblem(field, name) === null;
}

/** With the service's own names. */
export function keyOfRecord(record: LiveRecord): string {
  const domain = domainOf(record)?.name;
  return domain === undefined ? nameOf(record) : `${domain}/${nameOf(record)}`;
}

function once<Result>(read: () => Promise<Result>): () => Promise<Result> {
  let reading: Promise<Result> | null = null;
  return () => (reading ??= read());
}

/** Finds live objects. Every list is read at most once. */
export class Finder {
  readonly #reader: Reader;
  readonly #project: Project;
  readonly #byAlias = new Map<string, Promise<readonly LiveRecord[]>>();
  #all: readonly LiveRecord[] | null = null;

  constructor(reader: Reader, project: Project) {
    this.#reader = reader;
    this.#project = project;
  }

  readonly pixels = once(async () => (await this.#reader.list("pixel")).records);
  readonly account = once(() => this.#reader.account());
  readonly #domains = once(() => this.#reader.names("domains"));
  readonly #spaces = once(() => this.#reader.names("spaces"));

  readonly names: Reader["names"] = (of) => (of === "domains" ? this.#domains() : this.#spaces());

  /** The links that have this alias, on any domain. */
  links(alias: string): Promise<readonly LiveRecord[]> {
    const reading = this.#byAlias.get(fold(alias)) ?? this.#lookUp(alias);
    this.#byAlias.set(fold(alias), reading);
    return reading;
  }

  /** Reads all links if that takes fewer requests than to look up this number of them. */
  async expectLinks(count: number): Promise<void> {
    // With so few, the first page is not read to count the pages.
    if (count <= 2) return;
    const list = await this.#reader.open("link");
    if (list.pages <= count) this.#all = (await list.whole()).records;
  }

  async #lookUp(alias: string): Promise<readonly LiveRecord[]> {
    const containing = unmistakablePart(alias) ?? searchable(alias);
    const records = this.#all ?? (await this.#reader.list("link", containing === null ? {} : { containing })).records;
    return records.filter((record) => fold(nameOf(record)) === fold(alias));
  }

  async find(key: NamedKey): Promise<readonly LiveRecord[]> {
    const { kind, domain, name } = key;
    const pixelsNamed = async (wanted: string | null): Promise<LiveRecord[]> =>
      wanted === null ? [] : (await this.pixels()).filter((record) => fold(nameOf(record)) === fold(wanted));
    const [links, pixels] = await Promise.all([
      kind === "pixel" || name === "" || (kind === null && domain === null && !isAlias(name)) ? [] : this.links(name),
      domain === null ? pixelsNamed(nameFor(key, "pixel")) : [],
    ]);
    const found = [...links.filter((record) => domain === null || this.#isOn(record, domain)), ...pixels];
    // A pixel's name may hold a slash.
    return found.length > 0 || domain === null ? found : pixelsNamed(nameFor(key, "pixel"));
  }

  /** `text` is the label, name or id of a domain. */
  #isOn(record: LiveRecord, text: string): boolean {
    const [domain, { domains }] = [domainOf(record), this.#project];
    return domain !== undefined && [domain.name, String(domain.id)].some((name) => isSameDomain(text, name, domains));
  }

  /** The key of an object that a misspelled key probably means: one half of an alias is probably right, and is searched. */
  async nearest(key: NamedKey): Promise<string | null> {
    const { kind, name } = key;
    const middle = Math.ceil(name.length / 2);
    const halves =
      kind === "pixel" ? [] : [name.slice(0, middle), name.slice(middle)].filter((half) => half.length > 2);
    // One page each is enough.
    const pages = await Promise.all(halves.map((containing) => this.#reader.open("link", { containing })));
    const links = pages.flatMap(({ records }) => records).map(keyOfRecord);
    const declared = this.#project.declarations.filter((one) => kind === null || one.kind === kind).map(showKey);
    const pixels = kind === "link" ? [] : (await this.pixels()).map(nameOf);
    return nearestKey(key, [...links, ...declared, ...pixels]);
  }
}
