// Resolves names of domains and spaces in the files by the records that were read.

import { foldName } from "../domain/fold.ts";
import { error, warning, type Diagnostic } from "../domain/diagnostic.ts";
import { REFERENCE_FIELD } from "../domain/table.ts";
import { groupBy } from "../domain/collections.ts";
import type { LiveState, Named } from "../domain/live.ts";
import { nearest } from "../domain/nearest.ts";
import { placeIn, type Place } from "../domain/place.ts";
import { namedKeys, type Label, type Mention, type Project } from "../domain/project.ts";
import type { Value } from "../domain/value.ts";

/** The names and ids of domains or spaces. */
export interface NameDirectory {
  /** The id for a label, name or id of the files; undefined if it is unconfirmed. */
  idOf(text: string): number | undefined;
  /** The shown name: the label, else the name, with the id if two share a name. */
  shown(id: number): string | undefined;
  /** All its names: labels, name and id. */
  namesOf(id: number): ReadonlySet<string>;
  /** All known ids by shown name. */
  readonly ids: ReadonlyMap<string, number>;
}

export interface Directory extends NameDirectory {
  /** All names of the service, by shown name. */
  readonly names: ReadonlyMap<string, string>;
  readonly diagnostics: readonly Diagnostic[];
  /** Some name is unconfirmed, and the list of the service may have it. */
  readonly incomplete: boolean;
}

/** What a text means: by its label, or by itself. */
type Meaning = Pick<Label, "id" | "name" | "meansPlace"> & { readonly place: Place | null };

interface ResolvedMention {
  readonly id: number | undefined;
  readonly diagnostic: Diagnostic | null;
}

/** The part of the live state that has names. Unreadable links confirm names as well. */
type NamedState = Pick<LiveState, "links" | "domains" | "spaces">;

/** Resolves every name. An id and a name that contradict each other are an error, and so is an unconfirmed name. */
function buildDirectory(what: "domain" | "space", project: Project, live: NamedState): Directory {
  const labels = project[`${what}s`];
  const known = new Map<number, Named>();
  for (const { references } of live.links) {
    // A link is on one domain and in one space at most.
    const named = references.get(REFERENCE_FIELD[what])?.[0];
    if (named !== undefined && !known.has(named.id)) known.set(named.id, named);
  }
  for (const named of live[`${what}s`] ?? []) known.set(named.id, named);
  const byLabel = new Map(labels.map((label) => [label.label, label]));
  const byName = groupBy(known.values(), ({ name }) => foldName(name));
  const resolveText = (text: string, place: Place | null): ResolvedMention =>
    resolveMention(what, text, byLabel.get(text) ?? implied(text, place), known, byName);
  const resolved = new Map(mentionsIn(project, what).map(({ text, place }) => [text, resolveText(text, place)]));
  // Texts that no object uses, such as values of `defaults` or unused labels, are not checked.
  const idOf = (text: string): number | undefined => (resolved.get(text) ?? resolveText(text, null)).id;
  const shown = new Map<number, string>();
  for (const { label } of labels) {
    const id = idOf(label);
    if (id !== undefined && !shown.has(id)) shown.set(id, label);
  }
  for (const { id, name } of known.values()) {
    const shared = (byName.get(foldName(name))?.length ?? 0) > 1;
    if (!shown.has(id)) shown.set(id, shared ? `${name} #${id}` : name);
  }
  const diagnostics = [...resolved.values()].flatMap(({ diagnostic }) => diagnostic ?? []);
  return {
    idOf,
    shown: (id) => shown.get(id),
    namesOf: (id) => {
      const written = [...resolved].flatMap(([text, one]) => (one.id === id ? [text] : []));
      return new Set([...written, shown.get(id) ?? String(id), known.get(id)?.name ?? String(id), String(id)]);
    },
    ids: new Map([...shown].map(([id, name]) => [name, id])),
    names: new Map([...shown].map(([id, name]) => [name, known.get(id)?.name ?? name])),
    diagnostics,
    incomplete: diagnostics.some(({ code }) => code.startsWith("unconfirmed")),
  };
}

/** A text that is not a label is an id if it is a number, else a name. */
function implied(text: string, place: Place | null): Meaning {
  const id = /^\d+$/.test(text) ? Number(text) : null;
  return { id, name: id === null ? text : null, place };
}

function resolveMention(
  what: "domain" | "space",
  text: string,
  label: Meaning,
  known: ReadonlyMap<number, Named>,
  byName: ReadonlyMap<string, readonly Named[]>,
): ResolvedMention {
  const wrong = (code: string, message: string, hint: string): ResolvedMention => ({
    id: undefined,
    diagnostic: error(code, message, label.meansPlace ?? label.place, hint),
  });
  const line = (id: number | string, name: string): string => `\`${what}s: { ${text}: { id: ${id}, name: ${name} } }\``;
  const named = label.name === null ? [] : (byName.get(foldName(label.name)) ?? []);

  if (label.id === null) {
    const [record, other] = named;
    if (record === undefined) {
      const message = `linkform found no ${what} named \`${label.name}\` in this account.`;
      const names = [...known.values()].map(({ name }) => name);
      const meant = nearest(label.name ?? text, names);
      const guess =
        meant === null ? "Correct the name. If it is right" : `Did you mean \`${meant}\`? If the name is right`;
      return wrong(`unconfirmed-${what}`, message, `${guess}, add the id: ${line("…", label.name ?? text)}.`);
    }
    if (other === undefined) return { id: record.id, diagnostic: null };
    const message = `${named.length} ${what}s have the name \`${label.name}\`: ids ${named.map(({ id }) => id).join(", ")}.`;
    return wrong(`ambiguous-${what}`, message, `Choose one by its id: ${line(record.id, record.name)}.`);
  }

  const record = known.get(label.id);
  // A label with only an id is also a claim about the name.
  const claimed = label.name ?? (text === String(label.id) ? null : text);
  if (record !== undefined && (claimed === null || foldName(claimed) === foldName(record.name)))
    return { id: label.id, diagnostic: null };
  const [elsewhere] = claimed === null ? [] : (byName.get(foldName(claimed)) ?? []);
  if (elsewhere !== undefined) {
    const message = `\`${claimed}\` is ${what} ${label.id} in the files, but ${what} ${elsewhere.id} at the service.`;
    return wrong(`wrong-${what}`, message, `Correct the id: \`${text}: ${elsewhere.id}\`.`);
  }
  if (record !== undefined) {
    const message = `The files call ${what} ${label.id} \`${claimed}\`, but the service calls it \`${record.name}\`.`;
    return wrong(`wrong-${what}`, message, `Correct the id. If it is right, write ${line(label.id, record.name)}.`);
  }
  if (label.name !== null) {
    const message = `linkform cannot confirm ${what} ${label.id} (\`${label.name}\`), so it uses the id and the name from the files.`;
    const hint = "linkform can confirm it as soon as a link uses it.";
    return { id: label.id, diagnostic: warning(`unconfirmed-${what}`, message, label.place, hint) };
  }
  const message = `linkform found no ${what} with the id ${label.id} in this account.`;
  const hint = `Correct the id. If it is right, add the name: ${line(label.id, claimed ?? "…")}.`;
  return wrong(`unconfirmed-${what}`, message, hint);
}

/** Both directories of a project. */
export function directories(project: Project, live: NamedState): { domains: Directory; spaces: Directory } {
  return { domains: buildDirectory("domain", project, live), spaces: buildDirectory("space", project, live) };
}

/** The domains or spaces in the files, each with its first place. */
function mentionsIn(project: Project, what: "domain" | "space"): Mention[] {
  const found = new Map<string, Mention>();
  const note = (text: Value | undefined, place: Place): void => {
    // Most links have the domain of another one, and places take long to find.
    if (typeof text === "string" && !found.has(text)) found.set(text, { text, place: placeIn(place, text, "first") });
  };
  for (const { fields, domain, place } of project.declarations) {
    const declared = fields.get(REFERENCE_FIELD[what]);
    note(what === "domain" ? domain : declared?.value, declared?.place ?? place);
  }
  if (what === "domain") for (const { domain, place } of namedKeys(project)) note(domain, place);
  const { scope } = project.policy;
  for (const one of scope?.[`${what}s`] ?? []) if (one !== null) note(one.text, one.place);
  return [...found.values()];
}
