// The zod schemas of project and resource files, for validation and for editors.

import * as z from "zod";
import { block, exampleOf, keyOf, shapeOf, text, textLike } from "./field-schema.ts";
import { policyKeys } from "./policy.ts";
import { SOFTWARE } from "../domain/software.ts";

/** The default of `files`. */
export const DEFAULT_FILES: readonly string[] = ["links/**/*.yaml"];

const unspecified = z
  .enum(["reset", "keep"], { error: "This must be `reset` or `keep`." })
  .optional()
  .meta({
    description: "What becomes of the fields that a link leaves out. The nearest wins: link, file, project.",
    markdownEnumDescriptions: ["They get the service's default.", "They stay as they are live."],
    examples: ["keep"],
    default: "reset",
  });

const note = text
  .nullable()
  .optional()
  .meta({ description: "For people; never sent.", examples: ["Printed on the spring flyer."] });
const renamedFrom = textLike("This must be the key it had.").optional();

const link = block(
  {
    ...shapeOf("link"),
    unspecified,
    renamed_from: renamedFrom.meta({
      description: "The alias this link had, or domain/alias. Within a domain, its row, clicks and id are kept.",
      examples: ["sale"],
    }),
    protect: z
      .boolean("This must be `true` or `false`.")
      .optional()
      .meta({
        description: "Refuse whatever makes the short URL stop answering; no flag lifts it.",
        examples: [true],
        default: false,
      }),
    note,
  },
  "A link is a block of fields; at least `url`.",
).meta({
  title: "link",
  description: "A short link. The key is its alias, or domain/alias.",
  examples: [exampleOf("link").block],
});

const pixel = block(
  {
    ...shapeOf("pixel"),
    renamed_from: renamedFrom.meta({
      description: "The name this pixel had: its row and its links are kept.",
      examples: ["Meta old"],
    }),
    note,
  },
  "A pixel is a block with `type` and `value`.",
).meta({
  title: "pixel",
  description: "A tracking pixel. The key is its name.",
  examples: [exampleOf("pixel").block],
});

const tombstoneId = "This must be the id of one row: a whole number.";
const tombstone = block(
  {
    id: z
      .int(tombstoneId)
      .positive(tombstoneId)
      .optional()
      .meta({ description: "The service's id of the only row to delete.", examples: [12] }),
  },
  "A tombstone stands alone, or names one row: `{ id: 12 }`.",
)
  .nullable()
  .meta({ description: "Empty, or which row of this key it is.", examples: [{ id: 12 }] });
const tombstones = z
  .union(
    [
      z.array(
        z
          .union([text.nullable(), z.record(z.string(), tombstone)], { error: "This must be a key." })
          .meta({ description: "A key, or a key and which row of it: `sale: { id: 12 }`." }),
      ),
      z.record(z.string(), tombstone),
    ],
    { error: "This must be a list of keys, or a map from keys to `{ id: … }`." },
  )
  .nullable()
  .optional();

const resourceSections = {
  defaults: block(
    {
      link: block(shapeOf("link"))
        .nullable()
        .optional()
        .meta({ description: "Fields of links that don't give them.", examples: [{ domain: "go.example.com" }] }),
    },
    "`defaults` is a map: `link` with fields below it.",
  )
    .nullable()
    .optional()
    .meta({
      description: "Values for links that don't say otherwise. The nearest wins: link, file, project.",
      examples: [{ link: { domain: "go.example.com" } }],
    }),
  unspecified,
  pixels: z
    .record(keyOf("pixel"), pixel, { error: "`pixels` is a map from names to pixels." })
    .nullable()
    .optional()
    .meta({ description: "Tracking pixels by name.", examples: [exampleOf("pixel").map] }),
  links: z
    .record(keyOf("link"), link, { error: "`links` is a map from aliases to links." })
    .nullable()
    .optional()
    .meta({ description: "Short links by alias or domain/alias.", examples: [exampleOf("link").map] }),
  absent: block(
    {
      links: tombstones.meta({
        description: "Links to delete if they exist.",
        examples: [["old-sale"], { sale: { id: 12 } }],
      }),
      pixels: tombstones.meta({
        description: "Pixels to delete if they exist.",
        examples: [["Old pixel"], { "Old pixel": { id: 3 } }],
      }),
    },
    "`absent` is a map: `links` and `pixels` with the keys to delete.",
  )
    .nullable()
    .optional()
    .meta({
      description: "Tombstones: what is to be deleted if it exists.",
      examples: [{ links: ["old-sale"], pixels: ["Old pixel"] }],
    }),
};

const labelled = "A label stands for the service's id, its name, or `{ id: …, name: … }`.";
const labelId = z.int(labelled).positive(labelled);

/** Labels for the domains or spaces of the service. */
function labels(noun: string, id: number, name: string): z.ZodType {
  const both = block(
    {
      id: labelId.meta({ description: `The service's id of the ${noun}.`, examples: [id] }),
      name: textLike(labelled).meta({ description: `The service's name of the ${noun}.`, examples: [name] }),
    },
    labelled,
  );
  const label = z
    .union([labelId, z.string().trim().min(1, labelled), both], { error: labelled })
    .meta({ description: `The ${noun}: its id, its name, or both.`, examples: [id, name, { id, name }] });
  return z
    .record(z.string(), label, { error: "This must be a map from labels to ids or names." })
    .nullable()
    .optional()
    .meta({
      description: `Labels: what these files and the plans call the service's ${noun}s.`,
      examples: [{ [name]: id }],
    });
}

/** A string that is not empty. */
function trimmed(message: string): z.ZodString {
  return z.string(message).trim().min(1, message);
}

const zone = trimmed("This must be the name of a time zone, such as Europe/Berlin.").optional();

/** A resource file. */
export const resourceSchema: z.ZodType = block(
  resourceSections,
  "A resource file is a map with `links`, `pixels` or `absent`.",
).meta({ title: "linkform resource file", description: "Links, pixels and tombstones." });

/** The keys that only a project file has. */
export const projectKeys: Readonly<Record<string, z.ZodType>> = {
  version: z
    .literal(1, { error: "This must be 1: no other version of the file format is known." })
    .meta({ description: "Version of the file format.", examples: [1] }),
  service: block(
    {
      base_url: trimmed("This must be the service's address, such as https://short.example.com.").meta({
        description: "The service's address. The API key never stands in a file.",
        examples: ["https://short.example.com"],
      }),
      account_timezone: zone.meta({
        description: "The account's time zone, only where the service can't be asked.",
        examples: ["Europe/Berlin"],
      }),
      software: z
        .union([z.enum(["auto", ...SOFTWARE]), z.literal(SOFTWARE.map(Number))], {
          error: `This must be one of: auto, ${SOFTWARE.join(", ")}.`,
        })
        .optional()
        .meta({
          description: "Version of the service's software. Set it only if linkform cannot detect the version.",
          default: "auto",
          examples: ["auto"],
        }),
    },
    "This must be a block: `service: { base_url: https://short.example.com }`.",
  ).meta({
    description: "The service that holds the links.",
    examples: [{ base_url: "https://short.example.com" }],
  }),
  timezone: zone.meta({
    description: "The zone that dates in the files mean; the account's if left out.",
    examples: ["Europe/Berlin"],
  }),
  domains: labels("domain", 2, "go.example.com"),
  spaces: labels("space", 1, "Marketing"),
  files: z
    .array(textLike("This must be a glob, such as links/**/*.yaml.").meta({ description: "A glob." }), {
      error: "This must be a list of globs: `[links/**/*.yaml]`.",
    })
    .optional()
    .meta({
      description: "Globs of resource files, relative to this file. Each must match a file.",
      examples: [["links/**/*.yaml", "pixels.yaml"]],
      default: DEFAULT_FILES,
    }),
  ...policyKeys,
};

/** A project file: its own keys, and all keys of a resource file. */
export const projectSchema: z.ZodType = block(
  { ...projectKeys, ...resourceSections },
  "A project file is a map that begins with `version: 1`.",
).meta({ title: "linkform project file", description: "The service, and what is declared of it." });
