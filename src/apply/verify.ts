// Reads changed records again and reports those that are not as declared. The response to a write only repeats the request.

import pLimit from "p-limit";
import type { Change, WrittenChange, FieldChange, Live } from "../domain/change.ts";
import { groupBy } from "../domain/collections.ts";
import { fold, unmistakablePart } from "../domain/fold.ts";
import { fieldsText, type LiveRecord } from "../domain/live.ts";
import { fieldAt, KEY_FIELD, type ResourceKind } from "../domain/table.ts";
import { sameValue, type Value } from "../domain/value.ts";
import { sentFields } from "../plan/calls.ts";
import { compare } from "../plan/compare.ts";
import { nameOf } from "../plan/names.ts";
import { takesKey } from "../plan/order.ts";
import { isReadById } from "../plan/summary.ts";
import type { Reader } from "../service/service.ts";
import { ServiceError, UserError } from "../errors.ts";
import { differencesFrom } from "./guard.ts";
import type { ExecutionOptions } from "./options.ts";
import { failureOf, internalFailure, type Failure, type Outcome } from "./outcome.ts";
import { notStored } from "./read-back.ts";
import { doubledError } from "./store.ts";

/**
 * Applied changes become failed outcomes if they differ, or if several records have their key. Reads each record by itself, or the whole
 * list if that needs fewer requests.
 */
export async function verify(
  outcomes: readonly Outcome[],
  service: Reader,
  options: ExecutionOptions,
): Promise<Outcome[]> {
  const readers = {
    link: createRecordReader("link", outcomes, service, options),
    pixel: createRecordReader("pixel", outcomes, service, options),
  };
  return Promise.all(
    outcomes.map(async (outcome): Promise<Outcome> => {
      if (outcome.outcome !== "applied") return outcome;
      try {
        const failure = await check(outcome.change, outcome.id, readers[outcome.change.kind], options);
        return failure === null ? outcome : { change: outcome.change, outcome: "failed", failure };
      } catch (cause) {
        return { change: outcome.change, outcome: "failed", failure: notVerified(outcome.change, cause) };
      } finally {
        options.onChecked?.(outcome.change);
      }
    }),
  );
}

interface RecordReader {
  readonly byId: (id: number) => Promise<LiveRecord | null>;
  /** The records with this alias, on any domain, or this name: of many, at least the newest. */
  readonly byName: (name: string) => Promise<readonly LiveRecord[]>;
}

function createRecordReader(
  kind: ResourceKind,
  outcomes: readonly Outcome[],
  service: Reader,
  { state: { domain, sizes }, concurrency }: ExecutionOptions,
): RecordReader {
  const applied = outcomes.flatMap(({ change, outcome }) => (outcome === "applied" ? [change] : []));
  if (isReadById(kind, applied, sizes)) {
    const limit = pLimit(concurrency);
    return {
      byId: (id) => limit(() => service.show(kind, id)),
      // Two records have one key only if they were written at the same time, so the newest page shows the second one.
      byName: (name) =>
        limit(async () => {
          const containing = unmistakablePart(name);
          const { records } = await service.open(kind, containing === null ? {} : { containing }, "desc");
          return records.filter((record) => fold(nameOf(record)) === fold(name));
        }),
    };
  }
  const wanted = kind === "link" && domain !== null ? { domain } : {};
  const listed = service.list(kind, wanted).then(({ records }) => ({
    byId: new Map(records.map((record) => [record.id, record])),
    byName: groupBy(records, (record) => fold(nameOf(record))),
  }));
  // A failed list is reported by the first look-up, which happens after this function has returned.
  listed.catch(() => null);
  return {
    byId: async (id) => (await listed).byId.get(id) ?? null,
    byName: async (name) => (await listed).byName.get(fold(name)) ?? [],
  };
}

async function check(
  change: Change,
  id: number,
  read: RecordReader,
  options: ExecutionOptions,
): Promise<Failure | null> {
  if (change.action === "delete") return checkDeleted(change, change.live, read);
  if (change.action === "replace") {
    const failure = await checkDeleted(change, change.live, read);
    if (failure !== null) return failure;
  }
  const named = takesKey(change) ? await read.byName(String(change.desired.values.get(KEY_FIELD[change.kind]))) : [];
  const holders = named.map(options.canonical).filter(({ identity }) => identity === change.desired.identity);
  if (holders.some((holder) => holder.id === id) && holders.length > 1)
    return { ...failureOf(change, doubledError(change, holders, id), null), mayHaveActed: true };
  const record = named.find((one) => one.id === id) ?? (await read.byId(id));
  if (record === null) {
    const message =
      change.action === "update"
        ? `\`${change.key}\` (id ${id}) was updated, but no longer exists.`
        : `\`${change.key}\` was stored as id ${id}, but cannot be found.`;
    return { ...unverified(change, message), code: "changed-meanwhile", hint: CHANGED_MEANWHILE };
  }
  if (record.unreadable.length > 0)
    return unverified(change, `It was applied, but linkform cannot read it again: ${fieldsText(record.unreadable)}.`);
  return checkFields(change, options.canonical(record), options);
}

async function checkDeleted(change: Change, live: Live, read: RecordReader): Promise<Failure | null> {
  return (await read.byId(live.id)) === null
    ? null
    : unverified(change, `The service reported that \`${live.key}\` was deleted, but it still exists.`);
}

/**
 * Compares a record with the expected result of its change. If a sent field still has its old value, the service did not accept the new
 * one. Any other difference is a write by someone else between the two reads:
 *
 *     field       value now              code
 *     sent        the old value          not-as-declared
 *     sent        a third value          changed-meanwhile
 *     not sent    a different value      changed-meanwhile
 */
function checkFields(change: WrittenChange, record: Live, { now, describe }: ExecutionOptions): Failure | null {
  const sent = new Map(sentFields(change).map((field) => [field.path, field]));
  const differences = differencesIn(change, record, now);
  const [first] = differences;
  if (first === undefined) return null;
  const overwritten =
    change.action === "update" ? change.fields.filter(({ path }) => !differences.some((one) => one.path === path)) : [];
  const ignored = differences.filter(({ path, after }) => {
    const before = valueBefore(change, sent.get(path));
    return before !== undefined && sameValue(before, after);
  });
  const others = differences.filter((field) => !ignored.includes(field));
  const sentences = [
    ...notStored(describe(change, ignored)),
    ...others.flatMap((field) =>
      describe(change, [field]).map(({ path, before, after }) =>
        sent.has(field.path)
          ? `\`${path}\` was sent as ${before} and is now ${after}.`
          : `\`${path}\` was ${before} and is now ${after}. This run did not send it.`,
      ),
    ),
    // The record may no longer be the one that the plan showed, so the previous values are needed to restore it.
    ...describe(change, others.length === 0 ? [] : overwritten).map(
      ({ path, before, after }) => `This run changed \`${path}\` from ${before} to ${after}.`,
    ),
  ];
  return {
    code: others.length > 0 ? "changed-meanwhile" : "not-as-declared",
    message: sentences.join(" "),
    hint: others.length > 0 ? CHANGED_MEANWHILE : NOT_ACCEPTED,
    path: first.path,
    place: change.desired.fields.get(first.path)?.place ?? change.source,
    mayHaveActed: true,
  };
}

const NOT_ACCEPTED =
  "The service did not accept the value, and another run would send the same value. Use another value, or report the problem to the operator of the service.";
const CHANGED_MEANWHILE =
  "Somebody else changed it while linkform was running, or the service did not store the value. Run `linkform plan` to compare it with the files.";

/** The fields that differ from the expected result: `before` is the expected value, `after` the returned one. */
function differencesIn(change: WrittenChange, record: Live, now: string): FieldChange[] {
  if (change.action === "update") return differencesFrom(change.live, record, { done: change.fields, sending: [] });
  return compare(change.desired, record, now).fields.flatMap(({ path, before, after }) =>
    before === undefined ? [] : [{ path, before: after, after: before }],
  );
}

/** The value of a sent field before this run; the default for a new record. */
function valueBefore(change: WrittenChange, sent: FieldChange | undefined): Value | undefined {
  if (sent === undefined) return undefined;
  return change.action === "update" ? sent.before : fieldAt(change.kind, sent.path)?.default;
}

function notVerified(change: Change, cause: unknown): Failure {
  if (!(cause instanceof ServiceError || cause instanceof UserError)) return internalFailure(change, cause);
  const message = `It was applied, but linkform could not read it again: ${cause.message}`;
  return { ...unverified(change, message), code: "not-verified" };
}

function unverified(change: Change, message: string): Failure {
  const hint = "Run `linkform plan` to compare it with the files.";
  return { code: "not-as-declared", message, hint, path: null, place: change.source, mayHaveActed: true };
}
