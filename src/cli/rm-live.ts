// Finds the live records of declared blocks with few requests, and the live links that use a pixel.

import type { Live } from "../domain/change.ts";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { fold } from "../domain/fold.ts";
import type { LiveRecord, LiveState } from "../domain/live.ts";
import { DEFAULT_POLICY, type Declaration, type Project } from "../domain/project.ts";
import type { ResourceKind } from "../domain/table.ts";
import { directories } from "../plan/directory.ts";
import { whatIsMissing } from "../plan/reading.ts";
import { resolve } from "../plan/resolve.ts";
import type { Reader } from "../service/service.ts";
import { partialState } from "../session/read-account.ts";
import { nameOf } from "../plan/names.ts";

/** The live records of one declared block. */
export interface FoundRecords {
  readonly declaration: Declaration;
  /** Those with its key. */
  readonly records: readonly Live[];
  /** Those with the key of `renamed_from`; empty if `rows` is not. */
  readonly former: readonly Live[];
}

/**
 * Finds the live records of declared blocks. `state` is what was read, for a plan of only these blocks. `diagnostics` are problems
 * with domains: with them, a record with the same alias may be another link.
 */
export async function findLive(
  project: Project,
  declarations: readonly Declaration[],
  reader: Reader,
): Promise<{
  readonly found: readonly FoundRecords[];
  readonly state: LiveState;
  readonly diagnostics: readonly Diagnostic[];
}> {
  const namesOf = (kind: ResourceKind): string[] => {
    const all = declarations.flatMap((one) => (one.kind === kind ? [one.name, one.renamedFrom?.name ?? one.name] : []));
    return [...new Map(all.map((name) => [fold(name), name])).values()];
  };
  const [links, pixels] = await Promise.all([
    rowsOf("link", namesOf("link"), reader),
    rowsOf("pixel", namesOf("pixel"), reader),
  ]);
  const about = { ...project, declarations, tombstones: [], policy: DEFAULT_POLICY };
  const missing = whatIsMissing({ project: about, base: null }, { links, unreadable: [] }, false);
  // Without live links there is nothing to compare domains with.
  const domains = missing.domains && links.length > 0 ? await reader.names("domains") : null;
  const state = partialState({ links, pixels, domains, isWhole: true }, reader.requests);
  const { desired, live } = resolve(about, state);
  const byIdentity = new Map<string, Live[]>();
  for (const record of live) byIdentity.set(record.identity, [...(byIdentity.get(record.identity) ?? []), record]);
  const found = declarations.map((declaration): FoundRecords => {
    const one = desired.find(({ place }) => place === declaration.place);
    const records = byIdentity.get(one?.identity ?? "") ?? [];
    const former = records.length > 0 ? [] : (byIdentity.get(one?.renamedFrom?.identity ?? "") ?? []);
    return { declaration, records, former };
  });
  // A domain that nothing confirms may be one that only other links use.
  const wrong = directories(about, state).domains.diagnostics.filter(({ code }) => !code.startsWith("unconfirmed"));
  return { found, state, diagnostics: wrong };
}

/** One request for each name, or one for each page if these are fewer. */
async function rowsOf(kind: ResourceKind, names: readonly string[], reader: Reader): Promise<readonly LiveRecord[]> {
  if (names.length > FEW) {
    const list = await reader.open(kind);
    if (list.pages !== null && list.pages <= names.length) return (await list.whole()).records;
  }
  const found = await Promise.all(names.map((name) => reader.find(kind, name)));
  return [...new Map(found.flat().map((record) => [record.id, record])).values()];
}

/** With so few names, the first page is not read to count the pages. */
const FEW = 2;

/** More links are counted instead of named. */
const MAX_NAMED = 10;

/** An error for each pixel that a live link without a declaration uses: no plan would delete it. */
export async function liveUsers(
  found: readonly FoundRecords[],
  project: Project,
  reader: Reader,
): Promise<Diagnostic[]> {
  const declared = new Set(project.declarations.flatMap((one) => (one.kind === "link" ? [fold(one.name)] : [])));
  const pixels = found.flatMap(({ declaration, records, former }) =>
    declaration.kind === "pixel" ? [...records, ...former].map((record) => ({ declaration, row: record })) : [],
  );
  const problems = await Promise.all(
    pixels.map(async ({ declaration, row: record }) => {
      const links = (await reader.list("link", { pixel: record.id })).records;
      const users = links.filter((link) => !declared.has(fold(nameOf(link))));
      if (users.length === 0) return [];
      const named = users.slice(0, MAX_NAMED).map((link) => `\`${nameOf(link)}\` (id ${link.id})`);
      const more = users.length > MAX_NAMED ? ` and ${users.length - MAX_NAMED} more` : "";
      const message = `The pixel \`${record.key}\` is used by live links that no file declares: ${named.join(", ")}${more}.`;
      const hint = "Remove it from these links first. linkform does not delete a pixel that a link uses.";
      return [error("pixel-in-use", message, declaration.place, hint)];
    }),
  );
  return problems.flat();
}
