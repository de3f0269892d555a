// The data of `list` and `show`, and what is shown of it.

import type { Change, Live, Plan, Zones } from "../domain/change.ts";
import type { Diagnostic } from "../domain/diagnostic.ts";
import type { FieldSpec } from "../domain/field.ts";
import { SEARCHED_FIELDS, type Sort } from "../domain/filter.ts";
import type { UnreadableField } from "../domain/live.ts";
import type { Place } from "../domain/place.ts";
import type { Status } from "../domain/status.ts";
import { FIELDS, KEY_FIELD, pathsOf, type ResourceKind } from "../domain/table.ts";
import { SOFTWARE } from "../domain/software.ts";
import { wireOf } from "../domain/wire.ts";
import { sameValue } from "../domain/value.ts";
import { visible } from "../domain/control-characters.ts";
import type { Declarable } from "../edit/declare.ts";
import { listText, plural, showCount } from "./counts.ts";
import { showInstant } from "./drift.ts";
import { isSetSecret, liveWords, splitUtmWords, type Word, type WordChange } from "./values.ts";

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
  /** The alias of the family that declares it; null if a block declares it alone, or nothing does. */
  readonly family: string | null;
  /** The people or teams in charge of the link, and the date to review it, as its declaration has them. */
  readonly owners: readonly string[];
  readonly reviewBy: string | null;
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

/** Marks of rows that a file declares or a tombstone names. */
export const DECLARED_MARK = "✓";
const ABSENT_MARK = "-";

export function declaredMark({ declared, absent }: InspectedRecord): string {
  return declared !== null ? DECLARED_MARK : absent !== null ? ABSENT_MARK : "";
}

/** What a list without rows shows. */
export function emptyListText({ kind, isFiltered, search, requests }: ListReport): string {
  const others = kind === "link" ? SEARCHED_FIELDS.filter((field) => field !== search?.in) : [];
  const elsewhere =
    search === null || others.length === 0
      ? ""
      : ` Try ${listText(
          others.map((field) => `--by ${field}`),
          "or",
        )}.`;
  const matching = search === null ? "matches" : `with \`${visible(search.text)}\` in its ${search.in} was found`;
  const what = isFiltered ? `No ${kind} ${matching}` : `The account has no ${kind}s`;
  return `${what} (${plural(requests, "request")}).${elsewhere}`;
}

/** How many objects a list has, and how many of them are declared. */
export function listCounts({ rows, kind, total, sort, requests, hasProject }: ListReport): string {
  const order = { desc: "newest first", asc: "oldest first", max: "most clicks first", min: "fewest clicks first" }[
    sort
  ];
  const count =
    total === rows.length
      ? plural(rows.length, kind)
      : total === null
        ? `First ${plural(rows.length, kind)}`
        : `${showCount(rows.length)} of ${plural(total, kind)}`;
  const declared = rows.filter((seen) => seen.declared !== null).length;
  const absent = rows.filter((seen) => seen.absent !== null).length;
  const parts = [
    ...(hasProject ? [`${DECLARED_MARK} ${showCount(declared)} declared`] : []),
    ...(absent === 0 ? [] : [`${ABSENT_MARK} ${showCount(absent)} with a tombstone`]),
  ];
  return `${[`${count}, ${order}`, ...parts, plural(requests, "request")].join("; ")}.`;
}

/** Access restrictions: a password, or statistics that are not at their default. */
export function accessText(words: ReadonlyMap<string, Word>): string {
  return FIELDS.link
    .flatMap((field) => {
      const word = words.get(field.path) ?? null;
      if (field.kind === "secret" && field.worksWith === null && isSetSecret(word)) return [field.path];
      const isOther =
        field.kind === "word" && field.opens !== null && word !== field.default && typeof word === "string";
      return isOther ? [`${visible(word)} stats`] : [];
    })
    .join(", ");
}

/** Facts that are not fields of a file. */
export function shownFacts({
  live,
  url,
  statuses,
  title,
  createdAt,
  updatedAt,
  owners,
  reviewBy,
  users,
}: ShownRecord): WordChange[] {
  const facts: readonly (readonly [string, string | null])[] = [
    ["short URL", url],
    ["status", statuses.length === 0 ? null : statuses.join(", ")],
    ["clicks", live.clicks === null ? null : showCount(live.clicks)],
    ["title", title],
    ["created", createdAt === null ? null : showInstant(createdAt)],
    ["updated", updatedAt === null ? null : showInstant(updatedAt)],
    ["owner", owners.length === 0 ? null : owners.join(", ")],
    ["review by", reviewBy],
    ["used by", users && usersText(users)],
  ];
  return facts.flatMap(([path, after]) => (after === null || after === "" ? [] : [{ path, before: null, after }]));
}

function usersText({ count, keys }: NonNullable<ShownRecord["users"]>): string {
  if (keys.length === 0) return "no link";
  const others = count === null ? "others" : count - keys.length;
  const more = others === 0 ? "" : ` and ${typeof others === "number" ? showCount(others) : "perhaps"} more`;
  const all = count === null ? "" : `${plural(count, "link")}: `;
  return `${all}${keys.join(", ")}${more}`;
}

/** The fields that differ from their default, and the paths of the others. The name of a pixel is its key. */
export function shownFields({ live, plan }: ShownRecord): {
  readonly fields: readonly WordChange[];
  readonly defaults: readonly string[];
} {
  const words = liveWords(live, plan.zones);
  const isDefault = ({ path, required, default: usual }: FieldSpec): boolean => {
    const value = live.values.get(path);
    return !required && value !== undefined && sameValue(value, usual);
  };
  const paths = FIELDS[live.kind].filter((field) => !isDefault(field)).flatMap(pathsOf);
  return {
    fields: splitUtmWords(
      paths
        .filter((path) => live.kind !== "pixel" || path !== KEY_FIELD.pixel)
        .map((path) => ({ path, before: null, after: words.get(path) ?? null })),
    ),
    // Without the fields that this version of the service, or the documented one, does not have.
    defaults: FIELDS[live.kind]
      .filter((field) => isDefault(field) && wireOf(field, plan.software ?? SOFTWARE[0]) !== null)
      .map(({ path }) => path),
  };
}
