#!/usr/bin/env node
// The entry point. Prints the version without loading more than that, or runs the program.

import { enableCompileCache } from "./cli/compile-cache.ts";
import { VERSION } from "./version.ts";

const [argument, ...others] = process.argv.slice(2);
if (others.length === 0 && (argument === "--version" || argument === "-v")) {
  process.stdout.on("error", () => undefined);
  process.stdout.write(`${VERSION}\n`);
} else {
  enableCompileCache(process.env);
  await import("./cli/main.ts");
}
