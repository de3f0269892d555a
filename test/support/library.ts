// A sandbox and a project folder for tests that use the library as other programs do.

import { loadProject, type Plan, createPlan, readLive, type LoadOptions, type Project } from "../../src/index.ts";
import type { Sandbox, SandboxOptions } from "../../src/sandbox/index.ts";
import { sandboxFor } from "./sandbox.ts";
import { temporaryFolder, writeFiles } from "./scenario.ts";

/** A folder with a project for this service: the required lines, then these. */
export async function folderFor(sandbox: Sandbox, lines: string): Promise<string> {
  const folder = await temporaryFolder();
  await writeFiles(folder, { "linkform.yaml": `version: 1\nservice: { base_url: "${sandbox.url}" }\n${lines}` });
  return folder;
}

/** Loads a project without errors. */
export async function loaded(folder: string, options?: LoadOptions): Promise<Project> {
  const { project, diagnostics } = await loadProject(folder, options);
  if (project === null) throw new Error(JSON.stringify(diagnostics));
  return project;
}

/** A project with these lines, and its service. */
export async function opened(
  lines: string,
  options: SandboxOptions = {},
): Promise<{ readonly sandbox: Sandbox; readonly apiKey: string; readonly project: Project }> {
  const sandbox = await sandboxFor(options);
  return { sandbox, apiKey: sandbox.apiKey, project: await loaded(await folderFor(sandbox, lines)) };
}

/** Reads and plans. */
export async function planFor(sandbox: Sandbox, project: Project): Promise<Plan> {
  return createPlan(project, await readLive(project, { apiKey: sandbox.apiKey }));
}
