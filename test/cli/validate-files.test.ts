// `linkform validate FILE…`: findings of some files only, for editors and hooks.

import { expect, it } from "vitest";
import { commandIn } from "../support/command.ts";
import { temporaryFolder, writeFiles } from "../support/scenario.ts";

async function project(): Promise<string> {
  const folder = await temporaryFolder();
  await writeFiles(folder, {
    "linkform.yaml": `version: 1\nservice: { base_url: https://short.example.com }\n`,
    "links/good.yaml": "links:\n  go.example.com/good: { url: https://example.com/ }\n",
    "links/bad.yaml": "links:\n  go.example.com/bad: { ulr: https://example.com/ }\n",
    "other/linkform.yaml": "version: 1\n",
  });
  return folder;
}

it("linkform validate FILE reports findings in that file, and counts errors elsewhere", async () => {
  const folder = await project();
  const bad = await commandIn(folder, ["validate", "links/bad.yaml"]);
  expect(bad.exit).toBe(1);
  expect(bad.out).toContain("--> links/bad.yaml:2:25");
  const config = await commandIn(`${folder}/links`, ["validate", "../linkform.yaml"]);
  expect(config).toMatchObject({ exit: 0, err: "" });
  expect(config.out).toContain("Other files have ");
  expect(config.out).not.toContain("--> ");
});

it("linkform validate FILE reports a duplicate key in both files that have it", async () => {
  const folder = await project();
  await writeFiles(folder, { "links/bad.yaml": "links:\n  go.example.com/Good: { url: https://example.com/ }\n" });
  for (const file of ["links/good.yaml", "links/bad.yaml"])
    expect((await commandIn(folder, ["validate", file])).out).toContain("error[folding-keys]");
});

it.each(["nowhere.yaml", "other/linkform.yaml", "/etc/hosts"])(
  "linkform validate FILE refuses %s, which the project does not read",
  async (file) => {
    const { exit, out } = await commandIn(await project(), ["validate", file]);
    expect(exit).toBe(64);
    expect(out).toContain(`error[not-in-project] \`${file}\` is not a file of this project.`);
    expect(out).toContain("linkform.yaml reads `links/**/*.yaml`. To choose another project file, use --config FILE.");
  },
);
