// Reads the first write of each kind back before the next one, because the service ignores unknown names and answers 200.

import type { Change, FieldChange, Live } from "../domain/change.ts";
import { createDeferred } from "../domain/collections.ts";
import { fieldAt } from "../domain/table.ts";
import { sameValue } from "../domain/value.ts";
import { EXIT, ServiceError, UserError } from "../errors.ts";
import type { Writer } from "../service/service.ts";
import type { ExecutionOptions, FieldWords } from "./options.ts";

/** The service reported success for a write, but did not store one of its fields. */
export class NotStoredError extends UserError {
  readonly path: string;

  constructor(path: string, message: string) {
    super("not-as-declared", message, {
      hint: "Run `linkform doctor`. If it shows the wrong version, set `service.software` in the project file. Otherwise, use another value. Another run would send the same values.",
      exit: EXIT.partial,
    });
    this.path = path;
  }
}

/** The error of changes that are skipped after that. */
export function stoppedBy({ code, exit }: NotStoredError): UserError {
  return new UserError(code, "linkform stopped because the service did not store a field.", { exit });
}

interface Write {
  readonly change: Change;
  readonly operation: "store" | "update";
  readonly fields: readonly FieldChange[];
  readonly send: () => Promise<number>;
}

/**
 * Sends writes and returns the ids of their records. The first store and the first update of each kind are sent alone, and their records
 * read back; others of the kind wait for that. Throws `NotStoredError` if a field still has the value from before the write.
 */
export function createReadBack(
  service: Writer,
  { canonical, describe }: Pick<ExecutionOptions, "canonical" | "describe">,
): (write: Write) => Promise<number> {
  /** Whether a write of this kind and operation has been confirmed. */
  const firsts = new Map<string, Promise<boolean>>();
  let failed: NotStoredError | null = null;

  const confirm = async ({ change, fields }: Write, id: number): Promise<boolean> => {
    const record = await service.show(change.kind, id).catch((cause: unknown) => {
      // The write itself succeeded. The next one of its kind is confirmed instead.
      if (cause instanceof ServiceError || cause instanceof UserError) return null;
      throw cause;
    });
    // The verification at the end reports records that are deleted or unreadable, and values that somebody else wrote.
    if (record === null || record.unreadable.length > 0) return false;
    const lost = fieldsNotStored(change, fields, canonical(record));
    const [first] = lost;
    if (first === undefined) return true;
    const { version } = await service.software();
    const message = `${notStored(describe(change, lost)).join(" ")} linkform treats the service as version ${version}.`;
    failed = new NotStoredError(first.path, message);
    throw failed;
  };

  return async (write) => {
    const key = `${write.change.kind} ${write.operation}`;
    for (;;) {
      if (failed !== null) throw stoppedBy(failed);
      const first = firsts.get(key);
      if (first === undefined) break;
      if (await first) return write.send();
    }
    const attempt = createDeferred<boolean>();
    firsts.set(key, attempt.promise);
    let isConfirmed = false;
    try {
      const id = await write.send();
      isConfirmed = await confirm(write, id);
      return id;
    } finally {
      if (!isConfirmed) firsts.delete(key);
      attempt.resolve(isConfirmed);
    }
  };
}

/** A sentence for each field that was not stored. */
export function notStored(fields: readonly FieldWords[]): string[] {
  return fields.map(
    ({ path, before, after }) => `\`${path}\` was sent as ${before}, but the service returned ${after}.`,
  );
}

/** The fields that still have their old value: `before` is the value that was sent, `after` the one that the record has. */
function fieldsNotStored({ action, kind }: Change, fields: readonly FieldChange[], { values }: Live): FieldChange[] {
  return fields.flatMap(({ path, before: previous, after: sent }) => {
    const before = action === "update" ? previous : fieldAt(kind, path)?.default;
    const now = values.get(path);
    const isLost = before !== undefined && now !== undefined && sameValue(now, before) && !sameValue(now, sent);
    return isLost ? [{ path, before: sent, after: now }] : [];
  });
}
