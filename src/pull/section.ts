// The blocks of one section as they follow one another, and where among them new ones stand.

import { append } from "../domain/collections.ts";
import type { Desired, Live } from "../domain/change.ts";
import { comparePlaces, compareText, type Place } from "../domain/place.ts";
import { byKey, compareNaturally, keyOf, type SortKey } from "./key-order.ts";
import { aliasPrefix } from "./split.ts";

/** The block that something new stands behind, or before: the place of its key. */
export type Near = { readonly after: Place } | { readonly before: Place };

/** A live object, and where its block goes. */
export interface PlacedBlock {
  readonly live: Live;
  readonly near: Near;
}

/** A block, as far as its order goes. */
export interface SectionBlock {
  readonly key: SortKey;
  readonly place: Place;
}

/** The block of a declared object. */
export function blockOf(one: Desired): SectionBlock {
  return { key: keyOf(one), place: one.place };
}

type Compare = (a: SortKey, b: SortKey) => number;

/** Blocks that follow one another, from an index to before another. */
interface BlockRun {
  readonly start: number;
  readonly end: number;
  readonly isSorted: boolean;
}

/** As many blocks in order as are not so by chance. */
const LONG = 5;

/** A section that has a block at least. */
export class FileSection {
  readonly #blocks: readonly SectionBlock[];
  readonly #compare: Compare;
  /** Whether all of it is sorted. */
  readonly #isSorted: boolean;
  readonly #families = new Map<string, BlockRun>();
  readonly #runs: BlockRun[] = [];

  constructor(blocks: readonly SectionBlock[]) {
    this.#blocks = blocks.toSorted((a, b) => comparePlaces(a.place, b.place));
    const orders = ordersOf(this.#blocks);
    const order = orders.find((compare) => this.#isInOrder(0, blocks.length, compare));
    this.#isSorted = order !== undefined;
    this.#compare = order ?? byKey(domainsOf(this.#blocks));
    if (!this.#isSorted) this.#findRuns();
  }

  /** Where each of some live objects goes, in the order in which they are put in. */
  place(rows: readonly Live[]): PlacedBlock[] {
    const sorted = rows
      .map((live) => ({ live, key: keyOf(live) }))
      .toSorted((a, b) => this.#compare(a.key, b.key) || byKey()(a.key, b.key) || a.live.id - b.live.id);
    // Of those at one place, what follows on one that belongs to the next block does so, too: else they would change places.
    let before = -1;
    return sorted.flatMap(({ live, key }): PlacedBlock[] => {
      const at = this.#indexFor(key);
      const [last, next] = [this.#blocks[at - 1], this.#blocks[at]];
      const belongs = next !== undefined && isFamily(next.key, key) && (last === undefined || !isFamily(last.key, key));
      if (next !== undefined && (last === undefined || belongs || before === at)) {
        before = at;
        return [{ live, near: { before: next.place } }];
      }
      return last === undefined ? [] : [{ live, near: { after: last.place } }];
    });
  }

  /** The index of the block that it comes before. */
  #indexFor(key: SortKey): number {
    const count = this.#blocks.length;
    if (this.#isSorted) return this.#within({ start: 0, end: count, isSorted: true }, key);
    const family = this.#families.get(familyOf(key));
    if (family !== undefined) return this.#within(family, key);
    let run: BlockRun | null = null;
    for (const one of this.#runs) if (this.#holds(one, key) && lengthOf(one) > lengthOf(run)) run = one;
    return run === null ? count : this.#within(run, key);
  }

  /** Behind the greatest key that is not greater, where the run is sorted; else behind its last. */
  #within({ start, end, isSorted }: BlockRun, key: SortKey): number {
    if (!isSorted) return end;
    let [low, high] = [start, end];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const block = this.#blocks[middle];
      if (block !== undefined && this.#compare(block.key, key) <= 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #holds({ start, end }: BlockRun, key: SortKey): boolean {
    const [first, last] = [this.#blocks[start], this.#blocks[end - 1]];
    return (
      first !== undefined && last !== undefined && this.#compare(first.key, key) < 0 && this.#compare(key, last.key) < 0
    );
  }

  #isInOrder(start: number, end: number, compare: Compare): boolean {
    for (let at = start + 1; at < end; at += 1) {
      const [last, block] = [this.#blocks[at - 1], this.#blocks[at]];
      if (last !== undefined && block !== undefined && compare(last.key, block.key) > 0) return false;
    }
    return true;
  }

  /** The longest run of each family, and runs that are sorted. */
  #findRuns(): void {
    for (const { start, end } of this.#cut((a, b) => isFamily(a, b))) {
      const [first] = this.#blocks.slice(start, start + 1);
      if (first === undefined) continue;
      const family = familyOf(first.key);
      const run = { start, end, isSorted: this.#isInOrder(start, end, this.#compare) };
      if (lengthOf(run) > lengthOf(this.#families.get(family) ?? null)) this.#families.set(family, run);
    }
    const sorted = this.#cut((a, b) => this.#compare(a, b) <= 0).filter((run) => lengthOf(run) >= LONG);
    append(
      this.#runs,
      sorted.map((run) => ({ ...run, isSorted: true })),
    );
  }

  /** The blocks cut where two that follow one another don't belong together. */
  #cut(together: (a: SortKey, b: SortKey) => boolean): Pick<BlockRun, "start" | "end">[] {
    const runs: Pick<BlockRun, "start" | "end">[] = [];
    let start = 0;
    for (let at = 1; at <= this.#blocks.length; at += 1) {
      const [last, block] = [this.#blocks[at - 1], this.#blocks[at]];
      if (last !== undefined && block !== undefined && together(last.key, block.key)) continue;
      runs.push({ start, end: at });
      start = at;
    }
    return runs;
  }
}

function lengthOf(run: Pick<BlockRun, "start" | "end"> | null): number {
  return run === null ? 0 : run.end - run.start;
}

/** The orders in which people sort: by domain and alias, by alias alone, as programs sort, and with numbers as numbers. */
function ordersOf(blocks: readonly SectionBlock[]): Compare[] {
  return [
    byKey(domainsOf(blocks)),
    (a, b) => compareText(a.folded, b.folded),
    (a, b) => compareText(a.name, b.name),
    (a, b) => compareNaturally(a.folded, b.folded),
  ];
}

/** The domains in the order in which they come up. */
function domainsOf(blocks: readonly SectionBlock[]): string[] {
  return [...new Set(blocks.flatMap(({ key }) => key.domain ?? []))];
}

/** Whether two links are of one domain, and their aliases begin alike; two pixels, whether their names do. */
function isFamily(a: SortKey, b: SortKey): boolean {
  return familyOf(a) === familyOf(b);
}

function familyOf({ domain, name }: SortKey): string {
  return `${domain ?? ""}/${aliasPrefix(name)}`;
}
