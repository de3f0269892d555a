// The types that the library returns. They are narrower than the internal types, because they stay the same within a major version.

import type { Failure } from "../apply/outcome.ts";
import type { Base, Counted, FieldChange, Origin, Reason, Summary } from "../domain/change.ts";
import type { Diagnostic } from "../domain/diagnostic.ts";
import type { LiveRecord } from "../domain/live.ts";
import type { Place } from "../domain/place.ts";
import type { Action, SecretSource } from "../domain/project.ts";
import type { ResourceKind } from "../domain/table.ts";
import type { UserError } from "../errors.ts";

/** Environment variables by name, such as `process.env`. The library reads no others. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A link or pixel that the files declare. */
export interface Declared {
  readonly kind: ResourceKind;
  /** `domain/alias` with the domain as in the files, or the name of the pixel. */
  readonly key: string;
  readonly place: Place;
}

/** A valid project, returned by `loadProject`. */
export interface Project {
  /** The absolute path of the project folder. Places and paths of secrets are relative to it. */
  readonly folder: string;
  /** The name of the project file. */
  readonly file: string;
  /** The address of the service in the files. */
  readonly baseUrl: string;
  /** The commit that the files are compared with; null for none. */
  readonly base: Base | null;
  readonly declared: readonly Declared[];
}

/** The result of `loadProject`. */
export interface LoadedProject {
  /** Null if the files have an error. Errors about values that the service refuses are left to `createPlan`. */
  readonly project: Project | null;
  /** All errors and warnings, in the order of the files. */
  readonly diagnostics: readonly Diagnostic[];
  /** The files that were read, relative to the project folder. */
  readonly files: readonly string[];
}

/** The part of the live state that a project needs, returned by `readLive`. */
export interface LiveState {
  readonly links: readonly LiveRecord[];
  readonly pixels: readonly LiveRecord[];
  /** Links and pixels with an invalid field. No plan changes them. */
  readonly unreadable: readonly LiveRecord[];
  /** Whether these are all links of the account. */
  readonly isWhole: boolean;
  /** The number of requests that reading took. */
  readonly requests: number;
}

/** A change of a plan. */
export interface Change {
  readonly action: Action;
  readonly kind: ResourceKind;
  /** `domain/alias`, or the name of the pixel. */
  readonly key: string;
  /** The current key, if the change renames the object; null if not. */
  readonly previousKey: string | null;
  readonly reason: Reason;
  readonly fields: readonly FieldChange[];
  /** The live object: its id, and its clicks (null for pixels, and if the service does not return them). */
  readonly live?: { readonly id: number; readonly clicks: number | null };
  /** Whether the short URL stops working: the link is deleted, renamed, replaced or disabled, or expires with this change. */
  readonly breaksUrl: boolean;
  /** Whether it changes a live object that the base does not declare; null if that is unknown, as without a base. */
  readonly takesOver: boolean | null;
  /** The place in the files that causes the change. */
  readonly source: Place;
  /** Where the change comes from; null without a base. */
  readonly origin: Origin | null;
}

/** A limit that a plan exceeds. */
export interface Brake {
  readonly limits: Counted;
  readonly kind: ResourceKind;
  /** The number of objects or of lost clicks; null if the service does not return clicks. */
  readonly count: number | null;
  /** The highest allowed number. */
  readonly limit: number;
  /** The allowance of `createPlan` that would permit this plan. */
  readonly flag: number;
  readonly changes: readonly Change[];
}

/** The changes that bring the account to the state in the files, returned by `createPlan`. */
export interface Plan {
  /** False if nothing was planned because of an error. The diagnostics have the reason. */
  readonly complete: boolean;
  readonly changes: readonly Change[];
  readonly summary: Summary;
  /** The exceeded limits. `applyPlan` refuses a plan with any of these. */
  readonly brakes: readonly Brake[];
  /** Problems in the files, in the account, and in the comparison. */
  readonly diagnostics: readonly Diagnostic[];
  /** The secrets that `applyPlan` needs. */
  readonly secretsNeeded: readonly SecretSource[];
  /** The number of requests: for reading, applying and verifying. */
  readonly requests: { readonly read: number; readonly apply: number; readonly verify: number };
}

/** The outcome of a change. `id` is the id of the record; after a create or replacement, of the new record. `because` is a sentence. */
export type Outcome =
  | { readonly change: Change; readonly outcome: "applied"; readonly id: number }
  | { readonly change: Change; readonly outcome: "failed"; readonly failure: Failure }
  | { readonly change: Change; readonly outcome: "skipped"; readonly because: string };

/** The result of `applyPlan`. */
export interface Applied {
  /** Whether all changes were applied and verified. */
  readonly done: boolean;
  /** Whether everything that the files ask for is live: `done`, and the plan left nothing out. Only then may the base move. */
  readonly complete: boolean;
  /** One for each change, in the order of the plan. */
  readonly outcomes: readonly Outcome[];
  /** Why some changes were not started or not verified; null if nothing stopped the run. */
  readonly stopped: UserError | null;
}
