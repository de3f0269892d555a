// The frame of the sandbox's own pages: self-contained, without scripts, and nothing is fetched from anywhere.
import { createHash } from "node:crypto";
import { type Content, markup } from "./markup.ts";
import { html, type Reply } from "../reply.ts";
import { STYLE } from "./style.ts";

const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");

const HEADERS = {
  // No form-action: it would also hold back the redirect that follows a password (browsers differ in that).
  "content-security-policy": `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; img-src data:; base-uri 'none'; frame-ancestors 'none'`,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
};

export interface Page {
  readonly title: string;
  /** For the head, beyond what every page has. */
  readonly head?: Content;
  /** `notice`: a few lines in the middle. */
  readonly look: "notice" | "wide";
  readonly body: Content;
}

/** A whole page as an answer. */
export function page(status: number, { title, head = null, look, body }: Page): Reply {
  const frame = markup`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
${head}
`;
  // The style sheet is ours and hashed as it stands: it is not escaped.
  return html(
    status,
    `${frame.source}<style>${STYLE}</style>\n</head>\n${markup`<body class="${look}">\n${body}\n</body>\n</html>\n`.source}`,
    HEADERS,
  );
}
