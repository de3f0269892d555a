// Edits the files of a project in rounds, until a plan of them is empty.

import type { Change, Live } from "../domain/change.ts";
import { hasErrors, type Diagnostic } from "../domain/diagnostic.ts";
import type { NamedKey } from "../domain/named-key.ts";
import type { Place } from "../domain/place.ts";
import { besidePlan, isAboutSending } from "../domain/rules.ts";
import { fieldsText, type LiveState } from "../domain/live.ts";
import { DEFAULT_POLICY, type Declaration, type Project } from "../domain/project.ts";
import { loadFrom, type Loaded } from "../config/load.ts";
import { overlayFiles, type FileSource } from "../config/file-source.ts";
import { UTM_KEYS } from "../domain/utm.ts";
import { generatedFile, isJsonFile } from "../config/json.ts";
import { NO_OPTIONS } from "../session/plan-flags.ts";
import { directories } from "../plan/directory.ts";
import { createPlan } from "../plan/plan.ts";
import { resolve, resolveDefaults, type Resolved } from "../plan/resolve.ts";
import { usesUtm, utmPath } from "../edit/utm.ts";
import { VariableNames } from "../edit/variable-names.ts";
import { EditedFiles } from "../edit/edited-file.ts";
import { strandedProblems, sideEffects, sideEffectProblem, type SideEffect } from "./side-effects.ts";
import { declareNew, type NewBlockInput } from "./new-blocks.ts";
import { pullDeclared, type PullContext, type PulledItem } from "./declared-blocks.ts";
import { keysOf, nameOf, narrowProject, selectRecords, type PullCriteria, type PullSelection } from "./selection.ts";

export interface PullInput extends Pick<NewBlockInput, "split" | "taken" | "schema"> {
  readonly source: FileSource;
  readonly loaded: Loaded;
  readonly project: Project;
  /** The texts of all files, without byte order marks. */
  readonly texts: ReadonlyMap<string, string>;
  readonly state: LiveState;
  readonly now: string;
  readonly criteria: PullCriteria;
  /** Criteria that match nothing are no error. */
  readonly mayBeEmpty?: boolean;
}

export interface PullResult {
  /** The files to write. */
  readonly texts: ReadonlyMap<string, string>;
  /** Each object that was edited or skipped. */
  readonly items: readonly PulledItem[];
  /** New variables for secrets. */
  readonly variables: readonly string[];
  /** Findings about the new files. Nothing is written if there are errors. */
  readonly diagnostics: readonly Diagnostic[];
  /** Warnings about the new files. */
  readonly warnings: number;
  /** Changes that a plan would still make to selected objects. */
  readonly pending: readonly Change[];
  /** Unreadable records that files declare. A plan stays in error until they are fixed. */
  readonly blocked: number;
}

const NOTHING: Omit<PullResult, "diagnostics"> = {
  texts: new Map(),
  items: [],
  variables: [],
  warnings: 0,
  pending: [],
  blocked: 0,
};

/** Anchors that depend on each other take one round each. */
const MAX_ROUNDS = 20;

const UNCONFIRMED = "unconfirmed-domain";
const IF_GONE = "If its links no longer exist, remove them from the files.";

/** Computes the new texts of the files. Writes nothing. */
export async function pullInto(input: PullInput): Promise<PullResult> {
  const { domains } = directories(
    input.criteria.keys.length === 0 ? input.project : narrowProject(input.project, input.criteria.keys),
    input.state,
  );
  // Links on an unknown domain cannot be found, which does not mean that they are deleted.
  if (hasErrors(domains.diagnostics)) {
    const diagnostics = domains.diagnostics.map((one) =>
      one.code === UNCONFIRMED ? { ...one, hint: `${one.hint} ${IF_GONE}` } : one,
    );
    return { ...NOTHING, diagnostics };
  }
  const { sideEffects: affected, ...pulled } = await pullRounds(input, new Map());
  if (affected.length === 0) return pulled;
  // Unselected blocks that use an anchor of a selected block get their own copy of its value first.
  const files = new EditedFiles(input.texts);
  for (const { declaration, keys } of affected) files.at(declaration.place).writeOut(declaration.place, keys);
  const { sideEffects: remaining, ...again } = await pullRounds(input, files.changed());
  return { ...again, diagnostics: [...again.diagnostics, ...remaining.map(sideEffectProblem)] };
}

interface PullRounds extends PullResult {
  readonly sideEffects: readonly SideEffect[];
}

/** Pulls, starting with these edited texts. */
async function pullRounds(input: PullInput, first: ReadonlyMap<string, string>): Promise<PullRounds> {
  const { state, criteria, now } = input;
  const items = new Map<string, PulledItem>();
  let { texts, loaded, project } = input;
  let changed: ReadonlyMap<string, string> = new Map();
  let edits = first;
  let found: readonly NamedKey[] = [];
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    if (edits.size > 0) {
      texts = new Map([...texts, ...edits]);
      changed = new Map([...changed, ...edits]);
      loaded = await loadFrom(overlayFiles(input.source, changed), project.file, { now });
      const { diagnostics } = loaded;
      if (loaded.project === null) {
        const wrong = { variables: [], diagnostics, warnings: 0, pending: [], blocked: 0, sideEffects: [] };
        return { texts: changed, items: [...items.values()], ...wrong };
      }
      project = loaded.project;
    }
    const keys = [...criteria.keys, ...found];
    const named = keys.length === 0 ? project : narrowProject(project, keys);
    const all = resolve(named, state);
    // The declaration of an unreadable record stays byte for byte.
    const part = all.blockedAt.size === 0 ? named : withoutBlocked(named, all.blockedAt);
    const resolved = part === named ? all : resolve(part, state);
    const wholeProject = part === project ? resolved : resolve(project, state);
    const selection = selectRecords({ ...criteria, keys }, resolved, round > 0 || input.mayBeEmpty === true);
    // Later rounds need the keys of the live records, because blocks may be removed or renamed.
    if (round === 0 && keys.length > 0) found = keysOf(resolved.live.filter(selection.wants));
    const generated = round === 0 ? generatedProblems(part, selection, input) : [];
    if (generated.length > 0) return { ...NOTHING, diagnostics: generated, sideEffects: [] };
    const variables = new VariableNames(project.declarations);
    const pulling: PullContext = {
      ...selection,
      isExplicit: round > 0,
      variables,
      defaultsAt: defaultsAt(loaded, resolved),
      usesUtm: usesUtm(project) || hasUtmDefaults(loaded),
    };
    const files = new EditedFiles(texts);
    const declared = pullDeclared(resolved, files, pulling);
    // A record that an untouched block names in `renamed_from` is not declared a second time.
    const renamedFrom = all.claims.flatMap(({ desired, live }) =>
      all.blockedAt.has(desired.place) && live ? [live] : [],
    );
    const isRenamedFrom = ({ kind, id }: Live): boolean =>
      renamedFrom.some((one) => one.kind === kind && one.id === id);
    const known = new Set([...declared.renamed, ...resolved.live.filter(isRenamedFrom)]);
    const fresh = declareNew({ ...input, loaded, project, resolved, wholeProject, known, files, pulling });
    const unreadable = keptBlocks(resolved, all.blockedAt, selection);
    for (const one of [...declared.items, ...fresh.items, ...unreadable])
      if (!items.has(nameOf(one))) items.set(nameOf(one), one);
    edits = new Map([...files.changed(), ...fresh.texts]);
    if (edits.size > 0) continue;
    const plan = createPlan(part, state, now, NO_OPTIONS);
    const isLeft = (change: Change): boolean => items.get(nameOf(subjectOf(change)))?.what === "skipped";
    const pending = plan.changes.filter((change) => isSelected(change, selection) && !isLeft(change));
    const given = variablesOf(input.project);
    const names = [...variablesOf(project)].filter((name) => !given.has(name));
    const places = claimedBy(resolved, selection);
    const isOwn = ({ place }: Declaration): boolean => places.has(place);
    const refused = loaded.diagnostics.filter(isAboutSending);
    const stranded = part === project ? [] : strandedProblems(input.project, project, isOwn);
    return {
      texts: changed,
      items: [...items.values()].map((one) => withPruneNote(one, plan.changes)),
      variables: names,
      diagnostics: [...besidePlan(refused, plan.diagnostics), ...plan.diagnostics, ...stranded],
      warnings: loaded.diagnostics.length - refused.length,
      pending,
      blocked: unreadable.filter(({ isStale }) => isStale).length,
      sideEffects: sideEffects(input.project, project, isOwn),
    };
  }
  throw new Error("the files did not come to say what is live");
}

/** An error for each selected object that a JSON file declares and a pull would have to change there. */
function generatedProblems(
  project: Project,
  selection: PullSelection,
  { loaded, state, now }: PullInput,
): Diagnostic[] {
  if (!loaded.files.some(isJsonFile)) return [];
  const declarations = project.declarations.map((one) => ({ ...one, protect: null }));
  const { changes } = createPlan({ ...project, declarations, policy: DEFAULT_POLICY }, state, now, NO_OPTIONS);
  return changes.flatMap((change) => {
    const { kind, key, source } = change;
    if (!isJsonFile(source.file) || !isSelected(change, selection)) return [];
    return [generatedFile(`The ${kind} \`${key}\` differs from the live state, but`, source)];
  });
}

function withoutBlocked(project: Project, blocked: Resolved["blockedAt"]): Project {
  return {
    ...project,
    declarations: project.declarations.filter(({ place }) => !blocked.has(place)),
    tombstones: project.tombstones.filter(({ place }) => !blocked.has(place)),
  };
}

/** Reports each unreadable record, and that its block stays unchanged. */
function keptBlocks({ unreadable }: Resolved, blocked: Resolved["blockedAt"], { wants }: PullSelection): PulledItem[] {
  return unreadable.flatMap(({ live, key, fields }): PulledItem[] => {
    const { kind, id } = live;
    const [place] = [...blocked].find(([, record]) => record.kind === kind && record.id === id) ?? [];
    if (!wants(live) && place === undefined) return [];
    const rest = place === undefined ? "no file declares it" : "its block stays unchanged";
    return [
      {
        what: "skipped",
        kind,
        key: key ?? `#${id}`,
        file: place?.file ?? null,
        note: `linkform cannot read it (${fieldsText(fields)}), and ${rest}`,
        identity: `unreadable ${id}`,
        isStale: place !== undefined,
      },
    ];
  });
}

/** Adds a warning to skipped objects that `prune: scope` would delete. */
function withPruneNote(one: PulledItem, changes: readonly Change[]): PulledItem {
  const isPruned =
    one.what === "skipped" &&
    changes.some((change) => change.action === "delete" && nameOf(change.live) === nameOf(one));
  return isPruned
    ? { ...one, isStale: true, note: `${one.note ?? ""}; the next apply deletes it because of \`prune: scope\`` }
    : one;
}

/** Places of the selected blocks. */
function claimedBy({ claims }: Resolved, { wants, wantsGone }: PullSelection): ReadonlySet<Place> {
  const own = claims.filter(({ live, desired }) => (live === undefined ? wantsGone(desired) : wants(live)));
  return new Set(own.map(({ desired }) => desired.place));
}

function defaultsAt({ documents, linkDefaults }: Loaded, { side }: Resolved): PullContext["defaultsAt"] {
  return ({ file, line }) => {
    const before = documents.filter((one) => one.file === file && one.place.line <= line);
    return resolveDefaults(before.at(-1)?.linkDefaults ?? linkDefaults, side);
  };
}

/** Whether the defaults of any file have UTM values. */
function hasUtmDefaults({ documents }: Loaded): boolean {
  return documents.some(({ linkDefaults }) => UTM_KEYS.some((key) => linkDefaults.has(utmPath(key))));
}

function subjectOf(change: Change): Pick<PulledItem, "kind" | "identity"> {
  return change.action === "create" ? change.desired : change.live;
}

/** Whether a change is about a selected object. */
function isSelected(change: Change, { wants, wantsGone }: PullSelection): boolean {
  return change.action === "create" ? wantsGone(change.desired) : wants(change.live);
}

function variablesOf({ declarations }: Project): ReadonlySet<string> {
  const sources = declarations.flatMap(({ secrets }) => [...secrets.values()]);
  return new Set(sources.flatMap(({ from, name }) => (from === "env" ? [name] : [])));
}
