// Brings what is live into the files of a project, round by round, until a plan of them says that nothing is left to do.

import type { Change, Live } from "../domain/change.ts";
import { hasErrors, type Diagnostic } from "../domain/diagnostic.ts";
import type { NamedKey } from "../domain/named-key.ts";
import type { Place } from "../domain/place.ts";
import { fieldsText, type LiveState } from "../domain/live.ts";
import type { Declaration, Project } from "../domain/project.ts";
import { loadFrom, type Loaded } from "../config/load.ts";
import { overlaid } from "../config/overlay.ts";
import type { FileSource } from "../config/source.ts";
import { createPlan, NO_OPTIONS } from "../plan/plan.ts";
import { directories } from "../plan/directory.ts";
import { resolve, resolveDefaults, type Resolved } from "../plan/resolve.ts";
import { VariableNames } from "../edit/variable-names.ts";
import { EditedFiles } from "../edit/files.ts";
import { strandedProblems, swayed, swayedProblem, type Swayed } from "./alias-guard.ts";
import { declareNew, type NewRows } from "./new-blocks.ts";
import { pullDeclared, type Gone, type Pulling, type PulledItem } from "./round.ts";
import { keysOf, narrowed, wantedOf, type PullSelection, type WantedRecords } from "./wanted.ts";

/** What a pull is given. */
export interface PullInput extends Pick<NewRows, "split" | "taken" | "schema"> {
  readonly source: FileSource;
  readonly loaded: Loaded;
  /** The whole project. */
  readonly project: Project;
  /** The texts of all files that were read, without byte order marks. */
  readonly texts: ReadonlyMap<string, string>;
  readonly state: LiveState;
  /** An instant in canonical form. */
  readonly now: string;
  readonly asked: PullSelection;
  readonly gone: Gone;
  /** What is not found is gone, whatever else may keep it from being found. */
  readonly isGoneSaid: boolean;
  readonly idOf: Pulling["idOf"];
}

/** What a pull comes to. */
export interface Pulled {
  /** The files that are to be written, with their texts. */
  readonly texts: ReadonlyMap<string, string>;
  /** What became of each object that was touched, or could not be. */
  readonly told: readonly PulledItem[];
  /** Variables that secrets were given. */
  readonly variables: readonly string[];
  /** What is wrong with the files as they would be: with an error among these nothing may be written. */
  readonly diagnostics: readonly Diagnostic[];
  /** How many warnings there are about the files as they would be. */
  readonly warnings: number;
  /** What a plan would change all the same of what was asked for, and was not left out. */
  readonly pending: readonly Change[];
  /** Rows that can't be read although files declare them: a plan is in error until they are fixed. */
  readonly blocked: number;
}

/** More rounds than any honest file needs: a chain of anchors takes one for each link of the chain. */
const MOST_ROUNDS = 20;

const UNCONFIRMED = "unconfirmed-domain";
const IF_GONE = "If its links are gone, say so: `--gone remove`.";

/** Makes the texts in which the files say what is live. Nothing is written. */
export async function pullInto(input: PullInput): Promise<Pulled> {
  const { domains } = directories(
    input.asked.keys.length === 0 ? input.project : narrowed(input.project, input.asked.keys),
    input.state,
  );
  // A link whose domain means nothing here is not found, and that does not mean that it is gone: unless somebody says so.
  const inTheWay = domains.diagnostics.filter(({ code }) => !input.isGoneSaid || code !== UNCONFIRMED);
  if (hasErrors(inTheWay)) {
    const diagnostics = inTheWay.map((one) =>
      one.code === UNCONFIRMED ? { ...one, hint: `${one.hint} ${IF_GONE}` } : one,
    );
    return { texts: new Map(), told: [], variables: [], diagnostics, warnings: 0, pending: [], blocked: 0 };
  }
  const { swayed: others, ...pulled } = await pullBeside(input, new Map());
  if (others.length === 0) return pulled;
  // What the blocks that were not asked for say by the anchors of others is written out in them first.
  const files = new EditedFiles(input.texts);
  for (const { declaration, heads } of others) files.at(declaration.place).writeOut(declaration.place, heads);
  const { swayed: left, ...again } = await pullBeside(input, files.changed());
  return { ...again, diagnostics: [...again.diagnostics, ...left.map(swayedProblem)] };
}

/** What a pull comes to, and the blocks that say something else by it though nobody asked for them. */
interface PulledBeside extends Pulled {
  readonly swayed: readonly Swayed[];
}

/** The same, beginning with these texts in place of some. */
async function pullBeside(input: PullInput, first: ReadonlyMap<string, string>): Promise<PulledBeside> {
  const { state, asked, gone, idOf, now } = input;
  const told = new Map<string, PulledItem>();
  let { texts, loaded, project } = input;
  let changed: ReadonlyMap<string, string> = new Map();
  let edits = first;
  let found: readonly NamedKey[] = [];
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    if (edits.size > 0) {
      texts = new Map([...texts, ...edits]);
      changed = new Map([...changed, ...edits]);
      loaded = await loadFrom(overlaid(input.source, changed), project.file, { now });
      const { diagnostics } = loaded;
      if (loaded.project === null || hasErrors(diagnostics)) {
        const wrong = { variables: [], diagnostics, warnings: 0, pending: [], blocked: 0, swayed: [] };
        return { texts: changed, told: [...told.values()], ...wrong };
      }
      project = loaded.project;
    }
    const keys = [...asked.keys, ...found];
    const named = keys.length === 0 ? project : narrowed(project, keys);
    const all = resolve(named, state);
    // The declaration of an unreadable row stays as it is, byte for byte.
    const part = all.blockedAt.size === 0 ? named : withoutBlocked(named, all.blockedAt);
    const settled = part === named ? all : resolve(part, state);
    const around = part === project ? settled : resolve(project, state);
    const wanted = wantedOf({ ...asked, keys }, settled, round > 0);
    // A block that is taken out, or gets another key, is named by its own no longer.
    if (round === 0 && keys.length > 0) found = keysOf(settled.live.filter(wanted.wants));
    const variables = new VariableNames(project.declarations);
    const pulling: Pulling = {
      ...wanted,
      gone,
      idOf,
      isExplicit: round > 0,
      variables,
      givenAt: givenAt(loaded, settled),
    };
    const files = new EditedFiles(texts);
    const declared = pullDeclared(settled, files, pulling);
    // A row that an untouched block names in `renamed_from` is not declared a second time.
    const taken = all.claims.flatMap(({ desired, live }) => (all.blockedAt.has(desired.place) && live ? [live] : []));
    const isTaken = ({ kind, id }: Live): boolean => taken.some((one) => one.kind === kind && one.id === id);
    const known = new Set([...declared.renamed, ...settled.live.filter(isTaken)]);
    const fresh = declareNew({ ...input, loaded, project, settled, around, known, files, pulling });
    const left = keptBlocks(settled, all.blockedAt, wanted);
    for (const one of [...declared.told, ...fresh.told, ...left])
      if (!told.has(nameOf(one))) told.set(nameOf(one), one);
    edits = new Map([...files.changed(), ...fresh.texts]);
    if (edits.size > 0) continue;
    const plan = createPlan(part, state, now, NO_OPTIONS);
    const isLeft = (change: Change): boolean => told.get(nameOf(subjectOf(change)))?.what === "skipped";
    const pending = plan.changes.filter((change) => isAsked(change, wanted) && !isLeft(change));
    const given = variablesOf(input.project);
    const names = [...variablesOf(project)].filter((name) => !given.has(name));
    const places = claimedBy(settled, wanted);
    const isOwn = ({ place }: Declaration): boolean => places.has(place);
    const stranded = part === project ? [] : strandedProblems(input.project, project, isOwn);
    return {
      texts: changed,
      told: [...told.values()].map((one) => withDoom(one, plan.changes)),
      variables: names,
      diagnostics: [...plan.diagnostics, ...stranded],
      warnings: loaded.diagnostics.length,
      pending,
      blocked: left.filter(({ isStale }) => isStale).length,
      swayed: swayed(input.project, project, isOwn),
    };
  }
  throw new Error("the files did not come to say what is live");
}

/** The project without its declarations of unreadable rows. */
function withoutBlocked(project: Project, blocked: Resolved["blockedAt"]): Project {
  return {
    ...project,
    declarations: project.declarations.filter(({ place }) => !blocked.has(place)),
    tombstones: project.tombstones.filter(({ place }) => !blocked.has(place)),
  };
}

/** Explains for each unreadable row that its block stays as it is, or that it gets none. */
function keptBlocks({ unreadable }: Resolved, blocked: Resolved["blockedAt"], { wants }: WantedRecords): PulledItem[] {
  return unreadable.flatMap(({ live, key, fields }): PulledItem[] => {
    const { kind, id } = live;
    const [place] = [...blocked].find(([, row]) => row.kind === kind && row.id === id) ?? [];
    if (!wants(live) && place === undefined) return [];
    const rest = place === undefined ? "no file declares it" : "what the files say about it stays as it is";
    return [
      {
        what: "skipped",
        kind,
        key: key ?? `#${id}`,
        file: place?.file ?? null,
        note: `linkform cannot read it (${fieldsText(fields)}): ${rest}`,
        identity: `unreadable ${id}`,
        isStale: place !== undefined,
      },
    ];
  });
}

/** What was left out is not left alone where the files own all that lies in their scope. */
function withDoom(one: PulledItem, changes: readonly Change[]): PulledItem {
  const isDoomed =
    one.what === "skipped" &&
    changes.some((change) => change.action === "delete" && nameOf(change.live) === nameOf(one));
  return isDoomed
    ? { ...one, isStale: true, note: `${one.note ?? ""}; by \`prune: scope\` the next apply deletes it` }
    : one;
}

/** Where the blocks stand that are asked for. */
function claimedBy({ claims }: Resolved, { wants, wantsGone }: WantedRecords): ReadonlySet<Place> {
  const own = claims.filter(({ live, desired }) => (live === undefined ? wantsGone(desired) : wants(live)));
  return new Set(own.map(({ desired }) => desired.place));
}

/** What defaults give at a place: those of the document in which it is. */
function givenAt({ documents, given }: Loaded, { side }: Resolved): Pulling["givenAt"] {
  return ({ file, line }) => {
    const before = documents.filter((one) => one.file === file && one.place.line <= line);
    return resolveDefaults(before.at(-1)?.given ?? given, side);
  };
}

function nameOf({ kind, identity }: Pick<PulledItem, "kind" | "identity">): string {
  return `${kind} ${identity}`;
}

function subjectOf(change: Change): Pick<PulledItem, "kind" | "identity"> {
  return change.action === "create" ? change.desired : change.live;
}

/** Whether what was asked for is what a change is about. */
function isAsked(change: Change, { wants, wantsGone }: WantedRecords): boolean {
  return change.action === "create" ? wantsGone(change.desired) : wants(change.live);
}

/** The variables that a project names. */
function variablesOf({ declarations }: Project): ReadonlySet<string> {
  const sources = declarations.flatMap(({ secrets }) => [...secrets.values()]);
  return new Set(sources.flatMap(({ from, name }) => (from === "env" ? [name] : [])));
}
