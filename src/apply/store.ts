// Stores a record exactly once, even if answers are lost.

import type { Change, FieldChange, Live } from "../domain/change.ts";
import { KEY_FIELD } from "../domain/table.ts";
import { ServiceError } from "../errors.ts";
import { isSameObject } from "../plan/compare.ts";

/** A change that stores a record. */
export type Storing = Extract<Change, { action: "create" | "replace" }>;

/** The calls of a run that `storeOnce` needs. */
export interface Storage {
  /** Milliseconds since the epoch. */
  now(): number;
  isStopped(): boolean;
  /** Milliseconds to wait after this many tries. */
  delay(tries: number): number;
  /** Sends the store and returns the new record's id. */
  store(change: Storing): Promise<number>;
  /** The live records with the key of this change. */
  findByKey(change: Change): Promise<readonly Live[]>;
  /** The declared fields that a record does not have yet. */
  missingFields(change: Storing, record: Live): readonly FieldChange[];
  update(change: Storing, id: number, fields: readonly FieldChange[]): Promise<void>;
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
      else if (uncertain === null || !refusesKey(change, cause)) throw cause;
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

/** Completes the record of a store without a certain result, and returns its id. */
export async function complete(change: Storing, record: Live, storage: Storage): Promise<number> {
  const fields = storage.missingFields(change, record);
  if (fields.length > 0) await storage.update(change, record.id, fields);
  return record.id;
}

/** The record of a store that seemed to fail; null if there is none. Throws if the record belongs to someone else. */
async function findStored(change: Storing, storage: Storage, failed: ServiceError): Promise<Live | null> {
  try {
    return ownRecord(change, await storage.findByKey(change));
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
export function ownRecord(change: Storing, records: readonly Live[]): Live | null {
  const [record, other] = records;
  if (record === undefined) return null;
  if (other !== undefined) {
    const ids = records.map(({ id }) => id).join(", ");
    throw new ServiceError("doubled", `\`${change.key}\` exists ${records.length} times (ids ${ids}).`, {
      hint: `Delete one of them with a tombstone: \`absent: { ${change.kind}s: { ${change.key}: { id: ${other.id} } } }\`.`,
    });
  }
  if (isSameObject(change.desired, record)) return record;
  throw new ServiceError(
    "taken",
    `\`${change.key}\` exists (id ${record.id}), but with other values than linkform sent. It belongs to somebody else.`,
    {
      hint: "linkform did not change it. Run `linkform plan` to see how it differs.",
      aftermath: "none",
    },
  );
}

/** Whether the service rejected the key of a change, which may be taken. */
export function refusesKey({ kind }: Change, { refusals }: ServiceError): boolean {
  return refusals.some(({ path }) => path === KEY_FIELD[kind]);
}
