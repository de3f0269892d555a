// `linkform sandbox` in a separate process. Fails if it does not print how to use it, if the page that it names does not exist, or if
// stopping it is an error.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { CLI } from "../support/program.ts";
import { send } from "./client.ts";

test("linkform sandbox prints its address", async () => {
  const child = spawn(process.execPath, [CLI, "sandbox", "--port", "0"]);
  const ended = once(child, "close");
  onTestFinished(() => void child.kill("SIGKILL"));
  let printed = "";
  await new Promise<void>((resolve) => {
    child.stdout.on("data", (chunk) => {
      printed += String(chunk);
      if (printed.includes("Ctrl-C to stop it.\n")) resolve();
    });
  });
  const [address = ""] = /http:\S+\/(?= to see)/.exec(printed) ?? [];
  const { port } = new URL(address);
  expect(printed.replaceAll(port, "8787")).toBe(`The sandbox listens on http://127.0.0.1:8787

    export LINKFORM_API_KEY=sandbox-key
    linkform plan --base-url http://127.0.0.1:8787

Open http://127.0.0.1:8787/ to see its links and pixels, and to visit links.
It keeps its state in memory. Press Ctrl-C to stop it.
`);
  const page = await send(address.slice(0, -1), "/");
  expect([page.status, page.text.includes("<h1>linkform sandbox</h1>")]).toEqual([200, true]);

  child.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
});
