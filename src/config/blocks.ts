// From one document to declarations and tombstones: keys, layers of defaults, and what a block says besides its fields.

import { append } from "../domain/collections.ts";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { placeIn, type Place } from "../domain/place.ts";
import type { Declaration, Declared, Tombstone, WrittenKey } from "../domain/project.ts";
import { blockFields, KEY_FIELD, KINDS, REFERENCE_FIELD, SECTION } from "../domain/table.ts";
import { givenTime, readFields, type PlacedRemark } from "./fields.ts";
import { keyTextOf, mayHold, readKey, readRenamedFrom, type KeyContext, type KeyText } from "./keys.ts";
import type { Labels } from "./labels.ts";
import { entry, isDamaged, isNull, type TreeEntry, type TreeNode } from "./tree.ts";
import { asWritten } from "./written.ts";

/** What the project file lends to every document. */
export interface Inherited {
  readonly defaults: TreeEntry | null;
  readonly unspecified: "reset" | "keep";
  readonly labels: Labels;
}

export interface LoadedBlocks {
  readonly declarations: Declaration[];
  readonly tombstones: Tombstone[];
  readonly diagnostics: Diagnostic[];
  readonly remarks: PlacedRemark[];
}

/** Reads the sections of one document. Defaults and `unspecified` of a document hold for that document. */
export function readBlocks(document: TreeNode, inherited: Inherited): LoadedBlocks {
  const blocks: LoadedBlocks = { declarations: [], tombstones: [], diagnostics: [], remarks: [] };
  const defaults = defaultsOf(document, inherited);
  const layers = linkLayers(defaults);
  const unspecified = readUnspecified(document) ?? inherited.unspecified;
  const absent = entry(document, "absent")?.value;
  for (const kind of KINDS) {
    const section = SECTION[kind];
    const context: Context = {
      kind,
      layers: kind === "link" ? layers : [],
      uncertain:
        kind === "link" && (defaults.some(isUncertain) || entry(document, REFERENCE_FIELD.domain) !== undefined),
      unspecified,
      labels: inherited.labels,
      diagnostics: blocks.diagnostics,
      blocks,
    };
    const declared = entry(document, section)?.value;
    if (declared?.type === "map") for (const block of declared.entries) readBlock(block, context);
    for (const [key, value] of tombstoneEntries(entry(absent, section)?.value)) readTombstone(key, value, context);
  }
  return blocks;
}

/** The `defaults` that hold for a document, the nearest first. */
function defaultsOf(document: TreeNode | undefined, inherited: Pick<Inherited, "defaults">): TreeNode[] {
  return [entry(document, "defaults"), inherited.defaults].flatMap((layer) => layer?.value ?? []);
}

function linkLayers(defaults: readonly TreeNode[]): TreeNode[] {
  return defaults.flatMap((layer) => entry(layer, "link")?.value ?? []).filter(({ type }) => type === "map");
}

/**
 * What the defaults that hold for a document give to its links, by path, and the time of day that dates alone mean; for no
 * document, what they would give in a new file.
 */
export function givenIn(document: TreeNode | undefined, inherited: Inherited): ReadonlyMap<string, Declared> {
  const layers = linkLayers(defaultsOf(document, inherited));
  const { fields } = readFields("link", layers);
  const domain = fields.get(REFERENCE_FIELD.domain);
  if (typeof domain?.value === "string")
    fields.set(REFERENCE_FIELD.domain, { ...domain, value: inherited.labels.labelOf(domain.value) });
  for (const row of blockFields("link")) {
    const time = row.kind === "instant" ? givenTime(row, layers) : null;
    if (row.kind === "instant" && time !== null) fields.set(row.timePath, time);
  }
  return fields;
}

interface Context extends KeyContext {
  readonly unspecified: "reset" | "keep";
  readonly blocks: LoadedBlocks;
}

/** Whether something in these defaults has been reported that may hold a domain. */
function isUncertain(defaults: TreeNode): boolean {
  if (isNull(defaults)) return false;
  if (defaults.type !== "map" || isDamaged(defaults)) return true;
  return defaults.entries.some(
    ({ key, value }) =>
      key !== "link" || (value.type === "map" ? mayHold(value, REFERENCE_FIELD.domain) : !isNull(value)),
  );
}

/** The `unspecified` of a map, where it has one. */
export function readUnspecified(node: TreeNode): "reset" | "keep" | null {
  const said = entry(node, "unspecified")?.value;
  return said?.type === "scalar" && (said.text === "reset" || said.text === "keep") ? said.text : null;
}

/** Where a block says `protect: true`. `false` is like leaving it out: it lifts no glob of the project. */
function readProtect(block: TreeNode): Place | null {
  const said = entry(block, "protect")?.value;
  return said?.type === "scalar" && said.value === true ? said.place : null;
}

function readBlock(block: TreeEntry, context: Context): void {
  const { kind, blocks, layers } = context;
  const { fields, secrets, broken, diagnostics, remarks } = readFields(kind, [block.value, ...layers]);
  append(blocks.diagnostics, diagnostics);
  append(blocks.remarks, remarks);
  const key = readKey(keyTextOf(block), block.value, context);
  for (const row of blockFields(kind)) {
    // A key without a map has been reported as such; a domain may stand in the key.
    if (!row.required || row.path === REFERENCE_FIELD.domain || block.value.type !== "map") continue;
    if (fields.has(row.path) || broken.has(row.path) || mayHold(block.value, row.path)) continue;
    const message = `\`${block.key}\` has no \`${row.path}\`.`;
    const hint = `Add \`${row.path}: ${asWritten(row.example)}\`.`;
    blocks.diagnostics.push(error("missing-field", message, block.keyPlace, hint));
  }
  if (key === null) return;
  fields.set(KEY_FIELD[kind], { value: key.name, place: key.place });
  if (key.domain !== null)
    fields.set(REFERENCE_FIELD.domain, { value: key.domain, place: domainPlace(block, context) });
  blocks.declarations.push({
    ...key,
    fields,
    secrets,
    unspecified: readUnspecified(block.value) ?? context.unspecified,
    renamedFrom: readRenamedFrom(block.value, key, context),
    protect: readProtect(block.value),
  });
}

/** Where a link's domain is said: in its key, in the block, or in the nearest defaults that do. */
function domainPlace({ key, keyPlace, value }: TreeEntry, { layers }: Context): Place {
  if (key.includes("/")) return placeIn(keyPlace, key.slice(0, key.lastIndexOf("/")), "first");
  const said = [value, ...layers].flatMap((layer) => entry(layer, REFERENCE_FIELD.domain)?.value.place ?? []);
  return said[0] ?? keyPlace;
}

/** A list of keys, a list of maps, or a map: each key with what stands under it. */
function tombstoneEntries(node: TreeNode | undefined): [KeyText, TreeNode | undefined][] {
  if (node?.type === "map") return node.entries.map((written) => [keyTextOf(written), written.value]);
  if (node?.type !== "list") return [];
  return node.items.flatMap((item): [KeyText, TreeNode | undefined][] => {
    if (item.type === "map") return tombstoneEntries(item);
    return item.type === "scalar" && !item.broken ? [[{ text: item.text, place: item.place }, undefined]] : [];
  });
}

function readTombstone(written: KeyText, value: TreeNode | undefined, context: Context): void {
  const key: WrittenKey | null = readKey(written, undefined, context);
  const id = value === undefined ? undefined : entry(value, "id")?.value;
  if (key !== null)
    context.blocks.tombstones.push({
      ...key,
      id: id?.type === "scalar" && typeof id.value === "number" ? id.value : null,
    });
}
