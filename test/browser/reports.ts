// Reports as files in a temporary folder, for the browser to open: real runs on the sandbox, those of test/fixtures/reports.

import { cp, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { onTestFinished } from "vitest";
import { apply } from "../../src/cli/apply.ts";
import { drift } from "../../src/cli/drift.ts";
import { plan, type PlanFlags } from "../../src/cli/plan.ts";
import { validate } from "../../src/cli/validate.ts";
import type { ApplyDocument } from "../../src/report/json/schema.ts";
import type { SandboxOptions } from "../../src/sandbox/index.ts";
import { manyChanges } from "../support/many.ts";
import { startSandbox } from "../support/sandbox.ts";
import { runIn, temporaryFolder, writeFiles } from "../support/scenario.ts";

const CASES = path.resolve("test/fixtures/reports");
const RUNS = { plan, apply, drift, validate };

export interface Reported {
  /** The address of the page. */
  readonly url: string;
  readonly file: string;
  /** The same run as JSON; without outcomes where nothing was applied. */
  readonly document: Pick<ApplyDocument, "changes" | "summary" | "diagnostics">;
}

/** Runs a case of test/fixtures/reports. */
export async function reportOf(name: string): Promise<Reported> {
  const folder = await temporaryFolder();
  await cp(path.join(CASES, name, "now"), folder, { recursive: true });
  const seed = JSON.parse(await readFile(path.join(CASES, name, "live.json"), "utf8").catch(() => "{}"));
  const [, command = ""] = (await readFile(path.join(CASES, name, "command.txt"), "utf8")).split("\n");
  return run(folder, seed, command.split(" ")[0] ?? "");
}

/** Plans so many changes; no brake holds them. */
export async function reportOfMany(count: number): Promise<Reported> {
  const folder = await temporaryFolder();
  const { files, seed } = manyChanges(count);
  await writeFiles(folder, files);
  return run(folder, seed, "plan", { allowDeletes: count, allowUpdates: count });
}

/** Plans these files for this account. */
export async function reportOfFiles(
  files: Readonly<Record<string, string>>,
  seed: SandboxOptions["seed"] = {},
  verb = "plan",
): Promise<Reported> {
  const folder = await temporaryFolder();
  await writeFiles(folder, files);
  return run(folder, seed, verb);
}

async function run(
  folder: string,
  seed: SandboxOptions["seed"],
  verb: string,
  allowances: Pick<PlanFlags, "allowDeletes" | "allowUpdates"> = {},
): Promise<Reported> {
  const sandbox = await startSandbox({ rateLimit: 0, seed: seed ?? {} });
  onTestFinished(() => sandbox.close());
  const isVerb = (word: string): word is keyof typeof RUNS => word in RUNS;
  if (!isVerb(verb)) throw new Error(`no run of \`${verb}\` is known`);
  const format = ["html=report.html", "json=report.json"];
  const env = { LINKFORM_API_KEY: sandbox.apiKey, LINKFORM_SECRET_PRESS: "for the press" };
  const flags = { format, quiet: true, yes: true, ...allowances, ...(verb !== "validate" && { baseUrl: sandbox.url }) };
  await runIn(folder, env, (world) => RUNS[verb](world, flags));
  const file = path.join(folder, "report.html");
  const document = JSON.parse(await readFile(path.join(folder, "report.json"), "utf8"));
  return { url: pathToFileURL(file).href, file, document };
}

/** The same page with this markup put where its text begins: as if a value had not been escaped. Returns its address. */
export async function broken({ file }: Reported, markup: string): Promise<string> {
  const target = path.join(path.dirname(file), "broken.html");
  const text = await readFile(file, "utf8");
  await writeFile(
    target,
    text.replace("<h1>", () => `${markup}<h1>`),
  );
  return pathToFileURL(target).href;
}
