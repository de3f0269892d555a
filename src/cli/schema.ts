// `linkform schema`: prints the JSON Schema with which editors complete and check files. It never connects to the service.

import { knownValues, withKnownValues } from "../config/known-values.ts";
import { type ExitCode, usageError } from "../errors.ts";
import { jsonText } from "../report/json/text.ts";
import { type CommonFlags, type World } from "../session/context.ts";
import { printOnly } from "../session/outputs.ts";
import { readOwnSchema } from "../session/own-schemas.ts";
import { openProject, requireValid } from "../session/project.ts";

export interface SchemaFlags extends Pick<CommonFlags, "config"> {
  readonly project?: boolean;
}

/** Prints the schema of resource files or of project files. A project with errors prints its errors and no schema. */
export async function schema(world: World, of: "project" | "resources", flags: SchemaFlags): Promise<ExitCode> {
  if (flags.config !== undefined && flags.project !== true)
    throw usageError("config-without-project", "`--config` works only with `--project`.", {
      hint: "Add --project, or remove --config.",
    });
  const text = await readOwnSchema(of === "resources" ? "resource" : "project");
  if (flags.project !== true) return printOnly(world, text);
  const { project } = requireValid(await openProject(world, flags));
  const own = withKnownValues(JSON.parse(text), knownValues(project));
  return printOnly(world, `${jsonText(own, 2)}\n`);
}
