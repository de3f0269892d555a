// Who asks for a short URL, as far as a link may care.
import type { IncomingHttpHeaders } from "node:http";
import { isBot, platformOf } from "./user-agent.ts";

export interface Visitor {
  /** ISO 3166-1, upper case. */
  readonly country: string | null;
  /** As in `PLATFORMS`. */
  readonly platform: string | null;
  /** ISO 639-1, lower case. */
  readonly language: string | null;
  /** Bots are sent on like everybody, but not counted. */
  readonly isBot: boolean;
  /** What was typed on the password page. */
  readonly password: string | null;
}

/**
 * Stands for the visitor's address, of which the service takes the country: whoever asks the sandbox is on this machine.
 * Two letters; without it the country is unknown.
 */
export const COUNTRY_HEADER = "X-Sandbox-Country";

/** @param password the password page's answer, null when there is none */
export function visitorOf(headers: IncomingHttpHeaders, password: string | null): Visitor {
  const userAgent = headers["user-agent"] ?? "";
  return {
    country: /^[a-z]{2}$/i.exec(String(headers[COUNTRY_HEADER.toLowerCase()]))?.[0].toUpperCase() ?? null,
    platform: platformOf(userAgent),
    language: firstLanguage(headers["accept-language"]),
    isBot: isBot(userAgent),
    password,
  };
}

/** `de-AT,en;q=0.9` → de. Those behind the first are not looked at, whatever their weight. */
function firstLanguage(accepted: string = ""): string | null {
  return /^\s*([a-z]{2})\s*(?:[-_,;]|$)/i.exec(accepted)?.[1]?.toLowerCase() ?? null;
}
