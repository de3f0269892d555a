// The command line as it is installed: the built program in a process of its own, its streams and exit codes.

import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { Readable, Writable } from "node:stream";
import { expect, it, onTestFinished } from "vitest";
import { commandIn } from "../support/command.ts";
import { CLI, key, linkform, onTerminal, projectFor } from "../support/program.ts";
import { startProxy, type Answer } from "../support/proxy.ts";
import { sandboxFor } from "../support/sandbox.ts";
import { temporaryFolder, type Ran } from "../support/scenario.ts";
import { schemaErrors } from "../support/schemas.ts";
import { TOO_MANY } from "../support/through.ts";

it.each(["--version", "-v"])("%s prints the version of package.json", async (flag) => {
  const { version } = JSON.parse(await readFile("package.json", "utf8"));
  expect(await linkform(".", [flag])).toEqual({ exit: 0, out: `${version}\n`, err: "" });
});

/** What an apply prints after it made one object. `up` is the path from where it ran to the project. */
const createdIn = (up: string): RegExp =>
  new RegExp(`^Done: 1 created. Verified.\nTo undo: linkform undo ${up}.linkform/runs/\\d{8}T\\d{6}Z-1.jsonl\n$`);

/** Applies as on a terminal, for somebody who types these lines, and then leaves. */
const answering = (folder: string, ...lines: readonly string[]): Promise<Ran> =>
  commandIn(folder, ["apply"], key, { stdin: Object.assign(Readable.from(lines), { isTTY: true }) });

it("from files to the service and back: plans, applies and plans again, from a folder below the project", async () => {
  const { url } = await sandboxFor();
  const folder = path.join(await projectFor(url), "deep/down");
  expect(await linkform(folder, ["plan", "--detailed-exitcode"], key)).toMatchObject({ exit: 2 });
  expect(await commandIn(folder, ["plan"], key)).toMatchObject({ exit: 0, err: "" });
  const applied = await commandIn(folder, ["apply", "--yes"], key);
  expect(applied).toMatchObject({ exit: 0, out: expect.stringMatching(createdIn("../../")) });
  expect(await commandIn(folder, ["apply", "--yes"], key)).toMatchObject({
    exit: 0,
    out: "No changes: the account matches the files.\n",
  });
  const again = await commandIn(folder, ["plan", "--detailed-exitcode"], key);
  const said = ["No changes. 1 unchanged. Without a base, removed links are not detected.", ""];
  expect([again.exit, again.out]).toEqual([0, said.join("\n")]);
});

it("from files to the service and back: asks on a terminal, and only `yes` confirms", async () => {
  const sandbox = await sandboxFor();
  const folder = await projectFor(sandbox.url);
  const no = await answering(folder, "y\n");
  expect([no.exit, sandbox.state().links]).toEqual([1, []]);
  expect(no.err).toContain("not-confirmed");
  const left = await answering(folder);
  expect([left.exit, sandbox.state().links]).toEqual([130, []]);
  const interrupted = await onTerminal(folder, ["apply"], key, "\u0003");
  expect([interrupted.exit, sandbox.state().links]).toEqual([130, []]);
  expect(interrupted.out).toContain("1 error: nothing was applied.");
  const yes = await onTerminal(folder, ["apply"], key, "yes\n");
  expect([yes.exit, sandbox.state().links.length]).toEqual([0, 1]);
  expect(yes.out).toContain("Apply this change? Type `yes` to confirm: ");
});

it("from files to the service and back: asks for the number of short URLs that stop working, and names those with the most clicks above the question", async () => {
  const links = Array.from({ length: 12 }, (_, at) => ({
    url: "https://example.com/",
    domain: 2,
    alias: `old-${at}`,
    clicks: 100 * at,
  }));
  const sandbox = await sandboxFor({ seed: { links } });
  const gone = links.map(({ alias }) => `go.example.com/${alias}`).join(", ");
  const folder = await projectFor(sandbox.url, `brake: { deletes: 100% }\nabsent: { links: [${gone}] }\n`);
  const yes = await answering(folder, "yes\n");
  expect([yes.exit, sandbox.state().links.length]).toEqual([1, 12]);
  expect(yes.err).toContain("The answer was `yes` instead of `12`.");
  const confirmed = await answering(folder, "12\n");
  expect([confirmed.exit, sandbox.state().links.map(({ alias }) => alias)]).toEqual([0, ["hello"]]);
  const lines = confirmed.err.split("\n");
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

it("a JSON document of validate, plan, apply and drift is what the schemas say, alone on stdout, and in a file if one is named", async () => {
  const { url } = await sandboxFor();
  const folder = await projectFor(url, "absent: { links: [go.example.com/gone] }\n");
  for (const [command, flags] of [
    ["validate", []],
    ["plan", ["--format", "text=plan.txt"]],
    ["apply", ["--yes"]],
    ["drift", []],
  ] as const) {
    const { exit, out } = await commandIn(folder, [command, "--format", "json", ...flags], key);
    const errors = await schemaErrors(command === "drift" ? "plan" : command, JSON.parse(out));
    expect([exit, errors]).toEqual([0, null]);
  }
  expect(await commandIn(folder, ["drift"], key)).toEqual({
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

it("a JSON document of an apply without a terminal and without --yes says so: 64", async () => {
  const folder = await projectFor("http://127.0.0.1:9");
  const { exit, out, err } = await commandIn(folder, ["apply", "--format", "json"], key);
  const document = JSON.parse(out);
  expect([exit, err, await schemaErrors("apply", document)]).toEqual([64, "", null]);
  expect(document.diagnostics).toMatchObject([{ code: "nobody-to-ask", hint: expect.stringContaining("--yes") }]);
  const text = await commandIn(folder, ["apply"], key);
  expect([text.exit, text.out, text.err]).toEqual([
    64,
    "",
    expect.stringMatching(/^error\[nobody-to-ask\] .*\n.*\n\n1 error: nothing was applied\.\n$/),
  ]);
});

// Fails if a script gets half a result, and neither a message nor an exit code says so.
it.each(["projects", "schema", "completion bash", "complete -- pl"])(
  "a full disk as stdout of `%s` is an error",
  async (line) => {
    const stdout = new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error(), { code: "ENOSPC" })),
    });
    stdout.on("error", () => undefined);
    const { exit, err } = await commandIn(await temporaryFolder(), line.split(" "), {}, { stdout });
    expect([exit, err]).toEqual([1, expect.stringMatching(/^error\[report-unwritable\] .*ENOSPC/)]);
  },
);

// Fails if the signal ends a command that only reads, without a message, or if a wait for the rate limit goes on or ends as a bug.
it.each<[string, NodeJS.Signals, string, Answer | Promise<Answer>]>([
  ["a response", "SIGTERM", "", new Promise(() => undefined)],
  ["the rate limit", "SIGINT", "for the rate limit", TOO_MANY],
])("a signal while a plan waits for %s: it says so, 130", async (_what, signal, after, answer) => {
  const { url } = await sandboxFor();
  let seen = "";
  let interrupt = (): void => undefined;
  const baseUrl = await startProxy(url, () => {
    if (after === "") interrupt();
    return answer;
  });
  const env = { PATH: process.env["PATH"] ?? "", ...key };
  const child = spawn(process.execPath, [CLI, "plan"], { cwd: await projectFor(baseUrl), env });
  onTestFinished(() => void child.kill("SIGKILL"));
  // A second signal would end the process at once.
  interrupt = () => void (child.killed || child.kill(signal));
  child.stderr.on("data", (chunk) => {
    seen += String(chunk);
    if (after !== "" && seen.includes(after)) interrupt();
  });
  const exit = await new Promise((resolve) => child.once("close", resolve));
  expect([exit, seen]).toEqual([130, expect.stringContaining("The run was interrupted.")]);
  expect(seen).not.toContain("Internal error");
});
