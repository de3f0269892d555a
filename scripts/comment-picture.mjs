// Draws a Markdown report as GitHub shows it in a pull request: an SVG with the rendered page in it, so that the picture is
// the same text on every machine.

import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";

/** GitHub's light theme, as far as reports use it. */
const STYLE = `
  .page { font: 14px/1.5 -apple-system, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; color: #1f2328; background: #fff; }
  .box { border: 1px solid #d1d9e0; border-radius: 6px; }
  .head { background: #f6f8fa; border-bottom: 1px solid #d1d9e0; border-radius: 6px 6px 0 0; padding: 8px 16px; color: #59636e; }
  .head b { color: #1f2328; }
  .body { padding: 16px; }
  h1, h2, h3 { font-weight: 600; line-height: 1.25; margin: 24px 0 16px; }
  h1, h2 { font-size: 1.5em; border-bottom: 1px solid #d1d9e0b3; padding-bottom: .3em; }
  h3 { font-size: 1.25em; }
  p, ul, ol, pre, blockquote, details { margin: 0 0 16px; }
  ul, ol { padding-left: 2em; }
  .body > :first-child { margin-top: 0; } .body > :last-child { margin-bottom: 0; }
  a { color: #0969da; text-decoration: none; }
  code { font: 85% ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; background: #818b981f; border-radius: 6px; padding: .2em .4em; }
  pre { background: #f6f8fa; border-radius: 6px; padding: 16px; overflow: hidden; } pre code { background: none; padding: 0; }
  .body { overflow-wrap: break-word; } code { white-space: break-spaces; }
  blockquote { border-left: .25em solid #d1d9e0; color: #59636e; padding: 0 1em; }
`;

/** The page of a comment, as XHTML. */
export function pageOf(markdown) {
  const html = micromark(markdown, {
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
    allowDangerousHtml: true,
  });
  return `<div xmlns="http://www.w3.org/1999/xhtml" class="page"><style>${STYLE}</style><div class="box"><div class="head"><b>linkform</b> commented</div><div class="body">
${html
  .replaceAll(/<!--.*?-->\s*/gs, "")
  .replaceAll("<br>", "<br />")
  .replaceAll("&nbsp;", "&#160;")}
</div></div></div>`;
}

/** The picture of a Markdown report. `height` must have room for it: test/browser/report.test.ts measures it. */
export function drawComment(markdown, { title, width, height }) {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">
<title>${title}</title>
<foreignObject width="${width}" height="${height}">
${pageOf(markdown)}
</foreignObject>
</svg>
`;
}
