// Finds the live records of declared blocks with few requests, and the live links that use a pixel.

import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { fold } from "../domain/fold.ts";
import type { LiveRecord, LiveState } from "../domain/live.ts";
import { DEFAULT_POLICY, type Declaration, type Project, type WrittenKey } from "../domain/project.ts";
import { directories } from "../plan/directory.ts";
import { nameOf } from "../plan/names.ts";
import { whatIsMissing } from "../plan/reading.ts";
import type { Reader } from "../service/service.ts";
import type { Finder } from "../session/find.ts";
import { partialState } from "../session/read-account.ts";

/** The live records of one declared block. */
export interface FoundRecords {
  readonly declaration: Declaration;
  /** Those with its key. */
  readonly records: readonly LiveRecord[];
  /** Those with the key of `renamed_from`; empty if `records` is not. */
  readonly former: readonly LiveRecord[];
}

/**
 * Finds the live records of declared blocks. `state` is what was found, for a plan of only these blocks. `diagnostics` are problems
 * with domains: with them, a record with the same alias may be another link.
 */
export async function findLive(
  project: Project,
  declarations: readonly Declaration[],
  finder: Finder,
  reader: Reader,
): Promise<{
  readonly found: readonly FoundRecords[];
  readonly state: LiveState;
  readonly diagnostics: readonly Diagnostic[];
}> {
  const find = ({ kind, domain, name }: WrittenKey): Promise<readonly LiveRecord[]> =>
    finder.find({ text: name, kind, domain, name });
  await finder.expectLinks(declarations.filter(({ kind }) => kind === "link").length);
  const found = await Promise.all(
    declarations.map(async (declaration): Promise<FoundRecords> => {
      const records = await find(declaration);
      const { renamedFrom } = declaration;
      const former = records.length > 0 || renamedFrom === null ? [] : await find(renamedFrom);
      return { declaration, records, former };
    }),
  );
  const all = found.flatMap(({ records, former }) => [...records, ...former]);
  const [links, pixels] = [all.filter(({ kind }) => kind === "link"), all.filter(({ kind }) => kind === "pixel")];
  const about = { ...project, declarations, tombstones: [], policy: DEFAULT_POLICY };
  const missing = whatIsMissing({ project: about, base: null }, { links, unreadable: [] }, false);
  // Without live links there is nothing to compare domains with.
  const domains = missing.domains && links.length > 0 ? await reader.names("domains") : null;
  const state = partialState({ links, pixels, domains, isWhole: true }, reader.requests);
  // A domain that nothing confirms may be one that only other links use.
  const wrong = directories(about, state).domains.diagnostics.filter(({ code }) => !code.startsWith("unconfirmed"));
  return { found, state, diagnostics: wrong };
}

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
      const message = `The pixel \`${nameOf(record)}\` is used by live links that no file declares: ${named.join(", ")}${more}.`;
      const hint = "Remove it from these links first. linkform does not delete a pixel that a link uses.";
      return [error("pixel-in-use", message, declaration.place, hint)];
    }),
  );
  return problems.flat();
}
