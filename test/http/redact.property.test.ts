// Secrets are removed from what the service says, in any encoding. Fails when 8 characters of an encoding of the key are left.

import fc from "fast-check";
import { expect, it } from "vitest";
import { hide } from "../../src/http/redact.ts";
import { runs } from "../support/states.ts";

const key = fc.stringMatching(/^[A-Za-z0-9_|+./-]{12,80}$/);
const around = fc.stringMatching(/^[~ ]{0,7}$/);

const percent = (text: string): string =>
  Array.from(bytesOf(text), (byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
const bytesOf = (text: string): Buffer => Buffer.from(text);
const utf16 = (text: string): string =>
  Array.from(text, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
const ENCODINGS: Readonly<Record<string, (text: string) => string>> = {
  raw: (text) => text,
  base64: (text) => bytesOf(text).toString("base64"),
  base64url: (text) => bytesOf(text).toString("base64url"),
  "base64 in a URL": (text) => encodeURIComponent(bytesOf(text).toString("base64")),
  "base64 in JSON of PHP": (text) =>
    bytesOf(text)
      .toString("base64")
      .replaceAll("/", String.raw`\/`),
  "base64 in lines": (text) => bytesOf(text).toString("base64").replaceAll(/.{16}/g, "$&\r\n"),
  hex: (text) => bytesOf(text).toString("hex"),
  HEX: (text) => bytesOf(text).toString("hex").toUpperCase(),
  percent,
  "percent of percent": (text) => percent(percent(text)),
  "percent of percent of the base64": (text) => percent(encodeURIComponent(bytesOf(text).toString("base64"))),
  "base64 of base64": (text) => bytesOf(bytesOf(text).toString("base64")).toString("base64"),
  "base64 of hex": (text) => bytesOf(bytesOf(text).toString("hex")).toString("base64"),
  "hex of base64": (text) => bytesOf(bytesOf(text).toString("base64")).toString("hex"),
  "base64 of a form": (text) => bytesOf(encodeURIComponent(text)).toString("base64"),
  "UTF-16 escapes": (text) => utf16(text),
  "UTF-16 escapes of UTF-16 escapes": (text) => utf16(utf16(text)),
  "UTF-16 escapes in HTML": (text) => Array.from(utf16(text), (character) => `&#${character.codePointAt(0)};`).join(""),
  "UTF-16 bytes": (text) => Buffer.from(text, "utf16le").toString("latin1"),
  words: (text) => text.replaceAll(/.{3}/g, "$& "),
  lines: (text) => text.replaceAll(/.{5}/g, "$&\r\n"),
  "lines in JSON": (text) => JSON.stringify(text.replaceAll(/.{4}/g, "$&\n")).slice(1, -1),
  "lines in HTML": (text) => text.replaceAll(/.{4}/g, "$&&#10;"),
  form: (text) => encodeURIComponent(text),
  JSON: (text) => JSON.stringify(text).slice(1, -1),
  HTML: (text) => Array.from(text, (character) => `&#${character.codePointAt(0)};`).join(""),
};

const lettersOf = (text: string): string => text.replaceAll(/[^A-Za-z0-9]/g, "");
const runsOf = (text: string, length: number): string[] =>
  Array.from({ length: Math.max(text.length - length + 1, 0) }, (_, at) => text.slice(at, at + length));

it("no run of 8 characters of an encoded key is left", () => {
  fc.assert(
    fc.property(key, around, around, fc.constantFrom(...Object.keys(ENCODINGS)), (secret, before, after, name) => {
      fc.pre(lettersOf(secret).length >= 12);
      const encode = ENCODINGS[name] ?? String;
      const left = hide(`message: ${encode(`${before}${secret}${after}`)} end`, [secret]);
      expect(left).toContain("(hidden)");
      for (const shift of name.includes("base64") ? [0, 1, 2] : [0]) {
        const encoded = encode(`${"~".repeat(shift)}${secret}`).slice(8, -8);
        // What an escape is made of is no part of the key.
        for (const run of runsOf(encoded, 8).filter((one) => /[A-Za-z0-9]{8}/.test(lettersOf(one))))
          expect(left).not.toContain(run);
      }
    }),
    { numRuns: runs(500) },
  );
});

it.each(["the first", "the last"])("%s 8 letters and digits of a key are not left", (which) => {
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Za-z0-9]{20,60}$/), fc.integer({ min: 8, max: 19 }), (secret, length) => {
      const part = which === "the first" ? secret.slice(0, length) : secret.slice(-length);
      // A word before it could be taken for more of the key, by chance.
      const left = hide(`> ${part}... is wrong`, [secret]);
      expect(left).toMatch(/^> ?\(hidden\)/);
      for (const run of runsOf(part, 8)) expect(left).not.toContain(run);
    }),
    { numRuns: runs(200) },
  );
});

it("text that has nothing to do with the key stays as it is", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 300, unit: "binary" }), (text) => {
      expect(hide(text, ["Zq7xWv9kJ3mP5tRb2nYc"])).toBe(text);
    }),
    { numRuns: runs(300) },
  );
});
