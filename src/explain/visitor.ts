// Who comes, and when: the flags of `explain`, read with every mistake said at once that a person can make.

import type { MapRow } from "../domain/field.ts";
import { nearest } from "../domain/nearest.ts";
import { KEYED, LANGUAGE } from "../domain/visit-fields.ts";
import { canonicalInstant, instantOf, isWallTime } from "../domain/zone.ts";
import { EXIT, UserError } from "../errors.ts";

/** What a visitor can be, by the word of the group that asks; and when, and after how many clicks. */
export interface VisitorFlags {
  readonly country?: string;
  readonly platform?: string;
  readonly language?: string;
  readonly continent?: string;
  readonly browser?: string;
  readonly device?: string;
  readonly crawler?: boolean;
  readonly at?: string;
  readonly clicks?: number;
}

/** What stands for a visitor that no group has a destination for. */
const OTHER = "other";

/** More than a language code: `de-AT`, or `de;q=0.9, en`. */
const ACCEPT_LANGUAGE = /^[a-z*]{1,8}[-,;]/i;

/** What the flags say of the visitor, by the word of the group. Throws a user error for a word that is none. */
export function visitorIs(flags: VisitorFlags): Map<string, string | null> {
  const given = new Map<string, string | undefined>(
    Object.entries({ ...flags, clicks: undefined, at: undefined, crawler: undefined }),
  );
  const is = new Map<string, string | null>();
  for (const [word, row] of KEYED) {
    const text = given.get(word);
    if (text === undefined) continue;
    const key = text.trim();
    const isHeader = row === LANGUAGE && ACCEPT_LANGUAGE.test(key);
    is.set(word, key.toLowerCase() === OTHER ? null : isHeader ? key : keyOf(key, word, row));
  }
  return is;
}

function keyOf(text: string, flag: string, { keys }: MapRow): string {
  const { list, words, meant, noun, shape, pattern } = keys;
  const known = list === null ? words : [...new Set([...list.codes, ...list.refused.codes])];
  if (known.includes(text)) return text;
  // Codes are the same in capitals and small letters; the words that platforms go by are not.
  const spelled = list === null ? undefined : known.find((code) => code.toLowerCase() === text.toLowerCase());
  if (spelled !== undefined) return spelled;
  const other = list?.meant[text] ?? list?.meant[text.toUpperCase()] ?? list?.meant[text.toLowerCase()];
  const guess =
    other?.code ?? meant[text.toLowerCase()] ?? (list === null ? nearest(text, known) : shortened(text, known));
  const because = other === undefined ? `it must be ${shape}` : other.because;
  const whatElse = `\`--${flag} ${OTHER}\` stands for one that no group has.`;
  throw new UserError(
    "unknown-visitor",
    `\`--${flag} ${text}\`: there is no such ${noun}${pattern.test(text) && other === undefined ? ` in ${list?.standard ?? "the list"}` : `, ${because}`}.`,
    {
      hint: guess === null || guess === undefined ? whatElse : `Did you mean \`${guess}\`? ${whatElse}`,
      exit: EXIT.usage,
    },
  );
}

/** Of `de-AT` what counts. */
function shortened(text: string, known: readonly string[]): string | null {
  const [, first] = /^([a-z]{2})[-_]/i.exec(text) ?? [];
  return known.find((code) => code.toLowerCase() === first?.toLowerCase()) ?? null;
}

/** A moment as a person writes it. */
export type VisitMoment =
  | { readonly instant: string }
  /** On the clocks of a zone that is not known here. */
  | { readonly wall: string };

const FORM = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2})(?:\.0+)?)?)?\s*(Z|[+-]\d{2}:\d{2})?$/i;

/** Reads `--at`. Throws a user error for what is no moment. */
export function momentOf(text: string): VisitMoment {
  const wrong = (what: string): UserError =>
    new UserError("wrong-time", `\`--at ${text}\` ${what}.`, {
      hint: "Write it as 2027-04-01T12:00, which is in the files' time zone, or with a distance from UTC: 2027-04-01T12:00+02:00.",
      exit: EXIT.usage,
    });
  const [whole, date = "", time = "00:00", seconds, offset] = FORM.exec(text.trim()) ?? [];
  if (whole === undefined) throw wrong("is no date and time");
  const clock = seconds === undefined ? time : `${time}:${seconds}`;
  if (!isWallTime(date, clock)) throw wrong("is a date or a time that there is not");
  if (offset === undefined) return { wall: `${date}T${clock}` };
  const instant = canonicalInstant(`${date}T${clock}${offset}`);
  if (instant === null) throw wrong("is no date and time");
  return { instant };
}

/** The moment as an instant. */
export function instantIn(moment: VisitMoment, zone: string): string {
  return "instant" in moment ? moment.instant : instantOf(moment.wall, zone);
}
