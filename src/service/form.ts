// From changed fields to a form body, as the service wants each kind (observed.md, "Writing").

import type { References, Zones } from "../domain/change.ts";
import type { FieldRow } from "../domain/field.ts";
import { fold } from "../domain/fold.ts";
import { FIELDS, type ResourceKind } from "../domain/table.ts";
import type { Value } from "../domain/value.ts";
import { wallTimeOf } from "../domain/zone.ts";

/** What names, dates and secrets become when they are sent. */
export interface SendContext {
  readonly references: References;
  readonly zones: Zones;
  /** The text of a secret field, by path. */
  readonly secret: (path: string) => string;
}

/** The form for these fields (`after` is the canonical value to be). Throws on a name without an id: plans have none. */
export function encodeForm(
  kind: ResourceKind,
  fields: readonly { path: string; after: Value }[],
  context: SendContext,
): string {
  const form = new URLSearchParams();
  for (const row of FIELDS[kind]) {
    const field = fields.find(({ path }) => path === row.path);
    if (field !== undefined) for (const [name, value] of encode(row, field.after, context)) form.append(name, value);
  }
  return form.toString();
}

type Variables = readonly (readonly [name: string, value: string])[];

function encode(row: FieldRow, value: Value, context: SendContext): Variables {
  switch (row.kind) {
    case "text":
    case "count":
      return [[row.sent, value === null ? "" : String(value)]];
    case "secret":
      return [[row.sent, value === true ? context.secret(row.path) : ""]];
    case "flag":
      return [[row.sent, value === true ? "1" : "0"]];
    case "word":
      // A word of a later version of the service, as `wire.ts` keeps it, goes out as it came in.
      return [[row.sent, String(row.words[String(value)] ?? value)]];
    case "reference":
      return [[row.sent, value === null ? "" : String(idOf(row.to, String(value), context.references))]];
    case "references":
      return sequence(value, `${row.sent}[]`, (name) => String(idOf(row.to, name, context.references)));
    case "instant":
      return instantVariables(row.sentDate, row.sentTime, value, context.zones);
    case "map":
      return isEmpty(value)
        ? [
            [`${row.sent}[0][key]`, ""],
            [`${row.sent}[0][value]`, ""],
          ]
        : pairVariables(row.sent, value);
    case "list":
      return isEmpty(value)
        ? [[`${row.sent}[0][value]`, ""]]
        : texts(value).map((text, index) => [`${row.sent}[${index}][value]`, text]);
    default:
      return row satisfies never;
  }
}

/** Both clear together; one alone is refused or has no effect. */
function instantVariables(date: string, time: string, value: Value, zones: Zones): Variables {
  if (typeof value !== "string")
    return [
      [date, ""],
      [time, ""],
    ];
  if (zones.account === null) throw new Error("a date is sent without a zone");
  const [day = "", clock = ""] = wallTimeOf(value, zones.account).split("T");
  return [
    [date, day],
    [time, clock],
  ];
}

function sequence(value: Value, name: string, text: (item: string) => string): Variables {
  const items = texts(value);
  return items.length === 0 ? [[name, ""]] : items.map((item) => [name, text(item)]);
}

function pairVariables(name: string, value: Value): Variables {
  if (!Array.isArray(value)) return [];
  return value.flatMap((pair, index): Variables =>
    typeof pair === "string"
      ? []
      : [
          [`${name}[${index}][key]`, pair[0]],
          [`${name}[${index}][value]`, pair[1]],
        ],
  );
}

function isEmpty(value: Value): boolean {
  return Array.isArray(value) && value.length === 0;
}

function texts(value: Value): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

function idOf(to: "domain" | "space" | "pixel", name: string, { domains, spaces, pixels }: References): number {
  const id = to === "domain" ? domains.get(name) : to === "space" ? spaces.get(name) : pixels.get(fold(name));
  if (id === undefined) throw new Error(`no id is known for the ${to} ${name}`);
  return id;
}
