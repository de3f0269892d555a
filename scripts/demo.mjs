// Shows what linkform does, without account or network: the campaign example, on the embedded service.

import { cp, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import pc from "picocolors";
import { cleanEnv, linkform, main, ROOT, scratchFolder, startSandbox } from "./processes.mjs";

const LINKS = "links/spring-sale.yaml";
const PASSWORD = "    password: { env: LINKFORM_SECRET_PREVIEW }\n";
const [END, LATER_END] = ["      date: 2027-03-31\n", "      date: 2027-04-15\n"];

const folder = await scratchFolder();
await main(async () => {
  const { url, apiKey } = await startSandbox();
  await cp(path.join(ROOT, "examples/campaign"), folder, { recursive: true });
  await edit("linkform.yaml", "https://short.example.com", url);
  const env = {
    ...cleanEnv,
    FORCE_COLOR: pc.isColorSupported ? "1" : "0",
    LINKFORM_API_KEY: apiKey,
    LINKFORM_SECRET_PREVIEW: "for-the-press",
    LINKFORM_SECRET_STATS: "for-the-boss",
  };

  say(`A shop prepares its spring sale: two tracking pixels and three short links,
described in the files of examples/campaign. The demo works on a copy of them
and on a sandbox, so nothing leaves this machine.

What would these files change in the account? A plan only reads.`);
  await step(["plan"], env, /^Plan: 5 to create\./m);

  say(`Apply it. (--yes answers the question that apply asks, and --quiet leaves out
the plan.)`);
  await step(["apply", "--yes", "--quiet"], env, /^Done: 5 created\. Verified\.$/m);

  say(`Somebody deletes the line with the password of the press preview:`);
  await edit(LINKS, PASSWORD, "");
  console.log(pc.red(`    - ${PASSWORD.trim()}\n`));
  await step(["plan"], env, /`go\.example\.com\/spring-preview` has a password[^]*^No changes\./m);

  say(`A missing line never opens a link: the password stays, and the warning says
how to remove it. The line comes back, and the sale gets two more weeks:`);
  await edit(LINKS, "    # Statistics are public", `${PASSWORD}    # Statistics are public`);
  await edit(LINKS, END, LATER_END);
  console.log(`${pc.red(`    - ${END.trim()}`)}\n${pc.green(`    + ${LATER_END.trim()}`)}\n`);
  await step(["apply", "--yes"], env, /^Done: 1 updated\. Verified\.$/m);

  say(`The account matches the files again:`);
  await step(["plan"], env, /^No changes\..*\n$/m);
});

function say(text) {
  console.log(`\n${text}\n`);
}

async function edit(name, before, after) {
  const file = path.join(folder, name);
  const parts = (await readFile(file, "utf8")).split(before);
  if (parts.length !== 2) throw new Error(`${name} must have this once: ${before.trim()}`);
  await writeFile(file, parts.join(after));
}

/** Runs one command and shows it with its output: first stderr, then the result. */
async function step(args, env, expected) {
  console.log(pc.bold(`$ linkform ${args.join(" ")}`));
  const { code, out, err } = await linkform(args, folder, env);
  const output = err + out;
  process.stdout.write(output);
  if (code !== 0) throw new Error(`The demo failed: \`linkform ${args.join(" ")}\` ended with exit code ${code}.`);
  if (!expected.test(stripVTControlCharacters(output))) throw new Error("The demo failed: this is not its output.");
}
