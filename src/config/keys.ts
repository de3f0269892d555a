// Keys of blocks and tombstones, and the labels of the domains and spaces in them.

import { besides, error, type Diagnostic } from "../domain/diagnostic.ts";
import { fold } from "../domain/fold.ts";
import type { Label, WrittenKey } from "../domain/project.ts";
import { fieldAt, KEY_FIELD, REFERENCE_FIELD, textProblem, type ResourceKind } from "../domain/table.ts";
import { nearest } from "../domain/nearest.ts";
import { keyBeforeColon, shownKey } from "./yaml-events.ts";
import { entriesOf, entry, isDamaged, numberOf, textOf, type TreeEntry, type TreeNode } from "./yaml.ts";

type KeyText = Pick<TreeEntry, "key" | "keyPlace">;

export interface KeyContext {
  readonly kind: ResourceKind;
  /** Defaults, the nearest first. */
  readonly layers: readonly TreeNode[];
  readonly labels: Labels;
  /** An error in the defaults may hide the domain. */
  readonly uncertain: boolean;
  readonly diagnostics: Diagnostic[];
}

/** Null if it is not valid. A link's domain is in the key, in the block, or in the defaults. A tombstone has no block. */
export function readKey(written: KeyText, block: TreeNode | undefined, context: KeyContext): WrittenKey | null {
  const { kind, labels, layers, diagnostics } = context;
  const key = parseKey(written, context);
  if (key === null || kind === "pixel") return key;
  const own = entry(block, REFERENCE_FIELD.domain);
  const inBlock = textOf(own?.value);
  if (key.domain !== null && inBlock !== null && labels.identityOf(key.domain) !== labels.identityOf(inBlock)) {
    const message = `The key has the domain ${key.domain}, but the block has \`domain: ${inBlock}\`.`;
    diagnostics.push(error("domain-conflict", message, own?.value.place ?? written.keyPlace, "Remove one of the two."));
    return null;
  }
  const [given] = [own, ...layers.map((layer) => entry(layer, REFERENCE_FIELD.domain))].flatMap((one) => one ?? []);
  const domain = key.domain ?? textOf(given?.value);
  if (domain !== null) return { ...key, domain: labels.labelOf(domain) };
  // A domain that is not valid has been reported.
  const isKnown = !given && !context.uncertain && !mayContain(block, REFERENCE_FIELD.domain);
  if (isKnown && (!block || block.type === "map")) {
    const others = block ? "to the block or to `defaults`" : "to `defaults`";
    const hint = `Write the key as \`go.example.com/${key.name}\`, or add \`domain\` ${others}.`;
    diagnostics.push(error("missing-field", `\`${written.key}\` has no domain.`, written.keyPlace, hint));
  }
  return null;
}

/** The key in `renamed_from`. For a link, an alias without a domain is on the link's own domain. */
export function readRenamedFrom(block: TreeNode, key: WrittenKey, context: KeyContext): WrittenKey | null {
  const renamed = entry(block, "renamed_from")?.value;
  const text = textOf(renamed);
  if (!renamed || text === null) return null;
  const old = parseKey({ key: text, keyPlace: renamed.place }, context);
  if (old === null || old.kind === "pixel") return old;
  return { ...old, domain: context.labels.labelOf(old.domain ?? key.domain ?? "") };
}

/** Whether a map may contain this key in a misspelled or unreadable entry. */
export function mayContain(node: TreeNode | undefined, key: string): boolean {
  if (node?.type !== "map") return false;
  return (
    isDamaged(node) ||
    node.entries.some((written) => nearest(keyBeforeColon(written.key) ?? written.key, [key]) !== null)
  );
}

function parseKey({ key, keyPlace: place }: KeyText, { kind, diagnostics }: KeyContext): WrittenKey | null {
  const wrong = (why: string, hint: string): null => {
    const message = key === "" ? why : `\`${shownKey(key)}\` is not a valid ${kind} key: ${why}`;
    diagnostics.push(error("wrong-key", message, place, hint));
    return null;
  };
  if (key === "") {
    const hint = kind === "link" ? "Write an alias, such as `spring-sale`." : "Write a name, such as `Meta main`.";
    return wrong(`The key of this ${kind} is empty.`, hint);
  }
  const slash = kind === "link" ? key.lastIndexOf("/") : -1;
  const domain = slash < 0 ? null : key.slice(0, slash);
  const name = key.slice(slash + 1);
  if (domain?.includes("://"))
    return wrong("it contains a scheme.", `Write \`${shownKey(key).replace(/^[a-z]+:\/\/(?:•••@)?/i, "")}\`.`);
  if (domain !== null && (domain === "" || domain.includes("/") || domain.trim() !== domain || name === ""))
    return wrong(
      "it must be a domain, one slash and an alias, without spaces.",
      "Write it as `go.example.com/spring-sale`.",
    );
  const spec = fieldAt(kind, KEY_FIELD[kind]);
  const problem = spec?.kind === "text" ? textProblem(spec, name) : null;
  if (spec?.kind !== "text" || problem === null) return { kind, domain, name, place };
  const other = kind === "link" ? suggestion(name) : "Remove the spaces or invisible characters around it.";
  const hint = spec.pattern.test(name) ? `Shorten it to at most ${spec.longest} characters.` : other;
  return wrong(problem.replace("This", `the ${KEY_FIELD[kind]}`), hint);
}

/** The valid alias that is most similar. */
function suggestion(name: string): string {
  if (keyBeforeColon(name) !== null) return "Write a space after the colon, or choose an alias without one.";
  // Its other words may be a secret.
  if (shownKey(name) !== name) return "Choose another alias.";
  if (/\{[A-Za-z]/.test(name)) return "Placeholders work only under `families`.";
  const words = name.match(/[\p{L}\p{M}\p{N}_-]+/gu) ?? [];
  return words.length === 0 ? "Choose another alias." : `Write \`${words.join("-")}\`, for example.`;
}

export class Labels {
  readonly all: readonly Label[];
  readonly #byTarget: ReadonlyMap<string, Label>;

  constructor(all: readonly Label[]) {
    this.all = all;
    this.#byTarget = new Map(all.flatMap((label) => targetsOf(label).map((meant) => [meant, label])));
  }

  /** The label with this label, name or id. */
  find(text: string): Label | undefined {
    const lower = text.toLowerCase();
    const inAnyCase = this.all.filter(({ label }) => label.toLowerCase() === lower);
    const [only] = inAnyCase.length === 1 ? inAnyCase : [];
    return inAnyCase.find(({ label }) => label === text) ?? this.#byTarget.get(lower) ?? only;
  }

  /** The text itself if it has none. */
  labelOf(text: string): string {
    return this.find(text)?.label ?? text;
  }

  /** Equal for texts that mean the same domain or space. */
  identityOf(text: string): string {
    const { label } = this.find(text) ?? {};
    return label === undefined ? `text ${text.toLowerCase()}` : `label ${label}`;
  }

  /** Equal for keys that name the same object, as far as the files show. */
  keyIdentity({ kind, domain, name }: WrittenKey): string {
    return `${kind} ${domain === null ? "" : this.identityOf(domain)}/${fold(name)}`;
  }

  /** A domain or space by all that the files call it: its label, its name and its id. */
  namesOf(text: string): string[] {
    const { label, name, id } = this.find(text) ?? {};
    return [...new Set([text, label, name, id?.toString()].flatMap((one) => one ?? []))];
  }

  spellingsOf({ domain, name }: Pick<WrittenKey, "domain" | "name">): string[] {
    return domain === null ? [name] : this.namesOf(domain).map((one) => `${one}/${name}`);
  }

  /** The id and the name in lower case, as far as the files show. A label with only an id is assumed to be the name. */
  meaningOf(text: string): Readonly<Record<"id" | "name", string | null>> {
    const label = this.find(text);
    if (label === undefined && /^\d+$/.test(text)) return { id: text, name: null };
    return { id: label?.id?.toString() ?? null, name: (label?.name ?? label?.label ?? text).toLowerCase() };
  }
}

export type ProjectLabels = Readonly<Record<"domain" | "space", Labels>>;

/** Two labels for one id or name are an error: it would be unclear which one reports show. */
export function readLabels(document: TreeNode, section: "domains" | "spaces", diagnostics: Diagnostic[]): Labels {
  const all = entriesOf(entry(document, section)?.value).map(({ key, keyPlace, value }): Label => {
    const id = numberOf(value);
    const name = id === null ? (textOf(value) ?? textOf(entry(value, "name")?.value)) : null;
    const meansPlace = value.type === "scalar" ? value.place : keyPlace;
    return { label: key, id: id ?? idIn(value), name, place: keyPlace, meansPlace };
  });
  const byTarget = new Map<string, Label>();
  for (const one of all)
    for (const meant of targetsOf(one)) {
      const { label, place } = byTarget.get(meant) ?? one;
      byTarget.set(meant, one);
      if (label === one.label) continue;
      const message = `\`${one.label}\` and \`${label}\` (line ${place.line}) are labels for the same ${section.slice(0, -1)}.`;
      diagnostics.push(besides(error("label-twice", message, one.place, "Keep one of the two."), place, "first here"));
    }
  return new Labels(all);
}

function targetsOf({ id, name }: Label): string[] {
  return [id?.toString(), name?.toLowerCase()].filter((text) => text !== undefined);
}

export function idIn(node: TreeNode | undefined): number | null {
  return numberOf(entry(node, "id")?.value);
}
