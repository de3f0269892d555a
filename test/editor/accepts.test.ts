// The schema for editors and the loader accept the same: every YAML file of the repository, and a project with any oddity.

import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { addressProblem } from "../../src/domain/address.ts";
import { parse, parseAllDocuments } from "yaml";
import { projectSchema } from "../../src/config/schema.ts";
import { checkShape } from "../../src/config/shape.ts";
import { parseYaml } from "../../src/config/yaml-errors.ts";
import { readDocuments, yamlFilesIn } from "../support/documents.ts";
import { compile, isPart, readSchema } from "../support/schemas.ts";

const accepts = { project: compile(await readSchema("project")), resource: compile(await readSchema("resource")) };

/** Whether the loader finds no mistake in the shape of a project. */
function isValid(value: unknown): boolean {
  const { documents } = parseYaml(JSON.stringify(value), "a.yaml");
  return documents.some((document) => checkShape(document, projectSchema).length === 0);
}

interface Document {
  readonly file: string;
  readonly kind: "project" | "resource";
  readonly value: unknown;
}

/** The documents of YAML files. A project file has the key `version`, or a name that begins with `linkform`. */
async function documentsOf(...folders: string[]): Promise<Document[]> {
  const files = (await Promise.all(folders.map(yamlFilesIn))).flat().filter((one) => !one.startsWith("examples/ci"));
  const found = await Promise.all(
    files.map(async (file) =>
      [parseAllDocuments(await readFile(file, "utf8"), { logLevel: "silent" })]
        .flat()
        .flatMap((document): Document[] => {
          const value: unknown = document.errors.length > 0 ? null : document.toJS();
          if (value === null) return [];
          const isProject = path.basename(file).startsWith("linkform") || (isPart(value) && "version" in value);
          return [{ file, kind: isProject ? "project" : "resource", value }];
        }),
    ),
  );
  return found.flat();
}

/** The blocks of YAML of the documents, each with what it needs to be a project file. */
async function documentedProjects(): Promise<Document[]> {
  const head = { version: 1, service: { base_url: "https://short.example.com" } };
  const blocks = (await readDocuments()).flatMap((document) => document.blocks);
  const shown = blocks.filter(({ language }) => language === "yaml");
  return shown.map(({ place, text }) => ({ file: place, kind: "project", value: { ...head, ...parse(text) } }));
}

// Fails if an editor would mark a file or a documented block that linkform reads without a mistake.
it("the schema accepts what plans and applies", async () => {
  const documents = [...(await documentsOf("examples", "test/fixtures/plans")), ...(await documentedProjects())];
  expect(documents.length).toBeGreaterThan(100);
  const marked = documents.map(({ file, kind, value }) => [file, accepts[kind](value) ? null : accepts[kind].errors]);
  expect(marked.filter(([, errors]) => errors !== null)).toEqual([]);
});

// Fails if an example lacks its schema line, or if the path in it leads nowhere because the example was copied to another depth.
it("every example names its schema by a correct path", async () => {
  for (const file of (await yamlFilesIn("examples")).filter((one) => !one.startsWith("examples/ci"))) {
    const [, schema = ""] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(await readFile(file, "utf8")) ?? [];
    const name = path.basename(file).startsWith("linkform") ? "project" : "resource";
    expect([file, path.join(path.dirname(file), schema)]).toEqual([file, `schemas/${name}.schema.json`]);
  }
});

const EVERYTHING: unknown = parse(`
version: 1
service: { base_url: "https://short.example.com", account_timezone: Europe/Berlin }
timezone: Europe/Berlin
domains: { go: 2, promo: { id: 3, name: promo.example.com } }
spaces: { Marketing: Marketing }
files: ["links/**/*.yaml"]
scope: { domains: [go], spaces: [Marketing, null], pixels: ["Meta *"] }
prune: none
brake: { deletes: 3, updates: 50%, clicks: 20% }
protect: [go/qr-*]
allow: [create]
defaults: { link: { domain: go, privacy: private } }
unspecified: keep
pixels: { Meta: { type: facebook, value: "123", renamed_from: Old, note: a } }
links:
  spring:
    url: https://example.com/
    domain: go
    space: Marketing
    pixels: [Meta]
    disabled: false
    password: { env: LINKFORM_SECRET_A }
    privacy: password
    privacy_password: { file: secrets/a }
    expiration: { date: "2027-03-31", time: "18:00", clicks: 5, url: "https://example.com/over" }
    targeting:
      active: country
      country: { DE: "https://example.com/de" }
      platform: { iOS: "https://example.com/ios" }
      language: { de: "https://example.com/de" }
      rotation: ["https://example.com/a"]
    unspecified: reset
    renamed_from: go/old
    protect: true
    note: a
absent: { links: [a, { b: { id: 1 } }], pixels: { c: null } }
`);

const TEXTS = [
  "¦a¦none¦a b¦a/b¦30%¦101%¦100.5%¦100.0%¦30 %¦2027-03-31¦2027-3-1¦18:00¦24:00¦de¦DE¦keep¦public",
  "country¦create¦facebook¦https://example.com/¦HTTPS://example.com/¦mailto:a@example.com¦../a¦/a",
  "a/../b¦C:\\a¦LINKFORM_SECRET_A¦LINKFORM_secret",
];
const OTHERS = [
  'null¦true¦false¦0¦1¦-1¦1.5¦31¦10000000000¦[]¦[null]¦["a"]¦[1]¦[[]]¦[{}]¦[{"a":{"id":1}}]¦["https://example.com/"]',
  '{}¦{"a":1}¦{"a":null}¦{"a":{"id":1}}¦{"id":1}¦{"id":1,"name":"a"}¦{"env":"LINKFORM_SECRET_A"}¦{"unknown":1}¦{"links":1}',
  '{"env":"LINKFORM_SECRET_A","file":"a"}¦{"DE":"https://example.com/"}¦{"de":"https://example.com/"}',
  '{"iOS":"https://example.com/"}¦{"url":"https://example.com/"}',
];
const ODDITIES: readonly unknown[] = [
  ...TEXTS.flatMap((texts) => texts.split("¦")),
  ...OTHERS.flatMap((others) => others.split("¦")).map((text): unknown => JSON.parse(text)),
  `https://example.com/${"a".repeat(2048)}`,
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

// Fails if preparing the schema for editors changes what it accepts, for any kind of value at any place.
it("the schema accepts a project with one oddity if the loader's shape accepts it, and only then", () => {
  const variants = [...oddVariants(EVERYTHING, "")].map((one) => ({ ...one, isMarked: !accepts.project(one.value) }));
  expect(accepts.project(EVERYTHING)).toBe(true);
  expect(variants.length).toBeGreaterThan(3000);
  expect(variants.filter(({ isMarked }) => !isMarked).length).toBeGreaterThan(300);
  const isAccepted = ({ at, value }: (typeof variants)[number]): boolean => isValid(value) && !hasRefusedAddress(at);
  const differing = variants.filter((one) => one.isMarked === isAccepted(one));
  // JSON Schema has no pattern for a number that is a text.
  expect(differing.map(({ at }) => at)).toEqual([".pixels.Meta.value = 1.5"]);
});
