// `linkform explain`: where the visitor of a short URL is sent, and why, for the declared link, the live link, or both.

import type { LiveRecord } from "../domain/live.ts";
import { showKey, type Declaration, type Project, type WrittenKey } from "../domain/project.ts";
import { instantIn, readQuestion, type ExplainFlags, type ExplainQuestion, type ShortUrl } from "./question.ts";
import { EXPIRATION_DATE, START_DATE } from "../domain/table.ts";
import type { Software } from "../domain/software.ts";
import { EXIT, UserError, type ExitCode } from "../errors.ts";
import { appliedFacts, declaredFacts, liveFacts, type Facts } from "./facts.ts";
import type { ExplainedSide, ExplainReport, FoundLink } from "../view/explanation.ts";
import { connectReader, type Reader } from "../service/service.ts";
import { Console } from "../session/console.ts";
import type { World } from "../session/context.ts";
import {
  findLive,
  isLeftAlone,
  keyOfRecord,
  KnownDomains,
  lookUp,
  successorOf,
  type DeclaredLink,
  type LiveFound,
} from "./find.ts";
import { refuse, refuseFor, withAccess, type Access } from "../session/session.ts";
import { openProject, type OpenedProject } from "../session/project.ts";
import { fold } from "../domain/fold.ts";
import type { NoteCode, Visitor } from "../domain/visit.ts";
import { visits } from "./visit.ts";
import { domainOf, nameOf } from "../plan/names.ts";

/** Explains a visit. If the files declare the link and no flag asks for more, no request is sent. */
export async function explain(world: World, text: string, flags: ExplainFlags): Promise<ExitCode> {
  const out = new Console(world, flags, "explain");
  let question: ExplainQuestion;
  let opened: OpenedProject | null = null;
  let declared: DeclaredLink | null = null;
  try {
    question = readQuestion(text, flags, world.now());
    if (question.sides !== "live") {
      opened = await openFiles(world, flags, question);
      if (opened?.project === null) return await refuse(out, "explain", null, opened.diagnostics, EXIT.error);
      declared = opened === null ? null : lookUp(question.shortUrl, opened.project);
      if (declared?.is === "nothing" && opened !== null) requireDeclared(question, declared.nearest, opened.project);
    }
  } catch (cause) {
    return refuseFor(out, "explain", null, cause);
  }
  const project = opened?.project ?? null;
  if (
    question.sides !== "live" &&
    question.sides !== "both" &&
    project !== null &&
    declared !== null &&
    declared.is !== "nothing"
  ) {
    const zone = zoneOf(project);
    const instant = instantIn(question.moment, zone ?? "UTC");
    const side = declaredSide(declared, question, {
      at: instant,
      version: project.software?.value ?? null,
      facts: (one) => declaredFacts(one, "wall" in question.moment ? (zone ?? "UTC") : zone, question.clicks),
    });
    return showReport(out, question, {
      instant,
      zone: zone ?? "UTC",
      version: project.software?.value ?? null,
      sides: [side],
    });
  }
  if (question.sides === null) {
    const near = declared?.is === "nothing" && declared.nearest !== null ? ` (did you mean ${declared.nearest}?)` : "";
    out.remark(`No file declares ${text}${near}. Looking in the account.`);
  }
  return withAccess(world, flags, out, "explain", (access) => explainLive(world, out, question, access));
}

/** The project; null if there is none and it is not needed. */
async function openFiles(world: World, flags: ExplainFlags, { sides }: ExplainQuestion): Promise<OpenedProject | null> {
  try {
    return await openProject(world, flags);
  } catch (cause) {
    const isMissing = cause instanceof UserError && cause.code === "no-project";
    if (isMissing && flags.config === undefined && sides === null) return null;
    throw cause;
  }
}

/** Throws a user error if the account must not be read, or the files have no such domain. */
function requireDeclared({ text, shortUrl, sides }: ExplainQuestion, near: string | null, project: Project): void {
  const domains = new KnownDomains(project);
  if (sides !== "both" && shortUrl.domain !== null && !domains.has(shortUrl.domain)) {
    const suggestion = domains.nearest(shortUrl.domain);
    throw new UserError("unknown-domain", `The files of this project do not use the domain \`${shortUrl.domain}\`.`, {
      hint: `${suggestion === null ? "" : `Did you mean \`${suggestion}/${shortUrl.alias}\`? `}Pass \`--live\` to look in the account.`,
    });
  }
  if (sides === "files")
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
  readonly sides: readonly ExplainedSide[];
  readonly found?: LiveFound;
}

async function showReport(
  out: Console,
  question: ExplainQuestion,
  { instant, zone, version, sides, found }: ExplainContext,
): Promise<ExitCode> {
  const diagnostics = found?.diagnostics ?? [];
  out.findings(diagnostics);
  const report: ExplainReport = {
    of: "explain",
    asked: question.text,
    visitor: visitorAt(question, instant),
    zone,
    version,
    sides,
    diagnostics,
  };
  return (await out.result(report)) ? EXIT.done : EXIT.error;
}

async function explainLive(world: World, out: Console, question: ExplainQuestion, access: Access): Promise<ExitCode> {
  const { opened, transport } = access;
  const project = opened?.project ?? null;
  const reader = connectReader(transport);
  const first = question.sides === "both" && project !== null ? lookUp(question.shortUrl, project) : null;
  const found = await findLive(withDeclaredDomain(question.shortUrl, first), reader, project, (line) =>
    out.detail(line),
  );
  const [record] = found.records;
  const declared =
    first !== null && record !== undefined && project !== null
      ? await declaredFor(record, first, { shortUrl: question.shortUrl, reader, project })
      : first;
  const successor =
    declared?.is === "declared" && project !== null
      ? await successorOf(declared.declaration, record ?? null, reader, project)
      : (record ?? null);
  const zone = await zoneFor(question, { record, declared }, reader, project);
  out.progress.stop();
  const instant = instantIn(question.moment, zone ?? "UTC");
  // Detecting the version may take a request, and only a link needs it.
  const isLink = record !== undefined || declared?.is === "declared";
  const software = isLink ? await reader.software() : null;
  const version = software === null || software.source === "assumed" ? null : software.version;
  const common = { instant, zone: zone ?? "UTC", version, found };
  const live = liveSide(found.records, question, { at: instant, version });
  if (declared === null) return showReport(out, question, { ...common, sides: [live] });
  const clicks = question.clicks ?? successor?.clicks ?? 0;
  const facts = (declaration: Declaration): Facts =>
    appliedFacts(declaration, successor, { zone, now: world.now(), clicks });
  const side = declaredSide(declared, question, { at: instant, version, facts });
  return showReport(out, question, { ...common, sides: [{ ...side, clicks, id: successor?.id ?? null }, live] });
}

/** Adjusts the result of the files to the live record: a tombstone may name another record, and a rename may concern another one. */
async function declaredFor(
  record: LiveRecord,
  first: DeclaredLink,
  { shortUrl, reader, project }: { readonly shortUrl: ShortUrl; readonly reader: Reader; readonly project: Project },
): Promise<DeclaredLink> {
  const declared = first.is === "nothing" ? byRecord(record, shortUrl, project) : first;
  const isOther = declared.is === "deleted" && declared.tombstone.id !== null && declared.tombstone.id !== record.id;
  const isLeft = declared.is === "renamed" && (await isLeftAlone(record, declared, reader, project));
  return isOther || isLeft ? { is: "nothing", nearest: null } : declared;
}

/** Looks the link up by the id of its domain, because files may use only that. */
function byRecord(record: LiveRecord, shortUrl: ShortUrl, project: Project): DeclaredLink {
  const id = domainOf(record)?.id;
  return lookUp(id === undefined ? shortUrl : { ...shortUrl, domain: String(id) }, project);
}

/** An alias without a domain names the declared link. */
function withDeclaredDomain(shortUrl: ShortUrl, declared: DeclaredLink | null): ShortUrl {
  const domain =
    declared?.is === "declared"
      ? declared.declaration.domain
      : declared?.is === "renamed"
        ? declared.from.domain
        : declared?.is === "deleted"
          ? declared.tombstone.domain
          : null;
  return shortUrl.domain === null ? { ...shortUrl, domain } : shortUrl;
}

/** The zone of times in the files. The account's zone is only read if something depends on it. */
async function zoneFor(
  { moment }: ExplainQuestion,
  { record, declared }: { readonly record: LiveRecord | undefined; readonly declared: DeclaredLink | null },
  reader: Reader,
  project: Project | null,
): Promise<string | null> {
  const stated = project && zoneOf(project);
  if (stated !== null) return stated;
  const dates = [START_DATE.path, EXPIRATION_DATE.path];
  const hasDate = dates.some((path) => typeof record?.values.get(path) === "string");
  const isDeclared = declared?.is === "declared" && dates.some((path) => declared.declaration.fields.has(path));
  return ("wall" in moment && hasDate) || isDeclared ? (await reader.account()).zone : null;
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
  declared: DeclaredLink,
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
    notes: spelling(key.name, question),
  });
  switch (declared.is) {
    case "declared":
      return side(declared.declaration, {
        is: "link",
        ...visits(facts(declared.declaration), visitorAt(question, at), version),
      });
    case "renamed":
      return { ...side(declared.from, { is: "renamed", to: showKey(declared.declaration) }), notes: ["missing"] };
    case "deleted":
      return { ...side(declared.tombstone, { is: "deleted" }), notes: ["missing"] };
    case "nothing":
      return {
        from: "files",
        key: null,
        id: null,
        place: null,
        clicks: null,
        found: { is: "not declared" },
        notes: [],
      };
    default:
      return declared satisfies never;
  }
}

function spelling(alias: string, { shortUrl }: ExplainQuestion): NoteCode[] {
  return alias === shortUrl.alias || fold(alias) !== fold(shortUrl.alias) ? [] : ["folded"];
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
      notes: ["missing"],
    };
  const clicks = question.clicks ?? record.clicks;
  return {
    from: "live",
    key: keyOfRecord(record),
    id: record.id,
    place: null,
    clicks,
    found: { is: "link", ...visits(liveFacts(record, clicks), visitorAt(question, at), version) },
    notes: [...spelling(nameOf(record), question), ...(twin === undefined ? [] : (["two-rows"] as const))],
  };
}
