// Secrets are removed from what the service says, in any encoding. Fails when 8 characters of an encoding of the key are left.

import fc from "fast-check";
import { expect, it } from "vitest";
import { hide } from "../../src/http/quote.ts";
import { runs } from "../support/states.ts";

const key = fc.stringMatching(/^[A-Za-z0-9_|+./-]{12,80}$/);
const around = fc.stringMatching(/^[~ ]{0,7}$/);

const bytesOf = (text: string): Buffer => Buffer.from(text);
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
  percent: (text) => Array.from(bytesOf(text), (byte) => `%${byte.toString(16).padStart(2, "0")}`).join(""),
  form: (text) => encodeURIComponent(text),
  JSON: (text) => JSON.stringify(text).slice(1, -1),
  HTML: (text) => Array.from(text, (character) => `&#${character.codePointAt(0)};`).join(""),
};

it("no run of 8 characters of an encoded key is left", () => {
  fc.assert(
    fc.property(key, around, around, fc.constantFrom(...Object.keys(ENCODINGS)), (secret, before, after, name) => {
      const encode = ENCODINGS[name] ?? String;
      const left = hide(`message: ${encode(`${before}${secret}${after}`)} end`, [secret]);
      expect(left).toContain("(hidden)");
      for (const shift of name.startsWith("base64") ? [0, 1, 2] : [0]) {
        const encoded = encode(`${"~".repeat(shift)}${secret}`).slice(8, -8);
        for (let at = 0; at + 8 <= encoded.length; at += 1) expect(left).not.toContain(encoded.slice(at, at + 8));
      }
    }),
    { numRuns: runs(500) },
  );
});
