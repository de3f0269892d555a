// The schemas work from the installed package and by a setting of the editor. editor.test.ts has a path.

import { execFile } from "node:child_process";
import { cp, mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { underlinedIn } from "../support/cursor.ts";
import { useEditor } from "../support/editor-project.ts";

/** The schemas that `npm pack` would take. */
async function packedSchemas(): Promise<string[]> {
  const { stdout } = await promisify(execFile)("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"]);
  const packed: Record<string, { files: readonly { path: string }[] }> = JSON.parse(stdout);
  const files = Object.values(packed).flatMap((one) => one.files.map((file) => file.path));
  return files.filter((file) => file.startsWith("schemas/"));
}

const schemas = await packedSchemas();

/** The schemas as they are in node_modules when the package is installed. */
async function installed(folder: string): Promise<void> {
  for (const file of schemas) await cp(file, path.join(folder, "node_modules/linkform", file));
  await mkdir(path.join(folder, "links"));
}

const INSTALLED = "node_modules/linkform/schemas";

/** The setting in docs/file-format.md. */
async function documentedSettings(): Promise<Record<string, string>> {
  const block =
    /```json\n(\{\s+"yaml\.schemas"[^`]+)```/.exec(await readFile("docs/file-format.md", "utf8"))?.[1] ?? "{}";
  const settings: { "yaml.schemas"?: Record<string, string> } = JSON.parse(block);
  return settings["yaml.schemas"] ?? {};
}

// Fails if the package lacks the schemas, if a schema cannot be read alone in its folder, or if the documented setting does not
// name the schemas.
describe.each([
  ["the installed package", installed, {}, (file: string) => `${INSTALLED}/${file}`],
  ["the setting in docs/file-format.md", installed, await documentedSettings(), null],
])("by %s", (_, layOut, settings, schemaAt) => {
  const editor = useEditor(layOut, settings);
  const line = (up: string, file: string): string =>
    schemaAt === null ? "" : `# yaml-language-server: $schema=${up}${schemaAt(file)}\n`;
  const project = (text: string): string => line("", "project.schema.json") + text;
  const resource = (text: string): string => line("../", "resource.schema.json") + text;

  it("completes", async () => {
    const inProject = await editor().complete("linkform.yaml", project("version: 1\n▮"));
    expect(inProject.map(({ label }) => label)).toContain("service");
    const inLink = await editor().complete("links/a.yaml", resource("links:\n  spring:\n    ▮"));
    expect(inLink.map(({ label }) => label)).toContain("expiration");
  });

  it("marks", async () => {
    const { text, underlined } = underlinedIn(resource("links: { a: { disabled: «maybe» } }"));
    expect(await editor().marks("links/a.yaml", text)).toMatchObject(underlined);
    const { text: wrong, underlined: there } = underlinedIn(project("version: 1\n«service»: {}\n«links_»: {}"));
    expect(await editor().marks("linkform.yaml", wrong)).toMatchObject(there);
    expect(editor().requests()).toBe(0);
  });
});
