// Draws the README's picture from a real run: a Markdown report as GitHub shows it in a comment. It is an SVG with the page in it,
// so that it is the same text on every machine. --check checks that it is fresh.

import { execFileSync } from "node:child_process";
import { cpSync } from "node:fs";
import path from "node:path";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { cleanEnv, linkform, main, ROOT, scratchFolder, startSandbox } from "./processes.mjs";
import { writeGenerated } from "./source.mjs";

/** The first plan of the README: files now and on the base branch, and the account. */
const SCENE = path.join(ROOT, "test/fixtures/plans/readme-first");
const ARGS = ["plan", "--base", "origin/main"];

/** The name of the commit in the picture, as in the README. Its real name depends on the moment it was made. */
const COMMIT = "5d1c2a7";

/** GitHub's light theme, as far as the report uses it. */
const STYLE = `
  .page { font: 14px/1.5 -apple-system, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; color: #1f2328; background: #fff; }
  .box { border: 1px solid #d1d9e0; border-radius: 6px; }
  .head { background: #f6f8fa; border-bottom: 1px solid #d1d9e0; border-radius: 6px 6px 0 0; padding: 8px 16px; color: #59636e; }
  .head b { color: #1f2328; }
  .body { padding: 16px; }
  h2, h3 { font-weight: 600; line-height: 1.25; margin: 24px 0 16px; } h3 { font-size: 1.25em; }
  h2 { font-size: 1.5em; border-bottom: 1px solid #d1d9e0b3; padding-bottom: .3em; }
  p, ul, details { margin: 0 0 16px; } ul { padding-left: 2em; }
  .body > :first-child { margin-top: 0; } .body > :last-child { margin-bottom: 0; }
  a { color: #0969da; text-decoration: none; }
  code { font: 85% ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; background: #818b981f; border-radius: 6px; padding: .2em .4em; }
  .body { overflow-wrap: break-word; } code { white-space: break-spaces; }
`;

await main(async () => {
  await writeGenerated([["docs/comment.svg", drawComment(await readmePlan())]], "npm run pictures");
});

/** The report of the README's plan, in a repository whose `origin/main` has the base. */
async function readmePlan() {
  const cwd = path.join(await scratchFolder(), "project");
  const { url, apiKey } = await startSandbox({ seed: path.join(SCENE, "live.json") });
  const env = { ...cleanEnv, GIT_CONFIG_NOSYSTEM: "1", LINKFORM_API_KEY: apiKey };
  const git = (...args) =>
    execFileSync("git", ["-C", cwd, "-c", "user.name=A", "-c", "user.email=a@example.com", ...args], { env });
  cpSync(path.join(SCENE, "base"), cwd, { recursive: true });
  git("init", "--quiet");
  git("add", "--all");
  git("commit", "--quiet", "--message", "base");
  git("update-ref", "refs/remotes/origin/main", "HEAD");
  const commit = git("rev-parse", "HEAD").toString().slice(0, COMMIT.length);
  git("rm", "--quiet", "-r", ".");
  cpSync(path.join(SCENE, "now"), cwd, { recursive: true });
  const { out } = await linkform([...ARGS, "--base-url", url, "--format", "markdown"], cwd, env);
  return out.replaceAll(commit, COMMIT);
}

/** The picture of a report. The height must have room for it: test/browser/report.test.ts measures it. */
function drawComment(markdown) {
  const extensions = { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true };
  const html = micromark(markdown, extensions)
    .replaceAll(/<!--.*?-->\s*/gs, "")
    .replaceAll("<br>", "<br />")
    .replaceAll("&nbsp;", "&#160;");
  return `<svg xmlns="http://www.w3.org/2000/svg" width="860" height="760" viewBox="0 0 860 760" role="img">
<title>linkform ${ARGS.join(" ")}</title>
<foreignObject width="860" height="760">
<div xmlns="http://www.w3.org/1999/xhtml" class="page"><style>${STYLE}</style><div class="box"><div class="head"><b>linkform</b> commented</div><div class="body">
${html}
</div></div></div>
</foreignObject>
</svg>
`;
}
