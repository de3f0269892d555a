// Families of links. Fails if a family declares other links than the same links written by hand, if a placeholder reads something that a
// file must not read, or if a family expands without end. Mistakes are in fixtures/config/invalid/family-*.

import { hasErrors } from "../../src/domain/diagnostic.ts";
import { expect, it } from "vitest";
import { showKey } from "../../src/domain/project.ts";
import { showPlace } from "../../src/domain/place.ts";
import { allValues, declared, load, loadGood, numbers, placesOf, valuesOf } from "./loading.ts";

const HEAD = `domains: { go.example.com: 2, promo.example.com: 3 }
defaults: { link: { domain: go.example.com, expiration: { clicks: 7 } } }
`;

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

it("a family declares one link for each combination, each value with the place of its string", async () => {
  const project = await loadGood(`${HEAD}${SPRING}`);
  expect(project.declarations.map(({ name }) => name)).toEqual(["spring-mail-de", "spring-qr-de", "spring-qr-fr"]);
  const date = { "expiration.date": "2027-03-31T23:59" };
  const values = allValues(project);
  expect(values["go.example.com/spring-mail-de"]).toEqual({
    ...date,
    url: "https://www.example.com/de/spring?medium=email",
    pixels: ["Meta de", "Other"],
    "expiration.clicks": 7,
  });
  expect(values["go.example.com/spring-qr-fr"]).toEqual({
    ...date,
    url: "https://www.example.com/qr",
    pixels: [],
    "expiration.clicks": 9,
  });
  expect(project.declarations.map(({ protect }) => protect !== null)).toEqual([false, true, true]);

  const printed = declared(project, "go.example.com/spring-qr-fr");
  expect(showPlace(printed.place)).toBe("linkform.yaml:6:3");
  expect(placesOf(printed)).toMatchObject({
    url: "linkform.yaml:16:51",
    "expiration.clicks": "linkform.yaml:15:71",
    "expiration.date": "linkform.yaml:11:25",
  });
  expect(printed.family?.pattern).toBe("spring-{channel}-{region}");
  expect(Object.fromEntries(printed.family?.combination ?? [])).toEqual({ channel: "qr", region: "fr" });
  // Places identify blocks, so no two links share one.
  expect(new Set(project.declarations.map(({ place }) => place)).size).toBe(3);
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
  "service: { base_url: https://{x}.example.com }",
  'files: ["{x}/*.yaml"]',
  "defaults: { link: { url: https://example.com/{x} } }",
  'links: { go.example.com/a: { url: "https://example.com/{x}" } }',
])("placeholders do not work outside of families: %s", async (text) => {
  expect(hasErrors((await load(`${text}\n`)).diagnostics)).toBe(true);
});

// Here and not in a fixture, because no message may show what only programmers know.
it.each([
  [
    "doubled braces are not a placeholder",
    'a-{x}: { for: { x: [a] }, url: "https://www.example.com/", note: "{{x}} and {x y} and }" }',
    [
      "6:69 family-placeholder: `{{x}` is not a placeholder. In a family, braces are only for placeholders such as `{region}`. In a URL, write %7B and %7D.",
    ],
  ],
  [
    "names of prototypes are plain names",
    'a-{constructor}: { for: { constructor: { toString: { valueOf: x } } }, url: "https://www.example.com/{constructor.valueOf}" }',
    [],
  ],
])("%s", async (_, family, expected) => {
  const { diagnostics } = await load(`${HEAD}families:\n  ${family}\n`);
  const found = diagnostics.map(({ code, message, place, hint }) => {
    const at = place === null ? "" : `${place.line}:${place.column} `;
    return `${at}${code}: ${message}${hint === null ? "" : ` ${hint}`}`;
  });
  expect(found).toEqual(expected);
});

it.each([
  ["too many combinations", `a-{x}-{y}: { for: { x: [${numbers(101)}], y: [${numbers(100)}] }, url: "${A}" }`],
  [
    "too many placeholders",
    `a-{x}: { for: { x: [${numbers(10_000)}] }, url: "${A}", note: "${"{x}".repeat(200_000)}" }`,
  ],
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

it("too many dimensions are an error", async () => {
  const family = `a: { for: { ${numbers(20_000, "d").replaceAll(",", ": [a],")}: [a] }, url: "${A}" }`;
  const { diagnostics } = await load(`${HEAD}families:\n  ${family}\n`);
  expect(diagnostics.map(({ message }) => message)).toEqual(["`for` must have at most 10 dimensions."]);
});
