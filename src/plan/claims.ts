// Assigns a live record to each declared object: its own, or that of the key it is renamed from.

import type { Desired, Live } from "../domain/change.ts";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { canBecome, isSameObject } from "./compare.ts";
import { declaredAndDeleted, severalRecords } from "./findings.ts";
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
 * run, each of the declarations can be the one without a record. Then the destinations must decide, or it is an error.
 *
 * A move to another domain stores the new link before it deletes the old one, so both are live if it is interrupted. Ids increase, so
 * the new link has the higher one. A move is never a part of a longer chain, because then keys would not show the progress.
 *
 * Every state that an interrupted run can leave is recognized. Renames for which that is impossible are refused.
 */
export function claimRecords(desired: readonly Desired[], live: LiveIndex, diagnostics: Diagnostic[]): Claims {
  const claiming: Claiming = { live, records: new Map(), staleRecords: [], diagnostics };
  const chains = chainsOf(desired);
  for (const chain of chains) claimChain(chain, claiming);
  const tied = new Set(chains.flat());
  const all = desired.map((one): Claim => {
    const record = tied.has(one) ? claiming.records.get(one) : recordsOf(one, claiming)[0];
    const deleted = record === undefined ? live.takenAt(one.identity) : undefined;
    if (deleted !== undefined) diagnostics.push(declaredAndDeleted(one, deleted));
    return { desired: one, live: record, isRenamed: record !== undefined && record.identity !== one.identity };
  });
  return { all, staleRecords: claiming.staleRecords };
}

interface Claiming {
  readonly live: LiveIndex;
  readonly records: Map<Desired, Live>;
  readonly staleRecords: StaleRecord[];
  readonly diagnostics: Diagnostic[];
}

/** The records with the key of a declaration. Several are an error. */
function recordsOf({ identity, key, place }: Desired, { live, diagnostics }: Claiming): readonly Live[] {
  const records = live.at(identity);
  if (records.length > 1) diagnostics.push(severalRecords(key, records, place));
  return records;
}

/** Place 0 is the key before the chain, if there is one; place i is that of the chain's i-th declaration. */
function claimChain(chain: Chain, claiming: Claiming): void {
  const [first] = chain;
  if (first === undefined) return;
  const move = chain.length === 1 ? undefined : chain.find(changesDomain);
  if (move !== undefined) {
    claiming.diagnostics.push(moveInChain(move, chain));
    return;
  }
  const before = first.renamedFrom === null ? [] : claiming.live.at(first.renamedFrom.identity);
  const own = chain.map((one) => recordsOf(one, claiming));
  if (own.some((records) => records.length > 1)) return;
  const places = [before, ...own].map(([record]) => record);
  for (let start = 0; start < places.length; start += 1) {
    if (places[start] === undefined) continue;
    let end = start;
    while (places[end + 1] !== undefined) end += 1;
    claimRun({ chain, places, start, end }, before, claiming);
    start = end;
  }
}

/** Records without a gap: at the places `start` to `end`. */
interface ClaimRun {
  readonly chain: Chain;
  readonly places: readonly (Live | undefined)[];
  readonly start: number;
  readonly end: number;
}

/** Assigns the records of a run. `before` has those with the key before the chain. */
function claimRun(run: ClaimRun, before: readonly Live[], { records, staleRecords, diagnostics }: Claiming): void {
  const { chain, places, start, end } = run;
  const gap = gapOf(run);
  if (gap === null) {
    diagnostics.push(undecidedGap(chain.slice(start - 1, end + 1), places.slice(start, end + 1)));
    return;
  }
  for (const [record, becomes] of assigned(run, gap)) if (becomes !== undefined) records.set(becomes, record);
  const [live, next] = places;
  const [successor] = chain;
  if (start > 0 || live === undefined || successor === undefined) return;
  if (gap === 0) {
    // A record that moves must be the only one with its key.
    if (before.length > 1)
      diagnostics.push(severalRecords(successor.renamedFrom?.key ?? successor.key, before, successor.place));
    return;
  }
  if (next === undefined) return;
  // All keys are live, so the first record is left over.
  const isMove = !canBecome(live, successor);
  if (isMove && !isSameObject(successor, next)) diagnostics.push(moveBlocked(successor, live, next));
  else staleRecords.push({ live, successor, isReplaced: isMove && before.length === 1 && next.id > live.id });
}

/**
 * The place whose declaration has no record: the records before it are done, and the others move to the next key. If keys do not show it, it
 * is the only one with which all destinations match; null for none or several.
 */
function gapOf(run: ClaimRun): number | null {
  const { chain, start, end } = run;
  if (end === chain.length) return end + 1;
  if (start === 0) return 0;
  const fitting = Array.from({ length: end - start + 2 }, (_, skipped) => start + skipped).filter((gap) =>
    assigned(run, gap).every(([record, becomes]) => becomes !== undefined && isSameObject(becomes, record)),
  );
  return fitting.length === 1 ? (fitting[0] ?? null) : null;
}

/** The records of a run with their declarations, if place `gap` has none. */
function assigned({ chain, places, start, end }: ClaimRun, gap: number): [Live, Desired | undefined][] {
  return places.slice(start, end + 1).flatMap((record, index) => {
    const at = start + index;
    return record === undefined ? [] : [[record, chain[at < gap ? at - 1 : at]]];
  });
}

function undecidedGap(around: readonly Desired[], records: readonly (Live | undefined)[]): Diagnostic {
  const [first] = around;
  const declared = around.map(({ key }) => `\`${key}\``).join(", ");
  const live = records.map((record) => `\`${record?.key}\` (id ${record?.id})`).join(", ");
  const message = `Of the renamed ${first?.kind ?? "link"}s ${declared}, only ${live} ${records.length === 1 ? "is" : "are"} live. The destinations do not show which renames are done.`;
  const hint =
    "Remove the `renamed_from` of each rename that is done. Otherwise, keep the live destinations until the renames are applied.";
  return error("rename-undecided", message, first?.place ?? null, hint);
}

/** Whether a record moves to another domain, which gives it another id. */
function changesDomain({ kind, identity, renamedFrom }: Desired): boolean {
  const domainOf = (of: string): string => of.slice(0, of.lastIndexOf("/"));
  return kind === "link" && renamedFrom !== null && domainOf(renamedFrom.identity) !== domainOf(identity);
}

/** A key is free only after the changes that follow in the chain, so the last one comes first. */
function moveInChain(move: Desired, chain: Chain): Diagnostic {
  const last = chain.at(-1) ?? move;
  const others = chain.flatMap((one) => (one === move ? [] : `\`${one.key}\``)).join(", ");
  const message = `\`${move.key}\` cannot move to another domain in the same run as ${others}. After an interruption, linkform could not find out which of them are done.`;
  const hint = `Apply the ${changesDomain(last) ? "move" : "rename"} to \`${last.key}\` alone. Then remove its \`renamed_from\`, and apply the others.`;
  return error("rename-undecided", message, move.renamedFrom?.place ?? move.place, hint);
}

/** Updating the other link would look like an interrupted move, and the next plan would delete the old link. */
function moveBlocked(successor: Desired, record: Live, next: Live): Diagnostic {
  const message = `\`${record.key}\` (id ${record.id}) cannot move to \`${next.key}\`. That link is already live (id ${next.id}) with another destination, and may belong to somebody else.`;
  const hint = `Remove \`renamed_from\`. To delete \`${record.key}\`, write a tombstone.`;
  return error("rename-blocked", message, successor.renamedFrom?.place ?? successor.place, hint);
}

/** Declarations of which each is renamed from the key of the one before it. */
type Chain = readonly Desired[];

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
