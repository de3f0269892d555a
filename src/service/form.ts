// Encodes changed fields as a form body, in the way that the service expects for each kind (docs/service.md, "Clearing a field").

import type { References, Zones } from "../domain/change.ts";
import type { FieldSpec, WordSpec, Wire } from "../domain/field.ts";
import { fold } from "../domain/fold.ts";
import type { Software } from "../domain/software.ts";
import { FIELDS, TARGETS, type ResourceKind } from "../domain/table.ts";
import { textsOf, type Value } from "../domain/value.ts";
import { wireOf, wordsIn } from "../domain/wire.ts";
import { wallTimeOf } from "../domain/zone.ts";

export interface SentField {
  readonly path: string;
  readonly after: Value;
}

/** Resolves names, dates and secrets to the values that are sent. */
export interface SendContext {
  readonly references: References;
  readonly zones: Zones;
  /** The text of a secret field, by path. */
  readonly secret: (path: string) => string;
  /** The value of a field after the change, by path: some fields only work together with another one. */
  readonly current: (path: string) => Value | undefined;
}

type Variables = readonly (readonly [name: string, value: string])[];

interface Encoding extends SendContext {
  readonly software: Software;
  readonly fields: ReadonlyMap<string, Value>;
}

/**
 * The form for these fields, with the names of this version. Throws for a name without an id, and for a field that the version cannot
 * express. Plans have neither.
 */
export function encodeForm(
  kind: ResourceKind,
  fields: readonly SentField[],
  software: Software,
  context: SendContext,
): string {
  const encoding = { ...context, software, fields: new Map(fields.map(({ path, after }) => [path, after])) };
  const form = new URLSearchParams();
  const shared = new Set<Wire["form"]>();
  for (const field of FIELDS[kind]) {
    const value = encoding.fields.get(field.path);
    if (value === undefined) continue;
    const wire = wireOf(field, software);
    if (wire === null) throw new Error(`version ${software} has no ${field.path}`);
    // A codec that fields share encodes all of them at once.
    if (shared.has(wire.form)) continue;
    if (wire.form !== "plain") shared.add(wire.form);
    for (const [name, text] of encode(field, wire, value, encoding)) form.append(name, text);
  }
  return form.toString();
}

function encode(field: FieldSpec, wire: Wire, value: Value, encoding: Encoding): Variables {
  switch (wire.form) {
    case "plain":
      return encodePlain(field, wire, value, encoding);
    case "period":
      return encodePeriod(encoding);
    case "targets":
      return encodeTargets(encoding);
    default:
      return wire.form satisfies never;
  }
}

function encodePlain(field: FieldSpec, { sent }: Wire, value: Value, encoding: Encoding): Variables {
  switch (field.kind) {
    case "text":
    case "count":
      return [[sent, value === null ? "" : String(value)]];
    case "secret":
      return [[sent, value === true ? encoding.secret(field.path) : ""]];
    case "flag":
      return [[sent, value === true ? "1" : "0"]];
    case "word":
      return [[sent, wireWord(field, value, encoding)]];
    case "reference":
      return [[sent, value === null ? "" : String(idOf(field.to, String(value), encoding.references))]];
    case "references":
      return sequence(value, `${sent}[]`, (name) => String(idOf(field.to, name, encoding.references)));
    case "instant":
      return dateAndTime(sent, field.sentTime, value, encoding.zones);
    case "map":
    case "list":
      return entryVariables(sent, value, field.kind);
    default:
      return field satisfies never;
  }
}

function wireWord(field: WordSpec, value: Value, { software }: Encoding): string {
  const wire = wordsIn(field, software)[String(value)];
  if (wire === undefined) throw new Error(`version ${software} has no ${field.path}: ${String(value)}`);
  return String(wire);
}

/** Both are cleared together. One alone is rejected or has no effect. */
function dateAndTime(date: string, time: string | null, value: Value, zones: Zones): Variables {
  const [day = "", clock = ""] = wallTime(value, zones)?.split("T") ?? [];
  return [[date, day], ...(time === null ? [] : [[time, clock] as const])];
}

function wallTime(value: Value | undefined, { account }: Zones): string | null {
  if (typeof value !== "string") return null;
  if (account === null) throw new Error("a date is sent without a zone");
  return wallTimeOf(value, account);
}

/**
 * The start and the end of a period, which are always sent together: one alone is refused or has no effect (measured on version 49). Where
 * only one is declared, the other one is a date that no link reaches.
 */
function encodePeriod(encoding: Encoding): Variables {
  const ends = FIELDS.link.flatMap((field) => {
    const wire = wireOf(field, encoding.software);
    return field.kind === "instant" && wire ? [{ field, sent: wire.sent }] : [];
  });
  const times = ends.map(({ field }) => wallTime(encoding.current(field.path), encoding.zones));
  const isCleared = times.every((time) => time === null);
  return ends.map(({ field, sent }, at) => {
    const time = isCleared ? "" : (times[at] ?? field.unbounded.wallTime);
    return [sent, time.replace("T", " ")];
  });
}

/** The group in force, which is the only one that is stored. Its keys are only checked if its type is sent, too. */
function encodeTargets(encoding: Encoding): Variables {
  const { fields, software } = encoding;
  const groups = [...TARGETS.byWord].filter(([, { path }]) => fields.has(path));
  const filled = groups.find(([, { path }]) => !isEmpty(fields.get(path) ?? null));
  const type = wireOf(TARGETS.active, software);
  const word = filled?.[0] ?? fields.get(TARGETS.active.path);
  const typed: Variables =
    type === null || word === undefined ? [] : [[type.sent, wireWord(TARGETS.active, word, encoding)]];
  const field = (filled ?? groups[0])?.[1];
  const wire = field && wireOf(field, software);
  return wire ? [...typed, ...entryVariables(wire.sent, fields.get(field.path) ?? null, field.kind)] : typed;
}

function sequence(value: Value, name: string, text: (item: string) => string): Variables {
  const items = textsOf(value);
  return items.length === 0 ? [[name, ""]] : items.map((item) => [name, text(item)]);
}

/** The entries of a target group. One empty entry clears it. */
function entryVariables(name: string, value: Value, kind: "map" | "list"): Variables {
  const entries = Array.isArray(value) && value.length > 0 ? value : [kind === "map" ? (["", ""] as const) : ""];
  return entries.flatMap((entry, index): Variables =>
    typeof entry === "string"
      ? [[`${name}[${index}][value]`, entry]]
      : [
          [`${name}[${index}][key]`, entry[0]],
          [`${name}[${index}][value]`, entry[1]],
        ],
  );
}

function isEmpty(value: Value): boolean {
  return Array.isArray(value) && value.length === 0;
}

function idOf(to: "domain" | "space" | "pixel", name: string, { domains, spaces, pixels }: References): number {
  const id = to === "domain" ? domains.get(name) : to === "space" ? spaces.get(name) : pixels.get(fold(name));
  if (id === undefined) throw new Error(`no id is known for the ${to} ${name}`);
  return id;
}
