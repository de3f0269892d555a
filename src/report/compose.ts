// A whole report as blocks, from its JSON document: what stops or breaks comes first.

import { visible } from "../domain/control-characters.ts";
import { groupBy } from "../domain/collections.ts";
import { BY_SEVERITY, SAFETY_CHANGED } from "../domain/diagnostic.ts";
import { compareText } from "../domain/place.ts";
import { completenessText, endText } from "./run-document.ts";
import { bullets, code, heading, itemList, joinLines, line, prose, sentences, strong, toned, yaml } from "./blocks.ts";
import type { Block, Composed, Item, Line } from "./blocks.ts";
import { changeBlocks, countObjects, isLost, lostText, notAppliedBlocks } from "./compose-changes.ts";
import type { ComposeContext } from "./compose-changes.ts";
import { findingBlocks, findingList, itemPlace, placeLine } from "./compose-findings.ts";
import { severityCounts, shownFindings, validity } from "./compose-findings.ts";
import { maskUsers } from "./values.ts";
import { countsText, countWords, showInstant } from "./counts.ts";
import { plural, showCount, someOf } from "../domain/words.ts";
import { DRIFT_STATES, type ReportDocument, type ShownChange } from "./document.ts";
import type { RunDocument, UndoDocument, OrphanDocument, PlanDocument, WithheldDocument } from "./json/schema.ts";
import { ALL_WITHHELD, NO_CHANGES, originsText, restText, shortCommit, waitText } from "./plan-remarks.ts";
import { fullReport, NOT_DONE, type ReportedCommand } from "./format.ts";
import { unmanagedLines, WITHHELD_REASONS } from "./unplanned.ts";

/** `short`: what happens, or how the run ended, in a line. */
type Head = Pick<Composed, "tone" | "title" | "lead"> & { readonly short: Line };

export function composeReport(document: ReportDocument, command: ReportedCommand, run: ComposeContext): Composed {
  const context = ofDocument(run, document);
  const { tone, title, lead } = headOf(document, command, context);
  const findings = shownFindings(document);
  const safety = findings.filter((one) => one.code === SAFETY_CHANGED);
  const others = BY_SEVERITY.flatMap((of) => findings.filter((one) => one.severity === of && !safety.includes(one)));
  const alarms = others.filter(({ severity: of }) => of === "error" || (command === "check" && of === "warning"));
  const rest = others.filter((one) => !alarms.includes(one));
  const blocks: Block[] = [
    ...brakeBlocks(document, command, context),
    ...findingBlocks(`${plural(safety.length, "safety setting")} changed`, safety, context),
    ...[...groupBy(alarms, ({ owner = [] }) => owner.join(", "))].flatMap(([owner, group]) =>
      findingBlocks(line`${severityCounts(group)}${owner === "" ? [] : line`: ${code(owner)}`}`, group, context),
    ),
    ...bodyBlocks(document, command, context),
    ...findingBlocks(severityCounts(rest, ["warning", "info"]), rest, context),
    ...aboutBlocks(document, command),
  ];
  const name = context.project;
  const about = { of: command, name, subject: name === "" ? [] : [code(name)] };
  return { ...about, baseUrl: document.service?.base_url ?? null, tone, title, lead, blocks };
}

/** For a log, which ends with the counts. `hasFindings`: they are not on stderr. */
export function composeLog(
  document: ReportDocument,
  command: ReportedCommand,
  run: ComposeContext,
  hasFindings: boolean,
): Block[] {
  const context = ofDocument(run, document);
  const { changes = [], withheld = [], remarks = [], details = [], run: ended, complete, undo } = document;
  const { tone, short } = headOf(document, command, context);
  const isStopped = context.hasBrakes === true && command !== "drift";
  const summary = sentences(isStopped ? "bad" : tone, [short]);
  const completeness = completenessText(document);
  const isDone = ended !== undefined || changes.length + withheld.length === 0;
  return [
    ...(hasFindings ? findingList(shownFindings(document), context) : []),
    ...(undo === undefined || ended !== undefined ? [] : undoBlocks(undo, context)),
    ...(ended === undefined ? [] : summary),
    ...(complete === true ? bodyBlocks(document, command, context) : []),
    ...brakeBlocks(document, command, context),
    ...sentences("muted", [...remarks, ...(context.isVerbose === true ? details : [])].map(prose)),
    ...(ended === undefined ? summary : []),
    ...(undo !== undefined && isDone ? undoEnd(undo) : []),
    ...sentences("calm", undoLines(document, context)),
    ...(completeness === ""
      ? []
      : sentences(document.moved_base === undefined ? "warn" : "calm", [prose(completeness)])),
  ];
}

/** Changes need not say where they come from if the plan says it for all of them. A log has the plan before an apply. */
function ofDocument(context: ComposeContext, { changes = [], run, brakes = [] }: ReportDocument): ComposeContext {
  const isOne = new Set(changes.map(({ origin }) => origin)).size === 1;
  return { ...context, hasOneOrigin: isOne && (context.isLog || run === undefined), hasBrakes: brakes.length > 0 };
}

export function headOf(document: ReportDocument, command: ReportedCommand, context: ComposeContext): Head {
  const counts = severityCounts(shownFindings(document));
  if (command === "validate" || command === "check") {
    const { valid = false, files = 0, destinations } = document;
    if (destinations === undefined) return headWith(valid ? "good" : "bad", validity(valid, files, counts));
    const found = destinations.map(({ verdict }) => verdict);
    const verdicts = countWords(found, ["dead", "unknown", "alive"]);
    const title = line`${plural(destinations.length, "destination")} checked${verdicts === "" ? "" : `: ${verdicts}`}.`;
    return headWith(valid ? (counts === "" ? "good" : "warn") : "bad", title);
  }
  if (document.complete !== true) {
    const title = line`Nothing was ${NOT_DONE[command]}${counts === "" ? "" : `: ${counts}`}.`;
    return { ...headWith("bad", title), lead: [line`Fix the errors first.`] };
  }
  if (command === "drift") {
    const { changes = [], summary: { unchanged = 0 } = {} } = document;
    const found = changes.map(({ drift }) => drift ?? "changed");
    const states = countWords(found, DRIFT_STATES);
    const lead = line`${plural(unchanged, "object")} ${unchanged === 1 ? "matches" : "match"} the files.`;
    return states === "" ? headWith("good", line`No drift.`, lead) : headWith("warn", line`Drift: ${states}.`, lead);
  }
  return document.run === undefined ? planHead(document, context) : runHead(document, document.run, context);
}

function headWith(tone: Head["tone"], title: Line, lead: Line = []): Head {
  return lead.length === 0
    ? { tone, title, lead: [], short: title }
    : { tone, title, lead: [lead], short: line`${title} ${lead}` };
}

function planHead(document: ReportDocument, context: ComposeContext): Head {
  const { changes = [], withheld = [], brakes = [], undo } = document;
  const rest = line`${restText(document, context.isOneOfSeveral)}`;
  const origin = originLines(context, document);
  if (changes.length === 0) {
    const isLeftOut = withheld.length > 0;
    const why = undo?.already === undo?.changes ? ": every change is already undone, or was never made" : "";
    const title = line`${isLeftOut ? ALL_WITHHELD : undo === undefined ? NO_CHANGES : `Nothing to undo${why}`}.`;
    const short = undo === undefined ? line`${title} ${rest}` : title;
    return { tone: isLeftOut ? "warn" : "good", title, lead: [rest, ...origin], short };
  }
  const planned = strong(`${countsText(changes, false)}.`);
  const counts = line`${planned} ${rest}${waitText(document)}`;
  const text = originsText(changes, context.origin?.of === "request");
  const origins = text === "" ? [] : [line`${text}`];
  const sums = undo === undefined ? joinLines([counts, ...origins], " ") : [planned];
  return {
    ...visitorHead(document),
    lead: [counts, ...origins, ...origin],
    short: line`${strong("Plan:")} ${sums}${brakes.length > 0 ? " Stopped by the brake: nothing is applied." : ""}`,
  };
}

/** What a plan means for visitors. One that a brake stopped would end short URLs, but does not. */
export function visitorHead({ changes = [], brakes = [] }: Partial<ReportDocument>): Pick<Head, "tone" | "title"> {
  const lost = changes.filter(isLost);
  if (lost.length > 0)
    return { tone: "bad", title: line`${lostText(lost, "plan", { hasBrakes: brakes.length > 0 })}.` };
  const noticed = changes.filter((one) => one.noticed === true);
  const change = noticed.length === 1 ? "changes" : "change";
  const others = noticed.length === 0 ? "" : ` ${countObjects(noticed)} ${change} for visitors.`;
  const hasOnlyPixels = changes.every(({ kind }) => kind === "pixel");
  const why = hasOnlyPixels ? "only pixels change." : `every short URL keeps working.${others}`;
  return { tone: "good", title: line`Nothing breaks: ${why}` };
}

/** Who changed the files, and in which commit. The name is code, so that a comment notifies nobody. */
function originLines({ origin }: ComposeContext, { changes = [], brakes = [] }: ReportDocument): Line[] {
  if (origin == null) return [];
  const { of, login, commit, commitUrl } = origin;
  const by = login === null ? [] : line` by ${code(`@${login}`)}`;
  const where = commit === null ? [] : line` in ${code(shortCommit(commit), commitUrl)}`;
  const isPending = of === "request" && brakes.length === 0 && changes.some(({ outcome }) => outcome === undefined);
  return [
    ...(login === null && commit === null ? [] : [line`${of === "request" ? "Changed" : "Pushed"}${by}${where}.`]),
    ...(isPending ? [line`Applies after the merge.`] : []),
  ];
}

function runHead(document: ReportDocument, run: RunDocument, context: ComposeContext): Head {
  const [tone, title, more] = endText(run, document);
  const texts = [more, completenessText(document)].filter((text) => text !== "");
  const lead = [...texts.map(prose), ...undoLines(document, context), ...originLines(context, document)];
  return { tone, title: prose(title), lead, short: prose(`${title} ${more}`.trimEnd()) };
}

/** In CI, the record is a file of the job, which people have to download. */
function undoLines({ undo_command: command, record }: ReportDocument, context: ComposeContext): Line[] {
  if (command === undefined) return [];
  if (context.runUrl === null || record == null) return [line`To undo: ${code(command)}`];
  const name = record.replace(/^.*[/\\]/s, "");
  const page = fullReport(context, "apply");
  return [line`To undo this run, download ${code(name)} from ${page}, and run ${code(`linkform undo ${name}`)}.`];
}

function brakeBlocks({ brakes = [], result }: ReportDocument, command: string, context: ComposeContext): Block[] {
  // A comparison applies nothing.
  if (brakes.length === 0 || command === "drift") return [];
  const first =
    command === "apply" || result !== undefined
      ? "Stopped by the brake: nothing was applied."
      : context.origin?.of === "request"
        ? "The brake will stop the deploy of this plan."
        : "Stopped by the brake: nothing in this plan is applied.";
  const found = brakes.map(({ message, advice, write }) => [
    prose(message),
    write === null ? prose(advice) : line`${prose(advice)} ${code(write)}`,
  ]);
  return context.isLog
    ? found.map((lines) => ({ is: "alert", lines }))
    : [{ is: "alert", lines: [line`${first}`, ...found.flat()] }];
}

/** Everything between the first sentences and the remarks, except for findings. */
function bodyBlocks(document: ReportDocument, command: ReportedCommand, context: ComposeContext): Block[] {
  const { changes = [], next = [], run, withheld = [], not_reviewed: notReviewed = [], unmanaged } = document;
  const made = changes.filter(({ outcome }) => outcome === "applied");
  // Before an apply, a log has the plan with the rest.
  const isShown = context.isLog && run !== undefined;
  const left = line`Not reviewed, left for the next plan: ${plural(notReviewed.length, "change")}`;
  return [
    ...(run === undefined ? [] : notAppliedBlocks(changes, context)),
    ...stepBlocks(next),
    ...(run === undefined ? changeBlocks(changes, command === "drift" ? "drift" : "plan", context) : []),
    ...(isShown || run === undefined ? [] : changeBlocks(made, "apply", context)),
    ...(isShown || command === "drift" ? [] : withheldBlocks(withheld, context)),
    ...listBlocks(heading("warn", left), notReviewed.map(changeLine), context),
    ...(isShown ? [] : [...orphanBlocks(document, context), ...unmanagedBlocks(unmanaged ?? [], context)]),
  ];
}

function stepBlocks(next: readonly string[]): Block[] {
  const only = next.map((one) => line`Next step: ${prose(one)}`);
  if (next.length < 2) return sentences("calm", only);
  return [heading("calm", line`Next steps`), { is: "lines", tone: "calm", list: "steps", lines: next.map(prose) }];
}

const MAX_NAMED = 10;

function withheldBlocks(withheld: readonly WithheldDocument[], context: ComposeContext): Block[] {
  if (withheld.length === 0) return [];
  const are = withheld.length === 1 ? "is" : "are";
  return [
    heading("warn", line`Partial plan: ${plural(withheld.length, "change")} ${are} left out`),
    ...Object.entries(WITHHELD_REASONS).flatMap(([because, reason]) => {
      const changes = withheld.flatMap((one) => {
        const { waits_for: waits } = one;
        const why = waits === null ? [] : line`, waits for ${waits.kind} ${code(waits.key)}`;
        return one.because === because ? [line`${changeLine(one)}${why}`] : [];
      });
      const lines = [line`${showCount(changes.length)} ${prose(reason)}:`];
      return listBlocks({ is: "lines", tone: "calm", lines }, changes, context);
    }),
  ];
}

function changeLine({ action, kind, key }: Pick<ShownChange, "action" | "kind" | "key">): Line {
  return line`${action} ${kind} ${code(key)}`;
}

/** A log names only the first items, and a page folds the others. Nothing without items. */
function listBlocks(title: Block, lines: readonly Line[], { isLog }: ComposeContext): Block[] {
  if (lines.length === 0) return [];
  const [named, rest] = [lines.slice(0, MAX_NAMED), lines.slice(MAX_NAMED)];
  const more = line`${showCount(rest.length)} more`;
  if (rest.length === 0) return [title, ...bullets(named)];
  if (isLog) return [title, ...bullets([...named, line`and ${more}`])];
  return [title, ...bullets(named), { is: "fold", title: more, blocks: bullets(rest) }];
}

function orphanBlocks(document: ReportDocument, context: ComposeContext): Block[] {
  const { orphans = [], changes = [], to_delete: toDelete } = document;
  if (orphans.length === 0) return [];
  return [
    heading("warn", line`No longer declared, but still live: ${plural(orphans.length, "object")}`),
    ...itemList(orphans.map((one) => orphanItem(one, changes, context))),
    ...(toDelete === undefined ? [] : sentences("calm", [prose(toDelete.text)])),
    ...yaml(toDelete?.lines ?? ""),
  ];
}

function orphanItem(
  { kind, key, id, clicks, source, paste, advice, renamed_from_for: successor }: OrphanDocument,
  changes: readonly ShownChange[],
  context: ComposeContext,
): Item {
  // Where the pasted lines go.
  const at = changes.find((change) => change.key === successor)?.source ?? source;
  return {
    symbol: "?",
    tone: "warn",
    verb: kind,
    title: [code(key)],
    facts: [line`id ${String(id)}`, ...(clicks === null ? [] : [line`${plural(clicks, "click")}`])],
    places: [itemPlace(at, [], context, line`was declared in ${placeLine(source, context)}`)],
    ...(advice !== undefined && { notes: [toned(prose(advice))], paste }),
  };
}

function unmanagedBlocks(all: NonNullable<PlanDocument["unmanaged"]>, { isLog }: ComposeContext): Block[] {
  if (all.length === 0) return [];
  const problems = all.flatMap(({ kind, key, id, clicks, problem }) => {
    const counted = clicks === null ? "" : `, ${plural(clicks, "click")}`;
    if (problem === undefined) return [];
    return [line`${kind} ${code(key)} (id ${String(id)}${counted}) cannot be declared here: ${prose(problem)}.`];
  });
  const text = unmanagedLines(all);
  const masked = isLog ? text : maskUsers(text);
  const toDeclare =
    "Put these lines in a new file to declare these objects as they are. You can change the names of the variables for passwords.";
  const usersHidden =
    "`•••@` replaces the user name and password of a destination. Fill them in before you use these lines, or print the lines with `--format text`.";
  const hints = (masked === text ? [toDeclare] : [toDeclare, usersHidden]).map(prose);
  return [
    heading("calm", line`${plural(all.length, "object")} not in the files`),
    ...bullets(problems),
    ...(text === "" ? [] : sentences("calm", hints)),
    ...yaml(masked),
  ];
}

function aboutBlocks({ remarks = [], details = [] }: ReportDocument, command: ReportedCommand): Block[] {
  const lines = [...remarks, ...details].map(prose);
  if (lines.length === 0) return [];
  const what = command === "drift" ? "comparison" : command === "plan" ? command : "run";
  return [{ is: "fold", title: line`About this ${what}`, blocks: bullets(lines) }];
}

function undoBlocks({ record, at, ended, changes, lost }: UndoDocument, context: ComposeContext): Block[] {
  const killed = "That run did not finish. linkform compared its record with the account to find its changes.";
  const first = line`${strong("Undo of")} ${code(record)}: ${plural(changes, "change")} from ${code(showInstant(at))}.`;
  const lines = lost.map(({ kind, key, message }) => line`${kind} ${code(key)}: ${prose(message)}`);
  return [
    ...sentences("calm", ended ? [first] : [first, line`${killed}`]),
    ...listBlocks(heading("warn", line`What cannot be restored`), lines, context),
  ];
}

function undoEnd({ left, files }: UndoDocument): Block[] {
  const incomplete = [...new Set(left.map(({ key }) => `\`${visible(key)}\``))];
  const names = files.map(({ file }) => visible(file)).toSorted(compareText);
  const [key = "KEY…", ...others] = files.flatMap((one) => one.keys);
  const pulled = others.length === 0 ? visible(key) : "KEY…";
  const restored = `Not fully restored: ${someOf(incomplete, MAX_NAMED)}. The warnings give the reasons.`;
  const again = `The next apply would make the undone changes again, because the files still ask for them: ${someOf(names, MAX_NAMED)}. Revert the commit (\`git revert\`), or update the files from the account: \`linkform pull ${pulled}\`.`;
  return [
    ...sentences("warn", incomplete.length === 0 ? [] : [prose(restored)]),
    ...sentences("calm", files.length === 0 ? [] : [prose(again)]),
  ];
}
