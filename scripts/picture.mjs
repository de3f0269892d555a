// Draws what real runs of the built program show on a terminal. Without arguments it writes the README's pictures; with
// --check it says whether they are fresh; with --comments FOLDER it writes PNG files of comments with 1, 10, 70 and 400 changes,
// as wide as a desktop and a phone show them, for which it needs Chromium; with --look FOLDER [SCENE…] it writes PNG files to look at, of the scenes in
// pictures/scenes.mjs, for which it needs rsvg-convert and a monospace font (Debian: librsvg2-bin, fonts-dejavu-core).

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, rm } from "node:fs/promises";
import path from "node:path";
import { main } from "./processes.mjs";
import { COMMENTS, README_PLAN, scenesCalled } from "./pictures/scenes.mjs";
import { drawComment, photographComments } from "./pictures/comment.mjs";
import { writeGenerated } from "./source.mjs";
import { play, reportOf } from "./pictures/stage.mjs";
import { draw } from "./pictures/svg.mjs";

/** The pictures of the repository. */
const PICTURES = [
  { file: "docs/plan.svg", scene: README_PLAN, columns: 90 },
  { file: "docs/comment.svg", scene: README_PLAN, width: 860, height: 760 },
];
const LOOK_COLUMNS = [80, 140];
/** Rows of a picture to look at: what is longer would be made too small to read. */
const LOOK_ROWS = 72;

const [mode, folder, ...names] = process.argv.slice(2);
await main(async () => {
  if (mode === "--look" && folder !== undefined) return look(scenesCalled(names), folder);
  if (mode === "--comments" && folder !== undefined) return lookAtComments(folder);
  if ((mode === undefined || mode === "--check") && folder === undefined) return write();
  throw new Error("Usage: node scripts/picture.mjs [--check | --look FOLDER [SCENE…] | --comments FOLDER]");
});

async function write() {
  const files = [];
  for (const picture of PICTURES) files.push([picture.file, await drawn(picture)]);
  await writeGenerated(files, "npm run pictures");
}

async function drawn({ scene, columns, width, height }) {
  const title = titleOf(scene);
  if (columns === undefined) return drawComment(await reportOf(scene), { title, width, height });
  return draw(await play(scene, columns), { title, columns });
}

function titleOf({ args }) {
  return `linkform ${args.join(" ")}`;
}

/** Pictures of comments with 1 to 400 changes, on a desktop and on a phone. */
async function lookAtComments(into) {
  await mkdir(into, { recursive: true });
  const reports = [];
  for (const scene of COMMENTS) reports.push({ name: scene.name, markdown: await reportOf(scene) });
  for (const { file, overflow } of await photographComments(reports, into))
    console.log(overflow > 0 ? `${file}: a table is ${overflow} pixels too wide` : file);
}

async function look(scenes, into) {
  await mkdir(into, { recursive: true });
  for (const scene of scenes) {
    const name = scene.name.replace("/", "-");
    // It may have had more pages the last time.
    for (const file of await readdir(into)) if (file.startsWith(`${name}.`)) await rm(path.join(into, file));
    for (const columns of LOOK_COLUMNS) {
      const rows = await play(scene, columns);
      for (const palette of ["dark", "light"]) {
        for (const [at, page] of pagesOf(rows).entries()) {
          const file = [name, columns, palette, ...(at === 0 ? [] : [at + 1]), "png"].join(".");
          await convert(draw(page, { title: titleOf(scene), columns, palette }), path.join(into, file));
        }
      }
    }
    console.log(scene.name);
  }
}

function pagesOf(rows) {
  const count = Math.ceil(rows.length / LOOK_ROWS);
  return Array.from({ length: count }, (_, at) => rows.slice(at * LOOK_ROWS, (at + 1) * LOOK_ROWS));
}

async function convert(svg, file) {
  const child = spawn("rsvg-convert", ["--zoom", "1.5", "--output", file], { stdio: ["pipe", "inherit", "inherit"] });
  child.stdin.on("error", () => undefined).end(svg);
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`rsvg-convert ended with ${code} for ${file}.`);
}
