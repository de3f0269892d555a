// Saved plans and run records: a saved plan is the first line of a record.

import { constants } from "node:buffer";
import type { Diagnostic } from "../domain/diagnostic.ts";
import { isObject, type JsonObject } from "../domain/json.ts";
import { canonicalInstant } from "../domain/zone.ts";
import { UserError } from "../errors.ts";
import { fileError, replaceAt } from "../files/location.ts";
import { locateNamed, readNamed } from "../files/named.ts";
import { jsonText } from "../report/json/text.ts";
import { savedPlanSchema, type PlanDocument, type SavedPlan } from "../report/json/schema.ts";
import { diagnosticOf } from "../config/located-error.ts";
import { parseChange, type RecordedChange } from "./changes.ts";
import { digestOf, laterLineSchema, LineChain, parseJson, type StartedLine } from "./lines.ts";

/** The text of a file must fit into a string. */
export const MAX_RECORD_BYTES: number = constants.MAX_STRING_LENGTH;

/** The content of the first line. */
export type PlanLine = Omit<SavedPlan, "digest" | "complete"> & Pick<PlanDocument, "complete">;

/** Returns an error if the plan cannot be written; then an older file is unchanged. */
export async function savePlan(cwd: string, file: string, plan: PlanLine): Promise<Diagnostic | null> {
  try {
    replaceAt(locateNamed(cwd, file), new LineChain().next(plan));
    return null;
  } catch (cause) {
    const hint = "Free disk space, or correct the path in --out.";
    return diagnosticOf(fileError(`The plan cannot be written to ${file}`, cause, { code: "plan-unwritable", hint }));
  }
}

export interface OpenedPlan {
  readonly saved: SavedPlan;
  readonly line: string;
}

/** Throws a user error if the file cannot be read, is not a saved plan, or was altered. */
export async function openPlan(cwd: string, file: string): Promise<OpenedPlan> {
  const hint = "Correct the path. To save a plan, run `linkform plan --out FILE`.";
  const text = await readNamed(cwd, file, `The plan ${file}`, { code: "plan-unreadable", hint }, MAX_RECORD_BYTES);
  const json = parseJson(text);
  if (json === undefined)
    throw new UserError("plan-not-json", `${file} is not a saved plan, or is incomplete.`, { hint: PLAN_AGAIN_HINT });
  if (!isObject(json) || json["event"] !== "planned")
    throw new UserError("plan-not-saved", `${file} is not a saved plan. A report cannot be applied.`, {
      hint: PLAN_AGAIN_HINT,
    });
  return { saved: parsePlan(json, file, PLAN), line: `${jsonText(json, 0)}\n` };
}

const PLAN_AGAIN_HINT = "Save a new plan: linkform plan --out FILE.";

/** Codes of errors, and hints. */
type Wording = Readonly<Record<"altered" | "version" | "unknown" | "otherFile" | "otherVersion", string>>;

const PLAN: Wording = {
  altered: "plan-altered",
  version: "plan-version",
  unknown: "plan-unknown",
  otherFile: PLAN_AGAIN_HINT,
  otherVersion: "Apply it with the version of linkform that saved it, or save a new plan with this version.",
};
const RECORD: Wording = {
  altered: "record-altered",
  version: "record-version",
  unknown: "record-unknown",
  otherFile: "Use another record. Each apply writes one. To undo only a part of an apply, use --target and --exclude.",
  otherVersion: "Undo it with the version of linkform that wrote it.",
};

function alteredError(file: string, { altered, otherFile: hint }: Wording): UserError {
  return new UserError(altered, `${file} was changed after linkform wrote it.`, { hint });
}

function unknownError(file: string, path: string, { unknown, otherVersion: hint }: Wording): UserError {
  const message = `${file} has a key or value that this version of linkform does not know: \`${path}\`.`;
  return new UserError(unknown, message, { hint });
}

/**
 * Parses the first line. Ignores keys that a later 1.x version added, except in the options: an unknown option could change the plan.
 * Throws a user error for another version, if it was altered, and for unknown content.
 */
function parsePlan(json: JsonObject, file: string, wording: Wording): SavedPlan {
  const version = json["format_version"];
  if (typeof version !== "string") throw alteredError(file, wording);
  if (!version.startsWith("1.")) {
    const message = `${file} has format version ${version}, but this version of linkform reads 1.x.`;
    throw new UserError(wording.version, message, { hint: wording.otherVersion });
  }
  const { digest, ...content } = json;
  if (digest !== digestOf(JSON.stringify(content), "")) throw alteredError(file, wording);
  const read = savedPlanSchema.safeParse({ ...json, format_version: "1.0" });
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const path = [...(issue?.path ?? []), ...(issue?.code === "unrecognized_keys" ? issue.keys : [])].join(".");
  throw unknownError(file, path, wording);
}

export interface RunRecord extends Readonly<Pick<StartedLine, "at" | "project">> {
  /** The name of the file in messages. */
  readonly file: string;
  /** False if the run did not end, or its end was cut off. Then no change has an outcome. */
  readonly isEnded: boolean;
  readonly baseUrl: string;
  /** The hash of the account, if the service reports the account and the run read it. */
  readonly account: string | null;
  readonly changes: readonly RecordedChange[];
}

/**
 * Parses the record of a run; `file` is its name in messages. If its end was cut off, the run did not end. Throws a user error if it is not
 * a record, if it was altered, or if it ends before the state of all objects.
 */
export function parseRecord(text: string, file: string): RunRecord {
  const [first = "", ...texts] = text.split(/(?<=\n)/);
  const json = parseJson(first);
  if (!isObject(json) || json["event"] !== "planned")
    throw new UserError("not-a-record", `${file} is not the record of a run.`, {
      hint: "`apply` writes records into .linkform/runs, or to --record FILE.",
    });
  const plan = parsePlan(json, file, RECORD);
  const unknown = (path: string): UserError => unknownError(file, path, RECORD);
  let previous = plan.digest;
  const lines = texts.flatMap((line, index) => {
    const read = parseJson(line);
    const isCutOff = index === texts.length - 1 && !line.endsWith("\n");
    if (read === undefined && isCutOff) return [];
    if (!isObject(read)) throw alteredError(file, RECORD);
    const { digest, ...content } = read;
    previous = digestOf(JSON.stringify(content), previous);
    if (digest !== previous) throw alteredError(file, RECORD);
    const { data, error } = laterLineSchema.safeParse(read);
    if (data === undefined) throw unknown(`${index + 2}.${error?.issues[0]?.path.join(".") ?? ""}`);
    return [data];
  });
  if (texts.length === 0)
    throw new UserError("not-a-record", `${file} is a saved plan, which has no record of a run.`, {
      hint: "Pass the record of the run that applied it. `apply` prints its path.",
    });
  const [started, ...rest] = lines;
  if (started === undefined) throw cutError(file);
  if (started.event !== "started" || canonicalInstant(started.at) === null) throw unknown("2.event");
  // The digests prove that the lines before the last one are complete and in order.
  const changes = rest.flatMap((line) => (line.event === "change" ? [line] : []));
  if (changes.length < started.changes) throw cutError(file);
  const end = rest.at(-1);
  const outcomes = end?.event === "ended" ? end.outcomes : [];
  // If a store had no answer, an update that completes its record has the id.
  const answers = rest.flatMap((line) => (line.event === "answer" && line.call !== "delete" ? [line] : []));
  const stored = new Map(answers.flatMap(({ change, id }) => (id === null ? [] : [[change, id]])));
  return {
    file,
    at: started.at,
    isEnded: end?.event === "ended",
    baseUrl: plan.service.base_url ?? "",
    project: started.project,
    account: plan.account,
    changes: changes.map((line, index) => {
      const place = { file, line: index + 3, column: 1 };
      const { id = null, outcome = null, may_have_acted: mayHaveActed = null } = outcomes[index] ?? {};
      const isStored = line.action === "create" || line.action === "replace";
      const newId = isStored ? (id ?? stored.get(line.change) ?? null) : null;
      const result = { newId, outcome, mayHaveActed };
      return parseChange(line, place, result, (path) => unknown(`${index + 3}.${path}`));
    }),
  };
}

function cutError(file: string): UserError {
  const message = `${file} was cut off before the state of all objects, so linkform cannot undo that run.`;
  return new UserError("record-incomplete", message, { hint: "Use a complete copy of the record." });
}
