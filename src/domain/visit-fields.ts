// Which rows of the field table decide what the visitor of a short URL meets.

import type { CountRow, FieldSpec, FlagRow, InstantSpec, ListRow, MapRow, TextRow, WordRow } from "./field.ts";
import { LANGUAGE_CODES } from "./target-keys.ts";
import { LINK_FIELDS } from "./link-fields.ts";
import { DESTINATION_FIELD, ENDING_FLAGS, fieldAt, groupFields, GROUPS } from "./table.ts";

/** A group of destinations: by a key that a visitor has, or one after the other. */
export type TargetRow = MapRow | ListRow;

function the<Row extends FieldSpec>(what: string, is: (row: FieldSpec) => row is Row): Row {
  const found = LINK_FIELDS.find(is);
  if (found === undefined) throw new Error(`no field of a link is ${what}`);
  return found;
}

const ends = (row: FieldSpec): boolean => row.opens?.when === "expired";

/** The moment from which a link has expired. */
export const ENDS: InstantSpec = the(
  "an expiry",
  (row): row is InstantSpec => row.kind === "instant" && row.works === "before" && ends(row),
);

/** The moment from which it works. */
export const STARTS: InstantSpec = the(
  "a start",
  (row): row is InstantSpec => row.kind === "instant" && row.works === "after" && ends(row),
);

/** The clicks after which it has. */
export const CLICK_LIMIT: CountRow = the("a limit", (row): row is CountRow => row.kind === "count" && ends(row));
const [EXPIRY_GROUP] = ENDS.path.split(".");

/** Where it leads then. */
export const OVER: TextRow = the(
  "for the expired",
  (row): row is TextRow => row.kind === "text" && row.path.startsWith(`${EXPIRY_GROUP}.`),
);

/** Keeps it from leading anywhere. */
export const OFF: FlagRow = the(
  "a switch",
  (row): row is FlagRow => row.kind === "flag" && ENDING_FLAGS.includes(row.path),
);

/** Shows a warning first. */
export const WARNING: FlagRow = the(
  "a warning",
  (row): row is FlagRow => row.kind === "flag" && row.visitors && !ENDING_FLAGS.includes(row.path),
);

/** What visitors must enter. */
export const LOCK: FieldSpec = the("a lock", (row): row is FieldSpec => row.kind === "secret" && row.visitors);

/** Where it leads. */
export const DESTINATION_ROW: FieldSpec = the(
  "the destination",
  (row): row is FieldSpec => row.path === DESTINATION_FIELD,
);

/** The word that puts a group of destinations in force, and the row of the group by that word. */
export const TARGETS: { readonly active: WordRow; readonly byWord: ReadonlyMap<string, TargetRow> } = targets();

function targets(): typeof TARGETS {
  for (const [group, { active }] of Object.entries(GROUPS)) {
    const row = active === null ? undefined : fieldAt("link", active);
    if (row?.kind !== "word") continue;
    const members = groupFields(group).flatMap((member): [string, TargetRow][] =>
      member.kind === "map" || member.kind === "list" ? [[member.path.slice(group.length + 1), member]] : [],
    );
    return { active: row, byWord: new Map(members) };
  }
  throw new Error("no group of a link has members in force");
}

/** The groups that go by something of the visitor, by their word. */
export const KEYED: ReadonlyMap<string, MapRow> = new Map(
  [...TARGETS.byWord].flatMap(([word, row]) => (row.kind === "map" ? [[word, row] as const] : [])),
);

/** The group that goes by the visitor's `Accept-Language`. */
export const LANGUAGE: MapRow = the(
  "for languages",
  (row): row is MapRow => row.kind === "map" && row.keys.list === LANGUAGE_CODES,
);
