// Shell completion in the real shells. bash, zsh and fish must be installed.

import { execFile } from "node:child_process";
import { symlink } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { CLI } from "../support/program.ts";
import { temporaryFolder, writeFiles } from "../support/scenario.ts";

/** What stands for the words of a command line in each shell. */
const SHELLS: Readonly<Record<string, (words: readonly string[]) => string>> = {
  bash: (words) => `source <(linkform completion bash)
    COMP_WORDS=(linkform ${words.map(quoted).join(" ")}) COMP_CWORD=${words.length}
    _linkform; printf '%s\\n' "\${COMPREPLY[@]}"`,
  zsh: (words) => `autoload -U compinit; compinit -u -D; source <(linkform completion zsh)
    compadd() { print -rl -- "\${@[3,-1]}" }
    words=(linkform ${words.map(quoted).join(" ")}); CURRENT=${words.length + 1}; _linkform`,
  fish: (words) => `linkform completion fish | source; complete -C ${quoted(`linkform ${words.join(" ")}`)}`,
};

function quoted(text: string): string {
  return `'${text}'`;
}

async function completed(shell: string, words: readonly string[]): Promise<string[]> {
  const folder = await temporaryFolder();
  await writeFiles(folder, {
    "linkform.yaml": `version: 1
service: { base_url: https://short.example.com }
domains: { shop: go.example.com }
pixels: { Meta main: { type: facebook, value: "1" } }
links:
  shop/spring: { url: https://example.com/ }
  shop/summer: { url: https://example.com/ }
`,
    "bin/README": "",
  });
  await symlink(path.resolve(CLI), path.join(folder, "bin/linkform"));
  const script = SHELLS[shell]?.(words) ?? "";
  const { stdout } = await promisify(execFile)(shell, shell === "zsh" ? ["-f", "-c", script] : ["-c", script], {
    cwd: folder,
    env: { ...process.env, HOME: folder, PATH: `${path.join(folder, "bin")}:${process.env["PATH"]}` },
  });
  return stdout.split("\n").filter((line) => line !== "");
}

test.each(Object.keys(SHELLS))("%s completes commands, flags, values and keys", async (shell) => {
  expect(await completed(shell, ["va"])).toEqual(["validate"]);
  expect(await completed(shell, ["plan", "--detailed"])).toEqual(["--detailed-exitcode"]);
  expect(await completed(shell, ["pull", "--split", "sp"])).toEqual(["space"]);
  expect(await completed(shell, ["drift", "--format", "mark"])).toEqual(["markdown"]);
  expect(await completed(shell, ["rm", "shop/s"])).toEqual(["shop/spring", "shop/summer"]);
  expect(await completed(shell, ["schema", "res"])).toEqual(["resources"]);
});

test("bash escapes a pixel name with spaces", async () => {
  expect(await completed("bash", ["show", "M"])).toEqual(["Meta\\ main"]);
});
