// What a file may write for the fields of the field table, by kind of field.

import * as z from "zod";
import type { Example, FieldSpec, InstantSpec, MapSpec, ReferenceSpec, TextSpec } from "../domain/field.ts";
import {
  blockFields,
  DESTINATION,
  fieldAt,
  groupFields,
  GROUPS,
  KEY_FIELD,
  textProblem,
  type ResourceKind,
} from "../domain/table.ts";
import { SOFTWARE } from "../domain/software.ts";
import { nameVersions } from "../domain/visit.ts";
import { allWords, wireOf } from "../domain/wire.ts";
import { asWritten } from "./written.ts";

/** Only these environment variables can become values of a field. */
const SECRET_VARIABLE: RegExp = /^LINKFORM_SECRET_[A-Z0-9_]+$/;

/** A map with these keys only. Of an unknown key, the message lists the known ones: shape.ts makes the sentence. */
export function block(
  shape: Record<string, z.ZodType>,
  message = `This must be a block with: ${Object.keys(shape).join(", ")}.`,
): z.ZodType {
  return z.strictObject(shape, {
    error: (issue) => (issue.code === "unrecognized_keys" ? Object.keys(shape).join(", ") : message),
  });
}

/** A text may look like a number or a word of YAML: it is taken from the source, never from what YAML makes of it. */
export const text: z.ZodType = z.union([z.string(), z.number(), z.boolean()], { error: "This must be a text." });

/** A text that is not empty, and what to say where it is none. */
export function textLike(message: string): z.ZodType {
  return z.union([z.string().trim().min(1, message), z.number(message), z.boolean(message)], { error: message });
}

/** A text of this field. Editors are told the same rules, in their own terms. */
function writtenText(row: TextSpec): z.ZodType {
  return z
    .string(`This must be ${row.shape}.`)
    .superRefine((value, context) => {
      const message = textProblem(row, value.trim());
      if (message !== null) context.addIssue({ code: "custom", message });
    })
    .meta({ pattern: row.pattern.source, maxLength: row.longest });
}

const destination: z.ZodType = writtenText(DESTINATION).meta({ examples: [DESTINATION.example] });

const secretAbout =
  "A secret is `{ env: LINKFORM_SECRET_… }`, `{ file: path }` or `none`; it never stands in the file itself.";
const variable = "This must be the name of a variable that begins with LINKFORM_SECRET_ (capitals, digits and _).";
const oneSource = "This must name one source: `env` or `file`.";
const secretPath = "This must be a path inside the project folder.";

const ABSOLUTE = /^([\\/~]|[a-zA-Z]:)/;
const CLIMBS = /(^|[\\/{(,|])\.\.([\\/}),|]|$)/;

/** Where a secret comes from: one of the two. */
const secretSource: z.ZodType = block(
  {
    env: z
      .string(variable)
      .regex(SECRET_VARIABLE, variable)
      .optional()
      .meta({
        description: "The variable that holds the secret. Its name begins with LINKFORM_SECRET_.",
        examples: ["LINKFORM_SECRET_SPRING"],
      }),
    file: z
      .string(secretPath)
      .min(1, secretPath)
      .refine((path) => !leavesFolder(path), secretPath)
      .optional()
      .meta({
        description: "The file that holds the secret: a path inside the project folder.",
        pattern: `^(?!${ABSOLUTE.source})(?!.*${CLIMBS.source})`,
        examples: ["secrets/spring.txt"],
      }),
  },
  secretAbout,
).refine((value) => Object.keys(Object(value)).length === 1, oneSource);

const secret = z.union(
  [
    z.literal("none"),
    secretSource.meta({
      minProperties: 1,
      dependencies: { env: { properties: { file: false }, errorMessage: oneSource } },
    }),
  ],
  { error: secretAbout },
);

/** Whether a path or glob of a file is absolute or climbs out of the project folder, on any system. */
export function leavesFolder(path: string): boolean {
  return ABSOLUTE.test(path) || CLIMBS.test(path);
}

/** What a file may write for a field, by kind; `null` is added where it is the word for "the default". */
function valueSchema(row: FieldSpec): z.ZodType {
  switch (row.kind) {
    case "text":
      // What YAML takes for a number or a word is held to the rules by its source text, in fields.ts.
      return row.pattern.test("1")
        ? z.union([writtenText(row), z.number(), z.boolean()], { error: `This must be ${row.shape}.` })
        : writtenText(row);
    case "secret":
      return secret;
    case "flag":
      return z.boolean({ error: "This must be `true` or `false`." });
    case "count": {
      const bounds = `This must be a whole number from 1 to ${row.most}, or \`none\`.`;
      return z.union([z.literal("none"), z.int(bounds).min(0, bounds).max(row.most, bounds)], { error: bounds });
    }
    case "word":
      return wordSchema([...allWords(row), ...Object.keys(row.synonyms)], row.meanings);
    case "reference":
      return reference(row.to);
    case "references":
      return z.array(
        textLike(`This must be the name of a ${row.to}.`).meta({ description: `The name of a ${row.to}.` }),
        {
          error: `This must be a list of ${row.to}s: \`[one, two]\`.`,
        },
      );
    case "instant": {
      const form = "This must be a date, YYYY-MM-DD, or `none`.";
      return z.string(form).regex(/^(\d{4}-\d{2}-\d{2}|none)$/, form);
    }
    case "map":
      return mapOf(row);
    case "list":
      return z.array(destination.meta({ description: "A destination." }), {
        error: "This must be a list of destinations: `[https://…, https://…]`.",
      });
    default:
      return row satisfies never;
  }
}

/** One of some words; editors show what each of them says. */
export function wordSchema(known: readonly string[], meanings: Readonly<Record<string, string>> | null): z.ZodType {
  const schema = z.enum(known, { error: `This must be one of: ${known.join(", ")}.` });
  return meanings === null ? schema : schema.meta({ markdownEnumDescriptions: known.map((word) => meanings[word]) });
}

/** Destinations by key. The pattern says which keys may stand; editors propose the words, if the row has some. */
function mapOf({ about, keys: { noun, pattern, shape, words } }: MapSpec): z.ZodType {
  const message = `A ${noun} is ${shape}.`;
  const key = z.string(message).regex(pattern, message).meta({ title: noun, description: about });
  const proposed = words.length === 0 ? key : key.meta({ anyOf: [{ enum: words }, { type: "string" }] });
  return z.record(proposed, destination.meta({ description: `Where visitors of this ${noun} go.` }), {
    error: (issue) =>
      issue.code === "invalid_key" ? message : `This must be a map: one destination for each ${noun}.`,
  });
}

/** What stands for a domain or space. A domain is what stands before the slash of a key, so it has none itself. */
export function reference(to: ReferenceSpec["to"]): z.ZodType {
  const message = `This must be the label, name or id of a ${to}.`;
  const word = z.string().trim().min(1, message);
  const bare = `This must be the ${to} alone, without \`https://\` and slashes: go.example.com.`;
  return z.union([to === "domain" ? word.regex(/^[^/]*$/, bare) : word, z.number().positive(message), z.boolean()], {
    error: message,
  });
}

/** Whether `null` may be written: it is the default, unless the default opens something or there is none. */
export function takesNull(row: FieldSpec): boolean {
  return !row.required && row.opens === null;
}

function fieldSchema(row: FieldSpec): z.ZodType {
  const schema = takesNull(row) ? valueSchema(row).nullable() : valueSchema(row);
  return schema
    .optional()
    .meta({ description: `${row.about}${versionNote(row)}`, examples: [row.example], ...defaultOf(row) });
}

/** The versions that have a field, for fields that not all versions have. */
function versionNote(row: FieldSpec): string {
  const having = SOFTWARE.filter((software) => wireOf(row, software) !== null);
  return having.length === SOFTWARE.length ? "" : ` Only in ${nameVersions(having)} of the service.`;
}

/** What a person would write for the default, as a keyword of a schema; none where leaving it out says something else. */
function defaultOf(row: FieldSpec): { default?: Example | null } {
  if (row.required || Object.values(GROUPS).some(({ active }) => active === row.path)) return {};
  if (typeof row.default === "boolean" && row.kind === "flag") return { default: row.default };
  if (typeof row.default === "string" && row.kind === "word") return { default: row.default };
  return { default: row.opens?.word ?? null };
}

const clock = "This must be a time of day, HH:MM, from 00:00 to 23:59.";

function timeOf(row: InstantSpec): z.ZodType {
  const date = row.path.split(".").at(-1);
  return z
    .string(clock)
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, clock)
    .nullable()
    .optional()
    .meta({
      description: `Time of day (HH:MM) that goes with \`${date}\`, in the files' time zone.${versionNote(row)}`,
      examples: ["18:00"],
      default: row.timeDefault,
    });
}

/** The fields of a kind, those with a dotted path gathered under their group. */
export function shapeOf(kind: ResourceKind): Record<string, z.ZodType> {
  const shape: Record<string, z.ZodType> = {};
  const groups = new Map<string, Record<string, z.ZodType>>();
  for (const row of blockFields(kind)) {
    const [group, name] = row.path.split(".");
    if (group === undefined || name === undefined) {
      shape[row.path] = fieldSchema(row);
      continue;
    }
    const members = groups.get(group) ?? {};
    members[name] = fieldSchema(row);
    if (row.kind === "instant") members[row.timePath.slice(group.length + 1)] = timeOf(row);
    groups.set(group, members);
  }
  for (const [group, members] of groups) shape[group] = groupSchema(group, members);
  return shape;
}

/** A key of `links` or `pixels`, as editors are told; keys.ts reads it. */
export function keyOf(kind: ResourceKind): z.ZodType<string, string> {
  const row = fieldAt(kind, KEY_FIELD[kind]);
  if (row?.kind !== "text") throw new Error(`the key of a ${kind} is no text`);
  const own = row.pattern.source.replace(/^\^|\$$/g, "");
  const pattern = kind === "link" ? `^([^/]+/)?${own}$` : `^${own}$`;
  const form = kind === "link" ? `its alias (${row.shape}), or domain/alias` : row.shape;
  return z.string(`The key of a ${kind} is ${form}.`).meta({ title: KEY_FIELD[kind], description: row.about, pattern });
}

/** The smallest block of a kind, and a map that holds it. */
export function exampleOf(kind: ResourceKind): { block: Example; map: Example } {
  const required = blockFields(kind).filter((row) => row.required && row.kind !== "reference");
  const example = Object.fromEntries(required.map((row) => [row.path, row.example]));
  return { block: example, map: { [asWritten(fieldAt(kind, KEY_FIELD[kind])?.example)]: example } };
}

/** A group of fields can be cleared as a whole by `none`. */
function groupSchema(group: string, members: Record<string, z.ZodType>): z.ZodType {
  const error = `This must be \`none\`, or a block with: ${Object.keys(members).join(", ")}.`;
  const whole = z.union([z.literal("none"), block(members, error)], { error });
  const opens = groupFields(group).some((row) => row.opens !== null);
  const { about, example } = GROUPS[group] ?? {};
  return (opens ? whole : whole.nullable())
    .optional()
    .meta({ description: about, examples: [example], default: "none" });
}
