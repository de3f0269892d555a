// From one document to declarations and tombstones: keys, layers of defaults, and what a block says besides its fields.

import { error, type Diagnostic } from "../domain/diagnostic.ts";
import type { Place } from "../domain/place.ts";
import type { Declaration, Tombstone, WrittenKey } from "../domain/project.ts";
import { blockFields, FIELDS, KEY_FIELD, type ResourceKind } from "../domain/table.ts";
import type { Labels } from "./labels.ts";
import { readFields } from "./fields.ts";
import { mustBe } from "./schema.ts";
import { entry, type Entry, type Node } from "./yaml.ts";

/** What the project file lends to every document. */
export interface Inherited {
  readonly defaults: Node | null;
  readonly unspecified: "reset" | "keep";
  readonly labels: Labels;
}

export interface Blocks {
  readonly declarations: Declaration[];
  readonly tombstones: Tombstone[];
  readonly diagnostics: Diagnostic[];
}

const SECTIONS = [
  ["pixel", "pixels"],
  ["link", "links"],
] as const;

/** Reads the sections of one document. Defaults and `unspecified` of a document hold for that document. */
export function readBlocks(document: Node, inherited: Inherited): Blocks {
  const blocks: Blocks = { declarations: [], tombstones: [], diagnostics: [] };
  const own = entry(entry(document, "defaults")?.value, "link")?.value;
  const defaults = [own, inherited.defaults].filter((layer) => layer?.type === "map");
  const unspecified = readUnspecified(document) ?? inherited.unspecified;
  const absent = entry(document, "absent")?.value;
  for (const [kind, section] of SECTIONS) {
    const layers = kind === "link" ? defaults.filter((layer) => layer !== undefined && layer !== null) : [];
    const context: Context = { kind, layers, unspecified, labels: inherited.labels, blocks };
    const declared = entry(document, section)?.value;
    if (declared?.type === "map") for (const block of declared.entries) readBlock(block, context);
    for (const [key, value] of tombstoneEntries(entry(absent, section)?.value)) readTombstone(key, value, context);
  }
  return blocks;
}

interface Context {
  readonly kind: ResourceKind;
  /** Defaults, the nearest first. */
  readonly layers: readonly Node[];
  readonly unspecified: "reset" | "keep";
  readonly labels: Labels;
  readonly blocks: Blocks;
}

/** The `unspecified` of a map, where it has one. */
export function readUnspecified(node: Node): "reset" | "keep" | null {
  const said = entry(node, "unspecified")?.value;
  return said?.type === "scalar" && (said.text === "reset" || said.text === "keep") ? said.text : null;
}

interface KeyText {
  readonly text: string;
  readonly place: Place;
}

function readBlock(block: Entry, context: Context): void {
  const { kind, blocks, layers } = context;
  // A block without a map in it has been reported as such.
  if (block.value.type !== "map") return;
  const { fields, secrets, broken, diagnostics } = readFields(kind, [block.value, ...layers]);
  blocks.diagnostics.push(...diagnostics);
  const key = readKey({ text: block.key, place: block.keyPlace }, entry(block.value, "domain"), context);
  if (key === null) return;
  fields.set(KEY_FIELD[kind], { value: key.name, place: key.place });
  if (key.domain !== null)
    fields.set("domain", { value: key.domain, place: entry(block.value, "domain")?.value.place ?? key.place });
  for (const row of blockFields(kind)) {
    if (row.required && !fields.has(row.path) && !broken.has(row.path)) {
      blocks.diagnostics.push(
        error(
          "missing-field",
          `\`${block.key}\` has no \`${row.path}\`.`,
          block.keyPlace,
          `Add \`${row.path}: ${row.example}\`.`,
        ),
      );
    }
  }
  const protect = entry(block.value, "protect")?.value;
  blocks.declarations.push({
    ...key,
    fields,
    secrets,
    unspecified: readUnspecified(block.value) ?? context.unspecified,
    protect: protect?.type === "scalar" && protect.value === true,
    renamedFrom: readRenamedFrom(entry(block.value, "renamed_from"), key, context),
  });
}

/** The key of a block or tombstone. A link's domain stands in the key, in the block, or in the defaults. */
function readKey(written: KeyText, own: Entry | undefined, context: Context): WrittenKey | null {
  const { kind, labels, layers, blocks } = context;
  const key = splitKey(written, kind);
  const problem = nameProblem(key);
  if (problem !== null) {
    blocks.diagnostics.push(
      error(
        "wrong-key",
        `\`${written.text}\` can't be the key of a ${kind}: ${problem}`,
        written.place,
        "Correct the key.",
      ),
    );
    return null;
  }
  if (kind === "pixel") return key;
  const inBlock = textOf(own?.value);
  if (key.domain !== null && inBlock !== null && labels.identityOf(key.domain) !== labels.identityOf(inBlock)) {
    blocks.diagnostics.push(
      error(
        "domain-conflict",
        `The key says ${key.domain}, the block says \`domain: ${inBlock}\`.`,
        own?.value.place ?? written.place,
        "Remove one of the two.",
      ),
    );
    return null;
  }
  const domain =
    key.domain ??
    inBlock ??
    layers.map((layer) => textOf(entry(layer, "domain")?.value)).find((text) => text !== null) ??
    null;
  if (domain === null) {
    blocks.diagnostics.push(
      error(
        "missing-field",
        `\`${written.text}\` has no domain.`,
        written.place,
        `Write the key as go.example.com/${written.text}, or add \`domain:\` to the block or to \`defaults\`.`,
      ),
    );
    return null;
  }
  return { ...key, domain: labels.labelOf(domain) };
}

function splitKey({ text, place }: KeyText, kind: ResourceKind): WrittenKey {
  const slash = kind === "link" ? text.lastIndexOf("/") : -1;
  const domain = slash < 0 ? null : text.slice(0, slash).trim();
  return { kind, domain, name: text.slice(slash + 1).trim(), place };
}

/** What keeps a text from being an alias or a pixel's name, by the field table; null if nothing does. */
function nameProblem(key: WrittenKey): string | null {
  const row = FIELDS[key.kind].find(({ path }) => path === KEY_FIELD[key.kind]);
  if (key.domain === "") return "there is nothing before the slash.";
  if (row?.kind !== "text" || (row.pattern.test(key.name) && key.name.length <= row.longest)) return null;
  return mustBe(row);
}

/** A link that says only the alias it had means the one on its own domain. */
function readRenamedFrom(
  renamed: Entry | undefined,
  key: WrittenKey,
  { kind, labels, blocks }: Context,
): WrittenKey | null {
  const text = textOf(renamed?.value);
  if (renamed === undefined || text === null) return null;
  const { place } = renamed.value;
  const old = splitKey({ text, place }, kind);
  const problem = nameProblem(old);
  if (problem !== null) {
    blocks.diagnostics.push(
      error("wrong-key", `\`renamed_from: ${text}\` is no key: ${problem}`, place, "Correct the key."),
    );
    return null;
  }
  return { ...old, domain: kind === "pixel" ? null : labels.labelOf(old.domain ?? key.domain ?? "") };
}

/** A list of keys, a list of maps, or a map: each key with what stands under it. */
function tombstoneEntries(node: Node | undefined): [KeyText, Node | undefined][] {
  if (node?.type === "map")
    return node.entries.map(({ key, keyPlace, value }) => [{ text: key, place: keyPlace }, value]);
  if (node?.type !== "list") return [];
  return node.items.flatMap((item) =>
    item.type === "scalar" ? [[{ text: item.text, place: item.place }, undefined]] : tombstoneEntries(item),
  );
}

function readTombstone(written: KeyText, value: Node | undefined, context: Context): void {
  const key = readKey(written, undefined, context);
  const id = value === undefined ? undefined : entry(value, "id")?.value;
  if (key !== null)
    context.blocks.tombstones.push({
      ...key,
      id: id?.type === "scalar" && typeof id.value === "number" ? id.value : null,
    });
}

function textOf(node: Node | undefined): string | null {
  return node?.type === "scalar" && node.text !== "" ? node.text.trim() : null;
}
