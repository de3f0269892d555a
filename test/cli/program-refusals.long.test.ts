// What the built program refuses, in a separate process: wrong usage, wrong keys and addresses.

import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { faultsOf, messagesIn } from "../support/leaks.ts";
import { CLI, key, linkform, projectFor, run } from "../support/program.ts";
import { sandboxFor } from "../support/sandbox.ts";
import { temporaryFolder, writeFiles } from "../support/scenario.ts";
import { schemaErrors } from "../support/schemas.ts";

// Fails if a message shows internals of the program or a password, or says neither where the problem is nor what to do.
it.each<[args: string[], says?: string]>([
  [["plan", "--detailed-exit"], "Unknown option `--detailed-exit`.\n   = Run `linkform plan --help`"],
  [["plan", "--format", "json=plan.json", "--fromat"], "Unknown option `--fromat`."],
  [["plan", "--out"], "Option `--out <file>` argument missing."],
  [["plan", "--allow-deletes", "some"], "Expected a whole number of at least 0."],
  [["apply", "--concurrency", "0"], "at least 1"],
  [["plan", "--format", "xml"], "`plan` does not support the format `xml`"],
  [["plan", "--format", "markdown", "--format", "text"], "Only one format can go to stdout"],
  [["sandbox", "--software", "5"], "Allowed choices are 4.1, 4.9, 44, 49"],
  [
    ["apply", "plan.json", "--target", "*", "--allow-deletes", "1"],
    "error[planning-flags] A saved plan already contains its planning options. Remove --target, --allow-deletes.",
  ],
  [["apply", "nowhere.json"]],
  [["apply", "linkform.yaml", "--yes"]],
  [["validate", "--base", "HEAD"]],
  [["validate", "--config", "."]],
  [["check", "nowhere"]],
  [["explain", ""]],
  [["plan", "--base-url", "nonsense"]],
  [["plan", "--base-url", "https://me:hunter2@short.example.com"]],
  [["import", "csv", "nowhere.csv"]],
  [["import", "csv", "linkform.yaml", "--into", "../x.yaml"]],
  [["comment", "linkform.yaml", "--pull-request", "one"]],
  [["sandbox", "--port", "70000"]],
  [["sandbox", "--seed", "nowhere.json"]],
  [["sandbox", "--seed", "linkform.yaml"]],
])("%j is refused in plain words", async (args, says) => {
  const { exit, out, err } = await linkform(await projectFor("http://127.0.0.1:9"), args, key);
  if (says !== undefined) expect([exit, out, err]).toEqual([64, "", expect.stringContaining(says)]);
  expect([exit === 0, faultsOf(err + out), messagesIn(err + out).length > 0]).toEqual([false, [], true]);
  expect(err + out).not.toContain("hunter2");
});

// Fails when a pipeline that parses stdout gets nothing there, or what is no document of that command.
it.each([
  ["plan", ["plan", "--format", "json", "--fromat"], "unknown-flag"],
  ["plan", ["plan", "--format=markdown=plan.md", "--format=json", "--max-wait", "soon"], "wrong-value"],
  ["apply", ["apply", "a", "b", "--format", "json"], "too-many-arguments"],
  ["plan", ["plan", "--format", "json", "--format", "xml=report.xml"], "unknown-format"],
  ["plan", ["plan", "--json", "--format", "text"], "two-formats"],
  ["doctor", ["doctor", "--format", "json", "--no-such-flag"], "Unknown option"],
])("wrong usage where JSON is asked for: %s prints its document", async (command, args, says) => {
  const { exit, out, err } = await linkform(await temporaryFolder(), args);
  const document = JSON.parse(out);
  expect([exit, err, await schemaErrors(command, document)]).toEqual([64, "", null]);
  expect([document.valid, document.well]).not.toContain(true);
  expect(out).toContain(says);
});

it("wrong usage where JSON is asked for: a command that does not exist has a document, too", async () => {
  const { exit, out, err } = await linkform(await temporaryFolder(), ["plann", "--format", "json"]);
  expect([exit, err, JSON.parse(out).diagnostics]).toMatchObject([64, "", [{ code: "unknown-command" }]]);
});

describe("circumstances that keep linkform from planning: one clear message, exit 1, no request to anybody else", () => {
  it("no key, one that can't be a key, and one that the service refuses; a key from a file works", async () => {
    const { url } = await sandboxFor();
    const folder = await projectFor(url);
    await writeFiles(folder, { "key.txt": "sandbox-key\n", "wrong.txt": "other-key\n" });
    expect((await linkform(folder, ["plan", "--api-key-file", "key.txt"])).exit).toBe(0);
    for (const [flags, env, says] of [
      [[], {}, /^error\[no-key\] The API key is not set\.\n {3}= Set LINKFORM_API_KEY/],
      [[], { LINKFORM_API_KEY: "two words" }, /^error\[wrong-key\] /],
      [["--api-key-file", "nowhere"], {}, /^error\[no-key\] The API key file nowhere cannot be read/],
      [["--api-key-file", "wrong.txt"], {}, /^error\[unauthenticated\] .*\n {3}= Check LINKFORM_API_KEY/],
    ] as const) {
      const { exit, out, err } = await linkform(folder, ["plan", ...flags], env);
      expect([exit, out, err]).toEqual([1, "", expect.stringMatching(says)]);
    }
  });

  it("in CI a pull request can't direct the key: without a pinned address no command sends a request", async () => {
    const { url, requests } = await sandboxFor();
    const folder = await projectFor(url);
    for (const args of [
      ["plan"],
      ["apply", "--yes"],
      ["drift"],
      ["doctor"],
      ["list"],
      ["show", "a"],
      ["explain", "a", "--live"],
      ["pull"],
      ["rm", "go.example.com/hello"],
      ["init", "--yes"],
    ]) {
      const { exit, out, err } = await linkform(folder, args, { ...key, CI: "true" });
      expect([args, exit === 0]).toEqual([args, false]);
      if (args[0] !== "init") expect(out + err).toContain("which would receive the API key");
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
    const { url } = await sandboxFor();
    expect((await linkform(await projectFor(url), ["plan"], { ...key, ...env })).exit).toBe(exit);
  });

  it.each([
    ["another port", (url: string) => url.replace(/\d+$/, "9")],
    ["another scheme", (url: string) => url.replace("http:", "https:")],
    ["another path", (url: string) => `${url}/collect`],
    ["a user name that looks like the host", (url: string) => url.replace("http://", "http://pinned.example.com@")],
    ["a name that ends like the host", (url: string) => url.replace("//127", "//evil.127")],
  ])("files with %s than the pinned address get no key", async (_, changed) => {
    const { url, requests } = await sandboxFor();
    const folder = await projectFor(changed(url));
    const { exit, err } = await linkform(folder, ["plan"], { ...key, CI: "true", LINKFORM_BASE_URL: url });
    expect([exit, err]).toEqual([1, expect.stringMatching(/^error\[(?:other-address|wrong-base-url)\]/)]);
    expect(requests).toEqual([]);
  });
});

/** A project whose plan does not fit into the buffer of a pipe. */
async function manyLinks(baseUrl: string, count: number): Promise<string> {
  const lines = Array.from(
    { length: count },
    (_, at) => `  go.example.com/l${at}: { url: https://h${at}.example.com/ }\n`,
  );
  const folder = await temporaryFolder();
  const text = `version: 1\nservice: { base_url: "${baseUrl}" }\nlinks:\n${lines.join("")}`;
  await writeFiles(folder, { "linkform.yaml": text });
  return folder;
}

it("everything is applied without a stack trace, even if nobody reads stdout and stderr any more", async () => {
  const sandbox = await sandboxFor();
  const folder = await manyLinks(sandbox.url, 300);
  const command = `{ '${process.execPath}' '${CLI}' apply --yes 2>&1; echo "exit $?" > exit.txt; } | head -n 1`;
  const { out } = await run("sh", ["-c", command], folder, key);
  expect(out).toBe("300 new links\n");
  expect(sandbox.state().links).toHaveLength(300);
  expect(await readFile(path.join(folder, "exit.txt"), "utf8")).toBe("exit 0\n");
});
