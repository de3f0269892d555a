// What is live of declared blocks, looked up with as few requests as it takes.

import type { Live } from "../domain/change.ts";
import type { Diagnostic } from "../domain/diagnostic.ts";
import { fold } from "../domain/fold.ts";
import type { LiveRecord, LiveState } from "../domain/live.ts";
import { DEFAULT_POLICY, type Declaration, type Project } from "../domain/project.ts";
import type { ResourceKind } from "../domain/table.ts";
import { directories } from "../plan/directory.ts";
import { whatIsMissing } from "../plan/reading.ts";
import { resolve } from "../plan/resolve.ts";
import type { Reader } from "../service/service.ts";
import { stateOf } from "../session/live-state.ts";

/** The live rows of one declared block. */
export interface FoundRecords {
  readonly declaration: Declaration;
  /** Rows that have its key. */
  readonly rows: readonly Live[];
  /** Rows that have the key from which it is still to be renamed; none where `rows` has any. */
  readonly former: readonly Live[];
}

/**
 * Looks declared blocks up. `state` holds what was read, for a plan of just these. `diagnostics`: what is wrong with
 * the domains, so that it can't be told whether a row of the same alias is the one that is declared.
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
  // Where nothing is live, nothing has to be told from anything.
  const domains = missing.domains && links.length > 0 ? await reader.names("domains") : null;
  const state = stateOf({ links, pixels, domains, isWhole: true }, reader.requests);
  const { desired, live } = resolve(about, state);
  const byIdentity = new Map<string, Live[]>();
  for (const row of live) byIdentity.set(row.identity, [...(byIdentity.get(row.identity) ?? []), row]);
  const found = declarations.map((declaration): FoundRecords => {
    const one = desired.find(({ place }) => place === declaration.place);
    const rows = byIdentity.get(one?.identity ?? "") ?? [];
    const former = rows.length > 0 ? [] : (byIdentity.get(one?.renamedFrom?.identity ?? "") ?? []);
    return { declaration, rows, former };
  });
  // One that nothing confirms may be a domain that only other links name: no row that was read lies in it.
  const wrong = directories(about, state).domains.diagnostics.filter(({ code }) => !code.startsWith("unconfirmed"));
  return { found, state, diagnostics: wrong };
}

/** One look-up each, or all pages where those are fewer. */
async function rowsOf(kind: ResourceKind, names: readonly string[], reader: Reader): Promise<readonly LiveRecord[]> {
  if (names.length > FEW) {
    const list = await reader.open(kind);
    if (list.pages !== null && list.pages <= names.length) return (await list.whole()).rows;
  }
  const found = await Promise.all(names.map((name) => reader.find(kind, name)));
  return [...new Map(found.flat().map((row) => [row.id, row])).values()];
}

/** For so few, no page is read to see how many there are. */
const FEW = 2;
