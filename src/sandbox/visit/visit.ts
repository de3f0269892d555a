// A visit to a short URL: the reply, with the pages that a visitor gets instead of a redirect, and the click.
import { decide, visited, type Outcome, type ShortUrl } from "./decide.ts";
import { address, markup, mayGoOn, words, type Content, type Markup } from "../page/markup.ts";
import { html, redirectPage, serverError, type Reply } from "../reply.ts";
import type { Service } from "../service.ts";
import type { Link, Pixel } from "../state.ts";
import { WARNED_FIELD, type Visitor } from "./visitor.ts";
import { page } from "../page/layout.ts";

/** Where the visitor of this link goes. Stores the click and the rotation's next turn. */
function visit(link: Link, visitor: Visitor, query: string, service: Service): Outcome {
  const outcome = decide(link, visitor, query, service);
  const after = visited(link, visitor, outcome);
  if (after.clicks !== link.clicks || after.last_rotation !== link.last_rotation) {
    service.store.links.put(after);
    service.store.commit();
  }
  return outcome;
}

/**
 * The answer for a short URL as the service gives it (docs/service.md, "What a visitor sees").
 * @param query of the short URL, as it came, without `?`
 * @returns null for a domain without a front page
 * @throws FrameworkError 500 for a rotation with a hole
 */
export function answerTo(
  { domain, alias, link }: ShortUrl,
  visitor: Visitor,
  query: string,
  service: Service,
): Reply | null {
  if (alias === "") return domain.index_page ? redirect(domain.index_page) : null;
  if (link !== null) return answerOutcome(visit(link, visitor, query, service), visitor);
  if (domain.not_found_page) return redirect(domain.not_found_page);
  return notice(404, "Not Found", markup`<p>There is no link ${words(`${domain.name}/${alias}`)}.</p>`);
}

/** Later pages send the data from earlier ones again. */
function answerOutcome(outcome: Outcome, visitor: Visitor): Reply {
  switch (outcome.kind) {
    case "expired":
      return outcome.to === null
        ? notice(200, "Link expired", markup`<p>This link no longer leads anywhere.</p>`)
        : redirect(outcome.to);
    case "disabled":
      return notice(200, "Link disabled", markup`<p>This link has been switched off.</p>`);
    case "password":
      return passwordPage(outcome.wasWrong);
    case "warning":
      return warningPage(visitor);
    case "consent":
      return consentPage(outcome.pixels, visitor);
    case "tracked":
      return pixelPage(outcome.pixels, outcome.to);
    case "sent on":
      return redirect(outcome.to);
    case "broken":
      throw serverError();
    default:
      return outcome satisfies never;
  }
}

/** As the service sends it: browsers do not cache it. The body does not link to a script URL. */
const redirect = (to: string): Reply =>
  html(301, mayGoOn(to) ? redirectPage(to) : "", {
    location: to,
    "cache-control": "must-revalidate, no-cache, no-store, private",
  });

function notice(status: number, title: string, body: Content, head: Content = null): Reply {
  const foot = markup`<footer>A page of the linkform sandbox. <a href="/">What it holds</a></footer>`;
  return page(status, title, markup`<main>\n<h1>${title}</h1>\n${body}\n</main>\n${foot}`, head);
}

/** A page with a form, which is sent to the short URL, including its query, with what the visitor entered on earlier pages. */
function formPage(title: string, text: Content, controls: Content, { password, isWarned }: Entered): Reply {
  const hidden = (name: string, value: string): Markup =>
    markup`<input type="hidden" name="${name}" value="${value}">\n`;
  const entered = [
    password === null ? null : hidden("password", password),
    isWarned ? hidden(WARNED_FIELD, "1") : null,
  ];
  return notice(200, title, markup`${text}\n<form method="post">\n${entered}${controls}\n</form>`);
}

type Entered = Pick<Visitor, "password" | "isWarned">;

function passwordPage(wasWrong: boolean): Reply {
  const problem = wasWrong ? markup`<p role="alert">That is not the password.</p>\n` : null;
  const input = markup`<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="off" required autofocus>
<button>Go on</button>`;
  const nothing = { password: null, isWarned: false };
  return formPage("Password needed", markup`<p>This link asks for a password.</p>`, [problem, input], nothing);
}

function warningPage(visitor: Visitor): Reply {
  const button = markup`<button name="${WARNED_FIELD}" value="1">Continue</button>`;
  const text = markup`<p>This link can lead to sensitive content.</p>`;
  return formPage("Sensitive content", text, button, visitor);
}

/** Names the pixels and asks whether they may be loaded. */
function consentPage(pixels: readonly Pixel[], visitor: Visitor): Reply {
  const text = markup`<p>This link would like to load these pixels.</p>\n${pixelList(pixels)}`;
  const buttons = markup`<button name="consent" value="accepted">Accept</button>
<button name="consent" value="refused">Refuse</button>`;
  return formPage("Before you continue", text, buttons, visitor);
}

/** Names the pixels that the service would load, loads none of them, and redirects after half a second. */
function pixelPage(pixels: readonly Pixel[], to: string): Reply {
  const goesOn = mayGoOn(to);
  const refresh = goesOn ? markup`<meta http-equiv="refresh" content="0.5;url=${to}">` : null;
  return notice(
    200,
    "One moment",
    markup`<p>The service would load these pixels here. The sandbox loads none.</p>
${pixelList(pixels)}
<p>${goesOn ? "Going on to" : "A browser does not go on to"} ${address(to)}</p>`,
    refresh,
  );
}

function pixelList(pixels: readonly Pixel[]): Markup {
  const items = pixels.map(({ name, type, value }) => markup`<li>${words(`${name} ${type} ${value}`)}</li>\n`);
  return markup`<ul>\n${items}</ul>`;
}
