// Bundles the command line and the library into dist/: split, so that each command loads only what it runs.

import { chmod, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";
import { CI_TEXTS } from "./ci-texts.mjs";

const { version } = JSON.parse(await readFile("package.json", "utf8"));
await rm("dist", { recursive: true, force: true });
const { metafile } = await build({
  entryPoints: { cli: "src/cli.ts", index: "src/index.ts", sandbox: "src/sandbox/index.ts" },
  outdir: "dist",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  metafile: true,
  legalComments: "none",
  define: { LINKFORM_VERSION: JSON.stringify(version), LINKFORM_CI_TEXTS: JSON.stringify(CI_TEXTS) },
  banner: {
    // undici and commander are CommonJS and call require for Node's own modules.
    js: 'import { createRequire as __createRequire } from "node:module";const require = __createRequire(import.meta.url);',
  },
});
await addShebang("dist/cli.js");
await writeFile("dist/THIRD-PARTY-LICENSES.txt", await licences(Object.keys(metafile.inputs)));

async function addShebang(file) {
  await writeFile(file, `#!/usr/bin/env node\n${await readFile(file, "utf8")}`);
  // A mode that is given to writeFile is for new files only.
  await chmod(file, 0o755);
}

/** What is bundled keeps its licence beside it. */
async function licences(inputs) {
  const packages = new Set(inputs.flatMap((input) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? []));
  const texts = [];
  for (const name of [...packages].toSorted((a, b) => (a < b ? -1 : 1))) {
    const folder = path.join("node_modules", name);
    const { version: bundled, license } = JSON.parse(await readFile(path.join(folder, "package.json"), "utf8"));
    const files = ["LICENSE", "LICENSE.md", "LICENCE", "license", "LICENSE.txt"];
    const found = await Promise.any(files.map((file) => readFile(path.join(folder, file), "utf8"))).catch(
      () => `License: ${license}\n`,
    );
    texts.push(`${name} ${bundled}\n\n${found.trim()}\n`);
  }
  return texts.join(`\n${"-".repeat(78)}\n\n`);
}
