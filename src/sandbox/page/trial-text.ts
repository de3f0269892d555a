// What came of a trial, in sentences.
import type { Choice, Outcome } from "../visit/decide.ts";
import { address, counted, type Content, type Markup, markup, words } from "./markup.ts";
import type { Link, Pixel } from "../state.ts";
import type { Trial, TrialForm } from "./trial.ts";
import { localTime } from "../zone.ts";

export interface Told {
  readonly status: number;
  /** Where the visitor ends up. */
  readonly to: string | null;
  /** The page that is shown, first or instead. */
  readonly page: string | null;
  readonly why: readonly Content[];
}

/** @param zone the account's, for times */
export function tell(trial: Trial, form: TrialForm, zone: string): Told {
  switch (trial.kind) {
    case "elsewhere":
      return told(404, "Not Found", null, markup`No domain of this account has a link ${words(form.link)}.`);
    case "unknown": {
      const { domain, alias } = trial.shortUrl;
      const why = markup`${words(domain.name)} has no link ${words(alias)}.`;
      return domain.not_found_page
        ? told(301, null, domain.not_found_page, why, "The domain has a page of its own for that.")
        : told(404, "Not Found", null, why);
    }
    case "front page": {
      const { index_page } = trial.shortUrl.domain;
      return index_page
        ? told(301, null, index_page, "This is the domain's front page, and it has one of its own.")
        : told(200, "this page", null, "This is the domain's front page, and it has none of its own.");
    }
    case "visit":
      return tellOutcome(trial.outcome, trial.before, zone);
    default:
      return trial satisfies never;
  }
}

function tellOutcome(outcome: Outcome, link: Link, zone: string): Told {
  switch (outcome.kind) {
    case "expired": {
      const since =
        link.ends_at === null
          ? `after ${counted(link.clicks, "click")}`
          : `its end is ${localTime(link.ends_at, zone)}, it has ${counted(link.clicks, "click")}`;
      const why = `The link is expired (${since}).`;
      return outcome.to === null
        ? told(200, "Link expired", null, why)
        : told(301, null, outcome.to, why, "It has a destination for this case.");
    }
    case "disabled":
      return told(200, "Link disabled", null, "The link is disabled.");
    case "password":
      return told(200, "Password needed", null, "The link asks for its password first.");
    case "warning":
      return told(200, "Sensitive content", null, "A page warns of sensitive content first.");
    case "consent": {
      const asks = markup`A page asks whether its pixels (${names(outcome.pixels)}) may be loaded.`;
      const accepted = markup`Who accepts goes to ${address(outcome.accepted)}: the link's own destination, without targets and query.`;
      const { refused } = outcome;
      if (refused.kind === "broken") return told(200, "consent page", null, asks, accepted, `Who refuses: ${BROKEN}`);
      return told(200, "consent page", refused.to, asks, "Who refuses is sent on.", whyThere(refused.choice), accepted);
    }
    case "tracked":
      return told(
        200,
        "pixel page",
        outcome.to,
        markup`A page loads its pixels (${names(outcome.pixels)}), then it goes on to the link's own destination, without targets and query.`,
      );
    case "broken":
      return told(500, "Server Error", null, BROKEN);
    case "sent on":
      return told(301, null, outcome.to, whyThere(outcome.choice));
    default:
      return outcome satisfies never;
  }
}

function told(status: number, page: string | null, to: string | null, ...why: Content[]): Told {
  return { status, page, to, why };
}

const BROKEN = "The rotation has an empty entry, and every visit fails.";

function names(pixels: readonly Pixel[]): Content {
  return pixels.map((pixel, at) => [at === 0 ? "" : ", ", words(pixel.name)]);
}

const OWN = "so the visitor goes to the link's own destination";

function whyThere(choice: Choice): string {
  switch (choice.by) {
    case "none":
      return "No targeting is active: everybody goes to the link's own destination.";
    case "crawler":
      return "Crawlers go to the link's own destination, whatever its targets.";
    case "match":
      return `The link is targeted by ${choice.group}, and ${choice.key} has a destination of its own.`;
    case "no match":
      return choice.key === null
        ? `The link is targeted by ${choice.group}, and none that it names fits this visitor, ${OWN}.`
        : `The link is targeted by ${choice.group}, and ${choice.key} is not among them, ${OWN}.`;
    case "unused":
      return "The link has a rotation, but this version sends everybody to the link's own destination.";
    case "slot":
      return choice.slot === choice.slots
        ? `The destinations take turns, and this is turn ${choice.slot} of ${choice.slots}: the link's own.`
        : `The destinations take turns, and this is turn ${choice.slot} of ${choice.slots}.`;
    default:
      return choice satisfies never;
  }
}

/** What the trial has left behind. */
export function tellCount(trial: Trial, { isCrawler }: TrialForm): string {
  if (trial.kind !== "visit" || trial.after === null) return "Nothing was counted, nothing has changed.";
  const { kind } = trial.outcome;
  if (kind !== "sent on" && kind !== "tracked") return "Nothing was counted: only who is sent on is.";
  if (isCrawler) return "Nothing was counted: crawlers are not.";
  return `Counted: the link has ${counted(trial.after.clicks, "click")} now.`;
}

/** `301 → address`, or the page. */
export function headline({ status, to, page }: Told): Markup {
  const shown = page === null ? null : markup` <span class="page">${page}</span>`;
  const target = to === null ? null : markup` <span class="arrow" aria-label="leads to">→</span> ${address(to)}`;
  return markup`<span class="status">${status}</span>${shown}${target}`;
}
