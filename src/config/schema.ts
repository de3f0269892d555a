// The zod schemas of project and resource files, for validation and for editors.

import * as z from "zod";
import {
  block,
  dateSchema,
  exampleOf,
  keySchema,
  optional,
  shapeOf,
  text,
  textLike,
  textList,
} from "./field-schema.ts";
import { DEFAULT_FILES } from "./find-files.ts";
import { policyKeys, waiveSchema } from "./policy-schema.ts";
import { SOFTWARE } from "../domain/software.ts";
import { DESTINATION_FIELD } from "../domain/table.ts";
import { PLACEHOLDER_NAME } from "./template.ts";
import { utmSchema, vocabularySchema } from "./utm-schema.ts";

const unspecified = optional(
  "What happens to fields that a link omits. The nearest setting wins: link, file, project.",
  ["keep"],
  z.enum(["reset", "keep"], { error: "This must be `reset` or `keep`." }),
  {
    markdownEnumDescriptions: ["They are reset to the service's default.", "They keep their live value."],
    default: "reset",
  },
);

const note = optional(
  "A note for people. It is never sent to the service.",
  ["Printed on the spring flyer."],
  text.nullable(),
);
const renamedFrom = textLike("This must be the previous key.").optional();

/** The fields of a link in the order of the field table, with `utm` after the destination that it belongs to. */
const linkFields: Readonly<Record<string, z.ZodType>> = Object.fromEntries(
  Object.entries(shapeOf("link")).flatMap(([key, schema]): [string, z.ZodType][] =>
    key === DESTINATION_FIELD
      ? [
          [key, schema],
          ["utm", utmSchema],
        ]
      : [[key, schema]],
  ),
);

const ownerShape = "This must be the name of a person or team, or a list of names.";

/** Who owns a link, and when to review it: keys of links and of `defaults.link` that are never sent. */
const lifecycleKeys: Readonly<Record<string, z.ZodType>> = {
  owner: optional(
    "The people or teams in charge of the link. They are never sent to the service.",
    ["growth-team", ["growth-team", "brand"]],
    z
      .union([textLike(ownerShape), z.array(textLike(ownerShape).meta({ description: "A person or team." }))], {
        error: ownerShape,
      })
      .nullable(),
  ),
  review_by: optional(
    "The date to review the link. From that day on, `validate` and `drift` warn. It is never sent to the service.",
    ["2027-06-30"],
    dateSchema.nullable(),
  ),
};

/** The keys of a link's block. */
export const linkKeys: Readonly<Record<string, z.ZodType>> = {
  ...linkFields,
  unspecified,
  renamed_from: renamedFrom.meta({
    description: "Previous alias of this link, or domain/alias. Within a domain, the link keeps its id and its clicks.",
    examples: ["sale"],
  }),
  protect: optional(
    "Refuse every change after which the short URL stops working. No flag overrides this.",
    [true],
    z.boolean("This must be `true` or `false`."),
    { default: false },
  ),
  ...lifecycleKeys,
  waive: waiveSchema,
  note,
};

const link = block(linkKeys, "A link must be a map of fields with at least `url`.").meta({
  title: "link",
  description: "A short link. The key is its alias, or domain/alias.",
  examples: [exampleOf("link").block],
});

const pixel = block(
  {
    ...shapeOf("pixel"),
    renamed_from: renamedFrom.meta({
      description: "Previous name of this pixel. The pixel keeps its id and its links.",
      examples: ["Meta old"],
    }),
    note,
  },
  "A pixel must be a map with `type` and `value`.",
).meta({
  title: "pixel",
  description: "A tracking pixel. The key is its name.",
  examples: [exampleOf("pixel").block],
});

const tombstoneId = "This must be an id: a whole number greater than 0.";
const tombstone = block(
  {
    id: optional("Delete only the row with this id at the service.", [12], z.int(tombstoneId).positive(tombstoneId)),
  },
  "A tombstone must be empty or have an id, such as `{ id: 12 }`.",
)
  .nullable()
  .meta({ description: "Empty, or the id of the row to delete.", examples: [{ id: 12 }] });
const tombstones = z
  .union(
    [
      z.array(
        z
          .union([text.nullable(), z.record(z.string(), tombstone)], { error: "This must be a key." })
          .meta({ description: "A key, or a key with the id of the row to delete: `sale: { id: 12 }`." }),
      ),
      z.record(z.string(), tombstone),
    ],
    { error: "This must be a list of keys, or a map from keys to `{ id: … }`." },
  )
  .nullable()
  .optional();

/** The keys of links in a family. Their values are checked for each link, once the placeholders are replaced. */
const familyFields = Object.fromEntries(
  Object.entries(linkKeys).map(([key, schema]) => {
    const { description, examples } = schema.meta() ?? {};
    return [key, z.unknown().optional().meta({ description, examples })];
  }),
);

const dimensionName = "This must start with a letter, and have only letters, digits, `-` and `_`.";
const valueMap = "A value must be empty, or a map of attributes.";
const dimension = z
  .union(
    [
      z.array(text.meta({ description: "A value.", examples: ["de"] })),
      z.record(
        z.string(),
        z
          .record(placeholderName(), text.meta({ description: "An attribute of the value.", examples: ["print"] }), {
            error: valueMap,
          })
          .nullable()
          .meta({ description: "The attributes of this value.", examples: [{ medium: "print" }] }),
      ),
    ],
    { error: "This must be a list of values, or a map from values to their attributes." },
  )
  .meta({
    description: "The values of this dimension: a list, or a map from values to attributes.",
    examples: [["de", "fr"], { qr: { medium: "print" } }],
  });

function placeholderName(): z.ZodType<string, string> {
  return z.string(dimensionName).regex(PLACEHOLDER_NAME, dimensionName);
}

const combination = z
  .record(z.string(), text.meta({ description: "The value of this dimension.", examples: ["qr"] }), {
    error: "This must be a map from dimensions to values, such as `{ channel: qr }`.",
  })
  .meta({
    description: "Values of some dimensions. It matches all links with these values.",
    examples: [{ channel: "qr" }],
  });

const family = block(
  {
    for: z
      .record(placeholderName(), dimension, {
        error: (issue) =>
          issue.code === "invalid_key" ? dimensionName : "`for` must be a map from dimensions to their values.",
      })
      .meta({
        description:
          "The dimensions of the family. It has a link for each combination of their values. `{channel}` in the alias or in a string becomes the value, `{channel.medium}` an attribute of it.",
        examples: [{ channel: ["mail", "qr"], region: ["de", "fr"] }],
      }),
    ...familyFields,
    exclude: optional(
      "Combinations without a link.",
      [[{ channel: "qr", region: "us" }]],
      z
        .array(combination, {
          error: "`exclude` must be a list of combinations, such as `[{ channel: qr, region: us }]`.",
        })
        .nullable(),
    ),
    each: optional(
      "Fields of some links of the family. Later entries win.",
      [[{ when: { channel: "qr" }, note: "printed" }]],
      z
        .array(
          block(
            {
              when: combination,
              ...familyFields,
            },
            "This must be a map with `when` and fields.",
          ).meta({ description: "Fields of the links that `when` matches." }),
          { error: "`each` must be a list, such as `[{ when: { channel: qr }, protect: true }]`." },
        )
        .nullable(),
    ),
  },
  "A family must be a map with `for` and the fields of its links.",
).meta({
  title: "family",
  description: "Links that differ in some values. The key is their alias with placeholders, or domain/alias.",
  examples: [{ for: { region: ["de", "fr"] }, url: "https://example.com/{region}" }],
});

/** The keys of links and pixels, in project and resource files. */
const resourceSections = {
  defaults: optional(
    "Values for fields that a link omits. The nearest value wins: link, file, project.",
    [{ link: { domain: "go.example.com" } }],
    block(
      {
        link: optional(
          "Default fields of links.",
          [{ domain: "go.example.com" }],
          block({ ...linkFields, ...lifecycleKeys }).nullable(),
        ),
      },
      "`defaults` must be a map with the key `link`.",
    ).nullable(),
  ),
  unspecified,
  pixels: optional(
    "Tracking pixels by name.",
    [exampleOf("pixel").map],
    z.record(keySchema("pixel"), pixel, { error: "`pixels` must be a map from names to pixels." }).nullable(),
  ),
  links: optional(
    "Short links by alias or domain/alias.",
    [exampleOf("link").map],
    z.record(keySchema("link"), link, { error: "`links` must be a map from aliases to links." }).nullable(),
  ),
  families: optional(
    "Families of links: one link for each combination of values.",
    [{ "spring-{region}": { for: { region: ["de", "fr"] }, url: "https://example.com/{region}" } }],
    z
      .record(z.string(), family, { error: "`families` must be a map from aliases with placeholders to families." })
      .nullable(),
  ),
  absent: optional(
    "Tombstones: links and pixels to delete if they exist.",
    [{ links: ["old-sale"], pixels: ["Old pixel"] }],
    block(
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
      "`absent` must be a map with `links`, `pixels` or both.",
    ).nullable(),
  ),
};

const labelled = "A label must be set to an id, a name or `{ id: …, name: … }`.";
const labelId = z.int(labelled).positive(labelled);

/** Labels for the domains or spaces of the service. */
function labels(noun: string, id: number, name: string): z.ZodType {
  const both = block(
    {
      id: labelId.meta({ description: `The id of the ${noun} at the service.`, examples: [id] }),
      name: textLike(labelled).meta({ description: `The name of the ${noun} at the service.`, examples: [name] }),
    },
    labelled,
  );
  const label = z
    .union([labelId, z.string().trim().min(1, labelled), both], { error: labelled })
    .meta({ description: `The ${noun}: its id, its name, or both.`, examples: [id, name, { id, name }] });
  return optional(
    `Labels for ${noun}s, which the files and plans use as names.`,
    [{ [name]: id }],
    z.record(z.string(), label, { error: "This must be a map from labels to ids or names." }).nullable(),
  );
}

const aboutZone = "This must be a time zone, such as Europe/Berlin.";
const zone = z.string(aboutZone).trim().min(1, aboutZone).optional();
const aboutAddress = "This must be the address of the service, such as https://short.example.com.";

/** A resource file. */
export const resourceSchema: z.ZodType = block(
  resourceSections,
  "A resource file must be a map with keys such as `links`, `pixels` or `absent`.",
).meta({ title: "linkform resource file", description: "Links, pixels and tombstones." });

/** The keys that only a project file has. */
export const projectKeys: Readonly<Record<string, z.ZodType>> = {
  version: z
    .literal(1, { error: "This must be 1, the only version of the file format." })
    .meta({ description: "Version of the file format.", examples: [1] }),
  service: block(
    {
      base_url: z
        .string(aboutAddress)
        .trim()
        .min(1, aboutAddress)
        .meta({
          description: "The address of the service. Never write the API key into a file.",
          examples: ["https://short.example.com"],
        }),
      account_timezone: zone.meta({
        description:
          "The account's time zone. Set it only if linkform cannot read it from the service. Default: the zone that the service returns.",
        examples: ["Europe/Berlin"],
      }),
      software: optional(
        "Version of the service's software. Set it only if linkform cannot detect the version.",
        ["auto"],
        z.union([z.literal(["auto", ...SOFTWARE]), z.literal(SOFTWARE.map(Number))], {
          error: `This must be one of: auto, ${SOFTWARE.join(", ")}.`,
        }),
        { default: "auto" },
      ),
    },
    "This must be a map, such as `service: { base_url: https://short.example.com }`.",
  ).meta({
    description: "The service that has the links and pixels.",
    examples: [{ base_url: "https://short.example.com" }],
  }),
  timezone: zone.meta({
    description: "Time zone of the dates in the files. Default: the time zone of the account.",
    examples: ["Europe/Berlin"],
  }),
  domains: labels("domain", 2, "go.example.com"),
  spaces: labels("space", 1, "Marketing"),
  files: optional(
    "Globs of resource files, relative to this file. Each must match a file.",
    [["links/**/*.yaml", "pixels.yaml"]],
    textList("a glob, such as links/**/*.yaml", "A glob.", "a list of globs, such as `[links/**/*.yaml]`"),
    { default: DEFAULT_FILES },
  ),
  ...policyKeys,
  utm: vocabularySchema,
};

/** A project file: its own keys, and all keys of a resource file. */
export const projectSchema: z.ZodType = block(
  { ...projectKeys, ...resourceSections },
  "A project file must be a map that starts with `version: 1`.",
).meta({ title: "linkform project file", description: "Settings of a project, and its links and pixels." });
