// Assigns a live record to each declared object: its own, or that of the key it is renamed from.

import type { Desired, Live } from "../domain/change.ts";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { canBecome, isSameObject } from "./compare.ts";
import { declaredAndDeleted, deleteOne, twoRows } from "./findings.ts";
import type { LiveIndex } from "./live-records.ts";

/** A row that has the old key of a rename whose new key is there already. */
export interface StaleRecord {
  readonly live: Live;
  readonly successor: Desired;
  /** The successor was stored to replace it: only its deletion is missing. */
  readonly isReplaced: boolean;
}

/** A declared object, and the row that it is, or is to become; undefined where it is to be created. */
export interface Claim {
  readonly desired: Desired;
  readonly live: Live | undefined;
  /** The row has the key of its former declaration until now. */
  readonly isRenamed: boolean;
}

export interface Claims {
  /** One for each declared object, in their order. */
  readonly all: readonly Claim[];
  readonly staleRecords: readonly StaleRecord[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Gives each declared object its row. Renames tie keys together to chains, and a chain is done from its end:
 *
 *     declared           b (was a)      c (was b)      d (was c)
 *     not begun     a ──→ b ──→ c ──→ d is free
 *     begun         a ──→ b ──→ c is free     [d]
 *     done               [b]   [c]            [d]
 *
 * Rows in brackets are settled: their own declaration claims them. Names alone tell how far it is, as long as a run of
 * rows without a gap either begins at a key that is not declared (all of it moves up) or ends with the chain (all of it
 * is settled). In a run with neither, any of the declarations may be the one without a row: then the destinations tell, or
 * nobody does, and that is an error. Where a step leads to another domain, the new row is stored before the old one is
 * deleted; a row too many is that one, if the row behind it was stored after all that were to move (ids grow):
 *
 *     declared           b (was a)     promo/c (was b)
 *     not begun     a ──→ b ──→ promo/c is free
 *     half          a     b#2          promo/c#9       b is left, and a is to move
 *     done, and     a#12 [b#1]        [promo/c#9]      a is somebody else's
 *
 * Each state that a run can leave is told from all others, and what could not be is refused before it is begun.
 */
export function claimRecords(desired: readonly Desired[], live: LiveIndex): Claims {
  const chained: MutableClaims = { records: new Map(), staleRecords: [], diagnostics: [] };
  const chains = chainsOf(desired.filter(({ liveId: record }) => record === undefined));
  for (const chain of chains) claimChain(chain, live, chained);
  const tied = new Set(chains.flat());
  const diagnostics = [...chained.diagnostics];
  const all = desired.map((one): Claim => {
    if (one.liveId !== undefined) return claimById(one, one.liveId, live, diagnostics);
    const isIn = tied.has(one);
    const record = isIn ? chained.records.get(one) : ownRow(one, live, diagnostics);
    const deleted = record === undefined ? live.takenAt(one.identity) : undefined;
    if (deleted !== undefined) diagnostics.push(declaredAndDeleted(one, deleted));
    return { desired: one, live: record, isRenamed: isIn && record !== undefined && record.identity !== one.identity };
  });
  return { all, staleRecords: chained.staleRecords, diagnostics };
}

/** Where the row is named by its id, its key tells nothing: it may be another's by now, or be left by another row in this plan. */
function claimById(desired: Desired, id: number | null, live: LiveIndex, diagnostics: Diagnostic[]): Claim {
  const record = id === null ? undefined : live.withId(id);
  if (id !== null && record === undefined)
    diagnostics.push(error("row-gone", `\`${desired.key}\` (id ${id}) is not live.`, desired.place));
  return { desired, live: record, isRenamed: record !== undefined && record.identity !== desired.identity };
}

/** The one row with this object's key. */
function ownRow(one: Desired, live: LiveIndex, diagnostics: Diagnostic[]): Live | undefined {
  const only = live.onlyAt(one.identity);
  if (only !== undefined) return only;
  const records = live.at(one.identity);
  if (records.length > 1) diagnostics.push(twoRows(one.key, records, one.place, deleteOne(one.kind, records)));
  return records[0];
}

interface MutableClaims {
  readonly records: Map<Desired, Live>;
  readonly staleRecords: StaleRecord[];
  readonly diagnostics: Diagnostic[];
}

/** Place 0 is the key before the chain, if there is one; place i is that of the chain's i-th declaration. */
function claimChain(chain: Chain, live: LiveIndex, claims: MutableClaims): void {
  const [first] = chain;
  if (first === undefined) return;
  const before = first.renamedFrom === null ? [] : live.at(first.renamedFrom.identity);
  const own = chain.map(({ identity }) => live.at(identity));
  for (const [at, one] of chain.entries()) {
    const records = own[at] ?? [];
    if (records.length > 1) claims.diagnostics.push(twoRows(one.key, records, one.place, deleteOne(one.kind, records)));
  }
  if (own.some((records) => records.length > 1)) return;
  const places = [before, ...own].map(([record]) => record);
  for (let start = 0; start < places.length; start += 1) {
    if (places[start] === undefined) continue;
    let end = start;
    while (places[end + 1] !== undefined) end += 1;
    claimRun({ chain, places, start, end, before }, claims);
    start = end;
  }
}

/** Rows at the places `start` to `end`, with none before and none behind. */
interface ClaimRun {
  readonly chain: Chain;
  readonly places: readonly (Live | undefined)[];
  readonly start: number;
  readonly end: number;
  /** The rows that have the key before the chain. */
  readonly before: readonly Live[];
}

function claimRun(run: ClaimRun, claims: MutableClaims): void {
  const { chain, places, start, end, before } = run;
  if (end < chain.length) return start > 0 ? claimWithGap(run, claims) : assign(run, () => "moves", claims);
  const halfMoved = findHalfMoved(run);
  const left = halfMoved ?? (start === 0 ? 0 : null);
  if (left === null) return assign(run, () => "stays", claims);
  assign(run, (at) => (at < left ? "moves" : at > left ? "stays" : "is left"), claims);
  const [live, successor, next] = [places[left], chain[left], places[left + 1]];
  if (live === undefined || successor === undefined || next === undefined) return;
  const isReplaced = halfMoved !== null && (left > 0 || before.length === 1);
  if (isReplaced && !isSameObject(successor, next)) claims.diagnostics.push(undecidedHalf(successor, live, next));
  else claims.staleRecords.push({ live, successor, isReplaced });
}

/** Gives the rows of a run to declarations; what moves must be the only one, and be told halfway. */
function assign(run: ClaimRun, what: (at: number) => "stays" | "moves" | "is left", claims: MutableClaims): void {
  const { chain, places, start, end, before } = run;
  for (let at = start; at <= end; at += 1) {
    const [own, successor, record] = [chain[at - 1], chain[at], places[at]];
    const becomes = { stays: own, moves: successor, "is left": undefined }[what(at)];
    if (record === undefined || becomes === undefined) continue;
    claims.records.set(becomes, record);
    if (what(at) === "stays") continue;
    if (own !== undefined && !canBecome(record, becomes) && !mayBeLeft(own, becomes, record, start))
      claims.diagnostics.push(undecidedMove(own, becomes, record));
    if (at === 0 && before.length > 1)
      claims.diagnostics.push(
        twoRows(becomes.renamedFrom?.key ?? becomes.key, before, becomes.place, deleteOne(becomes.kind, before)),
      );
  }
}

/** One of the declarations around these rows has none: the one where all destinations fit is meant. */
function claimWithGap(run: ClaimRun, claims: MutableClaims): void {
  const { chain, start, end } = run;
  const around = chain.slice(start - 1, end + 1);
  const fitting = around.flatMap((_, skipped) => {
    const gap = start + skipped;
    return allMatch(run, (at) => (at < gap ? at - 1 : at)) ? [gap] : [];
  });
  const [gap, ...others] = fitting;
  if (gap !== undefined && others.length === 0) return assign(run, (at) => (at < gap ? "stays" : "moves"), claims);
  const records = run.places.slice(start, end + 1).flatMap((record) => record ?? []);
  claims.diagnostics.push(undecidedGap(around, records));
}

/** Whether each row of a run is the same object as the declaration that would have it, by its place in the chain. */
function allMatch({ chain, places, start, end }: ClaimRun, successorAt: (at: number) => number): boolean {
  for (let at = start; at <= end; at += 1) {
    const [record, successor] = [places[at], chain[successorAt(at)]];
    if (record === undefined || successor === undefined || !isSameObject(successor, record)) return false;
  }
  return true;
}

/**
 * The place of a row that is left of a move to another domain, which was stopped when the new row had been stored. All that
 * was to move after it was there before: ids grow, so the new row's is above theirs.
 */
function findHalfMoved({ chain, places, start, end }: ClaimRun): number | null {
  const idAt = (at: number): number => places[at]?.id ?? 0;
  let found: number | null = null;
  let above = 0;
  for (let at = start; at < end; at += 1) {
    above = Math.max(above, idAt(at));
    const [own, successor, record] = [chain[at - 1], chain[at], places[at]];
    if (successor === undefined || record === undefined || canBecome(record, successor) || idAt(at + 1) < above)
      continue;
    if (own !== undefined && !mayBeLeft(own, successor, record, start)) continue;
    if (found === null || idAt(at + 1) > idAt(found + 1)) found = at;
  }
  return found;
}

/**
 * Whether a row whose own key is declared may be what is left of its move to another domain. In a chain that begins with a
 * row to move, unless it is as its own declaration says and not as its successor's. In any other all rows may as well be
 * settled; only one that a new link was to follow can't: that one would be the younger.
 */
function mayBeLeft(own: Desired, successor: Desired, record: Live, start: number): boolean {
  const [isOwn, isSuccessor] = [isSameObject(own, record), isSameObject(successor, record)];
  return start === 0 ? isSuccessor || !isOwn : own.renamedFrom === null && isSuccessor && !isOwn;
}

function undecidedGap(around: readonly Desired[], records: readonly Live[]): Diagnostic {
  const [first] = around;
  const declared = around.map(({ key }) => `\`${key}\``).join(", ");
  const live = records.map(({ key, id }) => `\`${key}\` (id ${id})`).join(", ");
  const message = `Of ${declared}, which renames tie together, only ${live} ${records.length === 1 ? "is" : "are"} live, and no destination tells which of them that was to be.`;
  const hint = "Remove the `renamed_from` that has been done, or leave the destinations as they are live until it has.";
  return error("rename-undecided", message, first?.place ?? null, hint);
}

function undecidedMove(own: Desired, successor: Desired, record: Live): Diagnostic {
  const message = `\`${record.key}\` (id ${record.id}) would have to move to \`${successor.key}\` and make room at once: stopped in between, that would look as if it were done.`;
  const hint = `Let \`${successor.key}\` be moved first, and declare \`${own.key}\` when that has been applied.`;
  return error("rename-undecided", message, own.place, hint);
}

function undecidedHalf(successor: Desired, record: Live, next: Live): Diagnostic {
  const message = `\`${record.key}\` (id ${record.id}) and \`${next.key}\` (id ${next.id}), to which it is to move, are both live, and the destination of the second is not as declared: it may be somebody else's.`;
  const hint = `Remove \`renamed_from\`; to delete \`${record.key}\`, write a tombstone.`;
  return error("rename-undecided", message, successor.renamedFrom?.place ?? successor.place, hint);
}

/** Several declarations, each of which is renamed from the key of the one before it. */
type Chain = readonly Desired[];

/** The chains among these declarations; one that nothing is renamed from, and that is not renamed, is in none. */
function chainsOf(desired: readonly Desired[]): Chain[] {
  const successors = new Map<string, Desired>();
  for (const one of desired) if (one.renamedFrom !== null) successors.set(one.renamedFrom.identity, one);
  if (successors.size === 0) return [];
  const declared = new Set(desired.map(({ identity }) => identity));
  return desired.flatMap((one) => {
    const isTied = one.renamedFrom !== null || successors.has(one.identity);
    const isFirst = one.renamedFrom === null || !declared.has(one.renamedFrom.identity);
    return isTied && isFirst ? [chainFrom(one, successors)] : [];
  });
}

function chainFrom(first: Desired, successors: ReadonlyMap<string, Desired>): Chain {
  const chain: Desired[] = [];
  // Of keys that are declared twice, which is an error by itself, a chain might lead back.
  let one: Desired | undefined = first;
  while (one !== undefined && !chain.includes(one)) {
    chain.push(one);
    one = successors.get(one.identity);
  }
  return chain;
}

/** The same declarations, each with its place in its chain. */
export function withChains(desired: readonly Desired[]): readonly Desired[] {
  const chains = chainsOf(desired);
  if (chains.length === 0) return desired;
  const places = new Map(
    chains.flatMap((chain) =>
      chain.map((one, at) => [one, { first: chain[0]?.identity ?? one.identity, at }] as const),
    ),
  );
  return desired.map((one) => ({ ...one, chain: places.get(one) ?? null }));
}
