// The document of a command that failed before it had a result.

import * as z from "zod";
import type { Diagnostic } from "../domain/diagnostic.ts";
import { isReportingCommand, type ReportedCommand, type RunReport } from "./format.ts";
import { diagnosticDocuments } from "./finding-document.ts";
import { explainSchema } from "./json/explain.ts";
import { listSchema, showSchema } from "./json/inspect.ts";
import { applySchema, planSchema, validateSchema, type PlanDocument } from "./json/schema.ts";
import { writtenSchema } from "./json/written.ts";

export const SCHEMAS = {
  validate: validateSchema,
  check: validateSchema,
  plan: planSchema,
  drift: planSchema,
  apply: applySchema,
  undo: applySchema,
  list: listSchema,
  show: showSchema,
  explain: explainSchema,
  pull: writtenSchema,
  rm: writtenSchema,
  import: writtenSchema,
  init: writtenSchema,
  fmt: writtenSchema,
} as const satisfies Readonly<Record<ReportedCommand, z.ZodType<Pick<PlanDocument, "diagnostics">>>>;

interface Failure {
  readonly command: ReportedCommand;
  readonly diagnostics: readonly Diagnostic[];
  /** Null if it was not known yet. */
  readonly baseUrl: string | null;
}

/** The document has the findings, and everything else is empty. */
export function failureReport({ command, diagnostics, baseUrl }: Failure): RunReport {
  const known = { command, base_url: baseUrl, diagnostics: diagnosticDocuments(diagnostics) };
  const schema: z.ZodType<Pick<PlanDocument, "diagnostics">> = SCHEMAS[command];
  return { of: "failure", command, document: schema.parse(emptyValue(schema, known)) };
}

/** The document of a command that was used wrongly. `name` can be anything. */
export function usageDocument(name: string, diagnostics: readonly Diagnostic[]): unknown {
  if (!isReportingCommand(name) || name === "merge")
    return { format_version: "1.0", diagnostics: diagnosticDocuments(diagnostics) };
  if (name !== "doctor") return failureReport({ command: name, diagnostics, baseUrl: null }).document;
  const checks = diagnostics.map(({ message, hint }) => ({ name: "usage", status: "failed", message, hint }));
  return { format_version: "1.0", well: false, checks };
}

/** Empty lists, zeros, nulls and `false`; undefined for a key that the document leaves out. `known` has the values of some keys. */
function emptyValue(schema: z.core.$ZodType, known: Readonly<Record<string, unknown>>): unknown {
  if (schema instanceof z.ZodObject)
    return Object.fromEntries(
      Object.entries(schema.shape).flatMap(([key, one]) => {
        const value = one instanceof z.ZodOptional ? undefined : (known[key] ?? emptyValue(one, known));
        return value === undefined ? [] : [[key, value]];
      }),
    );
  if (schema instanceof z.ZodLiteral) return schema.value;
  if (schema instanceof z.ZodArray) return [];
  if (schema instanceof z.ZodNullable) return null;
  if (schema instanceof z.ZodBoolean) return false;
  return schema instanceof z.ZodNumber ? 0 : undefined;
}
