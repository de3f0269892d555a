// Stores a record exactly once, even if answers are lost.

import type { Change, FieldChange, Live, WrittenChange } from "../domain/change.ts";
import { fieldAt, KEY_FIELD } from "../domain/table.ts";
import { sameValue } from "../domain/value.ts";
import { ServiceError } from "../errors.ts";
import { isSameObject } from "../plan/compare.ts";

export type Storing = Extract<Change, { action: "create" | "replace" }>;

/** The calls of a run that `storeOnce` needs. */
export interface Storage {
  /** Milliseconds since the epoch. */
  now(): number;
  isStopped(): boolean;
  /** Milliseconds to wait after this many tries. */
  delay(tries: number): number;
  store(change: Storing): Promise<number>;
  findByKey(change: Storing): Promise<readonly Live[]>;
  /** The declared fields that the record does not have yet. */
  missingFields(change: Storing, record: Live): readonly FieldChange[];
  update(change: Storing, record: Live, fields: readonly FieldChange[]): Promise<void>;
}

/**
 * A store continues after the client has disconnected, while the service fetches the destination for up to 5 s
 * (docs/service.md, "Writing"). A record that is still missing this long after the response was lost will not appear.
 */
const MAX_STORE_MS = 6000;
const MAX_TRIES = 3;

/**
 * Stores the record of a change and returns its id. Yields times (milliseconds since the epoch) until which others may run; then it
 * must be resumed. A store is sent again only if the record was looked for and not found. `onFound` gets a record that exists
 * and may be incomplete:
 *
 *     result                     →
 *     an id                      done
 *     a refusal (4xx)            final; after an uncertain store, "taken" may mean our own record
 *     500 in JSON                the store has ended: look now
 *     nothing, or a page         the store may still run: look 6 s later
 *     found, with our url        complete it
 *     found, with another url    it belongs to someone else: fail, do not touch it
 *     not found                  send it again
 */
export async function* storeOnce(
  change: Storing,
  storage: Storage,
  onFound: (id: number) => void,
): AsyncGenerator<number, number, void> {
  /** The error of the last store that may have worked. A later refusal must not hide it. */
  let uncertain: ServiceError | null = null;
  for (let tries = 1; ; tries += 1) {
    try {
      return await storage.store(change);
    } catch (cause) {
      if (!(cause instanceof ServiceError)) throw cause;
      if (cause.mayHaveActed) uncertain = cause;
      // The key may be taken.
      else if (uncertain === null || !cause.refusals.some(({ path }) => path === KEY_FIELD[change.kind])) throw cause;
      // From now, because the store may have waited for the rate limit before it was sent.
      if (cause.aftermath === "unknown") yield storage.now() + MAX_STORE_MS;
      if (storage.isStopped()) throw uncertain;
      const record = await findStored(change, storage, uncertain);
      if (record !== null) {
        onFound(record.id);
        return complete(change, record, storage);
      }
      if (!cause.mayHaveActed || tries === MAX_TRIES) throw cause;
    }
    yield storage.now() + storage.delay(tries);
  }
}

/** Completes a record that was saved in part, and returns its id. */
export async function complete(change: Storing, record: Live, storage: Storage): Promise<number> {
  const fields = storage.missingFields(change, record);
  if (fields.length > 0) await storage.update(change, record, fields);
  return record.id;
}

/** The record of a store that seemed to fail, as `ownRecord` finds it. */
async function findStored(change: Storing, storage: Storage, failed: ServiceError): Promise<Live | null> {
  try {
    return ownRecord(change, await storage.findByKey(change), storage);
  } catch (cause) {
    if (cause instanceof ServiceError && CONFLICTS.has(cause.code)) throw cause;
    // After an interruption or a failed look-up, report the error of the store.
    if (!(cause instanceof ServiceError)) throw failed;
    const message = `${failed.message} linkform could not check whether \`${change.key}\` was created: ${cause.message}`;
    throw new ServiceError(failed.code, message, { hint: RUN_AGAIN, aftermath: "unknown", cause });
  }
}

/** Failures that show which record has the key. */
export const CONFLICTS: ReadonlySet<string> = new Set(["taken", "doubled"]);
const RUN_AGAIN = "Run the command again. It reads the account first and applies only the remaining changes.";

/** The record of this run; null if there is none. Throws if the record belongs to someone else, or if there are two. */
export function ownRecord(
  change: Storing,
  records: readonly Live[],
  storage: Pick<Storage, "missingFields">,
): Live | null {
  const [record] = records;
  if (record === undefined) return null;
  if (records.length > 1) throw doubledError(change, records, null);
  // A store that was saved in part leaves defaults. Any other value was written by somebody else; only the key may be spelled differently.
  const isOwn = storage
    .missingFields(change, record)
    .every(
      ({ path, before = null }) =>
        path === KEY_FIELD[change.kind] || sameValue(before, fieldAt(change.kind, path)?.default ?? null),
    );
  if (isOwn && isSameObject(change.desired, record)) return record;
  throw new ServiceError(
    "taken",
    `\`${change.key}\` exists (id ${record.id}), but with other values than linkform sent. Somebody else created or changed it.`,
    {
      hint: "linkform did not change it. Run `linkform plan` to see how it differs.",
      aftermath: "none",
    },
  );
}

/**
 * Several records have the key of a change, because they were stored at the same time. `own`: the id of the record of this run, if it is
 * known. The hint removes the newest record if this run stored it, or may have stored it, and nothing is lost.
 */
export function doubledError(change: WrittenChange, records: readonly Live[], own: number | null): ServiceError {
  const newest = records.reduce((a, b) => (a.id > b.id ? a : b));
  const isOwn = own === null ? isSameObject(change.desired, newest) : newest.id === own && change.action !== "update";
  const isUnused = change.kind === "pixel" || newest.clicks === 0;
  const ids = records.map(({ id }) => id).toSorted((a, b) => a - b);
  const remove = `\`absent: { ${change.kind}s: { ${JSON.stringify(change.key)}: { id: ${newest.id} } } }\``;
  return new ServiceError("doubled", `\`${change.key}\` exists ${ids.length} times (ids ${ids.join(", ")}).`, {
    hint:
      isOwn && isUnused
        ? `To remove the newest one${change.kind === "link" ? ", which has no clicks" : ""}, add this tombstone and apply it: ${remove}.`
        : "Compare them in the service's web interface, and delete or rename all but one.",
  });
}
