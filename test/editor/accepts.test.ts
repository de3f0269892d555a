// The schema and the loader are of one opinion, as far as a schema can have one: on every YAML file of the repository.

import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { addressProblem } from "../../src/domain/address.ts";
import { parseAllDocuments } from "yaml";
import { projectSchema, resourceSchema } from "../../src/config/schema.ts";
import { yamlFilesIn } from "../support/yaml-files.ts";
import { compile, isPart, readSchema } from "../support/schema-files.ts";

const accepts = { project: compile(await readSchema("project")), resource: compile(await readSchema("resource")) };
const shapes = { project: projectSchema, resource: resourceSchema };

interface Document {
  readonly file: string;
  readonly kind: "project" | "resource";
  readonly value: unknown;
}

/** The documents of files that are YAML; a project file says its version or its service. */
async function documentsOf(...folders: string[]): Promise<Document[]> {
  const found: Document[] = [];
  for (const file of (await Promise.all(folders.map(yamlFilesIn)))
    .flat()
    .filter((one) => !one.startsWith("examples/ci"))) {
    const parsed = parseAllDocuments(await readFile(file, "utf8"), { logLevel: "silent" });
    for (const document of Array.isArray(parsed) ? parsed : []) {
      if (document.errors.length > 0 || document.contents === null) continue;
      const value: unknown = tryToJs(() => document.toJS());
      if (value === undefined || value === null) continue;
      const isProject = path.basename(file).startsWith("linkform") || (isPart(value) && "version" in value);
      found.push({ file, kind: isProject ? "project" : "resource", value });
    }
  }
  return found;
}

/** Aliases that unfold without end can't be values. */
function tryToJs(read: () => unknown): unknown {
  try {
    return read();
  } catch {
    return undefined;
  }
}

// Fails when an editor would mark a file that linkform reads without complaint.
describe("what plans and applies", async () => {
  const documents = await documentsOf("examples", "test/fixtures/plans");

  it("is in more than a hundred documents", () => {
    expect(documents.length).toBeGreaterThan(100);
  });

  it.each(documents)("$file", ({ kind, value }) => {
    expect(accepts[kind](value) ? [] : accepts[kind].errors).toEqual([]);
  });
});

// Fails when a rule is put into the zod schemas in a way that JSON Schema does not hear of: `validate` would find the
// mistake and the editor would not. What is refused for what other files, zones or calendars say is not the schema's.
describe("what is of the wrong shape", async () => {
  const broken = await documentsOf("test/fixtures/config/invalid");
  const refused = broken.filter(({ kind, value }) => !shapes[kind].safeParse(value).success);

  it("is in more than thirty documents", () => {
    expect(refused.length).toBeGreaterThan(30);
  });

  it("is marked in the editor, too", () => {
    const missed = refused
      .filter(({ kind, value }) => accepts[kind](value))
      .map(({ file }) => path.basename(path.dirname(file)));
    expect(missed).toEqual([]);
  });
});

/** A project that says everything a file can say. */
const EVERYTHING = {
  version: 1,
  service: { base_url: "https://short.example.com", account_timezone: "Europe/Berlin" },
  timezone: "Europe/Berlin",
  domains: { go: 2, promo: { id: 3, name: "promo.example.com" } },
  spaces: { Marketing: "Marketing" },
  files: ["links/**/*.yaml"],
  scope: { domains: ["go"], spaces: ["Marketing", null], pixels: ["Meta *"] },
  prune: "none",
  brake: { deletes: 3, updates: "50%", clicks: "20%" },
  protect: ["go/qr-*"],
  allow: ["create"],
  defaults: { link: { domain: "go", privacy: "private" } },
  unspecified: "keep",
  pixels: { Meta: { type: "facebook", value: "123", renamed_from: "Old", note: "a" } },
  links: {
    spring: {
      url: "https://example.com/",
      domain: "go",
      space: "Marketing",
      pixels: ["Meta"],
      disabled: false,
      password: { env: "LINKFORM_SECRET_A" },
      privacy: "password",
      privacy_password: { file: "secrets/a" },
      expiration: { date: "2027-03-31", time: "18:00", clicks: 5, url: "https://example.com/over" },
      targeting: {
        active: "country",
        country: { DE: "https://example.com/de" },
        platform: { iOS: "https://example.com/ios" },
        language: { de: "https://example.com/de" },
        rotation: ["https://example.com/a"],
      },
      unspecified: "reset",
      renamed_from: "go/old",
      protect: true,
      note: "a",
    },
  },
  absent: { links: ["a", { b: { id: 1 } }], pixels: { c: null } },
};

const TEXTS = [
  "¦a¦none¦a b¦a/b¦30%¦101%¦100.5%¦100.0%¦30 %¦2027-03-31¦2027-3-1¦18:00¦24:00¦de¦DE¦keep¦public",
  "country¦create¦facebook¦https://example.com/¦HTTPS://example.com/¦mailto:a@example.com¦../a¦/a",
  "a/../b¦C:\\a¦LINKFORM_SECRET_A¦LINKFORM_secret",
];

const ODDITIES: readonly unknown[] = [
  null,
  true,
  false,
  0,
  1,
  -1,
  1.5,
  31,
  10_000_000_000,
  ...TEXTS.flatMap((texts) => texts.split("¦")),
  `https://example.com/${"a".repeat(2048)}`,
  [],
  [null],
  ["a"],
  [1],
  [[]],
  [{}],
  [{ a: { id: 1 } }],
  ["https://example.com/"],
  {},
  { a: 1 },
  { a: null },
  { a: { id: 1 } },
  { id: 1 },
  { id: 1, name: "a" },
  { env: "LINKFORM_SECRET_A" },
  { env: "LINKFORM_SECRET_A", file: "a" },
  { links: 1 },
  { DE: "https://example.com/" },
  { de: "https://example.com/" },
  { iOS: "https://example.com/" },
  { url: "https://example.com/" },
  { unknown: 1 },
];

/** This value with each of its parts in turn replaced by each oddity, and each key by one that is not known. */
function* oddVariants(value: unknown, at: string): Generator<{ at: string; value: unknown }> {
  for (const odd of ODDITIES) yield { at: `${at} = ${JSON.stringify(odd)}`, value: odd };
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      for (const odd of oddVariants(item, `${at}[${index}]`)) yield { at: odd.at, value: value.with(index, odd.value) };
  } else if (isPart(value)) {
    yield { at: `${at}.unknown`, value: { ...value, unknown: 1 } };
    for (const [key, below] of Object.entries(value)) {
      const { [key]: _, ...without } = value;
      yield { at: `${at} without ${key}`, value: without };
      for (const odd of oddVariants(below, `${at}.${key}`)) yield { at: odd.at, value: { ...value, [key]: odd.value } };
    }
  }
}

/** Whether an oddity is an address that the shape leaves to the rule `refused-address`. */
function hasRefusedAddress(at: string): boolean {
  const odd = /(?:\.url|\.targeting\.(?!active)\S+(?: X)?) = (.*)$/.exec(at)?.[1];
  const texts = odd === undefined ? [] : [JSON.parse(odd)].flat();
  return texts.some((text) => typeof text === "string" && addressProblem(text) !== null);
}

// Fails when arranging the schema for editors changes what it accepts, for any kind of value at any place.
describe("a project with one oddity", () => {
  const variants = [...oddVariants(EVERYTHING, "")];

  it("can be odd in thousands of ways, and some are no mistakes", () => {
    const valid = variants.filter(({ value }) => accepts.project(value));
    expect(accepts.project(EVERYTHING)).toBe(true);
    expect(variants.length).toBeGreaterThan(3000);
    expect(valid.length).toBeGreaterThan(300);
  });

  it("is accepted by the schema if the loader's shape accepts it, and only then", () => {
    const isAccepted = ({ at, value }: (typeof variants)[number]): boolean =>
      projectSchema.safeParse(value).success && !hasRefusedAddress(at);
    const differing = variants.filter((one) => accepts.project(one.value) !== isAccepted(one));
    expect(differing.map(({ at }) => at)).toEqual([]);
  });
});
