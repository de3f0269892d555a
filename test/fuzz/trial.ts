// One damaged project: what `validate` reports, and `fmt`. Runs outside of Vitest, in a worker.

import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { loadProject, type Loaded } from "../../src/config/load.ts";
import { hasErrors, type Diagnostic } from "../../src/domain/diagnostic.ts";
import { isAboutSending } from "../../src/domain/rules.ts";
import { formatText } from "../../src/edit/format.ts";
import { diagnosticsText } from "../../src/report/text/blocks.ts";
import { PLAIN } from "../../src/report/text/screen.ts";
import { Random } from "../support/random.ts";
import { damaged } from "./damage.ts";

const NOW = "2026-11-21T12:00:00Z";

/** The projects of examples and fixtures, which are damaged. */
export async function findBases(): Promise<string[]> {
  const found: string[] = [];
  for (const root of ["examples", "test/fixtures/config/invalid", "test/fixtures/plans", "test/fuzz/projects"])
    for (const name of (await readdir(root)).toSorted())
      for (const folder of [path.join(root, name), path.join(root, name, "now")]) {
        const names: string[] = await readdir(folder).catch(() => []);
        if (names.includes("linkform.yaml")) found.push(folder);
      }
  return found;
}

/** Runs the trial of a seed. Throws an error that says what went wrong. Returns the commands that succeeded. */
export async function runTrial(seed: number, bases: readonly string[]): Promise<string[]> {
  const random = new Random(seed);
  const folder = await mkdtemp(path.join(tmpdir(), "linkform-fuzz-"));
  try {
    await cp(random.pick(bases), folder, { recursive: true });
    const files = (await readdir(folder, { recursive: true }))
      .filter((name) => /\.(?:yaml|json)$/.test(name))
      .toSorted();
    const [file, other] = [random.pick(files), random.pick(files)];
    const read = (name: string): Promise<Buffer> => readFile(path.join(folder, name));
    await writeFile(path.join(folder, file), damaged(await read(file), await read(other), random));
    const kept = process.env["LINKFORM_FUZZ_KEEP"];
    if (kept !== undefined) await cp(folder, kept, { recursive: true });
    const loaded = await checkLoad(path.join(folder, "linkform.yaml"));
    const done = loaded.project === null ? [] : ["validate"];
    if (await isFormatted(folder, loaded)) done.push("fmt");
    return done;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Loads a project and checks the promises about its diagnostics. */
async function checkLoad(file: string): Promise<Loaded> {
  const loaded = await loadProject(file, NOW);
  const { project, diagnostics, texts } = loaded;
  const decisive = diagnostics.filter((one) => !isAboutSending(one));
  if ((project === null) !== hasErrors(decisive)) throw new Error("A project is missing without an error.");
  for (const diagnostic of diagnostics) checkPlace(diagnostic, texts);
  const printed = diagnosticsText(diagnostics, PLAIN);
  // oxlint-disable-next-line no-control-regex -- these must not be printed
  const raw = /[\0-\x08\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069]/.exec(printed);
  if (raw !== null) throw new Error(`Printed U+${raw[0].charCodeAt(0).toString(16)}: ${JSON.stringify(printed)}`);
  return loaded;
}

/** Every finding names a line and column that exist. */
function checkPlace(diagnostic: Diagnostic, texts: ReadonlyMap<string, string>): void {
  const { place, message, also = [] } = diagnostic;
  if (message === "" || /\[object|\bundefined\b/.test(message)) throw new Error(`Wrong message: ${message}`);
  if (place === null) throw new Error(`No place: ${message}`);
  for (const { file, line, column } of [place, ...also.map((one) => one.place)]) {
    const read = texts.get(file);
    // The text of a file that is not UTF-8 is not read.
    if (read === undefined && line >= 1 && column >= 1) continue;
    const lines = (read ?? "").replace(/^\uFEFF/, "").split("\n");
    const text = lines[line - 1];
    if (text === undefined || column < 1 || column > text.length + 1)
      throw new Error(`No such place: ${file}:${line}:${column} of ${message}`);
  }
}

/** Formats every file. Returns whether that succeeded, and throws if a second run or the meaning differs. */
async function isFormatted(folder: string, loaded: Loaded): Promise<boolean> {
  const { project, texts } = loaded;
  let isComplete = true;
  for (const [file, text] of [...texts].filter(([name]) => name.endsWith(".yaml"))) {
    const formatted = formatText(text, file);
    if ("problems" in formatted) {
      isComplete = false;
      for (const problem of formatted.problems) checkPlace(problem, texts);
      continue;
    }
    const again = formatText(formatted.text, file);
    if ("problems" in again || again.text !== formatted.text) throw new Error(`Formatted twice, ${file} differs.`);
    await writeFile(path.join(folder, file), formatted.text);
  }
  if (project === null) return false;
  const { project: after, diagnostics } = await loadProject(path.join(folder, "linkform.yaml"), NOW);
  if (meaningOf(after) !== meaningOf(project))
    throw new Error(`Formatting changed the meaning.\n${diagnosticsText(diagnostics, PLAIN)}`);
  return isComplete;
}

/** A value without its places, as text. The order of entries has no meaning. */
function meaningOf(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (part instanceof Map || part instanceof Set) return [...part].map(meaningOf).toSorted();
    return isPlace(part) ? undefined : part;
  });
}

function isPlace(value: unknown): boolean {
  return typeof value === "object" && value !== null && "line" in value && "column" in value;
}
