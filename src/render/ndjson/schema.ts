// A line of `apply --format ndjson` as a zod schema, typed against the events themselves.

import * as z from "zod";
import type { EventDocument } from "./events.ts";
import {
  actionSchema,
  diagnosticSchema,
  failureSchema,
  kindSchema,
  resultSchema,
  summarySchema,
} from "../json/schema.ts";

const at = { at: z.string().describe("When it happened, in UTC.") };

const numbered = {
  change: z.int().min(1).describe("The change's number in the plan: the same in all its events."),
  action: actionSchema,
  kind: kindSchema,
  key: z.string().describe("domain/alias, or the pixel's name."),
  id: z.int().nullable().describe("The service's id of the row; null as long as there is none."),
};

const ending = {
  outcome: z.enum(["applied", "failed", "skipped"]),
  error: failureSchema.nullable(),
  already_so: z.boolean().exactOptional().describe("Only of a saved plan: it was so before this run."),
};

const event = z.discriminatedUnion("event", [
  z
    .object({
      ...at,
      event: z.literal("started"),
      format_version: z.literal("1.0"),
      linkform: z.string(),
      base_url: z.string().nullable().describe("The service; null where the run ends before it is known."),
    })
    .describe("The first line, of every run."),
  z
    .object({
      ...at,
      event: z.literal("read"),
      links: z.int(),
      pixels: z.int(),
      pages: z.int().describe("Pages of lists."),
      requests: z.int(),
    })
    .describe("The account has been read, as far as it matters."),
  z
    .object({
      ...at,
      event: z.literal("planned"),
      changes: z.int().describe("How many changes the plan has: each ends in change_done or change_skipped."),
      summary: summarySchema,
      requests: z.object({ apply: z.int(), verify: z.int() }).describe("About how many the changes will take."),
    })
    .describe("What is to be done."),
  z.object({ ...at, event: z.literal("change_started"), ...numbered }),
  z
    .object({ ...at, event: z.literal("change_done"), ...numbered, ...ending })
    .describe(
      "What became of a change that was started. It is told once more where a later look shows something else: the last one counts.",
    ),
  z
    .object({ ...at, event: z.literal("change_skipped"), ...numbered, ...ending })
    .describe("A change that is not started: `error` says why; or it was so before, of a saved plan."),
  z
    .object({ ...at, event: z.literal("waiting"), why: z.enum(["limit", "outage"]), seconds: z.number() })
    .describe("Nothing is sent for so long: the service says so, or it does not answer."),
  z
    .object({
      ...at,
      event: z.literal("verified"),
      changes: z.int().describe("How many changes have been read again."),
      not_as_declared: z.int().describe("How many of them are not as declared: these are failed."),
    })
    .describe("What was touched has been read again."),
  z
    .object({
      ...at,
      event: z.literal("finished"),
      exit: z.literal([0, 1, 2, 3, 4, 64, 130]).describe("The exit code of the program."),
      result: resultSchema,
      verified: z.boolean().describe("What was touched has been read again."),
      requests: z.int(),
      seconds: z.number(),
      waited: z.number().describe("Seconds, for the rate limit."),
      receipt: z.string().nullable().describe("The file with which it can be taken back."),
      diagnostics: z.array(diagnosticSchema),
    })
    .describe(
      "The last line, of every run: where it is missing, the run was killed or the lines could not be written.",
    ),
]);

/** What `apply --format ndjson` prints, a line each. Others may be added within a major version. */
export const eventSchema: z.ZodType<EventDocument & { at: string }> = event;
