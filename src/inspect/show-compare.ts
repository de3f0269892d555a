// Compares one live object with the files: what the planner would do with this object alone.

import type { Live, Plan } from "../domain/change.ts";
import { errorsIn, type Diagnostic } from "../domain/diagnostic.ts";
import { fold } from "../domain/fold.ts";
import type { LiveRecord, LiveState } from "../domain/live.ts";
import { DEFAULT_POLICY, type Project } from "../domain/project.ts";
import { NO_FILTER } from "../domain/filter.ts";
import type { FieldSpec } from "../domain/field.ts";
import type { Secrets } from "../http/redact.ts";
import { FIELDS, pathsOf, type ResourceKind } from "../domain/table.ts";
import { sameValue } from "../domain/value.ts";
import { nameOf } from "../plan/names.ts";
import { NO_OPTIONS } from "../session/plan-flags.ts";
import { createPlan } from "../plan/plan.ts";
import { resolveScope } from "../plan/scope.ts";
import { resolve } from "../plan/resolve.ts";
import { declarables } from "../edit/declare.ts";
import { reportedChange } from "../report/document.ts";
import { diagnosticDocuments } from "../report/finding-document.ts";
import type { ShownDocument } from "../report/json/inspect.ts";
import { unmanagedDocument } from "../report/unplanned.ts";
import type { Reader } from "../service/service.ts";
import { readMatching } from "../session/read-matching.ts";
import { inspectRecords } from "./records.ts";
import { partialState, readNames } from "../session/read-account.ts";
import { mergeRecords } from "../session/read-links.ts";
import type { Finder } from "../session/find.ts";

export interface CompareContext {
  readonly reader: Reader;
  readonly finder: Finder;
  readonly project: Project;
  readonly hasProject: boolean;
  readonly now: string;
  readonly secrets: Secrets;
}

/** The listed users of a pixel. The others are counted. */
const USERS = 10;

interface ComparedRecord {
  readonly document: ShownDocument;
  readonly plan: Plan;
  /** About live values that the plan keeps because the files do not mention them. */
  readonly remarks: readonly Diagnostic[];
}

export async function compareRecord(record: LiveRecord, comparing: CompareContext): Promise<ComparedRecord[]> {
  const { reader, finder, hasProject, now, secrets } = comparing;
  // Whether a pixel can be deleted depends on the changes to all links that use it.
  const isTombstoned = record.kind === "pixel" && comparing.project.tombstones.some((one) => isNamedLike(one, record));
  const using = { kind: "link", filter: { ...NO_FILTER, pixel: { id: record.id } }, now } as const;
  const users =
    record.kind === "pixel" ? await readMatching(reader, { ...using, enough: isTombstoned ? null : USERS }) : null;
  const about = isTombstoned ? [record, ...(users?.records ?? [])] : [record];
  const project = narrowToRecords(comparing.project, about);
  // Another record with the same key conflicts with a declaration.
  const hasTwins = record.kind === "link" && project.declarations.some((one) => isNamedLike(one, record));
  const own = new Set(about.map((one) => fold(nameOf(one))));
  const aliases = [...relatedNames(project, about, "link")].filter((name) => hasTwins || !own.has(name));
  const others = await Promise.all(aliases.map((alias) => finder.links(alias)));
  const links = mergeRecords(record.kind === "link" ? [record] : (users?.records ?? []), ...others);
  const hasRenames = record.kind === "pixel" && project.declarations.some(({ renamedFrom }) => renamedFrom !== null);
  const readsPixels = hasProject && (record.kind === "link" || isTombstoned || hasRenames);
  const pixels = readsPixels ? await finder.pixels() : record.kind === "pixel" ? [record] : [];
  const names = await readNames({ project, base: null, wantsAll: true }, record.kind === "link" ? links : [], finder);
  const state = partialState({ links, pixels, ...names, isWhole: true }, reader.requests);
  const resolved = resolve(project, state);
  const plan = createPlan(resolved, now, NO_OPTIONS);
  const [inspected] = inspectRecords([record], resolved, now);
  if (inspected === undefined) return [];
  // If the files have errors, the block is written as for a project without declarations.
  const planWithoutFiles = (): Plan =>
    createPlan(resolve({ ...project, declarations: [], tombstones: [] }, state), now, NO_OPTIONS);
  const { live, document } = inspected;
  const change = plan.changes.find((one) => one.action !== "create" && isSameRecord(one.live, record));
  const isNamed = document.declared !== null || document.absent !== null;
  const declarable = isNamed
    ? undefined
    : declarables(plan.complete ? plan : planWithoutFiles(), comparing.project).find((one) =>
        isSameRecord(one.live, record),
      );
  const lines = declarable && unmanagedDocument(declarable);
  const isDefault = ({ path, required, default: usual }: FieldSpec): boolean => {
    const value = live.values.get(path);
    return !required && value !== undefined && sameValue(value, usual);
  };
  return [
    {
      plan,
      remarks: isNamed && plan.complete ? plan.diagnostics.filter(({ severity }) => severity !== "error") : [],
      document: {
        ...document,
        defaults: FIELDS[live.kind].filter(isDefault).flatMap(pathsOf),
        change: change === undefined ? null : reportedChange(change, plan),
        problems: plan.complete ? [] : diagnosticDocuments(secrets.hideIn(errorsIn(plan.diagnostics))),
        declare: lines?.declare ?? null,
        ...(lines?.problem !== undefined && { declare_problem: lines.problem }),
        pruned: !isNamed && isPruned(comparing.project, state, live),
        used_by: users && {
          count: users.total ?? users.counted,
          keys: inspectRecords(users.records.slice(0, USERS), resolved, now).map((one) => one.live.key),
        },
      },
    },
  ];
}

function isNamedLike({ kind, name }: { readonly kind: string; readonly name: string }, record: LiveRecord): boolean {
  return kind === record.kind && fold(name) === fold(nameOf(record));
}

function isSameRecord({ kind, id }: Pick<Live, "kind" | "id">, record: LiveRecord): boolean {
  return kind === record.kind && id === record.id;
}

/** The part of the project that concerns these records, without protection and policy, which could hide a difference. */
function narrowToRecords(project: Project, records: readonly LiveRecord[]): Project {
  const names = { link: relatedNames(project, records, "link"), pixel: relatedNames(project, records, "pixel") };
  const isAbout = (one: { readonly kind: ResourceKind; readonly name: string }): boolean =>
    names[one.kind].has(fold(one.name));
  const hasLinks = records.some(({ kind }) => kind === "link");
  return {
    ...project,
    declarations: project.declarations
      .filter((one) => isAbout(one) || (hasLinks && one.kind === "pixel"))
      .map((one) => ({ ...one, protect: null })),
    tombstones: project.tombstones.filter(isAbout),
    policy: DEFAULT_POLICY,
  };
}

/** The folded names of records, and all names that renames connect to them. */
function relatedNames(project: Project, records: readonly LiveRecord[], kind: ResourceKind): ReadonlySet<string> {
  const names = new Set(records.flatMap((record) => (record.kind === kind ? [fold(nameOf(record))] : [])));
  const steps = project.declarations.flatMap((one) =>
    one.kind === kind && one.renamedFrom !== null ? [[fold(one.name), fold(one.renamedFrom.name)] as const] : [],
  );
  for (let size = 0; size !== names.size;) {
    size = names.size;
    for (const [to, from] of steps) if (names.has(to) || names.has(from)) names.add(to).add(from);
  }
  return names;
}

function isPruned({ policy, ...project }: Project, state: LiveState, live: Live): boolean {
  if (policy.prune.mode !== "scope" || policy.scope === null) return false;
  const { side } = resolve({ ...project, declarations: [], tombstones: [], policy }, state);
  return resolveScope(policy.scope, side)?.has(live.kind, live.values) === true;
}
