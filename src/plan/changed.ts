// `--changed`: the part of the files that differs from the base. Only this part is read and planned.

import { groupBy } from "../domain/collections.ts";
import { keyMatcher } from "../domain/glob.ts";
import { keyText, pixelNamesOf, showKey, type Declaration, type Project, type WrittenKey } from "../domain/project.ts";
import { eachKind, type PerKind } from "../domain/table.ts";

export interface ChangedPart {
  /** Changed links and all pixels: links name pixels, and their list is read as a whole. */
  readonly project: Project;
  readonly base: Project;
  /** The keys to plan, declared now or at the base. */
  readonly planned: readonly WrittenKey[];
  /** The declared pixels that these links use. Those that are not live are created first. */
  readonly needed: readonly WrittenKey[];
  readonly others: readonly WrittenKey[];
  readonly notCompared: PerKind<number>;
}

/** Why everything is compared: changed `settings`, deleted `pixels`, `domains` by id and name, or unknown changes of `deploys`. */
export type ComparesAll = "settings" | "pixels" | "domains" | "deploys";

/**
 * Finds the declarations that differ from the base in anything that is sent, new tombstones, and what belongs to them: all members of a
 * chain of renames, the pixels of a link, and links whose passwords are sent again. Returns the reason if everything must be compared.
 *
 * `between` has the files of commits after the base that may have been applied in part: their keys are planned even if the files are now
 * as at the base. It is null if they cannot be read.
 */
export function changedPart(
  project: Project,
  base: Project | null,
  between: readonly Project[] | null,
  resendSecrets: readonly string[],
): ChangedPart | ComparesAll {
  if (between === null) return "deploys";
  const settings = settingsText(project);
  if (base === null || [base, ...between].some((then) => settingsText(then) !== settings)) return "settings";
  if (mixesIdsAndNames(project)) return "domains";
  const now = new Map(project.declarations.map((one) => [keyText(one), one]));
  const blocks = [...blocksOf(project)];
  // Blocks that other files lack or have in another form.
  const notIn = (then: ReadonlyMap<string, string>) => blocks.filter(([text]) => !then.has(text));
  const planned = new Set([base, ...between].flatMap((then) => notIn(blocksOf(then)).map(([, key]) => key)));
  for (const key of base.declarations.map(keyText)) if (!now.has(key)) planned.add(key);
  const isResent = keyMatcher(resendSecrets);
  for (const [key, one] of now) if (one.secrets.size > 0 && isResent(showKey(one))) planned.add(key);
  addRelated(planned, project, base, now);
  return deletesPixel(project, planned) ? "pixels" : partOf(project, base, planned);
}

/** The keys of all blocks, by the text of the block. */
function blocksOf({ declarations, tombstones }: Project): ReadonlyMap<string, string> {
  return new Map([
    ...declarations.map((one) => [declarationText(one), keyText(one)] as const),
    ...tombstones.map((one) => [`absent ${keyText(one)} ${one.id ?? ""}`, keyText(one)] as const),
  ]);
}

/** The key of a declaration and everything that is sent, as text. */
function declarationText(declaration: Declaration): string {
  const { name, unspecified, renamedFrom, fields, secrets } = declaration;
  return JSON.stringify([
    keyText(declaration),
    name,
    unspecified,
    renamedFrom && keyText(renamedFrom),
    [...fields.keys()].toSorted().map((path) => [path, fields.get(path)?.value]),
    [...secrets.keys()].toSorted().map((path) => [path, secrets.get(path)?.from, secrets.get(path)?.name]),
  ]);
}

/** The settings that decide what a plan contains, as text. */
function settingsText({ baseUrl, software, accountZone, zone, domains, spaces, policy }: Project): string {
  const settings = [baseUrl, software, accountZone, zone, domains, spaces, policy.scope, policy.prune];
  // It does not matter where they are written.
  return JSON.stringify(settings, (name, value: unknown) => (/^(place|meansPlace)$/.test(name) ? undefined : value));
}

/** Adds the keys that have to be planned together with these. */
function addRelated(
  planned: Set<string>,
  project: Project,
  base: Project,
  now: ReadonlyMap<string, Declaration>,
): void {
  const renames = [...project.declarations, ...base.declarations].flatMap((one) => {
    if (one.renamedFrom === null) return [];
    const [key, former] = [keyText(one), keyText(one.renamedFrom)];
    return [[key, former] as const, [former, key] as const];
  });
  const ties = groupBy(renames, ([key]) => key);
  // The set grows while it is walked.
  for (const key of planned) {
    for (const [, other] of ties.get(key) ?? []) planned.add(other);
    const declared = now.get(key);
    for (const name of declared === undefined ? [] : pixelNamesOf(declared))
      if (ties.has(pixelKey(name))) planned.add(pixelKey(name));
  }
}

/** Whether these files delete a pixel of the planned keys. Any link of the account may use it, and must let it go first. */
function deletesPixel(project: Project, planned: ReadonlySet<string>): boolean {
  const { declarations, tombstones, policy } = project;
  const kept = new Set(declarations.flatMap(({ renamedFrom, ...key }) => [key, renamedFrom ?? key]).map(keyText));
  const tombstoned = new Set(tombstones.map(keyText));
  // A tombstone with an id may delete one of two pixels with a declared name.
  const isDeleted = (key: string): boolean => tombstoned.has(key) || (policy.prune.mode !== "none" && !kept.has(key));
  return [...planned].some((key) => key.startsWith("pixel ") && isDeleted(key));
}

/**
 * Whether some links name their domain by an id, and others by a name, without a label for it. Only the account shows whether that is one
 * domain, and two declarations of one link are an error.
 */
function mixesIdsAndNames({ declarations, domains }: Project): boolean {
  const labels = new Set(domains.map(({ label }) => label));
  const texts = new Set(declarations.flatMap(({ domain }) => domain ?? []));
  const ids = [...texts].filter((domain) => !labels.has(domain) && /^\d+$/.test(domain));
  return ids.length > 0 && ids.length < texts.size;
}

function pixelKey(name: string): string {
  return keyText({ kind: "pixel", domain: null, name });
}

function partOf(project: Project, base: Project, planned: ReadonlySet<string>): ChangedPart {
  const isPlanned = (key: WrittenKey): boolean => planned.has(keyText(key));
  const isIn = (key: WrittenKey): boolean => planned.size > 0 && (key.kind === "pixel" || isPlanned(key));
  const declarations = project.declarations.filter(isIn);
  const [changed, before] = [declarations.filter(isPlanned), base.declarations.filter(isIn)];
  const rest = project.declarations.filter((one) => !isPlanned(one));
  // A tombstone with an id takes a record from a declared key, so it must be known.
  const tombstones = project.tombstones.filter((one) => isPlanned(one) || (one.kind === "pixel" && one.id !== null));
  const used = new Set(changed.flatMap(pixelNamesOf).map(pixelKey));
  return {
    // Without keys there is nothing to read, so the names in the scope are not checked either.
    project: {
      ...project,
      declarations,
      tombstones: planned.size === 0 ? [] : tombstones,
      policy: planned.size === 0 ? { ...project.policy, scope: null } : project.policy,
    },
    base: { ...base, declarations: before, tombstones: base.tombstones.filter(isPlanned) },
    planned: [...changed, ...project.tombstones.filter(isPlanned), ...before.filter(isPlanned)],
    needed: declarations.filter((one) => used.has(keyText(one))),
    others: rest.filter((one) => !isIn(one)),
    notCompared: eachKind((kind) => rest.filter((one) => one.kind === kind).length),
  };
}
