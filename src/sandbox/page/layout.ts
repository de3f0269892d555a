// The frame and the style sheet of the sandbox's pages: no scripts, and nothing to fetch.
import { createHash } from "node:crypto";
import { markup, type Content } from "./markup.ts";
import { html, type Reply } from "../reply.ts";

const STYLE = `
:root {
  --back: #f5f6f8; --panel: #fff; --line: #dcdfe5; --text: #1b1f27; --soft: #5a6372; --link: #1450b8;
  --accent: #1f5fd0; --on-accent: #fff; --field: #fff; --field-line: #868f9e; --code: #eef1f5;
  --good: #0b6b3a; --good-back: #def4e6; --bad: #a11d2a; --bad-back: #fde5e6; --warn: #7a4b00; --warn-back: #fdefd3;
  --calm: #46307f; --calm-back: #ece7fa;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #12151b; --panel: #1b2029; --line: #313946; --text: #e8ebf0; --soft: #a3adbc; --link: #8fb8ff;
    --accent: #8fb8ff; --on-accent: #0e1a30; --field: #12161d; --field-line: #6d7889; --code: #11151b;
    --good: #8fe0b0; --good-back: #143524; --bad: #ffa9ad; --bad-back: #43191d; --warn: #f5cb86; --warn-back: #3a2a0d;
    --calm: #cbbcff; --calm-back: #2c2349;
  }
}
* { box-sizing: border-box; }
html { color-scheme: light dark; background: var(--back); color: var(--text); scroll-padding-top: 1rem; }
body { margin: 0; font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; overflow-wrap: anywhere; }
main { padding: 2rem 1rem 3rem; }
.wide main { max-width: 72rem; margin: 0 auto; }
h1, h2, p, ul, dl, dd, pre { margin: 0; }
h1 { font-size: 1.75rem; line-height: 1.2; letter-spacing: -0.015em; }
h2 { font-size: 1.2rem; line-height: 1.3; margin-bottom: 0.6rem; }
ul { padding: 0; list-style: none; }
a { color: var(--link); text-underline-offset: 0.18em; text-decoration: underline 1px; text-decoration-color: color-mix(in srgb, currentColor 40%, transparent); }
a:hover { text-decoration-color: currentColor; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
header p, .aside, footer { color: var(--soft); }
header { margin-bottom: 1.25rem; }
header p { margin-top: 0.25rem; }
.aside { font-size: 0.875rem; }
section { margin-top: 2.25rem; }
.panel { background: var(--panel); border: 1px solid var(--line); border-radius: 10px; padding: 1rem 1.15rem; }
.split { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); gap: 1rem; }
.split > * { min-width: 0; }
.facts { display: grid; gap: 0.3rem; align-content: start; }
.facts div { display: grid; grid-template-columns: 6.5rem 1fr; gap: 0.75rem; }
.facts dt { color: var(--soft); }
pre, code { font: 0.875rem/1.6 ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; }
pre { background: var(--code); border-radius: 6px; padding: 0.7rem 0.85rem; margin-top: 0.6rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.skip, .hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip:focus { width: auto; height: auto; clip-path: none; left: 1rem; top: 0.5rem; padding: 0.4rem 0.8rem; background: var(--panel); border-radius: 6px; z-index: 1; }

.fields { display: grid; grid-template-columns: repeat(3, 1fr); gap: 0.9rem 1rem; }
.field { min-width: 0; }
.field.wide { grid-column: 1 / -1; }
label { font-size: 0.875rem; font-weight: 600; }
input:not([type="checkbox"]), select {
  display: block; width: 100%; min-height: 2.6rem; margin-top: 0.25rem; padding: 0.4rem 0.65rem; font: inherit; color: inherit;
  background: var(--field); border: 1px solid var(--field-line); border-radius: 7px;
}
::placeholder { color: var(--soft); opacity: 1; }
.ticks, .buttons { display: flex; flex-wrap: wrap; gap: 0.6rem 1.5rem; margin-top: 0.9rem; }
.buttons { gap: 0.6rem; }
.tick { display: inline-flex; align-items: center; gap: 0.5rem; min-height: 1.75rem; font-weight: 400; font-size: 1rem; }
.tick input { width: 1.1rem; height: 1.1rem; margin: 0; accent-color: var(--accent); }
button {
  min-height: 2.6rem; padding: 0.4rem 1.1rem; font: inherit; font-weight: 600; color: var(--on-accent); background: var(--accent);
  border: 1px solid var(--accent); border-radius: 7px; cursor: pointer;
}
button.quiet { color: var(--link); background: transparent; }
button:hover { filter: brightness(1.08); }
.result { margin-top: 0.9rem; border-left: 4px solid var(--accent); }
.headline { font-size: 1.15rem; font-weight: 600; line-height: 1.6; }
.status { display: inline-block; padding: 0 0.5rem; margin-right: 0.25rem; border-radius: 6px; background: var(--code); font-variant-numeric: tabular-nums; }
.arrow { color: var(--soft); margin: 0 0.15rem; }
.why { margin-top: 0.5rem; }
.count { margin-top: 0.35rem; color: var(--soft); }
details { margin-top: 0.6rem; }
summary { cursor: pointer; color: var(--link); width: fit-content; }

.search { display: grid; grid-template-columns: minmax(0, 24rem) auto auto 1fr; gap: 0 0.6rem; align-items: end; margin-bottom: 0.75rem; }
.search label { grid-column: 1 / -1; }
.search a { align-self: center; white-space: nowrap; }
table { width: 100%; margin-top: 0.75rem; border-collapse: separate; border-spacing: 0; table-layout: fixed; }
table.panel { padding: 0; }
th { text-align: start; font-size: 0.8rem; font-weight: 600; color: var(--soft); padding: 0.6rem 0.75rem; }
td { vertical-align: top; padding: 0.7rem 0.75rem; border-top: 1px solid var(--line); }
thead td { border: 0; }
.links :is(th, thead td):nth-child(1) { width: 26%; }
.links :is(th, thead td):nth-child(3) { width: 19%; }
.links :is(th, thead td):nth-child(4) { width: 5.5rem; text-align: end; }
.links :is(th, thead td):nth-child(5) { width: 5rem; }
.pixels th:nth-child(-n + 3) { width: 22%; }
.short { font-weight: 600; }
.short .aside, .tags { font-weight: 400; }
.number { text-align: end; font-variant-numeric: tabular-nums; }
.label { display: none; color: var(--soft); font-size: 0.875rem; font-weight: 400; }
.try { display: inline-block; padding: 0.15rem 0.7rem; border: 1px solid var(--line); border-radius: 7px; text-decoration: none; }
.try:hover { border-color: var(--accent); }
.badges, .tags { display: flex; flex-wrap: wrap; gap: 0.3rem; }
.tags { margin-top: 0.3rem; }
.badges li, .tags li { padding: 0 0.55rem; border-radius: 999px; font-size: 0.8rem; line-height: 1.6; background: var(--code); }
.badges .active { color: var(--good); background: var(--good-back); }
.badges .expired { color: var(--bad); background: var(--bad-back); }
.badges .disabled { color: var(--warn); background: var(--warn-back); }
.badges .password { color: var(--calm); background: var(--calm-back); }
.targets, .users { font-size: 0.875rem; }
.more { color: var(--soft); margin-top: 0.6rem; }
li.more { margin-top: 0; }
.rows { display: grid; gap: 0.6rem; }
.rows strong { margin-right: 0.35rem; }
.aside + p { margin-top: 0.6rem; }
.empty { margin-top: 0.75rem; color: var(--soft); }

.notice { min-height: 100vh; min-height: 100dvh; display: grid; place-content: center; grid-template-columns: minmax(0, 30rem); gap: 1rem; padding: 1rem; }
.notice main { background: var(--panel); border: 1px solid var(--line); border-radius: 12px; padding: 1.75rem; display: grid; gap: 0.9rem; }
.notice h1 { font-size: 1.5rem; }
.notice form { display: grid; gap: 0.4rem; }
.notice button { margin-top: 0.5rem; justify-self: start; }
.notice footer { font-size: 0.875rem; text-align: center; }
.problem { color: var(--bad); font-weight: 600; }
.loads { display: grid; gap: 0.4rem; }
.loads li { padding: 0.45rem 0.75rem; border-radius: 7px; background: var(--code); }
.loads span { color: var(--soft); }

@media (max-width: 44rem) {
  main { padding-top: 1.25rem; }
  .fields { grid-template-columns: 1fr; }
  .search { grid-template-columns: 1fr auto; }
  .search a { grid-column: 1 / -1; justify-self: start; margin-top: 0.5rem; }
  .buttons button { flex: 1 1 100%; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  table, tbody, tr, td { display: block; }
  tr { display: grid; grid-template-columns: 1fr auto; gap: 0.4rem; align-items: center; padding: 0.85rem 1rem; border-top: 1px solid var(--line); }
  tbody tr:first-child { border-top: 0; }
  td { grid-column: 1 / -1; min-width: 0; padding: 0; border: 0; }
  .number { grid-column: 1; text-align: start; }
  .act { grid-column: 2; }
  .label { display: inline; }
}
`;

const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");

const HEADERS = {
  // No form-action: it would also hold back the redirect that follows a password (browsers differ in that).
  "content-security-policy": `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; img-src data:; base-uri 'none'; frame-ancestors 'none'`,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
};

/**
 * A whole page as a reply.
 * @param look `notice`: a few lines in the middle
 * @param head for the head, beyond what every page has
 */
export function page(
  status: number,
  look: "notice" | "wide",
  title: string,
  body: Content,
  head: Content = null,
): Reply {
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
