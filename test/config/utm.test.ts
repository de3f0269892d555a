// `utm` of links and defaults, and the values that a project allows.
import { describe, expect, it } from "vitest";
import { showPlace } from "../../src/domain/place.ts";
import { declared, load, loadGood, valuesOf } from "./loading.ts";

const DEFAULTS = "defaults: { link: { domain: go.example.com, utm: { medium: social, campaign: spring } } }\n";

/** The destination of the link `a`. */
async function urlOf(text: string, files: Readonly<Record<string, string>> = {}): Promise<unknown> {
  return valuesOf(declared(await loadGood(text, files), "go.example.com/a"))["url"];
}

/** Code, place, message and hint of each finding. */
async function findings(text: string): Promise<unknown[]> {
  const { diagnostics } = await load(text);
  return diagnostics.map(({ code, place, message, hint }) => [code, place && showPlace(place), message, hint]);
}

describe("utm of a link", () => {
  it.each([
    ["utm: { source: insta }", "?utm_source=insta&utm_medium=social&utm_campaign=spring"],
    ["utm: { source: 2027, campaign: 007 }", "?utm_source=2027&utm_medium=social&utm_campaign=007"],
    ["utm: { source: insta, campaign: null }", "?utm_source=insta&utm_medium=social"],
    ["utm: { medium: ~ }", "?utm_campaign=spring"],
    ["utm: none", ""],
    ["utm: null", ""],
    ["utm: {}", "?utm_medium=social&utm_campaign=spring"],
    ["note: no utm", "?utm_medium=social&utm_campaign=spring"],
  ])("%s", async (utm, query) => {
    const text = `${DEFAULTS}rules: { utm-incomplete: off }\nlinks: { a: { url: https://example.com/, ${utm} } }\n`;
    expect(await urlOf(text)).toBe(`https://example.com/${query}`);
  });

  // Fails if the defaults of a file do not win over those of the project, key by key.
  it("takes the nearest value of each key", async () => {
    const file =
      "defaults: { link: { utm: { campaign: summer, content: top } } }\nlinks: { a: { url: https://example.com/, utm: { source: x } } }\n";
    const query = "utm_source=x&utm_medium=social&utm_campaign=summer&utm_content=top";
    expect(await urlOf(DEFAULTS, { "links/a.yaml": file })).toBe(`https://example.com/?${query}`);
    const cleared = file.replace("{ campaign: summer, content: top }", "none");
    expect(await urlOf(`${DEFAULTS}rules: { utm-incomplete: off }\n`, { "links/a.yaml": cleared })).toBe(
      "https://example.com/?utm_source=x",
    );
  });

  // Fails if a targeting destination gets no parameters, or if `expiration.url` gets some.
  it("is part of the targeting destinations", async () => {
    const project = await loadGood(`links:
  go.example.com/a:
    url: https://example.com/
    utm: { source: s, medium: m, campaign: c }
    expiration: { date: 2037-01-01, url: https://example.com/over }
    targeting: { active: country, country: { DE: "https://example.com/de?x=1", FR: "shop-app://fr" }, rotation: [https://example.com/r] }
`);
    const query = "utm_source=s&utm_medium=m&utm_campaign=c";
    expect(valuesOf(declared(project, "go.example.com/a"))).toMatchObject({
      url: `https://example.com/?${query}`,
      "expiration.url": "https://example.com/over",
      "targeting.country": [
        ["DE", `https://example.com/de?x=1&${query}`],
        ["FR", "shop-app://fr"],
      ],
      "targeting.rotation": [`https://example.com/r?${query}`],
    });
  });
});

// Fails if the limit of the service is compared with the URL without its parameters.
it("a URL that is too long with its parameters is an error", async () => {
  const url = `https://example.com/${"a".repeat(2020)}`;
  const text = `links: { go.example.com/a: { url: ${url}, utm: { source: s, medium: m, campaign: c } } }\n`;
  const message = "With its UTM parameters, `url` has 2081 characters, but the maximum is 2048.";
  const hint = "Shorten the URL or a value of `utm`.";
  expect(await findings(text)).toEqual([["wrong-type", "linkform.yaml:3:35", message, hint]]);
});

describe("allowed values, beyond fixtures/config/invalid/utm", () => {
  const VOCABULARY = 'utm: { source: [newsletter, instagram, 2027], medium: [social], campaign: "[a-z0-9-]+" }\n';
  const link = (utm: string, url = "https://example.com/"): string =>
    `${VOCABULARY}links: { go.example.com/a: { url: "${url}", utm: ${utm} } }\n`;

  // Fails if 200 typos take seconds, because each is compared with 50,000 values.
  it("only the first of many wrong values get a suggestion", async () => {
    const allowed = Array.from({ length: 50_000 }, (_, at) => `source-${at}`).join(", ");
    const links = Array.from(
      { length: 200 },
      (_, at) => `a${at}: { url: https://example.com/, utm: { source: sourc-${at} } }`,
    );
    const defaults = "defaults: { link: { domain: go.example.com, utm: { medium: m, campaign: c } } }\n";
    const found = await findings(`utm: { source: [${allowed}] }\n${defaults}links: { ${links.join(", ")} }\n`);
    const hints = found.map((finding) => String(finding));
    expect(hints[1]).toContain("Did you mean `source-0`?");
    expect(hints.filter((hint) => hint.includes("Did you mean"))).toHaveLength(6);
  });

  // Fails if a parameter that is written in a URL escapes the vocabulary: repeated or encoded.
  it.each(["utm_source=newsletter&utm_source=qr", "utm%5Fsource=q%72"])("%s", async (query) => {
    const text = link("{ medium: social, campaign: c }", `https://example.com/?${query}`);
    const message = expect.stringContaining("`qr` is not an allowed value of `utm.source`");
    const rules = "rules: { utm-twice: off, utm-unknown: off }\n";
    expect(await findings(text + rules)).toEqual([["utm-value", expect.any(String), message, expect.any(String)]]);
  });

  // Fails if a default is reported once for each link.
  it("reports a default once", async () => {
    const links = "links: { a: { url: https://example.com/ }, b: { url: https://example.com/ } }\n";
    const utm = "utm: { source: qr, medium: social, campaign: c }";
    const found = await findings(`${VOCABULARY}defaults: { link: { domain: go.example.com, ${utm} } }\n${links}`);
    const message = "`qr` is not an allowed value of `utm.source`.";
    expect(found).toEqual([["utm-value", "linkform.yaml:4:60", message, expect.any(String)]]);
  });

  it("a pattern matches in linear time where backtracking would take years", async () => {
    const text = `utm: { source: "(a+)+b" }\nlinks: { go.example.com/a: { url: https://example.com/, utm: { source: ${"a".repeat(1900)}, medium: m, campaign: c } } }\n`;
    expect(await findings(text)).toHaveLength(1);
  });
});
