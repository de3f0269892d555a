// The built program in a separate process, as it is installed.

import { spawn } from "node:child_process";
import path from "node:path";
import { onTestFinished } from "vitest";
import { temporaryFolder, writeFiles, type Ran } from "./scenario.ts";

export const CLI: string = path.resolve("dist/cli.js");

/** Runs a program to its end. With `typed`, a user waits for the question and then types that. */
export async function run(
  command: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
  typed?: string,
): Promise<Ran> {
  const child = spawn(command, args, { cwd, env: { PATH: process.env["PATH"] ?? "", ...env } });
  onTestFinished(() => void child.kill());
  const printed = { out: "", err: "" };
  let answer = typed;
  child.stdout.on("data", (chunk) => {
    printed.out += String(chunk);
    if (answer === undefined || !printed.out.includes("to confirm: ")) return;
    child.stdin.write(answer);
    answer = undefined;
  });
  child.stderr.on("data", (chunk) => (printed.err += String(chunk)));
  if (typed === undefined) child.stdin.end();
  const exit = await new Promise<number>((resolve) => child.once("close", (code) => resolve(code ?? -1)));
  return { exit, ...printed };
}

export const linkform = (
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> => run(process.execPath, [CLI, ...args], cwd, env);

/** The same on a terminal, with a user who answers the question. */
export const onTerminal = (
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  typed = "",
): Promise<Ran> => {
  const words = [process.execPath, CLI, ...args].map((word) => `'${word}'`).join(" ");
  return run("script", ["-qec", words, "/dev/null"], cwd, { TERM: "xterm", ...env }, typed);
};

export async function projectFor(baseUrl: string, more = ""): Promise<string> {
  const folder = await temporaryFolder();
  const text = `version: 1\nservice: { base_url: "${baseUrl}" }\nlinks: { go.example.com/hello: { url: https://example.com/ } }\n${more}`;
  await writeFiles(folder, { "linkform.yaml": text, "deep/down/readme": "" });
  return folder;
}

export const key: Readonly<Record<string, string>> = { LINKFORM_API_KEY: "sandbox-key" };
