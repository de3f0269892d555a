// What a person asks of `explain`: which link, which visitor, which side.

import { readShortUrl, type ShortUrl } from "../domain/short-url.ts";
import { fieldAt, KEY_FIELD } from "../domain/table.ts";
import { textProblem } from "../domain/text.ts";
import { EXIT, UserError } from "../errors.ts";
import type { ServiceFlags } from "../session/connect.ts";
import type { CommonFlags } from "../session/context.ts";
import { momentOf, visitorIs, type VisitMoment, type VisitorFlags } from "./visitor.ts";

export type ExplainFlags = CommonFlags &
  ServiceFlags &
  VisitorFlags & { readonly live?: boolean; readonly declared?: boolean; readonly both?: boolean };

/** What was asked, read once. */
export interface ExplainQuestion {
  readonly text: string;
  readonly asked: ShortUrl;
  readonly is: ReadonlyMap<string, string | null>;
  readonly isCrawler: boolean;
  readonly moment: VisitMoment;
  readonly clicks: number | null;
  /** The sides that were asked for; null: the files where they declare the link, else the account. */
  readonly sides: "files" | "live" | "both" | null;
}

/** Reads what was asked. Throws a user error for what can't be meant. `now` is an instant. */
export function readQuestion(text: string, flags: ExplainFlags, now: string): ExplainQuestion {
  const given = [flags.live, flags.declared, flags.both].filter(Boolean);
  if (given.length > 1)
    throw new UserError("two-sides", "`--live`, `--declared` and `--both` exclude each other.", {
      hint: "`--both` shows both sides.",
      exit: EXIT.usage,
    });
  const sides = flags.live === true ? "live" : flags.declared === true ? "files" : flags.both === true ? "both" : null;
  const asked = readShortUrl(text);
  if ("problem" in asked) throw new UserError("wrong-key", asked.problem, { hint: asked.hint, exit: EXIT.usage });
  const row = fieldAt("link", KEY_FIELD.link);
  const problem = row?.kind === "text" ? textProblem(row, asked.alias) : null;
  if (problem !== null && sides !== "live")
    throw new UserError("wrong-key", `\`${asked.alias}\` can't be the alias of a link in files. ${problem}`, {
      hint: `${asked.domain === null && asked.alias.includes(".") ? `If that is a domain, name a link on it: ${asked.alias}/spring. ` : ""}\`--live\` looks for it in the account all the same.`,
      exit: EXIT.usage,
    });
  const moment = flags.at === undefined ? { instant: now } : momentOf(flags.at);
  return {
    text,
    asked,
    is: visitorIs(flags),
    isCrawler: flags.crawler === true,
    moment,
    clicks: flags.clicks ?? null,
    sides,
  };
}
