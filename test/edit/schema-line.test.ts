// A new file refers to the schema beside the one that the project file refers to. Fails if it refers to the project's schema, or if
// its relative path is wrong.

import { expect, it } from "vitest";
import { resourceSchemaFor } from "../../src/edit/schema-line.ts";

const line = (schema: string): string => `# yaml-language-server: $schema=${schema}\nversion: 1\n`;

it.each([
  [line(".linkform/schemas/project.schema.json"), "links/a.yaml", "../.linkform/schemas/resource.schema.json"],
  [
    line("../node_modules/linkform/schemas/project.schema.json"),
    "a.yaml",
    "../node_modules/linkform/schemas/resource.schema.json",
  ],
  [
    `# ours\r\n${line("x/project.schema.json").replace("\n", "\r\n")}`,
    "links/deep/a.yaml",
    "../../x/resource.schema.json",
  ],
  [line("https://example.com/v1/project.schema.json"), "links/a.yaml", "https://example.com/v1/resource.schema.json"],
  ["version: 1\n", "links/a.yaml", "../node_modules/linkform/schemas/resource.schema.json"],
])("%j, for %s", (project, file, schema) => {
  expect(resourceSchemaFor(project, file)).toBe(schema);
});
