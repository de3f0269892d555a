// The zod schemas of link and pixel fields, from the field table.

import * as z from "zod";
import { ROUGH_ADDRESS } from "../domain/address.ts";
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
import { takesNull } from "./fields.ts";
import { ABSOLUTE, CLIMBS, leavesFolder } from "./path-glob.ts";
import { formatInline } from "./yaml.ts";

/** Only these environment variables can become secrets. */
const SECRET_VARIABLE: RegExp = /^LINKFORM_SECRET_[A-Z0-9_]+$/;

/** A map with only these keys. The message for an unknown key lists the known keys, for shape.ts. */
export function block(
  shape: Record<string, z.ZodType>,
  message = `This must be a map with any of these keys: ${Object.keys(shape).join(", ")}.`,
): z.ZodType {
  return z.strictObject(shape, {
    error: (issue) => (issue.code === "unrecognized_keys" ? Object.keys(shape).join(", ") : message),
  });
}

/** A key that can be left out. Editors show its description, its examples and `more` keywords of JSON Schema. */
export function optional(
  description: string,
  examples: readonly unknown[],
  schema: z.ZodType,
  more: Readonly<Record<string, unknown>> = {},
): z.ZodType {
  return schema.optional().meta({ description, examples, ...more });
}

/** A text may look like a number or a word of YAML. Its value comes from the source text, not from the parsed value. */
export const text: z.ZodType = z.union([z.string(), z.number(), z.boolean()], { error: "This must be text." });

/** A text that is not empty. */
export function textLike(message: string): z.ZodType {
  return z.union([z.string().trim().min(1, message), z.number(message), z.boolean(message)], { error: message });
}

const dateShape = "This must be a date (YYYY-MM-DD).";

/** A date. Whether the calendar has it is checked when it is read. */
export const dateSchema: z.ZodString = z.string(dateShape).regex(/^\d{4}-\d{2}-\d{2}$/, dateShape);

/** A list that must not be empty, because an empty one could mean "nothing" or "anything". */
export function listOf(item: z.ZodType, message: string): z.ZodType {
  return z.array(item, { error: message }).min(1, NOT_EMPTY);
}

export const NOT_EMPTY = "This must have at least one item.";

/** A list of texts that are not empty. `item` and `list` say what each must be, as the rest of a sentence; editors show `about`. */
export function textList(item: string, about: string, list: string): z.ZodArray {
  return z.array(textLike(`This must be ${item}.`).meta({ description: about }), { error: `This must be ${list}.` });
}

/** A text of this field. `meta` repeats the rules for editors. */
function writtenText(spec: TextSpec): z.ZodType {
  return z
    .string(`This must be ${spec.shape}.`)
    .superRefine((value, context) => {
      const message = textProblem(spec, value.trim());
      if (message !== null) context.addIssue({ code: "custom", message });
    })
    .meta({ pattern: (spec.isAddress ? ROUGH_ADDRESS : spec.pattern).source, maxLength: spec.longest });
}

const destination: z.ZodType = writtenText(DESTINATION).meta({ examples: [DESTINATION.example] });

const secretAbout =
  "A secret must be `{ env: LINKFORM_SECRET_… }`, `{ file: path }` or `none`, never the value itself.";
const variable =
  "This must be the name of an environment variable: LINKFORM_SECRET_ followed by uppercase letters, digits or _.";
const oneSource = "This must have either `env` or `file`.";
const secretPath = "This must be a path inside the project folder.";

/** The source of a secret: `env` or `file`. */
const secretSource: z.ZodType = block(
  {
    env: optional(
      "Environment variable with the secret. Its name must start with LINKFORM_SECRET_.",
      ["LINKFORM_SECRET_SPRING"],
      z.string(variable).regex(SECRET_VARIABLE, variable),
    ),
    file: optional(
      "Path of the file with the secret, inside the project folder.",
      ["secrets/spring.txt"],
      z
        .string(secretPath)
        .min(1, secretPath)
        .refine((path) => !leavesFolder(path), secretPath),
      { pattern: `^(?!${ABSOLUTE.source})(?!.*${CLIMBS.source})` },
    ),
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

/** The schema of a field's value by kind, without `null`. */
function valueSchema(spec: FieldSpec): z.ZodType {
  switch (spec.kind) {
    case "text":
      // fields.ts checks the source text of values that YAML reads as a number or boolean.
      return spec.pattern.test("1") && !spec.isAddress
        ? z.union([writtenText(spec), z.number(), z.boolean()], { error: `This must be ${spec.shape}.` })
        : writtenText(spec);
    case "secret":
      return secret;
    case "flag":
      return z.boolean({ error: "This must be `true` or `false`." });
    case "count": {
      const bounds = `This must be a whole number from 1 to ${spec.most}, or \`none\`.`;
      return z.union([z.literal("none"), z.int(bounds).min(0, bounds).max(spec.most, bounds)], { error: bounds });
    }
    case "word":
      return wordSchema([...allWords(spec), ...Object.keys(spec.synonyms)], spec.meanings);
    case "reference":
      return reference(spec.to);
    case "references":
      return textList(
        `the name of a ${spec.to}`,
        `The name of a ${spec.to}.`,
        `a list of ${spec.to}s, such as \`[one, two]\``,
      );
    case "instant": {
      const form = "This must be a date (YYYY-MM-DD) or `none`.";
      return z.string(form).regex(/^(\d{4}-\d{2}-\d{2}|none)$/, form);
    }
    case "map":
      return mapOf(spec);
    case "list":
      return z.array(destination.meta({ description: "A destination." }), {
        error: "This must be a list of destinations, such as `[https://…, https://…]`.",
      });
    default:
      return spec satisfies never;
  }
}

/** One of some words. Editors show the meaning of each. */
export function wordSchema(known: readonly string[], meanings: Readonly<Record<string, string>> | null): z.ZodType {
  const schema = z.enum(known, { error: `This must be one of: ${known.join(", ")}.` });
  return meanings === null ? schema : schema.meta({ markdownEnumDescriptions: known.map((word) => meanings[word]) });
}

/** Destinations by key. The pattern is the rule; editors suggest `words`. */
function mapOf({ about, keys: { noun, pattern, shape, words } }: MapSpec): z.ZodType {
  const message = `A ${noun} must be ${shape}.`;
  const key = z.string(message).regex(pattern, message).meta({ title: noun, description: about });
  const proposed = words.length === 0 ? key : key.meta({ anyOf: [{ enum: words }, { type: "string" }] });
  return z.record(proposed, destination.meta({ description: `Destination for visitors with this ${noun}.` }), {
    error: (issue) =>
      issue.code === "invalid_key" ? message : `This must be a map with one destination for each ${noun}.`,
  });
}

/** A label, name or id of a domain or space. A domain has no slash, because it is before the slash of a key. */
export function reference(to: ReferenceSpec["to"]): z.ZodType {
  const message = `This must be the label, name or id of a ${to}.`;
  const word = z.string().trim().min(1, message);
  const bare = `This must be only the ${to}, without \`https://\` or slashes, such as go.example.com.`;
  return z.union([to === "domain" ? word.regex(/^[^/]*$/, bare) : word, z.number().positive(message), z.boolean()], {
    error: message,
  });
}

function fieldSchema(spec: FieldSpec): z.ZodType {
  const schema = takesNull(spec) ? valueSchema(spec).nullable() : valueSchema(spec);
  return schema
    .optional()
    .meta({ description: `${spec.about}${versionNote(spec)}`, examples: [spec.example], ...defaultOf(spec) });
}

/** A note for fields that not all versions have. */
function versionNote(spec: FieldSpec): string {
  const having = SOFTWARE.filter((software) => wireOf(spec, software) !== null);
  return having.length === SOFTWARE.length ? "" : ` Available only in ${nameVersions(having)} of the service.`;
}

/** The `default` keyword; none if omitting the field does not mean the default. */
function defaultOf(spec: FieldSpec): { default?: Example | null } {
  if (spec.required || Object.values(GROUPS).some(({ active }) => active === spec.path)) return {};
  if (typeof spec.default === "boolean" && spec.kind === "flag") return { default: spec.default };
  if (typeof spec.default === "string" && spec.kind === "word") return { default: spec.default };
  return { default: spec.opens?.word ?? null };
}

const clock = "This must have the form HH:MM, from 00:00 to 23:59.";

function timeOf(spec: InstantSpec): z.ZodType {
  const date = spec.path.split(".").at(-1);
  return optional(
    `Time of day (HH:MM) for \`${date}\`, in the time zone of the files.${versionNote(spec)}`,
    ["18:00"],
    z
      .string(clock)
      .regex(/^([01]\d|2[0-3]):[0-5]\d$/, clock)
      .nullable(),
    { default: spec.timeDefault },
  );
}

/** The schemas of a kind's fields. Fields with a dotted path are grouped. */
export function shapeOf(kind: ResourceKind): Record<string, z.ZodType> {
  const shape: Record<string, z.ZodType> = {};
  const groups = new Map<string, Record<string, z.ZodType>>();
  for (const spec of blockFields(kind)) {
    const [group, name] = spec.path.split(".");
    if (group === undefined || name === undefined) {
      shape[spec.path] = fieldSchema(spec);
      continue;
    }
    const members = groups.get(group) ?? {};
    members[name] = fieldSchema(spec);
    if (spec.kind === "instant") members[spec.timePath.slice(group.length + 1)] = timeOf(spec);
    groups.set(group, members);
  }
  for (const [group, members] of groups) shape[group] = groupSchema(group, members);
  return shape;
}

/** The schema of a key for editors. Validation is in keys.ts. */
export function keySchema(kind: ResourceKind): z.ZodType<string, string> {
  const spec = fieldAt(kind, KEY_FIELD[kind]);
  if (spec?.kind !== "text") throw new Error(`the key of a ${kind} is no text`);
  const own = spec.pattern.source.replace(/^\^|\$$/g, "");
  const pattern = kind === "link" ? `^([^/]+/)?${own}$` : `^${own}$`;
  const form = kind === "link" ? `its alias (${spec.shape}), or domain/alias` : spec.shape;
  return z
    .string(`The key of a ${kind} must be ${form}.`)
    .meta({ title: KEY_FIELD[kind], description: spec.about, pattern });
}

/** The smallest block of a kind, and a map that has it. */
export function exampleOf(kind: ResourceKind): { block: Example; map: Example } {
  const required = blockFields(kind).filter((spec) => spec.required && spec.kind !== "reference");
  const example = Object.fromEntries(required.map((spec) => [spec.path, spec.example]));
  return { block: example, map: { [formatInline(fieldAt(kind, KEY_FIELD[kind])?.example)]: example } };
}

/** `none` clears a whole group. */
function groupSchema(group: string, members: Record<string, z.ZodType>): z.ZodType {
  const error = `This must be \`none\`, or a map with any of these keys: ${Object.keys(members).join(", ")}.`;
  const schema = z.union([z.literal("none"), block(members, error)], { error });
  const opens = groupFields(group).some((spec) => spec.opens !== null);
  const { about = "", example } = GROUPS[group] ?? {};
  return optional(about, [example], opens ? schema : schema.nullable(), { default: "none" });
}
