// Keys of blocks and tombstones: domain and alias, or a pixel's name, and what keeps a text from being one.

import { error, type Diagnostic } from "../domain/diagnostic.ts";
import type { Place } from "../domain/place.ts";
import type { WrittenKey } from "../domain/project.ts";
import { fieldAt, KEY_FIELD, REFERENCE_FIELD, textProblem, type ResourceKind } from "../domain/table.ts";
import type { Labels } from "./labels.ts";
import { nearest } from "../domain/nearest.ts";
import { entry, isDamaged, isNull, type TreeEntry, type TreeNode } from "./tree.ts";

/** A key as it stands in a file. */
export interface KeyText {
  readonly text: string;
  readonly place: Place;
}

/** What a key is read against. */
export interface KeyContext {
  readonly kind: ResourceKind;
  /** Defaults, the nearest first. */
  readonly layers: readonly TreeNode[];
  readonly labels: Labels;
  /** The defaults hold something that could not be understood: a domain that is missing may stand there. */
  readonly uncertain: boolean;
  readonly diagnostics: Diagnostic[];
}

/**
 * The key of a block or tombstone, or null where it has none that can be used. A link's domain stands in the key, in the
 * block, or in the defaults. `block` is what stands under the key: undefined for a tombstone.
 */
export function readKey(written: KeyText, block: TreeNode | undefined, context: KeyContext): WrittenKey | null {
  const { kind, labels, layers, diagnostics } = context;
  const key = splitKey(written, kind);
  const problem = keyProblem(key);
  if (problem !== null) {
    diagnostics.push(error("wrong-key", `${subject(written, kind)} ${problem.message}`, written.place, problem.hint));
    return null;
  }
  if (kind === "pixel") return key;
  const own = entry(block, REFERENCE_FIELD.domain);
  const inBlock = textOf(own?.value);
  if (key.domain !== null && inBlock !== null && labels.identityOf(key.domain) !== labels.identityOf(inBlock)) {
    const message = `The key says ${key.domain}, the block says \`domain: ${inBlock}\`.`;
    diagnostics.push(error("domain-conflict", message, own?.value.place ?? written.place, "Remove one of the two."));
    return null;
  }
  const given = [own, ...layers.map((layer) => entry(layer, REFERENCE_FIELD.domain))].find(
    (found) => found !== undefined,
  );
  const domain = key.domain ?? textOf(given?.value);
  if (domain !== null) return { ...key, domain: labels.labelOf(domain) };
  // A domain that is given in no form that has a meaning has been reported.
  const isKnown = given === undefined && !context.uncertain && !mayHold(block, REFERENCE_FIELD.domain);
  if (isKnown && (block === undefined || block.type === "map")) {
    const others = block === undefined ? "to `defaults`" : "to the block or to `defaults`";
    const hint = `Write the key as go.example.com/${key.name}, or add \`domain:\` ${others}.`;
    diagnostics.push(error("missing-field", `\`${written.text}\` has no domain.`, written.place, hint));
  }
  return null;
}

/** The key that `renamed_from` names. A link that says only the alias it had means the one on its own domain. */
export function readRenamedFrom(block: TreeNode, key: WrittenKey, context: KeyContext): WrittenKey | null {
  const { kind, labels, diagnostics } = context;
  const renamed = entry(block, "renamed_from")?.value;
  const text = textOf(renamed);
  if (renamed === undefined || text === null) return null;
  const old = splitKey({ text, place: renamed.place }, kind);
  const problem = keyProblem(old);
  if (problem !== null) {
    const message = `${subject({ text, place: renamed.place }, kind)} ${problem.message}`;
    diagnostics.push(error("wrong-key", message, renamed.place, problem.hint));
    return null;
  }
  return { ...old, domain: kind === "pixel" ? null : labels.labelOf(old.domain ?? key.domain ?? "") };
}

/** Whether a key may be meant by what stands in a map: a misspelt one, or an entry that could not be read. */
export function mayHold(node: TreeNode | undefined, key: string): boolean {
  if (node?.type !== "map") return false;
  return isDamaged(node) || node.entries.some((written) => nearest(written.key, [key]) !== null);
}

function splitKey({ text, place }: KeyText, kind: ResourceKind): WrittenKey {
  const slash = kind === "link" ? text.lastIndexOf("/") : -1;
  return { kind, domain: slash < 0 ? null : text.slice(0, slash), name: text.slice(slash + 1), place };
}

function subject({ text }: KeyText, kind: ResourceKind): string {
  return text === "" ? `The key of this ${kind}` : `\`${text}\` can't be the key of a ${kind}: it`;
}

/** What keeps a text from being a key, to go on from "it …"; null if nothing does. */
function keyProblem({ kind, domain, name }: WrittenKey): { message: string; hint: string } | null {
  if (domain !== null) {
    const bare = `${domain}/${name}`.replace(/^[a-z]+:\/\//i, "");
    if (domain.includes("://")) return { message: "holds a scheme.", hint: `Write it as ${bare}.` };
    if (domain === "") return { message: "has nothing before the slash.", hint: `Write it as go.example.com/${name}.` };
    if (domain.includes("/"))
      return { message: "has more than one slash.", hint: "Write a domain, one slash and the alias." };
    if (domain.trim() !== domain) return { message: "has space before the slash.", hint: "Remove the space." };
    if (name === "") return { message: "has no alias behind the slash.", hint: `Write it as ${domain}/spring-sale.` };
  }
  if (name === "") return { message: "is empty.", hint: "Write a key before the colon." };
  const row = fieldAt(kind, KEY_FIELD[kind]);
  const problem = row?.kind === "text" ? textProblem(row, name) : null;
  if (row?.kind !== "text" || problem === null) return null;
  const what = kind === "link" ? "an alias" : "a name";
  return problem.startsWith("This must be")
    ? { message: `must be ${row.shape}.`, hint: kind === "link" ? suggestion(name) : "Remove the space around it." }
    : { message: `has ${[...name].length} characters as ${what}.`, hint: `At most ${row.longest} fit: shorten it.` };
}

/** An alias as near as can be to one with space or signs in it. */
function suggestion(name: string): string {
  const words = name.match(/[\p{L}\p{M}\p{N}_-]+/gu) ?? [];
  return words.length === 0 ? "Choose another alias." : `Write it as ${words.join("-")}, for example.`;
}

/** The text of a scalar that holds one. */
function textOf(node: TreeNode | undefined): string | null {
  return node?.type === "scalar" && !isNull(node) && node.text.trim() !== "" ? node.text.trim() : null;
}

/** What stands under the key of an entry, as a key and its place. */
export function keyTextOf({ key, keyPlace }: TreeEntry): KeyText {
  return { text: key, place: keyPlace };
}
