// Reads the records that match a filter. The service narrows the list, and every record is checked here.

import { filterTests, searchable, type Filter, type Passes, type ReferenceFilter } from "../domain/filter.ts";
import type { LiveRecord } from "../domain/live.ts";
import type { ResourceKind } from "../domain/table.ts";
import type { Order } from "../service/list.ts";
import type { Reader, ListFilter } from "../service/service.ts";

export interface MatchRequest {
  readonly kind: ResourceKind;
  readonly filter: Filter;
  /** The instant, in canonical form, that decides whether a link has expired. */
  readonly now: string;
  /** By id, ascending by default. */
  readonly order?: Order;
  /** How many of the first records are enough; null or left out: all. */
  readonly enough?: number | null;
}

export interface MatchResult {
  /** All wanted records, or at least the first `enough` of them. */
  readonly records: readonly LiveRecord[];
  /** The number of wanted records, read or not; null if it is not known. */
  readonly total: number | null;
  /** The service's count of records, which is too high if it ignores a filter. */
  readonly counted: number;
}

/**
 * Reads the wanted records. Every known version understands the filters of links that are sent, or ignores them
 * (docs/service-compatibility.md), so no wanted record is missing. Pixels are few, and 4.1 ignores their type: they are never filtered
 * by the service.
 */
export async function readMatching(reader: Reader, request: MatchRequest): Promise<MatchResult> {
  const { kind, filter, now, order, enough = null } = request;
  const tests = filterTests(filter, now);
  const isWanted: Passes = (record) => tests.every((passes) => passes(record));
  const asked = kind === "link" ? filterToSend(filter) : {};
  const opened = await reader.open(kind, asked, enough === null ? "asc" : order);
  const partial = enough === null ? null : await opened.begin((records) => records.filter(isWanted).length >= enough);
  const { records, isAll, total: counted } = partial ?? { ...(await opened.whole()), isAll: true, total: opened.total };
  const wanted = records.filter(isWanted);
  if (isAll) return { records: wanted, total: wanted.length, counted: records.length };
  // Further pages may have records that are not wanted: the service may ignore a filter.
  return { records: wanted, total: tests.length === 0 ? counted : null, counted };
}

/** The filters that the service has: ids, and texts without characters that are special in its search. */
function filterToSend({ search, status, domain, space, pixel }: Filter): ListFilter {
  const id = (reference: ReferenceFilter | null): number | null =>
    reference !== null && "id" in reference ? reference.id : null;
  const [domainId, pixelId] = [id(domain), id(pixel)];
  const spaceId = space === "none" ? 0 : id(space);
  const containing = search === null ? null : searchable(search.text);
  return {
    ...(domainId !== null && { domain: domainId }),
    ...(spaceId !== null && { space: spaceId }),
    ...(pixelId !== null && { pixel: pixelId }),
    ...(status !== null && { status }),
    ...(search !== null && containing !== null && { containing, searched: search.in }),
  };
}
