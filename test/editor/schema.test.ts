// The texts, examples and defaults in the schemas, which editors show.

import { describe, expect, it } from "vitest";
import { compile, isPart, readSchema, type Part } from "../support/schemas.ts";

interface Place {
  readonly at: string;
  readonly schema: Part;
}

/** Every schema below this one. `at` is the path to it. */
function* parts(schema: Part, at: string): Generator<Place> {
  yield { at, schema };
  for (const [keyword, value] of Object.entries(schema)) {
    if (["properties", "dependencies"].includes(keyword) && isPart(value)) {
      for (const [name, below] of Object.entries(value)) if (isPart(below)) yield* parts(below, `${at}.${name}`);
    } else if (["items", "additionalProperties", "propertyNames", "if", "then", "else", "not"].includes(keyword)) {
      if (isPart(value)) yield* parts(value, keyword === "then" ? at : `${at}.<${keyword}>`);
    } else if (["allOf", "anyOf", "oneOf"].includes(keyword) && Array.isArray(value)) {
      for (const below of value) if (isPart(below)) yield* parts(below, `${at}.<${keyword}>`);
    }
  }
}

/** The values of keys, named or free, and the items of lists. */
function values(schema: Part): Place[] {
  return [...parts(schema, "")].flatMap(({ at, schema: part }) => {
    const { properties = {}, additionalProperties, items } = part;
    const named = isPart(properties) ? Object.entries(properties) : [];
    const free = [["<key>", additionalProperties] as const, ["<item>", items] as const];
    return [...named, ...free].flatMap(([name, value]) =>
      isPart(value) ? [{ at: `${at}.${name}`, schema: value }] : [],
    );
  });
}

function listed(schema: Part, keyword: string): unknown[] {
  const { [keyword]: list } = schema;
  return Array.isArray(list) ? list : [];
}

/** The examples of a value. Examples that are maps are under `then` (scripts/editor-schema.ts). */
function examplesOf(schema: Part): unknown[] {
  return [...listed(schema, "examples"), ...(isPart(schema["then"]) ? listed(schema["then"], "examples") : [])];
}

describe.each(["project", "resource"])("%s.schema.json", async (name) => {
  const schema = await readSchema(name);
  const keys = values(schema).filter(({ at }) => !at.endsWith("<item>"));

  // Fails if a key is added without a sentence about it, or with text that users cannot understand.
  it("describes every key, every value of a map and every item of a list", () => {
    expect(keys.map(({ at }) => at)).toContain(".links.<additionalProperties>.targeting.country.<key>");
    for (const { at, schema: value } of values(schema)) {
      expect(`${at}: ${String(value["description"])}`).toMatch(/: [A-Z`].*\.$/);
      expect(String(value["markdownDescription"])).not.toMatch(/undefined|\[object|NaN/);
    }
  });

  // Fails if a key is added without an example.
  it("has an example of every key", () => {
    expect(keys.length).toBeGreaterThan(100);
    expect(keys.filter(({ schema: value }) => examplesOf(value).length === 0).map(({ at }) => at)).toEqual([]);
  });

  // Fails if a key refuses its own example, default or snippet.
  it("accepts its own examples, defaults and snippets", () => {
    for (const { at, schema: value } of values(schema)) {
      const accepts = compile(value);
      const bodies = listed(value, "defaultSnippets").map((snippet) => (isPart(snippet) ? snippet["body"] : undefined));
      const defaults = "default" in value ? [value["default"]] : [];
      for (const own of [...examplesOf(value), ...defaults, ...bodies]) {
        expect({ at, own, accepted: accepts(own) }).toEqual({ at, own, accepted: true });
      }
    }
  });

  // Fails if a mark in an editor has the message of ajv or the server.
  it("has a message for every wrong value", () => {
    for (const { at, schema: value } of values(schema)) {
      expect(`${at}: ${String(value["errorMessage"])}`).toMatch(/: (This must|A |`|The ).*\.$/);
      expect(String(value["errorMessage"])).not.toMatch(/invalid|expected|received|symbol|undefined/i);
    }
  });
});
