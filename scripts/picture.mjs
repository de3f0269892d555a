// Draws Markdown reports as GitHub shows them in comments. Without arguments it writes the README's picture from a real run; --check checks
// that the picture is fresh. With --comments FOLDER REPORT… it writes PNG files of these reports, as wide as on a desktop and on a phone, and
// reports tables that do not fit. That needs Chromium.

import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { drawComment, pageOf } from "./comment-picture.mjs";
import { linkform, main, ROOT, scratchFolder, startSandbox } from "./processes.mjs";
import { writeGenerated } from "./source.mjs";

/** The first plan of the README: files now and on the base branch, and the account. */
const SCENE = path.join(ROOT, "test/fixtures/plans/readme-first");
const ARGS = ["plan", "--base", "origin/main"];

/** Nothing of the caller's settings reaches a run. */
const ENV = { PATH: process.env.PATH, HOME: "/nowhere", GIT_CONFIG_NOSYSTEM: "1" };
/** What the commit is called in the picture, as in the README: its real name depends on the moment it was made. */
const COMMIT = "5d1c2a7";

/** The width of a comment on a desktop and on a phone, in pixels. */
const WIDTHS = { desktop: 860, phone: 375 };

const [mode, folder, ...reports] = process.argv.slice(2);
await main(async () => {
  if (mode === "--comments" && reports.length > 0) return takeScreenshots(reports, folder);
  if (mode !== undefined && mode !== "--check")
    throw new Error("Usage: node scripts/picture.mjs [--check | --comments FOLDER REPORT…]");
  const size = { title: `linkform ${ARGS.join(" ")}`, width: WIDTHS.desktop, height: 760 };
  await writeGenerated([["docs/comment.svg", drawComment(await readmePlan(), size)]], "npm run pictures");
});

/** The report of the README's plan, in a repository whose `origin/main` has the base. */
async function readmePlan() {
  const cwd = path.join(await scratchFolder(), "project");
  const git = (...args) =>
    execFileSync("git", ["-C", cwd, "-c", "user.name=A", "-c", "user.email=a@example.com", ...args], { env: ENV });
  cpSync(path.join(SCENE, "base"), cwd, { recursive: true });
  git("init", "--quiet");
  git("add", "--all");
  git("commit", "--quiet", "--message", "base");
  git("update-ref", "refs/remotes/origin/main", "HEAD");
  const commit = git("rev-parse", "HEAD").toString().slice(0, COMMIT.length);
  git("rm", "--quiet", "-r", ".");
  cpSync(path.join(SCENE, "now"), cwd, { recursive: true });
  const { url, apiKey } = await startSandbox(["--seed", path.join(SCENE, "live.json")], ENV);
  const env = { ...ENV, LINKFORM_API_KEY: apiKey };
  const { out } = await linkform([...ARGS, "--base-url", url, "--format", "markdown"], cwd, env);
  return out.replaceAll(commit, COMMIT);
}

/** Writes a PNG file of each report in Markdown, on a desktop and on a phone. */
async function takeScreenshots(files, into) {
  mkdirSync(into, { recursive: true });
  const { chromium } = await import("playwright-core");
  const executablePath = process.env.LINKFORM_CHROMIUM ?? "/usr/bin/chromium";
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--no-proxy-server"] });
  for (const [device, width] of Object.entries(WIDTHS)) {
    const page = await browser.newPage({ viewport: { width, height: 600 } });
    for (const file of files) {
      const picture = path.join(into, `${file.replace(/\.md$/, "").replaceAll(/[\\/]+/g, "-")}.${device}.png`);
      await page.setContent(
        `<!doctype html><meta charset="utf-8"><style>body { margin: 0 }</style>${pageOf(readFileSync(file, "utf8"))}`,
      );
      const overflow = await page.evaluate(() =>
        Math.max(0, ...Array.from(document.querySelectorAll("table, pre"), (box) => box.scrollWidth - box.clientWidth)),
      );
      await page.screenshot({ path: picture, fullPage: true });
      console.log(overflow > 0 ? `${picture}: a table is ${overflow} pixels too wide` : picture);
    }
  }
  await browser.close();
}
