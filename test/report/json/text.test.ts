// JSON goes to terminals and logs as well. Fails when a sign that these would obey or not show stands in a document, a saved
// plan or a record as it is, and when escaping it changes what the document says.

import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonText } from "../../../src/report/json/text.ts";
import { hasUnseen } from "../../../src/domain/control-characters.ts";
import { linkform } from "../../support/program.ts";
import { sandboxFor } from "../../support/library.ts";
import { temporaryFolder } from "../../support/scenario.ts";

test("it says the same, whatever it holds", () => {
  fc.assert(
    fc.property(fc.json(), fc.string({ unit: "binary" }), (json, text) => {
      const value: unknown = { [text]: text, value: JSON.parse(json) };
      const written = jsonText(value, 2);
      expect(JSON.parse(written)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(hasUnseen(written.replaceAll("\n", ""))).toBe(false);
    }),
  );
});

test("what an account holds reaches no terminal by a document, a saved plan or a record, and the plan can be applied", async () => {
  const url = "https://example.com/\u009b2J\u202e\u200b\u{e0041}\u2028";
  const sandbox = await sandboxFor({ seed: { links: [{ domain: 2, alias: "a", url }] } });
  const folder = await temporaryFolder();
  const project = `version: 1\nservice: { base_url: "${sandbox.url}" }\nlinks: { go.example.com/a: { url: https://example.com/ } }\n`;
  await writeFile(path.join(folder, "linkform.yaml"), project);
  const env = { LINKFORM_API_KEY: sandbox.apiKey };

  const { out } = await linkform(folder, ["plan", "--format", "json", "--out", "plan.json"], env);
  const applied = await linkform(folder, ["apply", "plan.json", "--record", "record.jsonl"], env);
  const files = await Promise.all(
    ["plan.json", "record.jsonl"].map((name) => readFile(path.join(folder, name), "utf8")),
  );
  expect(JSON.parse(out)).toMatchObject({ changes: [{ fields: [{ path: "url", before: url }] }] });
  expect(applied.exit).toBe(0);
  for (const text of [out, ...files]) {
    expect(text).toContain(String.raw`\u009b2J\u202e\u200b\udb40\udc41\u2028`);
    expect(hasUnseen(text.replaceAll("\n", ""))).toBe(false);
  }
});
