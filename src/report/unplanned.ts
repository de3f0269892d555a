// What a plan leaves alone: withheld changes, orphans and unmanaged objects, with the lines to declare or delete them.

import type { Create, Live, Orphan, Plan, References } from "../domain/change.ts";
import { plural } from "../domain/words.ts";
import { groupBy } from "../domain/collections.ts";
import { visible } from "../domain/control-characters.ts";
import { showPlace } from "../domain/place.ts";
import { REFERENCE_FIELD, SECTION } from "../domain/table.ts";
import { fileKey } from "../edit/file-values.ts";
import { yamlText, type YamlEntry } from "../edit/yaml-text.ts";
import type { Declarable, DeclaredLive } from "../edit/declare.ts";
import { placeDocument } from "./finding-document.ts";
import type { OrphanDocument, PlanDocument, UnmanagedDocument } from "./json/schema.ts";

/** As the end of a sentence that starts with the count. */
export const WITHHELD_REASONS = {
  target: "not selected by --target",
  exclude: "excluded by --exclude",
  allow: "not allowed by `allow` in the project file",
  waits: "waiting for a change that is left out",
} as const;

/** The lines to paste are `renamed_from` for the block of the successor, or a tombstone with the id. */
export function orphanDocument(orphan: Orphan, { references }: Pick<Plan, "references">): OrphanDocument {
  const { live, place, successor } = orphan;
  const { kind, key, id, clicks } = live;
  const about = { kind, key, id, clicks, source: placeDocument(place) };
  if (successor === null) return { ...about, paste: tombstones([orphan], references), renamed_from_for: null };
  const paste = yamlText({ entries: [{ key: "renamed_from", value: fileKey(live, references) }] });
  return { ...about, paste, renamed_from_for: successor.key, advice: renameAdvice(live, successor) };
}

/** One `absent` block for all orphans without a successor; empty if there are none. */
function tombstones(orphans: readonly Orphan[], references: References): string {
  const sections = (["pixel", "link"] as const).flatMap((kind): YamlEntry[] => {
    const entries = orphans.flatMap(({ live, successor }): YamlEntry[] => {
      const value = { entries: [{ key: "id", value: live.id }], inline: true };
      return live.kind === kind && successor === null ? [{ key: fileKey(live, references), value }] : [];
    });
    return entries.length === 0 ? [] : [{ key: SECTION[kind], value: { entries } }];
  });
  return sections.length === 0 ? "" : yamlText({ entries: [{ key: "absent", value: { entries: sections } }] });
}

export function deleteAdvice({ orphans, references, base, isPruneBlind }: Plan): PlanDocument["to_delete"] {
  const lines = tombstones(orphans, references);
  if (lines === "") return undefined;
  const toDelete = `To delete ${orphans.some(({ successor }) => successor !== null) ? "the others" : "them"}`;
  if (isPruneBlind && base !== null) return { text: `${toDelete}, pass \`--base ${visible(base.ref)}\`.`, lines: "" };
  return { text: `${toDelete}, add:`, lines };
}

function renameAdvice({ kind, values }: Live, { key, source, desired }: Create): string {
  const isSameDomain = values.get(REFERENCE_FIELD.domain) === desired.values.get(REFERENCE_FIELD.domain);
  const [same, effect] =
    kind === "pixel"
      ? ["is the same pixel", "a rename, which keeps its id"]
      : isSameDomain
        ? ["has the same destination", "a rename, which keeps its id and clicks"]
        : ["has the same destination", "a move to another domain, which deletes the old link and its clicks"];
  return `The new ${visible(key)} (${visible(showPlace(source))}) ${same}. If you intended ${effect}, add this to its block:`;
}

export function unmanagedDocument(one: Declarable): UnmanagedDocument {
  const { kind, key, id, clicks } = one.live;
  if ("problem" in one) return { kind, key, id, clicks, declare: null, problem: one.problem };
  const declare = yamlText({ entries: [{ key: SECTION[kind], value: { entries: [entryOf(one)] } }] });
  return { kind, key, id, clicks, declare };
}

export function unmanagedLines(all: readonly Pick<UnmanagedDocument, "kind" | "declare">[]): string {
  const declared = all.filter(({ declare }) => declare !== null);
  return [...groupBy(declared, ({ kind }) => kind)]
    .map(([kind, members]) => {
      // The first line is the section.
      const lines = members.map(({ declare }) => declare?.replace(/^.*\n/, ""));
      return `${SECTION[kind]}:\n${lines.join("")}`;
    })
    .join("\n");
}

function entryOf({ key, block, kept, live: { id, clicks } }: DeclaredLive): YamlEntry {
  const counted = clicks === null ? "" : `, ${plural(clicks, "click")}`;
  const keeps = kept.length === 0 ? "" : `; keeps its live ${kept.join(", ")}, which no file can express`;
  return { key, value: { entries: block }, comment: `id ${id}${counted}${keeps}` };
}
