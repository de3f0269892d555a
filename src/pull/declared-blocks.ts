// Edits the blocks of declared objects to match the live records. A pull repeats this, because an edit
// can affect other blocks, which use an anchor, the name of a pixel, or a default.

import { isJsonFile } from "../config/json.ts";
import type { Desired, Live } from "../domain/change.ts";
import type { FieldSpec } from "../domain/field.ts";
import type { Place } from "../domain/place.ts";
import { groupFields, KEY_FIELD, pathsOf, REFERENCE_FIELD, type ResourceKind } from "../domain/table.ts";
import { UTM_KEYS } from "../domain/utm.ts";
import type { EffectiveDefaults } from "../domain/value.ts";
import type { Claim } from "../plan/claims.ts";
import type { Resolved } from "../plan/resolve.ts";
import { declare } from "../edit/declare.ts";
import { fileKey } from "../edit/file-values.ts";
import { isBlock } from "../edit/fresh.ts";
import { utmPath } from "../edit/utm.ts";
import type { WrittenItem } from "../report/json/written.ts";
import { blockKeys } from "../edit/key-order.ts";
import type { YamlContent, YamlEntry } from "../edit/yaml-text.ts";
import type { VariableNames } from "../edit/variable-names.ts";
import type { EditedFiles } from "../edit/edited-file.ts";
import { diffBlock, diffUtmBlock, type BlockPart, type BlockDiff } from "./diff-block.ts";
import { groupBy } from "../domain/collections.ts";
import { objectKey } from "../plan/compare.ts";

/** What one round of a pull depends on. */
export interface PullContext {
  /** Whether a live record is selected. */
  readonly wants: (live: Live) => boolean;
  /** Whether a declared object is selected if it is not live. */
  readonly wantsGone: (desired: Desired) => boolean;
  /** Write values that a default would imply. True from the second round on, because the first one relied on defaults. */
  readonly isExplicit: boolean;
  readonly variables: VariableNames;
  /** The defaults for blocks at this place. */
  readonly defaultsAt: (place: Place) => EffectiveDefaults;
  /** Write the UTM parameters of new blocks as `utm`. */
  readonly usesUtm: boolean;
}

/** An object, and what the pull did with it. */
export interface PulledItem extends WrittenItem {
  readonly identity: string;
  /** The declaration differs from the live record, and no file can express the live value. */
  readonly isStale: boolean;
}

interface PulledDeclared {
  readonly items: readonly PulledItem[];
  /** Live records whose blocks get a new key. */
  readonly renamed: ReadonlySet<Live>;
}

/** Edits the blocks of declared objects to match their live records. Blocks in JSON files stay: `generatedProblems` refuses their changes. */
export function pullDeclared(resolved: Resolved, files: EditedFiles, pulling: PullContext): PulledDeclared {
  const items: PulledItem[] = [];
  const unfinished = new Set(resolved.staleRecords.map(({ successor }) => successor));
  const isGenerated = ({ place }: { readonly place: Place }): boolean => isJsonFile(place.file);
  const gone = resolved.claims.flatMap(({ desired, live }) =>
    live === undefined && !isGenerated(desired) ? [desired] : [],
  );
  const renamed = manualRenames(gone.filter(pulling.wantsGone), unclaimed(resolved).filter(pulling.wants));
  for (const claim of resolved.claims) {
    const { desired } = claim;
    const live = claim.live ?? renamed.get(desired);
    if (isGenerated(desired)) continue;
    if (live === undefined) {
      if (!pulling.wantsGone(desired)) continue;
      files.at(desired.place).block(desired).remove();
      items.push(item("removed", desired, desired.key, "it is no longer live"));
    } else if (pulling.wants(live)) {
      const { parts, inexpressible } = compareBlock(desired, live, resolved, files, pulling);
      if (inexpressible.length > 0) {
        const note = `files cannot express its ${inexpressible.join(", ")}`;
        items.push({ ...item("skipped", desired, live.key, note), isStale: true });
        continue;
      }
      const isUnfinished = unfinished.has(desired);
      if (desired.family !== undefined && (isUnfinished || !hasKeyOf(desired, live) || parts.some(hasBraces))) {
        leaveFamily(desired, live, resolved, files, pulling);
        items.push(item("changed", desired, live.key, "moved out of its family"));
        continue;
      }
      const paths = [
        ...rename(claim, live, resolved, files),
        ...writeParts(desired, live, parts, resolved, files, pulling),
      ];
      // The record with the old key of an unfinished rename is a separate link.
      if (isUnfinished) files.at(desired.place).unset(desired.place, ["renamed_from"]);
      if (paths.length > 0 || isUnfinished) items.push(item("changed", desired, live.key, paths.join(", ")));
    }
  }
  for (const { live, tombstone, identity, key } of resolved.tombstones) {
    if (live === null || !pulling.wants(live) || isGenerated(tombstone)) continue;
    files.at(tombstone.place).remove(tombstone.place);
    const note = "removed its tombstone, because it is live";
    items.push({ what: "added", kind: live.kind, key, file: tombstone.place.file, note, identity, isStale: false });
  }
  return { items, renamed: new Set(renamed.values()) };
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

/** Whether a text has braces, which a family would read as a placeholder. */
function hasBraces({ content }: BlockPart): boolean {
  return content !== undefined && /[{}]/.test(textsIn(content).join(""));
}

function textsIn(content: YamlContent): string[] {
  if (content === null || typeof content !== "object") return [String(content)];
  return isBlock(content) ? content.entries.flatMap(({ value }) => textsIn(value)) : [...content];
}

/** Moves a link to a separate block, because its family cannot express the live record. */
function leaveFamily(
  desired: Desired,
  live: Live,
  resolved: Resolved,
  files: EditedFiles,
  { variables, usesUtm }: PullContext,
): void {
  const file = files.at(desired.place);
  const declared = declare(live, { ...resolved, defaults: new Map(), variables, usesUtm });
  if ("problem" in declared) return;
  const kept: YamlEntry[] = [
    ...(desired.protect === null ? [] : [{ key: "protect", value: true }]),
    ...(desired.owners.length === 0 ? [] : [{ key: "owner", value: desired.owners }]),
    ...(desired.reviewBy === null ? [] : [{ key: "review_by", value: desired.reviewBy }]),
    ...(desired.note === null ? [] : [{ key: "note", value: desired.note }]),
  ];
  file.block(desired).remove();
  file.add(desired.kind, declared.key, { entries: [...declared.block, ...kept] }, null);
}

/** Gives a block the key of its live record if the two differ, also in case or accents. */
function rename(
  { desired, isRenamed, live: claimed }: Claim,
  live: Live,
  { references }: Resolved,
  files: EditedFiles,
): string[] {
  const { kind, place, declared } = desired;
  const name = String(live.values.get(KEY_FIELD[kind]));
  const isSame = name === desired.values.get(KEY_FIELD[kind]);
  const domain = REFERENCE_FIELD.domain;
  const isHere = kind === "pixel" || live.values.get(domain) === desired.values.get(domain);
  if (isHere && isSame) return [];
  const file = files.at(place);
  if (isHere) {
    const written = place.source?.line(place.line)?.slice(place.column - 1) ?? "";
    const hasDomainInKey = kind === "link" && written.slice(0, place.length).includes("/");
    file.rename(place, hasDomainInKey ? `${String(declared.get(domain)?.value)}/${name}` : name);
  } else {
    if (file.has(place, [domain])) file.unset(place, [domain]);
    file.rename(place, fileKey(live, references));
  }
  // A finished rename, or one that never matched, no longer needs `renamed_from`.
  if ((isRenamed || claimed === undefined) && file.has(place, ["renamed_from"])) file.unset(place, ["renamed_from"]);
  return [KEY_FIELD[kind]];
}

/** The parts of a block that differ from the live record. */
function compareBlock(
  desired: Desired,
  live: Live,
  resolved: Resolved,
  files: EditedFiles,
  pulling: PullContext,
): BlockDiff {
  const declared = {
    context: { ...resolved, variableFor: (path: string) => pulling.variables.nameFor(live, path) },
    has: (path: readonly string[]) => files.at(desired.place).block(desired).has(path),
    isUnknownPixel: (field: FieldSpec) => isUnknownPixel(field, desired, resolved),
    isExplicit: pulling.isExplicit,
  };
  if (desired.utm.size === 0) return diffBlock(desired, live, declared);
  return diffUtmBlock(desired, live, { ...declared, defaults: inheritedAt(desired, pulling) });
}

/** What a block inherits: the defaults and, for a link of a family, the UTM values of the family. */
function inheritedAt({ place, family, utm }: Desired, { defaultsAt }: PullContext): EffectiveDefaults {
  const own = family === undefined ? [] : [...utm].map(([key, { value }]) => [utmPath(key), value] as const);
  return new Map([...defaultsAt(place), ...own]);
}

/** Writes the parts into the block, and returns the changed paths. */
function writeParts(
  desired: Desired,
  live: Live,
  parts: readonly BlockPart[],
  resolved: Resolved,
  files: EditedFiles,
  { variables, defaultsAt, usesUtm }: PullContext,
): string[] {
  if (parts.length === 0) return [];
  const { place, kind } = desired;
  const file = files.at(place);
  const block = file.block(desired);
  if (!block.isOwn) {
    // The block is an alias of another block, which must not change.
    const declared = declare(live, { ...resolved, defaults: defaultsAt(place), variables, usesUtm });
    if (!("problem" in declared)) file.replace(place, { entries: declared.block });
  } else {
    for (const part of parts) {
      if (part.content === undefined) block.unset(part.path);
      else block.set(part.path, part.content, orderAt(kind, part));
    }
  }
  return [...new Set(parts.map(({ path }) => path.join(".")))];
}

/** Whether a list names a pixel that is neither declared nor live. */
function isUnknownPixel(field: FieldSpec, { declared }: Desired, { side }: Resolved): boolean {
  const value = field.kind === "references" ? declared.get(field.path)?.value : undefined;
  return Array.isArray(value) && value.some((name) => side.pixels.ofMention(String(name)) === undefined);
}

/** The sibling names of a part, in canonical order. */
function orderAt(kind: ResourceKind, { path }: BlockPart): readonly string[] {
  const [head = "", ...tail] = path;
  if (tail.length === 0) return blockKeys(kind);
  if (head === "utm") return [...UTM_KEYS];
  return groupFields(head).flatMap((field) => {
    return pathsOf(field).map((name) => name.split(".").at(-1) ?? name);
  });
}

/**
 * Pairs declared objects that are not live with undeclared live records that have the same required fields, if no other object
 * has these. A wrong pair is harmless, because all other fields are written with their live values.
 */
function manualRenames(gone: readonly Desired[], fresh: readonly Live[]): ReadonlyMap<Desired, Live> {
  // The keys of a whole account take long.
  if (gone.length === 0) return new Map();
  const keyOf = (one: Desired | Live): string =>
    JSON.stringify([objectKey(one), one.values.get(REFERENCE_FIELD.domain)]);
  const byKey = groupBy(fresh, keyOf);
  const pairs = [...groupBy(gone, keyOf)].flatMap(([key, [desired, ...more]]) => {
    const [live, ...others] = byKey.get(key) ?? [];
    return desired === undefined || live === undefined || more.length + others.length > 0
      ? []
      : [[desired, live] as const];
  });
  return new Map(pairs);
}
