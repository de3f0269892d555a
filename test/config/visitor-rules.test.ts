// Rules about surprises for visitors. Fails if a part that a query drops is not reported, is reported although nothing is
// dropped, or reveals a password, or if targeting that consent skips is not reported.
import { describe, expect, it } from "vitest";
import { load } from "./loading.ts";

const messages = async (link: string, code: string): Promise<string[]> => {
  const { diagnostics } = await load(`links: { go.example.com/a: ${link} }\n`);
  return diagnostics.flatMap((one) => (one.code === code ? [one.message] : []));
};

describe("query-drops-port", () => {
  it.each([
    ["https://example.com:8443/", "a port. The service drops it"],
    ["https://example.com/#top", "a fragment. The service drops it"],
    ["https://example.com:8443/#top", "a port and a fragment. The service drops them"],
    ["myapp://open:1/x#y", "a port and a fragment. The service drops them"],
  ])("%s", async (url, says) => {
    expect(await messages(`{ url: "${url}" }`, "query-drops-port")).toEqual([
      `\`url\` has ${says} if a visitor's short URL has a query, such as \`?utm_source=mail\`.`,
    ]);
  });

  it("checks targets, but not the expiration URL, into which no query is merged", async () => {
    const target = '{ url: https://example.com/, targeting: { country: { DE: "https://example.com/#de" } } }';
    expect((await messages(target, "query-drops-port")).map((text) => text.slice(0, 20))).toEqual([
      "`DE` has a fragment.",
    ]);
    const rotation = '{ url: https://example.com/, targeting: { rotation: ["https://example.com:81/"] } }';
    expect(await messages(rotation, "query-drops-port")).toHaveLength(1);
    const over = '{ url: https://example.com/, expiration: { date: 2030-01-01, url: "https://example.com:81/#x" } }';
    expect(await messages(over, "query-drops-port")).toEqual([]);
  });

  it.each([
    "https://example.com/",
    "https://example.com:443/",
    "http://example.com:80/",
    "https://example.com/#",
    "https://example.com/?a=1",
  ])("%s loses nothing", async (url) => {
    const said = await messages(`{ url: "${url}" }`, "query-drops-port");
    expect(said).toEqual(url.endsWith("#") ? said : []);
  });

  it("leaves user info to `url-credentials`, and if that rule is off, reports it without its text", async () => {
    const link = '{ url: "https://anna:hunter2@example.com/" }';
    expect(await messages(link, "query-drops-port")).toEqual([]);
    expect(await messages(link, "url-credentials")).toHaveLength(1);
    const { diagnostics } = await load(`rules: { url-credentials: off }\nlinks: { go.example.com/a: ${link} }\n`);
    expect(diagnostics.map(({ code, message }) => [code, message])).toEqual([
      [
        "query-drops-port",
        "`url` has user info. The service drops it if a visitor's short URL has a query, such as `?utm_source=mail`.",
      ],
    ]);
  });
});

describe("pixels-skip-targeting", () => {
  const targeting = "targeting: { country: { DE: https://example.com/de } }";
  it.each([
    [`pixels: [P], ${targeting}`, 1],
    [`pixels: [P], targeting: { rotation: [https://example.com/r] }`, 1],
    [`pixels: [], ${targeting}`, 0],
    [targeting, 0],
    ["pixels: [P]", 0],
    [`pixels: [P], targeting: { active: none, country: { DE: https://example.com/de } }`, 0],
  ])("%s", async (fields, count) => {
    const said = await messages(`{ url: https://example.com/, ${fields} }`, "pixels-skip-targeting");
    expect(said).toHaveLength(count);
  });

  it("counts pixels that come from the defaults", async () => {
    const { diagnostics } = await load(
      `defaults: { link: { pixels: [P] } }\nlinks: { go.example.com/a: { url: https://example.com/, ${targeting} } }\n`,
    );
    expect(diagnostics.map(({ code }) => code)).toEqual(["pixels-skip-targeting"]);
  });
});

it("an active group without destinations is an error", async () => {
  for (const targeting of [
    "{ active: country }",
    "{ active: country, country: {} }",
    "{ active: country, language: { de: https://example.com/ } }",
  ])
    expect(await messages(`{ url: https://example.com/, targeting: ${targeting} }`, "targeting-active")).toHaveLength(
      1,
    );
});
