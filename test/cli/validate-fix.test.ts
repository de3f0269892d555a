// `linkform validate --fix`. Fails if it changes anything but the mistake, fixes what may have another answer, writes in a dry run, or
// reports the findings of the old files.

import { describe, expect, it } from "vitest";
import { validate, type ValidateFlags } from "../../src/cli/validate.ts";
import { runIn, temporaryFolder, textsOf, writeFiles, type Ran } from "../support/scenario.ts";

const PROJECT = "version: 1\nservice: { base_url: https://short.example.com }\n";

async function project(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await temporaryFolder();
  await writeFiles(folder, { "linkform.yaml": PROJECT, ...files });
  return folder;
}

const fix = (folder: string, flags: ValidateFlags = {}, only: readonly string[] = []): Promise<Ran> =>
  runIn(folder, {}, async (world) => validate(world, { fix: true, ...flags }, only));

const read = async (folder: string): Promise<string | undefined> => (await textsOf(folder)).get("links/a.yaml");

const WRONG = `\uFEFF# Links.\r
links:\r
    go.example.com/a:\r
      url:   "www.example.com/a"   # kept\r
      targeting: {country: {UK: example.com/uk, 'EL': https://example.com/gr}}\r
pixels:\r
    Meta: {type: facebook, value: " 1234567890123456 "}\r
`;

describe("validate --fix", () => {
  it("changes only the mistakes, and reports the fixed files", async () => {
    const folder = await project({ "links/a.yaml": WRONG });
    const { exit, out, err } = await fix(folder);
    expect({ exit, err }).toEqual({ exit: 0, err: "" });
    expect(await read(folder)).toBe(
      WRONG.replace('"www.', '"https://www.')
        .replace("UK: example", "GB: https://example")
        .replace("'EL'", "'GR'")
        .replace('" 1234567890123456 "', '"1234567890123456"'),
    );
    expect(out).toContain("Fixed: 5 mistakes in 1 file.\n    ~ links/a.yaml\n\n");
    expect(out).toContain("Valid: ");
    expect((await fix(folder)).out).toContain("Nothing can be fixed automatically.\n\nValid: ");
  });

  it("shows a diff in a dry run, and the findings that remain", async () => {
    const text = "links:\n  go.example.com/a: { url: www.example.com/a }\n  go.example.com/b: { url: nowhere }\n";
    const folder = await project({ "links/a.yaml": text });
    const { exit, out } = await fix(folder, { dryRun: true });
    expect(exit).toBe(1);
    expect(out).toContain("+  go.example.com/a: { url: https://www.example.com/a }\n");
    expect(out).toContain("Dry run, nothing was written: 1 mistake in 1 file.");
    expect(out).toContain("--> links/a.yaml:3:28");
    expect(out).not.toContain("--> links/a.yaml:2");
    expect(await read(folder)).toBe(text);
  });

  it("reports the fixes as JSON", async () => {
    const folder = await project({ "links/a.yaml": WRONG });
    const { out } = await fix(folder, { dryRun: true, format: ["json"] });
    expect(JSON.parse(out)).toMatchObject({
      valid: true,
      fixes: { written: false, count: 5, files: [{ file: "links/a.yaml", patch: expect.stringContaining("+++ b/") }] },
    });
  });

  it.each([
    [
      "a country that is already there",
      "{ url: https://e.example/, targeting: { country: { UK: https://e.example/, GB: https://e.example/ } } }",
    ],
    [
      "a language that may mean something else",
      "{ url: https://e.example/, targeting: { language: { gb: https://e.example/ } } }",
    ],
    ["an unknown key", "{ ulr: https://e.example/ }"],
    ["a text that is no host", "{ url: some text }"],
  ])("leaves %s alone", async (_, block) => {
    const text = `links:\n  go.example.com/a: ${block}\n`;
    const folder = await project({ "links/a.yaml": text });
    expect(await fix(folder)).toMatchObject({ exit: 1, out: expect.stringContaining("Nothing can be fixed") });
    expect(await read(folder)).toBe(text);
  });

  it("fixes an anchored value once, and no alias", async () => {
    const text = "links:\n  go.example.com/a: { url: &u example.com/x }\n  go.example.com/b: { url: *u }\n";
    const folder = await project({ "links/a.yaml": text });
    expect(await fix(folder)).toMatchObject({ exit: 0 });
    expect(await read(folder)).toBe(text.replace("example.com/x", "https://example.com/x"));
  });

  it("fixes only the files that it is given, and no JSON file", async () => {
    const link = (name: string): string => `{"links": {"go.example.com/${name}": {"url": "example.com/"}}}\n`;
    const files = { "links/a.yaml": link("a"), "links/b.yaml": link("b"), "links/c.json": link("c") };
    const folder = await project({ ...files, "linkform.yaml": `${PROJECT}files: ["links/*"]\n` });
    await fix(folder, {}, ["links/b.yaml"]);
    const texts = await textsOf(folder);
    expect(texts.get("links/a.yaml")).toBe(files["links/a.yaml"]);
    expect(texts.get("links/b.yaml")).toContain('"https://example.com/"');
    await fix(folder);
    expect((await textsOf(folder)).get("links/c.json")).toBe(files["links/c.json"]);
  });

  it("refuses --dry-run without --fix", async () => {
    await expect(fix(await project({}), { fix: false, dryRun: true })).rejects.toMatchObject({ exit: 64 });
  });
});
