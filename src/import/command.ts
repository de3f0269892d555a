// `linkform import csv FILE`: writes all rows of a spreadsheet into a file of links or pixels, or none.

import { labelsOf } from "../config/keys.ts";
import { diagnosticOf } from "../config/located-error.ts";
import { hasErrors, sortDiagnostics, type Diagnostic } from "../domain/diagnostic.ts";
import { fold } from "../domain/fold.ts";
import type { Project } from "../domain/project.ts";
import { isAboutSending } from "../domain/rules.ts";
import { REFERENCE_FIELD, type ResourceKind } from "../domain/table.ts";
import { inheritedUtm, usesUtm } from "../edit/utm.ts";
import { VariableNames } from "../edit/variable-names.ts";
import { EXIT, usageError, type ExitCode, type UserError } from "../errors.ts";
import { removeAt, replaceAt } from "../files/location.ts";
import { locateNamed, typeAt } from "../files/named.ts";
import { writeFiles } from "../files/write-files.ts";
import { columnsLog } from "../report/compose-written.ts";
import { plural, showCount } from "../report/counts.ts";
import { writtenReport } from "../report/run-document.ts";
import { drawBlocks } from "../report/text/blocks.ts";
import { Console, Refusal } from "../session/console.ts";
import type { CommonFlags, World } from "../session/context.ts";
import { unwritable } from "../session/outputs.ts";
import { checkRows, type CheckedRows } from "./check.ts";
import type { Sheet } from "./csv.ts";
import type { DateOrder } from "./dates.ts";
import { mapColumns, missingColumns } from "./mapping.ts";
import { openSheet, PIPED, type SheetFlags } from "./open-sheet.ts";
import { declaredBy, openTarget, type ImportTarget } from "./project.ts";
import { rejectsText } from "./rejects.ts";
import { columnsOf, secretsLeftOut, writtenResult } from "./report.ts";
import { groupSimilar } from "./row-problems.ts";
import { readRows } from "./rows.ts";
import { fileWith } from "./yaml-file.ts";

export type ImportFlags = CommonFlags &
  SheetFlags & {
    readonly map?: readonly string[];
    readonly domain?: string;
    readonly space?: string;
    readonly into?: string;
    readonly dateFormat?: DateOrder;
    readonly skipBad?: boolean;
    readonly rejects?: string;
    readonly dryRun?: boolean;
  };

/** Shows the mapping of the columns, then writes the rows of a CSV file into a file of the project. */
export async function importCsv(world: World, file: string, flags: ImportFlags): Promise<ExitCode> {
  const out = new Console(world, flags, "import");
  return out.run(async () => {
    checkRejects(world, flags);
    const sheet = await openSheet(world, file, flags);
    if (!("rows" in sheet)) throw new Refusal(sheet);
    return importSheet(world, out, sheet, file, flags);
  });
}

async function importSheet(
  world: World,
  out: Console,
  sheet: Sheet,
  file: string,
  flags: ImportFlags,
): Promise<ExitCode> {
  const { kind, columns } = mapColumns(sheet, flags.map ?? []);
  const target = await openTarget(world, flags, { sheet: file === PIPED ? "" : file, kind });
  if ("problems" in target) throw new Refusal(target.problems);
  const { project, folder } = target;
  if (flags.rejects !== undefined && locateNamed(world.cwd, flags.rejects).path === folder.locate(target.file).path)
    throw wrongRejects(`${flags.rejects} is the file for the imported rows.`, "Pass another file with --rejects.");
  const shownColumns = columnsOf(sheet, columns);
  if (!out.isDocument) out.note(`${drawBlocks(columnsLog(world.secrets.hideIn(shownColumns)), out.errScreen)}\n`);
  const given = givenBy(kind, flags, target);
  const missing = missingColumns(sheet, kind, columns, (field) => given.has(field));
  if (missing.length > 0) throw new Refusal(missing);

  const pixels = new Set(project.declarations.flatMap((one) => (one.kind === "pixel" ? [fold(one.name)] : [])));
  const domains = domainsOf(project);
  const inherited = inheritedUtm(new Map([...target.given].map(([key, { value }]) => [key, value])));
  const rows = readRows(sheet, {
    kind,
    columns,
    given,
    labels: labelsOf(project.domains),
    isOwnDomain: (domain) => flags.domain === undefined || domains.has(domain.toLowerCase()),
    isPixel: (name) => pixels.has(fold(name)),
    dateOrder: flags.dateFormat ?? null,
    zone: project.zone,
    names: new VariableNames(project.declarations),
    usesUtm: usesUtm(project) || inherited.size > 0,
    inheritedUtm: inherited,
  });
  const checked = await checkRows(rows, { sheet, kind, columns, leavesOut: flags.skipBad === true, target });
  const { good, bad, others } = checked;
  if (good.length === 0 || others.length > 0 || (bad.length > 0 && flags.skipBad !== true))
    return refuseRows(out, sheet, checked, flags);
  const text = fileWith(kind, target, good);
  const written = await target.loadText(text);
  const wrong = written.diagnostics.find((one) => hasErrors([one]) && !isAboutSending(one));
  if (wrong !== undefined) throw new Error(`the written rows are not valid: ${wrong.message}`);
  if (declaredBy(written) !== declaredBy(checked.loaded))
    throw new Error("the written rows mean something else than the rows that were checked");
  const isWritten = flags.dryRun !== true;
  const rejects = bad.length === 0 ? null : (flags.rejects ?? null);
  const skipped = rejects === null ? null : { file: rejects, text: rejectsText(sheet, columns, bad) };
  const problem = isWritten ? await writeAll(world, target, text, skipped) : null;
  if (problem !== null) throw new Refusal([problem]);
  const report = writtenResult({
    target,
    text,
    kind,
    sheet,
    checked,
    columns: shownColumns,
    isWritten,
    rejects,
    diagnostics: secretsLeftOut(columns, kind),
    warnings: written.diagnostics.filter(({ place }) => place?.file === target.file).length,
  });
  out.findings(report.diagnostics);
  return (await out.result(writtenReport, report)) ? EXIT.done : EXIT.error;
}

/** Reports every error. In text, similar errors are grouped. */
async function refuseRows(
  out: Console,
  sheet: Sheet,
  { bad, others, good }: CheckedRows,
  { skipBad }: ImportFlags,
): Promise<ExitCode> {
  const problems = bad.flatMap((read) => read.problems);
  out.findings([...groupSimilar(sheet, problems), ...others]);
  const advice =
    skipBad === true || good.length === 0 ? "" : ", or skip these rows with --skip-bad (--rejects FILE saves them)";
  const count =
    bad.length === 0
      ? "The rows cannot be imported"
      : `${showCount(bad.length)} of ${plural(sheet.rows.length, "row")} cannot be imported`;
  if (!out.isDocument) out.remark(`${count}. Nothing was written. Fix the errors${advice}.`);
  const diagnostics = [...sortDiagnostics(problems.map(({ diagnostic }) => diagnostic)), ...others];
  const { failureReport } = await import("../report/failure.ts");
  return out.conclude(failureReport, { command: "import", diagnostics, baseUrl: null }, () => EXIT.error);
}

/** The labels and names of all domains in the files, in lower case. */
function domainsOf({ domains, declarations, tombstones }: Project): ReadonlySet<string> {
  const labelled = domains.flatMap(({ label, name }) => [label, name ?? label]);
  const declared = [...declarations, ...tombstones].flatMap(({ domain }) => domain ?? []);
  return new Set([...labelled, ...declared].map((domain) => domain.toLowerCase()));
}

/** The values for rows without their own: from flags, and from the default domain. */
function givenBy(
  kind: ResourceKind,
  { domain, space }: ImportFlags,
  { given }: ImportTarget,
): ReadonlyMap<string, string> {
  if (kind === "pixel" && (domain !== undefined || space !== undefined))
    throw usageError("wrong-flag", "Pixels have no domain and no space.", "Remove --domain and --space.");
  const byPath = {
    [REFERENCE_FIELD.domain]: domain ?? given.get(REFERENCE_FIELD.domain)?.value,
    [REFERENCE_FIELD.space]: space,
  };
  return new Map(Object.entries(byPath).flatMap(([key, value]) => (typeof value === "string" ? [[key, value]] : [])));
}

/** Never overwrites a file of rejected rows, which somebody may still want to fix. */
function checkRejects({ cwd }: World, { rejects, skipBad }: ImportFlags): void {
  if (rejects === undefined) return;
  if (skipBad !== true)
    throw wrongRejects("`--rejects` needs `--skip-bad`, because it saves the skipped rows.", "Add --skip-bad.");
  if (typeAt(locateNamed(cwd, rejects)) !== "missing")
    throw wrongRejects(`${rejects} already exists.`, "Pass another file, or delete this one.");
}

function wrongRejects(message: string, hint: string): UserError {
  return usageError("wrong-rejects", message, hint);
}

/** Writes the file of the project and the file of rejected rows, or neither. */
async function writeAll(
  { cwd }: World,
  { folder, file, before }: ImportTarget,
  text: string,
  rejects: { readonly file: string; readonly text: string } | null,
): Promise<Diagnostic | null> {
  const place = rejects && locateNamed(cwd, rejects.file);
  try {
    if (place !== null) replaceAt(place, rejects?.text ?? "", { isNew: true });
  } catch (cause) {
    return diagnosticOf(cause) ?? unwritable(`The file ${place?.shown}`, cause);
  }
  const problem = await writeFiles(folder, [{ file, before, after: text }]);
  if (problem !== null && place !== null) removeAt(place);
  return problem;
}
