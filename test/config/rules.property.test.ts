// Properties of rules for all inputs: they never throw, never repeat a password, and do not report valid values.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LintContext } from "../../src/config/lint/context.ts";
import { lintAddress } from "../../src/config/lint/address.ts";
import { pixelValueFindings } from "../../src/config/lint/values.ts";
import type { Diagnostic } from "../../src/domain/diagnostic.ts";
import type { TextSpec } from "../../src/domain/field.ts";
import { COUNTRY_CODES, LANGUAGE_CODES } from "../../src/domain/target-keys.ts";
import { PIXEL_VALUES } from "../../src/domain/pixel-fields.ts";
import { FIELDS } from "../../src/domain/table.ts";
import { load } from "./loading.ts";

const PLACE = { file: "linkform.yaml", line: 1, column: 1 };

function said(address: string): Diagnostic[] {
  const advice = new LintContext(new Map());
  lintAddress({ text: address, name: "`url`", isMerged: true }, PLACE, advice);
  return advice.diagnostics;
}

const codes = (address: string): string[] => said(address).map(({ code }) => code);

const scheme = fc.constantFrom("https", "http", "HTTP", "javascript", "data", "file", "ftp", "x-app", "");
const PARTS =
  ": // / @ ? # & = % %zz [ ] ::1 . localhost utm_ amp; utm_source=A utm_source UTM_MEDIUM=x 0x7f ü 😀".split(" ");
const scrap = fc.oneof(fc.constantFrom(...PARTS, "999999999999", "\u0000", "\ud800"), fc.string({ maxLength: 6 }));
const address = fc
  .tuple(scheme, fc.constantFrom("://", ":", ""), fc.array(scrap, { maxLength: 8 }))
  .map(([first, colon, rest]) => `${first}${colon}${rest.join("")}`);

describe("destinations", () => {
  // Fails if a text makes a rule throw, or report an empty message.
  it("any text has a result", () => {
    fc.assert(
      fc.property(fc.oneof(address, fc.string()), (text) => {
        for (const { message, hint } of said(text))
          expect(`${message} ${hint ?? ""}`).not.toMatch(/undefined|null|NaN/);
      }),
      { numRuns: 2000 },
    );
  });

  // Fails if a message repeats the credentials.
  it("no message contains the user name or password", () => {
    const word = fc.stringMatching(/^[a-z0-9]{6,12}$/).map((text) => `Q${text}`);
    fc.assert(
      fc.property(word, word, fc.boolean(), (user, password, isLocal) => {
        const found = said(`http://${user}:${password}@${isLocal ? "localhost" : "example.com"}/?utm_source=Mail`);
        expect(found.map(({ code }) => code)).toContain("url-credentials");
        for (const { message, hint } of found) {
          expect(`${message} ${hint}`).not.toContain(user);
          expect(`${message} ${hint}`).not.toContain(password);
        }
      }),
    );
  });

  // Fails if a range of private addresses is too short or too long. The test computes the ranges itself.
  it("exactly the private IPv4 addresses are reported", () => {
    const isFar = ([a, b]: readonly [number, number, number, number]): boolean =>
      !(
        [0, 10, 127].includes(a) ||
        (a === 172 && b >= 16 && b < 32) ||
        (a === 192 && b === 168) ||
        (a === 169 && b === 254) ||
        (a === 100 && b >= 64 && b < 128)
      );
    const byte = fc.integer({ min: 0, max: 255 });
    const first = fc.oneof(byte, fc.constantFrom(0, 10, 100, 127, 169, 172, 192));
    const second = fc.oneof(byte, fc.constantFrom(15, 16, 31, 32, 63, 64, 127, 128, 167, 168, 169, 253, 254, 255));
    fc.assert(
      fc.property(fc.tuple(first, second, byte, byte), (bytes) => {
        expect(codes(`https://${bytes.join(".")}/`)).toEqual(isFar(bytes) ? [] : ["private-address"]);
      }),
      { numRuns: 1000 },
    );
  });
});

const VALUE = FIELDS.pixel.find((field): field is TextSpec => field.kind === "text" && field.forms !== null);

describe("values of pixels", () => {
  const remarks = (type: string, text: string): string[] => {
    if (VALUE?.forms == null) throw new Error("no field of a pixel has forms");
    return pixelValueFindings(VALUE, VALUE.forms.of, type, text).map(({ rule }) => rule);
  };

  // Fails if an id in the form of its network is reported. Repeated digits are a placeholder, and may be reported.
  it.each(Object.entries(PIXEL_VALUES))("%s: ids of its form cause no warning", (type, { pattern }) => {
    fc.assert(
      fc.property(fc.stringMatching(pattern), (text) => {
        expect(remarks(type, text).filter((rule) => rule !== "pixel-placeholder")).toEqual([]);
      }),
    );
  });

  // Fails if two networks have the same distinct form, because the hint would name the wrong type.
  it.each(Object.entries(PIXEL_VALUES).filter(([, { isDistinct }]) => isDistinct))(
    "%s: an id with a distinct form is recognized under every other type",
    (owner, { example }) => {
      const others = Object.keys(PIXEL_VALUES).filter((type) => type !== owner);
      expect(others.filter((type) => !remarks(type, example).includes("pixel-type"))).toEqual([]);
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
