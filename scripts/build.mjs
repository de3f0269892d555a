// Bundles the command line and the library into dist/: split, so that each command loads only what it runs.

import { chmod, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";
import { CI_TEXTS } from "./ci-texts.mjs";

const modules = (names) => names.split(" ").map((name) => path.resolve("src", `${name}.ts`));

/** What `validate` loads. All commands load it, in few chunks: many small files take longer to load than some unused code. */
const BASE = modules("cli/prepare cli/validate report/text/blocks http/redact domain/filter domain/visit version");
/** What almost all other commands load, too, and some small modules. */
const REPORTS = modules("report/text/index report/json/text report/document session/plan-flags");

const namesOf = (files, word) => files.map((file) => `${word} ${JSON.stringify(file)};`).join("");

/**
 * esbuild makes a chunk for each set of entries that use a module. So the base is one entry, all other entries import it, and most modules
 * have one set. What only explains mistakes in files needs no reports.
 */
const withBase = (entries) => ({
  name: "base",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\.ts$/ }, ({ path: file, resolveDir, kind }) => {
      const resolved = path.resolve(resolveDir, file);
      if (kind === "dynamic-import" && BASE.includes(resolved)) return { path: "base", namespace: "base" };
      return [...BASE, ...REPORTS].includes(resolved) ? { path: resolved, sideEffects: true } : undefined;
    });
    onLoad({ filter: /^base$/, namespace: "base" }, () => ({ contents: namesOf(BASE, "export * from") }));
    onLoad({ filter: /\.ts$/ }, async ({ path: file }) => {
      if (!entries.has(file)) return undefined;
      const shared = file.startsWith(path.resolve("src/config")) ? BASE : [...BASE, ...REPORTS];
      const others = shared.filter((one) => one !== file);
      return { contents: namesOf(others, "import") + (await readFile(file, "utf8")), loader: "ts" };
    });
  },
});

/** The library, and each module that is only loaded when it is needed. The sandbox imports nothing of the rest. */
async function entriesOf(builtAs) {
  const { metafile } = await build({ ...builtAs, write: false });
  const imports = Object.values(metafile.inputs).flatMap((input) => input.imports);
  const late = imports.flatMap((one) => (one.kind === "dynamic-import" ? path.resolve(one.path) : []));
  const others = new Set([...BASE, ...modules("sandbox/index")]);
  return new Set([...modules("index"), ...late].filter((file) => !others.has(file)));
}

const programApart = {
  name: "program",
  setup: ({ onResolve }) => onResolve({ filter: /cli\/main\.ts$/ }, () => ({ path: "./main.js", external: true })),
};

const { version } = JSON.parse(await readFile("package.json", "utf8"));
await rm("dist", { recursive: true, force: true });
const options = {
  outdir: "dist",
  bundle: true,
  splitting: true,
  minify: true,
  // Without the sources, which are public, and would be as large as the package.
  sourcemap: "linked",
  sourcesContent: false,
  format: "esm",
  platform: "node",
  target: "node20.19",
  metafile: true,
  legalComments: "none",
  define: { LINKFORM_VERSION: JSON.stringify(version), LINKFORM_CI_TEXTS: JSON.stringify(CI_TEXTS) },
};
const whole = {
  ...options,
  entryPoints: { main: "src/cli/main.ts", index: "src/index.ts", sandbox: "src/sandbox/index.ts" },
  banner: {
    // undici and commander are CommonJS and call require for Node's own modules.
    js: 'import { createRequire as __createRequire } from "node:module";const require = __createRequire(import.meta.url);',
  },
};
const { metafile } = await build({ ...whole, plugins: [withBase(await entriesOf(whole))] });
// One file, so that `--version` loads no other.
await build({ ...options, entryPoints: { cli: "src/cli.ts" }, plugins: [programApart] });
// The mode that is given to writeFile is for new files only.
await chmod("dist/cli.js", 0o755);
await writeFile("dist/THIRD-PARTY-LICENSES.txt", await licences(Object.keys(metafile.inputs)));

/** What is bundled keeps its licence. */
async function licences(inputs) {
  const packages = new Set(inputs.flatMap((input) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? []));
  const texts = [];
  for (const name of [...packages].toSorted((a, b) => (a < b ? -1 : 1))) {
    const folder = `node_modules/${name}`;
    const { version: bundled, license } = JSON.parse(await readFile(`${folder}/package.json`, "utf8"));
    const file = (await readdir(folder)).find((one) => /^licen[cs]e/i.test(one));
    const found = file === undefined ? `License: ${license}` : await readFile(`${folder}/${file}`, "utf8");
    texts.push(`${name} ${bundled}\n\n${found.trim()}\n`);
  }
  return texts.join(`\n${"-".repeat(78)}\n\n`);
}
