// `linkform sandbox` in a process of its own, as the README shows it. Fails when what it prints and the README differ, when
// the page that it names is not there, or when being stopped is not a good end.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { expect, onTestFinished, test } from "vitest";
import { CLI } from "../support/program.ts";
import { send } from "./client.ts";

test("linkform sandbox says where it is", async () => {
  const readme = await readFile("README.md", "utf8");
  const shown = /^\$ linkform sandbox --port 8787\n([^]*?)^```$/m.exec(readme)?.[1];

  const child = spawn(process.execPath, [CLI, "sandbox", "--port", "0"]);
  const ended = once(child, "close");
  onTestFinished(() => void child.kill("SIGKILL"));
  let printed = "";
  await new Promise<void>((resolve) => {
    child.stdout.on("data", (chunk) => {
      printed += String(chunk);
      if (printed.includes("Ctrl-C.\n")) resolve();
    });
  });
  const [address = ""] = /http:\S+\/(?= shows)/.exec(printed) ?? [];
  const { port } = new URL(address);
  expect(printed.replaceAll(port, "8787")).toBe(shown);
  const page = await send(address.slice(0, -1), "/");
  expect([page.status, page.text.includes(`linkform plan --base-url http://127.0.0.1:${port}</pre>`)]).toEqual([
    200,
    true,
  ]);

  child.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
});
