// One live object beside the files: what the planner would do with it, and with nothing else.

import type { Live, Plan } from "../domain/change.ts";
import type { Diagnostic } from "../domain/diagnostic.ts";
import { fold } from "../domain/fold.ts";
import type { LiveRow, LiveState, Named } from "../domain/live.ts";
import { DEFAULT_BRAKE } from "../domain/policy.ts";
import type { Project } from "../domain/project.ts";
import { NO_FILTER } from "../domain/filter.ts";
import { whatIsMissing } from "../plan/missing.ts";
import { nameOf } from "../plan/names.ts";
import { NO_OPTIONS } from "../plan/options.ts";
import { createPlan } from "../plan/plan.ts";
import { settleScope } from "../plan/scope.ts";
import { settle } from "../plan/settle.ts";
import { declarables } from "../report/declare.ts";
import type { Shown } from "../report/seen.ts";
import type { Reader } from "../service/service.ts";
import { readWanted, type Found } from "./list-read.ts";
import { seeRows, stateOf } from "./look.ts";
import type { Detail } from "./read-links.ts";
import type { Finder } from "./show-find.ts";

/** What it takes to hold objects against the files. */
export interface Comparing {
  readonly reader: Reader;
  readonly finder: Finder;
  readonly project: Project;
  readonly hasProject: boolean;
  readonly now: string;
  readonly detail: Detail;
  readonly asked: Asked;
}

/** What is asked for once at most, however many objects need it. */
export class Asked {
  readonly #reader: Reader;
  readonly #names = new Map<"domains" | "spaces", Promise<readonly Named[] | null>>();
  #zone: Promise<string | null> | null = null;

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  names(of: "domains" | "spaces"): Promise<readonly Named[] | null> {
    const asked = this.#names.get(of) ?? this.#reader.names(of);
    this.#names.set(of, asked);
    return asked;
  }

  zone(): Promise<string | null> {
    this.#zone ??= this.#reader.accountZone();
    return this.#zone;
  }
}

/** Users of a pixel that are named; the others are counted. */
const USERS = 10;

/** All that is to be said of a row. */
export async function compareRow(row: LiveRow, comparing: Comparing): Promise<Shown | null> {
  const { reader, finder, hasProject, now, detail, asked } = comparing;
  const project = aboutRow(comparing.project, row);
  const others = row.kind === "link" ? await Promise.all(related(project, row).map((name) => finder.links(name))) : [];
  const users = row.kind === "pixel" ? await usersOf(row.id, reader, now, detail) : null;
  const links = row.kind === "link" ? [row, ...others.flat().filter(({ id }) => id !== row.id)] : (users?.rows ?? []);
  const pixels = hasProject && row.kind === "link" ? await finder.pixels() : row.kind === "pixel" ? [row] : [];
  const missing = whatIsMissing({ project, base: null }, { links: row.kind === "link" ? links : [] }, true);
  const [domains, spaces, accountZone] = await Promise.all([
    missing.domains ? asked.names("domains") : null,
    missing.spaces ? asked.names("spaces") : null,
    missing.zone ? asked.zone() : null,
  ]);
  const state = stateOf({ links, pixels, domains, spaces, accountZone, isWhole: true }, reader.requests);
  const plan = createPlan(project, state, now, NO_OPTIONS);
  const settled = settle(project, state);
  const [seen] = seeRows([row], settled, now);
  if (seen === undefined) return null;
  // Whatever is wrong in the files, the lines are those of a file of its own.
  const planOfNothing = (): Plan =>
    createPlan({ ...project, declarations: [], tombstones: [] }, state, now, NO_OPTIONS);
  const change = plan.changes.find((one) => one.action !== "create" && isRow(one.live, row)) ?? null;
  const isNamed = seen.declared !== null || seen.absent !== null;
  return {
    ...seen,
    plan,
    change,
    problems: plan.complete ? [] : plan.diagnostics.filter(({ severity }) => severity === "error"),
    remarks: isNamed && plan.complete ? remarksOf(plan) : [],
    declarable: isNamed ? null : declarableOf(row, plan.complete ? plan : planOfNothing(), comparing.project),
    isPruned: !isNamed && isPruned(comparing.project, state, seen.live),
    users: users && {
      count: users.total ?? users.counted,
      keys: seeRows(users.rows.slice(0, USERS), settled, now).map(({ live }) => live.key),
    },
  };
}

function declarableOf(row: LiveRow, plan: Plan, project: Project): Shown["declarable"] {
  return declarables(plan, project).find(({ live }) => isRow(live, row)) ?? null;
}

function isRow({ kind, id }: Pick<Live, "kind" | "id">, row: LiveRow): boolean {
  return kind === row.kind && id === row.id;
}

/** What stays as it is live because the files are silent. */
function remarksOf({ diagnostics }: Plan): Diagnostic[] {
  return diagnostics.filter(({ severity }) => severity !== "error");
}

/** What of the files has to do with this row, and nothing that would keep a difference from being shown. */
function aboutRow(project: Project, row: LiveRow): Project {
  const names = namesAround(project, row);
  const isAbout = (one: { readonly kind: string; readonly name: string }): boolean =>
    one.kind === row.kind && names.has(fold(one.name));
  return {
    ...project,
    declarations: project.declarations
      .filter((one) => isAbout(one) || (row.kind === "link" && one.kind === "pixel"))
      .map((one) => ({ ...one, protect: null })),
    tombstones: project.tombstones.filter(isAbout),
    policy: { scope: null, prune: { mode: "none", place: null }, brake: DEFAULT_BRAKE, protect: [], allow: null },
  };
}

/** The folded names of a row, of what it is renamed to, and of what takes its place. */
function namesAround({ declarations }: Project, row: LiveRow): ReadonlySet<string> {
  const names = new Set([fold(nameOf(row))]);
  const steps = declarations.flatMap(({ kind, name, renamedFrom }) =>
    kind === row.kind && renamedFrom !== null ? [[fold(name), fold(renamedFrom.name)] as const] : [],
  );
  for (let size = 0; size !== names.size;) {
    size = names.size;
    for (const [to, from] of steps) if (names.has(to) || names.has(from)) names.add(to).add(from);
  }
  return names;
}

/** The aliases of other links that decide what becomes of this one. */
function related({ declarations }: Project, row: LiveRow): string[] {
  const all = declarations.flatMap(({ kind, name, renamedFrom }) =>
    kind === "link" && renamedFrom !== null ? [name, renamedFrom.name] : [],
  );
  return [...new Map(all.map((name) => [fold(name), name])).values()].filter(
    (name) => fold(name) !== fold(nameOf(row)),
  );
}

/** Whether the files ask for everything in their scope to be deleted that they don't name, and this lies there. */
function isPruned({ policy, ...project }: Project, state: LiveState, live: Live): boolean {
  if (policy.prune.mode !== "scope" || policy.scope === null) return false;
  const { side } = settle({ ...project, declarations: [], tombstones: [], policy }, state);
  return settleScope(policy.scope, side)?.has(live.kind, live.values) === true;
}

/** The first links that use a pixel, and how many there are. */
async function usersOf(id: number, reader: Reader, now: string, detail: Detail): Promise<Found> {
  const filter = { ...NO_FILTER, pixel: { id } };
  return readWanted(reader, { kind: "link", filter, now, order: "asc", perPage: 100, enough: USERS }, detail);
}
