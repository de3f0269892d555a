// `linkform explain`: where the visitor of a short URL is sent, and why, for the declared or the live link.

import type { LiveRecord } from "../domain/live.ts";
import { showKey, type Declaration, type Project, type WrittenKey } from "../domain/project.ts";
import { instantIn, readQuestion, type ExplainFlags, type ExplainQuestion } from "./question.ts";
import { EXPIRATION_DATE, START_DATE } from "../domain/table.ts";
import type { Software } from "../domain/software.ts";
import { EXIT, UserError, type ExitCode } from "../errors.ts";
import { declaredFacts, liveFacts, type Facts } from "./facts.ts";
import type { ExplainedSide, ExplainReport, FoundLink } from "../report/explanation.ts";
import { connectReader, type Reader } from "../service/service.ts";
import { Console } from "../session/console.ts";
import type { World } from "../session/context.ts";
import { findLive, keyOfRecord, KnownDomains, lookUp, type DeclaredLink, type LiveFound } from "./find.ts";
import { refuse, refuseFor, withAccess, type Access } from "../session/session.ts";
import { openProject, type OpenedProject } from "../session/project.ts";
import type { Visitor } from "../domain/visit.ts";
import { visits } from "./visit.ts";

/** Explains a visit. If the files declare the link and no flag asks for more, no request is sent. */
export async function explain(world: World, text: string, flags: ExplainFlags): Promise<ExitCode> {
  const out = new Console(world, flags, "explain");
  let question: ExplainQuestion;
  let opened: OpenedProject | null = null;
  let declared: DeclaredLink | null = null;
  try {
    question = readQuestion(text, flags, world.now());
    if (question.side !== "live") {
      opened = await openFiles(world, flags, question);
      if (opened?.project === null) return await refuse(out, "explain", null, opened.diagnostics, EXIT.error);
      declared = opened === null ? null : lookUp(question.shortUrl, opened.project);
      if (declared?.is === "nothing" && opened !== null) requireDeclared(question, declared.nearest, opened.project);
    }
  } catch (cause) {
    return refuseFor(out, "explain", null, cause);
  }
  const project = opened?.project ?? null;
  if (project !== null && declared !== null && declared.is !== "nothing") {
    const zone = zoneOf(project);
    const instant = instantIn(question.moment, zone ?? "UTC");
    const version = project.software?.value ?? null;
    const side = declaredSide(declared, question, {
      at: instant,
      version,
      facts: (one) => declaredFacts(one, "wall" in question.moment ? (zone ?? "UTC") : zone, question.clicks),
    });
    return showReport(out, question, { instant, zone: zone ?? "UTC", version, side });
  }
  if (question.side === null) {
    const near = declared?.is === "nothing" && declared.nearest !== null ? ` (did you mean ${declared.nearest}?)` : "";
    out.remark(`No file declares ${text}${near}. Looking in the account.`);
  }
  return withAccess(world, flags, out, "explain", (access) => explainLive(out, question, access));
}

/** The project; null if there is none and it is not needed. */
async function openFiles(world: World, flags: ExplainFlags, { side }: ExplainQuestion): Promise<OpenedProject | null> {
  try {
    return await openProject(world, flags);
  } catch (cause) {
    const isMissing = cause instanceof UserError && cause.code === "no-project";
    if (isMissing && flags.config === undefined && side === null) return null;
    throw cause;
  }
}

/** Throws a user error if the account must not be read, or the files have no such domain. */
function requireDeclared({ text, shortUrl, side }: ExplainQuestion, near: string | null, project: Project): void {
  const domains = new KnownDomains(project);
  if (shortUrl.domain !== null && !domains.has(shortUrl.domain)) {
    const suggestion = domains.nearest(shortUrl.domain);
    throw new UserError("unknown-domain", `The files of this project do not use the domain \`${shortUrl.domain}\`.`, {
      hint: `${suggestion === null ? "" : `Did you mean \`${suggestion}/${shortUrl.alias}\`? `}Pass \`--live\` to look in the account.`,
    });
  }
  if (side === "files")
    throw new UserError("not-declared", `No file declares \`${text}\`.`, {
      hint: `${near === null ? "" : `Did you mean \`${near}\`? `}Pass \`--live\` to look in the account.`,
    });
}

function zoneOf({ zone, accountZone }: Project): string | null {
  return zone ?? accountZone;
}

interface ExplainContext {
  readonly instant: string;
  readonly zone: string;
  readonly version: Software | null;
  readonly side: ExplainedSide;
  readonly found?: LiveFound;
}

async function showReport(
  out: Console,
  question: ExplainQuestion,
  { instant, zone, version, side, found }: ExplainContext,
): Promise<ExitCode> {
  const diagnostics = found?.diagnostics ?? [];
  out.findings(diagnostics);
  const report: ExplainReport = {
    of: "explain",
    asked: question.text,
    visitor: visitorAt(question, instant),
    zone,
    version,
    side,
    diagnostics,
  };
  return (await out.result(report)) ? EXIT.done : EXIT.error;
}

async function explainLive(out: Console, question: ExplainQuestion, { opened, transport }: Access): Promise<ExitCode> {
  const project = opened?.project ?? null;
  const reader = connectReader(transport);
  const found = await findLive(question.shortUrl, reader, project, (line) => out.detail(line));
  const [record] = found.records;
  const zone = await zoneFor(question, record, reader, project);
  out.progress.stop();
  const instant = instantIn(question.moment, zone ?? "UTC");
  // Detecting the version may take a request, and only a link needs it.
  const software = record === undefined ? null : await reader.software();
  const version = software === null || software.source === "assumed" ? null : software.version;
  const side = liveSide(found.records, question, { at: instant, version });
  return showReport(out, question, { instant, zone: zone ?? "UTC", version, side, found });
}

/** The zone of times in the files. The account's zone is only read if something depends on it. */
async function zoneFor(
  { moment }: ExplainQuestion,
  record: LiveRecord | undefined,
  reader: Reader,
  project: Project | null,
): Promise<string | null> {
  const stated = project && zoneOf(project);
  if (stated !== null) return stated;
  const hasDate = [START_DATE, EXPIRATION_DATE].some(({ path }) => typeof record?.values.get(path) === "string");
  return "wall" in moment && hasDate ? (await reader.account()).zone : null;
}

/** The visitor who comes at an instant. */
function visitorAt({ is, isCrawler }: ExplainQuestion, at: string): Visitor {
  return { is, isCrawler, at };
}

/** The context of one side. */
interface SideContext {
  readonly at: string;
  /** The version of the service; null if unknown. */
  readonly version: Software | null;
  readonly facts: (declaration: Declaration) => Facts;
}

/** The link as the files declare it. */
function declaredSide(
  declared: Exclude<DeclaredLink, { is: "nothing" }>,
  question: ExplainQuestion,
  { at, version, facts }: SideContext,
): ExplainedSide {
  const side = (key: WrittenKey, found: FoundLink): ExplainedSide => ({
    from: "files",
    key: showKey(key),
    id: null,
    place: key.place,
    clicks: question.clicks,
    found,
    notes: [],
  });
  switch (declared.is) {
    case "declared":
      return side(declared.declaration, {
        is: "link",
        ...visits(facts(declared.declaration), visitorAt(question, at), version),
      });
    case "renamed":
      return side(declared.from, { is: "renamed", to: showKey(declared.declaration) });
    case "deleted":
      return side(declared.tombstone, { is: "deleted" });
    default:
      return declared satisfies never;
  }
}

/** The live link: the records with the requested key. */
function liveSide(
  records: readonly LiveRecord[],
  question: ExplainQuestion,
  { at, version }: Omit<SideContext, "facts">,
): ExplainedSide {
  const [record, twin] = records;
  if (record === undefined)
    return {
      from: "live",
      key: null,
      id: null,
      place: null,
      clicks: null,
      found: { is: "missing" },
      notes: [],
    };
  const clicks = question.clicks ?? record.clicks;
  return {
    from: "live",
    key: keyOfRecord(record),
    id: record.id,
    place: null,
    clicks,
    found: { is: "link", ...visits(liveFacts(record, clicks), visitorAt(question, at), version) },
    notes: twin === undefined ? [] : ["two-rows"],
  };
}
