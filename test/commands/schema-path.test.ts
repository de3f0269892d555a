// A new file finds its schema where the files of the project find theirs. Fails if it is given the project file's schema, a path
// that leads elsewhere from its own folder, or none although others have one.

import { expect, it } from "vitest";
import { schemaPath } from "../../src/commands/schema-path.ts";

const line = (schema: string): string => `# yaml-language-server: $schema=${schema}\nversion: 1\n`;

it.each([
  [
    "links/a.yaml",
    [["linkform.yaml", line(".linkform/schemas/project.schema.json")]],
    "../.linkform/schemas/resource.schema.json",
  ],
  [
    "a.yaml",
    [["linkform.yaml", line("../node_modules/linkform/schemas/project.schema.json")]],
    "../node_modules/linkform/schemas/resource.schema.json",
  ],
  [
    "links/deep/a.yaml",
    [
      ["linkform.yaml", line("x/project.schema.json")],
      ["links/b.yaml", "links: {}\n"],
      ["links/c.yaml", `\uFEFF# ours\r\n${line("../y/resource.schema.json").replace("\n", "\r\n")}`],
    ],
    "../../y/resource.schema.json",
  ],
  [
    "links/a.yaml",
    [["linkform.yaml", line("https://example.com/project.schema.json")]],
    "https://example.com/resource.schema.json",
  ],
  ["links/a.yaml", [["linkform.yaml", "version: 1\n# yaml-language-server: nothing\n"]], null],
] as const)("%s", (file, others, schema) => {
  expect(
    schemaPath(
      file,
      others.map(([name, text]) => ({ file: name, text })),
    ),
  ).toBe(schema);
});
