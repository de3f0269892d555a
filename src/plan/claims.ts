// Assigns a live record to each declared object: its own, or that of the key it is renamed from.

import type { Desired, Live } from "../domain/change.ts";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { canBecome, isSameObject } from "./compare.ts";
import { declaredAndDeleted, deleteOne, severalRecords } from "./findings.ts";
import type { LiveIndex } from "./live-records.ts";

/** A record with the old key of a rename whose new key is live already. */
export interface StaleRecord {
  readonly live: Live;
  readonly successor: Desired;
  /** A replacement was interrupted: the successor is stored, and this record is still to be deleted. */
  readonly isReplaced: boolean;
}

/** A declared object and its record; undefined if it is to be created. */
export interface Claim {
  readonly desired: Desired;
  readonly live: Live | undefined;
  /** The record still has its former key. */
  readonly isRenamed: boolean;
}

export interface Claims {
  /** In the order of the declared objects. */
  readonly all: readonly Claim[];
  readonly staleRecords: readonly StaleRecord[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Assigns a record to each declared object. Renames form chains of keys, and a chain is applied from its end:
 *
 *     declared           b (was a)      c (was b)      d (was c)
 *     not begun     a ──→ b ──→ c ──→ d is free
 *     begun         a ──→ b ──→ c is free     [d]
 *     done               [b]   [c]            [d]
 *
 * Records in brackets are done: they already have the key of their declaration. Keys alone show the progress if a run of
 * records without a gap starts at an undeclared key (all of it moves) or ends with the chain (all of it is done). In any other
 * run, each of the declarations can be the one without a record. Then the destinations must decide, or it is an error. If a step
 * leads to another domain, the new link is stored before the old one is deleted. An extra record is that old link if the record after
 * it was stored later than all that were to move (ids increase):
 *
 *     declared           b (was a)     promo/c (was b)
 *     not begun     a ──→ b ──→ promo/c is free
 *     half          a     b#2          promo/c#9       b is left, and a is to move
 *     done, and     a#12 [b#1]        [promo/c#9]      a is unmanaged
 *
 * Every state that an interrupted run can leave is recognized. Renames for which that is impossible are refused.
 */
export function claimRecords(desired: readonly Desired[], live: LiveIndex): Claims {
  const chained: MutableClaims = { records: new Map(), staleRecords: [], diagnostics: [] };
  const chains = chainsOf(desired);
  for (const chain of chains) claimChain(chain, live, chained);
  const tied = new Set(chains.flat());
  const diagnostics = [...chained.diagnostics];
  const all = desired.map((one): Claim => {
    const isIn = tied.has(one);
    const record = isIn ? chained.records.get(one) : ownRecord(one, live, diagnostics);
    const deleted = record === undefined ? live.takenAt(one.identity) : undefined;
    if (deleted !== undefined) diagnostics.push(declaredAndDeleted(one, deleted));
    return { desired: one, live: record, isRenamed: isIn && record !== undefined && record.identity !== one.identity };
  });
  return { all, staleRecords: chained.staleRecords, diagnostics };
}

/** The only record with this object's key. */
function ownRecord(one: Desired, live: LiveIndex, diagnostics: Diagnostic[]): Live | undefined {
  const only = live.onlyAt(one.identity);
  if (only !== undefined) return only;
  const records = live.at(one.identity);
  if (records.length > 1) diagnostics.push(severalRecords(one.key, records, one.place, deleteOne(one.kind, records)));
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
    if (records.length > 1)
      claims.diagnostics.push(severalRecords(one.key, records, one.place, deleteOne(one.kind, records)));
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

/** Records at the places `start` to `end`, with a gap before and after. */
interface ClaimRun {
  readonly chain: Chain;
  readonly places: readonly (Live | undefined)[];
  readonly start: number;
  readonly end: number;
  /** The records with the key before the chain. */
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

/** Assigns the records of a run. A record that moves must be the only one with its key, and recognizable if the move is interrupted. */
function assign(run: ClaimRun, what: (at: number) => "stays" | "moves" | "is left", claims: MutableClaims): void {
  const { chain, places, start, end, before } = run;
  for (let at = start; at <= end; at += 1) {
    const [own, successor, record] = [chain[at - 1], chain[at], places[at]];
    const becomes = { stays: own, moves: successor, "is left": undefined }[what(at)];
    if (record === undefined || becomes === undefined) continue;
    claims.records.set(becomes, record);
    if (what(at) === "stays") continue;
    if (own !== undefined && !canBecome(record, becomes) && !mayBeOldLinkOfMove(own, becomes, record, start))
      claims.diagnostics.push(undecidedMove(own, becomes, record));
    if (at === 0 && before.length > 1)
      claims.diagnostics.push(
        severalRecords(becomes.renamedFrom?.key ?? becomes.key, before, becomes.place, deleteOne(becomes.kind, before)),
      );
  }
}

/** One of these declarations has no record: the one for which all destinations match. */
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

/** Whether each record of a run is the same object as the declaration at this place of the chain. */
function allMatch({ chain, places, start, end }: ClaimRun, successorAt: (at: number) => number): boolean {
  for (let at = start; at <= end; at += 1) {
    const [record, successor] = [places[at], chain[successorAt(at)]];
    if (record === undefined || successor === undefined || !isSameObject(successor, record)) return false;
  }
  return true;
}

/**
 * The place of the old link of a move to another domain that was interrupted after the new link was stored. Ids increase, so the id of
 * the new link is above those of all records that were still to move.
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
    if (own !== undefined && !mayBeOldLinkOfMove(own, successor, record, start)) continue;
    if (found === null || idAt(at + 1) > idAt(found + 1)) found = at;
  }
  return found;
}

/**
 * Whether a record with a declared key may be the old link of an interrupted move. In a chain that starts with a record to move, it may
 * be unless it matches its own declaration only. In any other chain all records may be done already, so it must match its
 * successor only, and its own declaration must be a new link.
 */
function mayBeOldLinkOfMove(own: Desired, successor: Desired, record: Live, start: number): boolean {
  const [isOwn, isSuccessor] = [isSameObject(own, record), isSameObject(successor, record)];
  return start === 0 ? isSuccessor || !isOwn : own.renamedFrom === null && isSuccessor && !isOwn;
}

function undecidedGap(around: readonly Desired[], records: readonly Live[]): Diagnostic {
  const [first] = around;
  const declared = around.map(({ key }) => `\`${key}\``).join(", ");
  const live = records.map(({ key, id }) => `\`${key}\` (id ${id})`).join(", ");
  const message = `Of the renamed ${first?.kind ?? "link"}s ${declared}, only ${live} ${records.length === 1 ? "is" : "are"} live. The destinations do not show which renames are done.`;
  const hint =
    "Remove the `renamed_from` of each rename that is done. Otherwise, keep the live destinations until the renames are applied.";
  return error("rename-undecided", message, first?.place ?? null, hint);
}

function undecidedMove(own: Desired, successor: Desired, record: Live): Diagnostic {
  const message = `\`${record.key}\` (id ${record.id}) cannot move to \`${successor.key}\` and free its key for \`${own.key}\` in the same run. After an interruption, linkform could not find out whether the move was done.`;
  const hint = `Apply the move to \`${successor.key}\` first. Then declare \`${own.key}\`.`;
  return error("rename-undecided", message, own.place, hint);
}

function undecidedHalf(successor: Desired, record: Live, next: Live): Diagnostic {
  const message = `\`${record.key}\` (id ${record.id}) cannot move to \`${next.key}\`. That link is already live (id ${next.id}) with another destination, and may belong to somebody else.`;
  const hint = `Remove \`renamed_from\`. To delete \`${record.key}\`, write a tombstone.`;
  return error("rename-undecided", message, successor.renamedFrom?.place ?? successor.place, hint);
}

/** Declarations of which each is renamed from the key of the one before it. */
type Chain = readonly Desired[];

/** The chains among these declarations. */
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
  // If a key is declared twice, which is an error, a chain might return to its start.
  let one: Desired | undefined = first;
  while (one !== undefined && !chain.includes(one)) {
    chain.push(one);
    one = successors.get(one.identity);
  }
  return chain;
}

/** Adds its position in a chain to each declaration. */
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
