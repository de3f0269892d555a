// An account that changes while it is read: records are added and removed between two requests.

import type { ServerResponse } from "node:http";
import type { Notice } from "../../src/service/transport.ts";
import { cutPage, numberOf, recorded, upTo } from "./lists.ts";
import { connect, startServer, type Connected, type Reply } from "./server.ts";

/** Concurrent changes before a request is processed. `removed` has positions. */
export interface Doing {
  readonly adds?: number;
  readonly removes?: readonly number[];
}

/** A processed request. */
export interface Moment {
  readonly page: number;
  /** The records at that moment. */
  readonly ids: readonly number[];
  /** Records that were added and removed since the moment before. */
  readonly added: number;
  readonly removed: number;
}

export interface BusyOptions {
  readonly count: number;
  /** Records per page, for any requested size. Default 100. */
  readonly size?: number;
  /** What happens before the request with this number, counted from 1. */
  readonly before: (request: number, page: number) => Doing;
  /**
   * Which waiting request is processed next, and whether its response is delayed until after the next one. By default, in the order of
   * arrival.
   */
  readonly order?: (request: number) => { readonly pick: number; readonly isLate: boolean };
}

/** The turns of the event loop to wait for requests that could overtake. */
const PATIENCE = 3;

export class BusyAccount {
  readonly moments: Moment[] = [];
  #ids: number[];
  #newest: number;
  readonly #options: BusyOptions;
  readonly #waiting: { readonly page: number; readonly response: ServerResponse }[] = [];
  #late: (() => void)[] = [];
  #patience = PATIENCE;
  #isAwake = false;

  constructor(options: BusyOptions) {
    this.#options = options;
    this.#ids = upTo(options.count);
    this.#newest = options.count;
  }

  /** Receives a request, and processes it in its turn. */
  take(page: number, response: ServerResponse): void {
    this.#waiting.push({ page, response });
    if (this.#isAwake) return;
    this.#isAwake = true;
    setImmediate(() => this.#work());
  }

  /** Records that existed from one moment to the last. */
  stayedSince(moment: number): number[] {
    const [first, ...others] = this.moments.slice(moment).map(({ ids }) => new Set(ids));
    return [...(first ?? [])].filter((id) => others.every((ids) => ids.has(id)));
  }

  #work(): void {
    const { order } = this.#options;
    const { pick, isLate } = order?.(this.moments.length) ?? { pick: 0, isLate: false };
    if (this.#waiting.length > 0 && this.#waiting.length <= pick && this.#patience > 0) {
      this.#patience -= 1;
      setImmediate(() => this.#work());
      return;
    }
    this.#patience = PATIENCE;
    const [one] = this.#waiting.splice(this.#waiting.length === 0 ? 0 : pick % this.#waiting.length, 1);
    const late = this.#late.splice(0);
    if (one !== undefined) {
      const { json } = this.#answer(one.page);
      const send = (): void => void one.response.writeHead(200).end(JSON.stringify(json));
      if (isLate) this.#late.push(send);
      else send();
    }
    for (const send of late) send();
    this.#isAwake = this.#waiting.length > 0 || this.#late.length > 0;
    if (this.#isAwake) setImmediate(() => this.#work());
  }

  #answer(page: number): Reply {
    const { before, size = 100 } = this.#options;
    const { adds = 0, removes = [] } = before(this.moments.length + 1, page);
    const count = this.#ids.length;
    for (const place of removes) this.#ids.splice(place % Math.max(this.#ids.length, 1), 1);
    const removed = count - this.#ids.length;
    for (let added = 0; added < adds; added += 1) this.#ids.push(++this.#newest);
    this.moments.push({ page, ids: [...this.#ids], added: adds, removed });
    return recorded(cutPage(this.#ids, page, size));
  }
}

export interface Busy extends Connected {
  readonly account: BusyAccount;
  /** What the transport reported, except waiting. */
  readonly notices: readonly Notice[];
}

/** A server for a sequence of accounts. Late requests of an earlier client do not count for the next account. */
export interface Stage {
  play(options: BusyOptions): Busy;
}

export async function openStage(): Promise<Stage> {
  const accounts: BusyAccount[] = [];
  const { url } = await startServer((asked, response) => {
    accounts[Number(asked.path.split("/")[1])]?.take(numberOf(asked), response);
    return null;
  });
  return {
    play: (options) => {
      const account = new BusyAccount(options);
      const notices: Notice[] = [];
      const tell = (notice: Notice): void => void notices.push(notice);
      return { account, notices, ...connect(`${url}/${accounts.push(account) - 1}`, { tell }) };
    },
  };
}

/** Starts such an account and a client for it. */
export async function startBusy(options: BusyOptions): Promise<Busy> {
  return (await openStage()).play(options);
}
