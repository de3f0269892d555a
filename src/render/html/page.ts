// The frame of an HTML report, a single file that loads nothing, and its content security policy.

import type { RenderContext } from "../format.ts";
import { joined, Markup, markup, type HtmlContent } from "./markup.ts";
import { SCRIPT } from "./script.ts";
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
  // The policy comes first, because it applies only to what follows it. Its hashes are those of the exact style and script.
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
<script>${new Markup(SCRIPT)}</script>
</body>
</html>
`;
  return source.source;
}

/**
 * The SHA-256 of the texts of style.ts and script.ts. They are constants, because rendering has no hash function;
 * test/render/html/page.test.ts prints the new value when either changes.
 */
export const STYLE_HASH = "sha256-uQoW6ZdREwaTL501/vrNayM1SXwi7L5b/FMexOrntWM=";
export const SCRIPT_HASH = "sha256-KFG6g5PPFC32eTWty2hm7i9qI6ellu2ZPVzwTMfJOqY=";

/**
 * Values come from the service and from pull requests of strangers. If one were ever parsed as markup, this policy would
 * block its scripts, handlers, styles, frames, images and forms, and Trusted Types keep our own script from creating
 * markup.
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
