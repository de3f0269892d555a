// The YAML that declares a live object. With it in the project, a plan has no change for the object.

import type { Live, Plan } from "../domain/change.ts";
import type { FieldSpec } from "../domain/field.ts";
import { compareText } from "../domain/place.ts";
import type { Project } from "../domain/project.ts";
import {
  blockFields,
  DESTINATION_FIELD,
  fieldAt,
  groupFields,
  GROUPS,
  KEY_FIELD,
  REFERENCE_FIELD,
  type ResourceKind,
  textProblem,
} from "../domain/table.ts";
import { sameValue, type EffectiveDefaults, type Value, type Values } from "../domain/value.ts";
import { fileGroup, fileMoment, fileValue, type FileContext, fileKey } from "./file-values.ts";
import { inheritedUtm, usesUtm, utmContent, utmForm } from "./utm.ts";
import { VariableNames } from "./variable-names.ts";
import type { YamlContent, YamlEntry } from "./yaml-text.ts";

/**
 * A live object with its block, or with the end of the sentence "it cannot be declared: …". `kept` are values that files cannot
 * express: `unspecified: keep` leaves them unchanged.
 */
export type Declarable =
  | {
      readonly live: Live;
      readonly key: string;
      readonly block: readonly YamlEntry[];
      readonly kept: readonly string[];
    }
  | { readonly live: Live; readonly problem: string };

/** What the block of an object depends on. */
export interface DeclareContext extends Pick<FileContext, "references" | "zones"> {
  /** The defaults for links in the place of the block. */
  readonly defaults: EffectiveDefaults;
  readonly variables: VariableNames;
  /** Write UTM parameters as `utm`. Defaults with `utm` also require that. */
  readonly usesUtm: boolean;
}

/**
 * The blocks of a plan's unmanaged objects, by key. They contain every field that is not the default of the service or that any
 * `defaults` mention, so that they fit into any file.
 */
export function declarables(plan: Plan, project: Pick<Project, "declarations" | "defaulted" | "utm">): Declarable[] {
  const { declarations, defaulted } = project;
  const paths = [...defaulted, ...TIME_PATHS];
  const defaults = new Map(paths.map((path) => [path, undefined]));
  const context = { ...plan, defaults, variables: new VariableNames(declarations), usesUtm: usesUtm(project) };
  const problems = undeclarable(plan.unmanaged, plan.outsideScope);
  const all = plan.unmanaged.toSorted((a, b) => compareText(b.kind, a.kind) || compareText(a.key, b.key));
  return all.map((live) => {
    const problem = problems.get(live);
    return problem === undefined ? declare(live, context) : { live, problem };
  });
}

const TIME_PATHS = blockFields("link").flatMap((field) => (field.kind === "instant" ? [field.timePath] : []));

/**
 * Records that no file of this project may declare, with the reason. `all`: every live record, to find keys that several
 * records have.
 */
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

/**
 * The block for a live object below these defaults: every value that the defaults do not imply. Fields that restrict access are
 * always written if they are set, because leaving them out must never open a link.
 */
export function declare(live: Live, { references, zones, defaults, variables, ...rest }: DeclareContext): Declarable {
  const problem = keyProblem(live);
  if (problem !== null) return { live, problem };
  const variableFor = (path: string): string => variables.nameFor(live, path);
  const blockDefaults = live.kind === "link" ? defaults : NO_DEFAULTS;
  const hasUtm = live.kind === "link" && (rest.usesUtm || mentions(defaults, "utm"));
  const written = blockOf(live, blockDefaults, { references, zones, variableFor }, hasUtm);
  if ("problem" in written) return { live, ...written };
  return {
    live,
    key: fileKey(live, references, blockDefaults.get(REFERENCE_FIELD.domain)),
    ...written,
  };
}

/** Pixels have no defaults. */
const NO_DEFAULTS: EffectiveDefaults = new Map();

function keyProblem({ kind, values }: Live): string | null {
  const field = fieldAt(kind, KEY_FIELD[kind]);
  const name = values.get(KEY_FIELD[kind]);
  if (field?.kind !== "text" || typeof name !== "string") return "its key is unknown";
  if (kind === "link" && typeof values.get(REFERENCE_FIELD.domain) !== "string") return "its domain is unknown";
  if (kind === "pixel" && name === "__proto__") return "`__proto__` cannot be a key";
  const problem = textProblem(field, name);
  return problem === null ? null : `its ${field.path} ${endOf(problem)}`;
}

/** Turns "This must be …" into "must be …". */
function endOf(problem: string): string {
  return problem.replace(/^This /, "").replace(/\.$/, "");
}

type RecordValues = Pick<Live, "kind" | "values">;

type WrittenBlock = { readonly block: YamlEntry[]; readonly kept: string[] } | { readonly problem: string };

/** The fields that are written one by one, with the top-level key of each and its name below. A key without a group is its own name. */
const SEPARATE_FIELDS = { link: separateFields("link"), pixel: separateFields("pixel") };

function separateFields(kind: ResourceKind): { field: FieldSpec; head: string; name: string }[] {
  return blockFields(kind).flatMap((field) => {
    const [head = "", ...tail] = field.path.split(".");
    if (GROUPS[head]?.replacesAsWhole === true || field.path === REFERENCE_FIELD.domain) return [];
    return [{ field, head, name: tail.join(".") || head }];
  });
}

function blockOf(
  record: RecordValues,
  defaults: EffectiveDefaults,
  context: FileContext,
  hasUtm: boolean,
): WrittenBlock {
  const form = hasUtm ? utmForm(record.values, inheritedUtm(defaults), () => undefined) : null;
  const utm = form === null ? undefined : utmContent(form.utm, defaults);
  const live: RecordValues = { kind: record.kind, values: form?.values ?? record.values };
  const written = new Map<string, YamlEntry[]>();
  const kept: string[] = [];
  const put = (head: string, entries: readonly YamlEntry[]): void => {
    written.set(head, [...(written.get(head) ?? []), ...entries]);
  };
  for (const { field, head, name } of SEPARATE_FIELDS[live.kind]) {
    const value = live.values.get(field.path);
    if (value === undefined || isImplied(field, value, defaults)) {
      if (field.required && !defaults.has(field.path)) return { problem: `its ${field.path} is unknown` };
      continue;
    }
    const entries = entriesOf(field, name, value, defaults, context);
    if (entries !== undefined) put(head, entries);
    else if (field.required) return { problem: requiredProblem(field, value) };
    else kept.push(field.path);
  }
  for (const [group, { replacesAsWhole }] of Object.entries(GROUPS)) {
    if (live.kind !== "link") continue;
    if (!replacesAsWhole) {
      // `none` for the whole group.
      if (written.has(group) && isUnset(group, live.values)) written.set(group, []);
      continue;
    }
    if (groupFields(group).every((field) => isFieldImplied(field, live.values, defaults))) continue;
    const entries = fileGroup(group, live.values, context);
    if (entries === undefined) kept.push(group);
    else if (entries.length > 0 || mentions(defaults, group)) put(group, entries);
  }
  const lost = kept.find((path) => mentions(defaults, path));
  if (lost !== undefined) return { problem: `files cannot express its ${lost}, and \`defaults\` set another value` };
  const fields = [...written].map(([head, entries]): YamlEntry => ({ key: head, value: contentOf(head, entries) }));
  const block = utm === undefined ? fields : withUtm(fields, utm);
  return { kept, block: kept.length === 0 ? block : [...block, { key: "unspecified", value: "keep" }] };
}

/** Adds `utm` after the destination. */
export function withUtm(block: readonly YamlEntry[], utm: YamlContent): YamlEntry[] {
  const at = block.findIndex(({ key }) => key === DESTINATION_FIELD) + 1;
  return block.toSpliced(at, 0, { key: "utm", value: utm });
}

/** Whether the value results if the field is left out. */
function isImplied(field: FieldSpec, value: Value, defaults: EffectiveDefaults): boolean {
  const implied = defaults.has(field.path) ? defaults.get(field.path) : field.default;
  return implied !== undefined && sameValue(value, implied);
}

/** The same for a field whose value may be unknown. */
function isFieldImplied(field: FieldSpec, values: Values, defaults: EffectiveDefaults): boolean {
  const value = values.get(field.path);
  return value !== undefined && isImplied(field, value, defaults);
}

/** Whether all fields of a group have the default of the service. */
function isUnset(group: string, values: Values): boolean {
  return groupFields(group).every((field) => isFieldImplied(field, values, NO_DEFAULTS));
}

/** The content for a top-level key: a group, `none`, or the value of a single field. */
function contentOf(head: string, entries: readonly YamlEntry[]): YamlContent {
  const [only] = entries;
  if (GROUPS[head] !== undefined) return only === undefined ? "none" : { entries };
  return only?.value ?? null;
}

function entriesOf(
  field: FieldSpec,
  name: string,
  value: Value,
  defaults: EffectiveDefaults,
  context: FileContext,
): YamlEntry[] | undefined {
  if (field.kind === "instant" && value !== null) {
    const moment = fileMoment(field, value, context);
    if (moment === undefined) return undefined;
    const date = { key: name, value: moment.date };
    const implied = defaults.has(field.timePath) ? defaults.get(field.timePath) : field.timeDefault;
    if (implied === moment.time) return [date];
    return [date, { key: field.timePath.split(".").at(-1) ?? field.timePath, value: moment.time }];
  }
  const content = fileValue(field, value, context);
  return content === undefined ? undefined : [{ key: name, value: content }];
}

function requiredProblem(field: FieldSpec, value: Value): string {
  const problem = field.kind === "text" && typeof value === "string" ? textProblem(field, value) : null;
  return problem === null ? `files cannot express its ${field.path}` : `its ${field.path} ${endOf(problem)}`;
}

/** Whether the defaults contain this field or a part of this group. */
function mentions(defaults: EffectiveDefaults, path: string): boolean {
  return defaults.has(path) || [...defaults.keys()].some((one) => one.startsWith(`${path}.`));
}
