// The YAML that declares a live object, and the parts of a block that must change. With them, a plan has no change for the object.

import type { Live, Plan } from "../domain/change.ts";
import { compareText } from "../domain/place.ts";
import type { FieldSpec } from "../domain/field.ts";
import type { Project } from "../domain/project.ts";
import {
  blockFields,
  DESTINATION_FIELD,
  fieldAt,
  FIELDS,
  groupFields,
  GROUPS,
  KEY_FIELD,
  REFERENCE_FIELD,
  textProblem,
  type ResourceKind,
} from "../domain/table.ts";
import { UTM_KEYS, type UtmValues } from "../domain/utm.ts";
import { sameValue, type EffectiveDefaults, type Value, type Values } from "../domain/value.ts";
import { fileGroup, fileKey, fileMoment, fileValue, VariableNames, type FileContext } from "./file-values.ts";
import { inheritedUtm, usesUtm, utmContent, utmForm, utmPath } from "./utm.ts";
import { isBlock, type YamlContent, type YamlEntry } from "./yaml-text.ts";

/** A live object with its block, or the end of the sentence "it cannot be declared: …". */
export type Declarable = DeclaredLive | { readonly live: Live; readonly problem: string };

export interface DeclaredLive {
  readonly live: Live;
  readonly key: string;
  readonly block: readonly YamlEntry[];
  /** What no file can express, which `unspecified: keep` leaves. */
  readonly kept: readonly string[];
}

interface DeclareContext extends Pick<Plan, "references" | "zones"> {
  /** The defaults for links in the place of the block. */
  readonly defaults: EffectiveDefaults;
  readonly variables: VariableNames;
  /** Write UTM parameters as `utm`. Defaults with `utm` also require that. */
  readonly usesUtm: boolean;
}

/** The blocks of unmanaged objects. They have every field that any `defaults` mention, so that they fit into any file. */
export function declarables(plan: Plan, project: Pick<Project, "declarations" | "defaulted" | "utm">): Declarable[] {
  const { declarations, defaulted } = project;
  const times = blockFields("link").flatMap((field) => (field.kind === "instant" ? [field.timePath] : []));
  const defaults = new Map([...defaulted, ...times].map((path) => [path, undefined]));
  const context = { ...plan, defaults, variables: new VariableNames(declarations), usesUtm: usesUtm(project) };
  const problems = undeclarable(plan.unmanaged, plan.outsideScope);
  const all = plan.unmanaged.toSorted((a, b) => compareText(b.kind, a.kind) || compareText(a.key, b.key));
  return all.map((live) => {
    const problem = problems.get(live);
    return problem === undefined ? declare(live, context) : { live, problem };
  });
}

/** Records that no file of this project may declare, with the reason. `all` shows which keys several records have. */
export function undeclarable(
  records: readonly Live[],
  outsideScope: ReadonlySet<Live>,
  all: readonly Live[] = records,
): Map<Live, string> {
  const twins = new Map<string, number>();
  for (const { identity } of all) twins.set(identity, (twins.get(identity) ?? 0) + 1);
  return new Map(
    records.flatMap((live): [Live, string][] => {
      if ((twins.get(live.identity) ?? 0) > 1) return [[live, "another live object has the same key"]];
      return outsideScope.has(live) ? [[live, "it is outside the scope of this project"]] : [];
    }),
  );
}

/** The block below these defaults. Fields that restrict access are always written if set: leaving them out must never open a link. */
export function declare(live: Live, context: DeclareContext): Declarable {
  const { kind, values } = live;
  const unknown = FIELDS[kind].find(({ path, required }) => required && (values.get(path) ?? null) === null);
  const key = KEY_FIELD[kind];
  const problem = unknown ? `its ${unknown.path} is unknown` : textReason(fieldAt(kind, key), values.get(key));
  if (problem !== null) return { live, problem };
  const defaults: EffectiveDefaults = kind === "link" ? context.defaults : new Map();
  const isWithUtm = kind === "link" && (context.usesUtm || UTM_KEYS.some((one) => defaults.has(utmPath(one))));
  const utm = isWithUtm ? inheritedUtm(defaults) : null;
  const none = { values: defaults, has: () => false, writtenAt: () => undefined, unspecified: "reset" } as const;
  const diff = diffBlock({ ...none, kind, utm, defaults }, live, context);
  if (diff.problem !== null) return { live, problem: diff.problem };
  return {
    live,
    key: fileKey(live, context.references, defaults.get(REFERENCE_FIELD.domain)),
    kept: diff.kept,
    block: blockEntries(diff.parts).map((one) => (isUnset(one.key, values) ? { ...one, value: "none" } : one)),
  };
}

/** Why a text cannot be in a file; null if it can. */
function textReason(field: FieldSpec | undefined, value: Value | undefined): string | null {
  const problem = field?.kind === "text" && typeof value === "string" ? textProblem(field, value) : null;
  return problem === null ? null : `its ${field?.path} ${problem.replace(/^This /, "").replace(/\.$/, "")}`;
}

/** Whether all fields of a group are known and have the default of the service, so that `none` is enough. */
function isUnset(group: string, values: Values): boolean {
  const fields = groupFields(group);
  return (
    fields.length > 0 &&
    fields.every((field) => {
      const value = values.get(field.path);
      return value !== undefined && sameValue(value, field.default);
    })
  );
}

/** The entries of a block with these parts, in their order. The fields of a group are together, and the destination and `utm` are first. */
export function blockEntries(parts: BlockParts): YamlEntry[] {
  const heads = new Map<string, YamlContent | undefined>().set(DESTINATION_FIELD, undefined).set("utm", undefined);
  for (const [path, content] of parts) {
    if (content === undefined) continue;
    const [head = "", ...below] = path.split(".");
    const known = heads.get(head);
    const before = isBlock(known) ? known.entries : [];
    heads.set(head, below.length === 0 ? content : { entries: [...before, { key: below.join("."), value: content }] });
  }
  return [...heads].flatMap(([key, value]) => (value === undefined ? [] : [{ key, value }]));
}

/** A block in its file, or the place of a new one, which has only the values of its defaults. */
interface ComparedBlock {
  readonly kind: ResourceKind;
  /** What the block and its defaults declare. A declared value is undefined if it has no meaning in this account. */
  readonly values: Values;
  /** Whether the block itself has this path, not `defaults` and not an alias. */
  readonly has: (path: string) => boolean;
  /** The UTM values of the block and its defaults; null to leave UTM parameters in the addresses. */
  readonly utm: UtmValues | null;
  /** The declared value of a field, without the parameters that `utm` appends; undefined if it appends none. */
  readonly writtenAt: (path: string) => Value | undefined;
  readonly unspecified: "reset" | "keep";
  readonly defaults: EffectiveDefaults;
}

/** Parts of a block, by path. A part without content is removed. */
export type BlockParts = ReadonlyMap<string, YamlContent | undefined>;

export interface BlockDiff {
  readonly parts: BlockParts;
  /** Paths whose live values no file can express. They are left out, and `unspecified: keep` leaves them unchanged. */
  readonly kept: readonly string[];
  /** Why such a path cannot be left out, as the end of the sentence "it cannot be declared: …". */
  readonly problem: string | null;
}

/** With `utm`, addresses are compared without the UTM parameters. */
export function diffBlock(
  block: ComparedBlock,
  record: Live,
  { variables, ...names }: Pick<DeclareContext, "references" | "zones" | "variables">,
): BlockDiff {
  const { utm, values, writtenAt, unspecified } = block;
  const { values: live } = record;
  const context = { ...names, variableFor: (path: string) => variables.nameFor(record, path) };
  if (utm === null) return diffFields(block, live, context);
  // Addresses that the block leaves to the service do not limit its UTM values.
  const isCompared = (path: string): boolean => values.has(path) || unspecified !== "keep";
  const form = utmForm({ get: (path) => (isCompared(path) ? live.get(path) : undefined) }, utm, writtenAt);
  const withAddresses = (all: Values, addressAt: (path: string) => Value | undefined): Values => ({
    get: (path) => addressAt(path) ?? all.get(path),
    has: (path) => all.has(path),
  });
  const plain = { ...block, values: withAddresses(values, writtenAt) };
  const without = withAddresses(live, (path) => form.addresses.get(path));
  const diff = diffFields(plain, without, context);
  return { ...diff, parts: new Map([...diff.parts, ...utmParts(form.utm, utm, block)]) };
}

function diffFields(block: ComparedBlock, live: Values, context: FileContext): BlockDiff {
  const parts = new Map<string, YamlContent | undefined>();
  const kept = new Set<string>();
  let problem: string | null = null;
  for (const field of blockFields(block.kind).filter((one) => differs(one, block, live))) {
    const [whole = ""] = field.path.split(".");
    const isGroup = GROUPS[whole]?.replacesAsWhole === true;
    const path = isGroup ? whole : field.path;
    const value = live.get(field.path) ?? null;
    const content = isGroup ? fileGroup(whole, live, context) : fileValue(field, value, context);
    parts.set(path, content);
    if (content === undefined) {
      kept.add(path);
      problem ??= keptProblem(path, field, block, live);
    }
    if (field.kind !== "instant" || isGroup) continue;
    const { timePath, timeDefault } = field;
    const time = fileMoment(field, value, context)?.time;
    const implied = block.defaults.has(timePath) ? block.defaults.get(timePath) : timeDefault;
    // The default time is left out if the block has none.
    if ((time !== undefined && time !== implied) || block.has(timePath)) parts.set(timePath, time);
  }
  if (kept.size > 0 && block.unspecified !== "keep") parts.set("unspecified", "keep");
  return { parts, kept: [...kept], problem };
}

function keptProblem(path: string, field: FieldSpec, { has, values }: ComparedBlock, live: Values): string | null {
  if (field.required) return textReason(field, live.get(path)) ?? `files cannot express its ${path}`;
  const isDeclared = [path, ...groupFields(path).map((one) => one.path)].some((one) => values.has(one));
  return isDeclared && !has(path) ? `files cannot express its ${path}, and \`defaults\` set another value` : null;
}

function utmParts(utm: UtmValues, before: UtmValues, { has, defaults }: ComparedBlock): BlockParts {
  const changed = UTM_KEYS.filter((key) => utm.get(key) !== before.get(key));
  if (changed.length > 0 && (utm.size === 0 || !has("utm"))) return new Map([["utm", utmContent(utm, defaults)]]);
  return new Map(
    changed.map((key) => {
      const [path, value] = [utmPath(key), utm.get(key)];
      const isImplied = defaults.get(path) === value;
      return [path, value === undefined && defaults.has(path) ? null : isImplied ? undefined : value];
    }),
  );
}

function differs(field: FieldSpec, { values, unspecified }: ComparedBlock, live: Values): boolean {
  const liveValue = live.get(field.path);
  // Links on different domains are different links.
  if (liveValue === undefined || field.path === REFERENCE_FIELD.domain) return false;
  if (values.has(field.path)) {
    const declared = values.get(field.path);
    return declared === undefined || !sameValue(declared, liveValue);
  }
  return unspecified !== "keep" && !sameValue(field.default, liveValue);
}
