// `linkform explain`: where the visitor of a short URL is sent, and why, for the declared or the live link.

import { Refusal } from "../config/located-error.ts";
import { visible } from "../domain/control-characters.ts";
import type { LiveRecord } from "../domain/live.ts";
import { showKey, type Project, type WrittenKey } from "../domain/project.ts";
import type { Software } from "../domain/software.ts";
import { EXPIRATION_DATE, fieldAt, KEY_FIELD, LANGUAGE, START_DATE, TARGETS, textProblem } from "../domain/table.ts";
import { usageError, UserError, type ExitCode } from "../errors.ts";
import { domainOf } from "../plan/names.ts";
import type { ExplainDocument, SideDocument } from "../report/json/explain.ts";
import type { Reader } from "../service/service.ts";
import { Console } from "../session/console.ts";
import type { CommonFlags, World } from "../session/context.ts";
import { ambiguousKey, Finder, isNamed, keyOfRecord, nearestKey } from "../session/find.ts";
import { openProject, requireValid } from "../session/project.ts";
import { openAccess, openOptional, type Access } from "../session/session.ts";
import { declaredFacts, liveFacts } from "./facts.ts";
import { explainVisits, NOWHERE, sourceOf, type LinkVisits, type VisitContext, type Visitor } from "./visit.ts";
import type { ServiceFlags } from "../session/connect.ts";
import type { MapSpec } from "../domain/field.ts";
import { readNamedKey, type NamedKey } from "../domain/named-key.ts";
import { codeLike, nearest } from "../domain/nearest.ts";
import { canonicalInstant, instantOf, isWallTime } from "../domain/zone.ts";

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
      const meant = near === null ? "" : ` (did you mean ${near}?)`;
      if (question.side === null) out.remark(`No file declares ${text}${meant}. Looking in the account.`);
    }
    return explainLive(out, question, await openAccess(out));
  });
}

/** Returns the most similar key in the files. Throws a user error if the account must not be read. */
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
  const at = "instant" in moment ? moment.instant : instantOf(moment.wall, zone ?? "UTC");
  return { visitor: { ...visitor, at }, zone: zone ?? "UTC", version };
}

/** Null if the files do not mention the link. Throws a refusal if several domains have the alias. */
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
  return new Refusal([
    ambiguousKey(
      text,
      keys.map((one) => `\`${one}\``),
    ),
  ]);
}

const NO_LINK = { key: null, id: null, clicks: null, source: null, found: "missing", renamed_to: null } as const;

/** For a link that does not exist, or will not. */
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

/** The account's zone is only read if something depends on it. */
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

export type ExplainFlags = CommonFlags &
  ServiceFlags &
  VisitorFlags & { readonly live?: boolean; readonly declared?: boolean };

interface ExplainQuestion {
  readonly text: string;
  readonly key: NamedKey;
  readonly visitor: Omit<Visitor, "at">;
  readonly moment: VisitMoment;
  readonly clicks: number | null;
  /** Null for the files if they declare the link, else the account. */
  readonly side: "files" | "live" | null;
}

/** Throws a user error if the arguments or flags are invalid. `now` is an instant. */
function readQuestion(text: string, flags: ExplainFlags, now: string): ExplainQuestion {
  const side = flags.live === true ? "live" : flags.declared === true ? "files" : null;
  const key = readShortUrl(text.trim());
  const field = fieldAt("link", KEY_FIELD.link);
  const problem = field?.kind === "text" ? textProblem(field, key.name) : null;
  if (problem !== null && side !== "live") {
    const isDomain = key.domain === null && key.name.includes(".");
    const advice = isDomain ? `If this is a domain, add an alias: ${key.name}/spring. ` : "";
    throw usageError("wrong-key", `\`${key.name}\` cannot be an alias in the files. ${problem}`, {
      hint: `${advice}Pass \`--live\` to look for it in the account.`,
    });
  }
  const moment = flags.at === undefined ? { instant: now } : readMoment(flags.at);
  const visitor = { is: readVisitor(flags), crawler: flags.crawler === true };
  return { text, key, visitor, moment, clicks: flags.clicks ?? null, side };
}

/** `https://go.example.com/spring`, `go.example.com/spring` or `spring`. Browsers do not send the fragment. */
const SHORT_LINK = /^(?:(?:https?:\/\/)?([^\s/?#@]+\/[^/?#]+)\/?|([^/?#]+))(?:#.*)?$/i;

function readShortUrl(text: string): NamedKey {
  const [, withDomain, alias] = SHORT_LINK.exec(text) ?? [];
  const link = withDomain ?? alias;
  if (link === undefined)
    throw usageError("wrong-key", `${text === "" ? "An empty text" : `\`${text}\``} is not a short link.`, {
      hint: "Write the link as https://go.example.com/spring, go.example.com/spring, or spring, without a query.",
    });
  const key = readNamedKey(`https://${link}`);
  return { ...key, domain: key.domain?.replace(/:\d+$/, "") ?? null };
}

/** The properties of a visitor are named like their target groups. */
interface VisitorFlags extends Partial<
  Readonly<Record<"country" | "platform" | "language" | "continent" | "browser" | "device" | "at", string>>
> {
  readonly crawler?: boolean;
  readonly clicks?: number;
}

/** A header instead of a code: `de-AT`, or `de;q=0.9, en`, or `DE`, which matches no code. */
const ACCEPT_LANGUAGE = /^(?:[a-zA-Z*]{1,8}[-,;]|[A-Z]{2}$)/;

/** By the words of the target groups. Throws a user error for an unknown value. */
function readVisitor(flags: VisitorFlags): Visitor["is"] {
  const { clicks: _clicks, at: _at, crawler: _crawler, ...texts } = flags;
  const given = new Map(Object.entries(texts));
  const is: Visitor["is"] = {};
  for (const [word, field] of TARGETS.byWord) {
    if (field.kind !== "map") continue;
    const text = given.get(word);
    if (text === undefined) continue;
    const key = text.trim();
    const isHeader = field === LANGUAGE && ACCEPT_LANGUAGE.test(key);
    is[word] = key.toLowerCase() === "other" ? null : isHeader ? key : mapKey(key, word, field);
  }
  return is;
}

function mapKey(text: string, flag: string, { keys }: MapSpec): string {
  const { list, words, noun, shape, pattern } = keys;
  const known = list === null ? words : [...list.codes, ...list.refused.codes];
  if (known.includes(text)) return text;
  const lower = text.toLowerCase();
  const [language = text] = text.split(/[-_]/);
  // Case matters for platforms, but not for codes.
  const inCase = list === null ? undefined : known.find((code) => code.toLowerCase() === lower);
  if (inCase !== undefined) return inCase;
  const guess = list === null ? nearest(text, words) : codeLike(language, keys);
  const because = pattern.test(text) ? ` in ${list?.standard ?? "the list"}` : `: it must be ${shape}`;
  const whatElse = `Pass \`--${flag} other\` for a value that no group has.`;
  throw usageError("unknown-visitor", `\`--${flag} ${text}\` is not a known ${noun}${because}.`, {
    hint: guess === null ? whatElse : `Did you mean \`${guess}\`? ${whatElse}`,
  });
}

type VisitMoment =
  | { readonly instant: string }
  /** Wall time in a zone that is resolved later. */
  | { readonly wall: string };

const FORM = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2})(?:\.0+)?)?)?\s*(Z|[+-]\d{2}:\d{2})?$/i;

function readMoment(text: string): VisitMoment {
  const wrong = (what: string): UserError =>
    usageError("wrong-time", `\`--at ${text}\` ${what}.`, {
      hint: "Write it as 2027-04-01T12:00 for the time zone of the files, or add a UTC offset: 2027-04-01T12:00+02:00.",
    });
  const [match, date = "", time = "00:00", seconds, offset] = FORM.exec(text.trim()) ?? [];
  if (match === undefined) throw wrong("is not a date and time");
  const clock = seconds === undefined ? time : `${time}:${seconds}`;
  if (!isWallTime(date, clock)) throw wrong("is not a date and time that exists");
  if (offset === undefined) return { wall: `${date}T${clock}` };
  const instant = canonicalInstant(`${date}T${clock}${offset}`);
  if (instant === null) throw wrong("is not a date and time");
  return { instant };
}
