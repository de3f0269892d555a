// The frame of an HTML report, a single file that loads nothing, and its content security policy.

import { createHash } from "node:crypto";
import type { Composed, Line } from "../blocks.ts";
import type { RenderContext } from "../format.ts";
import { plainText } from "../spans.ts";
import { joined, Markup, markup, webLink, type HtmlContent } from "./markup.ts";
import { STYLE } from "./style.ts";

/** A whole page. `spans` draws a line. */
export function page(
  { of, subject, baseUrl, tone, title, lead }: Composed,
  body: HtmlContent,
  { runUrl }: Pick<RenderContext, "runUrl">,
  spans: (line: Line) => HtmlContent,
): string {
  const project = plainText(subject);
  const about = [`linkform ${of}`, project, baseUrl, runUrl === null ? null : webLink("CI run", runUrl)].filter(
    (part) => part !== null && part !== "",
  );
  const name = plainText(title).replaceAll("`", "").replace(/\.$/, "");
  // The policy comes first, because it applies only to what follows it. Its hash is that of the exact style.
  const source = markup`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${name} – linkform ${of}${project === "" ? null : ` for ${project}`}</title>
<link rel="icon" href="data:,">
<style>${new Markup(STYLE)}</style>
</head>
<body class="${of}">
<a class="skip" href="#report">Skip to the report</a>
<header class="top ${tone}">
<p class="about">${joined(about, markup` <i>·</i> `)}</p>
<h1>${spans(title)}</h1>
${lead.map((line) => markup`<p class="lead">${spans(line)}</p>\n`)}
</header>
<main>
${body}</main>
</body>
</html>
`;
  return source.source;
}

/**
 * Values come from the service and from pull requests of strangers. If one were ever parsed as markup, this policy would
 * block its scripts, handlers, styles, frames, images and forms. The page itself has no script.
 */
export const POLICY: string = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`,
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");
