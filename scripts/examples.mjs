// Applies every example to the embedded service, in two versions: validate, plan and apply it, and plan it again, without changes.

import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { cleanEnv, linkform, main, ROOT, startSandbox } from "./processes.mjs";

const SOFTWARE = ["4.1", "4.9"];
const EXAMPLES = path.join(ROOT, "examples");

/** The variables that examples name. */
const SECRETS = { LINKFORM_SECRET_PREVIEW: "not-a-secret", LINKFORM_SECRET_STATS: "not-a-secret" };

await main(async () => {
  for (const example of readdirSync(EXAMPLES)) {
    // These are workflows, which test/ci runs.
    if (example === "ci" || example.includes(".")) continue;
    const folder = path.join(EXAMPLES, example);
    // Beside `linkform.yaml`, one for each environment.
    const projectFiles = readdirSync(folder).filter((file) => /^linkform.*\.yaml$/.test(file));
    if (projectFiles.length === 0) throw new Error(`${example} has no project file.`);
    for (const projectFile of projectFiles)
      for (const software of SOFTWARE) await tryProject(folder, projectFile, software);
  }
});

/** `linkform.NAME.yaml` begins with the state of `sandbox.NAME.json` or `sandbox.json`, if there is one. */
async function tryProject(folder, projectFile, software) {
  const names = [projectFile.replace(/^linkform(.*)\.yaml$/, "sandbox$1.json"), "sandbox.json"];
  const seed = names.map((name) => path.join(folder, name)).find(existsSync);
  const { url, apiKey } = await startSandbox({ software, seed });
  const online = ["--config", projectFile, "--base-url", url];
  const step = async (args, env, expected) => {
    const { code, out, err } = await linkform(args, folder, { ...cleanEnv, ...env });
    const about = `${path.relative(ROOT, folder)}/${projectFile} (${software}): linkform ${args.join(" ")}`;
    if (code !== 0 || !`${err}${out}`.includes(expected))
      throw new Error(`✗ ${about}\n  exit ${code}, expected 0 and "${expected}":\n\n${err}${out}`);
    console.log(`✓ ${about}`);
  };
  const env = { ...SECRETS, LINKFORM_API_KEY: apiKey };
  await step(["validate", "--config", projectFile], {}, "Valid:");
  await step(["plan", ...online], env, "Plan:");
  await step(["apply", "--yes", "--record", "none", ...online], env, ". Verified.");
  await step(["plan", "--detailed-exitcode", ...online], env, "No changes.");
}
