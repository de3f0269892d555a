// The public API: `linkform plan` and `linkform apply` as functions. See docs/library.md.

export { EXIT, ServiceError, UserError } from "./errors.ts";
export { applyPlan } from "./library/apply.ts";
export { loadProject } from "./library/load.ts";
export { createPlan, planDocument, planText } from "./library/plan.ts";
export { readLive } from "./library/read.ts";

// Their options and results.
export type { ApplyOptions } from "./library/apply.ts";
export type { LoadOptions } from "./library/load.ts";
export type { Allowances, PlanOptions, TextOptions } from "./library/plan.ts";
export type { ReadOptions } from "./library/read.ts";
export type { ServiceOptions } from "./library/service.ts";
export type {
  Applied,
  Brake,
  Change,
  Declared,
  Environment,
  LiveState,
  LoadedProject,
  Outcome,
  Plan,
  Project,
} from "./library/types.ts";

// The types that these contain.
export type { Failure } from "./apply/outcome.ts";
export type { Base, Counted, FieldChange, Origin, Reason, Summary } from "./domain/change.ts";
export type { RelatedPlace, Diagnostic, Severity } from "./domain/diagnostic.ts";
export type { LiveRecord, Named, UnreadableField } from "./domain/live.ts";
export type { Place, SourceText } from "./domain/place.ts";
export type { Action, SecretSource } from "./domain/project.ts";
export { SOFTWARE, type Software } from "./domain/software.ts";
export type { ResourceKind } from "./domain/table.ts";
export type { Pair, Value } from "./domain/value.ts";
export type { Aftermath, ExitCode, FieldRefusal, ServiceErrorCode } from "./errors.ts";
export type { Notice } from "./service/transport.ts";

// The plan as JSON.
export type { BrakeDocument, ChangeDocument, DiagnosticDocument, OriginsDocument } from "./report/json/schema.ts";
export type { OrphanDocument, PlaceDocument, PlanDocument, RelatedDocument } from "./report/json/schema.ts";
export type { SourceLine, UnmanagedDocument, WithheldDocument } from "./report/json/schema.ts";
