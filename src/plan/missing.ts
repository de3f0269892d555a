// What a project needs to know of the account that its rows did not say.

import { fold } from "../domain/fold.ts";
import type { LiveState } from "../domain/live.ts";
import type { Project } from "../domain/project.ts";
import { FIELDS } from "../domain/table.ts";
import type { Value } from "../domain/value.ts";
import { directories, type NamingRows } from "./directory.ts";
import { nameOf } from "./names.ts";
import type { Files } from "./reading.ts";

/** What the service must still be asked before this project can be planned against these rows. */
export interface Missing {
  readonly domains: boolean;
  readonly spaces: boolean;
  readonly zone: boolean;
}

/**
 * Says what is missing, for the files and for what they said at the base. Zone, domains and spaces are asked of the service
 * only when needed (promise 8). With `showsAll` the dates of all links are to be shown in the files' words, not only those
 * of declared ones.
 */
export function whatIsMissing(
  { project, base }: Files,
  live: Pick<LiveState, "links" | "unreadable">,
  showsAll: boolean,
): Missing {
  const { domains, spaces } = directories(project, { ...live, domains: null, spaces: null });
  const isDate = ([path, value]: readonly [string, Value]): boolean => isInstantPath(path) && value !== null;
  const declaresDate = [...project.declarations, ...(base?.declarations ?? [])].some(({ fields }) =>
    [...fields].some(([path, { value }]) => isDate([path, value])),
  );
  const declared = new Set(
    project.declarations.flatMap(({ name, renamedFrom }) => [fold(name), fold(renamedFrom?.name ?? name)]),
  );
  const hasDates = live.links.some(
    (row) => (showsAll || declared.has(fold(nameOf(row)))) && [...row.values].some(isDate),
  );
  // A replacement may take over a date; and without a zone of the files' own, dates are shown in the account's.
  const takesOver = project.declarations.some(
    ({ renamedFrom, unspecified }) => renamedFrom !== null && unspecified === "keep",
  );
  const usesLiveDates = hasDates && (project.zone === null || takesOver || showsAll);
  return {
    domains: domains.incomplete,
    spaces: spaces.incomplete,
    zone: declaresDate || usesLiveDates,
  };
}

/**
 * Whether some domain or space that the files name is confirmed by none of these links nor by the service's lists, and other
 * links may do so: the list of spaces has all, that of domains not those which the whole service shares (docs/service.md,
 * "Endpoints").
 */
export function isUnconfirmed(project: Project, live: NamingRows): boolean {
  const { domains, spaces } = directories(project, live);
  return domains.incomplete || (spaces.incomplete && live.spaces === null);
}

function isInstantPath(path: string): boolean {
  return FIELDS.link.some((row) => row.kind === "instant" && row.path === path);
}
