// The shape of project and resource files: what validates them and what editors complete from, one source for both.

import * as z from "zod";
import type { FieldRow, TextRow } from "../domain/field.ts";
import { blockFields, type ResourceKind } from "../domain/table.ts";

/** Variables that may reach a value (design.md, Files): no other part of the environment can. */
const SECRET_VARIABLE: RegExp = /^LINKFORM_SECRET_[A-Z0-9_]+$/;

/** A map with these keys only. Of an unknown key, the message lists the known ones: shape.ts makes the sentence. */
function block(
  shape: Record<string, z.ZodType>,
  message = `This must be a block with: ${Object.keys(shape).join(", ")}.`,
): z.ZodType {
  return z.strictObject(shape, {
    error: (issue) => (issue.code === "unrecognized_keys" ? Object.keys(shape).join(", ") : message),
  });
}

/** A text may look like a number or a word of YAML: it is taken from the source, never from what YAML makes of it. */
const text: z.ZodType = z.union([z.string(), z.number(), z.boolean()], { error: "This must be a text." });
const texts = z.array(text, { error: "This must be a list of texts: `[one, two]`." });
const destination: z.ZodType = z.string({ error: "This must be an address, such as https://example.com/." });

const secret = z.union(
  [
    z.literal("none"),
    block({
      env: z
        .string()
        .regex(SECRET_VARIABLE, "The name of the variable must begin with LINKFORM_SECRET_ (capitals, digits and _)."),
    }),
    block({
      file: z.string({ error: "This must be a path inside the project folder." }).min(1, "This must be a path."),
    }),
  ],
  {
    error: "A secret is `{ env: LINKFORM_SECRET_… }`, `{ file: path }` or `none`; it never stands in the file itself.",
  },
);

/** What a text of this field must be, as a sentence. */
export function mustBe(row: TextRow): string {
  return `This must be ${row.shape}, at most ${row.longest} characters.`;
}

/** What a file may write for a field, by kind; `null` is added where it is the word for "the default". */
function valueSchema(row: FieldRow): z.ZodType {
  switch (row.kind) {
    case "text": {
      const written = z.string().regex(row.pattern).max(row.longest);
      return z.union([written, z.number(), z.boolean()], { error: mustBe(row) });
    }
    case "secret":
      return secret;
    case "flag":
      return z.boolean({ error: "This must be `true` or `false`." });
    case "count": {
      const bounds = `This must be a whole number from 1 to ${row.most}, or \`none\`.`;
      return z.union([z.literal("none"), z.int().min(0).max(row.most)], { error: bounds });
    }
    case "word":
      return z.enum(Object.keys(row.words), { error: `This must be one of: ${Object.keys(row.words).join(", ")}.` });
    case "reference":
      return z.union([z.string().min(1), z.int().positive()], {
        error: `This must be the label, name or id of a ${row.to}.`,
      });
    case "references":
      return texts;
    case "instant":
      return z
        .string({ error: "This must be a date: YYYY-MM-DD." })
        .regex(/^(\d{4}-\d{2}-\d{2}|none)$/, "This must be a date, YYYY-MM-DD, or `none`.");
    case "map":
      return z.record(z.string().regex(row.keys.pattern), destination, {
        error: (issue) =>
          issue.code === "invalid_key"
            ? `A ${row.keys.noun} is ${row.keys.shape}.`
            : `This must be a map: one destination for each ${row.keys.noun}.`,
      });
    case "list":
      return z.array(destination, { error: "This must be a list of destinations." });
    default:
      return row satisfies never;
  }
}

/** Whether `null` may be written: it is the default, unless the default opens something or there is none. */
export function takesNull(row: FieldRow): boolean {
  return !row.required && (row.opens === null || row.opens.word === null);
}

function fieldSchema(row: FieldRow): z.ZodType {
  const schema = takesNull(row) ? valueSchema(row).nullable() : valueSchema(row);
  return schema.optional().meta({ description: row.about, examples: [row.example] });
}

const time = z
  .string({ error: "This must be a time: HH:MM." })
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, "This must be a time of day, HH:MM, from 00:00 to 23:59.")
  .nullable()
  .optional()
  .meta({ description: "Time of day (HH:MM) that goes with `date`; 23:59 if left out.", examples: ['"23:59"'] });

/** The fields of a kind, those with a dotted path gathered under their group. */
function shapeOf(kind: ResourceKind): Record<string, z.ZodType> {
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
    if (row.kind === "instant") members[row.timePath.slice(group.length + 1)] = time;
    groups.set(group, members);
  }
  for (const [group, members] of groups) shape[group] = groupSchema(group, members);
  return shape;
}

/** A group of fields can be cleared as a whole by `none`. */
function groupSchema(group: string, members: Record<string, z.ZodType>): z.ZodType {
  const error = `\`${group}\` is \`none\`, or a block with: ${Object.keys(members).join(", ")}.`;
  const whole = z.union([z.literal("none"), block(members)], { error });
  const opens = blockFields("link").some((row) => row.path.startsWith(`${group}.`) && row.opens !== null);
  return (opens ? whole : whole.nullable()).optional().meta({ description: GROUP_ABOUT[group] ?? group });
}

const GROUP_ABOUT: Readonly<Record<string, string>> = {
  expiration: "When the link stops leading to its url: by date and time, or by clicks. `none` clears all of it.",
  targeting: "Other destinations for some visitors. Replaced as a whole; one group alone is active by itself.",
};

const unspecified = z.enum(["reset", "keep"], { error: "This must be `reset` or `keep`." }).optional().meta({
  description: "What fields that are left out mean: the service's default (reset), or as they are live (keep).",
});

const note = text.nullable().optional().meta({ description: "For people; never sent." });
const renamedFrom = text.optional();

const link = z
  .strictObject(
    {
      ...shapeOf("link"),
      unspecified,
      protect: z
        .boolean({ error: "This must be `true` or `false`." })
        .optional()
        .meta({ description: "Refuse whatever makes the short URL stop answering." }),
      renamed_from: renamedFrom.meta({
        description: "The alias (or domain/alias) this link had: its row, clicks and id are kept within a domain.",
        examples: ["spring"],
      }),
      note,
    },
    "A link is a block of fields; at least `url`.",
  )
  .meta({ description: "A short link. The key is its alias, or domain/alias." });

const pixel = z
  .strictObject(
    {
      ...shapeOf("pixel"),
      renamed_from: renamedFrom.meta({ description: "The name this pixel had: its row and its links are kept." }),
      note,
    },
    "A pixel is a block with `type` and `value`.",
  )
  .meta({ description: "A tracking pixel. The key is its name." });

const tombstone = block({
  id: z.int({ error: "This must be the row's id." }).positive("This must be the row's id.").optional(),
}).nullable();
const tombstones = z
  .union([z.array(z.union([text, z.record(z.string(), tombstone)])), z.record(z.string(), tombstone)], {
    error: "This must be a list of keys, or a map from keys to `{ id: … }`.",
  })
  .nullable()
  .optional();

const resourceSections = {
  defaults: z
    .strictObject({ link: block(shapeOf("link")).nullable().optional() })
    .nullable()
    .optional()
    .meta({ description: "Values for links that don't say otherwise. The nearest wins: link, file, project." }),
  unspecified,
  pixels: z
    .record(z.string(), pixel, { error: "`pixels` is a map from names to pixels." })
    .nullable()
    .optional()
    .meta({ description: "Tracking pixels by name." }),
  links: z
    .record(z.string(), link, { error: "`links` is a map from aliases to links." })
    .nullable()
    .optional()
    .meta({ description: "Short links by alias or domain/alias." }),
  absent: z
    .strictObject({
      links: tombstones.meta({ description: "Links to delete if they exist." }),
      pixels: tombstones.meta({ description: "Pixels to delete if they exist." }),
    })
    .nullable()
    .optional()
    .meta({ description: "Tombstones: what is to be deleted if it exists." }),
};

const labels = z
  .record(
    z.string(),
    z.union([z.int().positive(), z.string().min(1), block({ id: z.int().positive(), name: z.string().min(1) })], {
      error: "A label stands for the service's id, its name, or `{ id: …, name: … }`.",
    }),
  )
  .nullable()
  .optional();

/** A resource file: links, pixels and tombstones. */
export const resourceSchema: z.ZodType = block(
  resourceSections,
  "A resource file is a map with `links`, `pixels` or `absent`.",
);

/** A project file: the service, and everything a resource file may hold. */
export const projectSchema: z.ZodType = block(
  {
    version: z.literal(1, { error: "This must be `version: 1`." }).meta({ description: "Version of the file format." }),
    service: z
      .strictObject(
        {
          base_url: z
            .string({ error: "`base_url` is missing: the service's address, such as https://short.example.com." })
            .meta({
              description: "The service's address. The API key never stands in a file.",
              examples: ["https://short.example.com"],
            }),
          account_timezone: z
            .string()
            .optional()
            .meta({
              description: "The account's time zone, only where the service can't be asked.",
              examples: ["Europe/Berlin"],
            }),
        },
        "`service` is missing: `service: { base_url: https://short.example.com }`.",
      )
      .meta({ description: "The service that holds the links." }),
    timezone: z
      .string()
      .optional()
      .meta({
        description: "The zone that dates in the files mean; the account's if left out.",
        examples: ["Europe/Berlin"],
      }),
    domains: labels.meta({ description: "Labels for the service's domains: an id, a name, or both." }),
    spaces: labels.meta({ description: "Labels for the service's spaces: an id, a name, or both." }),
    files: texts
      .optional()
      .meta({ description: "Globs of resource files, relative to this file.", default: ["links/**/*.yaml"] }),
    ...resourceSections,
  },
  "A project file is a map that begins with `version: 1`.",
);
