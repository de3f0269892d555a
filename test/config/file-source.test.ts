// A project with changed files in memory loads like the written project. Fails if the overlay finds or reads other files than the
// disk would have.

import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { openFolder } from "../../src/config/checkout.ts";
import { overlayFiles } from "../../src/config/file-source.ts";
import { loadFrom } from "../../src/config/load.ts";
import { temporaryFolder, writeFiles } from "../support/scenario.ts";

const FILES = [
  "linkform.yaml",
  "links/a.yaml",
  "links/deep/b.yaml",
  "links/c.yml",
  "team/d.yaml",
  "node_modules/links/e.yaml",
];

const GLOBS = [undefined, "[links/*.yaml]", '["links/**/*.yaml", "team/*.yaml"]', "[./links/deep/../a.yaml]", "[team]"];

const file = fc.constantFrom(...FILES.slice(1));
const project = fc.constantFrom(...GLOBS).map((globs) => textOfProject(globs));
const resource = fc
  .integer({ min: 1, max: 9 })
  .map((n) => `\uFEFFlinks: { go.example.com/l${n}: { url: https://e.example/${n} } }\n`);

function textOfProject(globs: string | undefined): string {
  const files = globs === undefined ? "" : `files: ${globs}\n`;
  return `version: 1\nservice: { base_url: "https://short.example.com" }\n${files}`;
}

it("loads the same project as from disk", async () => {
  await fc.assert(
    fc.asyncProperty(
      project,
      fc.dictionary(file, resource),
      fc.option(project, { nil: undefined }),
      fc.dictionary(file, fc.option(resource, { nil: null })),
      async (text, before, newText, changes) => {
        const folder = await temporaryFolder();
        await writeFiles(folder, { "linkform.yaml": text, ...before });
        const texts = new Map<string, string | null>(Object.entries(changes));
        if (newText !== undefined) texts.set("linkform.yaml", newText);
        const inMemory = await loadFrom(overlayFiles(await openFolder(folder), texts), "linkform.yaml");
        for (const [name, content] of texts) {
          await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
          if (content === null) await rm(path.join(folder, name), { force: true });
          else await writeFile(path.join(folder, name), content);
        }
        const onDisk = await loadFrom(await openFolder(folder), "linkform.yaml");
        const keysOf = ({ declarations, files, diagnostics }: typeof onDisk): unknown => ({
          files,
          keys: declarations.map(({ name, place }) => `${name} ${place.file}:${place.line}:${place.column}`),
          codes: diagnostics.map(({ code, message, hint }) => [code, message, hint?.includes("Did you mean")]),
        });
        expect(keysOf(inMemory)).toEqual(keysOf(onDisk));
      },
    ),
    { numRuns: 60 },
  );
});
