// The style sheet of a report: light and dark, wide and narrow, and print.

export const STYLE = `
:root {
  --back: #f6f7f9; --panel: #fff; --line: #dde1e7; --text: #1a1e26; --soft: #59626f; --link: #1450b8; --accent: #1f5fd0;
  --code: #f2f4f7; --field: #fff; --field-line: #868f9e;
  --good: #0b6b3a; --good-back: #e2f5e9; --bad: #a11d2a; --bad-back: #fdebec; --warn: #754700; --warn-back: #fdf1d9;
  --calm: #4c3590; --calm-back: #efebfb; --old: #fbdfe0; --new: #cdefd9;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #11141a; --panel: #1a1f28; --line: #2f3744; --text: #e7eaf0; --soft: #a4aebd; --link: #8fb8ff; --accent: #8fb8ff;
    --code: #12161d; --field: #12161d; --field-line: #6d7889;
    --good: #8fe0b0; --good-back: #14301f; --bad: #ffacb0; --bad-back: #3d181c; --warn: #f5cb86; --warn-back: #36280d;
    --calm: #cbbcff; --calm-back: #2a2247; --old: #5b2229; --new: #1c4a30;
  }
}
* { box-sizing: border-box; }
html { color-scheme: light dark; background: var(--back); color: var(--text); scroll-padding-top: 1rem; }
body { margin: 0; font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; overflow-wrap: anywhere; }
.top, main { max-width: 64rem; margin: 0 auto; padding: 0 1rem; }
.top { padding-top: 2rem; }
main { padding-bottom: 4rem; }
h1, h2, h3, p, ul, ol, dl, dd, pre, figure, fieldset { margin: 0; padding: 0; }
h1 { font-size: 2rem; line-height: 1.2; letter-spacing: -0.02em; }
h2 { font-size: 1.2rem; line-height: 1.3; margin-bottom: 0.6rem; }
ul { list-style: none; }
i { font-style: normal; }
a { color: var(--link); text-underline-offset: 0.18em; text-decoration: underline 1px color-mix(in srgb, currentColor 40%, transparent); }
a:hover { text-decoration-color: currentColor; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
section { margin-top: 2.25rem; }
[hidden] { display: none !important; }
.skip, .hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip:focus { width: auto; height: auto; clip-path: none; left: 1rem; top: 0.5rem; padding: 0.4rem 0.8rem; background: var(--panel); border-radius: 6px; z-index: 1; }
.about, .facts, .src, .id, .why { color: var(--soft); font-size: 0.875rem; }
.about i, .facts i, .src i { color: var(--soft); }
.about { margin-bottom: 0.75rem; }
.lead { margin-top: 0.5rem; font-size: 1.1rem; max-width: 46rem; }
.good h1 { color: var(--good); }
.bad h1 { color: var(--bad); }
.warn h1 { color: var(--warn); }
.panel { background: var(--panel); border: 1px solid var(--line); border-radius: 10px; padding: 0.9rem 1.1rem; }
ol.panel { padding-left: 2.4rem; }

.banner { border: 2px solid var(--bad); border-radius: 12px; background: var(--bad-back); padding: 1rem 1.1rem 0.25rem; margin-top: 1.5rem; }
.banner h2 { color: var(--bad); }

.group, .project { margin: 2rem 0 0.75rem; }
.project { font-size: 1.45rem; }
p.good { color: var(--good); }
p.bad { color: var(--bad); }
p.warn, .warned { color: var(--warn); }
.names { display: flex; flex-wrap: wrap; gap: 0.2rem 0.8rem; }
.loud, .top .loud { color: var(--bad); }
.under { margin: -0.4rem 0 0.9rem; }
.alike { margin-bottom: 0.75rem; }
.alike > summary { width: auto; padding: 0.65rem 1rem; border: 1px solid var(--line); border-radius: 10px; background: var(--panel); color: var(--text); }
.alike > summary:hover { border-color: var(--accent); }
.alike > summary::marker { color: var(--link); }
.alike[open] > summary { margin-bottom: 0.75rem; }
.alike summary code { padding: 0; background: none; font-size: 0.875rem; }
.alike .card { margin-left: 1rem; }
.card {
  background: var(--panel); border: 1px solid var(--line); border-left: 4px solid var(--soft); border-radius: 10px; padding: 0.8rem 1rem 0.75rem;
  margin-bottom: 0.75rem; content-visibility: auto; contain-intrinsic-size: auto 11rem;
}
.card > * + * { margin-top: 0.35rem; }
.card.create { border-left-color: var(--good); }
.card.update { border-left-color: var(--warn); }
.card.replace { border-left-color: var(--calm); }
.card.delete, .card.error, .card.bad { border-left-color: var(--bad); }
.card.warning, .card.left { border-left-color: var(--warn); }
.card.good { border-left-color: var(--good); }
.card h3 { font-size: 1.05rem; line-height: 1.45; font-weight: 600; }
.what { display: inline-block; margin-right: 0.35rem; padding: 0 0.55rem; border-radius: 6px; font-size: 0.8rem; line-height: 1.65; font-weight: 600; background: var(--code); }
.create .what { color: var(--good); background: var(--good-back); }
.update .what, .warning .what { color: var(--warn); background: var(--warn-back); }
.replace .what { color: var(--calm); background: var(--calm-back); }
.delete .what, .error .what { color: var(--bad); background: var(--bad-back); }
.key, .says { unicode-bidi: isolate; }
.says { font-weight: 500; }
.id { font-weight: 400; }
.stop { color: var(--bad); font-size: 0.875rem; }
.ends { color: var(--bad); font-weight: 500; }
table { width: 100%; table-layout: fixed; border-collapse: collapse; font-size: 0.9375rem; }
th, td { text-align: start; vertical-align: top; padding: 0.2rem 0.6rem 0.2rem 0; font-weight: 400; unicode-bidi: isolate; }
thead td:first-child, .one th { width: 10.5rem; }
thead th { font-size: 0.8rem; font-weight: 600; color: var(--soft); }
tbody th { color: var(--soft); }
tbody tr + tr:not(.part) > * { border-top: 1px solid var(--line); }
.part th { padding-left: 0.9rem; }
.part.rest td { color: var(--soft); }
.sign { display: inline-block; width: 0.9rem; color: var(--text); }
.added .sign { color: var(--good); }
.removed .sign { color: var(--bad); }
.no { color: var(--soft); }
del, ins { text-decoration: underline 2px; text-underline-offset: 0.2em; border-radius: 3px; padding: 0.05em 0; color: inherit; }
del { background: var(--old); text-decoration-color: var(--bad); }
ins { background: var(--new); text-decoration-color: var(--good); }
.drift :is(del, ins) { background: var(--warn-back); text-decoration-color: var(--warn); }
.origin { display: grid; grid-template-columns: 9.9rem minmax(0, 1fr); gap: 0.6rem; align-items: start; }
.card .origin { margin-top: 0.7rem; }
.origin .code { padding-block: 0.15rem; }
.one tbody td { padding-right: 0; }
.many th, .many thead td:first-child { width: auto; }
article .many .what { display: none; }
pre, code { font: 0.8125rem/1.6 ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; }
:not(pre) > code { padding: 0 0.25rem; border-radius: 4px; background: var(--code); }
.code { padding: 0.4rem 0.7rem; border-radius: 6px; background: var(--code); white-space: pre-wrap; overflow-wrap: anywhere; }
.code code { display: block; padding-left: 3rem; text-indent: -3rem; }
.code .no { display: inline-block; min-width: 3rem; padding-right: 0.8rem; text-indent: 0; text-align: end; user-select: none; }
.code mark { background: var(--warn-back); color: var(--warn); text-decoration: underline wavy 1px; text-underline-offset: 0.25em; }
.error .code mark { background: var(--bad-back); color: var(--bad); }

details > * + *, .panel + p { margin-top: 0.5rem; }
.rows .code, p + .code { margin-top: 0.35rem; }
summary { cursor: pointer; color: var(--link); width: fit-content; }
.list > li, .rows > li { padding: 0.2rem 0; }
.rows > li + li { border-top: 1px solid var(--line); }
.rows > li { padding: 0.6rem 0; }

@media (max-width: 44rem) {
  .top { padding-top: 1.25rem; }
  h1 { font-size: 1.6rem; }
  .what { display: block; width: fit-content; }
  table, tbody, tr, th, td { display: block; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  th, td { padding: 0.1rem 0; }
  tbody tr { padding: 0.35rem 0; }
  tbody tr + tr:not(.part) > * { border-top: 0; }
  tbody tr + tr:not(.part) { border-top: 1px solid var(--line); }
  .origin { grid-template-columns: 1fr; gap: 0.25rem; }
  table:not(.one) td:not(.no) { position: relative; padding-left: 4.2rem; }
  table:not(.one) :is(.old, .new)::before { position: absolute; left: 0; font-size: 0.8rem; font-weight: 600; line-height: 1.9; color: var(--soft); }
  .old::before { content: "Now"; }
  .new::before { content: "Then"; }
  .apply .old::before { content: "Before"; }
  .apply .new::before { content: "After"; }
  .drift .old::before { content: "Declared"; }
  .drift .new::before { content: "Live"; }
  .no, .rest td:empty { display: none; }
  .item { display: grid; grid-template-columns: 1.4rem minmax(0, 1fr); }
  .item.kept .old { display: none; }
  table:not(.one) :is(.item, .rest) td { padding-left: 0; }
  table:not(.one) .item td::before, .one td::before { content: none; }
  .part th { padding-left: 0; }
}
@media print {
  .card { content-visibility: visible; break-inside: avoid; }
}
`;
