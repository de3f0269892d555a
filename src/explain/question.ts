// The arguments and flags of `explain`: which link, which visitor, when, and which side.

import { fieldAt, KEY_FIELD, LANGUAGE, TARGETS, textProblem } from "../domain/table.ts";
import { usageError, type UserError } from "../errors.ts";
import type { ServiceFlags } from "../session/connect.ts";
import type { CommonFlags } from "../session/context.ts";
import type { MapSpec } from "../domain/field.ts";
import { readNamedKey, type NamedKey } from "../domain/named-key.ts";
import { codeLike, nearest } from "../domain/nearest.ts";
import type { Visitor } from "./visit.ts";
import { canonicalInstant, instantOf, isWallTime } from "../domain/zone.ts";

export type ExplainFlags = CommonFlags &
  ServiceFlags &
  VisitorFlags & { readonly live?: boolean; readonly declared?: boolean };

export interface ExplainQuestion {
  readonly text: string;
  readonly key: NamedKey;
  readonly visitor: Omit<Visitor, "at">;
  readonly moment: VisitMoment;
  readonly clicks: number | null;
  /** Null for the files if they declare the link, else the account. */
  readonly side: "files" | "live" | null;
}

/** Throws a user error if the arguments or flags are invalid. `now` is an instant. */
export function readQuestion(text: string, flags: ExplainFlags, now: string): ExplainQuestion {
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
export interface VisitorFlags extends Partial<
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

export function instantIn(moment: VisitMoment, zone: string): string {
  return "instant" in moment ? moment.instant : instantOf(moment.wall, zone);
}
