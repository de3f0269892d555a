// Applies every example to the embedded service, in both versions of its software: each must end with "No changes".

import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { cleanEnv, linkform, main, ROOT, scratchFolder, startSandbox } from "./processes.mjs";

const SOFTWARE = ["4.1", "4.9"];

const scratch = await scratchFolder();
await main(async () => {
  for (const example of await folders(path.join(ROOT, "examples"))) {
    for (const projectFile of await projectFiles(example)) {
      for (const software of SOFTWARE) await tryProject(example, projectFile, software);
    }
  }
});

/** But for `ci`, which holds workflows: test/ci tries them. */
async function folders(parent) {
  const entries = await readdir(parent, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory() && entry.name !== "ci")
    .map(({ name }) => path.join(parent, name));
}

async function yamlFiles(example) {
  const files = await readdir(example, { recursive: true });
  return files.filter((file) => file.endsWith(".yaml")).toSorted();
}

/** `linkform.yaml`, and one more for each environment. */
async function projectFiles(example) {
  const found = (await yamlFiles(example)).filter((file) => /^linkform[^/\\]*$/.test(file));
  if (found.length === 0) throw new Error(`${path.relative(ROOT, example)} has no project file.`);
  return found;
}

/** validate, plan, apply, plan: the second plan must be empty, and neither plan may have changed anything. */
async function tryProject(example, projectFile, software) {
  const shown = `${path.join(path.relative(ROOT, example), projectFile)} (${software})`;
  const data = path.join(scratch, `${path.basename(example)}-${projectFile}-${software}.json`);
  const secrets = await dummySecrets(example);
  const sandbox = await startFor(example, projectFile, data, software);
  const env = { ...cleanEnv, ...secrets, LINKFORM_API_KEY: sandbox.apiKey };
  const online = ["--config", projectFile, "--base-url", sandbox.url];
  const step = async (args, runEnv, expected) => {
    const { code, out, err } = await linkform(args, example, runEnv);
    const output = err + out;
    const command = `linkform ${args.join(" ")}`;
    if (code !== 0 || !output.includes(expected)) {
      throw new Error(`✗ ${shown}: ${command}\n  exit ${code}, expected 0 and "${expected}":\n\n${output}`);
    }
    console.log(`✓ ${shown}: ${args[0]}, "${lastLine(output)}"`);
  };
  const unwritten = async (makePlan) => {
    const before = await readFile(data, "utf8");
    await makePlan();
    if ((await readFile(data, "utf8")) !== before) throw new Error(`✗ ${shown}: plan has changed the account.`);
  };
  try {
    await step(["validate", "--config", projectFile], cleanEnv, "Valid:");
    await unwritten(() => step(["plan", ...online], env, "Plan:"));
    await step(["apply", "--yes", ...online], env, ". Verified.");
    await unwritten(() => step(["plan", "--detailed-exitcode", ...online], env, "No changes."));
  } finally {
    await sandbox.stop();
  }
}

/** A password for every variable that the example names. */
async function dummySecrets(example) {
  const texts = await Promise.all((await yamlFiles(example)).map((file) => readFile(path.join(example, file), "utf8")));
  const names = texts.join("\n").match(/LINKFORM_SECRET_[A-Z0-9_]*[A-Z0-9]/g) ?? [];
  return Object.fromEntries(names.map((name) => [name, "not-a-real-secret"]));
}

/** The sandbox; `linkform.NAME.yaml` begins with the state of `sandbox.NAME.json` or `sandbox.json`, if there is one. */
async function startFor(example, projectFile, data, software) {
  const seeds = [projectFile.replace(/^linkform(.*)\.yaml$/, "sandbox$1.json"), "sandbox.json"];
  const files = await readdir(example);
  const seed = seeds.find((file) => files.includes(file));
  const args = ["--data", data, "--software", software];
  if (seed !== undefined) args.push("--seed", path.join(example, seed));
  return startSandbox(args, cleanEnv);
}

function lastLine(output) {
  return output.trimEnd().split("\n").at(-1);
}
