// The frame and the style sheet of the sandbox's pages: no scripts, and nothing to fetch.
import { createHash } from "node:crypto";
import { markup, type Content } from "./markup.ts";
import { html, type Reply } from "../reply.ts";

const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#ccd1d9, #3a4250); --soft: light-dark(#5a6372, #a3adbc); }
* { box-sizing: border-box; }
html { background: light-dark(#fff, #14171d); color: light-dark(#1b1f27, #e8ebf0); }
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
main { max-width: 72rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.6rem; }
h2 { font-size: 1.2rem; margin: 2rem 0 0.5rem; }
ul { padding: 0; list-style: none; }
a { color: light-dark(#1450b8, #8fb8ff); }
footer { max-width: 72rem; margin: 0 auto; padding: 0 1rem; color: var(--soft); }
:focus-visible { outline: 3px solid light-dark(#1f5fd0, #8fb8ff); outline-offset: 2px; }
form { display: flex; flex-wrap: wrap; gap: 0.75rem; align-items: end; }
form :is(label, input) { max-width: 100%; }
input, button { font: inherit; padding: 0.35rem 0.6rem; }
.problem { flex-basis: 100%; margin: 0; color: light-dark(#a11d2a, #ffa9ad); }
table { width: 100%; border-collapse: collapse; }
th, td { padding: 0.4rem 1rem 0.4rem 0; border-bottom: 1px solid var(--line); text-align: start; vertical-align: top; }
th { color: var(--soft); }
`;

const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");

const HEADERS = {
  // No form-action: in some browsers, it would also block the redirect that follows a password.
  "content-security-policy": `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; img-src data:; base-uri 'none'; frame-ancestors 'none'`,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
};

/** A whole page as a reply. @param head additions to the head */
export function page(status: number, title: string, body: Content, head: Content = null): Reply {
  const frame = markup`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
${head}
`;
  // The style sheet is our own, and its hash is that of the unescaped text.
  const end = markup`<body>\n${body}\n</body>\n</html>\n`;
  return html(status, `${frame.source}<style>${STYLE}</style>\n</head>\n${end.source}`, HEADERS);
}
