// The YAML that declares a live object. With it in the project, a plan has no change for the object.

import type { Live, Plan } from "../domain/change.ts";
import { compareText } from "../domain/place.ts";
import type { Project } from "../domain/project.ts";
import {
  blockFields,
  DESTINATION_FIELD,
  fieldAt,
  FIELDS,
  groupFields,
  KEY_FIELD,
  REFERENCE_FIELD,
  textProblem,
} from "../domain/table.ts";
import { UTM_KEYS } from "../domain/utm.ts";
import { sameValue, type EffectiveDefaults, type Values } from "../domain/value.ts";
import { diffBlock, endOf, type BlockParts } from "./diff-block.ts";
import { fileKey, type FileContext } from "./file-values.ts";
import { inheritedUtm, usesUtm, utmPath } from "./utm.ts";
import { VariableNames } from "./variable-names.ts";
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

export interface DeclareContext extends Pick<FileContext, "references" | "zones"> {
  /** The defaults for links in the place of the block. */
  readonly defaults: EffectiveDefaults;
  readonly variables: VariableNames;
  /** Write UTM parameters as `utm`. Defaults with `utm` also require that. */
  readonly usesUtm: boolean;
}

/** The blocks of unmanaged objects. They have every field that any `defaults` mention, so that they fit into any file. */
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
export function declare(live: Live, { references, zones, variables, ...rest }: DeclareContext): Declarable {
  const problem = keyProblem(live);
  if (problem !== null) return { live, problem };
  const { kind, values } = live;
  const defaults = kind === "link" ? rest.defaults : NO_DEFAULTS;
  const isWithUtm = kind === "link" && (rest.usesUtm || UTM_KEYS.some((key) => defaults.has(utmPath(key))));
  const diff = diffBlock(
    {
      kind,
      values: defaults,
      has: () => false,
      utm: isWithUtm ? inheritedUtm(defaults) : null,
      writtenAt: () => undefined,
      unspecified: "reset",
      defaults,
    },
    values,
    { references, zones, variableFor: (path) => variables.nameFor(live, path) },
  );
  if (diff.problem !== null) return { live, problem: diff.problem };
  return {
    live,
    key: fileKey(live, references, defaults.get(REFERENCE_FIELD.domain)),
    kept: diff.kept,
    block: blockEntries(diff.parts).map(({ key, value }) => ({ key, value: isUnset(key, values) ? "none" : value })),
  };
}

const NO_DEFAULTS: EffectiveDefaults = new Map();

function keyProblem({ kind, values }: Live): string | null {
  const unknown = FIELDS[kind].find(({ path, required }) => required && (values.get(path) ?? null) === null);
  if (unknown !== undefined) return `its ${unknown.path} is unknown`;
  const field = fieldAt(kind, KEY_FIELD[kind]);
  const name = String(values.get(KEY_FIELD[kind]));
  const problem = field?.kind === "text" ? textProblem(field, name) : null;
  return problem === null ? null : `its ${field?.path} ${endOf(problem)}`;
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

/** The entries of a block with these parts, in their order. The fields of a group are together, and `utm` follows the destination. */
export function blockEntries(parts: BlockParts): YamlEntry[] {
  const heads = new Map<string, YamlContent>();
  for (const [path, content] of parts) {
    if (content === undefined) continue;
    const [head = "", ...below] = path.split(".");
    const known = heads.get(head);
    const before = typeof known === "object" && known !== null && isBlock(known) ? known.entries : [];
    heads.set(head, below.length === 0 ? content : { entries: [...before, { key: below.join("."), value: content }] });
  }
  const utm = heads.get("utm");
  heads.delete("utm");
  const entries = [...heads].map(([key, value]): YamlEntry => ({ key, value }));
  if (utm === undefined) return entries;
  return entries.toSpliced(entries.findIndex(({ key }) => key === DESTINATION_FIELD) + 1, 0, {
    key: "utm",
    value: utm,
  });
}
