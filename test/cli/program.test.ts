// The command line as it is installed: the built program in a process of its own, its streams and exit codes.

import { spawn, type ChildProcess } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { Ajv, type ValidateFunction } from "ajv";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Sandbox } from "../../src/sandbox/index.ts";
import { CLI, key, linkform, onTerminal, projectFor, run, startService } from "../support/program.ts";
import { startProxy, type Answer } from "../support/proxy.ts";
import { temporaryFolder, writeFiles, type Ran } from "../support/scenario.ts";

describe("usage", () => {
  it("prints the version of package.json, and help with every command", async () => {
    const { version } = JSON.parse(await readFile("package.json", "utf8"));
    expect(await linkform(".", ["--version"])).toEqual({ exit: 0, out: `${version}\n`, err: "" });
    const help = await linkform(".", ["--help"]);
    expect(help.exit).toBe(0);
    for (const command of ["validate", "plan", "apply", "sandbox", "Exit codes"]) expect(help.out).toContain(command);
  });

  it.each([
    [["plann"], "Did you mean `plan`?"],
    [["plan", "--detailed-exit"], "There is no flag `--detailed-exit` here.\n   = Did you mean `--detailed-exitcode`?"],
    [["plan", "--out"], "`--out` stands without its value."],
    [["plan", "--format", "jsno"], "Did you mean `json`?"],
    [["plan", "--format", "xml"], "There is no format `xml`"],
    [["plan", "--format", "json", "--format", "text"], "Only one format can go to stdout"],
    [["apply", "--concurrency", "0"], "at least 1"],
    [["apply", "--concurrency", "many"], "whole number"],
    [["apply", "--timeout", "0"], "at least 1"],
    [["plan", "--max-wait", "-1"], "at least 0"],
    [["sandbox", "--software", "5"], "Allowed choices are 4.1, 4.9, 44, 49"],
    [["plan", "surplus"], "too many arguments"],
    [["apply", "plan.json", "surplus"], "too many arguments"],
    [
      ["apply", "plan.json", "--target", "*", "--allow-deletes", "1"],
      "error[planning-flags] --target, --allow-deletes: ",
    ],
    [["plan", "--allow-updates", "some"], "whole number"],
  ])("%j is wrong usage: 64, with what is wrong on stderr", async (args, says) => {
    const { exit, out, err } = await linkform(await projectFor("http://127.0.0.1:9"), args, key);
    expect([exit, out]).toEqual([64, ""]);
    expect(err).toContain(says);
  });
});

describe("wrong usage where JSON is asked for", () => {
  // Fails when a pipeline that parses stdout gets nothing there, or what is no document of that command.
  it.each([
    ["plan", ["plan", "--format", "json", "--fromat"], "unknown-flag"],
    ["plan", ["plan", "--format=json", "--max-wait", "soon"], "wrong-value"],
    ["apply", ["apply", "a", "b", "--format", "json"], "too-many-arguments"],
    ["validate", ["validate", "--format", "json", "--base"], "missing-value"],
    ["plan", ["plan", "--format", "json", "--format", "xml=report.xml"], "unknown-format"],
    ["doctor", ["doctor", "--format", "json", "--no-such-flag"], "There is no flag"],
  ])("%s prints its document", async (command, args, says) => {
    const { exit, out, err } = await linkform(await temporaryFolder(), args);
    const document = JSON.parse(out);
    const valid = new Ajv({ strict: false }).compile(
      JSON.parse(await readFile(`schemas/${command}.schema.json`, "utf8")),
    );
    expect([exit, err, valid(document), valid.errors]).toEqual([64, "", true, null]);
    expect(out).toContain(says);
  });

  it("a command that does not exist has a document, too", async () => {
    const { exit, out, err } = await linkform(await temporaryFolder(), ["plann", "--format", "json"]);
    expect([exit, err, JSON.parse(out).diagnostics]).toMatchObject([64, "", [{ code: "unknown-command" }]]);
  });
});

describe("a base", () => {
  it("is read by git, and a flag is never handed to it", async () => {
    const folder = await projectFor("http://127.0.0.1:9");
    const flag = await linkform(folder, ["validate", "--base", "--help"]);
    expect([flag.exit, flag.err]).toEqual([64, ""]);
    expect(flag.out).toContain("error[wrong-base] `--help` can't be a base.");
    const outside = await linkform(folder, ["validate", "--base", "HEAD"]);
    expect([outside.exit, outside.err]).toEqual([1, ""]);
    expect(outside.out).toContain("base-no-repository");
  });
});

/** What an apply says that made one object; `up` leads from where it was run to the project. */
const createdIn = (up: string): RegExp =>
  new RegExp(
    `^Done: 1 created; verified.\n6 requests.\nTo take it back: linkform undo ${up}.linkform/receipts/\\d{8}T\\d{6}Z-1.json\n$`,
  );

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
      out: "No changes: the account is as the files say.\n",
    });
    const again = await linkform(folder, ["plan", "--detailed-exitcode"], key);
    const said = [
      "Without --base, what was removed from the files can't be seen.",
      "",
      "No changes. 1 unchanged, 0 unmanaged; 2 requests to read.",
      "",
    ];
    expect([again.exit, again.out]).toEqual([0, said.join("\n")]);
  });

  it("saves a plan and applies it, without asking; again, it is already so", async () => {
    const { url } = await startService();
    const folder = await projectFor(url);
    const saved = await linkform(folder, ["plan", "--out", "plan.json", "--resend-secrets", "--target", "go*"], key);
    expect(saved).toMatchObject({ exit: 0, err: expect.stringContaining("Saved in plan.json.") });
    expect(JSON.parse(await readFile(path.join(folder, "plan.json"), "utf8")).options).toMatchObject({
      targets: ["go*"],
      resend_secrets: ["*"],
    });
    const applied = await linkform(path.join(folder, "deep"), ["apply", "../plan.json"], key);
    expect(applied).toMatchObject({ exit: 0, out: expect.stringMatching(createdIn("../")) });
    const again = await linkform(folder, ["apply", "plan.json", "--quiet"], key);
    expect(again).toEqual({ exit: 0, out: "Done: 1 already so.\n2 requests.\n", err: "" });
  });

  it("asks on a terminal, and only `yes` goes ahead", async () => {
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
  });

  it("colours on a terminal, and not with NO_COLOR, --no-color or in a pipe; FORCE_COLOR overrides", async () => {
    const { url } = await startService();
    const folder = await projectFor(url);
    const escape = "\u001b[";
    expect((await onTerminal(folder, ["plan"], key)).out).toContain(escape);
    expect((await onTerminal(folder, ["plan"], { ...key, NO_COLOR: "1" })).out).not.toContain(escape);
    expect((await onTerminal(folder, ["plan", "--no-color"], key)).out).not.toContain(escape);
    expect((await linkform(folder, ["plan"], key)).out).not.toContain(escape);
    expect((await linkform(folder, ["plan"], { ...key, FORCE_COLOR: "1", NO_COLOR: "1" })).out).toContain(escape);
  });
});

describe("a JSON document", () => {
  async function validator(name: string): Promise<ValidateFunction> {
    return new Ajv({ strict: false }).compile(JSON.parse(await readFile(`schemas/${name}.schema.json`, "utf8")));
  }

  it("of validate, plan and apply is what the schemas say, alone on stdout, and in a file if one is named", async () => {
    const { url } = await startService();
    const folder = await projectFor(url, "absent: { links: [go.example.com/gone] }\n");
    for (const [command, flags] of [
      ["validate", []],
      ["plan", ["--format", "text=plan.txt"]],
      ["apply", ["--yes"]],
    ] as const) {
      const { exit, out } = await linkform(folder, [command, "--format", "json", ...flags], key);
      const valid = await validator(command);
      expect([exit, valid(JSON.parse(out)), valid.errors]).toEqual([0, true, null]);
    }
    expect(await linkform(folder, ["drift"], key)).toEqual({
      exit: 0,
      out: "Live is as declared. 1 as declared.\n",
      err: `note[tombstone-spent] \`go.example.com/gone\` is not live: the tombstone can go.
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
    expect([exit, (await validator("apply"))(document)]).toEqual([64, true]);
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
      expect([exit, err, (await validator(command))(document)]).toEqual([1, "", true]);
      expect(document.diagnostics).toMatchObject([{ code: "no-project", severity: "error", file: null }]);
    },
  );
});

describe("circumstances that keep linkform from planning: one clear message, exit 1, no request to anybody else", () => {
  it("no key, or one that can't be a key", async () => {
    const folder = await projectFor("http://127.0.0.1:9");
    expect(await linkform(folder, ["plan"])).toMatchObject({
      exit: 1,
      err: expect.stringMatching(/^error\[no-key\] There is no API key\.\n {3}= Set LINKFORM_API_KEY/),
    });
    expect(await linkform(folder, ["plan"], { LINKFORM_API_KEY: "two words" })).toMatchObject({
      exit: 1,
      err: expect.stringMatching(/^error\[wrong-key\] /),
    });
    expect(await linkform(folder, ["plan", "--api-key-file", "nowhere"])).toMatchObject({
      exit: 1,
      err: expect.stringMatching(/^error\[no-key\] The key file/),
    });
  });

  it("a key from a file works, and one that the service refuses does not", async () => {
    const { url } = await startService();
    const folder = await projectFor(url);
    await writeFiles(folder, { "key.txt": "sandbox-key\n", "wrong.txt": "other-key\n" });
    expect((await linkform(folder, ["plan", "--api-key-file", "key.txt"])).exit).toBe(0);
    const refused = await linkform(folder, ["plan", "--api-key-file", "wrong.txt"]);
    expect([refused.exit, refused.out]).toEqual([1, ""]);
    expect(refused.err).toMatch(/^error\[unauthenticated\] .*\n {3}= Check LINKFORM_API_KEY/);
  });

  it("an address where nothing listens, or where nothing of this kind answers", async () => {
    expect(await linkform(await projectFor("http://127.0.0.1:9"), ["plan"], key)).toMatchObject({
      exit: 1,
      err: expect.stringMatching(
        /^127.* Trying again in \d\.\d s\.\n(.*\n)*error\[unreachable\] 127\.0\.0\.1:9 can't be reached/,
      ),
    });
    const { url } = await startService();
    expect(await linkform(await projectFor(`${url}/elsewhere`), ["plan"], key)).toMatchObject({
      exit: 1,
      err: expect.stringMatching(/base_url/),
    });
  });

  it("an address other than the pinned one: the key goes nowhere", async () => {
    const [pinned, other] = [await startService(), await startService()];
    const folder = await projectFor(other.url);
    const refused = await linkform(folder, ["plan"], { ...key, LINKFORM_BASE_URL: pinned.url });
    expect(refused).toMatchObject({
      exit: 1,
      err: expect.stringMatching(/^error\[other-address\] linkform\.yaml:2:\d+ says/),
    });
    expect([pinned.requests, other.requests]).toEqual([[], []]);
    expect(
      (await linkform(folder, ["plan", "--base-url", other.url], { ...key, LINKFORM_BASE_URL: pinned.url })).exit,
    ).toBe(0);
  });

  it("in CI a pull request can't direct the key: without a pinned address no command sends a request", async () => {
    const { url, requests } = await startService();
    const folder = await projectFor(url);
    for (const args of [
      ["plan"],
      ["apply", "--yes"],
      ["drift"],
      ["doctor"],
      ["list"],
      ["show", "a"],
      ["explain", "a", "--live"],
      ["explain", "a", "--both"],
      ["pull"],
      ["rm", "go.example.com/a"],
      ["init", "--yes"],
    ]) {
      const { exit, out, err } = await linkform(folder, args, { ...key, CI: "true" });
      expect([args, exit === 0]).toEqual([args, false]);
      if (args[0] !== "init") expect(out + err).toContain("which would get the API key");
    }
    expect(requests).toEqual([]);
    const refused = await linkform(folder, ["plan"], { ...key, CI: "true" });
    expect([refused.exit, refused.err]).toEqual([
      1,
      expect.stringMatching(/^error\[unpinned-address\] .*\n(.*\n)+ {3}= .*LINKFORM_BASE_URL=http.*--base-url http/),
    ]);
    for (const cure of [{ LINKFORM_BASE_URL: url }, {}]) {
      const flags = "LINKFORM_BASE_URL" in cure ? [] : ["--base-url", url];
      expect(await linkform(folder, ["plan", ...flags], { ...key, CI: "true", ...cure })).toMatchObject({
        exit: 0,
        err: "",
      });
    }
  });

  it.each([
    [{ CI: "1" }, 1],
    [{ CI: "", GITHUB_ACTIONS: "true" }, 1],
    [{ GITLAB_CI: "true" }, 1],
    [{ JENKINS_URL: "https://ci.example.com" }, 1],
    [{ TF_BUILD: "True" }, 1],
    [{ CI: "false" }, 0],
    [{ CI: "0", GITHUB_ACTIONS: "" }, 0],
  ])("a job is recognized by what its CI system sets: %o", async (env, exit) => {
    const { url } = await startService();
    expect((await linkform(await projectFor(url), ["plan"], { ...key, ...env })).exit).toBe(exit);
  });

  it.each([
    ["another port", (url: string) => url.replace(/\d+$/, "9")],
    ["another scheme", (url: string) => url.replace("http:", "https:")],
    ["another path", (url: string) => `${url}/collect`],
    ["a user name that looks like the host", (url: string) => url.replace("http://", "http://pinned.example.com@")],
    ["a name that ends like the host", (url: string) => url.replace("//127", "//evil.127")],
  ])("files with %s than the pinned address get no key", async (_, changed) => {
    const { url, requests } = await startService();
    const folder = await projectFor(changed(url));
    const { exit, err } = await linkform(folder, ["plan"], { ...key, CI: "true", LINKFORM_BASE_URL: url });
    expect([exit, err]).toEqual([1, expect.stringMatching(/^error\[(?:other-address|wrong-base-url)\]/)]);
    expect(requests).toEqual([]);
  });

  it("a report that can't be written: said once, and exit 1", async () => {
    const { url } = await startService();
    for (const args of [["plan"], ["validate"]]) {
      const refused = await linkform(await projectFor(url), [...args, "--format", "json=no/such/folder.json"], key);
      expect([refused.exit, refused.err]).toEqual([
        1,
        expect.stringMatching(/^error\[report-unwritable\] .*\n.*\n\n$/),
      ]);
    }
  });
});

describe("what was applied is never reported as nothing", () => {
  it("when a report can't be written: one document on stdout that says so, and exit 4", async () => {
    const sandbox = await startService();
    const flags = ["apply", "--yes", "--quiet", "--format", "json", "--format", "text=no/such/folder.txt"];
    const { exit, out, err } = await linkform(await projectFor(sandbox.url), flags, key);
    expect([exit, JSON.parse(out).result, sandbox.state().links.length]).toEqual([
      4,
      { applied: 1, failed: 0, skipped: 0, complete: true },
      1,
    ]);
    expect(err).toMatch(/^error\[report-unwritable\] .*\n.*\n\n$/);
  });

  it("when the disk is full under stdout: exit 4 and no stack trace", async () => {
    const sandbox = await startService();
    const folder = await projectFor(sandbox.url);
    const command = `'${process.execPath}' '${CLI}' apply --yes --quiet > /dev/full`;
    const { exit, err } = await run("sh", ["-c", command], folder, key);
    expect([exit, sandbox.state().links.length]).toEqual([4, 1]);
    expect(err).toMatch(/^error\[report-unwritable\] .*ENOSPC.*\n.*\n\n$/);
  });

  it("when whoever reads stdout and stderr leaves: everything is applied all the same, without a stack trace", async () => {
    const sandbox = await startService();
    const folder = await temporaryFolder();
    const links = Array.from({ length: 300 }, (_, index) => `go.example.com/l${index}: { url: https://example.com/ }`);
    const text = `version: 1\nservice: { base_url: "${sandbox.url}" }\nlinks: { ${links.join(", ")} }\n`;
    await writeFiles(folder, { "linkform.yaml": text });
    const command = `{ '${process.execPath}' '${CLI}' apply --yes 2>&1; echo "exit $?" > exit.txt; } | head -n 1`;
    const { out } = await run("sh", ["-c", command], folder, key);
    expect(out).toBe("+ create link go.example.com/l0\n");
    expect(sandbox.state().links).toHaveLength(300);
    expect(await readFile(path.join(folder, "exit.txt"), "utf8")).toBe("exit 0\n");
  });

  it("a plan that is piped into `head` ends quietly", async () => {
    const { url } = await startService();
    const folder = await temporaryFolder();
    const links = Array.from({ length: 3000 }, (_, index) => `go.example.com/l${index}: { url: https://example.com/ }`);
    const text = `version: 1\nservice: { base_url: "${url}" }\nlinks: { ${links.join(", ")} }\n`;
    await writeFiles(folder, { "linkform.yaml": text });
    const { out, err } = await run("sh", ["-c", `'${process.execPath}' '${CLI}' plan | head -n 1`], folder, key);
    expect([out, err]).toEqual(["+ create link go.example.com/l0\n", ""]);
  });
});

describe("Ctrl-C", () => {
  const three = (baseUrl: string): string =>
    `version: 1\nservice: { base_url: "${baseUrl}" }\nlinks:\n${[1, 2, 3].map((at) => `  go.example.com/l${at}: { url: https://example.com/ }\n`).join("")}`;

  /** Starts an apply through a proxy that hands the second store to `held`; resolves when it has ended. */
  async function applyHeld(
    held: (child: ChildProcess, said: () => string) => Promise<Answer>,
  ): Promise<Ran & { readonly sandbox: Sandbox }> {
    const sandbox = await startService();
    const folder = await temporaryFolder();
    let stores = 0;
    let child: ChildProcess | null = null;
    const printed = { out: "", err: "" };
    const baseUrl = await startProxy(sandbox.url, (method) =>
      method === "POST" && ++stores === 2 && child !== null ? held(child, () => printed.err) : "forward",
    );
    await writeFiles(folder, { "linkform.yaml": three(baseUrl) });
    const started = spawn(process.execPath, [CLI, "apply", "--yes", "--concurrency", "1"], {
      cwd: folder,
      env: { PATH: process.env["PATH"] ?? "", ...key },
    });
    child = started;
    onTestFinished(() => void started.kill("SIGKILL"));
    started.stdout.on("data", (chunk) => (printed.out += String(chunk)));
    started.stderr.on("data", (chunk) => (printed.err += String(chunk)));
    const exit = await new Promise<number>((resolve) => started.once("close", (code) => resolve(code ?? -1)));
    return { exit, ...printed, sandbox };
  }

  // Fails when the process dies at once, goes on, or does not say what it did.
  it("once: what is under way is finished, the rest is told as skipped, 130", async () => {
    const { exit, out, sandbox } = await applyHeld(async (child, said) => {
      child.kill("SIGINT");
      await expect.poll(said).toContain("Stopping: what is under way is finished first.");
      return "forward";
    });
    expect([exit, sandbox.state().links.length]).toEqual([130, 2]);
    expect(out).toContain("Not all was done: 2 created; 1 not begun.\n");
    expect(out).toContain("· create link go.example.com/l3  linkform.yaml:6:3\n      It was interrupted.\n");
  });

  // Fails when a service that does not answer can't be left.
  it("twice: it stops at once, and says that it did, 130", async () => {
    const { exit, err } = await applyHeld(async (child, said) => {
      child.kill("SIGINT");
      await expect.poll(said).toContain("Stopping:");
      child.kill("SIGTERM");
      return new Promise(() => undefined);
    });
    expect(exit).toBe(130);
    expect(err).toContain("Stopped at once");
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
