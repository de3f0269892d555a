// Outputs that would replace a file of the user are refused before any request. Fails if a command can overwrite its own project, an input
// or a file that git tracks, or if it refuses to replace an earlier report.

import { readFile, symlink } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { commandIn } from "../support/command.ts";
import { GIT_ENV, startRepository } from "../support/repository.ts";
import { sandboxFor } from "../support/sandbox.ts";
import { writeFiles } from "../support/scenario.ts";

const COMMITTED = {
  "package.json": '{ "name": "site" }\n',
  "README.md": "# Links\n",
  "reports/plan.md": "<!-- linkform plan linkform.yaml -->\nan earlier report\n",
};

test("outputs that replace files of the user are refused, in every option that names one", async () => {
  const service = await sandboxFor();
  const repository = await startRepository();
  const { folder } = repository;
  const project = `version: 1\nservice: { base_url: "${service.url}" }\nfiles: ["links/*.{yaml,json}"]\n`;
  await repository.commit({ ...COMMITTED, "sub/note.txt": "a note\n" });
  const own = {
    "linkform.yaml": project,
    "links/a.yaml": "links: { go.example.com/a: { url: https://example.com/ } }\n",
    "rows.csv": "alias,url\nb,https://example.com/\n",
    "more.json": "{}\n",
    "notes.txt": "not in git\n",
    "old.json": '{\n  "format_version": "1.0"\n}\n',
  };
  await writeFiles(folder, own);
  await symlink("links", path.join(folder, "linked"));
  const env = { ...GIT_ENV, LINKFORM_API_KEY: service.apiKey };
  const before = { ...own, ...COMMITTED };
  for (const [args, why] of [
    [["plan", "--out", "linkform.yaml"], "the project reads files with this path"],
    [["drift", "--format", "json=linked/new.json"], "the project reads files with this path"],
    // Also if another mistake ends the command before it opens the project.
    [["apply", "--format", "json=linkform.yaml"], "the project reads files with this path"],
    [["apply", "--yes", "--record", "sub/note.txt"], "git tracks it, and linkform did not write it"],
    [["plan", "--resources", "more.json", "--out", "more.json"], "this command reads it"],
    [["apply", "old.json", "--format", "json=old.json"], "this command reads it"],
    [["import", "csv", "rows.csv", "--skip-bad", "--rejects", "rows.csv"], "this command reads it"],
    [["apply", "--yes", "--record", "p.json", "--format", "json=./p.json"], "another output has the same file"],
  ] as const) {
    const { exit, err } = await commandIn(folder, args, env);
    expect([args, exit, err]).toEqual([args, 64, expect.stringContaining(`cannot be an output: ${why}.`)]);
    for (const [file, text] of Object.entries(before))
      expect([file, await readFile(path.join(folder, file), "utf8")]).toEqual([file, text]);
  }
  expect(service.requests).toEqual([]);
  // Earlier outputs, files that git does not track, and devices are replaced.
  const replaced = ["markdown=reports/plan.md", "json=old.json", "text=notes.txt", "html=/dev/null"];
  // What a run wrote can be committed and written again, in every format with a mark.
  const marked = ["html=o.html", "gitlab=o.gitlab"];
  const formats = [...replaced, ...marked].flatMap((one) => ["--format", one]);
  const csv = ["list", "--format", "csv=o.csv"];
  const apply = ["apply", "--yes", "--record", "o.record", "--format", "ndjson=o.ndjson"];
  const write = async (): Promise<number[]> => [
    (await commandIn(folder, ["plan", ...formats, "--out", "o.plan"], env)).exit,
    (await commandIn(folder, csv, env)).exit,
    (await commandIn(folder, apply, env)).exit,
  ];
  expect(await write()).toEqual([0, 0, 0]);
  await repository.git("add", "--all", ":!notes.txt");
  expect(await write()).toEqual([0, 0, 0]);
});
