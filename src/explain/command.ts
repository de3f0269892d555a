// `linkform explain`: where the visitor of a short URL is sent, and why: as the files declare it, as it is live, or both.

import type { LiveRecord } from "../domain/live.ts";
import { showKey, type Declaration, type Project, type WrittenKey } from "../domain/project.ts";
import { instantIn, readQuestion, type ExplainFlags, type ExplainQuestion, type ShortUrl } from "./question.ts";
import { EXPIRATION_DATE, START_DATE } from "../domain/table.ts";
import type { Software } from "../domain/software.ts";
import { EXIT, UserError, type ExitCode } from "../errors.ts";
import { appliedFacts, declaredFacts, liveFacts, type Facts } from "./facts.ts";
import type { ExplainedSide, ExplainReport, FoundLink } from "../view/explanation.ts";
import { connectReader, type Reader } from "../service/service.ts";
import { withAccess, type Access } from "../session/access.ts";
import { Console } from "../session/console.ts";
import type { World } from "../session/context.ts";
import {
  findLive,
  isLeftAlone,
  keyOfRow,
  KnownDomains,
  lookUp,
  successorOf,
  type DeclaredLink,
  type LiveFound,
} from "./find.ts";
import { refuse, refuseFor } from "../session/prepare.ts";
import { openProject, type OpenedProject } from "../session/project.ts";
import { fold } from "../domain/fold.ts";
import type { NoteCode, Visitor } from "../domain/visit.ts";
import { visits } from "./visit.ts";
import { domainOf, nameOf } from "../plan/names.ts";

/** Explains a visit. Files are enough where they declare the link and nobody asks for more: then nothing is sent. */
export async function explain(world: World, text: string, flags: ExplainFlags): Promise<ExitCode> {
  const out = new Console(world, flags, "explain");
  let question: ExplainQuestion;
  let opened: OpenedProject | null = null;
  let said: DeclaredLink | null = null;
  try {
    question = readQuestion(text, flags, world.now());
    if (question.sides !== "live") {
      opened = await openFiles(world, flags, question);
      if (opened?.project === null) return await refuse(out, "explain", null, opened.diagnostics, EXIT.error);
      said = opened === null ? null : lookUp(question.asked, opened.project);
      if (said?.is === "nothing" && opened !== null) mustBeKnown(question, said.nearest, opened.project);
    }
  } catch (cause) {
    return refuseFor(out, "explain", null, cause);
  }
  const project = opened?.project ?? null;
  if (
    question.sides !== "live" &&
    question.sides !== "both" &&
    project !== null &&
    said !== null &&
    said.is !== "nothing"
  ) {
    const zone = zoneOf(project);
    const instant = instantIn(question.moment, zone ?? "UTC");
    const side = declaredSide(said, question, {
      at: instant,
      version: project.software?.value ?? null,
      facts: (one) => declaredFacts(one, "wall" in question.moment ? (zone ?? "UTC") : zone, question.clicks),
    });
    return tell(out, question, {
      instant,
      zone: zone ?? "UTC",
      version: project.software?.value ?? null,
      sides: [side],
    });
  }
  if (question.sides === null) {
    const near = said?.is === "nothing" && said.nearest !== null ? ` (did you mean ${said.nearest}?)` : "";
    out.remark(`No file declares ${text}${near}: looking in the account.`);
  }
  return withAccess(world, flags, out, "explain", (access) => explainLive(world, out, question, access));
}

/** The project; null where there is none and none was asked for. */
async function openFiles(world: World, flags: ExplainFlags, { sides }: ExplainQuestion): Promise<OpenedProject | null> {
  try {
    return await openProject(world, flags);
  } catch (cause) {
    const isMissing = cause instanceof UserError && cause.code === "no-project";
    if (isMissing && flags.config === undefined && sides === null) return null;
    throw cause;
  }
}

/** Throws a user error where the account is not to be asked, or the files know no such domain. */
function mustBeKnown({ text, asked, sides }: ExplainQuestion, near: string | null, project: Project): void {
  const domains = new KnownDomains(project);
  if (sides !== "both" && asked.domain !== null && !domains.has(asked.domain)) {
    const meant = domains.nearest(asked.domain);
    throw new UserError("unknown-domain", `No file of this project speaks of the domain \`${asked.domain}\`.`, {
      hint: `${meant === null ? "" : `Did you mean \`${meant}/${asked.alias}\`? `}\`--live\` looks in the account.`,
    });
  }
  if (sides === "files")
    throw new UserError("not-declared", `No file declares \`${text}\`.`, {
      hint: `${near === null ? "" : `Did you mean \`${near}\`? `}\`--live\` looks in the account.`,
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

async function tell(
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
  const first = question.sides === "both" && project !== null ? lookUp(question.asked, project) : null;
  const found = await findLive(elsewhere(question.asked, first), reader, project, (line) => out.detail(line));
  const [row] = found.rows;
  const said =
    first !== null && row !== undefined && project !== null
      ? await saidOf(row, first, { asked: question.asked, reader, project })
      : first;
  const successor =
    said?.is === "declared" && project !== null
      ? await successorOf(said.declaration, row ?? null, reader, project)
      : (row ?? null);
  const zone = await zoneFor(question, { row, said }, reader, project);
  out.progress.stop();
  const instant = instantIn(question.moment, zone ?? "UTC");
  // Without a link nothing depends on the version, which may take a request.
  const isLink = row !== undefined || said?.is === "declared";
  const software = isLink ? await reader.software() : null;
  const version = software === null || software.source === "assumed" ? null : software.version;
  const telling = { instant, zone: zone ?? "UTC", version, found };
  const live = liveSide(found.rows, question, { at: instant, version });
  if (said === null) return tell(out, question, { ...telling, sides: [live] });
  const clicks = question.clicks ?? successor?.clicks ?? 0;
  const facts = (declaration: Declaration): Facts =>
    appliedFacts(declaration, successor, { zone, now: world.now(), clicks });
  const side = declaredSide(said, question, { at: instant, version, facts });
  return tell(out, question, { ...telling, sides: [{ ...side, clicks, id: successor?.id ?? null }, live] });
}

/** What the files say, now that the row is known: a tombstone may name another one, and a rename leave it alone. */
async function saidOf(
  row: LiveRecord,
  first: DeclaredLink,
  { asked, reader, project }: { readonly asked: ShortUrl; readonly reader: Reader; readonly project: Project },
): Promise<DeclaredLink> {
  const said = first.is === "nothing" ? byRow(row, asked, project) : first;
  const isOther = said.is === "deleted" && said.tombstone.id !== null && said.tombstone.id !== row.id;
  const isLeft = said.is === "renamed" && (await isLeftAlone(row, said, reader, project));
  return isOther || isLeft ? { is: "nothing", nearest: null } : said;
}

/** Files may name a domain by its id only: the row tells which that is. */
function byRow(row: LiveRecord, asked: ShortUrl, project: Project): DeclaredLink {
  const id = domainOf(row)?.id;
  return lookUp(id === undefined ? asked : { ...asked, domain: String(id) }, project);
}

/** An alias alone means the link that the files declare. */
function elsewhere(asked: ShortUrl, said: DeclaredLink | null): ShortUrl {
  const domain =
    said?.is === "declared"
      ? said.declaration.domain
      : said?.is === "renamed"
        ? said.from.domain
        : said?.is === "deleted"
          ? said.tombstone.domain
          : null;
  return asked.domain === null ? { ...asked, domain } : asked;
}

/** The zone of times in the files; the account's is asked for only where something depends on it. */
async function zoneFor(
  { moment }: ExplainQuestion,
  { row, said }: { readonly row: LiveRecord | undefined; readonly said: DeclaredLink | null },
  reader: Reader,
  project: Project | null,
): Promise<string | null> {
  const stated = project && zoneOf(project);
  if (stated !== null) return stated;
  const dates = [START_DATE.path, EXPIRATION_DATE.path];
  const hasDate = dates.some((path) => typeof row?.values.get(path) === "string");
  const isDeclared = said?.is === "declared" && dates.some((path) => said.declaration.fields.has(path));
  return ("wall" in moment && hasDate) || isDeclared ? reader.accountZone() : null;
}

/** The visitor who comes at an instant. */
function visitorAt({ is, isCrawler, asked: { query } }: ExplainQuestion, at: string): Visitor {
  return { is, isCrawler, at, query };
}

/** How a declaration is looked at. */
interface SideContext {
  readonly at: string;
  /** Of the service; null where nobody knows it. */
  readonly version: Software | null;
  readonly facts: (declaration: Declaration) => Facts;
}

/** What the files say of the link. */
function declaredSide(
  said: DeclaredLink,
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
  switch (said.is) {
    case "declared":
      return side(said.declaration, {
        is: "link",
        ...visits(facts(said.declaration), visitorAt(question, at), version),
      });
    case "renamed":
      return { ...side(said.from, { is: "renamed", to: showKey(said.declaration) }), notes: ["missing"] };
    case "deleted":
      return { ...side(said.tombstone, { is: "deleted" }), notes: ["missing"] };
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
      return said satisfies never;
  }
}

function spelling(alias: string, { asked }: ExplainQuestion): NoteCode[] {
  return alias === asked.alias || fold(alias) !== fold(asked.alias) ? [] : ["folded"];
}

/** What the account has: rows with the key that was asked for. */
function liveSide(
  rows: readonly LiveRecord[],
  question: ExplainQuestion,
  { at, version }: Omit<SideContext, "facts">,
): ExplainedSide {
  const [row, twin] = rows;
  if (row === undefined)
    return {
      from: "live",
      key: null,
      id: null,
      place: null,
      clicks: null,
      found: { is: "missing" },
      notes: ["missing"],
    };
  const clicks = question.clicks ?? row.clicks;
  return {
    from: "live",
    key: keyOfRow(row),
    id: row.id,
    place: null,
    clicks,
    found: { is: "link", ...visits(liveFacts(row, clicks), visitorAt(question, at), version) },
    notes: [...spelling(nameOf(row), question), ...(twin === undefined ? [] : (["two-rows"] as const))],
  };
}
