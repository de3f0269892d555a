// What an answer of a forge says: its JSON, its words, how long it wants to be left alone, and where its list goes on.

import * as z from "zod";
import type { HttpResponse, Header } from "../http/exchange.ts";
import { hide } from "../http/redact.ts";
import { oneLine } from "../http/quote.ts";

/** As much of a body in bytes as a message can be about. */
const MOST_QUOTED = 64 * 1024;
const MOST_WORDS = 200;

/** Seconds that GitHub wants to be left alone where it does not say how long (its "Rate limits for the REST API"). */
const DEFAULT_WAIT = 60;

/** The JSON of a whole body; undefined where it is none. */
export function jsonOf({ body, isTooLarge }: HttpResponse): unknown {
  if (isTooLarge) return undefined;
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}

const said = z.union([z.string(), z.array(z.unknown()), z.record(z.string(), z.unknown())]);

/** GitHub: a message, and errors with one each. GitLab: a message, which may be lists by field, or an error. */
const refusal = z.object({
  message: said.optional(),
  error: z.string().optional(),
  error_description: z.string().optional(),
  errors: z.array(z.object({ message: z.string().optional() })).optional(),
});

/** What a refusal says, in one line without the token; empty where it says nothing in a form that is known. */
export function wordsOf(answer: HttpResponse, token: string): string {
  const read = refusal.safeParse(jsonOf(answer));
  if (!read.success) return "";
  const { message, error, error_description: description, errors = [] } = read.data;
  const texts = [textOf(message), error, description, ...errors.map((one) => one.message)];
  return oneLine(hide(texts.filter((text) => text !== undefined && text !== "").join(": "), [token]), MOST_WORDS);
}

function textOf(message: z.infer<typeof said> | undefined): string {
  if (message === undefined || typeof message === "string") return message ?? "";
  return Object.values(message)
    .flat()
    .filter((text) => typeof text === "string")
    .join(" ");
}

/** The first words of a body that is no JSON, which a proxy may have made. */
export function startOf({ body }: HttpResponse, token: string): string {
  const text = body.toString("utf8", 0, MOST_QUOTED).replaceAll(/<[^>]*>/g, " ");
  return oneLine(hide(text, [token]), MOST_WORDS);
}

/**
 * Seconds until a forge that limits us may be asked again; null where it does not. GitHub limits with 429 or 403, GitLab with
 * 429, and neither has acted on the request then. `now` is in ms since the epoch.
 */
export function limitedFor({ status, header }: HttpResponse, words: string, now: number): number | null {
  const isLimited =
    status === 429 ||
    (status === 403 &&
      (header("retry-after") !== null || header("x-ratelimit-remaining") === "0" || /rate limit/i.test(words)));
  if (!isLimited) return null;
  const after = number(header("retry-after"));
  if (after !== null) return after;
  const reset = header("x-ratelimit-remaining") === "0" ? number(header("x-ratelimit-reset")) : null;
  return reset === null ? DEFAULT_WAIT : Math.max(reset - Math.floor(now / 1000), 1);
}

function number(text: string | null): number | null {
  return text !== null && /^\d{1,12}$/.test(text.trim()) ? Number(text) : null;
}

/** The query of the next page; null on the last one. Only this is taken of its address: others get no request, and no token. */
export function nextQuery(header: Header): URLSearchParams | null {
  const next = (header("link") ?? "").split(/,\s*(?=<)/).find((link) => /;\s*rel="?next"?/.test(link));
  const [, address = ""] = /^\s*<([^>]*)>/.exec(next ?? "") ?? [];
  return URL.canParse(address) ? new URL(address).searchParams : null;
}
