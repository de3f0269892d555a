// Reads the part of the account that a project needs, with as few requests as possible.

import pLimit from "p-limit";
import { DEFAULT_CONCURRENCY } from "../apply/options.ts";
import { fold } from "../domain/fold.ts";
import { hasDate, type Account, type LiveRecord, type LiveState } from "../domain/live.ts";
import type { Project } from "../domain/project.ts";
import { directories } from "../plan/directory.ts";
import { nameOf } from "../plan/names.ts";
import type { Reader } from "../service/service.ts";
import { mergeRecords, readLinks, type Files } from "./read-links.ts";

export async function readAccount(files: Files, reader: Reader): Promise<LiveState> {
  const dated = declaresDates(files) ? reader.account() : null;
  const [chosen, pixels] = await Promise.all([readLinks(files, reader), reader.list("pixel"), dated]);
  const links = chosen.isWhole ? chosen.links : await addPixelUsers(files, chosen.links, pixels.records, reader);
  const { domains, spaces, account } = await readNames(files, links, reader, dated);
  const named = directories(files.project, { links, domains, spaces });
  // Other links may confirm a name that is in no list. The list of spaces is complete. The list of domains lacks those that all accounts
  // share (docs/service.md, "Endpoints").
  const isUnconfirmed = named.domains.incomplete || (named.spaces.incomplete && spaces === null);
  const isIncomplete = !chosen.isWhole && isUnconfirmed;
  const read = isIncomplete ? await chosen.whole() : { ...chosen, links };
  return {
    software: await reader.software(),
    isWhole: read.isWhole,
    domain: read.domain,
    links: read.links,
    pixels: pixels.records,
    domains,
    spaces,
    account,
    requests: reader.requests,
    sizes: { link: read.size, pixel: { records: pixels.records.length, perPage: pixels.perPage } },
  };
}

/**
 * Reads the lists of names and the account that the links read so far do not make unnecessary. `dated` is the account if it is being
 * read already.
 */
export async function readNames(
  files: Files,
  links: readonly LiveRecord[],
  reader: Pick<Reader, "names" | "account">,
  dated: Promise<Account> | null = null,
): Promise<Pick<LiveState, "domains" | "spaces" | "account">> {
  const named = directories(files.project, { links, domains: null, spaces: null });
  const needsZone = declaresDates(files) || usesLiveDates(files, links);
  const [domains, spaces, account] = await Promise.all([
    named.domains.incomplete ? reader.names("domains") : null,
    named.spaces.incomplete ? reader.names("spaces") : null,
    needsZone ? (dated ?? reader.account()) : null,
  ]);
  return { domains, spaces, account };
}

/** Whether the files or the base have dates, which are compared in the zone of the account. */
function declaresDates({ project, base }: Files): boolean {
  return [project, base].some((files) =>
    files?.declarations.some(({ fields }) => hasDate({ get: (path) => fields.get(path)?.value })),
  );
}

/** Whether dates of live links matter: a replacement may copy one, and without a zone in the files, they are shown in the account's. */
function usesLiveDates({ project, wantsAll = false }: Files, links: readonly LiveRecord[]): boolean {
  const takesOver = project.declarations.some(
    ({ renamedFrom, unspecified }) => renamedFrom !== null && unspecified === "keep",
  );
  if (project.zone !== null && !takesOver && !wantsAll) return false;
  const declared = new Set(
    project.declarations.flatMap(({ name, renamedFrom }) => [fold(name), fold(renamedFrom?.name ?? name)]),
  );
  return links.some((record) => (wantsAll || declared.has(fold(nameOf(record)))) && hasDate(record.values));
}

export async function withAccount(state: LiveState, reader: Reader): Promise<LiveState> {
  return state.account === null ? { ...state, account: await reader.account(), requests: reader.requests } : state;
}

/** Adds the links with these ids that were not read yet. */
export async function withLinks(
  state: LiveState,
  ids: readonly (number | null)[],
  reader: Reader,
  concurrency: number = DEFAULT_CONCURRENCY,
): Promise<LiveState> {
  const read = new Set(state.links.map(({ id }) => id));
  const missing = new Set(ids.flatMap((id) => (id === null || state.isWhole || read.has(id) ? [] : id)));
  const limit = pLimit(concurrency);
  const found = await Promise.all([...missing].map((id) => limit(() => reader.show("link", id))));
  const links = mergeRecords(
    state.links,
    found.filter((record) => record !== null),
  );
  return { ...state, links, requests: reader.requests };
}

/** Adds the links that use a pixel which a tombstone or pruning may delete: a pixel that a link uses must not be deleted. */
async function addPixelUsers(
  { project, base, isPart = false }: Files,
  links: readonly LiveRecord[],
  pixels: readonly LiveRecord[],
  reader: Reader,
): Promise<LiveRecord[]> {
  const { mode } = project.policy.prune;
  const tombstoned = new Set(project.tombstones.flatMap(({ kind, name }) => (kind === "pixel" ? [fold(name)] : [])));
  const declared = pixelNames(project);
  const then = base === null ? new Set() : pixelNames(base);
  const toDelete = pixels.filter((record) => {
    const name = fold(nameOf(record));
    if (tombstoned.has(name)) return true;
    return !declared.has(name) && ((mode === "scope" && !isPart) || (mode !== "none" && then.has(name)));
  });
  const users = await Promise.all(toDelete.map(({ id }) => reader.list("link", { pixel: id })));
  return mergeRecords(links, ...users.map(({ records }) => records));
}

/** The folded names that declared pixels have or had. */
function pixelNames({ declarations }: Project): Set<string> {
  return new Set(
    declarations.flatMap(({ kind, name, renamedFrom }) =>
      kind === "pixel" ? [fold(name), fold(renamedFrom?.name ?? name)] : [],
    ),
  );
}

/** A live state with only the parts that were read; the rest is empty. */
export function partialState(read: Partial<LiveState>, requests: number): LiveState {
  const size = { records: 0, perPage: 1 };
  return {
    software: { version: "4.1", source: "assumed" },
    links: [],
    isWhole: false,
    domain: null,
    pixels: [],
    domains: null,
    spaces: null,
    account: null,
    sizes: { link: size, pixel: size },
    ...read,
    requests,
  };
}
