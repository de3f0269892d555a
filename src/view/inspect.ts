// The data of `list` and `show`.

import type { Change, Live, Plan, Zones } from "../domain/change.ts";
import type { Diagnostic } from "../domain/diagnostic.ts";
import type { Sort } from "../domain/filter.ts";
import type { UnreadableField } from "../domain/live.ts";
import type { Place } from "../domain/place.ts";
import type { Status } from "../domain/status.ts";
import type { ResourceKind } from "../domain/table.ts";
import type { Declarable } from "../edit/declare.ts";

export interface InspectedRecord {
  readonly live: Live;
  /** Fields that linkform cannot read. With any of these, it leaves the object alone. */
  readonly unreadable: readonly UnreadableField[];
  readonly title: string | null;
  /** Canonical instants; null if the service does not report them. */
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
  /** None for a pixel or an unreadable link. */
  readonly statuses: readonly Status[];
  /** The short URL of a link. */
  readonly url: string | null;
  /** Its declaration and its tombstone; null if there is none. */
  readonly declared: Place | null;
  readonly absent: Place | null;
}

export interface InspectReport {
  readonly baseUrl: string;
  /** Whether a project file was found. */
  readonly hasProject: boolean;
  readonly zones: Zones;
  /** The number of requests sent. */
  readonly requests: number;
  readonly diagnostics: readonly Diagnostic[];
}

export interface ListReport extends InspectReport {
  readonly of: "list";
  readonly kind: ResourceKind;
  readonly rows: readonly InspectedRecord[];
  readonly sort: Sort;
  readonly isFiltered: boolean;
  /** The text of `--search` and the field it is compared with; null without that flag. */
  readonly search: { readonly text: string; readonly in: string } | null;
  /** With the objects that are not shown; null if it is not known. */
  readonly total: number | null;
}

export interface ShownRecord extends InspectedRecord {
  /** A plan for this object alone. */
  readonly plan: Plan;
  /** The change that makes it as declared; null if it is, or if it is unmanaged. */
  readonly change: Change | null;
  /** Errors that prevent the plan. */
  readonly problems: readonly Diagnostic[];
  /** Other diagnostics of the plan. */
  readonly remarks: readonly Diagnostic[];
  /** The lines that would declare it, or why there are none; null if it is managed. */
  readonly declarable: Declarable | null;
  /** It is unmanaged, and `prune` would delete it. */
  readonly isPruned: boolean;
  /** For a pixel: the number of links that use it (null if it is not known), and the first of them. */
  readonly users: { readonly count: number | null; readonly keys: readonly string[] } | null;
}

export interface ShowReport extends InspectReport {
  readonly of: "show";
  readonly shown: readonly ShownRecord[];
}
