// Valid files, and the declarations that they result in.
import { describe, expect, test } from "vitest";
import { showKey } from "../../src/domain/project.ts";
import { declared, load, loadGood, placesOf, valuesOf } from "./loading.ts";

const DOMAIN = "defaults: { link: { domain: go.example.com } }\n";

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
    expect(valuesOf(declared(project, "go.example.com/far"))).toEqual({
      url: "https://example.com/",
      space: "Sales",
      pixels: ["One", "Two"],
      password: true,
      "expiration.clicks": 20,
      "expiration.url": "https://example.com/over",
      "targeting.active": "country",
      "targeting.country": [
        ["DE", "https://example.com/de"],
        ["FR", "https://example.com/fr"],
      ],
      "targeting.platform": [],
      "targeting.language": [],
      "targeting.continent": [],
      "targeting.browser": [],
      "targeting.device": [],
      "targeting.rotation": [],
    });
    const near = declared(project, "go.example.com/near");
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
  test("targeting replaces as a whole, and the only remaining group is active", async () => {
    const project = await loadGood(`${PROJECT}links:
  a: { url: https://example.com/, targeting: { country: { DE: https://example.com/2 } } }
  b: { url: https://example.com/, targeting: { rotation: [https://example.com/1] } }
  c: { url: https://example.com/, targeting: none }
  d: { url: https://example.com/, targeting: null }
  e: { url: https://example.com/, targeting: { country: { DE: https://example.com/2 }, active: none } }
  f: { url: https://example.com/, targeting: {} }
`);
    const groups = (key: string): unknown => {
      const values = valuesOf(declared(project, `go.example.com/${key}`));
      return [values["targeting.active"], values["targeting.country"], values["targeting.rotation"]];
    };
    expect(groups("a")).toEqual(["country", [["DE", "https://example.com/2"]], []]);
    expect(groups("b")).toEqual(["rotation", [], ["https://example.com/1"]]);
    expect(groups("c")).toEqual(["none", [], []]);
    expect(groups("d")).toEqual(["none", [], []]);
    expect(groups("e")).toEqual(["none", [["DE", "https://example.com/2"]], []]);
    expect(groups("f")).toEqual(["none", [], []]);
  });

  // Fails if null falls through to the defaults instead of overriding them, or a word such as `none` does not clear a field.
  test("null and words such as `none` override the defaults", async () => {
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
`);
    expect(valuesOf(declared(project, "go.example.com/cleared"))).toEqual({
      url: "https://example.com/",
      space: null,
      pixels: [],
      disabled: false,
      privacy: "public",
      privacy_password: false,
      "expiration.date": null,
      "expiration.start": null,
      "expiration.clicks": null,
      "expiration.url": null,
    });
    expect(valuesOf(declared(project, "go.example.com/half"))).toMatchObject({
      "expiration.date": null,
      "expiration.clicks": null,
      "expiration.url": null,
      disabled: true,
    });
    expect(valuesOf(declared(project, "go.example.com/later"))).toMatchObject({
      "expiration.date": "2027-01-02T23:59",
    });
  });

  // Fails if a time in the defaults is an error for links without a date, or is ignored for links with one.
  test("a time in the defaults applies to the dates of links", async () => {
    const project = await loadGood(`
defaults: { link: { domain: go.example.com, expiration: { time: "08:00" } } }
links:
  dated: { url: https://example.com/, expiration: { date: 2027-03-31 } }
  plain: { url: https://example.com/ }
`);
    expect(valuesOf(declared(project, "go.example.com/dated"))["expiration.date"]).toBe("2027-03-31T08:00");
    expect(valuesOf(declared(project, "go.example.com/plain"))).toEqual({ url: "https://example.com/" });
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
    const said = project.declarations.map((declaration) => [
      showKey(declaration),
      declaration.unspecified,
      valuesOf(declaration)["space"] ?? "-",
    ]);
    expect(said).toEqual([
      ["go.example.com/p", "keep", "-"],
      ["go.example.com/a", "reset", "One"],
      ["go.example.com/b", "keep", "One"],
      ["promo.example.com/c", "keep", "-"],
      ["go.example.com/d", "reset", "-"],
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
  // Fails if one domain has several names: then duplicates pass and shown keys differ.
  test("a domain's label, name and id stand for its label", async () => {
    const project = await loadGood(`
domains: { go: { id: 2, name: go.example.com }, promo: 3 }
links:
  go/a: { url: https://example.com/, domain: 2 }
  2/b: { url: https://example.com/, domain: Go.Example.com }
  GO.example.com/c: { url: https://example.com/, domain: go }
  3/d: { url: https://example.com/ }
  e: { url: https://example.com/, domain: 3 }
  other.example.com/f: { url: https://example.com/ }
`);
    expect(project.declarations.map(showKey)).toEqual([
      "go/a",
      "go/b",
      "go/c",
      "promo/d",
      "promo/e",
      "other.example.com/f",
    ]);
    expect(project.domains.map(({ label, id, name }) => [label, id, name])).toEqual([
      ["go", 2, "go.example.com"],
      ["promo", 3, null],
    ]);
  });

  // Fails if labels that differ only in case are the same label.
  test("labels that differ only in case are different", async () => {
    const project = await loadGood(`
domains: { Go: 2, go: 3 }
links: { Go/a: { url: https://example.com/ }, go/a: { url: https://example.com/ } }
`);
    expect(project.declarations.map(showKey)).toEqual(["Go/a", "go/a"]);
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
    expect(project.tombstones.map((tombstone) => [tombstone.kind, showKey(tombstone), tombstone.id])).toEqual([
      ["pixel", "Old one", null],
      ["link", "go/a", null],
      ["link", "go/b", 12],
      ["link", "go/b", 13],
      ["pixel", "Older", 3],
      ["link", "go/c", null],
      ["link", "go/d", 14],
      ["link", "go/e", null],
      ["link", "go/f", null],
    ]);
  });

  // Fails if a tombstone with an id cannot name a declared key, which is the fix for two records whose keys fold together.
  test("a tombstone with an id can name a declared key", async () => {
    const project = await loadGood(
      `${DOMAIN}links: { a: { url: https://example.com/ } }\nabsent: { links: { A: { id: 7 } } }\n`,
    );
    expect(project.tombstones.map(({ id }) => id)).toEqual([7]);
  });

  // Fails if an alias without a domain is not on the link's own domain.
  test("renamed_from with and without a domain", async () => {
    const project = await loadGood(`
domains: { go: 2, promo: 3 }
pixels: { New: { type: bing, value: 1, renamed_from: Old / one } }
links:
  go/a: { url: https://example.com/, renamed_from: old-a }
  go/b: { url: https://example.com/, renamed_from: 3/old-b }
`);
    const former = (key: string): unknown => {
      const { renamedFrom } = declared(project, key);
      return renamedFrom === null ? null : showKey(renamedFrom);
    };
    expect([former("go/a"), former("go/b"), former("New")]).toEqual(["go/old-a", "promo/old-b", "Old / one"]);
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

  // Fails if a tombstone with an id cannot name the key in `renamed_from`: it says which of two records to delete.
  test("a tombstone with an id can name a key in `renamed_from`", async () => {
    const tombstone = (
      value: string,
    ): string => `${DOMAIN}links: { a: { url: https://example.com/, renamed_from: old } }
absent: { links: { old: ${value} } }
`;
    expect((await loadGood(tombstone("{ id: 7 }"))).tombstones.map(({ id }) => id)).toEqual([7]);
    expect((await load(tombstone(""))).diagnostics.map(({ code }) => code)).toEqual(["renamed-and-absent"]);
  });
});

describe("secrets", () => {
  // Fails if a secret loses its source or place, or if a cleared secret keeps the source of the defaults.
  test("each has its source and place; a cleared one has neither", async () => {
    const project = await loadGood(`${DOMAIN}links:
  a:
    url: https://example.com/
    password: { env: LINKFORM_SECRET_A }
    privacy: password
    privacy_password:
      file: secrets/stats.txt
  b: { url: https://example.com/, password: none, privacy_password: "none" }
`);
    expect(Object.fromEntries(declared(project, "go.example.com/a").secrets)).toMatchObject({
      password: { from: "env", name: "LINKFORM_SECRET_A", place: { file: "linkform.yaml", line: 7, column: 15 } },
      privacy_password: {
        from: "file",
        name: "secrets/stats.txt",
        place: { file: "linkform.yaml", line: 10, column: 7 },
      },
    });
    expect(declared(project, "go.example.com/b").secrets.size).toBe(0);
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
    privacy: public
    privacy_password: none
    expiration:
      date: 2027-01-02
      clicks: 5
      url: "https://example.com/over"
    targeting:
      country:
        DE: https://example.com/de
`;

describe("places", () => {
  const EXPECTED = {
    url: "linkform.yaml:6:10",
    domain: "linkform.yaml:7:13",
    alias: "linkform.yaml:5:3",
    password: "linkform.yaml:8:15",
    space: "linkform.yaml:9:14",
    pixels: "linkform.yaml:11:7",
    disabled: "linkform.yaml:12:15",
    privacy: "linkform.yaml:13:14",
    privacy_password: "linkform.yaml:14:23",
    "expiration.date": "linkform.yaml:16:13",
    "expiration.clicks": "linkform.yaml:17:15",
    "expiration.url": "linkform.yaml:18:12",
    "targeting.active": "linkform.yaml:19:5",
    "targeting.country": "linkform.yaml:21:9",
    "targeting.platform": "linkform.yaml:19:5",
    "targeting.language": "linkform.yaml:19:5",
    "targeting.continent": "linkform.yaml:19:5",
    "targeting.browser": "linkform.yaml:19:5",
    "targeting.device": "linkform.yaml:19:5",
    "targeting.rotation": "linkform.yaml:19:5",
  };

  // Fails if a kind of field loses its line or column.
  test("every kind of field keeps its line and column", async () => {
    expect(placesOf(declared(await loadGood(PLACES), "promo.example.com/spring"))).toEqual(EXPECTED);
  });

  // Fails if CRLF counts as two lines or stays in a value.
  test("a file with CRLF has the same places and values", async () => {
    const project = await loadGood(PLACES.replaceAll("\n", "\r\n"));
    const link = declared(project, "promo.example.com/spring");
    expect(placesOf(link)).toEqual(EXPECTED);
    expect(valuesOf(link)).toEqual(valuesOf(declared(await loadGood(PLACES), "promo.example.com/spring")));
  });

  // Fails if a value from defaults points to the link, or an alias to its anchor.
  test("a value from defaults points to the defaults, and an alias to itself", async () => {
    const project = await loadGood(`defaults: { link: { domain: go, space: &space Marketing } }
links:
  a: { url: https://example.com/ }
  b: { url: https://example.com/, space: *space }
`);
    expect(placesOf(declared(project, "go/a"))["space"]).toBe("linkform.yaml:3:47");
    expect(placesOf(declared(project, "go/b"))["space"]).toBe("linkform.yaml:6:42");
  });
});

describe("files", () => {
  // Fails if a file is missing, the order differs, or a byte order mark becomes part of a key.
  test("the default globs find every file once, sorted, and a byte order mark is ignored", async () => {
    const one = (alias: string): string => `\uFEFFlinks: { ${alias}: { url: https://example.com/ } }\n`;
    const files = { "links/b.yaml": one("b"), "links/a/z.yaml": one("z"), "links/c.yml": one("c"), "d.yaml": one("d") };
    const { project, files: count } = await load(DOMAIN, files);
    expect(project?.declarations.map(({ name, place }) => [name, place.file, place.column])).toEqual([
      ["z", "links/a/z.yaml", 10],
      ["b", "links/b.yaml", 10],
    ]);
    expect(count).toHaveLength(3);
  });

  // Fails if a setting is lost, or the slash at the end of the address is kept.
  test("settings", async () => {
    const { project } = await load("", {
      "linkform.yaml":
        'version: 1\nservice: { base_url: "https://short.example.com/sub/", account_timezone: America/New_York }\ntimezone: UTC\nspaces: { Marketing: 1 }\n',
    });
    expect(project).toMatchObject({
      file: "linkform.yaml",
      baseUrl: { value: "https://short.example.com/sub", place: { line: 2, column: 22 } },
      accountZone: "America/New_York",
      zone: "UTC",
      spaces: [{ label: "Marketing", id: 1, name: null }],
    });
  });
});
