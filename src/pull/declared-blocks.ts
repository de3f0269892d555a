// The edits that make the blocks of declared objects match their live records.

import { isJsonFile } from "../config/json.ts";
import type { Desired, Live, References } from "../domain/change.ts";
import { groupBy } from "../domain/collections.ts";
import { fold } from "../domain/fold.ts";
import type { Place } from "../domain/place.ts";
import { KEY_FIELD, REFERENCE_FIELD } from "../domain/table.ts";
import type { EffectiveDefaults } from "../domain/value.ts";
import { utmValues } from "../config/utm.ts";
import { declare } from "../edit/declare.ts";
import { diffBlock, type BlockDiff } from "../edit/diff-block.ts";
import type { BlockPart, Edit } from "../edit/edits.ts";
import { fileKey } from "../edit/file-values.ts";
import type { VariableNames } from "../edit/variable-names.ts";
import type { YamlEntry } from "../edit/yaml-text.ts";
import type { Claim } from "../plan/claims.ts";
import { objectKey } from "../plan/compare.ts";
import type { Resolved } from "../plan/resolve.ts";
import type { WrittenItem } from "../report/json/written.ts";

/** What the edits of a pull depend on. */
export interface PullContext {
  /** Whether a live record is selected. */
  readonly wants: (live: Live) => boolean;
  /** Whether a declared object is selected if it is not live. */
  readonly wantsGone: (desired: Desired) => boolean;
  readonly variables: VariableNames;
  /** The defaults for blocks at this place. */
  readonly defaultsAt: (place: Place) => EffectiveDefaults;
  /** Write the UTM parameters of new blocks as `utm`. */
  readonly usesUtm: boolean;
  /** Whether a block itself has a value at this path. */
  readonly has: (place: Place, path: readonly string[]) => boolean;
}

/** An object, and what the pull did with it. */
export interface PulledItem extends WrittenItem {
  readonly identity: string;
  /** The declaration differs from the live record, and the pull does not change that. */
  readonly isStale: boolean;
}

/** An object with the edit of its file, if there is one. */
export interface PulledEdit {
  readonly item: PulledItem;
  readonly file: string;
  readonly edit: Edit | null;
  /** The live record of a block that stays or is renamed. */
  readonly live: Live | null;
}

/** The edits of the blocks of declared objects. Blocks in JSON files stay: `generatedProblems` refuses their changes. */
export function pullDeclared(
  resolved: Resolved,
  pulling: PullContext,
): { readonly edits: readonly PulledEdit[]; readonly references: References } {
  const unfinished = new Set(resolved.staleRecords.map(({ successor }) => successor));
  const claims = resolved.claims.filter(({ desired }) => !isJsonFile(desired.place.file));
  const gone = claims.flatMap(({ desired, live }) => (live === undefined ? [desired] : []));
  const renamed = manualRenames(gone.filter(pulling.wantsGone), unclaimed(resolved).filter(pulling.wants));
  const editOf = (claim: Claim, references: References): PulledEdit[] => {
    const { desired } = claim;
    const live = claim.live ?? renamed.get(desired);
    if (live === undefined) return pulling.wantsGone(desired) ? [removal(desired)] : [];
    const isUnfinished = unfinished.has(desired);
    return pulling.wants(live) ? update(claim, live, isUnfinished, { ...resolved, references }, pulling) : [];
  };
  const isPixel = ({ desired }: Claim): boolean => desired.kind === "pixel";
  const pixels = claims.filter(isPixel).map((claim) => ({ claim, edits: editOf(claim, resolved.references) }));
  // Links get the names that pixels have after the pull: none for a pixel that is no longer live.
  const renamedPixels = new Map(
    pixels.flatMap(({ claim: { desired }, edits }): [string, string][] => {
      const [edit] = edits;
      const [before, after] = [pixelName(desired), edit?.live ? pixelName(edit.live) : null];
      return edit === undefined || (after !== null && fold(after) === fold(before)) ? [] : [[before, after ?? ""]];
    }),
  );
  const references = { ...resolved.references, renamedPixels };
  const links = claims.filter((claim) => !isPixel(claim)).flatMap((claim) => editOf(claim, references));
  const revived = resolved.tombstones.flatMap(({ live, tombstone, identity, key }): PulledEdit[] => {
    const { place } = tombstone;
    if (live === null || !pulling.wants(live) || isJsonFile(place.file)) return [];
    const note = "removed its tombstone, because it is live";
    const own: PulledItem = { what: "added", kind: live.kind, key, file: place.file, note, identity, isStale: false };
    return [
      {
        item: own,
        file: place.file,
        edit: [{ step: "remove", at: place }],
        live: null,
      },
    ];
  });
  return { edits: [...pixels.flatMap(({ edits }) => edits), ...links, ...revived], references };
}

function pixelName({ values }: Desired | Live): string {
  return String(values.get(KEY_FIELD.pixel));
}

function removal(desired: Desired): PulledEdit {
  const { place } = desired;
  return {
    item: item("removed", desired, desired.key, "it is no longer live"),
    file: place.file,
    edit: [exclusion(desired) ?? { step: "remove", at: place }],
    live: null,
  };
}

/** The step that removes a link from its family; null for a block. */
function exclusion({ place, family }: Desired): Edit[number] | null {
  return family === undefined ? null : { step: "exclude", at: place, combination: family.combination };
}

/** The edit that makes a block match its live record; none if they match. */
function update(
  claim: Claim,
  live: Live,
  isUnfinished: boolean,
  resolved: Resolved,
  pulling: PullContext,
): PulledEdit[] {
  const { desired } = claim;
  const { place, kind, family } = desired;
  const { parts, problem } = compareBlock(desired, live, resolved, pulling);
  const changed = (edit: Edit | null, one: PulledItem): PulledEdit[] => [{ item: one, file: place.file, edit, live }];
  const skipped = (reason: string): PulledEdit[] =>
    changed(null, { ...item("skipped", desired, live.key, reason), isStale: true });
  if (problem !== null) return skipped(problem);
  if (family !== undefined) {
    if (hasKeyOf(desired, live) && parts.length === 0 && !isUnfinished) return [];
    const declared = declare(live, { ...resolved, ...pulling, defaults: pulling.defaultsAt(place) });
    if ("problem" in declared) return skipped(`it cannot be declared: ${declared.problem}`);
    const value = { entries: [...declared.block, ...keptEntries(desired)] };
    const exclude = exclusion(desired);
    const add = { step: "add", kind, block: { key: declared.key, value }, spot: { inDocumentOf: place } } as const;
    const moved = item("changed", desired, live.key, "moved out of its family");
    return changed([...(exclude === null ? [] : [exclude]), add], moved);
  }
  const key = newKey(desired, live, resolved);
  const own = key === null ? [] : keyParts(claim, live, pulling);
  // The record with the old key of an unfinished rename is a separate link.
  if (isUnfinished) own.push({ path: ["renamed_from"], content: undefined });
  const all = [...own, ...parts];
  if (all.length === 0 && key === null) return [];
  const edit: Edit = [{ step: "change", at: place, kind, parts: all, ...(key !== null && { key }) }];
  const paths = [...(key === null ? [] : [KEY_FIELD[kind]]), ...new Set(parts.map(({ path }) => path.join(".")))];
  return changed(edit, item("changed", desired, live.key, paths.join(", ")));
}

/** The entries of a link of a family that the live record does not have. */
function keptEntries({ protect, owners, reviewBy, note }: Desired): YamlEntry[] {
  return [
    ...(protect === null ? [] : [{ key: "protect", value: true }]),
    ...(owners.length === 0 ? [] : [{ key: "owner", value: owners }]),
    ...(reviewBy === null ? [] : [{ key: "review_by", value: reviewBy }]),
    ...(note === null ? [] : [{ key: "note", value: note }]),
  ];
}

/** Live records that no declaration and no tombstone names. */
export function unclaimed({ live, claims, tombstones }: Resolved): Live[] {
  const named = new Set<Live | null | undefined>([...claims, ...tombstones].map((one) => one.live));
  return live.filter((record) => !named.has(record));
}

function item(what: PulledItem["what"], { kind, identity, place }: Desired, key: string, note: string): PulledItem {
  return { what, kind, key, file: place.file, note: note === "" ? null : note, identity, isStale: false };
}

/** Whether a declared object has the alias and domain, or the name, of a live record. */
function hasKeyOf({ kind, values }: Desired, live: Live): boolean {
  const paths = kind === "link" ? [KEY_FIELD.link, REFERENCE_FIELD.domain] : [KEY_FIELD.pixel];
  return paths.every((path) => values.get(path) === live.values.get(path));
}

/** The key of the live record for the block, if the block has another one, also in case or accents. */
function newKey(desired: Desired, live: Live, { references }: Resolved): string | null {
  const { kind, place, declared } = desired;
  if (hasKeyOf(desired, live)) return null;
  const domain = REFERENCE_FIELD.domain;
  if (kind === "link" && live.values.get(domain) !== desired.values.get(domain)) return fileKey(live, references);
  const name = String(live.values.get(KEY_FIELD[kind]));
  const written = place.source?.line(place.line)?.slice(place.column - 1) ?? "";
  const hasDomainInKey = kind === "link" && written.slice(0, place.length).includes("/");
  return hasDomainInKey ? `${String(declared.get(domain)?.value)}/${name}` : name;
}

/** The keys that a block with another key no longer needs. */
function keyParts({ desired, isRenamed, live: claimed }: Claim, live: Live, { has }: PullContext): BlockPart[] {
  const { kind, place, values } = desired;
  const domain = REFERENCE_FIELD.domain;
  const isMoved = kind === "link" && live.values.get(domain) !== values.get(domain);
  const gone = [
    ...(isMoved ? [domain] : []),
    // A finished rename, or one that never matched.
    ...(isRenamed || claimed === undefined ? ["renamed_from"] : []),
  ];
  return gone.flatMap((name) => (has(place, [name]) ? [{ path: [name], content: undefined }] : []));
}

/** The parts of a block that differ from the live record. */
function compareBlock(desired: Desired, live: Live, resolved: Resolved, pulling: PullContext): BlockDiff {
  const { kind, place, family, values, declared, utm, unspecified } = desired;
  const hasUnknown = namesUnknownPixel(desired, resolved);
  return diffBlock(
    {
      kind,
      values: {
        get: (path) => (hasUnknown && path === REFERENCE_FIELD.pixel ? undefined : values.get(path)),
        has: (path) => declared.has(path),
      },
      has: (path) => family === undefined && pulling.has(place, path),
      utm: utm.size === 0 ? null : utmValues(utm),
      writtenAt: (path) => declared.get(path)?.written,
      unspecified,
      defaults: pulling.defaultsAt(place),
    },
    live.values,
    { ...resolved, variableFor: (path) => pulling.variables.nameFor(live, path) },
  );
}

/** Whether a link names a pixel that is neither declared nor live, or will not be after the pull. */
function namesUnknownPixel({ declared }: Desired, { side, references }: Resolved): boolean {
  const value = declared.get(REFERENCE_FIELD.pixel)?.value;
  if (!Array.isArray(value)) return false;
  const known = value.map((name) => side.pixels.ofMention(String(name)));
  return known.some((name) => name === undefined || references.renamedPixels?.has(name) === true);
}

/**
 * Pairs declared objects that are not live with undeclared live records that have the same required fields, if no other object
 * has these. A wrong pair is harmless, because all other fields are written with their live values.
 */
function manualRenames(gone: readonly Desired[], fresh: readonly Live[]): ReadonlyMap<Desired, Live> {
  // The keys of a whole account take long.
  if (gone.length === 0) return new Map();
  const keyInDomain = (one: Desired | Live): string =>
    JSON.stringify([objectKey(one), one.values.get(REFERENCE_FIELD.domain)]);
  const byKey = groupBy(fresh, keyInDomain);
  const pairs = [...groupBy(gone, keyInDomain)].flatMap(([key, [desired, ...more]]) => {
    const [live, ...others] = byKey.get(key) ?? [];
    return desired === undefined || live === undefined || more.length + others.length > 0
      ? []
      : [[desired, live] as const];
  });
  return new Map(pairs);
}
