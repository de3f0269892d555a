// The forms of project and resource files.

import { DEFAULT_FILES } from "./find-files.ts";
import { exampleOf, fieldForms, keyForm, utmForm } from "./field-schema.ts";
import {
  about,
  block,
  date,
  flag,
  listOf,
  mapOf,
  orEmpty,
  shown,
  stringOf,
  text,
  textLike,
  textList,
  wordOf,
  type Form,
  type KeyForm,
} from "./form.ts";
import { policyKeys, waiveForm } from "./policy-schema.ts";
import { SOFTWARE } from "../domain/software.ts";
import { DESTINATION_FIELD } from "../domain/table.ts";

const unspecified = about(
  "What happens to fields that a link omits. The nearest setting wins: link, file, project.",
  ["keep"],
  wordOf(["reset", "keep"], { reset: "They are reset to the service's default.", keep: "They keep their live value." }),
  { default: "reset" },
);

const note = about(
  "A note for people. It is never sent to the service.",
  ["Printed on the spring flyer."],
  orEmpty(text),
);
const previousKey = textLike("This must be the previous key.");

/** In the order of the field table, with `utm` after the destination, which is the first. */
const linkFields = { [DESTINATION_FIELD]: text, utm: utmForm, ...fieldForms("link") };

const owner = textLike("This must be the name of a person or team, or a list of names.");

/** Keys of links and of `defaults.link` that are never sent. */
const lifecycleKeys = {
  owner: about(
    "The people or teams in charge of the link. They are never sent to the service.",
    ["growth-team", ["growth-team", "brand"]],
    orEmpty({ ...listOf(owner, "A person or team."), ...owner }),
  ),
  review_by: about(
    "The date to review the link. From that day on, `validate` and `drift` warn. It is never sent to the service.",
    ["2027-06-30"],
    orEmpty(date),
  ),
};

export const linkKeys: Readonly<Record<string, Form>> = {
  ...linkFields,
  unspecified,
  renamed_from: about(
    "Previous alias of this link, or domain/alias. Within a domain, the link keeps its id and its clicks.",
    ["sale"],
    previousKey,
  ),
  protect: about("Refuse every change after which the short URL stops working. No flag overrides this.", [true], flag, {
    default: false,
  }),
  ...lifecycleKeys,
  waive: waiveForm,
  note,
};

export const linkForm: Form = about(
  "A short link. The key is its alias, or domain/alias.",
  [exampleOf("link").block],
  block(linkKeys, { kind: "link" }),
  { title: "link" },
);

const pixel = about(
  "A tracking pixel. The key is its name.",
  [exampleOf("pixel").block],
  block(
    {
      ...fieldForms("pixel"),
      renamed_from: about(
        "Previous name of this pixel. The pixel keeps its id and its links.",
        ["Meta old"],
        previousKey,
      ),
      note,
    },
    { kind: "pixel" },
  ),
  { title: "pixel" },
);

const tombstone = about(
  "Empty, or the id of the row to delete.",
  [{ id: 12 }],
  orEmpty(
    block(
      {
        id: about("Delete only the row with this id at the service.", [12], {
          message: "This must be an id: a whole number greater than 0.",
          number: { isWhole: true, least: 1 },
        }),
      },
      { message: "This must be empty or have an id, such as `{ id: 12 }`." },
    ),
  ),
);
const tombstones = orEmpty({
  ...listOf(
    orEmpty({ ...mapOf(tombstone), ...text, message: "This must be a key." }),
    "A key, or a key with the id of the row to delete: `sale: { id: 12 }`.",
  ),
  ...mapOf(tombstone),
});

const familyFields = Object.fromEntries(
  Object.entries(linkKeys).map(([key, form]): [string, Form] => [key, { ...form, isTemplate: true }]),
);

export const MOST_DIMENSIONS = 10;

export const PLACEHOLDER_NAME: RegExp = /^[A-Za-z][A-Za-z0-9_-]*$/;

const placeholderName = {
  message: "This must start with a letter, and have only letters, digits, `-` and `_`.",
  pattern: PLACEHOLDER_NAME,
};
const attributes = about(
  "The attributes of this value.",
  [{ medium: "print" }],
  orEmpty({
    ...mapOf(about("An attribute of the value.", ["print"], text), { key: placeholderName }),
    message: "This must be empty or a map of attributes, such as `{ medium: print }`.",
  }),
);
const dimension = about(
  "The values of this dimension: a list, or a map from values to attributes.",
  [["de", "fr"], { qr: { medium: "print" } }],
  {
    ...listOf(about("A value.", ["de"], text), "A value.", { isFilled: true }),
    ...mapOf(attributes, { isFilled: true }),
  },
);

const combination = about(
  "Values of some dimensions. It matches all links with these values.",
  [{ channel: "qr" }],
  mapOf(about("The value of this dimension.", ["qr"], text), { isFilled: true }),
);

const family = about(
  "Links that differ in some values. The key is their alias with placeholders, or domain/alias.",
  [{ for: { region: ["de", "fr"] }, url: "https://example.com/{region}" }],
  block(
    {
      for: about(
        "The dimensions of the family. It has a link for each combination of their values. `{channel}` in the alias or in a string becomes the value, `{channel.medium}` an attribute of it.",
        [{ channel: ["mail", "qr"], region: ["de", "fr"] }],
        mapOf(dimension, {
          key: placeholderName,
          isFilled: true,
          most: { count: MOST_DIMENSIONS, message: `This must have at most ${MOST_DIMENSIONS} dimensions.` },
        }),
      ),
      ...familyFields,
      exclude: about(
        "Combinations without a link.",
        [[{ channel: "qr", region: "us" }]],
        orEmpty(listOf(combination, "Values of some dimensions. It matches all links with these values.")),
      ),
      each: about(
        "Fields of some links of the family. Later entries win.",
        [[{ when: { channel: "qr" }, note: "printed" }]],
        orEmpty(
          listOf(
            block(
              { when: combination, ...familyFields },
              { required: ["when"], message: "This must be a map with `when` and fields." },
            ),
            "Fields of the links that `when` matches.",
          ),
        ),
      ),
    },
    { required: ["for"], kind: "link" },
  ),
  { title: "family" },
);

const defaults = about(
  "Values for fields that a link omits. The nearest value wins: link, file, project.",
  [{ link: { domain: "go.example.com" } }],
  orEmpty(
    block({
      link: about(
        "Default fields of links.",
        [{ domain: "go.example.com" }],
        orEmpty(block({ ...linkFields, ...lifecycleKeys }, { kind: "link" })),
      ),
    }),
  ),
);

/** The keys of links and pixels, in project and resource files. */
const resourceSections: Readonly<Record<string, Form>> = {
  defaults,
  unspecified,
  pixels: about("Tracking pixels by name.", [exampleOf("pixel").map], orEmpty(mapOf(pixel, { key: keyForm("pixel") }))),
  links: about(
    "Short links by alias or domain/alias.",
    [exampleOf("link").map],
    orEmpty(mapOf(linkForm, { key: keyForm("link") })),
  ),
  families: about(
    "Families of links: one link for each combination of values.",
    [{ "spring-{region}": { for: { region: ["de", "fr"] }, url: "https://example.com/{region}" } }],
    orEmpty(mapOf(family)),
  ),
  absent: about(
    "Tombstones: links and pixels to delete if they exist.",
    [{ links: ["old-sale"], pixels: ["Old pixel"] }],
    orEmpty(
      block({
        links: about("Links to delete if they exist.", [["old-sale"], { sale: { id: 12 } }], tombstones),
        pixels: about("Pixels to delete if they exist.", [["Old pixel"], { "Old pixel": { id: 3 } }], tombstones),
      }),
    ),
  ),
};

export const SECTIONS: readonly string[] = Object.keys(resourceSections);

const labelled = "A label must be set to an id, a name or `{ id: …, name: … }`.";
const labelId: Form = { message: labelled, number: { isWhole: true, least: 1 } };

function labels(noun: string, id: number, name: string, key?: KeyForm): Form {
  const keys = {
    id: about(`The id of the ${noun} at the service.`, [id], labelId),
    name: about(`The name of the ${noun} at the service.`, [name], textLike(labelled)),
  };
  const label = { ...block(keys, { required: ["id", "name"] }), ...stringOf(labelled), ...labelId };
  return about(
    `Labels for ${noun}s, which the files and plans use as names.`,
    [{ [name]: id }],
    orEmpty(mapOf(about(`The ${noun}: its id, its name, or both.`, [id, name, { id, name }], label), key && { key })),
  );
}

export const resourceSchema: Form = shown(
  block(resourceSections, {
    message: "A resource file must be a map with keys such as `links`, `pixels` or `absent`.",
  }),
  { title: "linkform resource file", description: "Links, pixels and tombstones." },
);

const zone = stringOf("This must be a time zone, such as Europe/Berlin.");

const settings = {
  version: about("Version of the file format.", [1], {
    message: "This must be 1, the only version of the file format.",
    number: { words: [1] },
  }),
  service: about(
    "The service that has the links and pixels.",
    [{ base_url: "https://short.example.com" }],
    block(
      {
        base_url: about(
          "The address of the service. Never write the API key into a file.",
          ["https://short.example.com"],
          stringOf("This must be the address of the service, such as https://short.example.com."),
        ),
        account_timezone: about(
          "The account's time zone. Set it only if linkform cannot read it from the service. Default: the zone that the service returns.",
          ["Europe/Berlin"],
          zone,
        ),
        software: about(
          "Version of the service's software. Set it only if linkform cannot detect the version.",
          ["auto"],
          { ...wordOf(["auto", ...SOFTWARE]), number: { words: SOFTWARE.map(Number) } },
          { default: "auto" },
        ),
      },
      { required: ["base_url"] },
    ),
  ),
  timezone: about(
    "Time zone of the dates in the files. Default: the time zone of the account.",
    ["Europe/Berlin"],
    zone,
  ),
  domains: labels("domain", 2, "go.example.com", {
    message: "A slash separates the domain from the alias in keys, so a label of a domain has none.",
    pattern: /^[^/]*$/,
    keywords: { title: "domain", description: "A label of a domain." },
  }),
  spaces: labels("space", 1, "Marketing"),
  files: about(
    "Globs of resource files, relative to this file. Each must match a file.",
    [["links/**/*.yaml", "pixels.yaml"]],
    textList("A glob, such as links/**/*.yaml."),
    { default: DEFAULT_FILES },
  ),
};

/** The keys that only a project file has. */
export const projectKeys: Readonly<Record<string, Form>> = { ...settings, ...policyKeys };

/** With all keys of a resource file. `fmt` writes them in this order, from what others refer to down to what is deleted. */
export const projectSchema: Form = shown(
  block(
    { ...settings, defaults, unspecified, ...policyKeys, ...resourceSections },
    { required: ["version", "service"], message: "A project file must be a map that starts with `version: 1`." },
  ),
  { title: "linkform project file", description: "Settings of a project, and its links and pixels." },
);
