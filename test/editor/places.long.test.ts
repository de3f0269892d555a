// The schemas of the installed package work by the setting of the editor in docs/file-format.md. editor.test.ts has a path.

import { cp, mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { underlinedIn, useEditor } from "../support/editor-project.ts";

async function documentedSettings(): Promise<Record<string, string>> {
  const block =
    /```json\n(\{\s+"yaml\.schemas"[^`]+)```/.exec(await readFile("docs/file-format.md", "utf8"))?.[1] ?? "{}";
  const settings: { "yaml.schemas"?: Record<string, string> } = JSON.parse(block);
  return settings["yaml.schemas"] ?? {};
}

const editor = useEditor(
  async (folder) => {
    await cp("schemas", path.join(folder, "node_modules/linkform/schemas"), { recursive: true });
    await mkdir(path.join(folder, "links"));
  },
  await documentedSettings(),
);

// Fails if a schema cannot be read alone in its folder, or if the documented setting does not name the schemas.
it("completes and marks files without a line that names a schema", async () => {
  const inProject = await editor().complete("linkform.yaml", "version: 1\n▮");
  expect(inProject.map(({ label }) => label)).toContain("service");
  const inLink = await editor().complete("links/a.yaml", "links:\n  spring:\n    ▮");
  expect(inLink.map(({ label }) => label)).toContain("expiration");
  const { text, underlined } = underlinedIn("links: { a: { disabled: «maybe» } }");
  expect(await editor().marks("links/a.yaml", text)).toMatchObject(underlined);
  const { text: wrong, underlined: there } = underlinedIn("version: 1\n«service»: {}\n«links_»: {}");
  expect(await editor().marks("linkform.yaml", wrong)).toMatchObject(there);
});
