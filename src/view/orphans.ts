// What was declared at the base, is declared no longer, and stays live: with the lines that say what is to become of it.

import type { Create, Orphan, References } from "../domain/change.ts";
import { showPlace } from "../domain/place.ts";
import { REFERENCE_FIELD } from "../domain/table.ts";
import { fileKey } from "../edit/file-values.ts";
import { visible } from "../domain/control-characters.ts";
import { yamlText, type YamlEntry } from "../edit/yaml-text.ts";

/** The lines to paste for one of them: into the block of its successor, or a tombstone with its id. */
export function orphanLines({ live, successor }: Orphan, references: References): string {
  const key = fileKey(live, references);
  if (successor !== null) return yamlText({ entries: [{ key: "renamed_from", value: key }] });
  return tombstones([{ live, successor }], references);
}

/** One `absent` that can be pasted whole, for those without an successor; empty where there is none. */
export function tombstones(orphans: readonly Pick<Orphan, "live" | "successor">[], references: References): string {
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

/** What speaks for a rename, and where to write it; null where nothing does. */
export function successorText({ live, successor }: Orphan): string | null {
  if (successor === null) return null;
  const same = live.kind === "link" ? "leads to the same place" : "is the same pixel";
  return `The new ${visible(successor.key)} (${visible(showPlace(successor.source))}) ${same}. If it was to be ${whatItWouldBe(live, successor)}, add to its block:`;
}

/** What `renamed_from` would make of the two. */
function whatItWouldBe({ kind, values }: Orphan["live"], { desired }: Create): string {
  if (kind === "pixel") return "a rename, which keeps its id";
  return values.get(REFERENCE_FIELD.domain) === desired.values.get(REFERENCE_FIELD.domain)
    ? "a rename, which keeps its id and clicks"
    : "a move to another domain, which deletes the old one with its clicks";
}
