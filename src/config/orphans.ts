// What was declared at a base and is named no longer, as far as the files alone can tell, with the lines to paste.

import { stringify } from "yaml";
import type { Diagnostic } from "../domain/diagnostic.ts";
import { groupBy } from "../domain/collections.ts";
import { keyMatcher } from "../domain/glob.ts";
import { comparePlaces, showPlace } from "../domain/place.ts";
import { showKey, type Declaration, type Project, type WrittenKey } from "../domain/project.ts";
import { FIELDS, KEY_FIELD } from "../domain/table.ts";
import { namedKeys, translator } from "./base-keys.ts";
import type { OpenedBase } from "./git.ts";
import { labelsOf } from "./labels.ts";
import { textIdentity } from "./rules.ts";

/** An orphan: its block at the base, and its key as the present files would write it. */
interface UndeclaredKey {
  readonly block: Declaration;
  readonly key: WrittenKey;
}

/** A finding for each link or pixel that the base declares and the present files don't name. `files` are those read now. */
export function findOrphans(
  { ref, project: base }: OpenedBase,
  project: Project,
  files: readonly string[],
): Diagnostic[] {
  if (base === null) {
    const message = `\`${project.file}\` was not there yet in \`${ref}\`: nothing was declared.`;
    return [{ code: "base-new", severity: "info", message, place: null, hint: null }];
  }
  const labels = labelsOf(project.domains);
  const translate = translator(base, project);
  const named = new Set(namedKeys(project).map((key) => textIdentity(key, labels)));
  const before = new Set<string>();
  const orphans: UndeclaredKey[] = [];
  for (const block of base.declarations.toSorted((a, b) => comparePlaces(a.place, b.place))) {
    const { key, identities } = translate(block);
    for (const identity of identities) before.add(identity);
    if (!identities.some((identity) => named.has(identity))) orphans.push({ block, key });
  }
  const fresh = project.declarations.filter(
    (declared) => declared.renamedFrom === null && !before.has(textIdentity(declared, labels)),
  );
  const successors = heirsOf(orphans, fresh);
  const isGuarded = keyMatcher([...base.policy.protect, ...project.policy.protect].map(({ text }) => text));
  return orphans.map((orphan) => {
    const { block, key } = orphan;
    const isProtected = key.kind === "link" && (block.protect !== null || isGuarded(showKey(key)));
    const { mode } = project.policy.prune;
    return {
      code: "orphan",
      severity: "info",
      message: `\`${showKey(key)}\` was declared at ${showPlace(block.place)} in \`${ref}\`, and is named no longer: ${fate(mode, isProtected)}`,
      // Its line is one of the base; of the present file only the name is known to be right.
      place: files.includes(block.place.file) ? { file: block.place.file, line: 1, column: 1 } : null,
      hint: advice(key, successors.get(orphan), mode !== "none", isProtected),
    };
  });
}

function fate(mode: Project["policy"]["prune"]["mode"], isProtected: boolean): string {
  if (mode === "none") return "if it is live, it stays so.";
  if (isProtected) return `\`prune: ${mode}\` would delete it, but it is protected, and so the plan will be refused.`;
  return `\`prune: ${mode}\` will delete it${mode === "scope" ? " if it lies in the scope" : ""}.`;
}

function advice(key: WrittenKey, successor: Declaration | undefined, isPruned: boolean, isProtected: boolean): string {
  const tombstone = `write \`absent: { ${key.kind}s: ${inYaml([showKey(key)])} }\``;
  const [end, way] = isPruned ? ["keep", "declare it again"] : ["delete", tombstone];
  const lifted = isProtected && isPruned ? "; the protection is lifted in an earlier merge" : "";
  if (successor === undefined) return `To ${end} it, ${way}${lifted}.`;
  const rename = `write \`renamed_from: ${inYaml(showKey(key))}\` there`;
  return `If it has become \`${showKey(successor)}\` (${showPlace(successor.place)}), ${rename}; to ${end} it, ${way}${lifted}.`;
}

/** As a file would have it, with quotes where they are needed. */
function inYaml(value: string | readonly string[]): string {
  return stringify(value, { collectionStyle: "flow", flowCollectionPadding: false, lineWidth: 0 }).trim();
}

/** Of new links with the same destination the first one, on its own domain if there is one there. None has two. */
function heirsOf(orphans: readonly UndeclaredKey[], fresh: readonly Declaration[]): Map<UndeclaredKey, Declaration> {
  const links = fresh.filter(({ kind }) => kind === "link").toSorted((a, b) => comparePlaces(a.place, b.place));
  const left = groupBy(links, destinationOf);
  const successors = new Map<UndeclaredKey, Declaration>();
  for (const isFar of [false, true]) {
    for (const orphan of orphans) {
      if (orphan.key.kind !== "link" || successors.has(orphan)) continue;
      const candidates = left.get(destinationOf(orphan.block)) ?? [];
      const at = candidates.findIndex(({ domain }) => isFar || domain === orphan.key.domain);
      const [successor] = at < 0 ? [] : candidates.splice(at, 1);
      if (successor !== undefined) successors.set(orphan, successor);
    }
  }
  return successors;
}

/** What every link must say besides its key: where it leads. */
function destinationOf({ fields }: Declaration): string {
  const own = FIELDS.link.filter(
    ({ path, required, kind }) => required && kind !== "reference" && path !== KEY_FIELD.link,
  );
  return JSON.stringify(own.map(({ path }) => fields.get(path)?.value ?? null));
}
