// Valid files, and the declarations that they result in.
import { describe, expect, test } from "vitest";
import { showKey } from "../../src/domain/project.ts";
import { allValues, declared, load, loadGood, placesOf, valuesOf } from "./loading.ts";

const DOMAIN = "defaults: { link: { domain: go.example.com } }\n";
const GO = "go.example.com";

describe("defaults", () => {
  const PROJECT = `
defaults:
  link:
    domain: go.example.com
    space: Marketing
    pixels: [One, Two]
    password: { env: LINKFORM_SECRET_ALL }
    expiration: { time: "12:00", clicks: 10, url: https://example.com/over }
    targeting: { country: { DE: https://example.com/de, FR: https://example.com/fr } }
`;
  const COUNTRIES = [
    ["DE", "https://example.com/de"],
    ["FR", "https://example.com/fr"],
  ];
  const others = ["platform", "language", "continent", "browser", "device", "rotation"];

  // Fails if the order of the layers changes, or a layer is lost: link, document, project.
  test("the nearest layer wins, field by field", async () => {
    const project = await loadGood(PROJECT, {
      "links/a.yaml": `
defaults: { link: { space: Sales, expiration: { clicks: 20 } } }
links:
  far: { url: https://example.com/ }
  near: { url: https://example.com/, space: Own, pixels: [], password: none, expiration: { clicks: 30, date: 2027-01-02 } }
`,
    });
    expect(valuesOf(declared(project, `${GO}/far`))).toEqual({
      url: "https://example.com/",
      space: "Sales",
      pixels: ["One", "Two"],
      password: true,
      "expiration.clicks": 20,
      "expiration.url": "https://example.com/over",
      "targeting.active": "country",
      "targeting.country": COUNTRIES,
      ...Object.fromEntries(others.map((group) => [`targeting.${group}`, []])),
    });
    const near = declared(project, `${GO}/near`);
    expect(valuesOf(near)).toMatchObject({
      space: "Own",
      pixels: [],
      password: false,
      "expiration.date": "2027-01-02T12:00",
      "expiration.clicks": 30,
      "expiration.url": "https://example.com/over",
    });
    expect([...near.secrets]).toEqual([]);
  });

  // Fails if targeting merges by key, or keeps the other groups of the defaults.
  test.each([
    ["{ country: { DE: https://example.com/2 } }", "country", [["DE", "https://example.com/2"]], []],
    ["{ rotation: [https://example.com/1] }", "rotation", [], ["https://example.com/1"]],
    ["none", "none", [], []],
    ["null", "none", [], []],
    ["{ country: { DE: https://example.com/2 }, active: none }", "none", [["DE", "https://example.com/2"]], []],
    ["{}", "none", [], []],
  ])(
    "targeting: %s replaces the defaults as a whole, and the only group is active",
    async (text, active, country, rotation) => {
      const project = await loadGood(`${PROJECT}links: { a: { url: https://example.com/, targeting: ${text} } }\n`);
      const expected = { "targeting.active": active, "targeting.country": country, "targeting.rotation": rotation };
      expect(allValues(project)[`${GO}/a`]).toMatchObject(expected);
    },
  );

  // Fails if null falls through to the defaults instead of overriding them, if a word such as `none` does not clear a field, or if a time in
  // the defaults is an error for links without a date, or ignored for links with one.
  test("null and words such as `none` override the defaults, and a time applies to dates", async () => {
    const project = await loadGood(`
defaults:
  link:
    domain: go.example.com
    space: Marketing
    pixels: [One]
    disabled: true
    privacy: password
    privacy_password: { file: stats.txt }
    expiration: { date: 2027-01-02, time: "10:00", clicks: 5, url: https://example.com/over }
links:
  cleared:
    url: https://example.com/
    space: null
    pixels: ~
    disabled: false
    privacy: public
    privacy_password: none
    expiration: none
  half: { url: https://example.com/, expiration: { date: none, clicks: none, url: } }
  later: { url: https://example.com/, expiration: { time: null } }
  other: { url: https://example.com/, expiration: { date: 2027-03-31 } }
`);
    const never = { "expiration.date": null, "expiration.clicks": null, "expiration.url": null };
    expect(allValues(project)).toMatchObject({
      [`${GO}/half`]: { ...never, disabled: true },
      [`${GO}/later`]: { "expiration.date": "2027-01-02T23:59" },
      [`${GO}/other`]: { "expiration.date": "2027-03-31T10:00" },
    });
    expect(allValues(project)[`${GO}/cleared`]).toEqual({
      url: "https://example.com/",
      space: null,
      pixels: [],
      disabled: false,
      privacy: "public",
      privacy_password: false,
      "expiration.start": null,
      ...never,
    });
  });

  // Fails if defaults or `unspecified` of one document apply to another, or those of the project are lost.
  test("each document has its own defaults and its own `unspecified`", async () => {
    const project = await loadGood(`unspecified: keep\n${DOMAIN}links: { p: { url: https://example.com/ } }\n`, {
      "links/a.yaml": `
defaults: { link: { space: One } }
unspecified: reset
links:
  a: { url: https://example.com/ }
  b: { url: https://example.com/, unspecified: keep }
---
defaults: { link: { domain: promo.example.com } }
links:
  c: { url: https://example.com/ }
---
# a document of comments only
---
links:
  d: { url: https://example.com/, unspecified: reset }
`,
    });
    const said = project.declarations.map(
      (one) => `${showKey(one)} ${one.unspecified} ${String(valuesOf(one)["space"] ?? "-")}`,
    );
    expect(said).toEqual([
      "go.example.com/p keep -",
      "go.example.com/a reset One",
      "go.example.com/b keep One",
      "promo.example.com/c keep -",
      "go.example.com/d reset -",
    ]);
  });
});

describe("text", () => {
  // Fails if a tombstone in a list is read by its YAML value: `null` would be an empty item, and 0123 another key.
  test("tombstones in a list keep their source text", async () => {
    const project = await loadGood(`${DOMAIN}absent: { links: [2024, 0123, null, on, 1e3, "quoted"] }\n`);
    expect(project.tombstones.map(({ name }) => name)).toEqual(["2024", "0123", "null", "on", "1e3", "quoted"]);
  });

  // Fails if `~`, which is not a valid alias, is allowed for a link or refused for a pixel's name.
  test("~ is a valid pixel name and no valid alias", async () => {
    const project = await loadGood(`pixels: { ~: { type: bing, value: 1 } }\n`);
    expect(declared(project, "~").kind).toBe("pixel");
    const { diagnostics } = await load(`${DOMAIN}links: { ~: { url: https://example.com/ } }\n`);
    expect(diagnostics.map(({ code }) => code)).toEqual(["wrong-key"]);
  });

  // Fails if lengths count UTF-16 units: 255 letters outside the first plane have 510 of them.
  test("limits count characters", async () => {
    const letters = "𝔸".repeat(255);
    const project = await loadGood(`${DOMAIN}links: { ${letters}: { url: https://example.com/ } }
pixels: { ${"😀".repeat(32)}: { type: bing, value: ${letters} } }\n`);
    expect(project.declarations).toHaveLength(2);
    const { diagnostics } = await load(`${DOMAIN}links: { ${letters}a: { url: https://example.com/ } }\n`);
    expect(diagnostics.map(({ message }) => message)).toEqual([expect.stringContaining("has 256 characters")]);
  });
});

describe("keys", () => {
  // Fails if one domain has several names: then duplicates pass and shown keys differ. Labels that differ only in case are different.
  test("a domain's label, name and id all mean its label", async () => {
    const project = await loadGood(`
domains: { go: { id: 2, name: go.example.com }, promo: 3, Go: 4 }
links:
  go/a: { url: https://example.com/, domain: 2 }
  2/b: { url: https://example.com/, domain: Go.Example.com }
  GO.example.com/c: { url: https://example.com/, domain: go }
  3/d: { url: https://example.com/ }
  e: { url: https://example.com/, domain: 3 }
  other.example.com/f: { url: https://example.com/ }
  Go/a: { url: https://example.com/ }
`);
    const keys = ["go/a", "go/b", "go/c", "promo/d", "promo/e", "other.example.com/f", "Go/a"];
    expect(project.declarations.map(showKey)).toEqual(keys);
    expect(project.domains.map(({ label, id, name }) => [label, id, name])).toEqual([
      ["go", 2, "go.example.com"],
      ["promo", 3, null],
      ["Go", 4, null],
    ]);
  });

  // Fails if a form of tombstone is skipped, or its id is lost.
  test("tombstones in all their forms", async () => {
    const project = await loadGood(
      `domains: { go: 2 }\nabsent: { links: { go/a: , 2/b: { id: 12 }, go/b: { id: 13 } }, pixels: [Old one] }\n`,
      {
        "links/a.yaml":
          "defaults: { link: { domain: go } }\nabsent:\n  links:\n  - c\n  - d: { id: 14 }\n    e:\n  - 2/f: {}\n  pixels: { Older: { id: 3 } }\n",
      },
    );
    expect(project.tombstones.map((one) => `${one.kind} ${showKey(one)} ${one.id}`)).toEqual([
      "pixel Old one null",
      "link go/a null",
      "link go/b 12",
      "link go/b 13",
      "pixel Older 3",
      "link go/c null",
      "link go/d 14",
      "link go/e null",
      "link go/f null",
    ]);
  });

  // Fails if the last name of a chain of pixels counts as declared.
  test("the last former name of a chain of pixels is gone", async () => {
    const { diagnostics } = await load(`${DOMAIN}pixels:
  One: { type: bing, value: 1000001, renamed_from: Two }
  Two: { type: bing, value: 1000002, renamed_from: Three }
links: { a: { url: https://example.com/, pixels: [Two, three] } }
`);
    expect(diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual([
      "pixel-goes-away `go.example.com/a` uses the pixel `three`, which is renamed at linkform.yaml:6:52.",
    ]);
  });
});

const PLACES = `${DOMAIN}links:
  spring:
    url: https://example.com/
    domain: promo.example.com
    password: { env: LINKFORM_SECRET_A }
    space:   Marketing
    pixels:
      - One
    disabled: false
    privacy: password
    privacy_password:
      file: secrets/stats.txt
    expiration:
      date: 2027-01-02
      clicks: 5
      url: "https://example.com/over"
    targeting:
      country:
        DE: https://example.com/de
`;

describe("places", () => {
  // Fails if a kind of field loses its line or column, if a secret loses its source, or if CRLF counts as two lines or stays in a value.
  test.each(["\n", "\r\n"])("every kind of field keeps its place, with lines that end in %j", async (end) => {
    const link = declared(await loadGood(PLACES.replaceAll("\n", end)), "promo.example.com/spring");
    const others = ["platform", "language", "continent", "browser", "device", "rotation"];
    const places = {
      alias: "5:3",
      url: "6:10",
      domain: "7:13",
      password: "8:15",
      space: "9:14",
      pixels: "11:7",
      disabled: "12:15",
      privacy: "13:14",
      privacy_password: "15:7",
      "expiration.date": "17:13",
      "expiration.clicks": "18:15",
      "expiration.url": "19:12",
      "targeting.active": "20:5",
      "targeting.country": "22:9",
      ...Object.fromEntries(others.map((group) => [`targeting.${group}`, "20:5"])),
    };
    const expected = Object.entries(places).map(([path, place]) => [path, `linkform.yaml:${place}`]);
    expect(placesOf(link)).toEqual(Object.fromEntries(expected));
    expect([...link.secrets].map(([path, { from, name }]) => [path, from, name])).toEqual([
      ["password", "env", "LINKFORM_SECRET_A"],
      ["privacy_password", "file", "secrets/stats.txt"],
    ]);
  });
});

// Fails if the slash at the end of the address is kept, or if a byte order mark moves its place.
test("the address of the service", async () => {
  const text = '\uFEFFversion: 1\nservice: { base_url: "https://short.example.com/sub/" }\n';
  const { project } = await load("", { "linkform.yaml": text });
  expect(project?.baseUrl).toMatchObject({ value: "https://short.example.com/sub", place: { line: 2, column: 22 } });
});
