// The style sheet of a report: light and dark, wide and narrow, and print.

export const STYLE = `
:root {
  --back: light-dark(#f6f7f9, #11141a); --panel: light-dark(#fff, #1a1f28); --line: light-dark(#dde1e7, #2f3744);
  --text: light-dark(#1a1e26, #e7eaf0); --soft: light-dark(#59626f, #a4aebd); --link: light-dark(#1450b8, #8fb8ff);
  --code: light-dark(#f2f4f7, #12161d); --good: light-dark(#0b6b3a, #8fe0b0); --good-back: light-dark(#e2f5e9, #14301f);
  --bad: light-dark(#a11d2a, #ffacb0); --bad-back: light-dark(#fdebec, #3d181c); --warn: light-dark(#754700, #f5cb86);
  --warn-back: light-dark(#fdf1d9, #36280d); --old: light-dark(#fbdfe0, #5b2229); --new: light-dark(#cdefd9, #1c4a30);
}
* { box-sizing: border-box; }
html { color-scheme: light dark; background: var(--back); color: var(--text); }
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
.top, main { max-width: 64rem; margin: 0 auto; padding: 0 1rem; }
.top { padding-top: 2rem; }
main { padding: 1rem 1rem 4rem; }
h1, h2, h3, p, ul, ol, pre { margin: 0; padding: 0; }
h1 { font-size: 2rem; line-height: 1.2; letter-spacing: -0.02em; }
h2 { font-size: 1.2rem; line-height: 1.3; }
ul { list-style: none; }
i { font-style: normal; }
a { color: var(--link); text-underline-offset: 0.18em; text-decoration: underline 1px color-mix(in srgb, currentColor 40%, transparent); }
a:hover { text-decoration-color: currentColor; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 4px; }
.about, .facts, .src, .id, .note.calm { color: var(--soft); font-size: 0.875rem; }
.about { margin-bottom: 0.75rem; }
.lead { margin-top: 0.5rem; font-size: 1.1rem; max-width: 46rem; }
.good, .added { --tone: var(--good); --tone-back: var(--good-back); }
.warn { --tone: var(--warn); --tone-back: var(--warn-back); }
.bad, .removed, .banner, .stop { --tone: var(--bad); --tone-back: var(--bad-back); }
.calm { --tone: initial; --tone-back: initial; }
h1, h2.bad, p.good, p.warn, p.bad, .banner h2, .stop { color: var(--tone, inherit); }
.panel { background: var(--panel); border: 1px solid var(--line); border-radius: 10px; padding: 0.9rem 1.1rem; }
ol.panel { padding-left: 2.4rem; }
.panel > li { padding: 0.2rem 0; }
.banner { border: 2px solid var(--bad); border-radius: 12px; background: var(--bad-back); padding: 1rem 1.1rem; margin: 0.5rem 0; }
.group, .project { margin: 2.5rem 0 0.75rem; }
.project { font-size: 1.45rem; }
.under { margin: -0.4rem 0 0.9rem; }
.names { display: flex; flex-wrap: wrap; gap: 0.2rem 0.8rem; }
.card {
  background: var(--panel); border: 1px solid var(--line); border-left: 4px solid var(--tone, var(--soft)); border-radius: 10px; padding: 0.8rem 1rem 0.75rem;
  margin-bottom: 0.75rem; content-visibility: auto; contain-intrinsic-size: auto 11rem;
}
.card > * + *, details > * + *, .panel + p, p + .code { margin-top: 0.35rem; }
.card h3 { font-size: 1.05rem; line-height: 1.45; font-weight: 600; }
.what { display: inline-block; margin-right: 0.35rem; padding: 0 0.55rem; border-radius: 6px; font-size: 0.8rem; line-height: 1.65; font-weight: 600; color: var(--tone, inherit); background: var(--tone-back, var(--code)); }
.key, .message, th, td { unicode-bidi: isolate; }
.message { font-weight: 500; }
.id, .facts { font-weight: 400; }
.stop { font-size: 0.875rem; }
table { width: 100%; table-layout: fixed; border-collapse: collapse; font-size: 0.9375rem; }
th, td { text-align: start; vertical-align: top; padding: 0.2rem 0.6rem 0.2rem 0; font-weight: 400; }
th { color: var(--soft); }
table:not(.many) th { width: 10.5rem; }
.many { table-layout: auto; }
.many .key { display: block; }
.many tbody th { min-width: 14rem; }
.many .src { width: 11rem; }
.side { display: inline-block; }
thead th { font-size: 0.8rem; font-weight: 600; }
tbody tr + tr:not(.part) > * { border-top: 1px solid var(--line); }
.part th { padding-left: 0.9rem; }
.sign { display: inline-block; width: 0.9rem; color: var(--text); }
.added .sign, .removed .sign { color: var(--tone); }
.no { color: var(--soft); }
del, ins { text-decoration: underline 2px; text-underline-offset: 0.2em; border-radius: 3px; padding: 0.05em 0; color: inherit; }
del { background: var(--old); text-decoration-color: var(--bad); }
ins { background: var(--new); text-decoration-color: var(--good); }
.drift :is(del, ins) { background: var(--warn-back); text-decoration-color: var(--warn); }
.origin { display: grid; grid-template-columns: 9.9rem minmax(0, 1fr); gap: 0.6rem; align-items: start; }
.card .origin { margin-top: 0.7rem; }
article .many .what { display: none; }
pre, code { font: 0.8125rem/1.6 ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; }
:not(pre) > code { padding: 0 0.25rem; border-radius: 4px; background: var(--code); }
.code { padding: 0.4rem 0.7rem; border-radius: 6px; background: var(--code); white-space: pre-wrap; overflow-wrap: anywhere; }
.code code { display: block; padding-left: 3rem; text-indent: -3rem; }
.code .no { display: inline-block; min-width: 3rem; padding-right: 0.8rem; text-indent: 0; text-align: end; user-select: none; }
.code mark { background: var(--warn-back); color: var(--warn); text-decoration: underline wavy 1px; text-underline-offset: 0.25em; }
.bad .code mark { background: var(--bad-back); color: var(--bad); }
summary { cursor: pointer; color: var(--link); width: fit-content; }
@media (max-width: 44rem) {
  .top { padding-top: 1.25rem; }
  h1 { font-size: 1.6rem; }
  .what { display: block; width: fit-content; }
  table, tbody, tr, th, td { display: block; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  table:not(.many) th, .many .src { width: auto; }
  th, td { padding: 0.1rem 0; }
  tbody tr { padding: 0.35rem 0; }
  tbody tr + tr:not(.part) > * { border-top: 0; }
  tbody tr + tr:not(.part) { border-top: 1px solid var(--line); }
  .origin { grid-template-columns: 1fr; gap: 0.25rem; }
}
@media print {
  .card { content-visibility: visible; break-inside: avoid; }
}
`;
