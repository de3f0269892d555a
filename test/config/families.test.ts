// Families of links. Fails if a family declares other links than the same links written by hand, if a placeholder reads something that a
// file must not read, or if a family expands without end. Mistakes are in fixtures/config/invalid/family-*.

import { hasErrors } from "../../src/domain/diagnostic.ts";
import { expect, it } from "vitest";
import { showKey, type Project } from "../../src/domain/project.ts";
import { showPlace } from "../../src/domain/place.ts";
import { declared, load, loadGood, placesOf, valuesOf } from "./loading.ts";

const HEAD = `domains: { go.example.com: 2, promo.example.com: 3 }
defaults: { link: { domain: go.example.com, expiration: { clicks: 7 } } }
`;

const keysOf = ({ declarations }: Project): string[] => declarations.map(({ name }) => name);

/** The findings about a family, one line each. */
async function findings(family: string): Promise<string[]> {
  const { diagnostics } = await load(`${HEAD}families:\n${family}`);
  return diagnostics.map(({ code, message, place, hint }) => {
    const at = place === null ? "" : `${place.line}:${place.column} `;
    return `${at}${code}: ${message}${hint === null ? "" : ` ${hint}`}`;
  });
}

const SPRING = `families:
  spring-{channel}-{region}:
    for:
      channel: { mail: { medium: email, limit: 5 }, qr: { medium: print, limit: 9 } }
      region: [de, fr]
    url: https://www.example.com/{region}/spring?medium={channel.medium}
    expiration: { date: 2027-03-31 }
    pixels: ["Meta {region}", Other]
    exclude: [{ channel: mail, region: fr }]
    each:
      - { when: { channel: qr }, protect: true, expiration: { clicks: "{channel.limit}" } }
      - { when: { channel: qr, region: fr }, url: "https://www.example.com/{channel}", pixels: [] }
`;

it("a family declares one link for each combination", async () => {
  const project = await loadGood(`${HEAD}${SPRING}`);
  expect(keysOf(project)).toEqual(["spring-mail-de", "spring-qr-de", "spring-qr-fr"]);
  expect(valuesOf(declared(project, "go.example.com/spring-mail-de"))).toEqual({
    url: "https://www.example.com/de/spring?medium=email",
    pixels: ["Meta de", "Other"],
    "expiration.date": "2027-03-31T23:59",
    "expiration.clicks": 7,
  });
  const printed = declared(project, "go.example.com/spring-qr-fr");
  expect(valuesOf(printed)).toEqual({
    url: "https://www.example.com/qr",
    pixels: [],
    "expiration.date": "2027-03-31T23:59",
    "expiration.clicks": 9,
  });
  expect(printed.protect).not.toBeNull();
  expect(declared(project, "go.example.com/spring-mail-de").protect).toBeNull();
});

it("a link of a family has the place of its family, and each value the place of its string", async () => {
  const project = await loadGood(`${HEAD}${SPRING}`);
  const printed = declared(project, "go.example.com/spring-qr-fr");
  expect(showPlace(printed.place)).toBe("linkform.yaml:6:3");
  expect(placesOf(printed)).toMatchObject({
    url: "linkform.yaml:16:51",
    "expiration.clicks": "linkform.yaml:15:71",
    "expiration.date": "linkform.yaml:11:25",
  });
  expect(printed.family).toMatchObject({
    pattern: "spring-{channel}-{region}",
    combination: [
      ["channel", "qr"],
      ["region", "fr"],
    ],
  });
  // Places identify blocks, so no two links share one.
  expect(new Set(project.declarations.map(({ place }) => place)).size).toBe(3);
});

it("a string with only a placeholder gets the value with its type", async () => {
  const project = await loadGood(`${HEAD}families:
  a-{n}:
    for: { n: { one: { limit: 100, off: true, date: 2027-01-01 }, two: { limit: 200, off: false, date: none } } }
    url: https://www.example.com/
    disabled: "{n.off}"
    expiration: { clicks: "{n.limit}", date: "{n.date}" }
`);
  expect(valuesOf(declared(project, "go.example.com/a-one"))).toMatchObject({
    disabled: true,
    "expiration.clicks": 100,
    "expiration.date": "2027-01-01T23:59",
  });
  expect(valuesOf(declared(project, "go.example.com/a-two"))).toMatchObject({
    disabled: false,
    "expiration.clicks": 200,
    "expiration.date": null,
  });
});

it("every kind of field works, also the domain, a rename and a secret", async () => {
  const project = await loadGood(`${HEAD}families:
  "{region.domain}/a-{region}":
    for: { region: { de: { domain: go.example.com, secret: DE }, fr: { domain: promo.example.com, secret: FR } } }
    url: https://www.example.com/
    space: Space {region}
    password: { env: "LINKFORM_SECRET_{region.secret}" }
    renamed_from: old-{region}
    targeting: { country: { DE: "https://www.example.com/{region}" }, rotation: ["https://www.example.com/{region.secret}"], active: country }
    unspecified: keep
`);
  const french = declared(project, "promo.example.com/a-fr");
  expect(valuesOf(french)).toMatchObject({
    space: "Space fr",
    "targeting.country": [["DE", "https://www.example.com/fr"]],
    "targeting.rotation": ["https://www.example.com/FR"],
  });
  expect(french.secrets.get("password")).toMatchObject({ from: "env", name: "LINKFORM_SECRET_FR" });
  expect(french.renamedFrom && showKey(french.renamedFrom)).toBe("promo.example.com/old-fr");
  expect(french.unspecified).toBe("keep");
});

const A = "https://www.example.com/";

it("a placeholder cannot add a second source of a secret", async () => {
  const family = `a-{x}: { for: { x: [a] }, url: "${A}", password: { file: "{x}", env: LINKFORM_SECRET_A } }`;
  const { project, diagnostics } = await load(`${HEAD}families:\n  ${family}\n`);
  expect(project).toBeNull();
  expect(diagnostics.map(({ code, place }) => [code, place?.line])).toEqual([["wrong-type", 6]]);
});

it.each([
  ["the address", "service: { base_url: https://{x}.example.com }"],
  ["globs of files", 'files: ["{x}/*.yaml"]'],
  ["defaults", "defaults: { link: { url: https://example.com/{x} } }"],
  ["links", 'links: { go.example.com/a: { url: "https://example.com/{x}" } }'],
])("placeholders do not work outside of families: %s", async (_, text) => {
  const { diagnostics } = await load(`${text}\n`);
  expect(hasErrors(diagnostics)).toBe(true);
});

// Here and not in a fixture, because no message may show what only programmers know.
it("doubled braces are not a placeholder", async () => {
  expect(await findings(`  a-{x}: { for: { x: [a] }, url: "${A}", note: "{{x}} and {x y} and }" }\n`)).toEqual([
    "6:69 family-placeholder: `{{x}` is not a placeholder. Write `{x}`.",
  ]);
});

it("an excluded value needs no attributes", async () => {
  expect(
    await findings(
      `  a-{c}: { for: { c: { qr: { m: print }, mail: } }, exclude: [{ c: mail }], url: "https://www.example.com/{c.m}" }\n`,
    ),
  ).toEqual([]);
});

it("a finding of a rule about several links is reported once", async () => {
  const { diagnostics } = await load(
    `rules: { same-destination: warning }\ndefaults: { link: { domain: go.example.com } }\nfamilies: { "a-{x}": { for: { x: [a, b, c, d] }, url: "${A}" } }\n`,
  );
  expect(diagnostics.map(({ code, message }) => `${code}: ${message}`)).toEqual([
    "same-destination: `go.example.com/a-b` has the same destination as `go.example.com/a-a` (linkform.yaml:5:13) (and 2 others of the family `a-{x}`).",
  ]);
});

it.each([
  ["too many combinations", `a-{x}-{y}: { for: { x: [${numbers(101)}], y: [${numbers(100)}] }, url: "${A}" }`],
  ["too many dimensions", `a: { for: { ${numbers(11, "d").replaceAll(",", ": [a],")}: [a] }, url: "${A}" }`],
  // Without the limit, a string would be longer than JavaScript allows.
  [
    "too long a value",
    `a-{x}: { for: { x: { a: { t: ${"x".repeat(1_000_000)} } } }, url: "${A}", note: "${"{x.t}".repeat(600)}" }`,
  ],
  [
    "too many values",
    `a-{x}-{y}: { for: { x: [${numbers(100)}], y: [${numbers(100)}] }, url: "${A}", pixels: [${numbers(300)}] }`,
  ],
  [
    "too much text",
    `a-{x}-{y}: { for: { x: { ${numbers(100, "v").replaceAll(",", `: { t: ${"x".repeat(3000)} },`)}: { t: a } }, y: [${numbers(100)}] }, url: "${A}", note: "{x.t}" }`,
  ],
])("a family that expands without end is an error: %s", async (_, family) => {
  const { project, diagnostics } = await load(`${HEAD}families:\n  ${family}\n`);
  expect(project).toBeNull();
  expect(diagnostics.map(({ code }) => code)).toEqual(["family-too-large"]);
});

function numbers(count: number, prefix = ""): string {
  return Array.from({ length: count }, (_, at) => `${prefix}${at}`).join(",");
}

it("many conditions are matched without comparing each with each", async () => {
  const values = numbers(90, "v").split(",");
  const pairs = values.flatMap((x) => values.map((y) => `{ x: ${x}, y: ${y} }`));
  const { project } = await load(
    `${HEAD}families:\n  a-{x}-{y}: { for: { x: [${values.join()}], y: [${values.join()}] }, url: "${A}", exclude: [${pairs.slice(1).join()}] }\n`,
  );
  expect(project?.declarations.map(({ name }) => name)).toEqual(["a-v0-v0"]);
});

it("names of prototypes are plain names", async () => {
  expect(
    await findings(
      `  a-{constructor}: { for: { constructor: { toString: { valueOf: x } } }, url: "https://www.example.com/{constructor.valueOf}" }\n`,
    ),
  ).toEqual([]);
});
