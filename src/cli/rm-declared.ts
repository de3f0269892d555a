// Finds the declared blocks that keys on the command line name, and the reasons why a block cannot be removed.

import { generatedFile, isJsonFile } from "../config/json.ts";
import { besides, error, type Diagnostic } from "../domain/diagnostic.ts";
import { fold } from "../domain/fold.ts";
import { keyMatcher } from "../domain/glob.ts";
import { readNamedKey } from "../domain/named-key.ts";
import { showPlace } from "../domain/place.ts";
import { showKey, type Declaration, type Project } from "../domain/project.ts";
import { REFERENCE_FIELD } from "../domain/table.ts";
import { ambiguousKey, isNamed, isSameDomain, nearestKey, spellingsOf } from "../session/find.ts";

/** The declared blocks with these keys. A key that matches none or several is a problem. */
export function declaredNamed(
  project: Project,
  words: readonly string[],
): { readonly declarations: readonly Declaration[]; readonly problems: readonly Diagnostic[] } {
  const found = new Set<Declaration>();
  const problems: Diagnostic[] = [];
  for (const word of words) {
    const matches = project.declarations.filter((one) => isNamed(readNamedKey(word), one, project.domains));
    const [first, ...others] = matches;
    if (first === undefined) problems.push(unknown(word, project));
    else if (others.length > 0) problems.push(ambiguousKey(word, matches.map(nameOf)));
    else found.add(first);
  }
  return { declarations: [...found], problems };
}

/** A key that names only this one, and where it is. */
function nameOf(one: Declaration): string {
  return `\`${one.kind}:${showKey(one)}\` (${showPlace(one.place)})`;
}

function unknown(word: string, project: Project): Diagnostic {
  const tombstone = project.tombstones.find((one) => isNamed(readNamedKey(word), one, project.domains));
  if (tombstone !== undefined) {
    const message = `\`${word}\` is already a tombstone.`;
    return error(
      "already-absent",
      message,
      tombstone.place,
      "Run `linkform plan` to see whether anything is left to delete.",
    );
  }
  if (word.includes("*")) {
    const hint = "Write each key in full. `linkform list --search TEXT` finds links.";
    return error("unknown-key", `\`linkform rm\` does not accept globs such as \`${word}\`.`, null, hint);
  }
  const meant = nearestKey(readNamedKey(word), project.declarations.map(showKey));
  const hint =
    meant === null
      ? "Write the key as a plan shows it: go.example.com/spring, or a pixel name. `linkform list` lists live links."
      : `Did you mean \`${meant}\`?`;
  return error("unknown-key", `No file declares \`${word}\`.`, null, hint);
}

/** Why these blocks cannot be removed: they are protected, renamed to another block, used by a remaining link, or in a JSON file. */
export function reasonsToStay(project: Project, leaving: readonly Declaration[]): Diagnostic[] {
  return leaving.flatMap((one) => [
    ...(isJsonFile(one.place.file) ? [generatedFile(`\`${showKey(one)}\` cannot be removed, because`, one.place)] : []),
    ...protection(one, project),
    ...successorsOf(one, project, leaving),
    ...(one.kind === "pixel" ? usersOf(one, project, leaving) : []),
  ]);
}

function protection(one: Declaration, { policy, domains }: Project): Diagnostic[] {
  const matches = (glob: string): boolean => spellingsOf(one, domains).some(keyMatcher([glob]));
  const place =
    one.protect ?? (one.kind === "link" ? policy.protect.find(({ text }) => matches(text))?.place : undefined);
  if (place === undefined || place === null) return [];
  const message = `\`${showKey(one)}\` is protected (${showPlace(place)}) and cannot be deleted.`;
  const hint = "To delete it, remove the protection first, apply that change, and then run this command again.";
  return [besides(error("protected", message, one.place, hint), place, "protected here")];
}

function successorsOf(one: Declaration, project: Project, leaving: readonly Declaration[]): Diagnostic[] {
  return project.declarations.flatMap((successor) => {
    const from = successor.renamedFrom;
    if (from === null || leaving.includes(successor) || successor === one || from.kind !== one.kind) return [];
    if (fold(from.name) !== fold(one.name)) return [];
    if (from.domain !== null && one.domain !== null && !isSameDomain(from.domain, one.domain, project.domains))
      return [];
    const message = `\`${showKey(successor)}\` is renamed from \`${showKey(one)}\` (${showPlace(from.place)}), so the live link with that key is still needed.`;
    const hint = "Apply the rename first, or remove `renamed_from` if nothing should be renamed.";
    return [besides(error("renamed-and-absent", message, one.place, hint), from.place, "renamed here")];
  });
}

/** More links are counted instead of named. */
const NAMED = 10;

function usersOf(pixel: Declaration, project: Project, leaving: readonly Declaration[]): Diagnostic[] {
  const users = project.declarations.filter((link) => {
    const used = link.kind === "link" && !leaving.includes(link) ? link.fields.get(REFERENCE_FIELD.pixel)?.value : null;
    return Array.isArray(used) && used.some((name) => typeof name === "string" && fold(name) === fold(pixel.name));
  });
  if (users.length === 0) return [];
  const named = users.slice(0, NAMED).map((link) => `\`${showKey(link)}\` (${showPlace(link.place)})`);
  const more = users.length > NAMED ? ` and ${users.length - NAMED} more` : "";
  const message = `The pixel \`${pixel.name}\` is used by ${named.join(", ")}${more}.`;
  return [error("pixel-in-use", message, pixel.place, "Remove it from `pixels` there first.")];
}
