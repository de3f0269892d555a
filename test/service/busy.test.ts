// A list that changes while it is read is complete anyway, or it is an error (promise 5).

import fc from "fast-check";
import { expect, test } from "vitest";
import { ServiceError } from "../../src/errors.ts";
import { runs } from "../support/states.ts";
import { openStage, startBusy, type Busy, type BusyOptions, type Doing } from "./account.ts";
import { upTo } from "./lists.ts";
import { failure } from "./server.ts";

/** Concurrent changes before the requests with these numbers. */
function at(doings: Readonly<Record<number, Doing>>): BusyOptions["before"] {
  return (request) => doings[request] ?? {};
}

async function idsOf({ client }: Busy): Promise<number[]> {
  return (await client.list("link")).records.map(({ id }) => id);
}

/** Records 1 to `count`, without some. */
function allBut(count: number, ...without: readonly number[]): number[] {
  return upTo(count).filter((id) => !without.includes(id));
}

// Fails if a reading never ends because records are added, or takes more requests than the new pages.
test("one row is added with every request, without end", async () => {
  const busy = await startBusy({ count: 1050, before: () => ({ adds: 1 }) });
  expect(await idsOf(busy)).toEqual(busy.account.moments.at(-1)?.ids);
  expect(busy.account.moments.length).toBeLessThanOrEqual(11 + 2);
});

// Fails if totals are only compared with the first page. Here the total grows before it shrinks to the first value.
test("a row is added, and then one is deleted: the list is read again", async () => {
  const busy = await startBusy({ count: 850, before: at({ 2: { adds: 1 }, 8: { removes: [30] } }) });
  expect(await idsOf(busy)).toEqual(allBut(851, 31));
  expect(busy.notices).toMatchObject([{ what: "reread", because: "its total changed from 851 to 850" }]);
});

// Fails if a list is read forever, if the error does not show the reasons, or if a reread is reported wrongly.
test("an account that changes all the time: an error after four readings", async () => {
  const busy = await startBusy({ count: 350, before: (_request, page) => (page === 1 ? {} : { removes: [0] }) });
  const error = await failure(busy.client.list("link"));
  expect(error).toMatchObject({
    code: "incomplete-list",
    hint: "Somebody else may be deleting records. Run the command again later.",
  });
  expect(error.message).toMatch(
    /^linkform could not read the complete list \/api\/v1\/links in 4 attempts: its total changed from 350 to \d+(; its total changed from \d+ to \d+){3}\.$/,
  );
  expect(busy.notices.map(({ what }) => what)).toEqual(["reread", "reread", "reread"]);
  const pages = busy.account.moments.map(({ page }) => page);
  expect(pages.filter((page) => page === 1)).toHaveLength(4);
  expect(pages.length).toBeLessThanOrEqual(4 * 4);
});

/** A random history of the account: concurrent changes, and which request overtakes which. */
const times = (doing: fc.Arbitrary<Doing>): fc.Arbitrary<BusyOptions> =>
  fc
    .record({
      count: fc.integer({ min: 0, max: 75 }),
      doings: fc.array(fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: doing }), {
        maxLength: 30,
      }),
      orders: fc.array(fc.record({ pick: fc.integer({ min: 0, max: 3 }), isLate: fc.boolean() }), { maxLength: 40 }),
    })
    .map(({ count, doings, orders }) => ({
      count,
      size: 10,
      before: (request) => doings[request - 1] ?? {},
      order: (request) => orders[request] ?? { pick: 0, isLate: false },
    }));

const adding: fc.Arbitrary<Doing> = fc.record({ adds: fc.integer({ min: 1, max: 12 }) });
const removing: fc.Arbitrary<Doing> = fc.record({ removes: fc.array(fc.nat(80), { minLength: 1, maxLength: 3 }) });

/** Reads the list, and compares the result with the records at every moment of the accepted reading. */
async function readAndHold(busy: Busy): Promise<number[] | null> {
  const { account } = busy;
  const ids = await idsOf(busy).catch((cause: unknown) => {
    if (cause instanceof ServiceError && cause.code === "incomplete-list") return null;
    throw cause;
  });
  await busy.transport.close();
  const start = account.moments.findLastIndex(({ page }) => page === 1);
  const during = account.moments.slice(start + 1);
  const isBlind = during.some(({ added }) => added > 0) && during.some(({ removed }) => removed > 0);
  if (ids !== null) {
    expect(new Set(ids).size).toBe(ids.length);
    const ever = new Set(account.moments.slice(start).flatMap((moment) => moment.ids));
    expect(ids.filter((id) => !ever.has(id))).toEqual([]);
    const came = new Set(ids);
    if (!isBlind) expect(account.stayedSince(start).filter((id) => !came.has(id))).toEqual([]);
  }
  return ids;
}

// Fails if any order of events loses or doubles a record without a known gap.
test("for any changes by others, a list is complete or an error", async () => {
  const stage = await openStage();
  const anything = fc.oneof(times(removing), times(fc.oneof(adding, removing)));
  await fc.assert(
    fc.asyncProperty(anything, async (options) => {
      await readAndHold(stage.play(options));
    }),
    { numRuns: runs(15) },
  );
});

// Fails if any order of events makes a list incomplete or a reading invalid because a record was added.
test("if others only add rows, the list is complete in the first reading", async () => {
  const stage = await openStage();
  await fc.assert(
    fc.asyncProperty(times(adding), async (options) => {
      const busy = stage.play(options);
      expect(await readAndHold(busy)).not.toBeNull();
      expect(busy.notices).toEqual([]);
    }),
    { numRuns: runs(15) },
  );
});
