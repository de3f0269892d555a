// The linter of CI refuses imports against the order of the folders, and the project does not grow. Fails if an override of the lint
// configuration no longer matches, so that wrong imports are not found.

import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { groupBy } from "../src/domain/collections.ts";
import { run } from "./support/program.ts";
import { temporaryFolder } from "./support/scenario.ts";

type Import = readonly [file: string, imported: string];

/** The folders of `src` from the top down. A folder may import those below it, except as in `ONLY`. */
const FOLDERS = [
  ["cli", "library"],
  ["import", "init"],
  ["pull"],
  ["undo", "explain", "inspect", "check"],
  ["session"],
  ["record"],
  ["report"],
  ["edit", "apply"],
  ["config", "plan", "service", "forge"],
  ["http", "files"],
  ["domain"],
] as const;

type Folder = (typeof FOLDERS)[number][number];

function levelOf(folder: Folder): number {
  return FOLDERS.findIndex((level) => level.some((one) => one === folder));
}

/** The folders from the level of this one down. */
function from(folder: Folder): readonly Folder[] {
  return FOLDERS.slice(levelOf(folder)).flat();
}

/** The imports of folders that may not import everything below them. */
const ONLY: Partial<Readonly<Record<Folder, readonly Folder[]>>> = {
  library: from("session"),
  import: ["pull", ...from("session")],
  init: ["pull", ...from("session")],
  pull: ["undo", ...from("session")],
  check: ["session", "report", "config", "http", "files", "domain"],
  record: ["report", "apply", "plan", "config", "files", "domain"],
  report: ["edit", "apply", "domain"],
  edit: ["config", "domain"],
  apply: ["plan", "service", "domain"],
  config: ["files", "domain"],
  plan: ["domain"],
  service: ["http", "domain"],
  forge: ["http", "domain"],
};

const ALL: readonly Folder[] = FOLDERS.flat();

function allowedIn(folder: Folder): readonly Folder[] {
  return ONLY[folder] ?? FOLDERS.slice(levelOf(folder) + 1).flat();
}

const REFUSED: readonly Import[] = [
  ...ALL.flatMap((folder) =>
    [...ALL, "sandbox"]
      .filter((other) => other !== folder && !allowedIn(folder).some((one) => one === other))
      .map((other): Import => [`src/${folder}/a.ts`, `../${other}/a.ts`]),
  ),
  ...ALL.filter((folder) => folder !== "files").flatMap((folder): Import[] => [
    [`src/${folder}/a.ts`, "node:fs"],
    [`src/${folder}/a.ts`, "node:fs/promises"],
  ]),
  ["src/domain/a.ts", "../errors.ts"],
  ["src/report/markdown/a.ts", "../../service/service.ts"],
  ["src/config/lint/a.ts", "../../plan/plan.ts"],
  ["src/session/a.ts", "../cli.ts"],
  ["src/cli/sandbox.ts", "../service/service.ts"],
  ["src/cli/sandbox.ts", "node:fs"],
  ["src/cli.ts", "fs/promises"],
  ["src/index.ts", "./sandbox/index.ts"],
  ["src/index.ts", "./cli/plan.ts"],
  ["src/sandbox/a.ts", "../domain/fold.ts"],
  ["src/sandbox/a.ts", "../errors.ts"],
  ["src/errors.ts", "./domain/table.ts"],
];

/** The linter's reports about a tree with only these imports, each on a separate line. */
async function lint(imports: readonly Import[]): Promise<string[]> {
  const folder = await temporaryFolder();
  await symlink(path.resolve("node_modules"), path.join(folder, "node_modules"));
  for (const [file, ofFile] of groupBy(imports, ([name]) => name)) {
    const lines = ofFile.map(([, imported], at) => `import { thing as thing${at} } from "${imported}";\n`);
    const uses = ofFile.map((_, at) => `export const other${at} = thing${at};\n`);
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), [...lines, ...uses].join(""));
  }
  // Without the rules that need types, because this tree has none.
  const config = JSON.parse(await readFile(".oxlintrc.json", "utf8"));
  await writeFile(path.join(folder, ".oxlintrc.json"), JSON.stringify({ ...config, options: {} }));
  const linter = path.resolve("node_modules/.bin/oxlint");
  const { out } = await run(linter, ["--deny-warnings", "-f", "unix"], folder, {});
  return out.split("\n").filter((line) => line !== "");
}

it("docs/architecture.md lists the folders of `src` from the top down", async () => {
  const page = await readFile("docs/architecture.md", "utf8");
  const rows = [...page.matchAll(/^\| (\d+) +\| `(\w+)`/gm)].map(([, level, folder]) => [Number(level), folder]);
  expect(rows).toEqual(FOLDERS.flatMap((level, at) => level.map((folder) => [at + 1, folder])));
});

it("an import in the wrong direction is refused", async () => {
  const reports = (await lint(REFUSED)).filter((report) => report.includes("no-restricted-imports"));
  const passed = [...groupBy(REFUSED, ([file]) => file)].flatMap(([file, ofFile]) =>
    ofFile.filter((_, at) => !reports.some((report) => report.startsWith(`${file}:${at + 1}:`))),
  );
  expect(passed).toEqual([]);
});

/** The most lines and bytes of each part of the project. These numbers may only decrease. */
const CEILINGS = [
  { of: ["src"], lines: 41_189, bytes: 1_924_524 },
  { of: ["action", "scripts", "templates"], lines: 2_933, bytes: 140_027 },
  { of: ["test"], lines: 57_124, bytes: 2_773_424 },
] as const;

it.each(CEILINGS)("$of have at most $lines lines and $bytes bytes", async ({ of, lines, bytes }) => {
  const found = await Promise.all(of.map((folder) => readdir(folder, { recursive: true, withFileTypes: true })));
  const texts = await Promise.all(
    found
      .flat()
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => path.join(parentPath, name))
      // Recordings of the service are evidence.
      .filter((file) => !file.startsWith("test/contract/transcripts"))
      .map((file) => readFile(file)),
  );
  const all = Buffer.concat(texts);
  expect(all.length).toBeLessThanOrEqual(bytes);
  expect(all.reduce((count, byte) => count + (byte === 10 ? 1 : 0), 0)).toBeLessThanOrEqual(lines);
});
