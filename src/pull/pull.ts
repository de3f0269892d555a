// Writes the live state into the files of a project, and checks that a plan of them is empty.

import type { Change, Live } from "../domain/change.ts";
import { error, hasErrors, type Diagnostic } from "../domain/diagnostic.ts";
import type { Place } from "../domain/place.ts";
import { besidePlan, isAboutSending } from "../domain/rules.ts";
import { fold } from "../domain/fold.ts";
import { readNamedKey } from "../domain/named-key.ts";
import { fieldsText, type LiveState } from "../domain/live.ts";
import { pixelNamesOf, showKey, type Declaration, type Project } from "../domain/project.ts";
import { loadFrom, type Loaded } from "../config/load.ts";
import { overlayFiles, type FileSource } from "../config/file-source.ts";
import { generatedFile, isJsonFile } from "../config/json.ts";
import { NO_OPTIONS } from "../session/plan-flags.ts";
import { directories } from "../plan/directory.ts";
import { createPlan } from "../plan/plan.ts";
import { resolve, resolveDefaults, type Resolved } from "../plan/resolve.ts";
import { usesUtm } from "../edit/utm.ts";
import { VariableNames } from "../edit/variable-names.ts";
import { FileOutline } from "../edit/outline.ts";
import { writeAll } from "../edit/writer.ts";
import { declareNew, documentFinder, type NewBlockInput } from "./new-blocks.ts";
import { pullDeclared, type PullContext, type PulledItem } from "./declared-blocks.ts";
import { nameOf, narrowProject, selectRecords, type PullCriteria, type PullSelection } from "./selection.ts";

export interface PullInput extends Pick<NewBlockInput, "loaded" | "split"> {
  readonly source: FileSource;
  readonly state: LiveState;
  readonly now: string;
  readonly criteria: PullCriteria;
  /** Criteria that match nothing are no error. */
  readonly mayBeEmpty?: boolean;
}

export interface PullResult {
  readonly texts: ReadonlyMap<string, string>;
  /** Each object that was edited or skipped. */
  readonly items: readonly PulledItem[];
  readonly variables: readonly string[];
  /** Findings about the new files, and an error for each change that a plan would still make. Nothing is written if there are errors. */
  readonly diagnostics: readonly Diagnostic[];
  readonly warnings: number;
}

const NOTHING = { texts: new Map(), items: [], variables: [], warnings: 0 };

/** Computes the new texts of the files. Writes nothing. */
export async function pullInto(input: PullInput): Promise<PullResult> {
  const { state, criteria, loaded } = input;
  const { project, texts } = loaded;
  const named = narrowProject(project, criteria.keys);
  const { domains } = directories(named, state);
  // Links on an unknown domain cannot be found, which does not mean that they are deleted.
  if (hasErrors(domains.diagnostics)) {
    const hint = "If its links no longer exist, remove them from the files.";
    const diagnostics = domains.diagnostics.map((one) =>
      one.code === "unconfirmed-domain" ? { ...one, hint: `${one.hint} ${hint}` } : one,
    );
    return { ...NOTHING, diagnostics };
  }
  const { all, part, resolved } = readablePart(named, state);
  const wants = selectRecords(criteria, resolved, input.mayBeEmpty === true);
  const outlines = new Map<string, FileOutline>();
  const outlineOf = (file: string): FileOutline => {
    const known = outlines.get(file) ?? new FileOutline((texts.get(file) ?? "").replace(/^\uFEFF/, ""), file);
    outlines.set(file, known);
    return known;
  };
  const pulling: PullContext = {
    wants,
    variables: new VariableNames(project.declarations),
    defaultsAt: defaultsAt(loaded, resolved),
    usesUtm: usesUtm(project),
    has: (place, path) => !isJsonFile(place.file) && outlineOf(place.file).has(place, path),
  };
  const { items: declared, references } = pullDeclared(resolved, pulling);
  const generated = declared.flatMap(({ kind, key, place }) =>
    place !== undefined && isJsonFile(place.file)
      ? generatedFile(`The ${kind} \`${key}\` differs from the live state, but`, place)
      : [],
  );
  if (generated.length > 0) return { ...NOTHING, diagnostics: generated };
  // A record that an untouched block names in `renamed_from` is not declared a second time.
  const renamedFrom = all.claims.flatMap(({ desired, live }) =>
    all.blockedAt.has(desired.place) && live ? [live] : [],
  );
  const isRenamedFrom = ({ kind, id }: Live): boolean => renamedFrom.some((one) => one.kind === kind && one.id === id);
  const known = new Set([...declared.flatMap(({ live }) => live ?? []), ...resolved.live.filter(isRenamedFrom)]);
  const wholeProject = part === project ? resolved : resolve(project, state);
  const fresh = declareNew({ ...input, resolved: { ...resolved, references }, wholeProject, known, pulling });
  const planned = [...declared, ...fresh.items];
  const { changed, leftAlone } = writeAll(texts, planned);
  const made = planned.map((one): PulledItem => {
    const reason = one.edit && leftAlone.get(one.edit);
    const note = `linkform does not edit it, because ${reason}. Edit it by hand: \`linkform plan\` shows what differs.`;
    return reason ? { ...one, what: "skipped", note, isStale: true } : one;
  });
  const written = [...made, ...keptBlocks(resolved, all.blockedAt, wants)];
  const items = [...new Map(written.toReversed().map((one) => [nameOf(one), one])).values()].toReversed();
  const left = new Set(
    items.flatMap((one) => (one.what === "skipped" ? [nameOf(one), ...(one.live ? [nameOf(one.live)] : [])] : [])),
  );
  return check(input, new Map([...changed, ...fresh.texts]), items, left, resolved, wants);
}

/** Loads the project with the new texts and plans it. Only objects in `left` may have changes. */
async function check(
  { state, criteria, loaded: first, source, now }: PullInput,
  texts: ReadonlyMap<string, string>,
  items: readonly PulledItem[],
  left: ReadonlySet<string>,
  resolved: Resolved,
  wanted: PullSelection,
): Promise<PullResult> {
  const before = first.project;
  const loaded = texts.size === 0 ? first : await loadFrom(overlayFiles(source, texts), before.file, { now });
  const { project } = loaded;
  if (project === null) return { ...NOTHING, texts, items, diagnostics: loaded.diagnostics };
  // The live records may have other keys than their blocks had.
  const found = criteria.keys.length === 0 ? [] : resolved.live.filter(wanted);
  const keys = [...criteria.keys, ...found.map(({ kind, key }) => readNamedKey(`${kind}:${key}`))];
  const { part, resolved: after } = readablePart(narrowProject(project, keys), state);
  const wants = selectRecords({ ...criteria, keys }, after, true);
  const plan = createPlan(after, now, NO_OPTIONS);
  const pending = plan.changes.filter((change) => {
    const one = change.action === "create" ? change.desired : change.live;
    return wants(one) && !left.has(nameOf(one));
  });
  const given = variablesOf(before);
  const claimed = after.claims.filter(({ live, desired }) => wants(live ?? desired));
  const places = new Set(claimed.map(({ desired }) => desired.place));
  const refused = loaded.diagnostics.filter(isAboutSending);
  const stranded =
    part === project ? [] : strandedProblems(before, project, ({ place }: Declaration) => places.has(place));
  return {
    texts,
    items: items.map((one) => withPruneNote(one, plan.changes)),
    variables: [...variablesOf(project)].filter((name) => !given.has(name)),
    diagnostics: [
      ...besidePlan(refused, plan.diagnostics),
      ...plan.diagnostics,
      ...stranded,
      ...pending.map(pendingProblem),
    ],
    warnings: loaded.diagnostics.length - refused.length,
  };
}

/** The project without the declarations of unreadable records, which stay byte for byte. */
function readablePart(
  named: Project,
  state: LiveState,
): { readonly all: Resolved; readonly part: Project; readonly resolved: Resolved } {
  const all = resolve(named, state);
  // A block without a live record may be that of a record whose key cannot be read.
  const hidden = new Set(all.unreadable.flatMap(({ kind, hasKey }) => (hasKey ? [] : [kind])));
  const unclear = all.claims.filter(({ desired, live }) => live === undefined && hidden.has(desired.kind));
  const left = new Set([...all.blockedAt.keys(), ...unclear.map(({ desired }) => desired.place)]);
  if (left.size === 0) return { all, part: named, resolved: all };
  const isReadable = ({ place }: { readonly place: Place }): boolean => !left.has(place);
  const part = {
    ...named,
    declarations: named.declarations.filter(isReadable),
    tombstones: named.tombstones.filter(isReadable),
  };
  return { all, part, resolved: resolve(part, state) };
}

/** Unselected links that use a pixel that the pull renames or removes. */
function strandedProblems(before: Project, after: Project, isPulled: (one: Declaration) => boolean): Diagnostic[] {
  const remaining = pixelsOf(after);
  const lost = new Set([...pixelsOf(before)].filter((name) => !remaining.has(name)));
  return after.declarations.flatMap((one) => {
    const missing = pixelNamesOf(one).filter((name) => lost.has(fold(name)));
    if (missing.length === 0 || isPulled(one)) return [];
    const what = missing.length === 1 ? "a pixel" : "pixels";
    const message = `\`${showKey(one)}\` uses ${what} that this pull renames or removes: \`${missing.join("`, `")}\`.`;
    return [error("pull-strands", message, one.place, "Pull it as well, or pull everything: `linkform pull`.")];
  });
}

function pixelsOf({ declarations }: Project): Set<string> {
  return new Set(declarations.flatMap(({ kind, name }) => (kind === "pixel" ? [fold(name)] : [])));
}

/** Reports each unreadable record, and that its block stays unchanged. */
function keptBlocks({ unreadable }: Resolved, blocked: Resolved["blockedAt"], wants: PullSelection): PulledItem[] {
  return unreadable.flatMap((live): PulledItem[] => {
    const { kind, id, key, hasKey, fields } = live;
    const [place] = [...blocked].find(([, record]) => record.kind === kind && record.id === id) ?? [];
    if (!wants(live) && place === undefined) return [];
    const undeclared = hasKey ? "no file declares it" : `blocks without a live ${kind} stay unchanged`;
    const rest = place === undefined ? undeclared : "its block stays unchanged";
    return [
      {
        what: "skipped",
        kind,
        key: hasKey ? key : `#${id}`,
        file: place?.file ?? null,
        note: `linkform cannot read it (${fieldsText(fields)}), and ${rest}`,
        identity: `unreadable ${id}`,
        ...(place && { isStale: true }),
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

function defaultsAt({ documents, linkDefaults }: Loaded, { side }: Resolved): PullContext["defaultsAt"] {
  const documentAt = documentFinder(documents);
  const own = new Map(documents.map((one) => [one, resolveDefaults(one.linkDefaults, side)]));
  const others = resolveDefaults(linkDefaults, side);
  return (place) => {
    const document = documentAt(place);
    return (document && own.get(document)) ?? others;
  };
}

/** An internal check: a plan of the new files must be empty. */
function pendingProblem({ key, kind, action, fields }: Change): Diagnostic {
  const paths = fields.map(({ path: name }) => name).join(", ");
  const message = `After this pull, a plan would still ${action} the ${kind} ${key}${paths === "" ? "" : ` (${paths})`}.`;
  const hint = "No file was changed. Please report this bug with the block from the file.";
  return error("pull-not-empty", message, null, hint);
}

function variablesOf({ declarations }: Project): ReadonlySet<string> {
  const sources = declarations.flatMap(({ secrets }) => [...secrets.values()]);
  return new Set(sources.flatMap(({ from, name }) => (from === "env" ? [name] : [])));
}
