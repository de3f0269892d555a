// Reads again what was touched, for write answers are echoes, and reports what did not become as declared.

import pLimit from "p-limit";
import type { Change, Desired, FieldChange, Live } from "../domain/change.ts";
import type { LiveRow, LiveState } from "../domain/live.ts";
import type { ResourceKind } from "../domain/table.ts";
import { compare } from "../plan/compare.ts";
import { isReadById } from "../plan/tally.ts";
import type { Reader } from "../service/service.ts";
import { ServiceError, UserError } from "../errors.ts";
import { internalFailure, type Failure, type Outcome } from "./outcome.ts";

export interface VerifyOptions {
  /** Which list of links has all that matters, and how long it and that of the pixels were. */
  readonly lists: Pick<LiveState, "domain" | "sizes">;
  readonly concurrency: number;
  /** Puts a row in canonical form. */
  readonly canonical: (row: LiveRow) => Live;
  /** The instant at which expiry is judged, in canonical form. */
  readonly now: string;
  /** Writes a field's values as people know them: `is public, declared private`. */
  readonly describe: (change: Change, field: FieldChange) => string;
  /** Told of each change that has been looked at. */
  readonly onChecked?: (change: Change) => void;
}

/**
 * Checks every applied change against the service and returns the outcomes, those that did not hold turned to failed.
 * Rows are read by id, or with their whole list where that takes fewer requests.
 */
export async function verify(
  outcomes: readonly Outcome[],
  service: Reader,
  options: VerifyOptions,
): Promise<Outcome[]> {
  const rows = {
    link: rowReader("link", outcomes, service, options),
    pixel: rowReader("pixel", outcomes, service, options),
  };
  return Promise.all(
    outcomes.map(async (outcome): Promise<Outcome> => {
      if (outcome.outcome !== "applied") return outcome;
      try {
        const failure = await check(outcome.change, outcome.id, rows[outcome.change.kind], options);
        return failure === null ? outcome : { change: outcome.change, outcome: "failed", failure };
      } catch (cause) {
        return { change: outcome.change, outcome: "failed", failure: unread(outcome.change, cause) };
      } finally {
        options.onChecked?.(outcome.change);
      }
    }),
  );
}

type RowReader = (id: number) => Promise<LiveRow | null>;

function rowReader(
  kind: ResourceKind,
  outcomes: readonly Outcome[],
  service: Reader,
  { lists: { domain, sizes }, concurrency }: VerifyOptions,
): RowReader {
  const applied = outcomes.flatMap(({ change, outcome }) => (outcome === "applied" ? [change] : []));
  if (isReadById(kind, applied, sizes)) {
    const limit = pLimit(concurrency);
    return (id) => limit(() => service.show(kind, id));
  }
  const wanted = kind === "link" && domain !== null ? { domain } : {};
  const listed = service.list(kind, wanted).then(({ rows }) => new Map(rows.map((row) => [row.id, row])));
  // Whoever asks for a row hears of a failed list; nobody asks before this function has returned.
  listed.catch(() => null);
  return async (id) => (await listed).get(id) ?? null;
}

async function check(change: Change, id: number, read: RowReader, options: VerifyOptions): Promise<Failure | null> {
  if (change.action === "delete") return checkGone(change, change.live, read);
  if (change.action === "replace") {
    const left = await checkGone(change, change.live, read);
    if (left !== null) return left;
  }
  const row = await read(id);
  if (row === null) return unverified(change, `\`${change.key}\` was stored as id ${id}, but is not there.`);
  return checkFields(change, change.desired, options.canonical(row), options);
}

async function checkGone(change: Change, live: Live, read: RowReader): Promise<Failure | null> {
  return (await read(live.id)) === null
    ? null
    : unverified(change, `The service said that \`${live.key}\` is deleted, but it is still there.`);
}

function checkFields(change: Change, desired: Desired, live: Live, { now, describe }: VerifyOptions): Failure | null {
  const { fields } = compare(desired, live, now);
  const [first] = fields;
  if (first === undefined) return null;
  const message = `The service took the change, but ${fields.map((field) => describe(change, field)).join("; ")}.`;
  const hint = "The service may have changed the value, or somebody else did: run `linkform plan`.";
  return {
    ...unverified(change, message),
    hint,
    path: first.path,
    place: desired.said.get(first.path)?.place ?? change.source,
  };
}

function unread(change: Change, cause: unknown): Failure {
  if (!(cause instanceof ServiceError || cause instanceof UserError)) return internalFailure(change, cause);
  const message = `It was applied, but could not be read again: ${cause.message}`;
  return { ...unverified(change, message), hint: "Run `linkform plan` to see how it is." };
}

function unverified(change: Change, message: string): Failure {
  return { code: "not-as-declared", message, hint: null, path: null, place: change.source, mayHaveActed: true };
}
