// The folders of src/ and what each of them imports, read from the real imports.

import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

const ROOT = "src";
/** Static and dynamic imports of our own files, types included. */
const IMPORT = /\b(?:from|import)\s*\(?\s*"(\.[^"]+)"/g;

/** What each folder, or file beside the folders, contains. */
export const CONTENTS = {
  "cli.ts": "The entry point. Prints the version, or runs the program",
  "index.ts": "The exports of the package",
  cli: "The program: the command tree, flags",
  library: "The functions of the package",
  import: "Turns a spreadsheet into resource files",
  init: "Writes a new project: its file, an example, workflows",
  pull: "Writes the live state into resource files, keeping comments and order",
  undo: "The plan that reverts a run",
  explain: "Where a visitor of a short URL goes, and why",
  inspect: "`list` and `show`",
  session: "What every command needs: the project, the connection, the account, output, prompts, progress, records",
  record: "Writes and reads saved plans and records of runs, and compares a saved plan with a fresh one",
  report: "What a report says, as a JSON document and as blocks, and a folder for each format that draws the blocks",
  edit: "Changes YAML text, keeping comments and order",
  apply: "Executes a plan: order, recent reads, verification",
  plan: "Compares both sides and plans the changes. No I/O and no clock",
  config: "Turns files into the desired state, with every mistake at once. `lint/` has the rules",
  service: "The API of the service: forms, lists, pace, retries. A Reader that cannot write, and a Writer",
  forge: "The API of GitHub and GitLab: comments and issues",
  http: "One request and its response: connections, proxies, redaction",
  files: "Opens every file. No path leaves the project folder",
  domain: "Types and pure functions: the field table, values, keys, dates",
  "errors.ts": "User errors, service errors, exit codes",
  "version.ts": "The version of the package",
  sandbox: "An imitation of the service that shares no code with the rest",
};

/** The folders that each folder imports, with only those of its own level or below it. */
export async function folderImports() {
  const imports = new Map(Object.keys(CONTENTS).map((name) => [name, new Set()]));
  const entries = await readdir(ROOT, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((one) => one.isFile() && one.name.endsWith(".ts"))) {
    const file = path.join(entry.parentPath, entry.name);
    const from = folderOf(file);
    if (!imports.has(from)) throw new Error(`scripts/imports.mjs does not say what src/${from} contains.`);
    for (const [, imported] of (await readFile(file, "utf8")).matchAll(IMPORT)) {
      const to = folderOf(path.join(path.dirname(file), imported));
      if (to !== from) imports.get(from).add(to);
    }
  }
  const used = [...imports].filter(([name, targets]) => targets.size > 0 || isImported(imports, name));
  const unknown = Object.keys(CONTENTS).filter((name) => !used.some(([one]) => one === name));
  if (unknown.length > 0)
    throw new Error(`scripts/imports.mjs describes what src/ does not have: ${unknown.join(", ")}.`);
  return imports;
}

/** The imports without those that follow from others: `a → c` is left out if there is `a → b → c`. */
export function reduced(imports) {
  const reaches = (from, to) => [...imports.get(from)].some((next) => next === to || reaches(next, to));
  return new Map(
    [...imports].map(([from, targets]) => [
      from,
      [...targets].filter((to) => ![...targets].some((other) => other !== to && reaches(other, to))),
    ]),
  );
}

function folderOf(file) {
  return path.relative(ROOT, file).split(path.sep)[0];
}

function isImported(imports, name) {
  return [...imports.values()].some((targets) => targets.has(name));
}
