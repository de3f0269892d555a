// Properties of rules for all inputs: they never throw, never repeat a password, and do not report valid values.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../../src/domain/diagnostic.ts";
import { COUNTRY_CODES, LANGUAGE_CODES } from "../../src/domain/target-keys.ts";
import { PIXEL_VALUES } from "../../src/domain/pixel-fields.ts";
import { load } from "./loading.ts";

/** The findings about each of these blocks, which are values of `section`. */
async function said(section: "links" | "pixels", blocks: readonly object[]): Promise<Diagnostic[][]> {
  const lines = blocks.map((block, at) => `  a${at}: ${JSON.stringify(block)}\n`);
  const { diagnostics } = await load(`defaults: { link: { domain: go.example.com } }\n${section}:\n${lines.join("")}`);
  return blocks.map((_, at) => diagnostics.filter(({ place }) => place?.line === at + 5));
}

const saidOf = (addresses: readonly string[]): Promise<Diagnostic[][]> =>
  said(
    "links",
    addresses.map((url) => ({ url })),
  );

/** Twenty at a time: fewer than the findings that are shown. */
const some = <T>(one: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(one, { minLength: 20, maxLength: 20 });

const scheme = fc.constantFrom("https", "http", "HTTP", "javascript", "data", "file", "ftp", "x-app", "");
const PARTS =
  ": // / @ ? # & = % %zz [ ] ::1 . localhost utm_ amp; utm_source=A utm_source UTM_MEDIUM=x 0x7f ü 😀".split(" ");
const scrap = fc.oneof(fc.constantFrom(...PARTS, "999999999999", "\u0000", "\ud800"), fc.string({ maxLength: 6 }));
const address = fc
  .tuple(scheme, fc.constantFrom("://", ":", ""), fc.array(scrap, { maxLength: 8 }))
  .map(([first, colon, rest]) => `${first}${colon}${rest.join("")}`);

describe("destinations", () => {
  // Fails if a text makes a rule throw, or report an empty message.
  it("any text has a result", async () => {
    await fc.assert(
      fc.asyncProperty(some(fc.oneof(address, fc.string())), async (texts) => {
        for (const { message, hint } of (await saidOf(texts)).flat())
          expect(`${message} ${hint ?? ""}`).not.toMatch(/undefined|null|NaN/);
      }),
    );
  });

  // Fails if a message repeats the credentials.
  it("no message contains the user name or password", async () => {
    const word = fc.stringMatching(/^[a-z0-9]{6,12}$/).map((text) => `Q${text}`);
    await fc.assert(
      fc.asyncProperty(word, word, fc.boolean(), async (user, password, isLocal) => {
        const host = isLocal ? "localhost" : "example.com";
        const [found = []] = await saidOf([`http://${user}:${password}@${host}/?utm_source=Mail`]);
        expect(found.map(({ code }) => code)).toContain("url-credentials");
        for (const { message, hint } of found) {
          expect(`${message} ${hint}`).not.toContain(user);
          expect(`${message} ${hint}`).not.toContain(password);
        }
      }),
    );
  });

  // Fails if a range is too short or too long.
  it("exactly the special IPv4 addresses are reported", async () => {
    const special =
      /^(0|10|127|22[4-9]|2[345]\d|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])|169\.254|172\.(1[6-9]|2\d|3[01])|192\.(0\.[02]|88\.99|168)|198\.(1[89]|51\.100)|203\.0\.113)\./;
    const byte = fc.integer({ min: 0, max: 255 });
    const first = fc.oneof(byte, fc.constantFrom(0, 10, 100, 127, 169, 172, 192));
    const second = fc.oneof(byte, fc.constantFrom(15, 16, 31, 32, 63, 64, 127, 128, 167, 168, 169, 253, 254, 255));
    await fc.assert(
      fc.asyncProperty(some(fc.tuple(first, second, byte, byte)), async (all) => {
        const found = await saidOf(all.map((bytes) => `https://${bytes.join(".")}/`));
        expect(found.map((one) => one.map(({ code }) => code))).toEqual(
          all.map((one) => (special.test(one.join(".")) ? ["private-address"] : [])),
        );
      }),
    );
  });
});

describe("values of pixels", () => {
  // Fails if an id in the form of its network is reported. Repeated digits are a placeholder, and may be reported.
  it.each(Object.entries(PIXEL_VALUES))("%s: ids of its form cause no warning", async (type, { pattern }) => {
    await fc.assert(
      fc.asyncProperty(some(fc.stringMatching(pattern)), async (values) => {
        const pixels = values.map((value) => ({ type, value, note: "Owned by the web team" }));
        const found = (await said("pixels", pixels)).flat().map(({ code }) => code);
        expect(found.filter((code) => code !== "pixel-placeholder")).toEqual([]);
      }),
      { numRuns: 10 },
    );
  });

  // Fails if two networks have the same distinct form, because the hint would name the wrong type.
  it.each(Object.entries(PIXEL_VALUES).filter(([, { isDistinct }]) => isDistinct))(
    "%s: an id with a distinct form is recognized under every other type",
    async (owner, { example }) => {
      // An adroll pixel without a dash is an error, which comes first.
      const others = Object.keys(PIXEL_VALUES).filter((type) => type !== owner && type !== "adroll");
      const found = await said(
        "pixels",
        others.map((type) => ({ type, value: example })),
      );
      expect(found.filter((one) => !one.some(({ code }) => code === "pixel-type"))).toEqual([]);
    },
  );
});

// Fails if a code of the standards causes a warning, or one that the service refuses causes none.
it("every code passes, and codes that the service refuses are reported", async () => {
  const group = (keys: Iterable<string>): string => [...keys].map((key) => `${key}: https://example.com/`).join(", ");
  const { diagnostics } = await load(`links:
  go.example.com/a: { url: https://example.com/, targeting: { country: { ${group(COUNTRY_CODES.codes)} } } }
  go.example.com/b: { url: https://example.com/, targeting: { language: { ${group(LANGUAGE_CODES.codes)} } } }
`);
  expect(diagnostics.map(({ code, message }) => [code, /`(.+?)`/.exec(message)?.[1]])).toEqual([
    ["refused-country", "CW"],
    ["refused-country", "SS"],
    ["refused-country", "SX"],
    ["version-code", "ae"],
  ]);
});
