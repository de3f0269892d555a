// The rules of the house are in force: a file that breaks one is refused by the linter that CI runs. Fails if an override
// of the lint configuration stops matching, so that imports could run the other way unnoticed; and if a test file is run by
// no command, or by two.

import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { groupBy } from "../src/domain/group.ts";
import { temporaryFolder } from "./support/scenario.ts";

const run = promisify(execFile);

type Import = readonly [file: string, imported: string];

const REFUSED: readonly Import[] = [
  ["src/domain/a.ts", "../plan/plan.ts"],
  ["src/domain/a.ts", "../errors.ts"],
  ["src/domain/a.ts", "node:fs"],
  ["src/plan/a.ts", "../config/load.ts"],
  ["src/plan/a.ts", "../service/service.ts"],
  ["src/plan/a.ts", "node:fs/promises"],
  ["src/plan/undo/a.ts", "../../report/text.ts"],
  ["src/plan/undo/a.ts", "node:fs"],
  ["src/service/a.ts", "../plan/plan.ts"],
  ["src/service/a.ts", "../forge/github.ts"],
  ["src/http/a.ts", "../service/service.ts"],
  ["src/forge/a.ts", "../service/service.ts"],
  ["src/forge/a.ts", "../report/marker.ts"],
  ["src/config/a.ts", "../plan/plan.ts"],
  ["src/apply/a.ts", "../config/load.ts"],
  ["src/apply/a.ts", "../report/text.ts"],
  ["src/apply/a.ts", "node:fs"],
  ["src/report/a.ts", "../service/service.ts"],
  ["src/report/a.ts", "../commands/plan.ts"],
  ["src/report/markdown/a.ts", "../../service/service.ts"],
  ["src/config/lint/a.ts", "../../plan/plan.ts"],
  ["src/edit/a.ts", "../service/service.ts"],
  ["src/edit/a.ts", "../commands/plan.ts"],
  ["src/edit/a.ts", "node:fs"],
  ["src/edit/a.ts", "../adopt/pull.ts"],
  ["src/edit/a.ts", "../plan/plan.ts"],
  ["src/adopt/a.ts", "../service/service.ts"],
  ["src/adopt/a.ts", "../commands/pull.ts"],
  ["src/adopt/a.ts", "node:fs"],
  ["src/adopt/import/a.ts", "../../service/service.ts"],
  ["src/adopt/import/a.ts", "node:fs"],
  ["src/plan/a.ts", "../adopt/pull.ts"],
  ["src/report/a.ts", "../adopt/pull.ts"],
  ["src/config/a.ts", "../adopt/pull.ts"],
  ["src/commands/a.ts", "../cli.ts"],
  ["src/commands/a.ts", "../sandbox/index.ts"],
  ["src/commands/sandbox.ts", "../service/service.ts"],
  ["src/commands/a.ts", "../library/plan.ts"],
  ["src/plan/a.ts", "../library/plan.ts"],
  ["src/library/a.ts", "../cli.ts"],
  ["src/library/a.ts", "../commands/context.ts"],
  ["src/library/a.ts", "../sandbox/index.ts"],
  ["src/index.ts", "./sandbox/index.ts"],
  ["src/index.ts", "./commands/plan.ts"],
  ["src/sandbox/a.ts", "../domain/fold.ts"],
  ["src/sandbox/a.ts", "../errors.ts"],
  ["src/errors.ts", "./domain/table.ts"],
  ["src/files/a.ts", "../config/load.ts"],
  ["src/http/a.ts", "../files/folder.ts"],
  ...["http", "service", "forge", "config", "config/lint", "commands", "library", "cli"].flatMap((room): Import[] => [
    [`src/${room}/a.ts`, "node:fs"],
    [`src/${room}/a.ts`, "node:fs/promises"],
  ]),
  ["src/commands/sandbox.ts", "node:fs"],
  ["src/cli.ts", "fs/promises"],
];

const ALLOWED: readonly Import[] = [
  ["src/plan/a.ts", "../domain/table.ts"],
  ["src/plan/undo/a.ts", "../../domain/table.ts"],
  ["src/apply/a.ts", "../plan/order.ts"],
  ["src/service/a.ts", "../http/exchange.ts"],
  ["src/forge/a.ts", "../http/exchange.ts"],
  ["src/report/a.ts", "../apply/outcome.ts"],
  ["src/report/markdown/a.ts", "../../apply/outcome.ts"],
  ["src/report/markdown/a.ts", "../story.ts"],
  ["src/config/lint/a.ts", "../../domain/table.ts"],
  ["src/edit/a.ts", "../report/yaml.ts"],
  ["src/adopt/a.ts", "../edit/edited-file.ts"],
  ["src/adopt/import/a.ts", "../../edit/edited-file.ts"],
  ["src/adopt/import/a.ts", "../../report/yaml.ts"],
  ["src/commands/a.ts", "../adopt/pull.ts"],
  ["src/commands/a.ts", "../service/service.ts"],
  ["src/commands/sandbox.ts", "../sandbox/index.ts"],
  ["src/library/a.ts", "../commands/read.ts"],
  ["src/index.ts", "./library/plan.ts"],
  ["src/files/a.ts", "node:fs"],
  ["src/config/a.ts", "../files/folder.ts"],
  ["src/commands/a.ts", "../files/folder.ts"],
];

/** What the linter reports about a tree that has these imports and nothing else, each on a line of its own. */
async function lint(imports: readonly Import[]): Promise<string[]> {
  const folder = await temporaryFolder();
  await symlink(path.resolve("node_modules"), path.join(folder, "node_modules"));
  for (const [file, ofFile] of groupBy(imports, ([name]) => name)) {
    const lines = ofFile.map(([, imported], at) => `import { thing as thing${at} } from "${imported}";\n`);
    const uses = ofFile.map((_, at) => `export const other${at} = thing${at};\n`);
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), [...lines, ...uses].join(""));
  }
  // Types are not at stake, and this tree has none.
  const config = JSON.parse(await readFile(".oxlintrc.json", "utf8"));
  await writeFile(path.join(folder, ".oxlintrc.json"), JSON.stringify({ ...config, options: {} }));
  const linter = path.resolve("node_modules/.bin/oxlint");
  const said = await run(linter, ["--deny-warnings", "-f", "unix"], { cwd: folder }).then(
    () => "",
    (cause: unknown) => (cause instanceof Error && "stdout" in cause ? String(cause.stdout) : String(cause)),
  );
  return said.split("\n").filter((line) => line !== "");
}

it("no import that runs the wrong way is let through", async () => {
  const reports = (await lint(REFUSED)).filter((report) => report.includes("no-restricted-imports"));
  const passed = [...groupBy(REFUSED, ([file]) => file)].flatMap(([file, ofFile]) =>
    ofFile.filter((_, at) => !reports.some((report) => report.startsWith(`${file}:${at + 1}:`))),
  );
  expect(passed).toEqual([]);
});

it("no import that runs the right way is refused", async () => {
  expect(await lint(ALLOWED)).toEqual([]);
});

it("every test file is run by exactly one of `npm test`, `test:long` and `test:browser`", async () => {
  const { scripts } = JSON.parse(await readFile("package.json", "utf8"));
  const vitest = path.resolve("node_modules/.bin/vitest");
  const listed = await Promise.all(
    ["test", "test:long", "test:browser"].map(async (name) => {
      const [, flags = ""] = /vitest run(.*)/.exec(scripts[name]) ?? [];
      const { stdout } = await run(vitest, ["list", "--filesOnly", "--json", ...flags.split(" ").filter(Boolean)]);
      const files: { readonly file: string }[] = JSON.parse(stdout);
      return files.map(({ file }) => path.relative("", file));
    }),
  );
  const there = (await readdir("test", { recursive: true }))
    .filter((file) => /\.test\.[cm]?[jt]sx?$/.test(file))
    .map((file) => path.join("test", file));
  expect(listed.flat().toSorted()).toEqual(there.toSorted());
});
