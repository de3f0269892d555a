// The frame and the style sheet of the sandbox's pages: no scripts, and nothing to fetch.
import { createHash } from "node:crypto";
import { markup, type Content } from "./markup.ts";
import { html, type Reply } from "../reply.ts";

const STYLE = `
:root { color-scheme: light dark; }
html { background: Canvas; color: CanvasText; }
body { max-width: 72rem; margin: 0 auto; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
:focus-visible { outline: 3px solid; }
form :is(label, input) { max-width: 100%; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: 0.4rem 1rem 0.4rem 0; border-bottom: 1px solid; text-align: start; vertical-align: top; }
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
