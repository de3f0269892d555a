// Applies every example to the embedded service, in two versions: validate, plan and apply it, and plan it again, without changes.

import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { cleanEnv, linkform, main, ROOT, startSandbox } from "./processes.mjs";

const SOFTWARE = ["4.1", "4.9"];
const EXAMPLES = path.join(ROOT, "examples");

await main(async () => {
  for (const example of await readdir(EXAMPLES)) {
    // These are workflows, which test/ci runs.
    if (example === "ci" || example.includes(".")) continue;
    const folder = path.join(EXAMPLES, example);
    const files = await readdir(folder, { recursive: true });
    // Beside `linkform.yaml`, one for each environment.
    const projectFiles = files.filter((file) => /^linkform[^/\\]*\.yaml$/.test(file));
    if (projectFiles.length === 0) throw new Error(`${example} has no project file.`);
    for (const projectFile of projectFiles)
      for (const software of SOFTWARE) await tryProject(folder, files, projectFile, software);
  }
});

/** `linkform.NAME.yaml` begins with the state of `sandbox.NAME.json` or `sandbox.json`, if there is one. */
async function tryProject(folder, files, projectFile, software) {
  const seeds = [projectFile.replace(/^linkform(.*)\.yaml$/, "sandbox$1.json"), "sandbox.json"];
  const seed = seeds.find((file) => files.includes(file));
  const seeded = seed === undefined ? [] : ["--seed", path.join(folder, seed)];
  const sandbox = await startSandbox(["--software", software, ...seeded], cleanEnv);
  const env = { ...cleanEnv, ...(await dummySecrets(folder, files)), LINKFORM_API_KEY: sandbox.apiKey };
  const online = ["--config", projectFile, "--base-url", sandbox.url];
  const step = async (args, runEnv, expected) => {
    const { code, out, err } = await linkform(args, folder, runEnv);
    const about = `${path.relative(ROOT, folder)}/${projectFile} (${software}): linkform ${args.join(" ")}`;
    if (code !== 0 || !`${err}${out}`.includes(expected))
      throw new Error(`✗ ${about}\n  exit ${code}, expected 0 and "${expected}":\n\n${err}${out}`);
    console.log(`✓ ${about}`);
  };
  try {
    await step(["validate", "--config", projectFile], cleanEnv, "Valid:");
    await step(["plan", ...online], env, "Plan:");
    await step(["apply", "--yes", "--record", "none", ...online], env, ". Verified.");
    await step(["plan", "--detailed-exitcode", ...online], env, "No changes.");
  } finally {
    await sandbox.stop();
  }
}

/** A password for every variable that the example names. */
async function dummySecrets(folder, files) {
  const yaml = files.filter((file) => file.endsWith(".yaml"));
  const texts = await Promise.all(yaml.map((file) => readFile(path.join(folder, file), "utf8")));
  const names = texts.join("\n").match(/LINKFORM_SECRET_[A-Z0-9_]*[A-Z0-9]/g) ?? [];
  return Object.fromEntries(names.map((name) => [name, "not-a-real-secret"]));
}
