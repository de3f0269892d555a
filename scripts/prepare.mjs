// Builds dist/ where npm needs it and it is not there: after `npm ci`, and where the package is installed from its repository,
// as pre-commit does. npm hands a global installation down to this checkout, where it then leaves out what builds.

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";

if (!existsSync("dist/cli.js")) {
  const run = (command, ...args) =>
    execFileSync(command, args, { stdio: ["ignore", 2, 2], shell: process.platform === "win32" });
  if (!existsSync("node_modules/esbuild")) run("npm", "ci", "--global=false", "--include=dev", "--ignore-scripts");
  run(process.execPath, "scripts/build.mjs");
}
