// Canonical values, keys, and names of domains, spaces and variables, in the form of files. Some live values have no such form.

import type { Live, References, Plan } from "../domain/change.ts";
import { DESTINATION, groupFields, GROUPS, KEY_FIELD, REFERENCE_FIELD, textProblem } from "../domain/table.ts";
import { pairsOf, sameValue, textsOf, type Value } from "../domain/value.ts";
import type { FieldSpec, InstantSpec } from "../domain/field.ts";
import type { Declaration } from "../domain/project.ts";
import { wordOf } from "../domain/wire.ts";
import { isStorable, wallTimeOf } from "../domain/zone.ts";
import type { YamlContent, YamlEntry } from "./yaml-text.ts";

/** A domain or space by its display name, or by its id if the name would be ambiguous. */
function referenceText(shown: string, ids: ReadonlyMap<string, number>): string {
  const id = ids.get(shown);
  // In files, a number is an id. Names of several records are shown with ` #id`, and a slash ends a domain.
  const isAmbiguous = /^\d*$| #\d+$|\/|^\s|\s$/.test(shown);
  return isAmbiguous && id !== undefined ? String(id) : shown;
}

/** The key in a file: `go.example.com/spring-sale`, on the default domain of its place only `spring-sale`; or a pixel's name. */
export function fileKey({ kind, key, values }: Live, { domains }: References, givenDomain?: Value): string {
  const domain = values.get(REFERENCE_FIELD.domain);
  const name = values.get(KEY_FIELD[kind]);
  if (kind === "pixel" || typeof domain !== "string" || typeof name !== "string") return key;
  return domain === givenDomain ? name : `${referenceText(domain, domains)}/${name}`;
}

export interface FileContext extends Pick<Plan, "references" | "zones"> {
  readonly variableFor: (path: string) => string;
}

/** A value as a file writes it, for an instant its date; undefined if no file can express it. */
export function fileValue(field: FieldSpec, value: Value, context: FileContext): YamlContent | undefined {
  switch (field.kind) {
    case "text":
      return value === null || (typeof value === "string" && textProblem(field, value) === null) ? value : undefined;
    case "secret":
      return value === true
        ? { entries: [{ key: "env", value: context.variableFor(field.path) }], inline: true }
        : "none";
    case "flag":
      return typeof value === "boolean" ? value : undefined;
    case "count":
      if (value === null) return "none";
      return typeof value === "number" && value <= field.most ? value : undefined;
    case "word":
      return typeof value === "string" ? wordOf(field, value) : undefined;
    case "reference":
      if (typeof value !== "string") return null;
      return referenceText(value, field.to === "space" ? context.references.spaces : context.references.domains);
    case "references":
      return listOf(value, (name) => name !== "" && name.trim() === name)?.map(
        (name) => context.references.renamedPixels?.get(name) ?? name,
      );
    case "instant":
      return value === null ? "none" : fileMoment(field, value, context)?.date;
    case "map":
      return mapOf(value, field.keys.pattern);
    case "list":
      return listOf(value, isDestination);
    default:
      return field satisfies never;
  }
}

function isDestination(text: string): boolean {
  return textProblem(DESTINATION, text) === null;
}

function listOf(value: Value, fits: (item: string) => boolean): readonly string[] | undefined {
  const items = textsOf(value);
  return items.every(fits) ? items : undefined;
}

/** A map with a key twice cannot be written. */
function mapOf(value: Value, keys: RegExp): YamlContent | undefined {
  const pairs = pairsOf(value);
  const fits = pairs.every(([key, url]) => keys.test(key) && isDestination(url));
  if (!fits || new Set(pairs.map(([key]) => key)).size < pairs.length) return undefined;
  return { entries: pairs.map(([key, url]) => ({ key, value: url })) };
}

/** In the zone of the files. Undefined if no file can express it: it has seconds or is out of range, or the account's zone is unknown. */
export function fileMoment(
  field: InstantSpec,
  value: Value,
  { zones }: FileContext,
): { date: string; time: string } | undefined {
  if (typeof value !== "string" || zones.account === null) return undefined;
  const [date, time] = wallTimeOf(value, zones.files).split("T");
  const isInRange = isStorable(field, value, wallTimeOf(value, zones.account));
  const hasSeconds = time === undefined || time.length > field.timeDefault.length;
  return date === undefined || hasSeconds || !isInRange ? undefined : { date, time };
}

/** A group as a whole; `none` for the defaults. Undefined if no file can express it: a field is unknown, or the active one empty. */
export function fileGroup(
  name: string,
  values: { get(path: string): Value | undefined },
  context: FileContext,
): YamlContent | undefined {
  const active = GROUPS[name]?.active ?? null;
  const fields = groupFields(name).map((field) => ({
    field,
    key: field.path.slice(name.length + 1),
    value: values.get(field.path),
  }));
  const set = fields.filter(({ field, value }) => value !== undefined && !sameValue(value, field.default));
  if (set.length === 0) return "none";
  if (fields.some(({ value }) => value === undefined)) return undefined;
  const entries: YamlEntry[] = [];
  for (const { field, key, value = null } of set.filter((one) => one.field.path !== active)) {
    const content = fileValue(field, value, context);
    if (content === undefined) return undefined;
    entries.push({ key, value: content });
  }
  const choice = fields.find(({ field }) => field.path === active);
  // A single field is active without being named.
  if (choice === undefined || (entries.length === 1 && entries[0]?.key === choice.value)) return { entries };
  const isKnown = choice.value === choice.field.default || entries.some(({ key }) => key === choice.value);
  return isKnown ? { entries: [{ key: choice.key, value: String(choice.value) }, ...entries] } : undefined;
}

/** A longer key is cut, so that its line is as `fmt` writes it. */
const MAX_KEY_LENGTH = 40;

/** Names are derived from the key. Each name is used once, also across the files of the project. */
export class VariableNames {
  readonly #taken: Set<string>;
  readonly #names = new Map<string, string>();

  constructor(declarations: readonly Declaration[]) {
    this.#taken = new Set(declarations.flatMap(({ secrets }) => [...secrets.values()].map(({ name }) => name)));
  }

  /** The name for a secret field of a live object. The same field always gets the same name. */
  nameFor({ kind, id, values }: Pick<Live, "kind" | "id" | "values">, path: string): string {
    const secret = `${kind} ${id} ${path}`;
    const name = this.#names.get(secret) ?? this.nameOf(String(values.get(KEY_FIELD[kind]) ?? ""), path, id);
    this.#names.set(secret, name);
    return name;
  }

  /** A new name for a secret of this key. If it is taken, a number is added, counting from `number`. */
  nameOf(key: string, path: string, number: number): string {
    const start = inCapitals(key).slice(0, MAX_KEY_LENGTH).replace(/_$/, "");
    const name = ["LINKFORM_SECRET", start, inCapitals(path)].filter(Boolean).join("_");
    let free = name;
    for (let more = number; this.#taken.has(free); more += 1) free = `${name}_${more}`;
    this.#taken.add(free);
    return free;
  }
}

function inCapitals(text: string): string {
  return text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, "_")
    .replaceAll(/^_+|_+$/g, "");
}
