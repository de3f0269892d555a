// Live objects that no file names, with the lines that would declare them.

import type { Live } from "../domain/change.ts";
import { KINDS, SECTION, type ResourceKind } from "../domain/table.ts";
import type { Declarable } from "../edit/declare.ts";
import { plural } from "./counts.ts";
import { visible } from "../domain/control-characters.ts";
import { yamlText, type YamlEntry } from "../edit/yaml-text.ts";

/** An unmanaged object, as JSON shows it. */
export interface UnmanagedDocument {
  kind: ResourceKind;
  key: string;
  id: number;
  clicks: number | null;
  declare: string | null;
}

/** Stands above the lines that would declare what is unmanaged. */
export const TO_DECLARE =
  "These lines, in a file of their own, would declare them as they are. Variables of passwords are made up: name them as you like.";

/** What is to be said of such lines where they stand without who logs in at a destination, because many read them. */
export const USERS_HIDDEN =
  "`•••@` stands for who logs in at a destination: put that in before you use these lines, or print them with `--format text`.";

/** What can't be declared, and why: sentences. */
export function problemTexts(all: readonly Declarable[]): string[] {
  return all.flatMap((one) => ("problem" in one ? [problemText(one)] : []));
}

/** The YAML of all that can be declared, for each kind. */
export function declaringSections(all: readonly Declarable[]): string[] {
  return KINDS.flatMap((kind) => {
    const entries = all.flatMap((one) => (one.live.kind === kind ? entryOf(one) : []));
    return entries.length === 0 ? [] : [yamlText({ entries: [{ key: SECTION[kind], value: { entries } }] })];
  });
}

function problemText({ live, problem }: Extract<Declarable, { readonly problem: string }>): string {
  return `${live.kind} ${visible(live.key)}, ${aboutRow(live)}: it can't be declared here: ${visible(problem)}.`;
}

/** The same as documents. */
export function unmanagedDocuments(all: readonly Declarable[]): UnmanagedDocument[] {
  return all.map((one) => {
    const { kind, key, id, clicks } = one.live;
    const declare =
      "problem" in one ? null : yamlText({ entries: [{ key: SECTION[kind], value: { entries: entryOf(one) } }] });
    return { kind, key, id, clicks, declare };
  });
}

function entryOf(one: Declarable): YamlEntry[] {
  if ("problem" in one) return [];
  const { key, block, kept, live } = one;
  const comment =
    kept.length === 0
      ? aboutRow(live)
      : `${aboutRow(live)}; no file can say its ${kept.join(", ")}: that stays as it is live`;
  return [{ key, value: { entries: block }, comment }];
}

function aboutRow({ id, clicks }: Live): string {
  return clicks === null ? `id ${id}` : `id ${id}, ${plural(clicks, "click")}`;
}
