// What the files declared at the base, in the canonical form of the present, and the origin of a change compared with it.

import type { Base, Change, Delete, Desired, Live, Origin, Replace, Update } from "../domain/change.ts";
import { warning, type Diagnostic } from "../domain/diagnostic.ts";
import { fold } from "../domain/fold.ts";
import type { LiveState } from "../domain/live.ts";
import { isOutsideProject } from "../domain/place.ts";
import { emptyProject, type Mention, type Project } from "../domain/project.ts";
import { eachKind, fieldAt, type PerKind } from "../domain/table.ts";
import { sameValue } from "../domain/value.ts";
import { claimRecords, type Claim } from "./claims.ts";
import { storedFields, wantedValue } from "./compare.ts";
import { directories, type NameDirectory } from "./directory.ts";
import { LiveIndex } from "./live-records.ts";
import { Keys, nameOf, type AccountNames } from "./names.ts";
import type { CreatePlanOptions } from "./options.ts";
import { resolveDeclaration, type Resolved } from "./resolve.ts";
import { resolveScope } from "./scope.ts";
import { KeyGlobs } from "./key-globs.ts";

export interface ResolvedBase {
  /** By identity. */
  readonly desired: ReadonlyMap<string, Desired>;
  /** The live objects that it declared. */
  readonly records: ReadonlyMap<Live, Desired>;
  /**
   * Those that it may not have meant: several share a key, its files had another address, or a rename was pending. (If the base was
   * applied, the object with the old key is another one.)
   */
  readonly unsure: ReadonlySet<Live>;
  /** Its tombstones, by `tombstoneKey`. */
  readonly tombstones: ReadonlySet<string>;
  readonly protect: readonly Mention[];
  /** Whether its `prune: scope` covers this object. */
  readonly prunes: (live: Live) => boolean;
  readonly keyGlobs: KeyGlobs;
}

/**
 * Resolves the base by its own labels and zone, with the current names. A domain that does not exist any longer is not an error: it
 * matches no live object.
 */
export function resolveBase(
  then: Project | null,
  { project: { baseUrl }, state, side, live, tombstones }: Resolved,
): ResolvedBase {
  const project = then ?? emptyProject(baseUrl.value);
  const base = sideAtBase(project, state, side);
  const byIdentity = new LiveIndex(live);
  // Of several with one key, which is an error there, the last one counts. It must be one that is protected.
  const desired = project.declarations
    .map((declaration) => resolveDeclaration(declaration, base, byIdentity))
    .toSorted((a, b) => Number(a.protect !== null) - Number(b.protect !== null));
  const records = claimRecords(desired, byIdentity, []).all.flatMap(({ desired: one, live: record }) =>
    record === undefined ? [] : byIdentity.at(record.identity).map((same) => [same, one] as const),
  );
  // If several records share the key, tombstones of the current files may name all but one.
  for (const tombstone of tombstones) if (tombstone.live !== null) byIdentity.take(tombstone.live);
  const scope = resolveScope(project.policy.scope, base);
  const isElsewhere = project.baseUrl.value !== baseUrl.value;
  return {
    desired: new Map(desired.map((one) => [one.identity, one])),
    records: new Map(records),
    unsure: new Set(
      records.flatMap(([record, one]) =>
        isElsewhere || record.identity !== one.identity || byIdentity.at(record.identity).length > 1 ? [record] : [],
      ),
    ),
    tombstones: new Set(project.tombstones.map(({ id, ...key }) => tombstoneKey(base.keys.of(key).identity, id))),
    protect: project.policy.protect,
    prunes: ({ kind, values }) =>
      !isElsewhere && project.policy.prune.mode === "scope" && scope?.has(kind, values) === true,
    keyGlobs: new KeyGlobs(base.domains),
  };
}

/** Whether a change writes to a live object that the base does not declare; null if that is unknown. */
export function takesOver(change: Change, { records }: ResolvedBase): boolean | null {
  if (change.action !== "update" && change.action !== "replace") return false;
  // No commit has the input of `--resources`.
  return isOutsideProject(change.source) ? null : !records.has(change.live);
}

/** Counts the live objects that are declared and do not change, but that the base does not declare. */
export function countNowManaged(
  claims: readonly Claim[],
  changes: readonly Change[],
  { records }: ResolvedBase,
): PerKind<number> {
  const changed = new Set(changes.flatMap((change) => (change.action === "create" ? [] : [change.live])));
  const taken = claims.filter(
    ({ desired, live }) =>
      live !== undefined && !changed.has(live) && !records.has(live) && !isOutsideProject(desired.place),
  );
  return eachKind((kind) => taken.filter(({ desired }) => desired.kind === kind).length);
}

/**
 * For each field, B is declared at the base, D is declared now, and L is live. D and L differ:
 *
 *     B = D          drift: the files have not changed, so the live state has. Pending, if a rename of the base
 *                    has not been applied to the object
 *     B = L          declared here: the files have changed, the live state has not
 *     all differ     both
 *     no B           declared here
 *
 * A create or delete is pending if the base asked for it. A merged value that is not applied yet looks like a manual change, unless the
 * base is the last commit that was applied.
 */
export function originOf(change: Change, base: ResolvedBase, now: string): Origin {
  if (change.action === "create") return originOfCreate(change.desired, base);
  return change.action === "delete" ? originOfDelete(change, base) : originOfFields(change, base, now);
}

function originOfCreate(desired: Desired, base: ResolvedBase): Origin {
  const then = base.desired.get(desired.identity);
  if (then === undefined) return "declared here";
  const [before, after] = [storedFields(then), storedFields(desired)];
  const isSame =
    before.length === after.length &&
    after.every((one) => before.some(({ path, after: value }) => path === one.path && sameValue(value, one.after)));
  return isSame ? "pending" : "declared here";
}

function originOfDelete({ live, reason }: Delete, base: ResolvedBase): Origin {
  // Drift is a new object in the scope of the base. A wider scope, or a new `prune`, is declared here.
  if (reason === "undeclared") return base.records.has(live) || !base.prunes(live) ? "declared here" : "drift";
  const isPending =
    reason === "moved"
      ? [...base.desired.values()].some(({ renamedFrom }) => renamedFrom?.identity === live.identity)
      : reason === "tombstone" && [live.id, null].some((id) => base.tombstones.has(tombstoneKey(live.identity, id)));
  return isPending ? "pending" : "declared here";
}

function originOfFields({ desired, live, fields }: Update | Replace, base: ResolvedBase, now: string): Origin {
  const same = base.desired.get(desired.identity);
  const isRenamed = live.identity !== desired.identity;
  const isPending = isRenamed && same?.renamedFrom?.identity === live.identity;
  const then = isRenamed && !isPending ? base.desired.get(live.identity) : same;
  const found = new Set<Origin>(isRenamed && !isPending ? ["declared here"] : []);
  for (const { path, before, after } of fields) {
    // A secret that is sent again has not changed on either side.
    if (before !== undefined && sameValue(before, after)) continue;
    const field = fieldAt(desired.kind, path);
    const declared = field === undefined || then === undefined ? undefined : wantedValue(field, then, live, now);
    if (declared === undefined || before === undefined) found.add("declared here");
    else if (sameValue(declared, after)) found.add(isPending ? "pending" : "drift");
    else found.add(sameValue(declared, before) || isPending ? "declared here" : "both");
  }
  if (found.has("both") || (found.has("declared here") && found.has("drift"))) return "both";
  return (["declared here", "drift", "pending"] as const).find((origin) => found.has(origin)) ?? "declared here";
}

/** Reports why a comparison with the base is incomplete. */
export function baseFindings(
  { file, baseUrl, policy }: Project,
  { ref, project: then }: NonNullable<CreatePlanOptions["base"]>,
): Diagnostic[] {
  const severity = policy.prune.mode === "removed" ? "warning" : "info";
  if (then === null) {
    const message = `\`${ref}\` does not contain ${file}, so linkform cannot detect what was removed from the files since then.`;
    const hint =
      severity === "info"
        ? null
        : "If you moved or renamed the project file, write tombstones for the links and pixels that you removed.";
    return [{ code: "base-new", severity, message, place: null, hint }];
  }
  if (then.baseUrl.value === baseUrl.value) return [];
  const message = `At \`${ref}\`, \`service.base_url\` was ${then.baseUrl.value}. linkform does not delete links or pixels just because they were declared there.`;
  const hint = "Use a base that has the current address, or write tombstones.";
  return [{ code: "base-other-address", severity, message, place: baseUrl.place, hint }];
}

/** Equal for equal tombstones. */
function tombstoneKey(identity: string, id: number | null): string {
  return `${identity} ${id ?? ""}`;
}

function sideAtBase(project: Project, state: LiveState, present: AccountNames): AccountNames {
  const own = directories(project, state);
  const named = (then: NameDirectory, now: NameDirectory): NameDirectory => ({
    idOf: (text) => then.idOf(text),
    shown: (id) => now.shown(id) ?? then.shown(id),
    namesOf: (id) => new Set([...then.namesOf(id), ...now.namesOf(id)]),
    ids: new Map([...then.ids, ...now.ids]),
  });
  const domains = named(own.domains, present.domains);
  const ids = new Map(state.pixels.map((record) => [fold(nameOf(record)), record.id]));
  return {
    domains,
    spaces: named(own.spaces, present.spaces),
    pixels: {
      ofMention: (name) => {
        const id = ids.get(fold(name));
        return id === undefined ? (present.pixels.ofMention(name) ?? name) : present.pixels.ofRecord(id, name);
      },
      ofRecord: (id, name) => present.pixels.ofRecord(id, name),
      nearest: () => null,
    },
    keys: new Keys(domains),
    zones: { account: present.zones.account, files: project.zone ?? present.zones.account ?? "UTC" },
    diagnostics: [],
  };
}

/** Warns that removed declarations are not deleted without a base that a flag names. */
export function pruneWithoutBase(base: Base | null, { policy: { prune } }: Project): Diagnostic[] {
  if (prune.mode !== "removed" || (base !== null && base.impliedDays === undefined)) return [];
  const why =
    base === null
      ? "linkform cannot detect removed declarations"
      : `the tag \`${base.ref}\` only affects what is reported`;
  const message = `\`prune: removed\` deletes nothing without \`--base\`, because ${why}.`;
  const hint = `Pass \`--base ${base?.ref ?? "REF"}\` with the last commit that was applied.`;
  return [warning("prune-without-base", message, prune.place, hint)];
}
