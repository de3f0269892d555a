// Families of links. Fails if a family declares other links than the same links written by hand, if a placeholder reads something that a
// file must not read, or if a mistake is not reported at its place, once.

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

it("the same links written by hand have the same fields", async () => {
  const family = await loadGood(`${HEAD}families:
  s-{c}-{r}: { for: { c: [a, b], r: [x, y] }, url: "https://www.example.com/{r}?c={c}", note: "{c}" }
`);
  const byHand = await loadGood(`${HEAD}links:
  s-a-x: { url: "https://www.example.com/x?c=a" }
  s-a-y: { url: "https://www.example.com/y?c=a" }
  s-b-x: { url: "https://www.example.com/x?c=b" }
  s-b-y: { url: "https://www.example.com/y?c=b" }
`);
  const fieldsOf = (project: Project): unknown => project.declarations.map((one) => [showKey(one), valuesOf(one)]);
  expect(fieldsOf(family)).toEqual(fieldsOf(byHand));
});

const A = "https://www.example.com/";

it.each([
  [
    "another environment variable",
    `a-{x}: { for: { x: [LINKFORM_API_KEY, HOME] }, url: "${A}", password: { env: "{x}" } }`,
  ],
  ["part of a name", `a-{x}: { for: { x: [a] }, url: "${A}", password: { env: "{x}LINKFORM_SECRET_A" } }`],
  ["a path above the project", `a-{x}: { for: { x: { a: { p: ../key } } }, url: "${A}", password: { file: "{x.p}" } }`],
  [
    "a path in two parts",
    `a-{x}: { for: { x: { a: { p: "." } } }, url: "${A}", password: { file: "{x.p}{x.p}/key" } }`,
  ],
  ["an absolute path", `a-{x}: { for: { x: { a: { p: /etc/passwd } } }, url: "${A}", password: { file: "{x.p}" } }`],
  ["two sources", `a-{x}: { for: { x: [a] }, url: "${A}", password: { file: "{x}", env: LINKFORM_SECRET_A } }`],
])("a placeholder cannot name a secret that files must not name: %s", async (_, family) => {
  const { project, diagnostics } = await load(`${HEAD}families:\n  ${family}\n`);
  expect(project).toBeNull();
  expect(
    diagnostics.filter(({ severity }) => severity === "error").map(({ code, place }) => [code, place?.line]),
  ).toEqual([["wrong-type", 6]]);
});

it("a placeholder cannot make a text a secret", async () => {
  const found = await findings(`  a-{x}: { for: { x: { a: { p: hunter2 } } }, url: "${A}", password: "{x.p}" }\n`);
  expect(found).toHaveLength(1);
  expect(found[0]).toMatch(/^6:\d+ secret-in-file: `password` must not contain the secret itself\./);
  expect(found[0]).not.toContain("hunter2");
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

it("mistakes in placeholders are reported with the nearest name", async () => {
  const at = `  a-{region}-{chanel}:
    for: { region: [de], channel: { qr: { medium: print }, mail: {} } }
    url: https://www.example.com/{region.code}/{channel.medum}
    space: "{channel.medium}"
    note: "{{region}} and {x y} and }"
`;
  expect(await findings(at)).toEqual([
    "6:14 family-placeholder: The placeholder `{chanel}` names no dimension of `for`. Did you mean `{channel}`?",
    "8:34 family-placeholder: The value `de` of `region` has no attribute `code`. Add it under `for`: `de: { code: … }`.",
    "8:48 family-placeholder: The value `qr` of `channel` has no attribute `medum`. Did you mean `{channel.medium}`?",
    "9:13 family-placeholder: The value `mail` of `channel` has no attribute `medium`. Add it under `for`: `mail: { medium: … }`.",
    "10:12 family-placeholder: `{{region}` is not a placeholder. Write `{region}`.",
  ]);
});

it("an excluded value needs no attributes", async () => {
  expect(
    await findings(
      `  a-{c}: { for: { c: { qr: { m: print }, mail: } }, exclude: [{ c: mail }], url: "https://www.example.com/{c.m}" }\n`,
    ),
  ).toEqual([]);
});

it("combinations with the same alias are an error that names both", async () => {
  expect(await findings(`  a-{x}: { for: { x: [a, b], y: [1, 2] }, url: "${A}" }\n`)).toEqual([
    "6:3 family-same-alias: The combinations x=a, y=1 and x=a, y=2 have the same alias `a-a`. Add `{y}` to the alias: `a-{x}-{y}`.",
  ]);
  expect(await findings(`  a-{x}: { for: { x: [a, A] }, url: "${A}" }\n`)).toEqual([
    "6:3 family-same-alias: The combinations x=a and x=A have the same alias: the service ignores case and accents in `a-a` and `a-A`. Change the values so that each combination has its own alias.",
  ]);
});

it("a family and a link with the same alias are an error", async () => {
  const { diagnostics } = await load(
    `${HEAD}families: { "a-{x}": { for: { x: [a, b] }, url: "${A}" } }\nlinks: { a-b: { url: "${A}" } }\n`,
  );
  expect(diagnostics.map(({ code, place }) => [code, place?.line])).toEqual([["duplicate-key", 6]]);
});

it("mistakes in `for`, `exclude` and `each` are reported", async () => {
  expect(
    await findings(`  a-{x}-{y}:
    for: { x: [a, b], y: [c] }
    url: ${A}
    exclude: [{}, { z: a }, { x: bb }]
`),
  ).toEqual([
    "9:15 family-unmatched: An entry of `exclude` must name at least one dimension. Write `{ channel: qr }`, for example.",
    "9:21 family-unmatched: `z` is not a dimension of `for`. Did you mean `x`?",
    "9:34 family-unmatched: `x` has no value `bb`, so this entry matches no link. Did you mean `b`?",
  ]);
  expect(
    await findings(
      `  a-{x}: { for: { x: [a, b] }, url: "${A}", exclude: [{ x: a }], each: [{ when: { x: a }, note: n }] }\n`,
    ),
  ).toEqual([
    "6:101 family-unmatched: This entry of `each` matches no link: `exclude` removes its combinations. Remove the entry.",
  ]);
  expect(await findings(`  a-{x}: { for: { x: [] }, url: "${A}" }\n`)).toEqual([
    "6:22 family-empty: `x` has no values. Write `x: [de, fr]`.",
  ]);
  expect(await findings(`  a-{x}: { for: {}, url: "${A}" }\n`)).toEqual([
    "6:12 family-empty: `for` has no dimensions. Write `for: { region: [de, fr] }`.",
  ]);
  expect(await findings(`  a-{x}: { for: { x: [a, b, a] }, url: "${A}" }\n`)).toEqual([
    "6:29 duplicate-key: The value `a` of `x` appears twice. Keep one of the two.",
  ]);
  expect(await findings(`  a-{x}: { for: { x: [a] }, url: "${A}", exclude: [{ x: a }] }\n`)).toEqual([
    "6:3 family-empty: `exclude` removes every combination, so the family `a-{x}` has no links. Remove the family, or an entry of `exclude`.",
  ]);
});

it("a mistake in a shared value is reported once, and one in a combination names it", async () => {
  const found = await findings(`  a-{x}-{y}:
    for: { x: [a, b, c], y: [1, 2, "3 4"] }
    url: example.com/{x}
    expiration: { date: 2027-02-30, clicks: "{x}" }
    ulr: x
`);
  expect(found).toEqual([
    "6:3 wrong-key: `a-a-3 4` is not a valid link key: the alias must be only letters, digits, `-` and `_` (in the combination x=a, y=3 4, and 2 others). Write `a-a-3-4`, for example.",
    "8:10 refused-address: `url` must be a URL with a scheme, such as https://example.com/page (in the combination x=a, y=1, and 8 others). Add the scheme: https://example.com/a.",
    "9:25 no-such-date: `2027-02-30` does not exist in the calendar. Fix the date.",
    "9:45 wrong-type: `clicks` must be a whole number from 1 to 999999999, or `none`.",
    "10:5 unknown-key: Unknown key `ulr`. Did you mean `url`?",
  ]);
  expect(await findings(`  a-{x}: { for: { x: [a, b, c] } }\n`)).toEqual([
    "6:3 missing-field: `a-{x}` has no `url`. Add `url: https://example.com/spring`.",
  ]);
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
  expect(
    await findings(`  a-{x}: { for: { x: { a: { b: c } } }, url: "https://www.example.com/{x.toString}" }\n`),
  ).toEqual([
    "6:71 family-placeholder: The value `a` of `x` has no attribute `toString`. Add it under `for`: `a: { toString: … }`.",
  ]);
});
