// One part of a drift check that several jobs share: which declarations it compares, and its plan.

import type { Live, Plan } from "../domain/change.ts";
import { info } from "../domain/diagnostic.ts";
import { fold } from "../domain/fold.ts";
import type { LiveRecord, LiveState } from "../domain/live.ts";
import { compareText } from "../domain/place.ts";
import type { Project, WrittenKey } from "../domain/project.ts";
import { PART_CODE, type Shard, type ShardNumber } from "../domain/shard.ts";
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

/** The keys of links that any part may see, sorted. */
function keysOf({ declarations, tombstones }: Project, tied: ReadonlySet<string>): WrittenKey[] {
  const byText = new Map(
    [...tombstones, ...declarations]
      .filter(({ kind, name }) => kind === "link" && !tied.has(fold(name)))
      .map((key) => [`${key.domain ?? ""}/${fold(key.name)}`, key] as const),
  );
  return [...byText].toSorted(([a], [b]) => compareText(a, b)).map(([, key]) => key);
}

/** All that the files declare, as text. */
function declaredText({ declarations, tombstones }: Project): string {
  const lines = [
    ...declarations.map(({ kind, domain, name, fields, secrets, unspecified, renamedFrom }) => {
      const values = [...fields].map(([path, { value }]) => [path, value]);
      const sources = [...secrets].map(([path, source]) => [path, source.from, source.name]);
      return [kind, domain, name, values, sources, unspecified, renamedFrom?.domain, renamedFrom?.name];
    }),
    ...tombstones.map(({ kind, domain, name, id }) => [kind, domain, name, id]),
  ];
  return lines.map((line) => JSON.stringify(line)).join("\n");
}

/** What a part has read. `state.links` are its links, and for the first part also the links that are tied by renames. */
export interface ShardReading {
  readonly state: LiveState;
  readonly borders: Pick<Shard, "beginsAfter" | "endsWith" | "isEnd">;
}

/** The part of a project whose links were read: what names the files must confirm, and what is planned. */
export function projectOfShard(project: Project, records: readonly LiveRecord[], { index }: ShardNumber): Project {
  const tied = tiedNames(project);
  const naming = { links: records, unreadable: [], domains: null, spaces: null };
  const keys = new Keys(directories(project, naming).domains);
  const read = new Set(records.map((record) => keys.identityOfRecord(record)));
  const isTied = ({ name }: WrittenKey): boolean => tied.has(fold(name));
  const isIn = (key: WrittenKey): boolean => (isTied(key) ? index === 1 : read.has(keys.of(key).identity));
  return {
    ...project,
    declarations: project.declarations.filter((one) => one.kind === "pixel" || isIn(one)),
    tombstones: project.tombstones.filter((one) => one.kind === "pixel" || !isTied(one) || index === 1),
  };
}

/** Plans a part. Pixels are for the first part; the others only need their names. `digest` is equal only for equal texts. */
export function planShard(
  project: Project,
  part: Project,
  { state, borders }: ShardReading,
  shard: ShardNumber,
  now: string,
  options: CreatePlanOptions,
  digest: (text: string) => string,
): Plan {
  const { index, count } = shard;
  const whole = createPlan(part, state, now, options);
  const plan = index === 1 ? whole : withoutPixels(whole, part, state);
  const all = keysOf(project, tiedNames(project));
  const keys = new Keys(directories(project, state).domains);
  const read = new Set([...state.links, ...state.unreadable].map((record) => keys.identityOfRecord(record)));
  const seen = Buffer.alloc(Math.ceil(all.length / BYTE));
  const unseen: { readonly at: number; readonly key: WrittenKey }[] = [];
  for (const [at, key] of all.entries()) {
    if (read.has(keys.of(key).identity)) seen[at >> 3] = (seen[at >> 3] ?? 0) | (1 << (at & 7));
    else if (at % count === index - 1) unseen.push({ at, key });
  }
  const creates = planCreates(
    project,
    unseen.map(({ key }) => key),
    state,
    now,
    options,
  );
  const places = new Map(unseen.map(({ at, key }) => [keys.of(key).identity, at]));
  return {
    ...plan,
    complete: plan.complete && creates.complete,
    brakes: [],
    diagnostics: [
      info(
        PART_CODE,
        `This is part ${index} of ${count} of the account.`,
        null,
        "Join the parts with `linkform merge`.",
      ),
      ...plan.diagnostics.filter(({ code }) => code !== UNKNOWN_IN_PART),
      ...creates.diagnostics.filter(({ severity }) => severity === "error"),
    ],
    shard: {
      ...shard,
      ...borders,
      keys: digest(declaredText(project)),
      seen: seen.toString("base64"),
      missing: creates.changes.flatMap((change) =>
        change.kind !== "link" || change.action !== "create"
          ? []
          : [{ at: places.get(change.desired.identity) ?? 0, change }],
      ),
    },
  };
}

const BYTE = 8;

/** A glob of `protect` that matches nothing in one part may match a link of another. */
const UNKNOWN_IN_PART = "protects-nothing";

/** The creates of declarations, as if no part had their links. */
function planCreates(
  project: Project,
  unseen: readonly WrittenKey[],
  state: LiveState,
  now: string,
  options: CreatePlanOptions,
): Plan {
  const wanted = new Set(unseen);
  const declarations = project.declarations.filter((one) => one.kind === "pixel" || wanted.has(one));
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
