// `linkform show`: single live objects, and how the files declare them. It cannot write.

import { didYouMean } from "../domain/nearest.ts";
import { error, errorsIn, type Diagnostic } from "../domain/diagnostic.ts";
import { fold } from "../domain/fold.ts";
import type { LiveRecord, LiveState } from "../domain/live.ts";
import { readNamedKey } from "../domain/named-key.ts";
import { DEFAULT_POLICY, type Project } from "../domain/project.ts";
import { FIELDS, pathsOf, type ResourceKind } from "../domain/table.ts";
import { EXIT, type ExitCode } from "../errors.ts";
import { capital } from "../report/counts.ts";
import { diagnosticDocuments } from "../report/finding-document.ts";
import type { ShowDocument, ShownDocument } from "../report/json/inspect.ts";
import { openAccess, type Access } from "../session/session.ts";
import type { ServiceFlags } from "../session/connect.ts";
import { Console } from "../session/console.ts";
import type { CommonFlags, World } from "../session/context.ts";
import { ambiguousKey, Finder, isNamed, keyOfRecord } from "../session/find.ts";
import type { Live, Plan } from "../domain/change.ts";
import { NO_FILTER } from "../domain/filter.ts";
import type { FieldSpec } from "../domain/field.ts";
import type { Secrets } from "../http/redact.ts";
import { sameValue } from "../domain/value.ts";
import { nameOf } from "../plan/names.ts";
import { NO_OPTIONS } from "../session/plan-flags.ts";
import { createPlan } from "../plan/plan.ts";
import { resolveScope } from "../plan/scope.ts";
import { resolve } from "../plan/resolve.ts";
import { declarables } from "../edit/declare.ts";
import { reportedChange } from "../report/document.ts";
import { unmanagedDocument } from "../report/unplanned.ts";
import { readMatching } from "../session/read-matching.ts";
import { inspectRecords } from "./records.ts";
import { partialState, readNames } from "../session/read-account.ts";
import { mergeRecords } from "../session/read-links.ts";

export type ShowFlags = CommonFlags & ServiceFlags;

/** Prints the objects that these words name. Exits with 1 if a word names no object, or several. */
export async function show(world: World, words: readonly string[], flags: ShowFlags): Promise<ExitCode> {
  const out = new Console(world, flags, "show");
  return out.run(async () => {
    const { baseUrl, reader, project, hasProject, diagnostics } = await openAccess(out);
    const now = world.now();
    const finder = new Finder(reader, project);
    const problems: Diagnostic[] = [];
    const records = new Map<string, LiveRecord>();
    for (const word of new Set(words)) {
      const id = idIn(word);
      const found = id === null ? await finder.find(readNamedKey(word)) : ((await reader.show(id.kind, id.id)) ?? []);
      const [record, ...others] = [found].flat();
      if (record === undefined) problems.push(await missing(word, finder, project));
      else if (others.length > 0) problems.push(ambiguous(word, [record, ...others]));
      else records.set(`${record.kind} ${record.id}`, record);
    }
    const comparing = { reader, finder, project, hasProject, now, secrets: world.secrets };
    const shown = [];
    for (const record of records.values()) shown.push(...(await compareRecord(record, comparing)));
    const findings = [...diagnostics, ...shown.flatMap((one) => one.remarks), ...problems];
    out.findings(findings);
    const plan = shown[0]?.plan;
    const document: ShowDocument = {
      format_version: "1.0",
      complete: true,
      service: { base_url: baseUrl, software: plan?.software ?? null },
      has_files: hasProject,
      timezone: plan?.zones.files ?? project.zone ?? "UTC",
      objects: shown.map((one) => one.document),
      diagnostics: diagnosticDocuments(world.secrets.hideIn(findings)),
      requests: { read: reader.requests },
    };
    return out.report({ of: "show", document }, problems.length === 0 ? EXIT.done : EXIT.error);
  });
}

/** `#12` is the id of a link, `pixel:#12` that of a pixel. */
function idIn(word: string): { readonly kind: ResourceKind; readonly id: number } | null {
  const [, kind, id] = /^(?:(link|pixel):)?#(\d+)$/.exec(word) ?? [];
  return id === undefined ? null : { kind: kind === "pixel" ? "pixel" : "link", id: Number(id) };
}

async function missing(word: string, finder: Finder, { declarations, domains }: Project): Promise<Diagnostic> {
  const key = readNamedKey(word);
  const [kind, id] = [idIn(word)?.kind ?? key.kind, idIn(word)?.id];
  const listing = `Run \`linkform list${kind === "pixel" ? " pixels" : ""}\` to see all ${kind ?? "link"}s.`;
  if (id !== undefined) return error("not-found", `No ${kind ?? "link"} has the id ${id}.`, null, listing);
  const declared = declarations.find((one) => isNamed(key, one, domains));
  if (declared !== undefined) {
    const hint = "Run `linkform plan` to see what would be created, and `linkform apply` to create it.";
    return error("not-live", `\`${word}\` is declared but not live.`, declared.place, hint);
  }
  const what = kind ?? (key.domain === null ? "link or pixel" : "link");
  const message = `${capital(what)} \`${word.replace(/^(?:link|pixel):(?=.)/, "")}\` does not exist.`;
  return error("not-found", message, null, didYouMean(await finder.nearest(key), listing));
}

function ambiguous(word: string, records: readonly LiveRecord[]): Diagnostic {
  const folded = records.map((record) => fold(`${record.kind}:${keyOfRecord(record)}`));
  // Records whose keys fold to the same text differ only in their ids.
  const isTwin = (key: string): boolean => folded.indexOf(key) !== folded.lastIndexOf(key);
  const keys = records.map(
    (record, at) => `\`${record.kind}:${isTwin(folded[at] ?? "") ? `#${record.id}` : keyOfRecord(record)}\``,
  );
  return ambiguousKey(word, keys);
}

interface CompareContext extends Pick<Access, "reader" | "project" | "hasProject"> {
  readonly finder: Finder;
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

async function compareRecord(record: LiveRecord, comparing: CompareContext): Promise<ComparedRecord[]> {
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
  const isInFiles = document.declared !== null || document.absent !== null;
  const declarable = isInFiles
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
      remarks: isInFiles && plan.complete ? plan.diagnostics.filter(({ severity }) => severity !== "error") : [],
      document: {
        ...document,
        defaults: FIELDS[live.kind].filter(isDefault).flatMap(pathsOf),
        change: change === undefined ? null : reportedChange(change, plan),
        problems: plan.complete ? [] : diagnosticDocuments(secrets.hideIn(errorsIn(plan.diagnostics))),
        declare: lines?.declare ?? null,
        ...(lines?.problem !== undefined && { declare_problem: lines.problem }),
        pruned: !isInFiles && isPruned(comparing.project, state, live),
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
