// Writes the files that a page of docs/ shows into a folder: each block of code that begins with its name in a comment.

import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";

const [page, folder] = process.argv.slice(2);
const text = await readFile(page, "utf8");
for (const [, name, code] of text.matchAll(/^```\w+\n(?:\/\/|#) (\S+)\n(.*?)^```$/gms)) {
  const file = path.join(folder, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, code);
}
