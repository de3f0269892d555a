// Runs the build and the tests with each line of Node that is supported, one after the other. Takes what vitest takes, such as the tests
// to run; NODE_VERSIONS names other versions, and --list only prints them.

import { spawnSync } from "node:child_process";
import { ROOT } from "./processes.mjs";

/** The oldest that package.json allows, and the newest of each line. */
const SUPPORTED = ["20.19.0", "22", "24", "26"];

const versions = process.env.NODE_VERSIONS?.split(" ") ?? SUPPORTED;
const given = process.argv.slice(2);
if (given.includes("--list")) console.log(versions.join(" "));
else {
  const failed = versions.filter((version) => !succeeds(version));
  console.log(failed.length === 0 ? `\n✓ Node ${versions.join(", ")}` : `\n✗ Node ${failed.join(", ")}`);
  if (failed.length > 0) process.exitCode = 1;
}

/** Whether the build and all tests succeed with a version from the registry. */
function succeeds(version) {
  console.log(`\n== Node ${version}`);
  const node = (...args) =>
    spawnSync("npx", ["--yes", "--package", `node@${version}`, "--", "node", ...args], { cwd: ROOT, stdio: "inherit" });
  const tests = ["node_modules/vitest/vitest.mjs", "run", "--passWithNoTests=false", ...given];
  return node("--version").status === 0 && node("scripts/build.mjs").status === 0 && node(...tests).status === 0;
}
