// `apply --format ndjson` of the installed program: its lines are written at once, and whoever stops reading them stops nothing.

import { spawn } from "node:child_process";
import { describe, expect, it, onTestFinished } from "vitest";
import { ended, eventsOf, shortly } from "../support/events.ts";
import { CLI, key, projectFor, run, startService } from "../support/program.ts";
import { startProxy, type Answer } from "../support/proxy.ts";
import type { Ran } from "../support/scenario.ts";

describe("stdout of the installed program", () => {
  const applied = async (redirection: string): Promise<Ran & { readonly links: number }> => {
    const sandbox = await startService();
    const folder = await projectFor(sandbox.url, "pixels: { P: { type: bing, value: '1000003' } }\n");
    const command = `'${process.execPath}' '${CLI}' apply --yes --quiet --format ndjson ${redirection}`;
    return { ...(await run("bash", ["--norc", "-c", command], folder, key)), links: sandbox.state().links.length };
  };

  // Fails when whoever has seen enough ends the apply halfway.
  it("that is closed after the first line: all is applied, and nothing is said of it", async () => {
    const { exit, out, err, links: live } = await applied("| head -n 1; exit ${PIPESTATUS[0]}");
    expect([exit, JSON.parse(out).event, err, live]).toEqual([0, "started", "", 1]);
  });

  it("that is full: all is applied, it is said once, 4", async () => {
    const { exit, err, links: live } = await applied("> /dev/full");
    expect([exit, live]).toEqual([4, 1]);
    expect(err).toMatch(/^error\[report-unwritable\] The result can't be written \(ENOSPC\)\.\n.*\n\n$/);
  });

  // Fails when lines wait in a buffer: a person interrupts as soon as the change is seen to begin.
  it("is written line by line, and Ctrl-C ends it with the last one", async () => {
    const sandbox = await startService();
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
      if (out.includes("change_started") && !child.killed) child.kill("SIGINT");
    });
    // The first word of it is that the call under way is finished first.
    child.stderr.on("data", () => isSeen());
    const exit = await new Promise<number | null>((resolve) => child.once("close", resolve));
    const events = eventsOf(out);
    expect([exit, ended(events).exit, ended(events).diagnostics[0]?.code]).toEqual([130, 130, "interrupted"]);
    expect(shortly(events).at(-2)).toBe("change_done 1 applied");
  });
});
