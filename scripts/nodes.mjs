// Runs the build and the tests with each line of Node that is supported, one after the other, and ends with a table. Takes what
// vitest takes, such as the tests to run; NODE_VERSIONS names other versions, and --list only prints them.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { main, ROOT, scratchFolder } from "./processes.mjs";

/** The oldest that package.json allows, and the newest of each line. */
const SUPPORTED = ["20.19.0", "22", "24", "26"];

const versions = process.env.NODE_VERSIONS?.split(" ") ?? SUPPORTED;
const given = process.argv.slice(2);
const folder = await scratchFolder();
await main(async () => {
  if (given.includes("--list")) return console.log(versions.join(" "));
  const rows = [];
  for (const version of versions) rows.push(await runWith(version));
  console.log(`\n${table([["Node", "files", "passed", "failed", "not run", "seconds"], ...rows])}`);
  if (rows.some(([, , passed, failed, left]) => passed === 0 || failed + left > 0)) process.exitCode = 1;
});

/** Builds and tests with a version from the registry; returns a row of the table. */
async function runWith(wanted) {
  const [version = wanted] = (await node(wanted, "--print", "process.version")).match(/v\d+\.\d+\.\d+/) ?? [];
  console.log(`\n== Node ${version}`);
  const results = path.join(folder, `${version}.json`);
  const began = performance.now();
  await node(wanted, "scripts/build.mjs");
  await node(wanted, "node_modules/vitest/vitest.mjs", "run", "--reporter=json", `--outputFile=${results}`, ...given);
  const seconds = Math.round((performance.now() - began) / 1000);
  const { numPassedTests, numPendingTests, testResults } = JSON.parse(await readFile(results, "utf8"));
  const failed = testResults.flatMap(failures);
  for (const name of failed) console.log(`✗ ${name}`);
  console.log(`${numPassedTests} passed in ${seconds} s`);
  return [version, testResults.length, numPassedTests, failed.length, numPendingTests, seconds];
}

/** The tests of a file that failed, by name; a file that could not even be loaded counts for one. */
function failures({ name, status, message, assertionResults }) {
  const file = path.relative(ROOT, name);
  if (status === "failed" && assertionResults.length === 0) return [`${file}: ${message}`];
  return assertionResults.flatMap((test) => (test.status === "failed" ? [`${file}: ${test.fullName}`] : []));
}

/** Runs Node in this version to its end and returns what it printed; whether the tests passed, their results say. */
async function node(version, ...args) {
  const command = ["--yes", "--package", `node@${version}`, "--", "node", ...args];
  const child = spawn("npx", command, { cwd: ROOT, stdio: ["ignore", "pipe", "inherit"] });
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (text) => (out += text));
  await once(child, "close");
  return out;
}

function table(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => String(row[column]).length)));
  return rows.map((row) => row.map((cell, column) => String(cell).padStart(widths[column])).join("  ")).join("\n");
}
