// One part of a drift check that several jobs share: which declarations it compares, and its plan.

import type { Create, Live, Plan } from "../domain/change.ts";
import { append } from "../domain/collections.ts";
import { info, type Diagnostic } from "../domain/diagnostic.ts";
import { fold } from "../domain/fold.ts";
import type { LiveRecord, LiveState } from "../domain/live.ts";
import { keyText, type Declaration, type Project, type Tombstone, type WrittenKey } from "../domain/project.ts";
import { isResponsible, PART_CODE, type MissingLinks, type Shard, type ShardNumber } from "../domain/shard.ts";
import { directories } from "./directory.ts";
import { Keys } from "./names.ts";
import { createPlan, type CreatePlanOptions } from "./plan.ts";
import { planTotals } from "./summary.ts";

/**
 * The folded aliases of links that must be planned together with another one, which may be in any part: renames, and two links with one
 * key, of which a tombstone names one by its id. The first part looks them up.
 */
export function tiedNames({ declarations, tombstones }: Project): ReadonlySet<string> {
  return new Set([
    ...declarations.flatMap(({ kind, name, renamedFrom }) =>
      kind === "link" && renamedFrom !== null ? [fold(name), fold(renamedFrom.name)] : [],
    ),
    ...tombstones.flatMap(({ kind, name, id }) => (kind === "link" && id !== null ? [fold(name)] : [])),
  ]);
}

/** What a part has read. `state.links` are its links, and for the first part also the links that must be planned together. */
export interface ShardReading {
  readonly project: Project;
  /** What the links of this part are compared with. */
  readonly part: Project;
  readonly state: LiveState;
  readonly borders: Pick<Shard, "beginsAfter" | "endsWith" | "isEnd">;
}

/** The part of a project whose links were read: what names the files must confirm, and what is planned. */
export function projectOfShard(project: Project, records: readonly LiveRecord[], { index }: ShardNumber): Project {
  const tied = tiedNames(project);
  const naming = { links: records, unreadable: [], domains: null, spaces: null };
  const keys = new Keys(directories(project, naming).domains);
  const read = new Set(records.map((record) => keys.identityOfRecord(record)));
  const isIn = (key: WrittenKey): boolean => (tied.has(fold(key.name)) ? index === 1 : read.has(keys.of(key).identity));
  return { ...project, declarations: project.declarations.filter((one) => one.kind === "pixel" || isIn(one)) };
}

/** Packs creates of a plan into text: other parts have most of these links, so they would take much memory for nothing. */
export type PackCreates = (creates: readonly Create[], plan: Plan) => string;

/** The number of creates that are planned and packed together. */
const BATCH = 4000;

/**
 * Plans a part. `project` has the declarations with the aliases of its links and those that the part is responsible for, or more, and
 * `part` is what `projectOfShard` keeps of it. Pixels are for the first part; the others only need their names.
 */
export function planShard(
  { project, part, state, borders }: ShardReading,
  files: string,
  shard: ShardNumber,
  now: string,
  options: CreatePlanOptions,
  pack: PackCreates,
): Plan {
  const { index, count } = shard;
  const whole = createPlan(part, state, now, options);
  const plan = index === 1 ? whole : withoutPixels(whole, part, state);
  const tied = tiedNames(project);
  const isAnywhere = ({ kind, name }: Declaration | Tombstone): boolean => kind === "link" && !tied.has(fold(name));
  const keys = new Keys(directories(project, state).domains);
  const read = new Set([...state.links, ...state.unreadable].map((record) => keys.identityOfRecord(record)));
  const isRead = (key: WrittenKey): boolean => read.has(keys.of(key).identity);
  const declared = [...project.declarations, ...project.tombstones].filter(isAnywhere);
  const unseen = project.declarations.filter(
    (one) => isAnywhere(one) && isResponsible(fold(one.name), shard) && !isRead(one),
  );
  const texts = new Map(unseen.map((one) => [keys.of(one).identity, keyText(one)]));
  const naming = { ...state, links: distinctReferences(state.links) };
  const missing: MissingLinks[] = [];
  const errors: Diagnostic[] = [];
  for (let at = 0; at < unseen.length; at += BATCH) {
    const planned = planCreates(project, unseen.slice(at, at + BATCH), naming, now, options);
    append(
      errors,
      planned.diagnostics.filter(({ severity }) => severity === "error"),
    );
    const creates = planned.changes.filter(
      (change): change is Create => change.action === "create" && texts.has(change.desired.identity),
    );
    const batch = creates.map(({ desired }) => texts.get(desired.identity) ?? "");
    missing.push({ keys: batch, creates: pack(creates, planned) });
  }
  return {
    ...plan,
    complete: plan.complete && errors.length === 0,
    brakes: [],
    diagnostics: [
      info(
        PART_CODE,
        `This is part ${index} of ${count} of the account.`,
        null,
        "Join the parts with `linkform merge`.",
      ),
      ...plan.diagnostics.filter(({ code }) => code !== UNKNOWN_IN_PART),
      ...errors,
    ],
    shard: {
      ...shard,
      ...borders,
      files,
      seen: [...new Set(declared.filter(isRead).map(keyText))],
      missing,
    },
  };
}

/** A glob of `protect` that matches nothing in one part may match a link of another. */
const UNKNOWN_IN_PART = "protects-nothing";

/** One link for each combination of references: enough to resolve names. */
function distinctReferences(links: readonly LiveRecord[]): LiveRecord[] {
  return [...new Map(links.map((link) => [JSON.stringify([...link.references]), link])).values()];
}

/** The creates of declarations, as if no part had their links. */
function planCreates(
  project: Project,
  unseen: readonly Declaration[],
  state: LiveState,
  now: string,
  options: CreatePlanOptions,
): Plan {
  const declarations = [...project.declarations.filter(({ kind }) => kind === "pixel"), ...unseen];
  const policy = { ...project.policy, protect: [] };
  return createPlan({ ...project, policy, declarations, tombstones: [] }, state, now, options);
}

/** A plan without the changes and counts of pixels. */
function withoutPixels(plan: Plan, part: Project, state: LiveState): Plan {
  const isLink = ({ kind }: { readonly kind: string }): boolean => kind === "link";
  const changes = plan.changes.filter(isLink);
  const changed = [...plan.changes, ...plan.withheld.map(({ change }) => change)].filter(
    (change) => !isLink(change) && change.action !== "delete",
  );
  const declared = part.declarations.filter((one) => !isLink(one)).length;
  const unmanaged: readonly Live[] = plan.unmanaged.filter(isLink);
  const counts = {
    unchanged: plan.complete ? plan.summary.unchanged - (declared - changed.length) : 0,
    unmanaged: plan.summary.unmanaged === null ? null : unmanaged.length,
  };
  return {
    ...plan,
    ...planTotals(changes, counts, null, state),
    withheld: plan.withheld.filter(({ change }) => isLink(change)),
    unmanaged,
    unreadable: plan.unreadable.filter(({ live }) => isLink(live)),
    unknown: plan.unknown.filter((field) => field.startsWith("link ")),
  };
}
