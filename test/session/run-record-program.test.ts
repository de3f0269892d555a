// stdout of the installed program during an apply: lines are written immediately, and a full disk does not stop the apply.

import { spawn } from "node:child_process";
import { expect, it, onTestFinished } from "vitest";
import { ended, linesOf, shortly } from "../support/record-lines.ts";
import { CLI, key, projectFor, run } from "../support/program.ts";
import { sandboxFor } from "../support/sandbox.ts";
import { startProxy, type Answer } from "../support/proxy.ts";
import type { Ran } from "../support/scenario.ts";

const applied = async (redirection: string, format = "ndjson"): Promise<Ran & { readonly links: number }> => {
  const sandbox = await sandboxFor();
  const folder = await projectFor(sandbox.url, "pixels: { P: { type: bing, value: '1000003' } }\n");
  const command = `'${process.execPath}' '${CLI}' apply --yes --quiet --format ${format} ${redirection}`;
  return { ...(await run("bash", ["--norc", "-c", command], folder, key)), links: sandbox.state().links.length };
};

it.each(["ndjson", "text"])(
  "stdout of the installed program that is full does not stop the apply: one error, exit code 4 (%s)",
  async (format) => {
    const { exit, err, links: live } = await applied("> /dev/full", format);
    expect([exit, live]).toEqual([4, 1]);
    expect(err).toMatch(/^error\[report-unwritable\] The result cannot be written \(ENOSPC\)\.\n.*\n\n$/);
  },
);

// Fails if lines are buffered: this test interrupts when it reads that the call begins.
it("stdout of the installed program is written line by line, and ends with the last line after Ctrl-C", async () => {
  const sandbox = await sandboxFor();
  let isSeen: () => void = () => undefined;
  const seen = new Promise<void>((resolve) => {
    isSeen = resolve;
  });
  const baseUrl = await startProxy(sandbox.url, async (method): Promise<Answer> => {
    if (method === "POST") await seen;
    return "forward";
  });
  const child = spawn(
    process.execPath,
    [CLI, "apply", "--yes", "--quiet", "--format", "ndjson", "--concurrency", "1", "--base-url", baseUrl],
    { cwd: await projectFor(sandbox.url), env: { PATH: process.env["PATH"] ?? "", ...key } },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  let out = "";
  child.stdout.on("data", (chunk) => {
    out += String(chunk);
    if (out.includes('"event":"call"') && !child.killed) child.kill("SIGINT");
  });
  // The first message says that the running call is completed first.
  child.stderr.on("data", () => isSeen());
  const exit = await new Promise<number | null>((resolve) => child.once("close", resolve));
  const lines = linesOf(out);
  expect([exit, ended(lines).exit, ended(lines).diagnostics[0]?.code]).toEqual([130, 130, "interrupted"]);
  expect(shortly(lines).at(-1)).toMatch(/^ended applied/);
});
