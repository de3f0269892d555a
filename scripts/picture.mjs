// Draws comments as GitHub shows the reports of real runs. Without arguments it writes the README's picture; with --check it says whether
// that is fresh; with --comments FOLDER it writes PNG files of comments with 1, 10, 70 and 400 changes, as wide as a desktop and a phone
// show them, for which it needs Chromium.

import { mkdir } from "node:fs/promises";
import { main } from "./processes.mjs";
import { COMMENTS, README_PLAN } from "./pictures/scenes.mjs";
import { drawComment, photographComments } from "./pictures/comment.mjs";
import { reportOf } from "./pictures/stage.mjs";
import { writeGenerated } from "./source.mjs";

const [mode, folder] = process.argv.slice(2);
await main(async () => {
  if (mode === "--comments" && folder !== undefined) return photograph(folder);
  if (mode !== undefined && mode !== "--check")
    throw new Error("Usage: node scripts/picture.mjs [--check | --comments FOLDER]");
  const size = { title: `linkform ${README_PLAN.args.join(" ")}`, width: 860, height: 760 };
  await writeGenerated([["docs/comment.svg", drawComment(await reportOf(README_PLAN), size)]], "npm run pictures");
});

/** Pictures of comments with 1 to 400 changes, on a desktop and on a phone. */
async function photograph(into) {
  await mkdir(into, { recursive: true });
  const reports = [];
  for (const scene of COMMENTS) reports.push({ name: scene.name, markdown: await reportOf(scene) });
  for (const { file, overflow } of await photographComments(reports, into))
    console.log(overflow > 0 ? `${file}: a table is ${overflow} pixels too wide` : file);
}
