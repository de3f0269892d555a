// The rules of the house are in force: a file that breaks one is refused by the linter that CI runs. Fails if an override
// of the lint configuration stops matching, so that imports could run the other way unnoticed; and if a test file is run by
// no command, or by two.

import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { groupBy } from "../src/domain/collections.ts";
import { temporaryFolder } from "./support/scenario.ts";

const run = promisify(execFile);

type Import = readonly [file: string, imported: string];

/** The rooms of `src` from the top down: a room may import those below it, but for the exceptions. */
const ROOMS = [
  ["cli", "library"],
  ["import", "init"],
  ["pull"],
  ["undo", "explain", "inspect"],
  ["session"],
  ["record"],
  ["report"],
  ["edit", "apply"],
  ["config", "plan", "service", "forge"],
  ["http", "files"],
  ["domain"],
] as const;

type Room = (typeof ROOMS)[number][number];

function levelOf(room: Room): number {
  return ROOMS.findIndex((level) => level.some((one) => one === room));
}

/** The rooms from this one's level down. */
function from(room: Room): readonly Room[] {
  return ROOMS.slice(levelOf(room)).flat();
}

/** What a room may import if that is not all that is below it. */
const ONLY: Partial<Readonly<Record<Room, readonly Room[]>>> = {
  library: from("session"),
  import: ["pull", ...from("session")],
  init: ["pull", ...from("session")],
  pull: ["undo", ...from("session")],
  record: ["report", "apply", "plan", "config", "files", "domain"],
  report: ["edit", "apply", "domain"],
  edit: ["config", "domain"],
  apply: ["plan", "service", "domain"],
  config: ["files", "domain"],
  plan: ["domain"],
  service: ["http", "domain"],
  forge: ["http", "domain"],
};

const ALL: readonly Room[] = ROOMS.flat();

function allowedIn(room: Room): readonly Room[] {
  return ONLY[room] ?? ROOMS.slice(levelOf(room) + 1).flat();
}

const REFUSED: readonly Import[] = [
  ...ALL.flatMap((room) =>
    [...ALL, "sandbox"]
      .filter((other) => other !== room && !allowedIn(room).some((one) => one === other))
      .map((other): Import => [`src/${room}/a.ts`, `../${other}/a.ts`]),
  ),
  ...ALL.filter((room) => room !== "files").flatMap((room): Import[] => [
    [`src/${room}/a.ts`, "node:fs"],
    [`src/${room}/a.ts`, "node:fs/promises"],
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

const ALLOWED: readonly Import[] = [
  ...ALL.flatMap((room) => allowedIn(room).map((other): Import => [`src/${room}/a.ts`, `../${other}/a.ts`])),
  ["src/report/markdown/a.ts", "../change.ts"],
  ["src/report/markdown/a.ts", "../text/screen.ts"],
  ["src/config/lint/a.ts", "../../domain/table.ts"],
  ["src/config/lint/a.ts", "../labels.ts"],
  ["src/cli/sandbox.ts", "../sandbox/index.ts"],
  ["src/index.ts", "./library/plan.ts"],
  ["src/files/a.ts", "node:fs"],
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

it("every test file is run by exactly one of `npm test`, `test:full` and `test:browser`", async () => {
  const { scripts } = JSON.parse(await readFile("package.json", "utf8"));
  const vitest = path.resolve("node_modules/.bin/vitest");
  const listed = await Promise.all(
    ["test", "test:full", "test:browser"].map(async (name) => {
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

/** The lines and bytes that the parts of the project have at most. These numbers only go down. */
const CEILINGS = [
  { of: ["src"], lines: 53_391, bytes: 2_379_951 },
  { of: ["action", "scripts", "templates"], lines: 3_277, bytes: 151_006 },
  { of: ["test"], lines: 76_554, bytes: 3_556_203 },
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
