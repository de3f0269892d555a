// Writes the library's types into dist/, one file for each entry, and what they promise into docs/api/; with --check it
// only says whether that is fresh.

import { execFile } from "node:child_process";
import { symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { Extractor, ExtractorConfig, ExtractorLogLevel } from "@microsoft/api-extractor";
import { main, ROOT, scratchFolder } from "./processes.mjs";

/** The entries of the package, and the source that each is made of. */
const ENTRIES = { index: "index", sandbox: "sandbox/index" };

const folder = await scratchFolder();
await main(async () => {
  await declare();
  for (const [entry, source] of Object.entries(ENTRIES)) rollUp(entry, path.join(folder, `${source}.d.ts`));
});

/** A declaration for each source file. */
async function declare() {
  const config = path.join(folder, "tsconfig.json");
  await symlink(path.join(ROOT, "node_modules"), path.join(folder, "node_modules"));
  const compilerOptions = {
    noEmit: false,
    emitDeclarationOnly: true,
    rootDir: path.join(ROOT, "src"),
    outDir: folder,
    typeRoots: [path.join(ROOT, "node_modules/@types")],
  };
  const include = [path.join(ROOT, "src")];
  await writeFile(config, JSON.stringify({ extends: path.join(ROOT, "tsconfig.json"), compilerOptions, include }));
  await promisify(execFile)(process.execPath, [path.join(ROOT, "node_modules/typescript/bin/tsc"), "-p", config]);
}

/** One file with what an entry exports, and nothing else: a type that is used there and not exported is an error. */
function rollUp(entry, mainEntryPointFilePath) {
  const config = ExtractorConfig.prepare({
    packageJsonFullPath: path.join(ROOT, "package.json"),
    configObject: {
      projectFolder: ROOT,
      mainEntryPointFilePath,
      newlineKind: "lf",
      compiler: {
        overrideTsconfig: {
          compilerOptions: {
            module: "nodenext",
            target: "es2023",
            lib: ["es2023"],
            types: ["node"],
            typeRoots: [path.join(ROOT, "node_modules/@types")],
            strict: true,
          },
          files: [mainEntryPointFilePath],
        },
      },
      apiReport: {
        enabled: true,
        reportFileName: `${entry}.api.md`,
        reportFolder: path.join(ROOT, "docs/api"),
        reportTempFolder: folder,
      },
      docModel: { enabled: false },
      tsdocMetadata: { enabled: false },
      dtsRollup: { enabled: true, untrimmedFilePath: path.join(ROOT, `dist/${entry}.d.ts`) },
      messages: {
        compilerMessageReporting: { default: { logLevel: "error" } },
        extractorMessageReporting: {
          default: { logLevel: "error" },
          "ae-missing-release-tag": { logLevel: "none" },
          "ae-undocumented": { logLevel: "none" },
        },
        tsdocMessageReporting: { default: { logLevel: "none" } },
      },
    },
  });
  const isCheck = process.argv.includes("--check");
  const problems = [];
  const { apiReportChanged } = Extractor.invoke(config, {
    localBuild: !isCheck,
    messageCallback: (message) => {
      if (message.logLevel === ExtractorLogLevel.Error) problems.push(message.text);
      message.handled = true;
    },
  });
  if (problems.length > 0) throw new Error(problems.join("\n"));
  if (isCheck && apiReportChanged)
    throw new Error(`docs/api/${entry}.api.md is not fresh. Run \`npm run api\`, read what it changes, and commit.`);
}
