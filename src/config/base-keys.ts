// The keys of a base in the words of the present files: labels may have been renamed since.

import type { Label, Project, WrittenKey } from "../domain/project.ts";
import { labelsOf } from "./labels.ts";
import { textIdentity } from "./rules.ts";

/** A key of the base as the present files would write it. */
export interface TranslatedKey {
  readonly key: WrittenKey;
  /** Its identities for the present files: several where they know its domain under several texts, none where under none. */
  readonly identities: readonly string[];
}

/** What is known of a domain from the files alone. */
interface Meaning {
  readonly id: string | null;
  readonly name: string | null;
}

/** A function that puts keys of the base into the words of the present files. */
export function translator(base: Project, project: Project): (key: WrittenKey) => TranslatedKey {
  const labels = labelsOf(project.domains);
  const isLabelled = (text: string): boolean => labels.all.some(({ label }) => label === labels.labelOf(text));
  const named = namedKeys(project).flatMap(({ domain }) => domain ?? []);
  const present = [...new Set([...project.domains.map(({ label }) => label), ...named])];
  const meanings = present.map((text) => ({ text, meaning: meaningOf(text, project.domains) }));
  const known = new Map<string, { readonly shown: string; readonly same: readonly string[] }>();
  const textsFor = (domain: string): { readonly shown: string; readonly same: readonly string[] } => {
    const meaning = meaningOf(domain, base.domains);
    const same = meanings.filter((other) => isSame(meaning, other.meaning)).map(({ text }) => text);
    // A name that is a label now would be taken for the domain of that label.
    const unmistakable = [meaning.name, meaning.id].find((text) => text !== null && !isLabelled(text));
    return { shown: same[0] ?? unmistakable ?? domain, same };
  };
  return (key) => {
    if (key.domain === null) return { key, identities: [textIdentity(key, labels)] };
    const texts = known.get(key.domain) ?? textsFor(key.domain);
    known.set(key.domain, texts);
    return {
      key: { ...key, domain: texts.shown },
      identities: texts.same.map((domain) => textIdentity({ ...key, domain }, labels)),
    };
  };
}

/** Every key that the files of a project name for themselves: declared, with a tombstone, or as the one before a rename. */
export function namedKeys({ declarations, tombstones }: Project): WrittenKey[] {
  return [...declarations, ...tombstones, ...declarations.flatMap(({ renamedFrom }) => renamedFrom ?? [])];
}

/** A label that gives only an id says by its own name what it takes the id for; a text that is no label is either. */
function meaningOf(text: string, labels: readonly Label[]): Meaning {
  const label = labels.find((candidate) => candidate.label === text);
  const id = label === undefined ? (/^\d+$/.test(text) ? text : null) : (label.id?.toString() ?? null);
  const name = label?.name ?? (label === undefined && id !== null ? null : text);
  return { id, name: name?.toLowerCase() ?? null };
}

function isSame(one: Meaning, other: Meaning): boolean {
  if (one.id !== null && other.id !== null) return one.id === other.id;
  return one.name !== null && one.name === other.name;
}
