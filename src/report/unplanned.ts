// What a plan leaves alone: withheld changes, orphans and unmanaged objects, with the lines to declare or delete them.

import type { Create, Live, Orphan, Plan, References, Withheld } from "../domain/change.ts";
import { plural } from "./counts.ts";
import { visible } from "../domain/control-characters.ts";
import { showPlace } from "../domain/place.ts";
import { KINDS, REFERENCE_FIELD, SECTION, type ResourceKind } from "../domain/table.ts";
import { fileKey } from "../edit/file-values.ts";
import { yamlText, type YamlEntry } from "../edit/yaml-text.ts";
import type { Declarable } from "../edit/declare.ts";

const BECAUSE = {
  target: "not selected by --target",
  exclude: "excluded by --exclude",
  allow: "not allowed by `allow` in the project file",
  waits: "waiting for a change that is left out",
} as const;

type Because = keyof typeof BECAUSE;

export function withheldReason({ because }: Withheld): Because {
  return typeof because === "string" ? because : "waits";
}

/** Changes that are withheld for the same reason. */
export interface WithheldGroup {
  /** The end of a sentence that starts with their count. */
  readonly reason: string;
  readonly changes: readonly Withheld[];
}

export function groupWithheld({ withheld }: Pick<Plan, "withheld">): WithheldGroup[] {
  return (["target", "exclude", "allow", "waits"] as const).flatMap((reason) => {
    const changes = withheld.filter((one) => withheldReason(one) === reason);
    return changes.length === 0 ? [] : [{ reason: BECAUSE[reason], changes }];
  });
}

/** What a withheld change waits for, after a comma; empty if it waits for nothing. */
export function waitsForText({ because }: Withheld): string {
  if (typeof because === "string") return "";
  const end = because.action === "delete" ? "the deletion of " : "";
  return `, waits for ${end}${because.kind} ${visible(because.key)}`;
}

/** `Partial plan: 3 changes are left out.` */
export function partialText({ withheld }: Pick<Plan, "withheld">): string {
  return `Partial plan: ${plural(withheld.length, "change")} ${withheld.length === 1 ? "is" : "are"} left out.`;
}

/** The lines to paste: `renamed_from` for the block of the successor, or a tombstone with the id. */
export function orphanLines({ live, successor }: Orphan, references: References): string {
  const key = fileKey(live, references);
  if (successor !== null) return yamlText({ entries: [{ key: "renamed_from", value: key }] });
  return tombstones([{ live, successor }], references);
}

/** One `absent` block for all orphans without a successor; empty if there are none. */
function tombstones(orphans: readonly Pick<Orphan, "live" | "successor">[], references: References): string {
  const sections = (["pixel", "link"] as const).flatMap((kind): YamlEntry[] => {
    const entries = orphans
      .filter(({ live, successor }) => live.kind === kind && successor === null)
      .map(({ live }): YamlEntry => ({
        key: fileKey(live, references),
        value: { entries: [{ key: "id", value: live.id }], inline: true },
      }));
    return entries.length === 0 ? [] : [{ key: `${kind}s`, value: { entries } }];
  });
  return sections.length === 0 ? "" : yamlText({ entries: [{ key: "absent", value: { entries: sections } }] });
}

/** Text, and lines of YAML to paste below it; empty if there are none. */
interface PasteAdvice {
  readonly text: string;
  readonly lines: string;
}

/** How to delete the orphans that have no successor; null if there are none. `max`: further orphans are left out. */
export function deleteAdvice(
  { orphans, references, base, isPruneBlind }: Plan,
  max: number = Infinity,
): PasteAdvice | null {
  const lines = tombstones(orphans.slice(0, max), references);
  const others = orphans.some(({ successor }) => successor !== null) ? "the others" : "them";
  if (lines === "") return null;
  if (isPruneBlind && base !== null)
    return { text: `To delete ${others}, pass \`--base ${visible(base.ref)}\`.`, lines: "" };
  return { text: `To delete ${others}, add:`, lines };
}

/** Why the orphan may have been renamed, and how to say so; null without a successor. */
export function renameAdvice(orphan: Orphan, references: References): PasteAdvice | null {
  const { live, successor } = orphan;
  if (successor === null) return null;
  const same = live.kind === "link" ? "has the same destination" : "is the same pixel";
  const text = `The new ${visible(successor.key)} (${visible(showPlace(successor.source))}) ${same}. If you intended ${renameEffect(live, successor)}, add this to its block:`;
  return { text, lines: orphanLines(orphan, references) };
}

/** The effect of `renamed_from`. */
function renameEffect({ kind, values }: Orphan["live"], { desired }: Create): string {
  if (kind === "pixel") return "a rename, which keeps its id";
  return values.get(REFERENCE_FIELD.domain) === desired.values.get(REFERENCE_FIELD.domain)
    ? "a rename, which keeps its id and clicks"
    : "a move to another domain, which deletes the old link and its clicks";
}

/** An unmanaged object, as JSON shows it. */
export interface UnmanagedDocument {
  kind: ResourceKind;
  key: string;
  id: number;
  clicks: number | null;
  declare: string | null;
}

/** The text above the lines that declare unmanaged objects. */
export const TO_DECLARE =
  "Put these lines in a new file to declare these objects as they are. You can change the names of the variables for passwords.";

/** The remark below such lines if user names and passwords in destinations are masked. */
export const USERS_HIDDEN =
  "`•••@` replaces the user name and password of a destination. Fill them in before you use these lines, or print the lines with `--format text`.";

/** Why some objects cannot be declared. */
export function problemTexts(all: readonly Declarable[]): string[] {
  return all.flatMap((one) => ("problem" in one ? [problemText(one)] : []));
}

/** The YAML that declares the objects, one text for each kind. */
export function declaringSections(all: readonly Declarable[]): string[] {
  return KINDS.flatMap((kind) => {
    const entries = all.flatMap((one) => (one.live.kind === kind ? entryOf(one) : []));
    return entries.length === 0 ? [] : [yamlText({ entries: [{ key: SECTION[kind], value: { entries } }] })];
  });
}

function problemText({ live, problem }: Extract<Declarable, { readonly problem: string }>): string {
  return `${live.kind} ${visible(live.key)} (${idAndClicks(live)}) cannot be declared here: ${visible(problem)}.`;
}

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
      ? idAndClicks(live)
      : `${idAndClicks(live)}; keeps its live ${kept.join(", ")}, which no file can express`;
  return [{ key, value: { entries: block }, comment }];
}

function idAndClicks({ id, clicks }: Live): string {
  return clicks === null ? `id ${id}` : `id ${id}, ${plural(clicks, "click")}`;
}
