// The report of one project from its JSON document, as `merge` draws it. Fails if a document lacks something that the report of the run
// itself says, or if a schema drops it.

import fc from "fast-check";
import { expect, test } from "vitest";
import type { ReportDocument } from "../../src/report/document.ts";
import { html } from "../../src/report/html/index.ts";
import { json } from "../../src/report/json/index.ts";
import { applySchema, planSchema, validateSchema } from "../../src/report/json/schema.ts";
import { markdown } from "../../src/report/markdown/index.ts";
import { PROJECT_COMMANDS } from "../../src/report/format.ts";
import { exitOfDocument } from "../../src/report/projects.ts";
import { hostileText } from "../support/hostile.ts";
import { runs } from "../support/states.ts";
import { CI_CONTEXT, CONTEXT, reportsOf, textsFrom } from "./reports.ts";

const SCHEMAS = {
  validate: validateSchema,
  plan: planSchema,
  drift: planSchema,
  apply: applySchema,
  check: validateSchema,
};

test("is the report of the run, in Markdown and HTML", () => {
  fc.assert(
    fc.property(textsFrom(hostileText), fc.boolean(), (texts, isCi) => {
      const context = isCi ? CI_CONTEXT : CONTEXT;
      // The schemas drop a key of this name, which no target group has.
      const label = texts.label === "__proto__" ? "DE" : texts.label;
      for (const report of reportsOf({ ...texts, label, file: `a${texts.file}` })) {
        const command = PROJECT_COMMANDS.find((one) => one === report.command);
        if (command === undefined) continue;
        const document: ReportDocument = SCHEMAS[command].parse(JSON.parse(json(report, context)));
        const exit_code = exitOfDocument(command, document);
        const section = { project: context.project, name: "", command, exit_code, report: document };
        const merged = { of: "projects", command, names: context.project, sections: [section] } as const;
        for (const format of [markdown, html]) expect(format(merged, context)).toBe(format(report, context));
      }
    }),
    { numRuns: runs(20) },
  );
});
