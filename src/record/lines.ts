// The lines of a run record: the plan, the start, each change, each call and its answer, and the end. A saved plan is the first line.

import { hash } from "node:crypto";
import * as z from "zod";
import type { LiveState } from "../domain/live.ts";
import { EXIT } from "../errors.ts";
import { changeResultSchema, diagnosticSchema, resultSchema, savedPlanSchema } from "../report/json/schema.ts";
import { escapeJson } from "../report/json/text.ts";
import { changeSchema } from "./changes.ts";

const digest = z
  .string()
  .describe(
    "`sha256:` and the hash of the digest of the line before and of the other keys of this line, written as JSON without white space.",
  );
const at = z.string().describe("When it happened, in UTC.");
const change = z.int().min(1).describe("The number of the change in this run.");

const started = z
  .object({
    event: z.literal("started"),
    at,
    linkform: z.string().describe("The version of linkform."),
    command: z.enum(["apply", "undo"]),
    project: z.string().describe("The name of the project file."),
    changes: z.int().describe("The number of changes. Each has a line after this one."),
    digest,
  })
  .describe("The run begins. For a saved plan, it may make fewer changes than the plan has.");

const changeLine = changeSchema
  .extend({ event: z.literal("change"), change, digest })
  .describe("The state of an object before and after a change.");

const call = z.enum(["store", "update", "delete"]);

const called = z
  .object({ event: z.literal("call"), at, change, call, digest })
  .describe("A write to the service begins. Without an answer in the record, it is unknown whether it had an effect.");

const answered = z
  .object({
    event: z.literal("answer"),
    at,
    change,
    call,
    id: z.int().positive().nullable().describe("The id of the record; null if the call failed."),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    digest,
  })
  .describe("The call ended.");

const REPORTED = {
  action: true,
  kind: true,
  key: true,
  id: true,
  outcome: true,
  error: true,
  already_so: true,
} as const;

const ended = z
  .object({
    event: z.literal("ended"),
    at,
    exit: z.literal(Object.values(EXIT)).describe("The exit code of the program."),
    outcomes: z
      .array(
        z.object({
          outcome: changeResultSchema.shape.outcome,
          id: z
            .int()
            .positive()
            .nullable()
            .describe("The id of the record that was stored, changed or deleted; null for none."),
          may_have_acted: z
            .boolean()
            .nullable()
            .describe("For a failed change, false if nothing was applied, so there is nothing to undo."),
        }),
      )
      .describe("The final outcome of each change of this run, in their order."),
    results: z.array(changeResultSchema.pick(REPORTED)).describe("What the report says about each change of the plan."),
    result: resultSchema,
    verified: z.boolean().describe("The changed objects were read again."),
    requests: z.int(),
    seconds: z.number(),
    waited: z.number().describe("Seconds of waiting for the rate limit."),
    record: z.string().nullable().describe("The file that `linkform undo` needs; null if there is nothing to undo."),
    diagnostics: z.array(diagnosticSchema),
    digest,
  })
  .describe("The last line of every run. If it is missing, the run was killed, or the lines could not be written.");

/** The lines after the plan. */
export const laterLineSchema = z.discriminatedUnion("event", [started, changeLine, called, answered, ended]);

export const lineSchema: z.ZodType = z.union([savedPlanSchema, laterLineSchema]);

export type LaterLine = z.infer<typeof laterLineSchema>;
export type StartedLine = z.infer<typeof started>;
export type EndedLine = z.infer<typeof ended>;

/** A line without the digest that the chain adds. */
export type LineContent<Line extends object> = Line extends unknown ? Omit<Line, "digest"> : never;

/** The hash of the digest before a line (empty for none) and of its content as JSON, so that white space does not matter. */
export function digestOf(text: string, previous: string): string {
  return `sha256:${hash("sha256", `${previous}${text}`)}`;
}

/** A hash of the account and its address, so that equal ids of two services differ. Null if the service does not report the account. */
export function accountHash(baseUrl: string, { account }: Pick<LiveState, "account">): string | null {
  const id = account?.id ?? null;
  return id === null ? null : digestOf(JSON.stringify([baseUrl, id]), "");
}

/** Writes lines, each with a digest of itself and of the line before. */
export class LineChain {
  #last: string;

  constructor(previous: string = "") {
    this.#last = previous;
  }

  next(content: object): string {
    // Secrets are searched for each time that the content is read.
    const text = JSON.stringify(content);
    this.#last = digestOf(text, this.#last);
    return `${escapeJson(`${text.slice(0, -1)},"digest":"${this.#last}"}`)}\n`;
  }
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
