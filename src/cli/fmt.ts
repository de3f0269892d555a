// `linkform fmt`: rewrites the files in canonical form.

import { decodeText } from "../config/file-source.ts";
import { isJsonFile } from "../config/json.ts";
import { knownProblems, Refusal } from "../config/located-error.ts";
import { errorsIn, hasErrors, type Diagnostic } from "../domain/diagnostic.ts";
import { formatText } from "../edit/format.ts";
import { EXIT, type ExitCode, usageError } from "../errors.ts";
import { ProjectFolder } from "../files/folder.ts";
import { writeFiles, type TextEdit } from "../files/write-files.ts";
import { Console } from "../session/console.ts";
import type { CommonFlags, World } from "../session/context.ts";
import { printOnly } from "../session/outputs.ts";
import { chosenFiles, openProject } from "../session/project.ts";
import { piped } from "../session/resources.ts";
import { plural } from "../domain/words.ts";
import { writtenReport } from "../report/run-document.ts";
import { severityCounts } from "../report/compose-findings.ts";

export interface FmtFlags extends CommonFlags {
  readonly check?: boolean;
  readonly stdin?: boolean;
}

/** Formats these files, or all files of the project. A file with mistakes in its YAML stays as it is. */
export async function fmt(world: World, flags: FmtFlags, names: readonly string[]): Promise<ExitCode> {
  const out = new Console(world, flags, "fmt");
  if (flags.stdin === true) return formatStdin(world, names);
  const isWritten = flags.check !== true;
  return out.run(async () => {
    const opened = await openProject(world, flags);
    const chosen = chosenFiles(names, opened, world.cwd);
    const wanted = (chosen === null ? opened.files : [...chosen]).filter((file) => !isJsonFile(file));
    const isUnread = ({ place }: Diagnostic): boolean =>
      place !== null && wanted.includes(place.file) && !opened.texts.has(place.file);
    const diagnostics = errorsIn(opened.diagnostics).filter(isUnread);
    const edits: TextEdit[] = [];
    for (const file of wanted) {
      const before = opened.texts.get(file);
      if (before === undefined) continue;
      const formatted = formatText(before, file);
      if ("problems" in formatted) diagnostics.push(...formatted.problems);
      else if (formatted.text !== before) edits.push({ file, before, after: formatted.text });
    }
    try {
      if (isWritten) writeFiles(new ProjectFolder(opened.folder), edits);
    } catch (cause) {
      const known = knownProblems(cause);
      throw known === null ? cause : new Refusal([...diagnostics, ...known]);
    }
    out.findings(diagnostics);
    const failed = plural(new Set(diagnostics.map(({ place }) => place?.file)).size, "file");
    const left = `${failed} of ${wanted.length} cannot be formatted: ${severityCounts(diagnostics)}.`;
    const isDue = !isWritten && edits.length > 0;
    const next = [...(diagnostics.length > 0 ? [left] : []), ...(isDue ? ["Run `linkform fmt` to format them."] : [])];
    const about = { isWritten, edits, items: [], variables: [], next, diagnostics };
    const exit = hasErrors(diagnostics) ? EXIT.error : isDue ? EXIT.changes : EXIT.done;
    return out.result(writtenReport, { command: "fmt", ...about }, exit);
  });
}

/** For editors: the formatted text on stdout, or nothing if it has mistakes. */
async function formatStdin(world: World, names: readonly string[]): Promise<ExitCode> {
  if (names.length > 0)
    throw usageError("stdin-and-files", "`--stdin` cannot be used with files.", {
      hint: "Remove the files or --stdin.",
    });
  const read = decodeText(await piped(world), "stdin", null);
  const formatted = "problem" in read ? { problems: [read.problem] } : formatText(read.text, "stdin");
  if ("problems" in formatted) throw new Refusal(formatted.problems);
  return printOnly(world, formatted.text);
}
