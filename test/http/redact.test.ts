// Which texts are hidden: only those that contain an entire secret, in the forms that promise 7 names.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Secrets } from "../../src/http/redact.ts";
import { character, runs } from "../support/states.ts";

const bytesOf = (text: string): Buffer => Buffer.from(text);
const percent = (text: string): string =>
  Array.from(bytesOf(text), (byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
const mixed = (text: string): string =>
  Array.from(text, (one, at) => {
    const encoded = percent(one);
    return one === "%" || at % 3 === 0 ? (at % 2 === 0 ? encoded : encoded.toUpperCase()) : one;
  }).join("");

const FORMS: Readonly<Record<string, (secret: string, before: string, after: string) => string>> = {
  "as it is": (secret, before, after) => before + secret + after,
  percent: (secret, before, after) => before + percent(secret) + after,
  "mixed percent": (secret, before, after) => before + mixed(secret) + after,
  URI: (secret, before, after) => before + encodeURIComponent(secret) + after,
  form: (secret, before, after) => `${before}&x=${new URLSearchParams([["", secret]]).toString().slice(1)}&${after}`,
  base64: (secret, before, after) => bytesOf(before + secret + after).toString("base64"),
  base64url: (secret, before, after) => bytesOf(before + secret + after).toString("base64url"),
  "base64 in a URI": (secret, before, after) => encodeURIComponent(bytesOf(before + secret + after).toString("base64")),
};

const sign = fc.constantFrom(..."aZ09 _-+/%=&\"'\\<>.é\u{1f600}");
const key = fc.string({ unit: sign, minLength: 8, maxLength: 60 });
const around = fc.string({ unit: fc.constantFrom(..."xy~"), maxLength: 5 });

it.each(Object.entries(FORMS))("an entire secret is hidden: %s", (_, write) => {
  fc.assert(
    fc.property(key, around, around, (secret, before, after) => {
      const shown = new Secrets([secret]).hide(write(secret, before, after));
      expect(shown).toContain("(hidden)");
      expect(write(shown, "", "")).not.toContain(secret);
    }),
    { numRuns: runs(100) },
  );
});

it("a text without the entire secret stays as it is", () => {
  const secret = "Zq7x00000000mP5tRb2n";
  const secrets = new Secrets([secret]);
  fc.assert(
    fc.property(fc.string({ maxLength: 300, unit: character }), fc.integer({ min: 0, max: 19 }), (text, gap) => {
      const part = secret.slice(0, gap) + secret.slice(gap + 1);
      for (const shown of [text, part, percent(part), `2027-10-31T00000000${text}`])
        expect(secrets.hide(shown)).toBe(shown);
    }),
    { numRuns: runs(100) },
  );
});

describe("a short secret", () => {
  const LINE = "The password a1 (%61%31, YTE=) is not in a1b, 2a1 or xYTE.";

  it("is hidden as a word in the answer to a request that has it", () => {
    expect(new Secrets(["a1"], 1).hide(LINE)).toBe(
      "The password (hidden) ((hidden), (hidden)=) is not in a1b, 2a1 or xYTE.",
    );
  });

  it("is not searched for in reports", () => {
    expect(new Secrets(["a1", "1234567"]).hide(`${LINE} 1234567`)).toBe(`${LINE} 1234567`);
  });
});

it("of a secret that begins with another one, nothing is left", () => {
  const secrets = new Secrets(["spring-2", "spring-2-kiwi"]);
  expect(secrets.hide("spring-2-kiwi and aspring-2b")).toBe("(hidden) and a(hidden)b");
});

it("the start of a text: a secret across the cut is hidden, and no part of it is left", () => {
  const secrets = new Secrets(["Zq7xWv9kJ3mP"]);
  for (let before = 0; before < 120; before += 1) {
    const text = `${"~".repeat(before)}${percent("Zq7xWv9kJ3mP")}${"~".repeat(10_000)}`;
    const hidden = `${"~".repeat(before)}(hidden)${"~".repeat(80)}`;
    expect(secrets.hideStart(text, 20)).toBe(before > 80 ? "~".repeat(68) : hidden.slice(0, 40));
  }
  expect([secrets.hideStart("~".repeat(116), 20), new Secrets().hideStart("~~", 1)]).toEqual(["~".repeat(116), "~"]);
});

it("in base64, exactly the characters that the secret determines are hidden", () => {
  const shown = ["", "x", "xx"].map((before) => new Secrets(["kiwi-2027"]).hide(btoa(`${before}kiwi-2027yyy`)));
  expect(shown).toEqual(["(hidden)eXl5", "eG(hidden)3l5eQ==", "eHh(hidden)d5eXk="]);
});

// A pattern that can match in several ways takes minutes for these, and a hostile page can have them.
it.each([
  ["a", `${"a".repeat(127)}!`],
  ["%25", `${"%".repeat(127)}!`],
  ["%2525", `${"%25".repeat(40)}!`],
  ["+", `${" ".repeat(127)}!`],
])("a text of nothing but %j takes no time", (part, secret) => {
  const text = part.repeat(100_000);
  expect(new Secrets([secret]).hide(text)).toBe(text);
});

describe("data", () => {
  const secret = "Zq7xWv9kJ3mP";
  class Row {
    readonly #key = `key ${secret}`;
    get key(): string {
      return this.#key;
    }
    has(other: object): boolean {
      return other === this;
    }
  }
  const row = new Row();
  const data = {
    [`name ${secret}`]: { list: [secret, 1, null], inner: [{ text: `a ${secret}` }] },
    map: new Map([[secret, { url: secret }]]),
    rows: new Set([row]),
    row,
  };

  it("secrets are hidden in every text that is read, in names too, and the data stays as it is", () => {
    const before = structuredClone({ ...data, rows: null, row: null });
    const shown = new Secrets([secret]).hideIn(data);
    expect(JSON.stringify(shown)).toBe(
      '{"name (hidden)":{"list":["(hidden)",1,null],"inner":[{"text":"a (hidden)"}]},"map":{},"rows":{},"row":{}}',
    );
    expect([...shown.map].map(([name, { url }]) => [name, url])).toEqual([["(hidden)", "(hidden)"]]);
    expect(shown.row.key).toBe("key (hidden)");
    expect(shown.rows.has(shown.row)).toBe(true);
    expect(shown.row.has(shown.row)).toBe(true);
    expect([...shown.rows][0]).toBe(shown.row);
    expect({ ...data, rows: null, row: null }).toEqual(before);
  });

  it("a later secret is hidden too", () => {
    const secrets = new Secrets([secret]);
    const other = { "kiwi-2027-plum": "kiwi-2027-plum" };
    expect(secrets.hideIn(other)).toEqual(other);
    secrets.add("kiwi-2027-plum");
    expect(secrets.hideIn(other)).toEqual({ "(hidden)": "(hidden)" });
  });
});
