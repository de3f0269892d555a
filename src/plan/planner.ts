// Takes every key as a row of a table, and makes a change of what the row says.

import type { Change, Create, Desired, FieldChange, Live } from "../domain/change.ts";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { groupBy } from "../domain/group.ts";
import { FIELDS, type ResourceKind } from "../domain/table.ts";
import { compare, isSameObject, storedFields, type Comparison } from "./compare.ts";
import { declaredAndDeleted, deleteOne, kept, renameDone, twoRows } from "./findings.ts";
import { datesWithoutZone, pixelsInUse } from "./guards.ts";
import type { Settled } from "./settle.ts";
import { tooLarge } from "./size.ts";

/**
 * Every key is one row of a table, and the row says what happens:
 *
 *     key           desired   live           tombstone   →
 *     go/spring     yes       —              —           create, or the row it was renamed from
 *     go/summer     yes       one            —           update, if a field differs
 *     new/moved     yes       one            —           the same; and if it was to replace old/moved, which is still
 *                                                        there, that replacement is finished: delete the old one
 *     go/twice      yes       two            —           error, unless a tombstone names one of the ids
 *     go/only       yes       one            its id      error: it would end what is declared
 *     go/old-sale   —         one            yes         delete
 *     go/gone       —         —              yes         nothing: the tombstone is spent
 *     go/theirs     —         any            —           nothing: unmanaged
 */
export class Planner {
  readonly changes: Change[] = [];
  readonly diagnostics: Diagnostic[] = [];
  /** The live objects that the files declare, or a tombstone names. */
  readonly managed: Set<Live> = new Set();
  /** Fields, as `link url`, that the service did not return. */
  readonly unknown: Set<string> = new Set();
  unchanged = 0;
  secretsCompared = 0;
  readonly #settled: Settled;
  readonly #now: string;
  readonly #live: Map<string, Live[]>;

  constructor(settled: Settled, now: string) {
    this.#settled = settled;
    this.#now = now;
    this.#live = groupBy(settled.live, ({ identity }) => identity);
  }

  /** Plans every tombstone and declaration, and then says what no plan may do. */
  run(): void {
    for (const tombstone of this.#settled.tombstones) this.#tombstone(tombstone);
    for (const desired of this.#settled.desired) this.#declaration(desired);
    this.diagnostics.push(
      ...pixelsInUse(this.changes, this.#settled.live),
      ...datesWithoutZone(this.changes, this.#settled.zones),
      ...tooLarge(this.changes),
    );
  }

  #rowsOf(identity: string): Live[] {
    return (this.#live.get(identity) ?? []).filter((live) => !this.managed.has(live));
  }

  #tombstone({ tombstone, identity, key }: Settled["tombstones"][number]): void {
    const rows = this.#rowsOf(identity).filter(({ id }) => tombstone.id === null || tombstone.id === id);
    const [live, ...others] = rows;
    if (live === undefined) return;
    if (others.length > 0) {
      this.diagnostics.push(twoRows(key, rows, tombstone.place, "Say which to delete: `{ id: … }`."));
      return;
    }
    this.#delete(live, "tombstone", tombstone.place);
  }

  /** Besides what a tombstone names, what a replacement left that was stopped after its first half. */
  #delete(live: Live, reason: "tombstone" | "moved", source: Desired["place"]): void {
    this.managed.add(live);
    this.changes.push({
      action: "delete",
      kind: live.kind,
      key: live.key,
      previousKey: null,
      fields: [],
      breaksUrl: live.kind === "link",
      reason,
      source,
      origin: null,
      live,
    });
  }

  #declaration(desired: Desired): void {
    const rows = this.#rowsOf(desired.identity);
    const former = desired.renamedFrom === null ? [] : this.#rowsOf(desired.renamedFrom.identity);
    const key = rows.length > 0 ? desired.key : (desired.renamedFrom?.key ?? desired.key);
    const candidates = rows.length > 0 ? rows : former;
    if (candidates.length > 1) {
      this.diagnostics.push(twoRows(key, candidates, desired.place, deleteOne(desired.kind, candidates)));
      return;
    }
    const [deleted] = rows.length === 0 ? (this.#live.get(desired.identity) ?? []) : [];
    if (deleted !== undefined) {
      this.diagnostics.push(declaredAndDeleted(desired, deleted));
      return;
    }
    this.#match(desired, rows[0], former);
  }

  /** Plans one declared object: `live` is the row that has its key, `former` and `others` have the one it is renamed from. */
  #match(desired: Desired, live: Live | undefined, [former, ...others]: readonly Live[]): void {
    if (live !== undefined) {
      // Of two old rows nobody knows which was to be replaced.
      const isHalfDone = others.length === 0 && isSameObject(desired, live);
      if (isHalfDone && former !== undefined && !canBecome(former, desired))
        this.#delete(former, "moved", desired.renamedFrom?.place ?? desired.place);
      else if (desired.renamedFrom !== null) this.diagnostics.push(renameDone(desired, former));
      this.#update(desired, live);
    } else if (former === undefined) {
      this.changes.push({
        ...this.#change(desired),
        action: "create",
        previousKey: null,
        fields: storedFields(desired),
        breaksUrl: false,
        reason: "declared",
      });
    } else if (canBecome(former, desired)) {
      this.#update(desired, former);
    } else {
      this.#replace(desired, former);
    }
  }

  #change(desired: Desired): Pick<Create, "kind" | "key" | "source" | "origin" | "desired"> {
    return { kind: desired.kind, key: desired.key, source: desired.place, origin: null, desired };
  }

  #update(desired: Desired, live: Live): void {
    this.managed.add(live);
    const comparison = compare(desired, live, this.#now);
    this.#note(comparison, desired);
    if (comparison.kept.length > 0) this.diagnostics.push(kept(desired, comparison.kept));
    const { fields } = comparison;
    if (fields.length === 0) {
      this.unchanged += 1;
      return;
    }
    const renamed = live.identity !== desired.identity;
    this.changes.push({
      ...this.#change(desired),
      action: "update",
      previousKey: live.key === desired.key ? null : live.key,
      fields,
      breaksUrl: (desired.kind === "link" && renamed) || breaksUrl(desired.kind, fields),
      reason: renamed ? "renamed" : "changed",
      live,
    });
  }

  /** A link can't change its domain: the new one is stored, then the old one deleted. */
  #replace(desired: Desired, live: Live): void {
    this.managed.add(live);
    const comparison = compare(desired, live, this.#now);
    this.#note(comparison, desired);
    for (const { line, state } of comparison.kept) {
      const message = `\`${live.key}\` ${state}; \`${desired.key}\`, which is to replace it, would not have that.`;
      this.diagnostics.push(
        error("replace-opens", message, desired.place, `Say what the new link is to have, or write \`${line}\`.`),
      );
    }
    const whole = desired.unspecified === "keep" ? keepValues(desired, live) : desired;
    for (const path of secretsLost(whole)) {
      this.diagnostics.push(
        error(
          "replace-secret",
          `The ${path} of \`${live.key}\` can't be read, so \`${desired.key}\` can't have it.`,
          desired.place,
          `Give \`${path}\` in the file, or write \`${path}: none\`.`,
        ),
      );
    }
    const stored = storedFields(whole);
    this.changes.push({
      ...this.#change(whole),
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

/** Whether a row can become this object by an update: fields that the service never changes are the same. */
function canBecome(live: Live, desired: Desired): boolean {
  return FIELDS[desired.kind].every(
    ({ path, updatable }) => updatable || live.values.get(path) === desired.values.get(path),
  );
}

/** Whether these changes make a short URL stop answering as it did. */
function breaksUrl(kind: ResourceKind, fields: readonly FieldChange[]): boolean {
  return FIELDS[kind].some(
    (row) =>
      row.kind === "flag" && row.breaksUrl && fields.some(({ path, after }) => path === row.path && after === true),
  );
}

/** With `unspecified: keep`, a replacement takes over what the files are silent about. */
function keepValues(desired: Desired, live: Live): Desired {
  return { ...desired, values: new Map([...live.values, ...desired.values]) };
}

function secretsLost({ kind, values, secrets }: Desired): string[] {
  return FIELDS[kind].flatMap(({ kind: fieldKind, path }) =>
    fieldKind === "secret" && values.get(path) === true && !secrets.has(path) ? [path] : [],
  );
}
