// `linkform explain`: where the visitor of a short URL is sent, and why, for the declared or the live link.

import { visible } from "../domain/control-characters.ts";
import type { LiveRecord } from "../domain/live.ts";
import { showKey, type Project, type WrittenKey } from "../domain/project.ts";
import type { Software } from "../domain/software.ts";
import { EXPIRATION_DATE, START_DATE } from "../domain/table.ts";
import { UserError, type ExitCode } from "../errors.ts";
import { domainOf } from "../plan/names.ts";
import type { ExplainDocument, SideDocument } from "../report/json/explain.ts";
import type { Reader } from "../service/service.ts";
import { Console, Refusal } from "../session/console.ts";
import type { World } from "../session/context.ts";
import { ambiguousKey, Finder, isNamed, keyOfRecord, nearestKey } from "../session/find.ts";
import { openProject, requireValid } from "../session/project.ts";
import { openAccess, openOptional, type Access } from "../session/session.ts";
import { declaredFacts, liveFacts } from "./facts.ts";
import { instantIn, readQuestion, type ExplainFlags, type ExplainQuestion } from "./question.ts";
import { explainVisits, NOWHERE, sourceOf, type LinkVisits, type VisitContext } from "./visit.ts";

/** Explains a visit. If the files declare the link and no flag asks for more, no request is sent. */
export async function explain(world: World, text: string, flags: ExplainFlags): Promise<ExitCode> {
  const out = new Console(world, flags, "explain");
  return out.run(async () => {
    const question = readQuestion(text, flags, world.now());
    if (question.side !== "live") {
      const opened = await (question.side === null ? openOptional : openProject)(world, flags);
      const project = opened && requireValid(opened).project;
      if (project !== null) {
        const context = contextOf(question, zoneOf(project), project.software?.value ?? null);
        const side = explainDeclared(question, context, project);
        if (side !== null) return showReport(out, text, context, side);
      }
      const near = project && requireDeclared(question, project);
      if (question.side === null)
        out.remark(
          `No file declares ${text}${near === null ? "" : ` (did you mean ${near}?)`}. Looking in the account.`,
        );
    }
    return explainLive(out, question, await openAccess(out));
  });
}

/** The most similar key in the files. Throws a user error if the account must not be read. */
function requireDeclared({ text, key, side }: ExplainQuestion, { declarations, tombstones }: Project): string | null {
  const keys = [...declarations, ...tombstones].filter(({ kind }) => kind === "link");
  const near = nearestKey(key, keys.map(showKey));
  if (side !== "files") return near;
  const hint = `${near === null ? "" : `Did you mean \`${near}\`? `}Pass \`--live\` to look in the account.`;
  throw new UserError("not-declared", `No file declares \`${text}\`.`, { hint });
}

function zoneOf({ zone, accountZone }: Project): string | null {
  return zone ?? accountZone;
}

async function showReport(out: Console, text: string, context: VisitContext, side: SideDocument): Promise<ExitCode> {
  const { version, visitor, zone } = context;
  const asked = { asked: text, version, visitor, timezone: zone };
  const document: ExplainDocument = { format_version: "1.0", ...asked, sides: [side], diagnostics: [] };
  return out.report({ of: "explain", document });
}

function contextOf({ visitor, moment }: ExplainQuestion, zone: string | null, version: Software | null): VisitContext {
  return { visitor: { ...visitor, at: instantIn(moment, zone ?? "UTC") }, zone: zone ?? "UTC", version };
}

/** The link as the files declare it; null if they do not mention it. Throws a user error if several domains have the alias. */
function explainDeclared(question: ExplainQuestion, context: VisitContext, project: Project): SideDocument | null {
  const { clicks } = question;
  const isMeant = (one: WrittenKey): boolean => one.kind === "link" && isNamed(question.key, one, project.domains);
  const side = (key: WrittenKey, visits: LinkVisits, found: Partial<SideDocument>): SideDocument => {
    return { ...NO_LINK, from: "files", key: showKey(key), clicks, source: sourceOf(key.place), ...found, ...visits };
  };

  const declaration = only(project.declarations.filter(isMeant), question);
  if (declaration !== null) {
    const visits = explainVisits(declaredFacts(declaration, context.zone, clicks), context);
    const isZoneGuessed = zoneOf(project) === null && DATES.some(({ path }) => declaration.fields.get(path)?.value);
    const says = isZoneGuessed ? [...visits.unknown_says, NO_ZONE] : visits.unknown_says;
    return side(declaration, { ...visits, unknown_says: says }, { found: "link" });
  }
  const renamed = project.declarations.flatMap((one) =>
    one.renamedFrom !== null && isMeant(one.renamedFrom) ? [{ ...one.renamedFrom, to: showKey(one) }] : [],
  );
  const from = only(renamed, question);
  if (from !== null) {
    const says = `The files rename this link to ${visible(from.to)}. After that, this short URL leads nowhere.`;
    return side(from, notFound(says), { found: "renamed", renamed_to: from.to });
  }
  const tombstone = only(project.tombstones.filter(isMeant), question);
  if (tombstone === null) return null;
  const says = "The files delete this link. After that, visitors see a 404 page, or the domain's not-found page.";
  return side(tombstone, notFound(says), { found: "deleted" });
}

const DATES = [START_DATE, EXPIRATION_DATE];
const NO_ZONE =
  "This answer assumes that dates in the files are in UTC. Set `service.account_timezone` to the time zone of the account.";

function only<Key extends WrittenKey>(keys: readonly Key[], question: ExplainQuestion): Key | null {
  const [first = null, other] = keys;
  if (other !== undefined) throw severalLinks(question, keys.map(showKey));
  return first;
}

function severalLinks({ text }: ExplainQuestion, keys: readonly string[]): Refusal {
  const names = keys.map((one) => `\`${one}\``);
  return new Refusal([ambiguousKey(text, names)]);
}

const NO_LINK = { key: null, id: null, clicks: null, source: null, found: "missing", renamed_to: null } as const;

/** The answer about a link that does not exist, or will not. */
function notFound(says: string): LinkVisits {
  const unexplained = { by_version: [], steps: [], unknown: [], unknown_says: [], notes: [] };
  return { says, status: 404, pages: ["not-found"], ...NOWHERE, ...unexplained };
}

async function explainLive(out: Console, question: ExplainQuestion, { project, reader }: Access): Promise<ExitCode> {
  const finder = new Finder(reader, project);
  const records = await finder.find(question.key);
  const keys = new Map(records.map((record) => [domainOf(record)?.id, keyOfRecord(record)]));
  if (keys.size > 1) throw severalLinks(question, [...keys.values()]);
  const [record, twin] = records;
  const zone = await zoneFor(question, record, reader, project);
  out.progress.stop();
  if (record === undefined) {
    const says = "No link has this alias. Visitors see a 404 page, or the domain's not-found page.";
    const side: SideDocument = { ...NO_LINK, from: "live", ...notFound(says) };
    return showReport(out, question.text, contextOf(question, zone, null), side);
  }
  // Detecting the version may take a request, and only a link needs it.
  const software = await reader.software();
  const context = contextOf(question, zone, software.source === "assumed" ? null : software.version);
  const clicks = question.clicks ?? record.clicks;
  const visits = explainVisits(liveFacts(record, clicks), context, twin === undefined ? [] : ["two-rows"]);
  const about = { from: "live", key: keyOfRecord(record), id: record.id, clicks, found: "link" } as const;
  return showReport(out, question.text, context, { ...NO_LINK, ...about, ...visits });
}

/** The zone of times in the files. The account's zone is only read if something depends on it. */
async function zoneFor(
  { moment }: ExplainQuestion,
  record: LiveRecord | undefined,
  reader: Reader,
  project: Project,
): Promise<string | null> {
  const stated = zoneOf(project);
  if (stated !== null) return stated;
  const hasDate = DATES.some(({ path }) => typeof record?.values.get(path) === "string");
  return "wall" in moment && hasDate ? (await reader.account()).zone : null;
}
