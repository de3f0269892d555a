// Builds dist/ where npm needs it and it is not there: after `npm ci`, and where the package is installed from its repository,
// as pre-commit does. npm passes a global installation down to this checkout, where it then leaves out what builds.

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, realpathSync, unlinkSync } from "node:fs";
import path from "node:path";

const OPTIONS = { stdio: ["ignore", "pipe", 2], shell: process.platform === "win32", encoding: "utf8" };
const run = (command, ...args) => execFileSync(command, args, OPTIONS).trim();

if (!existsSync("dist/cli.js")) {
  if (!existsSync("node_modules/esbuild")) run("npm", "ci", "--global=false", "--include=dev", "--ignore-scripts");
  run(process.execPath, "scripts/build.mjs");
}

// `npm install --global git+…` links this clone in its cache as the global package, and later unpacks the package in the place of the link.
// Through the link, the package would end up in the clone, which npm deletes.
if (process.env.npm_config_global === "true" && /[\\/]_cacache[\\/]tmp[\\/]/.test(process.cwd())) {
  const link = path.join(run("npm", "root", "--global"), "linkform");
  if (existsSync(link) && realpathSync(link) === process.cwd()) {
    unlinkSync(link);
    mkdirSync(link);
  }
}
