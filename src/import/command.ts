// `linkform import csv FILE`: writes all rows of a spreadsheet into a file of links or pixels, or none.

import path from "node:path";
import { hasErrors, type Diagnostic } from "../domain/diagnostic.ts";
import { fold } from "../domain/fold.ts";
import { isAboutSending } from "../domain/rules.ts";
import { REFERENCE_FIELD, type ResourceKind } from "../domain/table.ts";
import type { UtmValues } from "../domain/utm.ts";
import { readCsv, type Sheet } from "./csv.ts";
import type { DateOrder } from "./dates.ts";
import { mapColumns, missingColumns, missingHeader } from "./mapping.ts";
import { rejectsText } from "./rejects.ts";
import { readRows } from "./rows.ts";
import { resolveRows, type ResolvedRows } from "./resolve.ts";
import { groupSimilar, rowDiagnostics } from "./row-problems.ts";
import { EXIT, UserError, type ExitCode, usageError } from "../errors.ts";
import { diagnosticOf } from "../config/located-error.ts";
import { ProjectFolder } from "../files/folder.ts";
import { removeAt, replaceAt } from "../files/location.ts";
import { locateNamed, typeAt } from "../files/named.ts";
import { writeFiles } from "../files/write-files.ts";
import { columnsLog } from "../report/compose-written.ts";
import { drawBlocks } from "../report/text/blocks.ts";
import { plural, showCount } from "../report/counts.ts";
import { inheritedUtm, usesUtm } from "../edit/utm.ts";
import { VariableNames } from "../edit/variable-names.ts";
import { Console, Refusal } from "../session/console.ts";
import type { CommonFlags, World } from "../session/context.ts";
import { fileWith } from "./yaml-file.ts";
import { declaredBy, openTarget, type ImportTarget } from "./project.ts";
import { columnsOf, secretsLeftOut, writtenReport } from "./report.ts";
import { PIPED, readSheet } from "./open-sheet.ts";
import { unwritable } from "../session/outputs.ts";

export type ImportFlags = CommonFlags & {
  readonly map?: readonly string[];
  readonly domain?: string;
  readonly space?: string;
  readonly into?: string;
  readonly delimiter?: string;
  /** False if the first row does not name the columns. */
  readonly header?: boolean;
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
    const read = await readSheet(world, file);
    if ("problem" in read) throw new Refusal([read.problem]);
    const options = { delimiter: flags.delimiter ?? null, hasHeader: flags.header !== false };
    const { sheet, diagnostics } = readCsv(read.text, read.name, options);
    const unread = sheet === null || diagnostics.length > 0 ? diagnostics : missingHeader(sheet);
    if (sheet === null || unread.length > 0) throw new Refusal(unread);
    return importSheet(world, out, { sheet, file }, flags);
  });
}

async function importSheet(
  world: World,
  out: Console,
  { sheet, file }: { readonly sheet: Sheet; readonly file: string },
  flags: ImportFlags,
): Promise<ExitCode> {
  const { kind, columns } = mapColumns(sheet, flags.map ?? []);
  const target = await openTarget(world, flags, { sheet: file === PIPED ? "" : file, kind });
  if ("problems" in target) throw new Refusal(target.problems);
  if (
    flags.rejects !== undefined &&
    path.resolve(world.cwd, flags.rejects) === path.resolve(target.folder, target.file)
  )
    throw wrongRejects(`${flags.rejects} is the file for the imported rows.`, "Pass another file with --rejects.");
  const { project, labels, domains } = target;
  const shownColumns = columnsOf(sheet, columns);
  if (!out.isDocument) out.note(`${drawBlocks(columnsLog(world.secrets.hideIn(shownColumns)), out.errScreen)}\n`);
  const given = givenBy(kind, flags, target);
  const missing = missingColumns(sheet, kind, columns, (field) => given.has(field));
  if (missing.length > 0) throw new Refusal(missing);

  const pixels = new Set(project.declarations.flatMap((one) => (one.kind === "pixel" ? [fold(one.name)] : [])));
  const isPixel = (name: string): boolean => pixels.has(fold(name));
  const isOwnDomain = (domain: string): boolean => flags.domain === undefined || domains.has(domain.toLowerCase());
  const reading = { kind, columns, given, labels, isOwnDomain, isPixel };
  const inherited = utmIn(target.given);
  const rows = readRows(sheet, {
    ...reading,
    dateOrder: flags.dateFormat ?? null,
    zone: project.zone,
    names: new VariableNames(project.declarations),
    usesUtm: usesUtm(project) || inherited.size > 0,
    inheritedUtm: inherited,
  });
  const resolved = await resolveRows(rows, {
    sheet,
    kind,
    columns,
    leavesOut: flags.skipBad === true,
    inherited: target.inherited,
    load: target.load,
  });
  const { good, bad, others } = resolved;
  if (good.length === 0 || others.length > 0 || (bad.length > 0 && flags.skipBad !== true))
    return refuseRows(out, sheet, resolved, flags);
  const text = fileWith(kind, target, good);
  const written = await target.loadText(text);
  const found = written.diagnostics;
  const warnings = secretsLeftOut(columns, kind);
  const wrong = found.find((one) => hasErrors([one]) && !isAboutSending(one));
  if (wrong !== undefined) throw new Error(`the written rows are not valid: ${wrong.message}`);
  if (declaredBy(written) !== declaredBy(resolved.loaded))
    throw new Error("the written rows mean something else than the rows that were checked");
  const rejected = flags.rejects !== undefined && bad.length > 0;
  if (flags.dryRun !== true) {
    const problem = await writeAll(
      world,
      target,
      text,
      rejected ? { flags, text: rejectsText(sheet, columns, bad) } : null,
    );
    if (problem !== null) throw new Refusal([problem]);
  }
  const done = { target, text, kind, sheet, resolved, warnings, found, columns: shownColumns };
  const report = writtenReport(done, {
    isWritten: flags.dryRun !== true,
    rejects: rejected ? (flags.rejects ?? null) : null,
  });
  out.findings(report.diagnostics);
  return (await out.result(report)) ? EXIT.done : EXIT.error;
}

/** Reports every error. In text, similar errors are grouped. */
async function refuseRows(
  out: Console,
  sheet: Sheet,
  { bad, others, good }: ResolvedRows,
  { skipBad }: ImportFlags,
): Promise<ExitCode> {
  out.findings([...groupSimilar(sheet, bad), ...others]);
  const all = sheet.rows.length;
  const advice =
    skipBad === true || good.length === 0 ? "" : ", or skip these rows with --skip-bad (--rejects FILE saves them)";
  const count =
    bad.length === 0
      ? "The rows cannot be imported"
      : `${showCount(bad.length)} of ${plural(all, "row")} cannot be imported`;
  if (!out.isDocument) out.remark(`${count}. Nothing was written. Fix the errors${advice}.`);
  const diagnostics = [...rowDiagnostics(sheet, bad), ...others];
  return out.conclude({ of: "failure", command: "import", diagnostics, baseUrl: null }, () => EXIT.error);
}

/** The UTM values of these defaults. */
function utmIn(given: ImportTarget["given"]): UtmValues {
  return inheritedUtm(new Map([...given].map(([key, { value }]) => [key, value])));
}

/** The values for rows without their own: from flags, and from the default domain. */
function givenBy(
  kind: ResourceKind,
  { domain, space }: ImportFlags,
  { given: byDefault }: ImportTarget,
): ReadonlyMap<string, string> {
  const given = new Map<string, string>();
  const defaultDomain = byDefault.get(REFERENCE_FIELD.domain)?.value;
  if (kind === "pixel" && (domain !== undefined || space !== undefined))
    throw usageError("wrong-flag", "Pixels have no domain and no space.", "Remove --domain and --space.");
  if (typeof defaultDomain === "string") given.set(REFERENCE_FIELD.domain, defaultDomain);
  if (domain !== undefined) given.set(REFERENCE_FIELD.domain, domain);
  if (space !== undefined) given.set(REFERENCE_FIELD.space, space);
  return given;
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
  rejects: { readonly flags: ImportFlags; readonly text: string } | null,
): Promise<Diagnostic | null> {
  const place = rejects?.flags.rejects === undefined ? null : locateNamed(cwd, rejects.flags.rejects);
  try {
    if (place !== null) replaceAt(place, rejects?.text ?? "", { isNew: true });
  } catch (cause) {
    return diagnosticOf(cause) ?? unwritable(`The file ${place?.shown}`, cause);
  }
  const problem = await writeFiles(new ProjectFolder(folder), [{ file, before, after: text }]);
  if (problem !== null && place !== null) removeAt(place);
  return problem;
}
