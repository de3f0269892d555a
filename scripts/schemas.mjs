// Writes schemas/ from the zod schemas; with --check it only says whether they are fresh.

import { readFile, writeFile } from "node:fs/promises";
import { build } from "esbuild";

const { outputFiles } = await build({
  stdin: {
    contents: `
      import * as z from "zod";
      import { editorSchema } from "./scripts/editor-schema.ts";
      import { projectSchema, resourceSchema } from "./src/config/schema.ts";
      import { receiptSchema } from "./src/undo/receipt.ts";
      import { explainSchema } from "./src/report/json/explain.ts";
      import { eventSchema } from "./src/report/ndjson/index.ts";
      import {
        applySchema, doctorSchema, planSchema, projectsSchema, savedPlanSchema, undoReportSchema, validateSchema,
      } from "./src/report/json/schema.ts";
      import { importSchema, writtenSchema } from "./src/report/json/written.ts";
      import { listSchema, showSchema } from "./src/report/json/inspect.ts";
      const printed = (schema, title) => z.toJSONSchema(schema.meta({ title }), { target: "draft-7", io: "output" });
      export default {
        project: editorSchema(projectSchema),
        resource: editorSchema(resourceSchema),
        plan: printed(planSchema, "linkform plan --format json"),
        "saved-plan": printed(savedPlanSchema, "linkform plan --out"),
        apply: printed(applySchema, "linkform apply --format json"),
        "apply-events": printed(eventSchema, "A line of linkform apply --format ndjson"),
        validate: printed(validateSchema, "linkform validate --format json"),
        projects: printed(projectsSchema, "linkform merge, and plan, apply, drift and validate for several projects"),
        doctor: printed(doctorSchema, "linkform doctor --format json"),
        receipt: printed(receiptSchema, "The receipt of linkform apply"),
        undo: printed(undoReportSchema, "linkform undo --format json"),
        explain: printed(explainSchema, "linkform explain --format json"),
        written: printed(writtenSchema, "linkform pull, rm, init and fmt --format json"),
        list: printed(listSchema, "linkform list --format json"),
        show: printed(showSchema, "linkform show --format json"),
        import: printed(importSchema, "linkform import --format json"),
      };`,
    resolveDir: ".",
    loader: "ts",
  },
  bundle: true,
  write: false,
  format: "esm",
  platform: "node",
  // The yaml package is CommonJS and calls require for Node's own modules.
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module";const require = __createRequire(process.argv[1]);',
  },
});
const module = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
const check = process.argv.includes("--check");
const stale = [];
for (const [name, schema] of Object.entries(module.default)) {
  const file = `schemas/${name}.schema.json`;
  const fresh = `${JSON.stringify(schema, null, 2)}\n`;
  const old = await readFile(file, "utf8").catch(() => "");
  if (old === fresh) continue;
  if (check) stale.push(file);
  else await writeFile(file, fresh);
}
if (stale.length > 0) {
  console.error(`Not fresh: ${stale.join(", ")}. Run \`npm run schemas\` and commit.`);
  process.exitCode = 1;
}
