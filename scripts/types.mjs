// Writes the library's types into dist/, one file for each entry, and what they promise into docs/api/; with --check it
// only says whether that is fresh.

import { execFile } from "node:child_process";
import { readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { Extractor, ExtractorConfig, ExtractorMessageCategory } from "@microsoft/api-extractor";
import { main, ROOT, scratchFolder } from "./processes.mjs";
import { evaluate } from "./source.mjs";

/** The entries of the package, and the source that each is made of. */
const ENTRIES = { index: "index", sandbox: "sandbox/index" };

const CHECKED = [ExtractorMessageCategory.Compiler, ExtractorMessageCategory.Extractor];
/** Findings about tags in comments, which the documents do not have. */
const IGNORED = ["ae-missing-release-tag", "ae-undocumented"];

const folder = await scratchFolder();
await main(async () => {
  await declare();
  await writeDocuments(path.join(folder, "report/json/schema.d.ts"));
  for (const [entry, source] of Object.entries(ENTRIES)) rollUp(entry, path.join(folder, `${source}.d.ts`));
});

/** A declaration for each source file. */
async function declare() {
  const config = path.join(folder, "tsconfig.json");
  await symlink(path.join(ROOT, "node_modules"), path.join(folder, "node_modules"));
  const rootDir = path.join(ROOT, "src");
  const compilerOptions = { noEmit: false, emitDeclarationOnly: true, rootDir, outDir: folder };
  const project = { extends: path.join(ROOT, "tsconfig.json"), compilerOptions, include: [rootDir] };
  await writeFile(config, JSON.stringify(project));
  await promisify(execFile)(process.execPath, [path.join(ROOT, "node_modules/typescript/bin/tsc"), "-p", config]);
}

/** Writes out the documents' types, which are inferred from zod schemas: who uses the library may not have zod. */
async function writeDocuments(file) {
  const declarations = await readFile(file, "utf8");
  const inferred = /export type (\w+) = z\.infer<typeof (\w+)>;/g;
  const { schemas } = await evaluate(`
    import * as z from "zod";
    import * as all from "./src/report/json/schema.ts";
    const names = z.registry();
    for (const [, id, name] of ${JSON.stringify([...declarations.matchAll(inferred)])})
      if (name in all) names.add(all[name], { id });
    export const { schemas } = z.toJSONSchema(names, { target: "draft-7", uri: (id) => id });`);
  const written = (alias, name) => (name in schemas ? `export interface ${name} ${typeOf(schemas[name])}` : alias);
  await writeFile(file, declarations.replaceAll(inferred, written));
}

/** The type of a JSON schema, with its descriptions as comments. */
function typeOf(schema) {
  const { items, properties, required = [], additionalProperties: values } = schema;
  const union = schema.anyOf ?? schema.allOf ?? schema.enum?.map((word) => ({ const: word }));
  if (union !== undefined) return union.map(typeOf).join(" | ");
  if (items !== undefined) return `Array<${typeOf(items)}>`;
  if (properties !== undefined) {
    const keys = Object.entries(properties).map(([key, value]) => {
      const comment = value.description === undefined ? "" : `/** ${value.description} */\n`;
      return `${comment}${key}${required.includes(key) ? "" : "?"}: ${typeOf(value)};\n`;
    });
    return `{\n${keys.join("")}}`;
  }
  if (typeof values === "object") return `Record<string, ${typeOf(values)}>`;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  return schema.$ref ?? [schema.type].flat().join(" | ").replaceAll("integer", "number");
}

/** One file with what an entry exports, and nothing else: a type that is used there and not exported is an error. */
function rollUp(entry, mainEntryPointFilePath) {
  const config = ExtractorConfig.prepare({
    packageJsonFullPath: path.join(ROOT, "package.json"),
    configObject: {
      projectFolder: ROOT,
      mainEntryPointFilePath,
      newlineKind: "lf",
      compiler: { tsconfigFilePath: path.join(folder, "tsconfig.json") },
      apiReport: {
        enabled: true,
        reportFileName: `${entry}.api.md`,
        reportFolder: path.join(ROOT, "docs/api"),
        reportTempFolder: folder,
      },
      docModel: { enabled: false },
      tsdocMetadata: { enabled: false },
      dtsRollup: { enabled: true, untrimmedFilePath: path.join(ROOT, `dist/${entry}.d.ts`) },
    },
  });
  const isCheck = process.argv.includes("--check");
  const problems = [];
  const { apiReportChanged } = Extractor.invoke(config, {
    localBuild: !isCheck,
    messageCallback: (message) => {
      if (CHECKED.includes(message.category) && !IGNORED.includes(message.messageId)) problems.push(message.text);
      message.handled = true;
    },
  });
  if (problems.length > 0) throw new Error(problems.join("\n"));
  if (isCheck && apiReportChanged)
    throw new Error(`docs/api/${entry}.api.md is not fresh. Run \`npm run api\`, read what it changes, and commit.`);
}
