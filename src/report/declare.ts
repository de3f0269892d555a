// The lines that would declare a live object: pasted into the project, they plan no change for it.

import type { Live, Plan } from "../domain/change.ts";
import type { FieldRow } from "../domain/field.ts";
import { compareText } from "../domain/place.ts";
import type { Project } from "../domain/project.ts";
import { blockFields, fieldAt, GROUPS, KEY_FIELD, REFERENCE_FIELD } from "../domain/table.ts";
import { textProblem } from "../domain/text.ts";
import { sameValue } from "../domain/value.ts";
import { fileGroup, fileMoment, fileValue, type FileContext } from "./file-values.ts";
import { fileKey } from "./naming.ts";
import { VariableNames } from "./variable-names.ts";
import type { Content, Entry } from "./yaml.ts";

/** A live object with its block, or with what keeps a file from declaring it, as the end of "it can't be declared: …". */
export type Declarable =
  | { readonly live: Live; readonly key: string; readonly block: readonly Entry[]; readonly kept: readonly string[] }
  | { readonly live: Live; readonly problem: string };

/** What the words of a project depend on. */
export type ProjectWords = Pick<Project, "declarations" | "defaulted">;

/**
 * The blocks of a plan's unmanaged objects, by key: what differs from the field table's defaults, or from the project's. What no file
 * can say is left as it is live by `unspecified: keep`, and named in `kept`.
 */
export function declarables(plan: Plan, { declarations, defaulted }: ProjectWords): Declarable[] {
  const variables = new VariableNames(declarations);
  const rows = new Map<string, number>();
  for (const { identity } of plan.unmanaged) rows.set(identity, (rows.get(identity) ?? 0) + 1);
  const all = plan.unmanaged.toSorted((a, b) => compareText(b.kind, a.kind) || compareText(a.key, b.key));
  return all.map((live): Declarable => {
    if ((rows.get(live.identity) ?? 0) > 1) return { live, problem: "another live one folds to the same key" };
    if (plan.outsideScope.has(live)) return { live, problem: "it lies outside the scope of this project" };
    const problem = keyProblem(live);
    if (problem !== null) return { live, problem };
    const context = { ...plan, variableFor: (path: string) => variables.nameFor(live, path) };
    return blockOf(live, fileKey(live, plan.references), live.kind === "link" ? defaulted : new Set(), context);
  });
}

function keyProblem({ kind, values }: Live): string | null {
  const row = fieldAt(kind, KEY_FIELD[kind]);
  const name = values.get(KEY_FIELD[kind]);
  if (row?.kind !== "text" || typeof name !== "string") return "its key is not known";
  if (kind === "pixel" && name === "__proto__") return "`__proto__` can't be a key";
  const problem = textProblem(row, name);
  return problem === null ? null : `its ${row.path} ${endOf(problem)}`;
}

/** From a sentence about "this" to its end: "must be …". */
function endOf(problem: string): string {
  return problem.replace(/^This /, "").replace(/\.$/, "");
}

function blockOf(live: Live, key: string, defaulted: ReadonlySet<string>, context: FileContext): Declarable {
  const written = new Map<string, Entry[]>();
  const kept: string[] = [];
  const put = (head: string, entries: readonly Entry[]): void => {
    written.set(head, [...(written.get(head) ?? []), ...entries]);
  };
  for (const row of blockFields(live.kind)) {
    const [head = "", ...tail] = row.path.split(".");
    if (GROUPS[head]?.replacesAsWhole === true || row.path === REFERENCE_FIELD.domain) continue;
    const value = live.values.get(row.path);
    if (value === undefined || (sameValue(value, row.default) && !defaulted.has(row.path))) continue;
    const entries = entriesOf(row, tail.join(".") || head, live, context);
    if (entries !== undefined) put(head, entries);
    else if (row.required) return { live, problem: requiredProblem(row, live) };
    else kept.push(row.path);
  }
  for (const [group, { replacesAsWhole }] of Object.entries(GROUPS)) {
    if (!replacesAsWhole || live.kind !== "link") continue;
    const entries = fileGroup(group, live.values, context);
    if (entries === undefined) kept.push(group);
    else if (entries.length > 0 || hasDefault(group, defaulted)) put(group, entries);
  }
  const lost = kept.find((path) => hasDefault(path, defaulted));
  if (lost !== undefined) return { live, problem: `no file can say its ${lost}, and \`defaults\` give another` };
  const block = [...written].map(([head, entries]): Entry => ({ key: head, value: contentOf(head, entries) }));
  return { live, key, kept, block: kept.length === 0 ? block : [...block, { key: "unspecified", value: "keep" }] };
}

/** A group is a block, or `none`; a field that stands alone is what its one entry holds. */
function contentOf(head: string, entries: readonly Entry[]): Content {
  const [only] = entries;
  if (GROUPS[head] !== undefined) return only === undefined ? "none" : { entries };
  return only?.value ?? null;
}

function entriesOf(row: FieldRow, name: string, { values }: Live, context: FileContext): Entry[] | undefined {
  const value = values.get(row.path) ?? null;
  if (row.kind === "instant" && value !== null) {
    const moment = fileMoment(row, value, context);
    const timeName = row.timePath.split(".").at(-1) ?? row.timePath;
    return (
      moment && [
        { key: name, value: moment.date },
        { key: timeName, value: moment.time },
      ]
    );
  }
  const content = fileValue(row, value, context);
  return content === undefined ? undefined : [{ key: name, value: content }];
}

function requiredProblem(row: FieldRow, { values }: Live): string {
  const value = values.get(row.path);
  const problem = row.kind === "text" && typeof value === "string" ? textProblem(row, value) : null;
  return problem === null ? `no file can say its ${row.path}` : `its ${row.path} ${endOf(problem)}`;
}

/** Whether the project's defaults speak of this field or of some of this group. */
function hasDefault(path: string, defaulted: ReadonlySet<string>): boolean {
  return defaulted.has(path) || [...defaulted].some((one) => one.startsWith(`${path}.`));
}
