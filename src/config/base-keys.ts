// The keys of a base in the words of the present files: labels may have been renamed since.

import type { Label, Project, WrittenKey } from "../domain/project.ts";
import { labelsOf } from "./labels.ts";
import { textIdentity } from "./rules.ts";

/** A key of the base: how the present files write it, and its identities, as they were worked out for the present files. */
export interface TranslatedKey {
  readonly key: WrittenKey;
  /** Several where the present files know one domain under several texts. */
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
  const present = [...new Set([...project.domains.map(({ label }) => label), ...namedKeys(project).map(domainOf)])];
  const meanings = present.map((text) => ({ text, meaning: meaningOf(text, project.domains) }));
  const known = new Map<string, readonly string[]>();
  const textsFor = (domain: string): readonly string[] => {
    const meaning = meaningOf(domain, base.domains);
    const same = meanings.filter((other) => isSame(meaning, other.meaning)).map(({ text }) => text);
    return same.length > 0 ? same : [meaning.name ?? meaning.id ?? domain];
  };
  return (key) => {
    if (key.domain === null) return { key, identities: [textIdentity(key, labels)] };
    const texts = known.get(key.domain) ?? textsFor(key.domain);
    known.set(key.domain, texts);
    return {
      key: { ...key, domain: texts[0] ?? key.domain },
      identities: texts.map((domain) => textIdentity({ ...key, domain }, labels)),
    };
  };
}

/** Every key that the files of a project name for themselves: declared, with a tombstone, or as the one before a rename. */
export function namedKeys({ declarations, tombstones }: Project): WrittenKey[] {
  return [...declarations, ...tombstones, ...declarations.flatMap(({ renamedFrom }) => renamedFrom ?? [])];
}

function domainOf({ domain }: WrittenKey): string {
  return domain ?? "";
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
