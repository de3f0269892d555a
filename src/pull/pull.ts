// Reads the account for a pull, writes the live state into the files of a project, and checks that a plan of them is empty.

import type { Change, Live } from "../domain/change.ts";
import { error, errorsIn, hasErrors, type Diagnostic } from "../domain/diagnostic.ts";
import type { Place } from "../domain/place.ts";
import { besidePlan, isAboutSending } from "../domain/rules.ts";
import { fold } from "../domain/fold.ts";
import { readNamedKey, type NamedKey } from "../domain/named-key.ts";
import { fieldsText, hasDate, type LiveRecord, type LiveState } from "../domain/live.ts";
import { pixelNamesOf, showKey, type Project, type Tombstone } from "../domain/project.ts";
import type { Secrets } from "../http/redact.ts";
import type { Reader } from "../service/service.ts";
import { openFolder } from "../config/checkout.ts";
import { loadFrom, type Loaded } from "../config/load.ts";
import { overlayFiles, type FileSource } from "../config/file-source.ts";
import { generatedFile, isJsonFile } from "../config/json.ts";
import type { World } from "../session/context.ts";
import { NO_OPTIONS } from "../session/plan-flags.ts";
import type { OpenedProject } from "../session/project.ts";
import { readAccount, withAccount } from "../session/read-account.ts";
import { directories } from "../plan/directory.ts";
import { createPlan } from "../plan/plan.ts";
import { resolve, resolveDefaults, type Resolved } from "../plan/resolve.ts";
import { usesUtm } from "../edit/utm.ts";
import { VariableNames } from "../edit/file-values.ts";
import { documentFinder, FileOutline } from "../edit/outline.ts";
import { writeAll } from "../edit/writer.ts";
import { declareNew, type NewBlockInput } from "./new-blocks.ts";
import { pathIn } from "./new-files.ts";
import { pullDeclared, type PullContext, type PulledItem } from "./declared-blocks.ts";
import { nameOf, narrowProject, selectRecords, type PullCriteria, type PullSelection } from "./selection.ts";

/** Reads all, or these keys and what they need. A field that contains a secret is unreadable: a pull must not write it into a file. */
export async function readForPull(
  project: Project,
  keys: readonly NamedKey[],
  reader: Reader,
  secrets: Secrets,
): Promise<LiveState> {
  const state = await readRecords(project, keys, reader);
  const clean = (records: readonly LiveRecord[]): LiveRecord[] => records.map((one) => withoutSecret(one, secrets));
  return { ...state, links: clean(state.links), pixels: clean(state.pixels) };
}

function withoutSecret(record: LiveRecord, secrets: Secrets): LiveRecord {
  const found = [...record.values, ...record.references].filter(([, value]) => secrets.has(value));
  if (found.length === 0) return record;
  const [values, references] = [new Map(record.values), new Map(record.references)];
  const seen = "a text that contains the API key or a password";
  const unreadable = found.map(([path]) => ({ path, returned: path, seen }));
  for (const [path] of found) for (const map of [values, references]) map.delete(path);
  return { ...record, values, references, unreadable: [...record.unreadable, ...unreadable] };
}

async function readRecords(project: Project, keys: readonly NamedKey[], reader: Reader): Promise<LiveState> {
  if (keys.length === 0) return readAccount({ project, base: null, wantsAll: true }, reader);
  const part = narrowProject(project, keys);
  const place = { file: project.file, line: 1, column: 1 };
  // Undeclared keys are looked up like those of tombstones.
  const links = keys.filter(({ kind }) => kind !== "pixel");
  const named = links.map(({ name }): Tombstone => ({ kind: "link", domain: null, name, place, id: null }));
  const withNamedLinks = { ...part, tombstones: [...part.tombstones, ...named] };
  const state = await readAccount({ project: withNamedLinks, base: null }, reader);
  const needsZone = part.accountZone === null && state.links.some(({ values }) => hasDate(values));
  return needsZone ? withAccount(state, reader) : state;
}

/** Loads the project again if its only errors are globs that match no file: a pull may create these files. */
export async function openedForPull(world: World, opened: OpenedProject): Promise<OpenedProject> {
  const errors = errorsIn(opened.diagnostics);
  if (opened.project !== null || errors.some(({ code }) => code !== "no-such-files")) return opened;
  const news = opened.globs.flatMap((glob) => pathIn(glob, "links") ?? []);
  const empty = new Map(news.flatMap((file) => (opened.files.includes(file) ? [] : [[file, ""]])));
  const source = overlayFiles(await openFolder(opened.folder, world), empty);
  const loaded = await loadFrom(source, opened.file, { now: world.now() });
  const files = loaded.files.filter((file) => !empty.has(file));
  const texts = new Map([...loaded.texts].filter(([file]) => !empty.has(file)));
  return { ...opened, ...loaded, files, texts };
}

interface PullInput extends Pick<NewBlockInput, "loaded" | "split"> {
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

/** Writes nothing. */
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
  const { all, resolved } = readablePart(named, state);
  const wants = selectRecords(criteria, resolved, input.mayBeEmpty === true);
  // Not for each link: resolving dates takes long.
  const defaultsOf = ({ linkDefaults }: Pick<Loaded, "linkDefaults">) => resolveDefaults(linkDefaults, resolved.side);
  const documentAt = documentFinder(loaded.documents.map((one) => ({ ...one, defaults: defaultsOf(one) })));
  const defaults = defaultsOf(loaded);
  const outlines = new Map<string, FileOutline>();
  const has: PullContext["has"] = (place, path) => {
    const { file } = place;
    if (isJsonFile(file)) return false;
    const outline = outlines.get(file) ?? new FileOutline(texts.get(file) ?? "", file);
    outlines.set(file, outline);
    return outline.has(place, path);
  };
  const pulling: PullContext = {
    wants,
    variables: new VariableNames(project.declarations),
    defaultsAt: (place) => (place && documentAt(place)?.defaults) ?? defaults,
    usesUtm: usesUtm(project),
    has,
  };
  const { items: declared, references } = pullDeclared(resolved, pulling);
  const generated = declared.flatMap(({ kind, key, place }) =>
    place && isJsonFile(place.file)
      ? generatedFile(`The ${kind} \`${key}\` differs from the live state, but`, place)
      : [],
  );
  if (generated.length > 0) return { ...NOTHING, diagnostics: generated };
  // A record that an untouched block names in `renamed_from` is not declared a second time.
  const renamedFrom = all.claims.flatMap(({ desired, live }) => (all.blockedAt.has(desired.place) && live) || []);
  const others = resolved.live.filter(({ kind, id }) => renamedFrom.some((one) => one.kind === kind && one.id === id));
  const known = new Set([...declared.flatMap(({ live }) => live ?? []), ...others]);
  const wholeProject = resolved.project === project ? resolved : resolve(project, state);
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
  return check(input, new Map([...changed, ...fresh.texts]), items, resolved.live.filter(wants));
}

/** Loads the project with the new texts and plans it. Only skipped objects may have changes. */
async function check(
  { state, criteria, loaded: first, source, now }: PullInput,
  texts: ReadonlyMap<string, string>,
  items: readonly PulledItem[],
  wanted: readonly Live[],
): Promise<PullResult> {
  const before = first.project;
  const loaded = texts.size === 0 ? first : await loadFrom(overlayFiles(source, texts), before.file, { now });
  const { project } = loaded;
  if (project === null) return { ...NOTHING, texts, items, diagnostics: loaded.diagnostics };
  // The live records may have other keys than their blocks had.
  const found = criteria.keys.length === 0 ? [] : wanted;
  const keys = [...criteria.keys, ...found.map(({ kind, key }) => readNamedKey(`${kind}:${key}`))];
  const { resolved: after } = readablePart(narrowProject(project, keys), state);
  const wants = selectRecords({ ...criteria, keys }, after, true);
  const plan = createPlan(after, now, NO_OPTIONS);
  const skipped = items.filter(({ what }) => what === "skipped");
  const left = new Set(skipped.flatMap((one) => [one, one.live ?? one].map(nameOf)));
  const pending = plan.changes.filter((change) => {
    const one = change.action === "create" ? change.desired : change.live;
    return wants(one) && !left.has(nameOf(one));
  });
  const given = variablesOf(before);
  const claimed = after.claims.filter(({ live, desired }) => wants(live ?? desired));
  const pulled = new Set(claimed.map(({ desired }) => desired.place));
  const refused = loaded.diagnostics.filter(isAboutSending);
  const stranded = after.project === project ? [] : strandedProblems(before, project, pulled);
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
function readablePart(named: Project, state: LiveState): { readonly all: Resolved; readonly resolved: Resolved } {
  const all = resolve(named, state);
  // A block without a live record may be that of a record whose key cannot be read.
  const hidden = new Set(all.unreadable.flatMap(({ kind, hasKey }) => (hasKey ? [] : [kind])));
  const unclear = all.claims.filter(({ desired, live }) => live === undefined && hidden.has(desired.kind));
  const left = new Set([...all.blockedAt.keys(), ...unclear.map(({ desired }) => desired.place)]);
  if (left.size === 0) return { all, resolved: all };
  const declarations = named.declarations.filter(({ place }) => !left.has(place));
  const tombstones = named.tombstones.filter(({ place }) => !left.has(place));
  return { all, resolved: resolve({ ...named, declarations, tombstones }, state) };
}

function strandedProblems(before: Project, after: Project, pulled: ReadonlySet<Place>): Diagnostic[] {
  const remaining = pixelsOf(after);
  const lost = new Set([...pixelsOf(before)].filter((name) => !remaining.has(name)));
  return after.declarations.flatMap((one) => {
    const missing = pixelNamesOf(one).filter((name) => lost.has(fold(name)));
    if (missing.length === 0 || pulled.has(one.place)) return [];
    const what = missing.length === 1 ? "a pixel" : "pixels";
    const message = `\`${showKey(one)}\` uses ${what} that this pull renames or removes: \`${missing.join("`, `")}\`.`;
    return [error("pull-strands", message, one.place, "Pull it as well, or pull everything: `linkform pull`.")];
  });
}

function pixelsOf({ declarations }: Project): Set<string> {
  return new Set(declarations.flatMap(({ kind, name }) => (kind === "pixel" ? [fold(name)] : [])));
}

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

function withPruneNote(one: PulledItem, changes: readonly Change[]): PulledItem {
  const isItsDelete = (change: Change): boolean => change.action === "delete" && nameOf(change.live) === nameOf(one);
  if (one.what !== "skipped" || !changes.some(isItsDelete)) return one;
  return { ...one, isStale: true, note: `${one.note ?? ""}; the next apply deletes it because of \`prune: scope\`` };
}

/** An internal check: a plan of the new files must be empty. */
function pendingProblem({ key, kind, action, fields }: Change): Diagnostic {
  const paths = fields.length === 0 ? "" : ` (${fields.map(({ path }) => path).join(", ")})`;
  const message = `After this pull, a plan would still ${action} the ${kind} ${key}${paths}.`;
  const hint = "No file was changed. Please report this bug with the block from the file.";
  return error("pull-not-empty", message, null, hint);
}

export function variablesOf({ declarations }: Project): ReadonlySet<string> {
  const sources = declarations.flatMap(({ secrets }) => [...secrets.values()]);
  return new Set(sources.flatMap(({ from, name }) => (from === "env" ? [name] : [])));
}
