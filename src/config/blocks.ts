// Reads the declarations and tombstones of one document: their keys, defaults, and settings that are not fields.

import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { placeIn, type Place } from "../domain/place.ts";
import type { Declaration, Declared, FamilyLink, Tombstone, Waiver } from "../domain/project.ts";
import { blockFields, KEY_FIELD, KINDS, REFERENCE_FIELD, SECTION } from "../domain/table.ts";
import { defaultTimes, findValue, readFields, type FindingTarget } from "./fields.ts";
import { idIn, mayContain, readKey, readRenamedFrom, type KeyContext, type Labels } from "./keys.ts";
import { readUtm, writeUtm } from "./utm.ts";
import { lintBlock } from "./lint/values.ts";
import { shownKey } from "./yaml-events.ts";
import {
  dateIn,
  entriesOf,
  entry,
  formatInline,
  isDamaged,
  isNull,
  mentionOf,
  textOf,
  textsIn,
  type TreeEntry,
  type TreeNode,
} from "./yaml.ts";

export interface LoadedBlocks extends FindingTarget {
  /** Of domains. */
  readonly labels: Labels;
  readonly declarations: Declaration[];
  readonly tombstones: Tombstone[];
  /** The fields of a declaration whose values are not valid, if there are any. */
  readonly broken: Map<Declaration, ReadonlySet<string>>;
  /** Blocks whose key could not be read. */
  readonly lost: Place[];
}

export interface BlockContext extends KeyContext, LoadedBlocks {
  readonly unspecified: "reset" | "keep";
}

/** What the links of a document depend on, in a project with this project file. */
export function linkContext(document: TreeNode, project: TreeNode, blocks: LoadedBlocks): BlockContext {
  const defaults = [...new Set([document, project])].flatMap((file) => entry(file, "defaults")?.value ?? []);
  return {
    ...blocks,
    kind: "link",
    layers: defaults.flatMap((layer) => entry(layer, "link")?.value ?? []).filter(({ type }) => type === "map"),
    uncertain: defaults.some(isUncertain) || entry(document, REFERENCE_FIELD.domain) !== undefined,
    unspecified: readUnspecified(document) ?? readUnspecified(project) ?? "reset",
  };
}

/** Reads the sections of one document. `links` is the context of its links. */
export function readBlocks(document: TreeNode, links: BlockContext): void {
  const defaults = entry(entry(document, "defaults")?.value, "link")?.value;
  if (links.lint && defaults) lintBlock("link", defaults, links.lint);
  const absent = entry(document, "absent")?.value;
  for (const kind of KINDS) {
    const section = SECTION[kind];
    const context: BlockContext = kind === "link" ? links : { ...links, kind, layers: [], uncertain: false };
    for (const block of entriesOf(entry(document, section)?.value)) readBlock(block, context);
    for (const written of tombstoneEntries(entry(absent, section)?.value)) {
      const key = readKey(written, undefined, context);
      if (key !== null) context.tombstones.push({ ...key, id: idIn(written.value) });
    }
  }
}

/** The defaults of links by path, including the default time of day of dates. */
export function linkDefaultsOf({ layers, labels }: BlockContext): ReadonlyMap<string, Declared> {
  const { fields } = readFields("link", layers);
  const domain = fields.get(REFERENCE_FIELD.domain);
  if (typeof domain?.value === "string")
    fields.set(REFERENCE_FIELD.domain, { ...domain, value: labels.labelOf(domain.value) });
  for (const [path, time] of defaultTimes(layers)) fields.set(path, time);
  for (const [key, value] of readUtm(layers)) fields.set(`utm.${key}`, value);
  return fields;
}

/** Whether an error in these defaults may hide a domain. Then no domain is reported as missing. */
function isUncertain(defaults: TreeNode): boolean {
  if (isNull(defaults)) return false;
  if (defaults.type !== "map" || isDamaged(defaults)) return true;
  return defaults.entries.some(
    ({ key, value }) =>
      key !== "link" || (value.type === "map" ? mayContain(value, REFERENCE_FIELD.domain) : !isNull(value)),
  );
}

function readUnspecified(node: TreeNode | undefined): "reset" | "keep" | null {
  const text = textOf(entry(node, "unspecified")?.value);
  return text === "reset" || text === "keep" ? text : null;
}

/** `false` does not override a glob of the project. A value that is not valid protects, because a base with errors counts. */
function readProtect(block: TreeNode): Place | null {
  const value = entry(block, "protect")?.value;
  return value === undefined || (value.type === "scalar" && value.value === false) ? null : value.place;
}

function readWaivers(node: TreeNode | undefined, diagnostics: Diagnostic[]): ReadonlyMap<string, Waiver> {
  const waivers = new Map<string, Waiver>();
  for (const { key, keyPlace: place, value } of entriesOf(node)) {
    const until = dateIn(entry(value, "until")?.value, diagnostics)?.text;
    const because = textOf(entry(value, "because")?.value);
    // The schema has reported a waiver without these keys.
    if (until !== undefined && because !== null) waivers.set(key, { until, because, place });
  }
  return waivers;
}

/** `family` is the family that has the link. */
export function readBlock(block: TreeEntry, context: BlockContext, family?: FamilyLink): void {
  const { kind, layers, diagnostics, lint } = context;
  const { key: written, keyPlace, value } = block;
  const all = [value, ...layers];
  const { fields, secrets, broken } = readFields(kind, all, context);
  if (lint) lintBlock(kind, value, lint);
  const utm = readUtm(kind === "link" ? all : []);
  writeUtm(fields, utm, diagnostics);
  const key = readKey(block, value, context);
  for (const { path, required, example } of blockFields(kind)) {
    // A block that is not a map has been reported. A domain may be in the key.
    if (!required || path === REFERENCE_FIELD.domain || value.type !== "map") continue;
    if (fields.has(path) || broken.has(path) || mayContain(value, path)) continue;
    const message = `\`${shownKey(written)}\` has no \`${path}\`.`;
    diagnostics.push(error("missing-field", message, keyPlace, `Add \`${path}: ${formatInline(example)}\`.`));
  }
  if (key === null) {
    context.lost.push(keyPlace);
    return;
  }
  const { domain, name, place } = key;
  fields.set(KEY_FIELD[kind], { value: name, place });
  if (domain !== null) {
    const inKey = written.slice(0, Math.max(written.lastIndexOf("/"), 0));
    const given = inKey === "" ? fields.get(REFERENCE_FIELD.domain)?.place : undefined;
    fields.set(REFERENCE_FIELD.domain, { value: domain, place: given ?? placeIn(place, inKey, "first") });
  }
  // The nearest layer that has a key sets or clears it.
  const inLink = (path: string): TreeNode | undefined =>
    kind === "link" ? findValue(all, [path, null])?.node : undefined;
  // Without spread parts: they make this several times as slow.
  const own: Declaration = {
    kind,
    domain,
    name,
    place,
    fields,
    secrets,
    unspecified: readUnspecified(value) ?? context.unspecified,
    renamedFrom: readRenamedFrom(value, key, context),
    protect: readProtect(value),
    utm,
    owners: [...new Set(textsIn(inLink("owner")).map(({ text }) => text))],
    reviewBy: dateIn(inLink("review_by"), diagnostics),
    note: mentionOf(entry(value, "note")?.value),
    waivers: readWaivers(entry(value, "waive")?.value, diagnostics),
  };
  const declaration = family ? { ...own, family } : own;
  context.declarations.push(declaration);
  if (broken.size > 0) context.broken.set(declaration, broken);
}

/** Tombstones are a list of keys, a list of maps, or a map. */
function tombstoneEntries(node: TreeNode | undefined): readonly TreeEntry[] {
  if (node?.type !== "list") return entriesOf(node);
  return node.items.flatMap((item): readonly TreeEntry[] => {
    if (item.type !== "scalar") return entriesOf(item);
    return item.broken ? [] : [{ key: item.text, keyPlace: item.place, value: item }];
  });
}

/** What commands need to add to a document. */
export interface DocumentOutline {
  readonly file: string;
  /** Where its content begins. */
  readonly place: Place;
  /** Its own defaults of links and the project's by path, as written, with the default time of dates under `timePath`. */
  readonly linkDefaults: ReadonlyMap<string, Declared>;
}
