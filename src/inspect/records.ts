// Live records with their declarations, for commands that only read.

import type { Live } from "../domain/change.ts";
import type { Diagnostic } from "../domain/diagnostic.ts";
import type { LiveRecord } from "../domain/live.ts";
import { statusesOf } from "../domain/status.ts";
import type { Resolved } from "../plan/resolve.ts";
import { shortUrl } from "../report/document.ts";
import { placeDocument } from "../report/finding-document.ts";
import type { RecordDocument } from "../report/json/inspect.ts";
import { liveWords } from "../report/values.ts";

export interface InspectedRecord {
  readonly live: Live;
  readonly document: RecordDocument;
}

/** `now` is the current instant in canonical form. */
export function inspectRecords(records: readonly LiveRecord[], resolved: Resolved, now: string): InspectedRecord[] {
  const nameOf = ({ kind, id }: Pick<Live, "kind" | "id">): string => `${kind} ${id}`;
  const unreadable = new Map(resolved.unreadable.map((one) => [nameOf(one), one]));
  const all = [...resolved.live, ...resolved.unreadable];
  const byName = new Map(all.map((one) => [nameOf(one), one]));
  const desired = new Map(
    resolved.claims.flatMap((claim) => (claim.live ? [[nameOf(claim.live), claim.desired]] : [])),
  );
  const declared = new Map([...desired].map(([name, { place }]) => [name, place]));
  const absent = new Map(
    resolved.tombstones.flatMap(({ live, tombstone }) => (live === null ? [] : [[nameOf(live), tombstone.place]])),
  );
  const tombstones = new Set(resolved.tombstones.map(({ tombstone }) => tombstone.place));
  for (const [place, record] of resolved.blockedAt)
    (tombstones.has(place) ? absent : declared).set(nameOf(record), place);
  return records.flatMap((record) => {
    const name = nameOf(record);
    const live = byName.get(name);
    if (live === undefined) return [];
    const { kind, key, id, clicks, values } = live;
    const { family, owners = [], reviewBy = null } = desired.get(name) ?? {};
    const { fields: unread = [], hasKey = true } = unreadable.get(name) ?? {};
    const [at, gone] = [declared.get(name), absent.get(name)];
    const document: RecordDocument = {
      kind,
      key,
      id,
      short_url: kind === "link" && hasKey ? shortUrl(key, values, resolved.side.domains.names) : null,
      status: kind === "link" && unread.length === 0 ? [...statusesOf(record, now)] : [],
      clicks,
      title: record.title,
      created_at: record.createdAt,
      updated_at: record.updatedAt,
      declared: at === undefined ? null : placeDocument(at),
      absent: gone === undefined ? null : placeDocument(gone),
      ...(family !== undefined && { family: family.pattern }),
      owner: [...owners],
      review_by: reviewBy?.text ?? null,
      ...(unread.length > 0 && { unreadable: unread.map((field) => ({ ...field })) }),
      fields: Object.fromEntries(liveWords(live, resolved.zones)),
    };
    return [{ live, document }];
  });
}

export function labelWarnings({ diagnostics }: Pick<Resolved, "diagnostics">): Diagnostic[] {
  return diagnostics.flatMap((one) =>
    /^(?:wrong|ambiguous)-(?:domain|space)$/.test(one.code) ? [{ ...one, severity: "warning" as const }] : [],
  );
}
