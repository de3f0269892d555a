// Shows what linkform does, without account or network: the campaign example, on the embedded service.

import { cp, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import pc from "picocolors";
import { cleanEnv, linkform as run, main, ROOT, scratchFolder, startSandbox } from "./processes.mjs";

const LINKS = "links/spring-sale.yaml";

const colorEnv = { ...cleanEnv, FORCE_COLOR: pc.isColorSupported ? "1" : "0" };

const folder = await scratchFolder();
await main(async () => show(await startSandbox([], colorEnv)));

async function show({ url, apiKey }) {
  await cp(path.join(ROOT, "examples/campaign"), folder, { recursive: true });
  await edit("linkform.yaml", "https://short.example.com", url);
  const env = {
    ...colorEnv,
    LINKFORM_API_KEY: apiKey,
    LINKFORM_SECRET_PREVIEW: "for-the-press",
    LINKFORM_SECRET_STATS: "for-the-boss",
  };
  const linkform = (args, expected) => step(args, env, expected);

  say(`
A shop prepares its spring sale: two tracking pixels and three short links,
described in the files of examples/campaign. The demo works on a copy of them
and on a sandbox, so nothing leaves this machine.

What would these files change in the account? A plan only reads.`);
  await linkform(["plan"], /^Plan: 5 to create\./m);

  say(`
Apply it. (--yes answers the question that apply asks, and --quiet leaves out
the plan.)`);
  await linkform(["apply", "--yes", "--quiet"], /^Done: 5 created\. Verified\.$/m);

  say(`
Somebody deletes the line with the password of the press preview:`);
  const password = "    password: { env: LINKFORM_SECRET_PREVIEW }\n";
  await edit(LINKS, password, "");
  showEdit(password, "");
  await linkform(["plan"], /`go\.example\.com\/spring-preview` has a password[^]*^No changes\./m);

  say(`
A missing line never opens a link: the password stays, and the warning says
how to remove it. The line comes back, and the sale gets two more weeks:`);
  await edit(LINKS, "    # Statistics are public", `${password}    # Statistics are public`);
  const [before, after] = ["      date: 2027-03-31\n", "      date: 2027-04-15\n"];
  await edit(LINKS, before, after);
  showEdit(before, after);
  await linkform(["apply", "--yes"], /^Done: 1 updated\. Verified\.$/m);

  say(`
The account matches the files again:`);
  await linkform(["plan"], /^No changes\..*\n$/m);
}

function say(text) {
  console.log(`\n${text.trim()}\n`);
}

function showEdit(before, after) {
  if (before !== "") process.stdout.write(pc.red(`    - ${before.trim()}`) + "\n");
  if (after !== "") process.stdout.write(pc.green(`    + ${after.trim()}`) + "\n");
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
  console.log(pc.bold(`$ linkform ${args.join(" ")}`));
  const { code, out, err } = await run(args, folder, env);
  const output = err + out;
  process.stdout.write(output);
  if (code !== 0) throw new Error(`The demo went wrong: \`linkform ${args.join(" ")}\` ended with exit code ${code}.`);
  if (!expected.test(stripVTControlCharacters(output)))
    throw new Error("The demo went wrong: this is not the output it should have.");
}
