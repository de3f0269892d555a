// `linkform import csv FILE`: writes all rows of a spreadsheet into a file of links or pixels, or none.

import { Refusal } from "../config/located-error.ts";
import { error, errorsIn, sortDiagnostics, warning, type Diagnostic } from "../domain/diagnostic.ts";
import { groupBy } from "../domain/collections.ts";
import { isAboutSending } from "../domain/rules.ts";
import { FIELDS, REFERENCE_FIELD, type ResourceKind } from "../domain/table.ts";
import { EXIT, usageError, type ExitCode, type UserError } from "../errors.ts";
import { removeAt, replaceAt, type Location } from "../files/location.ts";
import { locateNamed, typeAt } from "../files/named.ts";
import { writeFiles } from "../files/write-files.ts";
import { columnsLog, type SheetColumns } from "../report/compose-written.ts";
import { plural, showCount } from "../domain/words.ts";
import type { WrittenItem } from "../report/json/written.ts";
import { soundsSecret } from "../report/redaction.ts";
import { writtenReport } from "../report/run-document.ts";
import { drawBlocks } from "../report/text/blocks.ts";
import { Console } from "../session/console.ts";
import type { CommonFlags, World } from "../session/context.ts";
import { unwritable } from "../session/outputs.ts";
import { isSecretTarget, mapColumns, refuseMissing, type MappedSheet } from "./columns.ts";
import { openSheet, PIPED, shownDelimiter, type RowProblem, type Sheet, type SheetFlags } from "./csv.ts";
import { hasSecret, isPresenceIn, type DateOrder } from "./values.ts";
import { checkRows, declaredBy, fileWith, openTarget, type CheckedRows, type ImportTarget } from "./project.ts";
import { readRows, rowKey, type ReadRow } from "./rows.ts";

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

/** Writes the rows of a spreadsheet into a file of the project. */
export async function importCsv(world: World, file: string, flags: ImportFlags): Promise<ExitCode> {
  const out = new Console(world, flags, "import");
  return out.run(() => importSheet(out, file, flags));
}

async function importSheet(out: Console, source: string, flags: ImportFlags): Promise<ExitCode> {
  const { world } = out;
  checkRejects(world, flags);
  const sheet = await openSheet(world, source, flags);
  const mapped = mapColumns(sheet, flags.map ?? []);
  const { kind } = mapped;
  const target = await openTarget(world, flags, { sheet: source === PIPED ? "" : source, kind });
  const { file, before, folder } = target;
  if (flags.rejects !== undefined && locateNamed(world.cwd, flags.rejects).path === folder.locate(file).path)
    throw wrongRejects(`${flags.rejects} is the file for the imported rows.`, "Pass another file with --rejects.");
  const shown = shownColumns(mapped);
  if (!out.isDocument) out.note(`${drawBlocks(columnsLog(world.secrets.hideIn(shown)), out.errScreen)}\n`);
  const given = givenBy(kind, flags, target);
  refuseMissing(mapped, given);
  const rows = readRows(mapped, {
    given,
    hasDomainFlag: flags.domain !== undefined,
    dateOrder: flags.dateFormat ?? null,
    project: target.project,
    defaults: target.given,
  });
  const checked = await checkRows(rows, mapped, target, flags.skipBad === true);
  const { good, bad, others } = checked;
  if (good.length === 0 || others.length > 0 || (bad.length > 0 && flags.skipBad !== true))
    return refuseRows(out, sheet, checked, flags);
  const text = fileWith(kind, target, good);
  const written = await target.load(text);
  const wrong = errorsIn(written.diagnostics).find((one) => !isAboutSending(one));
  if (wrong !== undefined) throw new Error(`the written rows are not valid: ${wrong.message}`);
  if (declaredBy(written) !== declaredBy(checked.loaded))
    throw new Error("the written rows mean something else than the rows that were checked");
  const isWritten = flags.dryRun !== true;
  const rejects = bad.length === 0 ? undefined : flags.rejects;
  const to = rejects === undefined ? null : locateNamed(world.cwd, rejects);
  if (isWritten) writeAll(target, text, to && { place: to, text: rejectsText(mapped, bad) });
  const diagnostics = secretsLeftOut(mapped);
  const warnings = written.diagnostics.filter(({ place }) => place?.file === file).length;
  out.findings(diagnostics);
  return out.result(writtenReport, {
    command: "import",
    isWritten,
    edits: [{ file, before, after: text }],
    items: itemsOf(mapped, checked, file),
    variables: good.flatMap(({ variables }) => variables),
    next: isWritten
      ? [
          ...(rejects === undefined ? [] : [`${rejects} has the skipped rows, each with its reason.`]),
          ...(warnings === 0 ? [] : [`Run \`linkform validate\` to see ${plural(warnings, "warning")}.`]),
          "Run `linkform plan` to see which of them already exist. Existing ones become managed and are changed to match the file. The others are created.",
        ]
      : ["Run again without --dry-run to write the file."],
    diagnostics,
    columns: shown.columns,
  });
}

/** With the first value of each mapped column that is not secret. */
function shownColumns({ sheet, columns }: MappedSheet): SheetColumns {
  return {
    file: sheet.file,
    rows: sheet.rows.length,
    delimiter: shownDelimiter(sheet.delimiter),
    columns: columns.map(({ index, name, target, because }) => {
      const secret = isSecretTarget(target);
      const first = sheet.rows.find(({ cells }) => (cells[index] ?? "") !== "")?.cells[index];
      const example = target === null || secret ? null : (first ?? null);
      return { column: name, field: target?.path ?? null, because, example, secret };
    }),
  };
}

/** Warns about unmapped columns that sound like passwords: without them, the links would be open. */
function secretsLeftOut({ kind, columns }: MappedSheet): Diagnostic[] {
  const secret = FIELDS[kind].find((field) => field.kind === "secret");
  if (secret === undefined) return [];
  return columns.flatMap(({ name, target, because }) => {
    if (target !== null || because === "flag" || !soundsSecret(name)) return [];
    const message = `The column \`${name}\` may contain passwords, but it is ignored. Links that had a password would have none.`;
    const hint = `To import the passwords, pass --map "${name}=${secret.path}". To hide this warning, pass --map "${name}=ignore".`;
    return [warning("secret-left-out", message, null, hint)];
  });
}

function itemsOf({ sheet, kind }: MappedSheet, { good, bad }: CheckedRows, file: string): WrittenItem[] {
  const added = good.map((read): WrittenItem => ({ what: "added", kind, key: rowKey(read), file, note: null }));
  const skipped = bad.map((read): WrittenItem => {
    const reasons = read.problems.map(({ reason }) => reason).join(" ");
    const note = `${sheet.file}:${sheet.placeOf(read.row, null).line}: ${reasons}`;
    return { what: "skipped", kind, key: rowKey(read) || null, file: null, note };
  });
  return [...added, ...skipped];
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
  const maySkip = skipBad !== true && good.length > 0;
  const advice = maySkip ? ", or skip these rows with --skip-bad (--rejects FILE saves them)" : "";
  const count = bad.length === 0 ? "The rows" : `${showCount(bad.length)} of ${plural(sheet.rows.length, "row")}`;
  if (!out.isDocument) out.remark(`${count} cannot be imported. Nothing was written. Fix the errors${advice}.`);
  const diagnostics = [...sortDiagnostics(problems.map(({ diagnostic }) => diagnostic)), ...others];
  const { failureReport } = await import("../report/failure.ts");
  return out.conclude(failureReport, { command: "import", diagnostics, baseUrl: null }, () => EXIT.error);
}

/** The values for rows without their own: from flags, and from the default domain. */
function givenBy(
  kind: ResourceKind,
  { domain, space }: ImportFlags,
  { given }: ImportTarget,
): ReadonlyMap<string, string> {
  if (kind === "pixel" && (domain !== undefined || space !== undefined))
    throw usageError("wrong-flag", "Pixels have no domain and no space.", { hint: "Remove --domain and --space." });
  const byPath = [
    [REFERENCE_FIELD.domain, domain ?? given.get(REFERENCE_FIELD.domain)?.value] as const,
    [REFERENCE_FIELD.space, space] as const,
  ];
  return new Map(byPath.flatMap(([path, value]) => (typeof value === "string" ? [[path, value]] : [])));
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
  return usageError("wrong-rejects", message, { hint });
}

/** Writes the file of the project and the file of rejected rows, or neither. */
function writeAll(
  { folder, file, before }: ImportTarget,
  text: string,
  rejects: { readonly place: Location; readonly text: string } | null,
): void {
  try {
    if (rejects !== null) replaceAt(rejects.place, rejects.text, { isNew: true });
  } catch (cause) {
    throw new Refusal([unwritable(`The file ${rejects?.place.shown}`, cause)]);
  }
  try {
    writeFiles(folder, [{ file, before, after: text }]);
  } catch (cause) {
    if (rejects !== null) removeAt(rejects.place);
    throw cause;
  }
}

/** How many similar errors are shown, and how many lines of the others. */
const [SHOWN, LINES] = [3, 8];

/** Groups similar errors of a column. */
function groupSimilar({ columns }: Sheet, problems: readonly RowProblem[]): readonly Diagnostic[] {
  const groups = groupBy(problems, ({ column, diagnostic: { code } }) => `${code} ${column}`);
  return [...groups.values()].flatMap((group): Diagnostic[] => {
    const similar = group.map(({ diagnostic }) => diagnostic);
    const rest = similar.slice(SHOWN);
    const [next] = rest;
    if (next === undefined || rest.length === 1) return similar;
    const lines = rest.slice(0, LINES).map(({ place }) => String(place?.line));
    const where = `${lines.join(", ")}${rest.length > LINES ? ", …" : ""}`;
    const column = group[0]?.column ?? null;
    const what = column === null ? "" : ` in \`${columns[column]}\``;
    const message = `${plural(rest.length, "more row")} like these${what}: lines ${where}.`;
    return [...similar.slice(0, SHOWN), error(next.code, message, next.place)];
  });
}

/** A CSV file with the columns of the sheet and the reasons. `set` replaces passwords: an import only needs to know that there is one. */
function rejectsText({ sheet, columns }: MappedSheet, bad: readonly ReadRow[]): string {
  const hidesSecret = columns.map(({ index, target, name }): ((cell: string) => boolean) => {
    if (!isSecretTarget(target) && (target !== null || !soundsSecret(name))) return () => false;
    // `set` in a cell without a password would declare one.
    const isPresence = isPresenceIn(sheet.rows, index);
    return (cell) => hasSecret(cell, isPresence);
  });
  const rows = bad.map(({ row, problems }) => [
    ...row.cells.map((cell, at) => (hidesSecret[at]?.(cell) === true ? "set" : cell)),
    problems.map(({ reason }) => reason).join(" "),
  ]);
  const { delimiter } = sheet;
  const quoted = (cell: string): string =>
    cell.includes(delimiter) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
  return [[...sheet.columns, "reason"], ...rows].map((cells) => `${cells.map(quoted).join(delimiter)}\r\n`).join("");
}
