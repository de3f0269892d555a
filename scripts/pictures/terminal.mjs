// Runs the built program on a terminal of so many columns, with a person at it, and keeps every byte that it writes there.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { CLI } from "../processes.mjs";

/** What `apply` ends its question with. */
const QUESTION = "goes ahead: ";

/**
 * @param args of linkform
 * @param options.typed what the person answers when asked
 * @returns what came to the terminal: stdout and stderr, as they came
 */
export async function onTerminal(args, { cwd, env, columns, typed }) {
  const words = [process.execPath, CLI, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  const command = `stty cols ${columns} rows 50 && exec ${words}`;
  // util-linux's `script` has a terminal made by the system; nothing has to be compiled for it.
  const child = spawn("script", ["-qec", command, "/dev/null"], { cwd, env: { ...env, TERM: "xterm-256color" } });
  const chunks = [];
  let answer = typed;
  child.stdin.on("error", () => undefined);
  child.stdout.on("data", (chunk) => {
    chunks.push(chunk);
    if (answer === undefined || !Buffer.concat(chunks).includes(QUESTION)) return;
    child.stdin.write(answer);
    answer = undefined;
  });
  if (typed === undefined) child.stdin.end();
  await once(child, "close");
  return Buffer.concat(chunks).toString("utf8");
}
