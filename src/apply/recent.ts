// Keeps every update within 10 seconds of a reading that found its record as planned, with as few reads as possible.

import { createDeferred, groupBy } from "../domain/collections.ts";
import type { Change, Update } from "../domain/change.ts";
import type { ListPage, LiveRecord } from "../domain/live.ts";
import { needsRecentRead, sharedPages } from "../plan/calls.ts";
import type { ReadFirst, RecentRead } from "../service/service.ts";
import { differencesFrom } from "./guard.ts";
import type { ExecutionOptions } from "./options.ts";

const MAX_AGE_MS = 10_000;

type RecentOptions = Pick<ExecutionOptions, "canonical" | "clock" | "readAt" | "state">;

/** The read of an update. `end` must be called after its requests, so that other updates can read the page. */
export interface UpdateRead extends RecentRead {
  readonly end: () => void;
}

/**
 * The readings of the records that updates write to:
 *
 *     last reading of the record                    before the next request
 *     at most 10 s old, as planned                  nothing
 *     older or used; its page has more updates      read the page, once for all of them
 *     older or used                                 read the record
 *     not as planned, or not on its page            read the record
 *
 * A reading counts from before its request was sent. It serves one try of one request.
 */
export class RecentReads {
  readonly pages: ReadonlyMap<Change, ListPage>;
  readonly #options: RecentOptions;
  /** When each record was read that may be read by page. Records that are not here are read by themselves. */
  readonly #readAt = new Map<Change, number>();
  readonly #byRecord = new Map<string, Update>();
  readonly #members: ReadonlyMap<ListPage | undefined, readonly Update[]>;
  readonly #reading = new Map<ListPage, Promise<void>>();

  constructor(changes: readonly Change[], options: RecentOptions) {
    this.#options = options;
    this.pages = sharedPages(changes, options.state);
    const updates = changes.filter(needsRecentRead);
    for (const change of updates) {
      this.#readAt.set(change, options.readAt);
      this.#byRecord.set(`${change.kind} ${change.live.id}`, change);
    }
    this.#members = groupBy(updates, (change) => this.pages.get(change));
  }

  of(change: Change): UpdateRead {
    const { clock } = this.#options;
    const page = this.pages.get(change);
    let first: ReadFirst = null;
    let askedAt = 0;
    let needsRow = false;
    /** Ends the reading of the page by this update; null if it does not read the page. */
    let release: (() => void) | null = null;
    return {
      next: async () => {
        if (this.#isRecent(this.#readAt.get(change))) return (first = null);
        if (page !== undefined && release !== null) return (first = page);
        const other = page && this.#reading.get(page);
        if (other !== undefined) await other;
        if (this.#isRecent(this.#readAt.get(change))) return (first = null);
        // If the page was just read, it took too long or does not show the record as planned.
        if (page === undefined || other !== undefined || needsRow || !this.#isShared(change, page))
          return (first = "row");
        release = this.#beginReading(page);
        return (first = page);
      },
      now: () => {
        if (this.#isRecent(this.#readAt.get(change))) return null;
        askedAt = clock.now();
        return first ?? "row";
      },
      take: (rows) => {
        if (rows !== null) {
          this.#keep(rows, askedAt);
          // Others may have been deleted, or are on another page now.
          const shown = new Set(rows.map(({ id }) => id));
          for (const member of this.#members.get(page) ?? [])
            if (!shown.has(member.live.id)) this.#readAt.delete(member);
          release?.();
          release = null;
        }
        const isRecent = this.#isRecent(this.#readAt.get(change));
        if (this.#readAt.has(change)) this.#readAt.set(change, -Infinity);
        needsRow = !isRecent;
        return isRecent;
      },
      end: () => {
        release?.();
        this.#readAt.delete(change);
      },
    };
  }

  #beginReading(page: ListPage): () => void {
    const { promise, resolve } = createDeferred<void>();
    this.#reading.set(page, promise);
    return () => {
      this.#reading.delete(page);
      resolve();
    };
  }

  /** For records that were read for another purpose: they may no longer be as planned. */
  note(records: readonly LiveRecord[]): void {
    this.#keep(records, -Infinity);
  }

  #isRecent(readAt: number | undefined): boolean {
    return readAt !== undefined && this.#options.clock.now() - readAt <= MAX_AGE_MS;
  }

  /** Whether another update of the page is to come. */
  #isShared(change: Change, page: ListPage): boolean {
    const waiting = (this.#members.get(page) ?? []).filter((member) => this.#readAt.has(member));
    return this.#readAt.has(change) && waiting.length > 1;
  }

  #keep(records: readonly LiveRecord[], askedAt: number): void {
    for (const record of records) {
      const change = this.#byRecord.get(`${record.kind} ${record.id}`);
      const readAt = change && this.#readAt.get(change);
      if (change === undefined || readAt === undefined) continue;
      const isAsPlanned =
        record.unreadable.length === 0 &&
        differencesFrom(change.live, this.#options.canonical(record), { done: [], sending: [] }).length === 0;
      if (isAsPlanned) this.#readAt.set(change, Math.max(readAt, askedAt));
      else this.#readAt.delete(change);
    }
  }
}
