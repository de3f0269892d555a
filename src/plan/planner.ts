// Plans a change for each key.

import type { Change, Create, Delete, Desired, Live } from "../domain/change.ts";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import type { Place } from "../domain/place.ts";
import { expiryOf, isEndedBy, keepsClosed } from "../domain/status.ts";
import { FIELDS, type PerKind } from "../domain/table.ts";
import type { Claim, StaleRecord } from "./claims.ts";
import { canBecome, compare, resentSecrets, storedFields, type Comparison, type KeptValue } from "./compare.ts";
import { kept, renameBlocked, renameDone, renameOfNothing, replaceOpens } from "./findings.ts";
import { declaredOutside, liveOutside, type ResolvedScope } from "./scope.ts";
import type { Resolved } from "./resolve.ts";
import type { KeyGlobs } from "./key-globs.ts";

interface PlannerOptions {
  readonly now: string;
  readonly scope: ResolvedScope | null;
  readonly resendSecrets: readonly string[];
  readonly keyGlobs: KeyGlobs;
  /** Whether an object is planned; any other is only known. */
  readonly isPlanned: (object: Pick<Live, "identity">, isNew?: boolean) => boolean;
}

/**
 * Plans one change for each key. `claims.ts` has already assigned live records to declared objects:
 *
 *     key           desired   live           tombstone   →
 *     go/spring     yes       —              —           create
 *     go/summer     yes       its own        —           update, if a field differs
 *     go/autumn     yes       of its         —           update, which keeps id and clicks;
 *                             former key                 or replace, where a field that never changes differs
 *     new/moved     yes       its own        —           the same as for summer; and if it replaces old/moved,
 *                                                        which is still live, delete old/moved
 *     go/twice      yes       two            —           error, unless a tombstone names one of the ids
 *     go/only       yes       one            its id      error: it would delete a declared object
 *     go/old-sale   —         one            yes         delete
 *     go/gone       —         —              yes         nothing: the tombstone is spent
 *     go/theirs     —         any            —           nothing: unmanaged
 */
export class Planner {
  readonly changes: Change[] = [];
  readonly diagnostics: Diagnostic[] = [];
  readonly managed: PerKind<Live[]> = { link: [], pixel: [] };
  /** Fields, as `link url`, that the service did not return. */
  readonly unknown = new Set<string>();
  unchanged = 0;
  secretsCompared = 0;
  readonly #resolved: Resolved;
  readonly #options: PlannerOptions;
  readonly #isResent: (key: string) => boolean;
  readonly #managedIds: PerKind<Set<number>> = { link: new Set(), pixel: new Set() };

  constructor(resolved: Resolved, options: PlannerOptions) {
    this.#resolved = resolved;
    this.#options = options;
    this.#isResent = options.keyGlobs.matcher(options.resendSecrets);
  }

  run(): void {
    const { tombstones, claims, staleRecords } = this.#resolved;
    const { isPlanned } = this.#options;
    const isOut = (one: Pick<Live, "identity">, live: Live | null | undefined): boolean => {
      if (isPlanned(one, live === undefined)) return false;
      if (live) this.#managedIds[live.kind].add(live.id);
      return true;
    };
    for (const { identity, live, tombstone } of tombstones)
      if (live !== null && !isOut({ identity }, live)) this.delete(live, "tombstone", tombstone.place);
    for (const claim of claims) if (!isOut(claim.desired, claim.live)) this.#declaration(claim);
    for (const staleRecord of staleRecords) if (isPlanned(staleRecord.successor)) this.#staleRecord(staleRecord);
  }

  /** The unmanaged live objects in reading order: pixels, then links. */
  unmanaged(): Live[] {
    return this.#resolved.live.filter(({ kind, id }) => !this.#managedIds[kind].has(id));
  }

  #manage(live: Live): void {
    this.managed[live.kind].push(live);
    this.#managedIds[live.kind].add(live.id);
  }

  /** Plans a deletion inside the scope. `source` is the place of its reason in the files. */
  delete(live: Live, reason: Delete["reason"], source: Place, movedTo: string | null = null): void {
    const { scope } = this.#options;
    if (scope !== null) this.diagnostics.push(...liveOutside(live.key, live, source, scope));
    this.#manage(live);
    this.changes.push({
      action: "delete",
      kind: live.kind,
      // A pixel whose name goes to another one has a distinct name.
      key: live.kind === "pixel" ? this.#resolved.side.pixels.ofRecord(live.id, live.key) : live.key,
      previousKey: null,
      fields: [],
      breaksUrl: live.kind === "link",
      reason,
      source,
      origin: null,
      takesOver: null,
      movedTo,
      live,
    });
  }

  #declaration({ desired, live, isRenamed }: Claim): void {
    const { scope } = this.#options;
    if (live === undefined) {
      if (scope !== null) this.diagnostics.push(...declaredOutside(desired, undefined, scope));
      if (desired.renamedFrom !== null) this.diagnostics.push(renameOfNothing(desired, desired.renamedFrom));
      this.changes.push({
        ...changeOf(desired),
        action: "create",
        previousKey: null,
        fields: storedFields(desired),
        breaksUrl: false,
        reason: "declared",
      });
      return;
    }
    if (scope !== null) {
      const outside = liveOutside(live.key, live, desired.place, scope);
      this.diagnostics.push(...(outside.length > 0 ? outside : declaredOutside(desired, live, scope)));
    }
    this.#manage(live);
    if (!isRenamed || canBecome(live, desired)) this.#update(desired, live, isRenamed);
    else this.#replace(desired, live);
  }

  /** Finishes an interrupted replacement. Any other stale record is unmanaged. */
  #staleRecord({ live, successor, isReplaced }: StaleRecord): void {
    if (isReplaced) return this.delete(live, "moved", successor.renamedFrom?.place ?? successor.place, successor.key);
    this.diagnostics.push(renameBlocked(successor, live));
  }

  #update(desired: Desired, live: Live, isRenamed: boolean): void {
    const comparison = compare(desired, live, this.#options.now);
    this.#note(comparison, desired);
    if (comparison.kept.length > 0) this.diagnostics.push(kept(desired, comparison.kept));
    const isResent = desired.secrets.size > 0 && this.#isResent(desired.key);
    const fields = isResent ? [...comparison.fields, ...resentSecrets(desired, live)] : comparison.fields;
    const isDone = desired.renamedFrom !== null && !isRenamed;
    if (isDone && !this.#resolved.staleRecords.some(({ successor }) => successor === desired))
      this.diagnostics.push(renameDone(desired));
    if (fields.length === 0) {
      this.unchanged += 1;
      return;
    }
    const { now } = this.#options;
    const isLink = desired.kind === "link";
    this.changes.push({
      ...changeOf(desired),
      action: "update",
      previousKey: live.key === desired.key ? null : live.key,
      fields,
      breaksUrl: isLink && (isRenamed || isEndedBy(live, fields, now)),
      isGuarded: isLink && (isRenamed || keepsClosed(live, fields, now)),
      reason: isRenamed ? "renamed" : "changed",
      live,
    });
  }

  /** A link cannot change its domain. The new link is stored, then the old one is deleted. */
  #replace(desired: Desired, live: Live): void {
    const comparison = compare(desired, live, this.#options.now);
    this.#note(comparison, desired);
    this.diagnostics.push(...replaceOpens(desired, live, closedBy(desired, live, comparison, this.#options.now)));
    const whole = desired.unspecified === "keep" ? keepValues(desired, live) : desired;
    for (const path of secretsLost(whole)) {
      this.diagnostics.push(
        error(
          "replace-secret",
          `linkform cannot read the \`${path}\` of \`${live.key}\`, so it cannot copy it to \`${desired.key}\`.`,
          desired.place,
          `Set \`${path}\` in the file, or write \`${path}: none\`.`,
        ),
      );
    }
    const stored = storedFields(whole);
    this.changes.push({
      ...changeOf(whole),
      action: "replace",
      previousKey: live.key,
      fields: comparison.fields,
      stored,
      breaksUrl: true,
      reason: "moved",
      live,
    });
  }

  #note({ unknown, secretsCompared }: Comparison, { kind }: Desired): void {
    for (const path of unknown) this.unknown.add(`${kind} ${path}`);
    this.secretsCompared += secretsCompared;
  }
}

function changeOf(desired: Desired): Pick<Create, "kind" | "key" | "source" | "origin" | "takesOver" | "desired"> {
  return { kind: desired.kind, key: desired.key, source: desired.place, origin: null, takesOver: null, desired };
}

/** The closed state that a new link would not have. With `unspecified: keep`, that is only a click limit that is reached. */
function closedBy(desired: Desired, live: Live, comparison: Comparison, now: string): readonly KeptValue[] {
  if (desired.unspecified !== "keep") return comparison.kept;
  return FIELDS[desired.kind].flatMap(({ kind, path, opens }) => {
    if (kind !== "count" || opens === null || desired.values.has(path)) return [];
    const values = new Map([[path, live.values.get(path)]]);
    return expiryOf({ values, clicks: live.clicks }, now) === "not expired" ? [] : [{ path, opens }];
  });
}

/** With `unspecified: keep`, a replacement gets the undeclared values of the old link. */
function keepValues(desired: Desired, live: Live): Desired {
  const values = FIELDS[desired.kind].flatMap(({ path }) => {
    const value = desired.values.has(path) ? desired.values.get(path) : live.values.get(path);
    return value === undefined ? [] : [[path, value] as const];
  });
  return { ...desired, values: new Map(values) };
}

function secretsLost({ kind, values, secrets }: Desired): string[] {
  return FIELDS[kind].flatMap(({ kind: fieldKind, path }) =>
    fieldKind === "secret" && values.get(path) === true && !secrets.has(path) ? [path] : [],
  );
}
