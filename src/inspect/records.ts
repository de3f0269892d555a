// Live rows beside what the files say of them: for commands that only look.

import type { Plan } from "../domain/change.ts";
import { warning, type Diagnostic } from "../domain/diagnostic.ts";
import type { LiveRecord } from "../domain/live.ts";
import { emptyProject, type Project } from "../domain/project.ts";
import { statusesOf } from "../domain/status.ts";
import type { Resolved } from "../plan/resolve.ts";
import { plural } from "../view/counts.ts";
import { shortUrl } from "../view/change.ts";
import type { InspectedRecord } from "../view/inspect.ts";
import type { Access } from "../session/access.ts";

/** What the files say; a project without a word where there are none, or none that can be understood. */
export interface ProjectContext {
  readonly project: Project;
  readonly hasProject: boolean;
  /** A warning if the files have errors: these commands work without them. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The words in which live rows are told. */
export function wordsFor({ opened, baseUrl }: Access): ProjectContext {
  if (opened === null) return { project: emptyProject(baseUrl), hasProject: false, diagnostics: [] };
  if (opened.project !== null) return { project: opened.project, hasProject: true, diagnostics: [] };
  const errors = opened.diagnostics.filter(({ severity }) => severity === "error").length;
  const message = `The files have ${plural(errors, "mistake")}, so what they declare is not known here.`;
  const broken = warning("files-broken", message, null, "`linkform validate` shows them.");
  return { project: emptyProject(baseUrl), hasProject: false, diagnostics: [broken] };
}

/** These rows as they are seen. `now` is the instant (canonical form) at which expiry is judged. */
export function seeRows(rows: readonly LiveRecord[], settled: Resolved, now: string): InspectedRecord[] {
  const named = <One>(
    all: Iterable<readonly [{ readonly kind: string; readonly id: number }, One]>,
  ): Map<string, One> => new Map([...all].map(([{ kind, id }, one]) => [`${kind} ${id}`, one]));
  const unreadable = named(settled.unreadable.map((one) => [one.live, one]));
  const live = named([...settled.live, ...settled.unreadable.map((one) => one.live)].map((one) => [one, one]));
  const declared = named(
    settled.claims.flatMap(({ desired, live: row }) => (row ? [[row, desired.place] as const] : [])),
  );
  const absent = named(
    settled.tombstones.flatMap(({ live: row, tombstone }) => (row === null ? [] : [[row, tombstone.place] as const])),
  );
  const buried = new Set(settled.tombstones.map(({ tombstone }) => tombstone.place));
  for (const [place, row] of settled.blockedAt)
    (buried.has(place) ? absent : declared).set(`${row.kind} ${row.id}`, place);
  return rows.flatMap((row) => {
    const name = `${row.kind} ${row.id}`;
    const one = live.get(name);
    if (one === undefined) return [];
    const { fields = [] } = unreadable.get(name) ?? {};
    return [
      {
        live: one,
        unreadable: fields,
        title: row.title,
        createdAt: row.createdAt,
        updatedAt: row.updatedAt,
        statuses: row.kind === "link" && fields.length === 0 ? statusesOf(row, now) : [],
        url: row.kind === "link" && unreadable.get(name)?.key !== null ? urlOf(one, settled.hosts) : null,
        declared: declared.get(name) ?? null,
        absent: absent.get(name) ?? null,
      },
    ];
  });
}

function urlOf(live: InspectedRecord["live"], hosts: Plan["hosts"]): string {
  return shortUrl(live.key, live.values, hosts);
}

/** Labels that the rows disprove: what is declared with them is not known here. */
export function labelDoubts({ diagnostics }: Pick<Resolved, "diagnostics">): Diagnostic[] {
  return diagnostics.flatMap((one) =>
    /^(?:wrong|ambiguous)-(?:domain|space)$/.test(one.code) ? [{ ...one, severity: "warning" as const }] : [],
  );
}
