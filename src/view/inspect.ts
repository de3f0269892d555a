// Live objects as they are listed and shown: what is known of each, and where the files speak of it.

import type { Change, Live, Plan, Zones } from "../domain/change.ts";
import type { Diagnostic } from "../domain/diagnostic.ts";
import type { Sort } from "../domain/filter.ts";
import type { UnreadableField } from "../domain/live.ts";
import type { Place } from "../domain/place.ts";
import type { Status } from "../domain/status.ts";
import type { ResourceKind } from "../domain/table.ts";
import type { Declarable } from "../edit/declare.ts";

/** A live object. */
export interface InspectedRecord {
  readonly live: Live;
  /** Fields without a meaning. With any of these, linkform leaves the object alone. */
  readonly unreadable: readonly UnreadableField[];
  readonly title: string | null;
  /** Canonical instants; null where the service does not say. */
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
  /** Of a link, what visitors meet first; of a pixel, or of a link that can't be read, none. */
  readonly statuses: readonly Status[];
  /** A link's short URL as people type it. */
  readonly url: string | null;
  /** The block that declares it, or the tombstone that names it; null where there is none. */
  readonly declared: Place | null;
  readonly absent: Place | null;
}

/** What is said of everything that was looked at. */
export interface InspectReport {
  readonly baseUrl: string;
  /** Whether there are files to say what is declared. */
  readonly hasProject: boolean;
  readonly zones: Zones;
  /** Requests that it took. */
  readonly requests: number;
  readonly diagnostics: readonly Diagnostic[];
}

/** Live rows that were wanted. */
export interface ListReport extends InspectReport {
  readonly of: "list";
  readonly kind: ResourceKind;
  readonly rows: readonly InspectedRecord[];
  readonly sort: Sort;
  /** Whether only some of all were wanted. */
  readonly isFiltered: boolean;
  /** The text that was searched for, and in which field; null where none was. */
  readonly search: { readonly text: string; readonly in: string } | null;
  /** How many there are, those that are not shown too; null where nobody knows. */
  readonly total: number | null;
}

/** All that is to be said of one live object. */
export interface Shown extends InspectedRecord {
  /** What the planner would do if it were for this object alone. */
  readonly plan: Plan;
  /** What makes it as declared; null where it is so, or nothing names it. */
  readonly change: Change | null;
  /** Why that can't be said: errors. */
  readonly problems: readonly Diagnostic[];
  /** What the planner has to say besides. */
  readonly remarks: readonly Diagnostic[];
  /** The lines that would declare it, or why there are none; null where something names it. */
  readonly declarable: Declarable | null;
  /** No file names it, and the files ask for such objects to be deleted. */
  readonly isPruned: boolean;
  /** Of a pixel: how many links use it (null: nobody knows), and the first of them. */
  readonly users: { readonly count: number | null; readonly keys: readonly string[] } | null;
}

/** Live objects that were asked for. */
export interface ShowReport extends InspectReport {
  readonly of: "show";
  readonly shown: readonly Shown[];
}
