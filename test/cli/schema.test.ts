// `linkform schema`: the shipped schemas, and those with what a project knows.

import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { readSchema } from "../support/schemas.ts";
import { commandIn } from "../support/command.ts";
import { temporaryFolder, writeFiles } from "../support/scenario.ts";

// Fails if the command prints another schema than the package has.
it.each([
  [[], "resource"],
  [["resources"], "resource"],
  [["project"], "project"],
])("linkform schema %j prints the shipped schema", async (args, name) => {
  expect(await commandIn(await temporaryFolder(), ["schema", ...args])).toEqual({
    exit: 0,
    out: await readFile(`schemas/${name}.schema.json`, "utf8"),
    err: "",
  });
});

// Fails if somebody thinks that the schema is of the project that they named.
it("linkform schema refuses --config without --project", async () => {
  const { exit, out, err } = await commandIn(await temporaryFolder(), ["schema", "--config", "linkform.yaml"]);
  expect([exit, out]).toEqual([64, ""]);
  expect(err).toContain("`--config` works only with `--project`.");
});

const HEAD = "version: 1\nservice: { base_url: https://short.example.com }\n";

// Fails if a project that knows nothing gets an empty list, which would refuse every value.
it("linkform schema --project is the shipped schema for a project without names", async () => {
  const folder = await temporaryFolder();
  await writeFiles(folder, { "linkform.yaml": HEAD });
  const { out } = await commandIn(folder, ["schema", "--project"]);
  expect(JSON.parse(out)).toEqual(await readSchema("resource"));
});

// Fails if a script that writes the output to a file gets half a schema, or no reason.
it("linkform schema --project prints the errors of a project that has any, and no schema", async () => {
  const folder = await temporaryFolder();
  await writeFiles(folder, {
    "linkform.yaml": HEAD,
    "links/a.yaml": "links:\n  go/a: { ulr: https://example.com/ }\n",
  });
  const { exit, out, err } = await commandIn(folder, ["schema", "--project"]);
  expect([exit, out]).toEqual([1, ""]);
  expect(err).toContain("error[unknown-key] Unknown key `ulr`.");
  expect(err).toContain("--> links/a.yaml:2:11");
});
