// Shows what linkform does, without account or network: the campaign example, on the embedded service.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { cp, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import pc from "picocolors";

const ROOT = path.resolve(import.meta.dirname, "..");
const CLI = path.join(ROOT, "dist/cli.js");
const LINKS = "links/spring-sale.yaml";

const colour = wantsColour();
const paint = pc.createColors(colour);
const cleanEnv = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(LINKFORM_|CI$|NO_COLOR$)/.test(name)),
);
cleanEnv.FORCE_COLOR = colour ? "1" : "0";

const children = new Set();

const folder = await mkdtemp(path.join(tmpdir(), "linkform-demo-"));
process.once("exit", () => {
  for (const child of children) child.kill();
  rmSync(folder, { recursive: true, force: true });
});
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(130));
try {
  await show(await startSandbox());
} catch (cause) {
  console.error(`\n${cause instanceof Error ? cause.message : String(cause)}`);
  process.exitCode = 1;
} finally {
  for (const child of children) child.kill();
}

async function show({ url, apiKey }) {
  await cp(path.join(ROOT, "examples/campaign"), folder, { recursive: true });
  await edit("linkform.yaml", "https://short.example.com", url);
  const env = {
    ...cleanEnv,
    LINKFORM_API_KEY: apiKey,
    LINKFORM_SECRET_PREVIEW: "for-the-press",
    LINKFORM_SECRET_STATS: "for-the-boss",
  };
  const linkform = (args, expected) => step(args, env, expected);

  say(`
A shop prepares its spring sale: two tracking pixels and three short links, described
in the files of examples/campaign. This demo works on a copy of them. The service is
a sandbox on this machine, so nothing leaves it, and nothing of it stays. Its address
is in the copy's linkform.yaml; its API key, and the two passwords that the files ask
for, are in the environment.

First question: what would these files change in the account? A plan only reads.`);
  await linkform(["plan"], /^Plan: 5 to create\./m);

  say(`
Looks right, so make it so. (--yes answers the question that apply asks, and --quiet
leaves out the plan, which would be the same as above.)`);
  await linkform(["apply", "--yes", "--quiet"], /^Done: 5 changes applied and verified\.$/m);

  say(`
The account is now what the files say. The proof is a plan with nothing in it:`);
  await linkform(["plan"], /^No changes\./m);

  say(`
Mistakes happen. Somebody deletes the line with the password of the press preview:`);
  const password = "    password: { env: LINKFORM_SECRET_PREVIEW }\n";
  await edit(LINKS, password, "");
  showEdit(password, "");
  await linkform(["plan"], /`go\.example\.com\/spring-preview` has a password[^]*^No changes\./m);

  say(`
Silence never opens a link: the password stays, and the warning says how to remove it
if that is meant. It was not, so the line comes back. And the sale is prolonged:`);
  await edit(LINKS, "    # Statistics are public", `${password}    # Statistics are public`);
  const [before, after] = ["      date: 2027-03-31\n", "      date: 2027-04-15\n"];
  await edit(LINKS, before, after);
  showEdit(before, after);
  await linkform(["plan"], /^Plan: 1 to update\./m);

  say(`
One change, to one field. This time with all that apply has to say:`);
  await linkform(["apply", "--yes"], /^Done: 1 change applied and verified\.$/m);

  say(`
That was the whole of it: edit, plan, apply. The README says how to begin with your own
links. One last plan, to be sure:`);
  await linkform(["plan"], /^No changes\..*\n$/m);
}

function say(text) {
  console.log(`${text}\n`);
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
  const child = spawn(process.execPath, [CLI, ...args], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  children.add(child);
  const said = { stdout: "", stderr: "" };
  for (const name of ["stderr", "stdout"]) {
    child[name].setEncoding("utf8").on("data", (text) => {
      said[name] += text;
    });
  }
  const [code] = await once(child, "close");
  children.delete(child);
  const output = said.stderr + said.stdout;
  process.stdout.write(output);
  if (code !== 0) throw new Error(`The demo went wrong: \`linkform ${args.join(" ")}\` ended with exit code ${code}.`);
  if (!expected.test(plain(output))) throw new Error("The demo went wrong: this is not the output it should have.");
}

/** Starts the service on a free port and waits until it says where. */
async function startSandbox() {
  const child = spawn(process.execPath, [CLI, "sandbox", "--port", "0", "--rate-limit", "0"], {
    env: cleanEnv,
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.add(child);
  let said = "";
  return new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => {
        said += text;
        const url = /listens on (http:\S+)/.exec(said)?.[1];
        const apiKey = /LINKFORM_API_KEY=(\S+)\n/.exec(said)?.[1];
        if (url !== undefined && apiKey !== undefined) resolve({ url, apiKey });
      });
    }
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`The sandbox ended with exit code ${code}.\n${said}`)));
  });
}

function plain(text) {
  // oxlint-disable-next-line no-control-regex
  return text.replaceAll(/\u001b\[[0-9;]*m/g, "");
}

/** As linkform itself decides it: FORCE_COLOR, then NO_COLOR, then the terminal. */
function wantsColour() {
  const { FORCE_COLOR = "", NO_COLOR = "", TERM } = process.env;
  if (FORCE_COLOR !== "") return FORCE_COLOR !== "0";
  return NO_COLOR === "" && process.stdout.isTTY === true && TERM !== "dumb";
}
