// The environment of readers of the docs: a shell in a checkout with the command linked, or in a pipeline with a repository and an account.

import { spawn } from "node:child_process";
import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
import { onTestFinished } from "vitest";
import { ROOT } from "./documents.ts";
import { listen } from "./http.ts";
import { run } from "./program.ts";
import { GIT_ENV, startRepository } from "./repository.ts";
import { sandboxFor } from "./sandbox.ts";
import { temporaryFolder } from "./scenario.ts";

/** The address in the examples, which stands for the sandbox's. */
const EXAMPLE_URL = "https://short.example.com";

/** Folder and variables persist between commands. */
export class Shell {
  #folder: string;
  #env: Readonly<Record<string, string>>;

  constructor(folder: string, env: Readonly<Record<string, string>>) {
    this.#folder = folder;
    this.#env = env;
  }

  /** Runs a line. Resolves to its exit code and to the output of both streams, in order. */
  async run(line: string): Promise<{ readonly exit: number; readonly said: string }> {
    const state = path.join(await temporaryFolder(), "state");
    const script = `exec 2>&1\n${line}\nexit=$?\n{ pwd; env -0; } > '${state}'\nexit $exit`;
    const { exit, out } = await run("bash", ["-c", script], this.#folder, this.#env);
    const [, folder = "", variables = ""] = /^(.*)\n([^]*)$/m.exec(await readFile(state, "utf8")) ?? [];
    this.#folder = folder;
    this.#env = Object.fromEntries(
      variables.split("\0").flatMap((entry) => {
        const [, name, value] = /^([^=]+)=([^]*)$/.exec(entry) ?? [];
        return name === undefined || value === undefined ? [] : [[name, value]];
      }),
    );
    return { exit, said: out };
  }

  /** Runs a line on a terminal, with a user who answers `yes`. */
  async runAndConfirm(line: string): Promise<{ readonly exit: number; readonly said: string }> {
    const { exit, out } = await run("script", ["-qec", line, "/dev/null"], this.#folder, this.#env, "yes\n");
    return { exit, said: out };
  }

  /** Starts a service that runs until the test ends. Resolves to its output once it prints its address or ends. */
  async start(line: string): Promise<string> {
    const child = spawn("bash", ["-c", `exec 2>&1\nexec ${line}`], { cwd: this.#folder, env: this.#env });
    const ended = new Promise((resolve) => child.once("close", resolve));
    onTestFinished(async () => {
      child.kill();
      await ended;
    });
    let said = "";
    const heard = new Promise<void>((resolve) => {
      child.stdout.on("data", (chunk) => {
        said += String(chunk);
        if (said.includes("http://") && said.endsWith("\n")) resolve();
      });
    });
    await Promise.race([heard, ended]);
    return said;
  }
}

/** A port of 127.0.0.1 that nothing uses. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const { port } = new URL(await listen(server));
  await new Promise((resolve) => server.close(resolve));
  return Number(port);
}

/** npm without a network, with a separate folder for linked packages. */
export async function npmEnv(): Promise<Readonly<Record<string, string>>> {
  const prefix = await temporaryFolder();
  return {
    PATH: `${path.join(prefix, "bin")}:${process.env["PATH"] ?? ""}`,
    HOME: prefix,
    npm_config_prefix: prefix,
    npm_config_offline: "true",
    npm_config_update_notifier: "false",
  };
}

/** A shell in a copy of the repository, built and with `linkform` linked, as the README's first steps leave it. */
export async function startCheckout(): Promise<Shell> {
  const folder = path.join(await temporaryFolder(), "checkout");
  for (const name of ["package.json", "dist", "examples", "schemas", "scripts"])
    await cp(path.join(ROOT, name), path.join(folder, name), { recursive: true });
  const shell = new Shell(folder, await npmEnv());
  const { exit, said } = await shell.run("npm link");
  if (exit !== 0) throw new Error(`npm link ended with ${exit}:\n${said}`);
  return shell;
}

interface Pipeline {
  readonly shell: Shell;
  /** A line of a document for this test: with this account's address and key. */
  readonly fill: (line: string) => string;
}

/**
 * A shell in a repository with the README's first project, as in a pipeline: a remote whose `main` is the base, the tag `applied`, then a
 * commit with the changes. The account is in the applied state.
 */
export async function startPipeline(): Promise<Pipeline> {
  const fixture = path.join(ROOT, "test/fixtures/plans/readme-first");
  const seed = JSON.parse(await readFile(path.join(fixture, "live.json"), "utf8"));
  const sandbox = await sandboxFor({ seed });
  const fill = (line: string): string =>
    line.replaceAll(EXAMPLE_URL, sandbox.url).replaceAll("LINKFORM_API_KEY=…", `LINKFORM_API_KEY=${sandbox.apiKey}`);

  const repository = await startRepository();
  const remote = path.join(await temporaryFolder(), "remote.git");
  await repository.git("init", "--quiet", "--bare", remote);
  await repository.git("remote", "add", "origin", remote);
  await copyFilled(path.join(fixture, "base"), repository.folder, fill);
  await repository.commitAll();
  await repository.git("tag", "applied");
  await repository.git("push", "--quiet", "origin", "main", "applied");
  await repository.git("switch", "--quiet", "--create", "spring");
  await copyFilled(path.join(fixture, "now"), repository.folder, fill);
  await repository.commitAll();

  const { npm_config_prefix: prefix = "", ...env } = await npmEnv();
  await linkTo(path.join(prefix, "bin"));
  return { shell: new Shell(repository.folder, { ...GIT_ENV, ...env }), fill };
}

async function copyFilled(from: string, to: string, fill: (text: string) => string): Promise<void> {
  for (const file of await readdir(from, { recursive: true })) {
    if (!file.endsWith(".yaml")) continue;
    await mkdir(path.dirname(path.join(to, file)), { recursive: true });
    const text = fill(await readFile(path.join(from, file), "utf8"));
    // The docs list the links of an owner. Owners are never sent, so the plan stays the same.
    const owned = text.replace(
      "link: { domain: go.example.com }",
      "link: { domain: go.example.com, owner: growth-team }",
    );
    await writeFile(path.join(to, file), owned);
  }
}

/** A command as `npm link` would create it, but faster. */
async function linkTo(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const text = `#!/bin/sh\nexec '${process.execPath}' '${path.join(ROOT, "dist/cli.js")}' "$@"\n`;
  await writeFile(path.join(folder, "linkform"), text, { mode: 0o755 });
}
