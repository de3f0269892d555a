// What the library hands out: as much of what linkform knows as is promised to stay within a major version.

import type { Failure } from "../apply/outcome.ts";
import type { Base, Counted, FieldChange, Origin, Reason, Summary } from "../domain/change.ts";
import type { Diagnostic } from "../domain/diagnostic.ts";
import type { LiveRecord } from "../domain/live.ts";
import type { Place } from "../domain/place.ts";
import type { Action, SecretSource } from "../domain/project.ts";
import type { ResourceKind } from "../domain/table.ts";
import type { UserError } from "../errors.ts";

/** Variables by name, such as `process.env`. linkform reads none that is not handed in. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A link or pixel that the files declare. */
export interface Declared {
  readonly kind: ResourceKind;
  /** `domain/alias` with the domain as the files write it, or the pixel's name. */
  readonly key: string;
  readonly place: Place;
}

/** A project without mistakes, as `loadProject` returns it. */
export interface Project {
  /** The absolute path of the folder that places and paths of secrets are relative to. */
  readonly folder: string;
  /** The project file's name in it. */
  readonly file: string;
  /** The service's address that the files name. */
  readonly baseUrl: string;
  /** The commit that the files are held against; null without one. */
  readonly base: Base | null;
  readonly declared: readonly Declared[];
}

/** What was found in the files. */
export interface LoadedProject {
  /** Null if the files hold a mistake: what is half understood is never planned. */
  readonly project: Project | null;
  /** Every mistake at once, and every warning, in the order of the files. */
  readonly diagnostics: readonly Diagnostic[];
  /** The files that were read, relative to the project's folder. */
  readonly files: readonly string[];
}

/** What is live, as far as a project needs it, as `readLive` returns it. */
export interface LiveState {
  readonly links: readonly LiveRecord[];
  readonly pixels: readonly LiveRecord[];
  /** Links and pixels of which some field has no meaning: no plan touches them. */
  readonly unreadable: readonly LiveRecord[];
  /** Whether these are all links of the account. */
  readonly isWhole: boolean;
  /** Requests that the reading took. */
  readonly requests: number;
}

/** One thing that a plan would do. */
export interface Change {
  readonly action: Action;
  readonly kind: ResourceKind;
  /** `domain/alias`, or the pixel's name. */
  readonly key: string;
  /** The key that the row has until now, where that changes. */
  readonly previousKey: string | null;
  readonly reason: Reason;
  readonly fields: readonly FieldChange[];
  /** The row as it is: its id at the service, and its clicks (null for pixels, and where the service does not say). */
  readonly live?: { readonly id: number; readonly clicks: number | null };
  /** The short URL stops working: it is deleted, renamed, replaced or disabled, or it expires with this change. */
  readonly breaksUrl: boolean;
  /** The place in the files that asks for it. */
  readonly source: Place;
  /** Where the change comes from; null where the project has no base. */
  readonly origin: Origin | null;
}

/** A limit of the project that a plan exceeds. */
export interface Brake {
  readonly limits: Counted;
  readonly kind: ResourceKind;
  /** Objects, or clicks that would be lost; null where the service does not say how many clicks. */
  readonly count: number | null;
  /** The most that is allowed. */
  readonly limit: number;
  /** The number that would let this plan through, as an allowance of `createPlan`. */
  readonly flag: number;
  readonly changes: readonly Change[];
}

/** What would make the account say what the files say, as `createPlan` returns it. */
export interface Plan {
  /** False where an error kept anything from being planned: then there are no changes, and the diagnostics say why. */
  readonly complete: boolean;
  readonly changes: readonly Change[];
  readonly summary: Summary;
  /** While there are any, nothing of the plan is applied. */
  readonly brakes: readonly Brake[];
  /** What was found in the files, in the account, and on comparing them. */
  readonly diagnostics: readonly Diagnostic[];
  /** What must be there before anything is applied. */
  readonly secretsNeeded: readonly SecretSource[];
  /** Requests that the reading took, and that applying and verifying will take. */
  readonly requests: { readonly read: number; readonly apply: number; readonly verify: number };
}

/** What became of a change. `id` is the row's: the new one's after a create or replacement. `because` is a sentence. */
export type Outcome =
  | { readonly change: Change; readonly outcome: "applied"; readonly id: number }
  | { readonly change: Change; readonly outcome: "failed"; readonly failure: Failure }
  | { readonly change: Change; readonly outcome: "skipped"; readonly because: string };

/** What became of a plan. */
export interface Applied {
  /** Every change was applied, and was found as declared when it was read again. */
  readonly done: boolean;
  /** Everything that the files ask for is live: `done`, and the plan left nothing out. Only then may the base move. */
  readonly complete: boolean;
  /** One for each change, in the plan's order. */
  readonly outcomes: readonly Outcome[];
  /** Why not everything was begun or read again; null if nothing stopped it. */
  readonly stopped: UserError | null;
}
