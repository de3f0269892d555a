// The command line as it is installed: the built program in a process of its own, its streams and exit codes.

import { spawn, type ChildProcess } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Sandbox } from "../../src/sandbox/index.ts";
import { CLI, key, linkform, onTerminal, projectFor, startService } from "../support/program.ts";
import { startProxy, type Answer } from "../support/proxy.ts";
import { sandboxFor } from "../support/sandbox.ts";
import { temporaryFolder, writeFiles, type Ran } from "../support/scenario.ts";
import { schemaErrors } from "../support/schemas.ts";
import { TOO_MANY } from "../support/through.ts";

describe("usage", () => {
  it.each(["--version", "-v"])("%s prints the version of package.json", async (flag) => {
    const { version } = JSON.parse(await readFile("package.json", "utf8"));
    expect(await linkform(".", [flag])).toEqual({ exit: 0, out: `${version}\n`, err: "" });
  });

  it("diff --json prints the JSON document of plan", async () => {
    const { url } = await startService();
    const { exit, out } = await linkform(await projectFor(url), ["diff", "--json"], key);
    expect([exit, JSON.parse(out).changes]).toMatchObject([0, [{ action: "create" }]]);
  });
});

/** What an apply prints after it made one object. `up` is the path from where it ran to the project. */
const createdIn = (up: string): RegExp =>
  new RegExp(`^Done: 1 created. Verified.\nTo undo: linkform undo ${up}.linkform/runs/\\d{8}T\\d{6}Z-1.jsonl\n$`);

describe("from files to the service and back", () => {
  it("plans, applies and plans again, from a folder below the project", async () => {
    const { url } = await startService();
    const folder = path.join(await projectFor(url), "deep/down");
    expect(await linkform(folder, ["plan", "--detailed-exitcode"], key)).toMatchObject({ exit: 2 });
    expect(await linkform(folder, ["plan"], key)).toMatchObject({ exit: 0, err: "" });
    const applied = await linkform(folder, ["apply", "--yes"], key);
    expect(applied).toMatchObject({ exit: 0, out: expect.stringMatching(createdIn("../../")) });
    expect(await linkform(folder, ["apply", "--yes"], key)).toMatchObject({
      exit: 0,
      out: "No changes: the account matches the files.\n",
    });
    const again = await linkform(folder, ["plan", "--detailed-exitcode"], key);
    const said = ["No changes. 1 unchanged. Without a base, removed links are not detected.", ""];
    expect([again.exit, again.out]).toEqual([0, said.join("\n")]);
  });

  it("asks on a terminal, and only `yes` confirms", async () => {
    const sandbox = await startService();
    const folder = await projectFor(sandbox.url);
    const no = await onTerminal(folder, ["apply"], key, "y\n");
    expect([no.exit, sandbox.state().links]).toEqual([1, []]);
    expect(no.out).toContain("not-confirmed");
    const interrupted = await onTerminal(folder, ["apply"], key, "\u0003");
    expect([interrupted.exit, sandbox.state().links]).toEqual([130, []]);
    expect(interrupted.out).toContain("1 error: nothing was applied.");
    const left = await onTerminal(folder, ["apply"], key, "\u0004");
    expect([left.exit, sandbox.state().links]).toEqual([130, []]);
    const yes = await onTerminal(folder, ["apply"], key, "yes\n");
    expect([yes.exit, sandbox.state().links.length]).toEqual([0, 1]);
    expect(yes.out).toContain("Apply this change? Type `yes` to confirm: ");
  });

  it("asks for the number of short URLs that stop working, and names those with the most clicks above the question", async () => {
    const links = Array.from({ length: 12 }, (_, at) => ({
      url: "https://example.com/",
      domain: 2,
      alias: `old-${at}`,
      clicks: 100 * at,
    }));
    const sandbox = await sandboxFor({ seed: { links } });
    const gone = links.map(({ alias }) => `go.example.com/${alias}`).join(", ");
    const folder = await projectFor(sandbox.url, `brake: { deletes: 100% }\nabsent: { links: [${gone}] }\n`);
    const yes = await onTerminal(folder, ["apply"], key, "yes\n");
    expect([yes.exit, sandbox.state().links.length]).toEqual([1, 12]);
    expect(yes.out).toContain("The answer was `yes` instead of `12`.");
    const confirmed = await onTerminal(folder, ["apply"], key, "12\n");
    expect([confirmed.exit, sandbox.state().links.map(({ alias }) => alias)]).toEqual([0, ["hello"]]);
    const lines = confirmed.out.split("\r\n");
    const asked = lines.findIndex((line) =>
      line.includes("12 short URLs will stop working (6,600 clicks so far). Type 12 to confirm: "),
    );
    expect(lines.slice(asked - 11, asked)).toEqual([
      ...[11, 10, 9, 8, 7, 6, 5, 4, 3, 2].map(
        (at) => `  go.example.com/old-${at} (${(100 * at).toLocaleString("en")} clicks)`,
      ),
      "  and 2 more",
    ]);
  });
});

describe("a JSON document", () => {
  it("of validate, plan, apply and drift is what the schemas say, alone on stdout, and in a file if one is named", async () => {
    const { url } = await startService();
    const folder = await projectFor(url, "absent: { links: [go.example.com/gone] }\n");
    for (const [command, flags] of [
      ["validate", []],
      ["plan", ["--format", "text=plan.txt"]],
      ["apply", ["--yes"]],
      ["drift", []],
    ] as const) {
      const { exit, out } = await linkform(folder, [command, "--format", "json", ...flags], key);
      const errors = await schemaErrors(command === "drift" ? "plan" : command, JSON.parse(out));
      expect([exit, errors]).toEqual([0, null]);
    }
    expect(await linkform(folder, ["drift"], key)).toEqual({
      exit: 0,
      out: "No drift. 1 object matches the files.\n",
      err: `note[tombstone-spent] \`go.example.com/gone\` is not live. You can remove the tombstone.
  --> linkform.yaml:4:19
   |
 4 | absent: { links: [go.example.com/gone] }
   |                   ^^^^^^^^^^^^^^^^^^^

`,
    });
    expect(await readFile(path.join(folder, "plan.txt"), "utf8")).toContain("Plan: 1 to create.");
  });

  it("of an apply without a terminal and without --yes says so: 64", async () => {
    const { exit, out } = await linkform(await projectFor("http://127.0.0.1:9"), ["apply", "--format", "json"], key);
    const document = JSON.parse(out);
    expect([exit, await schemaErrors("apply", document)]).toEqual([64, null]);
    expect(document.diagnostics).toMatchObject([{ code: "nobody-to-ask", hint: expect.stringContaining("--yes") }]);
    const text = await linkform(await projectFor("http://127.0.0.1:9"), ["apply"], key);
    expect([text.exit, text.out, text.err]).toEqual([
      64,
      "",
      expect.stringMatching(/^error\[nobody-to-ask\] .*\n.*\n\n1 error: nothing was applied\.\n$/),
    ]);
  });

  it.each(["plan", "validate", "apply"])(
    "of %s on errors holds its diagnostics and nothing goes to stderr",
    async (command) => {
      const folder = await temporaryFolder();
      const flags = command === "apply" ? ["--yes"] : [];
      const { exit, out, err } = await linkform(folder, [command, "--format", "json", ...flags], key);
      const document = JSON.parse(out);
      expect([exit, err, await schemaErrors(command, document)]).toEqual([1, "", null]);
      expect(document.diagnostics).toMatchObject([{ code: "no-project", severity: "error", file: null }]);
    },
  );
});

describe("Ctrl-C", () => {
  const three = [1, 2, 3].map((at) => `  go.example.com/l${at}: { url: https://example.com/ }\n`).join("");

  interface Running {
    readonly interrupt: (signal?: NodeJS.Signals) => void;
    /** Resolves when this was printed to stderr. */
    readonly printed: (text: string) => Promise<void>;
  }

  /** Runs a command through a proxy that lets `answer` answer the first request of a plan, or the second store of an apply. */
  async function interrupted(
    args: readonly string[],
    answer: (running: Running) => Answer | Promise<Answer>,
  ): Promise<Ran & { readonly sandbox: Sandbox }> {
    const sandbox = await startService();
    const folder = await temporaryFolder();
    const [method, held] = args[0] === "plan" ? ["GET", 1] : ["POST", 2];
    let seen = 0;
    let child: ChildProcess | null = null;
    const printed = { out: "", err: "" };
    const running: Running = {
      interrupt: (signal = "SIGINT") => void child?.kill(signal),
      printed: async (text) => {
        await expect.poll(() => printed.err, { timeout: 20_000 }).toContain(text);
      },
    };
    const baseUrl = await startProxy(sandbox.url, (asked) =>
      asked === method && ++seen === held ? answer(running) : "forward",
    );
    const text = `version: 1\nservice: { base_url: "${baseUrl}" }\nlinks:\n${three}`;
    await writeFiles(folder, { "linkform.yaml": text });
    const env = { PATH: process.env["PATH"] ?? "", ...key };
    const started = spawn(process.execPath, [CLI, ...args], { cwd: folder, env });
    child = started;
    onTestFinished(() => void started.kill("SIGKILL"));
    started.stdout.on("data", (chunk) => (printed.out += String(chunk)));
    started.stderr.on("data", (chunk) => (printed.err += String(chunk)));
    const exit = await new Promise<number>((resolve) => started.once("close", (code) => resolve(code ?? -1)));
    return { exit, ...printed, sandbox };
  }

  const APPLY = ["apply", "--yes", "--concurrency", "1"];
  const STOPPING = "Stopping after the requests in progress.";
  const noAnswer = new Promise<Answer>(() => undefined);

  // Fails if the process ends at once, continues, or does not report what it did.
  it("once: the running request is completed, the other changes are reported as skipped, 130", async () => {
    const { exit, out, sandbox } = await interrupted(APPLY, async (running): Promise<Answer> => {
      running.interrupt();
      await running.printed(STOPPING);
      return "forward";
    });
    expect([exit, sandbox.state().links.length]).toEqual([130, 2]);
    expect(out).toContain("Not all changes were applied: 2 created; 1 not started.\n");
    expect(out).toContain("○ create link go.example.com/l3\n    The run was interrupted.\n    linkform.yaml:6:3\n");
  });

  // Fails if a service that does not respond keeps the process running.
  it("twice: it stops at once and says so, 130", async () => {
    const { exit, err } = await interrupted(APPLY, async (running) => {
      running.interrupt();
      await running.printed(STOPPING);
      running.interrupt("SIGTERM");
      return noAnswer;
    });
    expect([exit, err]).toEqual([130, expect.stringContaining("Stopped immediately.")]);
  });

  // Fails if the signal ends a command that only reads, without a message, or if a wait for the rate limit goes on or ends as a bug.
  it.each<[string, string, Answer | Promise<Answer>]>([
    ["a response", "", noAnswer],
    ["the rate limit", "for the rate limit", TOO_MANY],
  ])("while a plan waits for %s: it says so, 130", async (_what, after, answer) => {
    const { exit, err } = await interrupted(["plan"], (running) => {
      void running.printed(after).then(() => running.interrupt());
      return answer;
    });
    expect([exit, err]).toEqual([130, expect.stringContaining("The run was interrupted.")]);
    expect(err).not.toContain("linkform itself failed");
  });
});

describe("the sandbox command", () => {
  it("says how to use it, serves, keeps its state in a file, and ends with 0 when stopped", async () => {
    const folder = await temporaryFolder();
    for (const expected of ["Plan: 1 to create.", "No changes."]) {
      const child = spawn(process.execPath, [CLI, "sandbox", "--rate-limit", "0", "--data", "state.json"], {
        cwd: folder,
        env: { PATH: process.env["PATH"] ?? "" },
      });
      const url = await new Promise<string>((resolve) =>
        child.stdout.on("data", (chunk) => resolve(/http:\S+/.exec(String(chunk))?.[0] ?? "")),
      );
      const project = await projectFor(url);
      expect((await linkform(project, ["plan"], key)).out).toContain(expected);
      await linkform(project, ["apply", "--yes"], key);
      child.kill("SIGINT");
      expect(await new Promise((resolve) => child.once("close", resolve))).toBe(0);
    }
  });

  it.each([
    [["--timezone", "Mars/Olympus"], "time zone"],
    [["--seed", "nowhere.json"], "nowhere.json"],
  ])("%j: one clear sentence", async (flags, says) => {
    const { exit, err } = await linkform(await temporaryFolder(), ["sandbox", ...flags]);
    expect(exit).toBe(1);
    expect(err).toMatch(/^error\[sandbox-start\] /);
    expect(err).toContain(says);
  });
});
