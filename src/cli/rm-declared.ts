// Finds the declared blocks that keys on the command line name, and the reasons why a block cannot be removed.

import { generatedFile, isJsonFile } from "../config/json.ts";
import { Labels } from "../config/keys.ts";
import { besides, error, type Diagnostic } from "../domain/diagnostic.ts";
import { keyMatcher } from "../domain/glob.ts";
import { readNamedKey } from "../domain/named-key.ts";
import { didYouMean } from "../domain/nearest.ts";
import { showPlace } from "../domain/place.ts";
import { showKey, type Declaration, type Project } from "../domain/project.ts";
import { ambiguousKey, isNamed, nearestKey } from "../session/find.ts";

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

function nameOf(one: Declaration): string {
  return `\`${one.kind}:${showKey(one)}\` (${showPlace(one.place)})`;
}

function unknown(word: string, project: Project): Diagnostic {
  const tombstone = project.tombstones.find((one) => isNamed(readNamedKey(word), one, project.domains));
  if (tombstone !== undefined) {
    const message = `\`${word}\` is already a tombstone.`;
    const hint = "Run `linkform plan` to see whether anything is left to delete.";
    return error("already-absent", message, tombstone.place, hint);
  }
  // A glob is not a typo of one key.
  const isGlob = /[*?]/.test(word);
  const meant = isGlob ? null : nearestKey(readNamedKey(word), project.declarations.map(showKey));
  const usual =
    "Write the key as a plan shows it: go.example.com/spring, or a pixel name. `linkform list` lists live links.";
  const hint = didYouMean(meant, usual);
  return error("unknown-key", `No file declares \`${word}\`.`, null, hint);
}

/** Blocks that are protected or in a JSON file stay. */
export function reasonsToStay(project: Project, leaving: readonly Declaration[]): Diagnostic[] {
  return leaving.flatMap((one) => [
    ...(isJsonFile(one.place.file) ? [generatedFile(`\`${showKey(one)}\` cannot be removed, because`, one.place)] : []),
    ...protection(one, project),
  ]);
}

function protection(one: Declaration, { policy, domains }: Project): Diagnostic[] {
  const spellings = one.kind === "link" ? new Labels(domains).spellingsOf(one) : [];
  const place = one.protect ?? policy.protect.find(({ text }) => spellings.some(keyMatcher([text])))?.place;
  if (place === undefined || place === null) return [];
  const message = `\`${showKey(one)}\` is protected (${showPlace(place)}) and cannot be deleted.`;
  const hint = "To delete it, remove the protection first, apply that change, and then run this command again.";
  return [besides(error("protected", message, one.place, hint), place, "protected here")];
}
