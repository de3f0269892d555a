// `linkform schema`: prints the JSON Schema with which editors complete and check files. It never connects to the service.

import { knownValues, withKnownValues } from "../config/known-values.ts";
import { errorsIn, type Diagnostic } from "../domain/diagnostic.ts";
import { EXIT, type ExitCode, usageError } from "../errors.ts";
import { jsonText } from "../report/json/text.ts";
import { diagnosticsText } from "../report/text/blocks.ts";
import { screenOf, type CommonFlags, type World } from "../session/context.ts";
import { writeOut } from "../session/outputs.ts";
import { readOwnSchema } from "../session/own-schemas.ts";
import { openProject } from "../session/project.ts";

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
  if (flags.project !== true) return write(world, text);
  const { project, diagnostics } = await openProject(world, flags);
  if (project === null) return fail(world, errorsIn(diagnostics));
  const own = withKnownValues(JSON.parse(text), knownValues(project));
  return write(world, `${jsonText(own, 2)}\n`);
}

async function write(world: World, text: string): Promise<ExitCode> {
  const problem = await writeOut(world.stdout, text);
  return problem === null ? EXIT.done : fail(world, [problem]);
}

function fail({ line, stderr, env }: World, diagnostics: readonly Diagnostic[]): ExitCode {
  line.print(diagnosticsText(diagnostics, screenOf(stderr, env)));
  return EXIT.error;
}
