// `linkform validate`: checks the files without the network, and prints all errors.

import { undeclaredPixels } from "../config/consistency.ts";
import { Labels } from "../config/keys.ts";
import { append } from "../domain/collections.ts";
import type { Claim, ProjectClaims } from "../domain/conflicts.ts";
import { error, hasErrors, info, sortDiagnostics, type Diagnostic } from "../domain/diagnostic.ts";
import { isTypo, nearest } from "../domain/nearest.ts";
import { showKey, type Project, type WrittenKey } from "../domain/project.ts";
import { EXIT, type ExitCode } from "../errors.ts";
import { diagnosticOf } from "../config/located-error.ts";
import { Console } from "../session/console.ts";
import { exitOf, reasonOf, type CommonFlags, type World } from "../session/context.ts";
import type { PlanningFlags } from "../session/plan-flags.ts";
import { projectPath } from "../session/render-context.ts";
import { chosenFiles, openBaseOf, openProject } from "../session/project.ts";
import { plural } from "../domain/words.ts";
import { findingsReport, type FindingsResult } from "../report/finding-document.ts";
import { hiddenText, impliedNote } from "../report/plan-remarks.ts";

export type ValidateFlags = CommonFlags & Pick<PlanningFlags, "base" | "resources">;

/** Prints the findings in the files, or only those in the files `only`, and with `--base` what they no longer declare. */
export function validate(
  world: World,
  flags: ValidateFlags,
  only: readonly string[] = [],
  out: Console = new Console(world, flags, "validate"),
): Promise<ExitCode> {
  return reportFindings(out, "validate", async (report) => {
    const opened = await openProject(world, flags);
    const chosen = chosenFiles(only, opened, world.cwd);
    report.files = chosen?.size ?? opened.files.length + opened.resources.length;
    append(report.found, opened.diagnostics);
    append(report.found, unchecked(opened.declarations));
    const { base, problems } = await openBaseOf(world, opened, flags.base ?? null, false);
    append(report.found, problems);
    append(report.found, await conflictsOf(world, flags, opened.project));
    // A file that cannot be read may contain what seems to be removed.
    if (base !== null && opened.project !== null) {
      const since = await import("../config/base-findings.ts");
      if (flags.verbose !== true && flags.base !== undefined) {
        const { shown, hidden } = since.newFindings(base, report.found);
        const note = hiddenText({ hiddenFindings: hidden, base });
        report.found = note === "" ? [...shown] : [...shown, info("older-findings", note, null)];
      }
      append(report.found, since.baseProblems(base));
      append(report.found, since.safetySince(base, opened.project));
      append(report.found, since.findOrphans(base, opened.project));
      append(report.found, impliedNote(base));
    }
    if (chosen !== null) report.found = findingsIn(report.found, chosen);
  });
}

type Gathered = Pick<FindingsResult, "destinations"> & { files: number; found: Diagnostic[] };

/** Prints what `gather` finds, and the user error that ends it. */
export async function reportFindings(
  out: Console,
  command: FindingsResult["command"],
  gather: (report: Gathered) => Promise<void>,
): Promise<ExitCode> {
  const report: Gathered = { files: 0, found: [] };
  let exit: ExitCode = EXIT.done;
  try {
    await gather(report);
    if (hasErrors(report.found)) exit = EXIT.error;
  } catch (thrown) {
    const cause = reasonOf(thrown, out.world);
    const problem = diagnosticOf(cause);
    if (problem === null) throw cause;
    report.found.push(problem);
    exit = exitOf(cause);
  }
  const { found, ...rest } = report;
  const [diagnostics, listsAll] = [sortDiagnostics(found), out.flags.verbose === true];
  return out.result(findingsReport, { command, ...rest, valid: exit === EXIT.done, diagnostics, listsAll }, exit);
}

/** Conflicts with other projects of the run, as far as the files show. */
async function conflictsOf(world: World, flags: CommonFlags, project: Project | null): Promise<readonly Diagnostic[]> {
  if (world.turn === undefined || project === null) return [];
  const labels = new Labels(project.domains);
  const claim = (key: WrittenKey, what: Claim["what"]): [string, Claim] => [
    labels.keyIdentity(key),
    { kind: key.kind, key: showKey(key), place: key.place, what, id: null, values: null },
  ];
  const { declarations, tombstones } = project;
  const claims: ProjectClaims = {
    project: await projectPath(world.cwd, flags.config),
    claims: new Map([
      ...tombstones.flatMap((key) => (key.id === null ? [claim(key, "deleted")] : [])),
      ...declarations.flatMap(({ renamedFrom }) => (renamedFrom === null ? [] : [claim(renamedFrom, "renamed")])),
      ...declarations.map((key) => claim(key, "declared")),
    ]),
    prunes: null,
  };
  return (await world.turn.compare({ claims, plan: null })).conflicts;
}

/** Findings that name a place in these files or no place. Errors elsewhere are counted. */
function findingsIn(found: readonly Diagnostic[], files: ReadonlySet<string>): Diagnostic[] {
  const isIn = ({ place, also = [] }: Diagnostic): boolean =>
    place === null || [place, ...also.map((one) => one.place)].some(({ file }) => files.has(file));
  const shown = found.filter(isIn);
  const hidden = found.filter((one) => one.severity === "error" && !isIn(one)).length;
  if (hidden === 0) return shown;
  const message = `Other files have ${plural(hidden, "error")}.`;
  return [...shown, info("other-files", message, null, "Run `linkform validate` without arguments to see all.")];
}

/** Undeclared pixels, each at its first use. Only the service knows whether they exist, unless the name is a typo. */
function unchecked(declarations: Parameters<typeof undeclaredPixels>[0]): Diagnostic[] {
  const reported = new Set<string>();
  const pixels = declarations.flatMap((one) => (one.kind === "pixel" ? [one.name] : []));
  return undeclaredPixels(declarations).flatMap(({ name, place }) => {
    if (reported.has(name)) return [];
    reported.add(name);
    const meant = nearest(name, pixels);
    const hint = meant === null ? null : `Did you mean \`${meant}\`?`;
    const message = `No file declares the pixel \`${name}\`.`;
    if (meant !== null && isTypo(name, meant))
      return [error("pixel-not-declared", message, place, `${hint} If this is another pixel, declare it, too.`)];
    const checked = `${message} \`linkform plan\` checks whether it exists in the account.`;
    return [info("pixel-not-declared", checked, place, hint)];
  });
}
