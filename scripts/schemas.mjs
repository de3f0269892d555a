// Writes schemas/ from the forms of files and the zod schemas of documents; with --check it only says whether they are fresh.

import { evaluate, writeGenerated } from "./source.mjs";

const { default: all } = await evaluate(`
  import * as z from "zod";
  import { editorSchema } from "./scripts/editor-schema.ts";
  import { projectSchema, resourceSchema } from "./src/config/schema.ts";
  import * as documents from "./src/report/json/schema.ts";
  import { explainSchema } from "./src/report/json/explain.ts";
  import { listSchema, showSchema } from "./src/report/json/inspect.ts";
  import { importSchema, writtenSchema } from "./src/report/json/written.ts";
  import { lineSchema } from "./src/record/lines.ts";
  const made = (schema, title) => z.toJSONSchema(schema.meta({ title }), { target: "draft-7", io: "output" });
  const json = (schema, command) => made(schema, \`linkform \${command} --format json\`);
  export default {
    project: editorSchema(projectSchema),
    resource: editorSchema(resourceSchema),
    plan: json(documents.planSchema, "plan"),
    "saved-plan": made(documents.savedPlanSchema, "linkform plan --out"),
    apply: json(documents.applySchema, "apply"),
    validate: json(documents.validateSchema, "validate and check"),
    projects: made(documents.projectsSchema, "linkform merge, and plan, apply, drift, validate and check for several projects"),
    doctor: json(documents.doctorSchema, "doctor"),
    record: made(lineSchema, "A line of the record of a run, and of --format ndjson"),
    undo: json(documents.undoReportSchema, "undo"),
    explain: json(explainSchema, "explain"),
    written: json(writtenSchema, "pull, rm, init and fmt"),
    list: json(listSchema, "list"),
    show: json(showSchema, "show"),
    import: json(importSchema, "import"),
  };
`);
const files = Object.entries(all).map(([name, schema]) => [
  `schemas/${name}.schema.json`,
  `${JSON.stringify(schema, null, 2)}\n`,
]);
await writeGenerated(files, "npm run schemas");
