// Shows what linkform does, without account or network: the campaign example, on the embedded service.

import { cp, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { isatty } from "node:tty";
import { stripVTControlCharacters } from "node:util";
import pc from "picocolors";
import { cleanEnv, linkform as run, main, ROOT, scratchFolder, startSandbox } from "./processes.mjs";

const LINKS = "links/spring-sale.yaml";

const colour = wantsColour();
const paint = pc.createColors(colour);
const colourEnv = { ...cleanEnv, FORCE_COLOR: colour ? "1" : "0" };

const folder = await scratchFolder();
await main(async () => show(await startSandbox([], colourEnv)));

async function show({ url, apiKey }) {
  await cp(path.join(ROOT, "examples/campaign"), folder, { recursive: true });
  await edit("linkform.yaml", "https://short.example.com", url);
  const env = {
    ...colourEnv,
    LINKFORM_API_KEY: apiKey,
    LINKFORM_SECRET_PREVIEW: "for-the-press",
    LINKFORM_SECRET_STATS: "for-the-boss",
  };
  const linkform = (args, expected) => step(args, env, expected);

  say(`
A shop prepares its spring sale: two tracking pixels and three short links, described in the files of examples/campaign. The demo
works on a copy of them and on a sandbox, so nothing leaves this machine.

What would these files change in the account? A plan only reads.`);
  await linkform(["plan"], /^Plan: 5 to create\./m);

  say(`
Apply it. (--yes answers the question that apply asks, and --quiet leaves out the plan.)`);
  await linkform(["apply", "--yes", "--quiet"], /^Done: 5 created\. Verified\.$/m);

  say(`
Somebody deletes the line with the password of the press preview:`);
  const password = "    password: { env: LINKFORM_SECRET_PREVIEW }\n";
  await edit(LINKS, password, "");
  showEdit(password, "");
  await linkform(["plan"], /`go\.example\.com\/spring-preview` has a password[^]*^No changes\./m);

  say(`
A missing line never opens a link: the password stays, and the warning says how to remove it. The line comes back, and the sale gets
two more weeks:`);
  await edit(LINKS, "    # Statistics are public", `${password}    # Statistics are public`);
  const [before, after] = ["      date: 2027-03-31\n", "      date: 2027-04-15\n"];
  await edit(LINKS, before, after);
  showEdit(before, after);
  await linkform(["apply", "--yes"], /^Done: 1 updated\. Verified\.$/m);

  say(`
The account matches the files again:`);
  await linkform(["plan"], /^No changes\..*\n$/m);
}

/** Prints paragraphs in lines that fit an ordinary terminal. */
function say(text) {
  const paragraphs = text.trim().split("\n\n");
  console.log(`\n${paragraphs.map((paragraph) => fill(paragraph.split(/\s+/))).join("\n\n")}\n`);
}

function fill(words) {
  const lines = [""];
  for (const word of words) {
    const line = lines.at(-1);
    if (line.length + word.length + 1 > 78) lines.push(word);
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
  }
  return lines.join("\n");
}

function showEdit(before, after) {
  if (before !== "") process.stdout.write(paint.red(`    - ${before.trim()}`) + "\n");
  if (after !== "") process.stdout.write(paint.green(`    + ${after.trim()}`) + "\n");
  console.log();
}

async function edit(file, before, after) {
  const text = await readFile(path.join(folder, file), "utf8");
  if (text.split(before).length !== 2) throw new Error(`${file} does not hold this just once: ${before.trim()}`);
  await writeFile(
    path.join(folder, file),
    text.replace(before, () => after),
  );
}

/** Runs one command and shows it with its output; what went to stderr was said before the result. */
async function step(args, env, expected) {
  console.log(paint.bold(`$ linkform ${args.join(" ")}`));
  const { code, out, err } = await run(args, folder, env);
  const output = err + out;
  process.stdout.write(output.split("\n").map(fitted).join("\n"));
  if (code !== 0) throw new Error(`The demo went wrong: \`linkform ${args.join(" ")}\` ended with exit code ${code}.`);
  if (!expected.test(stripVTControlCharacters(output)))
    throw new Error("The demo went wrong: this is not the output it should have.");
}

/** Breaks a line between words, as linkform does on a terminal; here it writes to a pipe. */
function fitted(line) {
  const columns = process.stdout.columns || 80;
  const indent = /^ */.exec(line)[0];
  const lines = [indent];
  for (const word of line.slice(indent.length).split(" ")) {
    const last = lines.at(-1);
    const isFirst = last.trim() === "";
    const longer = isFirst ? `${last}${word}` : `${last} ${word}`;
    if (isFirst || stripVTControlCharacters(longer).length <= columns) lines[lines.length - 1] = longer;
    else lines.push(`${indent}    ${word}`);
  }
  return lines.join("\n");
}

/** As linkform itself decides it: FORCE_COLOR, then NO_COLOR, then the terminal. */
function wantsColour() {
  const { FORCE_COLOR = "", NO_COLOR = "", TERM } = process.env;
  if (FORCE_COLOR !== "") return FORCE_COLOR !== "0";
  return NO_COLOR === "" && isatty(1) && TERM !== "dumb";
}
