// The frame of an HTML report, a single file that loads nothing, and its content security policy.

import type { RenderContext } from "../format.ts";
import { joined, Markup, markup, type HtmlContent } from "./markup.ts";
import { isWeb } from "./finding.ts";
import { STYLE } from "./style.ts";

export interface Head {
  /** The command: `plan`. */
  readonly of: string;
  readonly title: string;
  /** One or two sentences below the title. */
  readonly lead: HtmlContent;
  readonly tone: "calm" | "good" | "warn" | "bad";
  readonly baseUrl: string | null;
}

/** A whole page. `target`: the id that the skip link points to. */
export function page(head: Head, target: string, body: HtmlContent, { project, runUrl }: RenderContext): string {
  const about = [
    `linkform ${head.of}`,
    project,
    head.baseUrl,
    runUrl !== null && isWeb(runUrl) ? markup`<a href="${runUrl}" rel="noreferrer noopener">CI run</a>` : null,
  ].filter((part) => part !== null && part !== "");
  // The policy comes first, because it applies only to what follows it. Its hash is that of the exact style.
  const source = markup`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${head.title} – linkform ${head.of}${project === "" ? null : ` for ${project}`}</title>
<link rel="icon" href="data:,">
<style>${new Markup(STYLE)}</style>
</head>
<body class="${head.of}">
<a class="skip" href="#${target}">Skip to ${target}</a>
<header class="top ${head.tone}">
<p class="about">${joined(about, markup` <i>·</i> `)}</p>
<h1>${head.title}</h1>
<p class="lead">${head.lead}</p>
</header>
<main>
${body}</main>
</body>
</html>
`;
  return source.source;
}

/**
 * The SHA-256 of the text of style.ts. It is a constant, because rendering has no hash function; test/report/html/page.test.ts prints
 * the new value when it changes.
 */
export const STYLE_HASH = "sha256-a/G2V364dh2mt/T7pX0GBCJ91g//dJg8XW0vbae44tg=";

/**
 * Values come from the service and from pull requests of strangers. If one were ever parsed as markup, this policy would
 * block its scripts, handlers, styles, frames, images and forms. The page itself has no script.
 */
export const POLICY: string = [
  "default-src 'none'",
  `style-src '${STYLE_HASH}'`,
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");
