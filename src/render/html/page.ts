// The frame of a report: one file, with everything in it and nothing fetched from anywhere.

import type { RenderContext } from "../format.ts";
import { joined, Markup, markup, type HtmlContent } from "./markup.ts";
import { SCRIPT } from "./script.ts";
import { isWeb } from "./finding.ts";
import { STYLE } from "./style.ts";

/** What a page says first. */
export interface Head {
  /** What the report is: `plan`. */
  readonly of: string;
  readonly title: string;
  /** What follows from the title, in a sentence or two. */
  readonly lead: HtmlContent;
  readonly tone: "calm" | "good" | "warn" | "bad";
  readonly baseUrl: string | null;
}

/** A whole page. `target`: the id of what the skip link leads to. */
export function page(head: Head, target: string, body: HtmlContent, { project, runUrl }: RenderContext): string {
  const about = [
    `linkform ${head.of}`,
    project,
    head.baseUrl,
    runUrl !== null && isWeb(runUrl)
      ? markup`<a href="${runUrl}" rel="noreferrer noopener">the run that made this</a>`
      : null,
  ].filter((part) => part !== null && part !== "");
  // The policy is the first thing of the page: it holds for all that follows. Style and script are hashed as they stand.
  const source = markup`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${head.title} – linkform ${head.of}${project === "" ? null : ` of ${project}`}</title>
<link rel="icon" href="data:,">
<style>${new Markup(STYLE)}</style>
</head>
<body class="${head.of}">
<a class="skip" href="#${target}">To the ${target}</a>
<header class="top ${head.tone}">
<p class="about">${joined(about, markup` <i>·</i> `)}</p>
<h1>${head.title}</h1>
<p class="lead">${head.lead}</p>
</header>
<main>
${body}</main>
<script>${new Markup(SCRIPT)}</script>
</body>
</html>
`;
  return source.source;
}

/**
 * The SHA-256 of style.ts's and script.ts's texts: `report/` has no hash function, so they stand here, and
 * test/render/html/policy.test.ts says what to write when either changes.
 */
export const STYLE_HASH = "sha256-uQoW6ZdREwaTL501/vrNayM1SXwi7L5b/FMexOrntWM=";
export const SCRIPT_HASH = "sha256-KFG6g5PPFC32eTWty2hm7i9qI6ellu2ZPVzwTMfJOqY=";

/**
 * Values come from the service and from strangers' pull requests. Should one ever be taken for markup, this is what is left of
 * it: a script, a handler, a style or a frame of its own does nothing, no picture and no form reaches anybody, and what our own
 * script is given can't become markup.
 */
export const POLICY: string = [
  "default-src 'none'",
  `style-src '${STYLE_HASH}'`,
  `script-src '${SCRIPT_HASH}'`,
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");
