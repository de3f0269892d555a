// A link tried as somebody else: read from the page's form, decided as a visit, and counted only when asked.
import { decide, type Outcome } from "../visit/decide.ts";
import { type Form, text } from "../forms.ts";
import type { Service } from "../service.ts";
import { readShortUrl, type ShortUrl } from "../visit/short-url.ts";
import type { Link } from "../state.ts";
import { visit } from "../visit/visit.ts";
import { type Consent, consentOf } from "../visit/visitor.ts";

/** What the form holds. Empty: any other, or unknown. */
export interface TrialForm {
  /** A short URL, with or without a scheme and a query; an alias alone will do. */
  readonly link: string;
  readonly country: string;
  readonly language: string;
  readonly platform: string;
  readonly continent: string;
  readonly browser: string;
  readonly device: string;
  readonly isCrawler: boolean;
  /** The visitor knows the link's password. */
  readonly isTrusted: boolean;
  /** The visitor confirmed the warning about sensitive content. */
  readonly isWarned: boolean;
  /** The visitor's answer to the page that asks whether pixels may be loaded; null: none yet. */
  readonly consent: Consent | null;
}

export type Trial =
  /** The text names no domain of the account. */
  | { readonly kind: "elsewhere" }
  | { readonly kind: "front page" | "unknown"; readonly shortUrl: ShortUrl }
  | {
      readonly kind: "visit";
      readonly shortUrl: ShortUrl;
      readonly query: string;
      readonly before: Link;
      readonly outcome: Outcome;
      /** The link after a visit that was made; null: it was only looked at. */
      readonly after: Link | null;
    };

export function readTrialForm(form: Form): TrialForm {
  const field = (name: string): string => text(form, name) ?? "";
  return {
    link: field("link"),
    country: field("country"),
    language: field("language"),
    platform: field("platform"),
    continent: field("continent"),
    browser: field("browser"),
    device: field("device"),
    isCrawler: form.has("crawler"),
    isTrusted: form.has("trusted"),
    isWarned: form.has("warned"),
    consent: consentOf(text(form, "consent")),
  };
}

/** @param makeVisit false: nothing changes */
export function runTrial(form: TrialForm, makeVisit: boolean, service: Service): Trial {
  const { shortUrl, query } = readTyped(form.link, service);
  if (shortUrl === null) return { kind: "elsewhere" };
  const { link } = shortUrl;
  if (link === null) return { kind: shortUrl.alias === "" ? "front page" : "unknown", shortUrl };
  const visitor = {
    country: form.country || null,
    language: form.language || null,
    platform: form.platform || null,
    continent: form.continent || null,
    browser: form.browser || null,
    device: form.device || null,
    isCrawler: form.isCrawler,
    password: form.isTrusted ? link.password : null,
    isWarned: form.isWarned,
    consent: form.consent,
  };
  const outcome = (makeVisit ? visit : decide)(link, visitor, query, service);
  const after = makeVisit ? (service.store.links.get(link.id) ?? null) : null;
  return { kind: "visit", shortUrl, query, before: link, outcome, after };
}

function readTyped(typed: string, { store }: Service): { readonly shortUrl: ShortUrl | null; readonly query: string } {
  // As a request would have it: a character a byte.
  const bytes = Buffer.from(typed.replaceAll(" ", "%20")).toString("latin1");
  const [, path = "", query = ""] = /^(?:https?:\/\/)?([^?#]*)(?:\?([^#]*))?/is.exec(bytes) ?? [];
  const hosts = path.includes("/") ? [] : [...store.domains.values()].map(({ name }) => name);
  const byAlias = hosts.map((host) => readShortUrl(host, `/${path}`, store)).find((found) => found?.link);
  return { shortUrl: byAlias ?? readShortUrl("", `/${path}`, store), query };
}
