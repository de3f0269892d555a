// Which live row each declared object is, or is to become: its own, or that of the key it is renamed from.

import type { Desired, Live } from "../domain/change.ts";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { chainsOf, type Chain } from "./chains.ts";
import { canBecome, isSameObject } from "./compare.ts";
import { declaredAndDeleted, deleteOne, twoRows } from "./findings.ts";
import type { LiveRows } from "./live-rows.ts";

/** A row that has the old key of a rename whose new key is there already. */
export interface Leftover {
  readonly live: Live;
  readonly heir: Desired;
  /** The heir was to replace it and is there as declared: only its deletion is missing. */
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
  readonly leftovers: readonly Leftover[];
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
 * is settled). In a run with neither, any of the declarations may be the one without a row; and where nothing is free
 * although a row is to be replaced, it may have been. Then the destinations tell, or nobody does: that is an error.
 */
export function claimRows(desired: readonly Desired[], live: LiveRows): Claims {
  const chained: MutableClaims = { rows: new Map(), leftovers: [], diagnostics: [] };
  const chains = chainsOf(desired);
  for (const chain of chains) claimChain(chain, live, chained);
  const tied = new Set(chains.flat());
  const diagnostics = [...chained.diagnostics];
  const all = desired.map((one): Claim => {
    const isIn = tied.has(one);
    const row = isIn ? chained.rows.get(one) : ownRow(one, live, diagnostics);
    const deleted = row === undefined ? live.takenAt(one.identity) : undefined;
    if (deleted !== undefined) diagnostics.push(declaredAndDeleted(one, deleted));
    return { desired: one, live: row, isRenamed: isIn && row !== undefined && row.identity !== one.identity };
  });
  return { all, leftovers: chained.leftovers, diagnostics };
}

/** The one row with this object's key. */
function ownRow(one: Desired, live: LiveRows, diagnostics: Diagnostic[]): Live | undefined {
  const only = live.onlyAt(one.identity);
  if (only !== undefined) return only;
  const rows = live.at(one.identity);
  if (rows.length > 1) diagnostics.push(twoRows(one.key, rows, one.place, deleteOne(one.kind, rows)));
  return rows[0];
}

interface MutableClaims {
  readonly rows: Map<Desired, Live>;
  readonly leftovers: Leftover[];
  readonly diagnostics: Diagnostic[];
}

/** Place 0 is the key before the chain, if there is one; place i is that of the chain's i-th declaration. */
function claimChain(chain: Chain, live: LiveRows, claims: MutableClaims): void {
  const [first] = chain;
  if (first === undefined) return;
  const before = first.renamedFrom === null ? [] : live.at(first.renamedFrom.identity);
  const own = chain.map(({ identity }) => live.at(identity));
  const doubled = own.findIndex((rows) => rows.length > 1);
  const problem =
    doubled >= 0
      ? { key: chain[doubled]?.key ?? first.key, rows: own[doubled] ?? [] }
      : before.length > 1 && own.some((rows) => rows.length === 0)
        ? { key: first.renamedFrom?.key ?? first.key, rows: before }
        : null;
  if (problem !== null) {
    const hint = deleteOne(first.kind, problem.rows);
    claims.diagnostics.push(twoRows(problem.key, problem.rows, (chain[doubled] ?? first).place, hint));
    return;
  }
  const places = [before, ...own].map(([row]) => row);
  for (let start = 0; start < places.length; start += 1) {
    if (places[start] === undefined) continue;
    let end = start;
    while (places[end + 1] !== undefined) end += 1;
    claimRun({ chain, places, start, end, isAlone: before.length <= 1 }, claims);
    start = end;
  }
}

/** Rows at the places `start` to `end`, with none before and none behind. */
interface Run {
  readonly chain: Chain;
  readonly places: readonly (Live | undefined)[];
  readonly start: number;
  readonly end: number;
  /** Only one row has the key before the chain: of two nobody knows which was to be replaced. */
  readonly isAlone: boolean;
}

function claimRun(run: Run, claims: MutableClaims): void {
  const { chain, start, end } = run;
  if (start > 0 && end < chain.length) return claimWithGap(run, claims);
  if (start === 0 && end === chain.length) return claimFull(run, claims);
  assign(run, () => (start > 0 ? "stays" : "moves"), claims);
}

function assign(
  { chain, places, start, end }: Run,
  what: (at: number) => "stays" | "moves" | "is left",
  { rows }: MutableClaims,
): void {
  for (let at = start; at <= end; at += 1) {
    const row = places[at];
    const heir = { stays: chain[at - 1], moves: chain[at], "is left": undefined }[what(at)];
    if (row !== undefined && heir !== undefined) rows.set(heir, row);
  }
}

/** One of the declarations around these rows has none: the one where all destinations fit is meant. */
function claimWithGap(run: Run, claims: MutableClaims): void {
  const { chain, start, end } = run;
  const around = chain.slice(start - 1, end + 1);
  const fitting = around.flatMap((_, skipped) => {
    const gap = start + skipped;
    return fits(run, (at) => (at < gap ? at - 1 : at)) ? [gap] : [];
  });
  const [gap, ...others] = fitting;
  if (gap !== undefined && others.length === 0) {
    assign(run, (at) => (at < gap ? "stays" : "moves"), claims);
    return;
  }
  const rows = run.places.slice(start, end + 1).flatMap((row) => row ?? []);
  claims.diagnostics.push(undecidedGap(around, rows));
}

/** Whether each row of a run is the same object as the declaration that would have it, by its place in the chain. */
function fits({ chain, places, start, end }: Run, heirOf: (at: number) => number): boolean {
  for (let at = start; at <= end; at += 1) {
    const [row, heir] = [places[at], chain[heirOf(at)]];
    if (row === undefined || heir === undefined || !isSameObject(heir, row)) return false;
  }
  return true;
}

/** Every key has a row, the one before the chain too: one row is left over. */
function claimFull(run: Run, claims: MutableClaims): void {
  const { chain, places, isAlone } = run;
  const [before] = places;
  const [first] = chain;
  if (before === undefined || first === undefined) return;
  let left = 0;
  // A row that can't take its new key is replaced, and then deleted: it may be at that.
  for (const [at, heir] of chain.entries()) {
    const [row, settled, own] = [places[at], places[at + 1], chain[at - 1]];
    if (row === undefined || settled === undefined || own === undefined || canBecome(row, heir)) continue;
    const isOwn = isSameObject(own, row);
    const isReplaced = isSameObject(heir, row) && isSameObject(heir, settled);
    if (isOwn && !isReplaced) continue;
    if (isOwn || !isReplaced || left > 0) {
      claims.diagnostics.push(undecidedReplacement(own, heir, row));
      return;
    }
    left = at;
  }
  assign(run, (at) => (at < left ? "moves" : at > left ? "stays" : "is left"), claims);
  const [live, heir, settled] = [places[left] ?? before, chain[left] ?? first, places[left + 1]];
  const isReplaced =
    left > 0 || (isAlone && !canBecome(live, heir) && settled !== undefined && isSameObject(heir, settled));
  claims.leftovers.push({ live, heir, isReplaced });
}

function undecidedGap(around: readonly Desired[], rows: readonly Live[]): Diagnostic {
  const [first] = around;
  const declared = around.map(({ key }) => `\`${key}\``).join(", ");
  const live = rows.map(({ key, id }) => `\`${key}\` (id ${id})`).join(", ");
  const message = `Of ${declared}, which renames tie together, only ${live} ${rows.length === 1 ? "is" : "are"} live, and no destination tells which of them that was to be.`;
  const hint = "Remove the `renamed_from` that has been done, or leave the destinations as they are live until it has.";
  return error("rename-undecided", message, first?.place ?? null, hint);
}

function undecidedReplacement(own: Desired, heir: Desired, row: Live): Diagnostic {
  const message = `\`${row.key}\` (id ${row.id}) is what is left of the move to \`${heir.key}\`, or \`${own.key}\` as declared: the destinations don't tell.`;
  const hint =
    "Remove `renamed_from` where the move has been done; to delete the old row, write a tombstone with its id.";
  return error("rename-undecided", message, own.place, hint);
}
