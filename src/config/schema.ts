// The shape of project and resource files: what validates them and what editors complete from, one source for both.

import * as z from "zod";
import { block, shapeOf, text, textLike } from "./field-schema.ts";
import { policyKeys } from "./policy-schema.ts";

/** Resource files that are read where the project names none. */
export const DEFAULT_FILES: readonly string[] = ["links/**/*.yaml"];

const unspecified = z.enum(["reset", "keep"], { error: "This must be `reset` or `keep`." }).optional().meta({
  description: "What fields that are left out mean: the service's default (reset), or as they are live (keep).",
});

const note = text.nullable().optional().meta({ description: "For people; never sent." });
const renamedFrom = textLike("This must be the key it had.").optional();

const link = block(
  {
    ...shapeOf("link"),
    unspecified,
    renamed_from: renamedFrom.meta({
      description: "The alias (or domain/alias) this link had: its row, clicks and id are kept within a domain.",
      examples: ["spring"],
    }),
    protect: z.boolean("This must be `true` or `false`.").optional().meta({
      description: "Refuse whatever makes the short URL stop answering; no flag lifts it.",
      default: false,
    }),
    note,
  },
  "A link is a block of fields; at least `url`.",
).meta({ description: "A short link. The key is its alias, or domain/alias." });

const pixel = block(
  {
    ...shapeOf("pixel"),
    renamed_from: renamedFrom.meta({ description: "The name this pixel had: its row and its links are kept." }),
    note,
  },
  "A pixel is a block with `type` and `value`.",
).meta({ description: "A tracking pixel. The key is its name." });

const rowId = "This must be the id of one row: a whole number.";
const tombstone = block(
  { id: z.int(rowId).positive(rowId).optional() },
  "A tombstone stands alone, or names one row: `{ id: 12 }`.",
).nullable();
const tombstones = z
  .union(
    [
      z.array(z.union([text.nullable(), z.record(z.string(), tombstone)], { error: "This must be a key." })),
      z.record(z.string(), tombstone),
    ],
    {
      error: "This must be a list of keys, or a map from keys to `{ id: … }`.",
    },
  )
  .nullable()
  .optional();

const resourceSections = {
  defaults: block(
    { link: block(shapeOf("link")).nullable().optional() },
    "`defaults` is a map: `link` with fields below it.",
  )
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
  absent: block(
    {
      links: tombstones.meta({ description: "Links to delete if they exist." }),
      pixels: tombstones.meta({ description: "Pixels to delete if they exist." }),
    },
    "`absent` is a map: `links` and `pixels` with the keys to delete.",
  )
    .nullable()
    .optional()
    .meta({ description: "Tombstones: what is to be deleted if it exists." }),
};

const labelled = "A label stands for the service's id, its name, or `{ id: …, name: … }`.";
const labelId = z.int(labelled).positive(labelled);
const labels = z
  .record(
    z.string(),
    z.union([labelId, z.string().trim().min(1, labelled), block({ id: labelId, name: textLike(labelled) }, labelled)], {
      error: labelled,
    }),
    { error: "This must be a map from labels to ids or names." },
  )
  .nullable()
  .optional();

const zone = "This must be the name of a time zone, such as Europe/Berlin.";
const address = "This must be the service's address, such as https://short.example.com.";

/** A resource file: links, pixels and tombstones. */
export const resourceSchema: z.ZodType = block(
  resourceSections,
  "A resource file is a map with `links`, `pixels` or `absent`.",
);

/** A project file: the service, and everything a resource file may hold. */
export const projectSchema: z.ZodType = block(
  {
    version: z
      .literal(1, { error: "This must be 1: no other version of the file format is known." })
      .meta({ description: "Version of the file format." }),
    service: block(
      {
        base_url: z
          .string(address)
          .trim()
          .min(1, address)
          .meta({
            description: "The service's address. The API key never stands in a file.",
            examples: ["https://short.example.com"],
          }),
        account_timezone: z
          .string(zone)
          .trim()
          .min(1, zone)
          .optional()
          .meta({
            description: "The account's time zone, only where the service can't be asked.",
            examples: ["Europe/Berlin"],
          }),
      },
      "This must be a block: `service: { base_url: https://short.example.com }`.",
    ).meta({ description: "The service that holds the links." }),
    timezone: z
      .string(zone)
      .trim()
      .min(1, zone)
      .optional()
      .meta({
        description: "The zone that dates in the files mean; the account's if left out.",
        examples: ["Europe/Berlin"],
      }),
    domains: labels.meta({ description: "Labels for the service's domains: an id, a name, or both." }),
    spaces: labels.meta({ description: "Labels for the service's spaces: an id, a name, or both." }),
    files: z
      .array(textLike("This must be a glob, such as links/**/*.yaml."), {
        error: "This must be a list of globs: `[links/**/*.yaml]`.",
      })
      .optional()
      .meta({ description: "Globs of resource files, relative to this file.", default: DEFAULT_FILES }),
    ...policyKeys,
    ...resourceSections,
  },
  "A project file is a map that begins with `version: 1`.",
);
