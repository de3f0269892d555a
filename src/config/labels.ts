// The labels of a project file, and which texts stand for one domain or space as far as the files alone can tell.

import { besides, error, type Diagnostic } from "../domain/diagnostic.ts";
import type { Label } from "../domain/project.ts";
import { entry, type TreeNode } from "./tree.ts";

/** Tells which label a text means. */
export interface Labels {
  readonly all: readonly Label[];
  /** The label that a label, name or id stands for; the text itself where it is none of them. */
  labelOf(text: string): string;
  /** Equal for texts that mean the same domain. */
  identityOf(text: string): string;
}

/** Reads `domains` or `spaces`. Two labels for one id or name are an error: keys would be shown under either. */
export function readLabels(
  document: TreeNode | undefined,
  section: "domains" | "spaces",
): { labels: Labels; diagnostics: Diagnostic[] } {
  const node = document === undefined ? undefined : entry(document, section)?.value;
  const all =
    node?.type === "map"
      ? node.entries.map(({ key, keyPlace, value }): Label => {
          const meansPlace = value.type === "scalar" ? value.place : keyPlace;
          return { label: key, ...target(value), place: keyPlace, meansPlace };
        })
      : [];
  const diagnostics: Diagnostic[] = [];
  const byTarget = new Map<string, Label>();
  for (const label of all) {
    if (section === "domains" && label.label.includes("/")) {
      const hint = "Keys are written as domain/alias, so a domain's label has no slash.";
      diagnostics.push(error("wrong-key", `\`${label.label}\` can't be the label of a domain.`, label.place, hint));
    }
    for (const meant of targetsOf(label)) {
      const first = byTarget.get(meant);
      if (first !== undefined && first.label !== label.label) {
        const message = `\`${label.label}\` and \`${first.label}\` (line ${first.place.line}) stand for the same ${section.slice(0, -1)}.`;
        const twice = error("label-twice", message, label.place, "Keep one of the two.");
        diagnostics.push(besides(twice, first.place, "first here"));
      }
      byTarget.set(meant, label);
    }
  }
  return { labels: labelsOf(all), diagnostics };
}

/** Tells of each text which of these labels it means. */
export function labelsOf(all: readonly Label[]): Labels {
  const byTarget = new Map(all.flatMap((label) => targetsOf(label).map((meant) => [meant, label])));
  const find = (text: string): Label | undefined => {
    const lower = text.toLowerCase();
    const inAnyCase = all.filter(({ label }) => label.toLowerCase() === lower);
    return (
      all.find(({ label }) => label === text) ??
      byTarget.get(lower) ??
      (inAnyCase.length === 1 ? inAnyCase[0] : undefined)
    );
  };
  return {
    all,
    labelOf: (text) => find(text)?.label ?? text,
    identityOf: (text) => {
      const label = find(text)?.label;
      return label === undefined ? `text ${text.toLowerCase()}` : `label ${label}`;
    },
  };
}

function targetsOf(label: Label): string[] {
  return [label.id?.toString(), label.name?.toLowerCase()].filter((text) => text !== undefined);
}

function target(value: TreeNode): { id: number | null; name: string | null } {
  if (value.type === "map") {
    const id = entry(value, "id")?.value;
    const name = entry(value, "name")?.value;
    return {
      id: id?.type === "scalar" && typeof id.value === "number" ? id.value : null,
      name: name?.type === "scalar" ? name.text.trim() : null,
    };
  }
  if (value.type !== "scalar") return { id: null, name: null };
  return typeof value.value === "number" ? { id: value.value, name: null } : { id: null, name: value.text.trim() };
}
