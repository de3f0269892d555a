// Live records with their declarations, for commands that only read.

import type { Plan } from "../domain/change.ts";
import { warning, type Diagnostic } from "../domain/diagnostic.ts";
import type { LiveRecord } from "../domain/live.ts";
import { emptyProject, type Project } from "../domain/project.ts";
import { statusesOf } from "../domain/status.ts";
import type { Resolved } from "../plan/resolve.ts";
import { plural } from "../report/counts.ts";
import { shortUrl } from "../report/change-document.ts";
import type { InspectedRecord } from "../report/inspect.ts";
import type { Access } from "../session/session.ts";

/** The project; an empty one if there are no files, or if they have errors. */
export interface ProjectContext {
  readonly project: Project;
  readonly hasProject: boolean;
  /** A warning if the files have errors: these commands work without them. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The project that has the labels and declarations of live records. */
export function projectContextOf({ opened, baseUrl }: Access): ProjectContext {
  if (opened === null) return { project: emptyProject(baseUrl), hasProject: false, diagnostics: [] };
  if (opened.project !== null) return { project: opened.project, hasProject: true, diagnostics: [] };
  const errors = opened.diagnostics.filter(({ severity }) => severity === "error").length;
  const message = `The files have ${plural(errors, "error")}, so this output does not show what they declare.`;
  const broken = warning("files-broken", message, null, "Run `linkform validate` to see the errors.");
  return { project: emptyProject(baseUrl), hasProject: false, diagnostics: [broken] };
}

/** These records with their keys, declarations and states. `now` is the current instant in canonical form. */
export function inspectRecords(records: readonly LiveRecord[], resolved: Resolved, now: string): InspectedRecord[] {
  const named = <One>(
    all: Iterable<readonly [{ readonly kind: string; readonly id: number }, One]>,
  ): Map<string, One> => new Map([...all].map(([{ kind, id }, one]) => [`${kind} ${id}`, one]));
  const unreadable = named(resolved.unreadable.map((one) => [one.live, one]));
  const live = named([...resolved.live, ...resolved.unreadable.map((one) => one.live)].map((one) => [one, one]));
  const declared = named(
    resolved.claims.flatMap(({ desired, live: record }) => (record ? [[record, desired.place] as const] : [])),
  );
  const desired = named(resolved.claims.flatMap((claim) => (claim.live ? [[claim.live, claim.desired] as const] : [])));
  const absent = named(
    resolved.tombstones.flatMap(({ live: record, tombstone }) =>
      record === null ? [] : [[record, tombstone.place] as const],
    ),
  );
  const tombstones = new Set(resolved.tombstones.map(({ tombstone }) => tombstone.place));
  for (const [place, record] of resolved.blockedAt)
    (tombstones.has(place) ? absent : declared).set(`${record.kind} ${record.id}`, place);
  return records.flatMap((record) => {
    const name = `${record.kind} ${record.id}`;
    const one = live.get(name);
    if (one === undefined) return [];
    const { fields = [] } = unreadable.get(name) ?? {};
    return [
      {
        live: one,
        unreadable: fields,
        title: record.title,
        createdAt: record.createdAt,
        updatedAt: record.updatedAt,
        statuses: record.kind === "link" && fields.length === 0 ? statusesOf(record, now) : [],
        url: record.kind === "link" && unreadable.get(name)?.key !== null ? urlOf(one, resolved.hosts) : null,
        declared: declared.get(name) ?? null,
        absent: absent.get(name) ?? null,
        family: desired.get(name)?.family?.pattern ?? null,
        owners: desired.get(name)?.owners ?? [],
        reviewBy: desired.get(name)?.reviewBy ?? null,
      },
    ];
  });
}

function urlOf(live: InspectedRecord["live"], hosts: Plan["hosts"]): string {
  return shortUrl(live.key, live.values, hosts);
}

/** Warnings about labels that the records contradict. */
export function labelWarnings({ diagnostics }: Pick<Resolved, "diagnostics">): Diagnostic[] {
  return diagnostics.flatMap((one) =>
    /^(?:wrong|ambiguous)-(?:domain|space)$/.test(one.code) ? [{ ...one, severity: "warning" as const }] : [],
  );
}
