// Reads the first write of each kind back before the next one: the service ignores names that it does not know, with a 200.

import type { Change, FieldChange, Live } from "../domain/change.ts";
import { sameValue } from "../domain/value.ts";
import { EXIT, ServiceError, UserError } from "../errors.ts";
import type { Writer } from "../service/service.ts";
import type { ApplyOptions } from "./options.ts";

/** The code of a run that stops because the service did not store what it was sent. */
export const NOT_STORED = "not-as-declared";

/** A write of some fields to a row. */
interface Write {
  readonly change: Change;
  readonly does: "store" | "update";
  readonly fields: readonly FieldChange[];
  /** Sends it and returns the id of its row. */
  readonly send: () => Promise<number>;
}

/** Lets the first store and the first update of each kind go alone, and confirms them. */
export class Confirmation {
  readonly #service: Writer;
  readonly #options: Pick<ApplyOptions, "canonical" | "describe">;
  /** By kind and call: resolves to whether a write has been confirmed. */
  readonly #first = new Map<string, Promise<boolean>>();

  constructor(service: Writer, options: Pick<ApplyOptions, "canonical" | "describe">) {
    this.#service = service;
    this.#options = options;
  }

  /**
   * Makes a write and returns its row's id. Writes of the same kind wait until one is confirmed. Throws a user error with the code
   * `NOT_STORED` if a field does not have the value that was sent.
   */
  async make(write: Write): Promise<number> {
    const key = `${write.change.kind} ${write.does}`;
    for (;;) {
      const first = this.#first.get(key);
      if (first === undefined) break;
      if (await first) return write.send();
    }
    let settle: (isConfirmed: boolean) => void = () => undefined;
    const attempt = new Promise<boolean>((resolve) => {
      settle = resolve;
    });
    this.#first.set(key, attempt);
    let isConfirmed = false;
    try {
      const id = await write.send();
      isConfirmed = await this.#confirm(write, id);
      return id;
    } finally {
      if (!isConfirmed) this.#first.delete(key);
      settle(isConfirmed);
    }
  }

  /** Whether the row could be read and has what was sent. */
  async #confirm({ change, fields }: Write, id: number): Promise<boolean> {
    const row = await this.#service.show(change.kind, id).catch((cause: unknown) => {
      if (cause instanceof ServiceError) return null;
      throw cause;
    });
    // Deleted or unreadable rows are for the verification at the end.
    if (row === null || row.unreadable.length > 0) return false;
    const lost = lostIn(fields, this.#options.canonical(row));
    if (lost.length === 0) return true;
    const { version } = await this.#service.software();
    const sentences = lost
      .flatMap((field) => this.#options.describe(change, field))
      .map(({ path, before, after }) => `\`${path}\` was sent as ${before}, but the service returned ${after}.`);
    throw new UserError(NOT_STORED, `${sentences.join(" ")} linkform treats the service as version ${version}.`, {
      hint: "Run `linkform doctor`. If the version is wrong, set `service.software` in the project file.",
      exit: EXIT.partial,
    });
  }
}

/** The fields that do not have the value that was sent: `before` is that value, `after` the one that the row has. */
function lostIn(fields: readonly FieldChange[], { values }: Live): FieldChange[] {
  return fields.flatMap(({ path, after: sent }) => {
    const now = values.get(path);
    return now === undefined || sameValue(now, sent) ? [] : [{ path, before: sent, after: now }];
  });
}
