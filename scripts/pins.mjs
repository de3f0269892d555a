// Checks that everything that runs in CI is pinned: actions by the hash of a commit with its version as a comment, images by digest.
// Reads the workflows, pipelines, examples, documents and Dockerfiles of a folder (default: this repository), and also reports jobs
// without a time limit or permissions, and checkouts that keep the token. The files hold the only copies of the pins, so that Dependabot
// can update them. `--compare` asks the repository of each action whether the version is this hash, which needs network.

import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { isMap, LineCounter, parseAllDocuments, visit } from "yaml";

const IGNORED = new Set([".git", "coverage", "dist", "node_modules", "test"]);
/** Names that readers replace, an input of the GitLab template, and an output of a job that is called image. */
const PLACEHOLDER = /^OWNER\/linkform@|^registry\.example\.com\/linkform:|^\$\[\[|^\$\{\{ steps\./;

const isCompared = process.argv.includes("--compare");
const [root = path.join(import.meta.dirname, ".."), ...others] = process.argv
  .slice(2)
  .filter((argument) => argument !== "--compare");
if (others.length > 0 || !existsSync(root)) {
  console.error("Usage: node scripts/pins.mjs [FOLDER] [--compare]");
  process.exit(64);
}
const problems = [];
/** For each action and image: its pins, each with the first place that has it. */
const pins = new Map();

for (const file of filesIn(root)) checkFile(path.relative(root, file), readFileSync(file, "utf8"));
for (const [name, places] of pins)
  if (places.size > 1)
    problems.push(`${name} has different pins: ${[...places].map(([pin, place]) => `${pin} (${place})`).join(", ")}.`);
if (isCompared && problems.length === 0) compare();

for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else console.log(`✓ ${pins.size} actions and images are pinned`);

function filesIn(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !IGNORED.has(name))
    .flatMap((entry) => (entry.isDirectory() ? filesIn(path.join(folder, entry.name)) : path.join(folder, entry.name)))
    .filter((file) => /\.(?:ya?ml|md)$|Dockerfile$/.test(file));
}

function checkFile(file, text) {
  if (/\.ya?ml$/.test(file)) checkYaml(text, (line) => `${file}:${line}`);
  if (file.endsWith("Dockerfile")) checkDockerfile(text, (line) => `${file}:${line}`);
  for (const { index, 2: block } of file.endsWith(".md") ? text.matchAll(/^( *)```ya?ml\n([^]*?)^\1```$/gm) : []) {
    const before = text.slice(0, index).split("\n").length;
    checkYaml(block, (line) => `${file}:${before + line}`);
  }
}

function checkYaml(text, placeOf) {
  const lineCounter = new LineCounter();
  const at = ({ range }) => placeOf(lineCounter.linePos(range[0]).line);
  for (const document of parseAllDocuments(text, { lineCounter })) {
    visit(document, {
      Pair(_, { key, value }) {
        if (key.value === "uses") checkAction(value, at(key));
        const image = isMap(value) ? (value.get("image") ?? value.get("name")) : value?.value;
        if (["container", "image"].includes(key.value) && typeof image === "string") checkImage(image, at(key));
      },
    });
    if (isMap(document.get("jobs"))) checkWorkflow(document, at);
  }
}

function checkAction({ value, comment }, place) {
  if (value.startsWith("./") || PLACEHOLDER.test(value)) return;
  const [name, hash] = value.split("@");
  if (/^[0-9a-f]{40}$/.test(hash) && /^ v\d+\.\d+\.\d+$/.test(comment ?? ""))
    addPin(name, `${hash} #${comment}`, place);
  else problems.push(`${place}: ${value} is not pinned. Use the hash of a commit with its version: @<hash> # v1.2.3`);
}

function checkImage(image, place) {
  if (PLACEHOLDER.test(image)) return;
  const [name, digest] = image.split("@");
  if (/^sha256:[0-9a-f]{64}$/.test(digest)) addPin(name, digest, place);
  else problems.push(`${place}: The image ${image} is not pinned. Use its digest: ${name}@sha256:<digest>`);
}

/** A stage can also start from another stage. */
function checkDockerfile(text, placeOf) {
  const stages = new Set();
  for (const [index, line] of text.split("\n").entries()) {
    const [, image, stage] = /^FROM +(?:--\S+ +)*(\S+)(?: +AS +(\S+))?/i.exec(line) ?? [];
    if (image !== undefined && !stages.has(image)) checkImage(image, placeOf(index + 1));
    stages.add(stage);
  }
}

function addPin(name, pin, place) {
  const places = pins.get(name) ?? new Map();
  pins.set(name, places.set(pin, places.get(pin) ?? place));
}

function checkWorkflow(workflow, at) {
  const permissions = workflow.get("permissions");
  if (!isMap(permissions) || permissions.items.some(({ value }) => value.value !== "read"))
    problems.push(`${at(workflow.contents)}: The workflow needs \`permissions\` without write access, such as {}.`);
  for (const { key, value: job } of workflow.get("jobs").items) {
    const has = (name) => job.has(name);
    if (!has("permissions")) problems.push(`${at(key)}: The job ${key.value} needs \`permissions\`.`);
    // GitHub allows no time limit for a job that calls a workflow.
    if (!has("timeout-minutes") && !has("uses"))
      problems.push(`${at(key)}: The job ${key.value} needs \`timeout-minutes\`.`);
    for (const step of job.get("steps")?.items ?? [])
      if (step.get("uses")?.startsWith("actions/checkout@") && step.getIn(["with", "persist-credentials"]) !== false)
        problems.push(`${at(step)}: The checkout needs \`persist-credentials: false\`.`);
  }
}

/** Compares with the tags of the repositories. A signed tag is an object beside its commit, which `git ls-remote` lists with the suffix ^{}. */
function compare() {
  for (const [name, places] of pins) {
    const [[pin, place]] = places;
    const [hash, version] = pin.split(" # ");
    if (version === undefined) continue;
    const repository = `https://github.com/${name.split("/").slice(0, 2).join("/")}`;
    const options = { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] };
    const { stdout, status } = spawnSync("git", ["ls-remote", repository, `refs/tags/${version}*`], options);
    if (status !== 0) problems.push(`${place}: The tags of ${repository} could not be read.`);
    const found = new Map(stdout.split("\n").map((line) => line.split("\t").toReversed()));
    const commit = found.get(`refs/tags/${version}^{}`) ?? found.get(`refs/tags/${version}`);
    if (status === 0 && commit !== hash)
      problems.push(`${place}: ${name} ${version} is ${commit ?? "no tag"}, not ${hash}.`);
  }
}
