// The edits that make the blocks of declared objects match their live records.

import type { Desired, Live, References } from "../domain/change.ts";
import { groupBy } from "../domain/collections.ts";
import { fold } from "../domain/fold.ts";
import type { Place } from "../domain/place.ts";
import { pixelNamesOf } from "../domain/project.ts";
import { KEY_FIELD, REFERENCE_FIELD } from "../domain/table.ts";
import type { EffectiveDefaults, Value } from "../domain/value.ts";
import { utmValues } from "../config/utm.ts";
import { declare, diffBlock, type BlockDiff } from "../edit/declare.ts";
import { fileKey, type VariableNames } from "../edit/file-values.ts";
import type { Edit } from "../edit/writer.ts";
import type { YamlEntry } from "../edit/yaml-text.ts";
import type { Claim } from "../plan/claims.ts";
import { objectKey } from "../plan/compare.ts";
import type { Resolved } from "../plan/resolve.ts";
import type { WrittenItem } from "../report/json/written.ts";
import type { PullSelection } from "./selection.ts";

export interface PullContext {
  readonly wants: PullSelection;
  readonly variables: VariableNames;
  readonly defaultsAt: (place: Place | undefined) => EffectiveDefaults;
  /** Write the UTM parameters of new blocks as `utm`. */
  readonly usesUtm: boolean;
  readonly has: (place: Place, path: string) => boolean;
}

export interface PulledItem extends WrittenItem {
  readonly identity: string;
  /** Where it was declared before. */
  readonly place?: Place;
  /** The declaration differs from the live record, and the pull does not change that. */
  readonly isStale?: boolean;
  readonly edit?: Edit | undefined;
  /** The live record of a block that stays or is renamed, or of a new block. */
  readonly live?: Live | undefined;
}

export function pullDeclared(
  resolved: Resolved,
  pulling: PullContext,
): { readonly items: readonly PulledItem[]; readonly references: References } {
  const { claims } = resolved;
  const gone = claims.flatMap(({ desired, live }) => (live === undefined ? [desired] : []));
  const renamed = manualRenames(gone.filter(pulling.wants), unclaimed(resolved).filter(pulling.wants));
  // Links get the names that pixels have after the pull: none for a pixel that is no longer live. The claims of pixels come first.
  const renamedPixels = new Map<string, string>();
  const context = { ...resolved, references: { ...resolved.references, renamedPixels } };
  const items = claims.flatMap((claim): PulledItem[] => {
    const { desired } = claim;
    const live = claim.live ?? renamed.get(desired);
    if (!pulling.wants(live ?? desired)) return [];
    if (desired.kind === "pixel") {
      const [before = "", after = ""] = [desired, live].map((one) => String(one?.values.get(KEY_FIELD.pixel) ?? ""));
      if (fold(after) !== fold(before)) renamedPixels.set(before, after);
    }
    if (live !== undefined) return update(claim, live, context, pulling);
    const note = "it is no longer live";
    return [{ ...about(desired), what: "removed", note, edit: (file) => file.remove(desired) }];
  });
  const revived = resolved.tombstones.flatMap(({ live, tombstone, identity, key }): PulledItem[] => {
    if (live === null || !pulling.wants(live)) return [];
    const note = "removed its tombstone, because it is live";
    return [{ ...about({ ...tombstone, identity, key }), what: "added", note, edit: (file) => file.remove(tombstone) }];
  });
  return { items: [...items, ...revived], references: context.references };
}

function about(
  { kind, identity, key, place }: Pick<Desired, "kind" | "identity" | "key" | "place">,
  live?: Live,
): Omit<PulledItem, "what" | "note"> {
  return { kind, identity, key: live?.key ?? key, file: place.file, place, live };
}

/** The edit that makes a block match its live record; none if they match. */
function update(claim: Claim, live: Live, resolved: Resolved, pulling: PullContext): PulledItem[] {
  const { desired } = claim;
  const { place, kind, family } = desired;
  const { parts, problem } = compareBlock(desired, live, resolved, pulling);
  const own = about(desired, live);
  const skipped = (note: string): PulledItem[] => [{ ...own, what: "skipped", note, isStale: true }];
  if (problem !== null) return skipped(problem);
  // The record with the old key of an unfinished rename is a separate link.
  const isUnfinished = resolved.staleRecords.some(({ successor }) => successor === desired);
  if (family !== undefined) {
    if (hasKeyOf(desired, live) && parts.size === 0 && !isUnfinished) return [];
    const declared = declare(live, { ...resolved, ...pulling, defaults: pulling.defaultsAt(place) });
    if ("problem" in declared) return skipped(`it cannot be declared: ${declared.problem}`);
    const block = { key: declared.key, value: { entries: [...declared.block, ...keptEntries(desired)] } };
    const edit: Edit = (file) => {
      file.remove(desired);
      file.add(kind, block, place);
    };
    return [{ ...own, what: "changed", note: "moved out of its family", edit }];
  }
  const key = newKey(desired, live, resolved);
  const isMoved = domainOf(live) !== domainOf(desired) && pulling.has(place, REFERENCE_FIELD.domain);
  // A finished rename, or one that never matched.
  const isRenamed = key !== null && (claim.isRenamed || claim.live === undefined) && pulling.has(place, "renamed_from");
  const gone = [...(isMoved ? [REFERENCE_FIELD.domain] : []), ...(isRenamed || isUnfinished ? ["renamed_from"] : [])];
  const all = new Map([...gone.map((name) => [name, undefined] as const), ...parts]);
  if (all.size === 0 && key === null) return [];
  const paths = [...(key === null ? [] : [KEY_FIELD[kind]]), ...parts.keys()];
  const note = paths.length === 0 ? null : paths.join(", ");
  return [{ ...own, what: "changed", note, edit: (file) => file.change(place, kind, all, key) }];
}

/** The entries of a link of a family that the live record does not have. */
function keptEntries({ protect, owners, reviewBy, note }: Desired): YamlEntry[] {
  return [
    ...(protect === null ? [] : [{ key: "protect", value: true }]),
    ...(owners.length === 0 ? [] : [{ key: "owner", value: owners }]),
    ...(reviewBy === null ? [] : [{ key: "review_by", value: reviewBy.text }]),
    ...(note === null ? [] : [{ key: "note", value: note.text }]),
  ];
}

/** Live records that no declaration and no tombstone names. */
export function unclaimed({ live, claims, tombstones }: Resolved): Live[] {
  const named = new Set<Live | null | undefined>([...claims, ...tombstones].map((one) => one.live));
  return live.filter((record) => !named.has(record));
}

/** Undefined for a pixel. */
function domainOf({ values }: Desired | Live): Value | undefined {
  return values.get(REFERENCE_FIELD.domain);
}

function hasKeyOf(desired: Desired, live: Live): boolean {
  const path = KEY_FIELD[live.kind];
  return desired.values.get(path) === live.values.get(path) && domainOf(desired) === domainOf(live);
}

/** The key of the live record for the block, if the block has another one, also in case or accents. */
function newKey(desired: Desired, live: Live, { references }: Resolved): string | null {
  const { kind, place, fields } = desired;
  if (hasKeyOf(desired, live)) return null;
  if (domainOf(live) !== domainOf(desired)) return fileKey(live, references);
  const name = String(live.values.get(KEY_FIELD[kind]));
  const written = place.source?.line(place.line)?.slice(place.column - 1) ?? "";
  const hasDomainInKey = kind === "link" && written.slice(0, place.length).includes("/");
  return hasDomainInKey ? `${String(fields.get(REFERENCE_FIELD.domain)?.value)}/${name}` : name;
}

function compareBlock(desired: Desired, live: Live, resolved: Resolved, pulling: PullContext): BlockDiff {
  const { kind, place, family, values, fields, utm, unspecified } = desired;
  const hasUnknown = namesUnknownPixel(desired, resolved);
  return diffBlock(
    {
      kind,
      values: {
        get: (path) => (hasUnknown && path === REFERENCE_FIELD.pixel ? undefined : values.get(path)),
        has: (path) => fields.has(path),
      },
      has: (path) => family === undefined && pulling.has(place, path),
      utm: utm.size === 0 ? null : utmValues(utm),
      writtenAt: (path) => fields.get(path)?.written,
      unspecified,
      defaults: pulling.defaultsAt(place),
    },
    live,
    { ...resolved, ...pulling },
  );
}

/** Whether a link names a pixel that is neither declared nor live, or will not be after the pull. */
function namesUnknownPixel({ fields }: Desired, { side, references }: Resolved): boolean {
  const known = pixelNamesOf({ fields }).map((name) => side.pixels.ofMention(name));
  return known.some((name) => name === undefined || references.renamedPixels?.has(name) === true);
}

/**
 * Pairs declared objects that are not live with undeclared live records that have the same required fields, if no other object
 * has these. A wrong pair is harmless, because all other fields are written with their live values.
 */
function manualRenames(gone: readonly Desired[], fresh: readonly Live[]): ReadonlyMap<Desired, Live> {
  // The keys of a whole account take long.
  if (gone.length === 0) return new Map();
  const keyInDomain = (one: Desired | Live): string => JSON.stringify([objectKey(one), domainOf(one)]);
  const found = groupBy(fresh, keyInDomain);
  const pairs = new Map<Desired, Live>();
  for (const [key, [desired, ...more]] of groupBy(gone, keyInDomain)) {
    const [live, ...others] = found.get(key) ?? [];
    if (desired !== undefined && live !== undefined && more.length + others.length === 0) pairs.set(desired, live);
  }
  return pairs;
}
