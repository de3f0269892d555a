// The command, and its data file: acknowledged writes survive a kill, and an unreadable file is reported in one sentence.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { startSandbox } from "../../src/sandbox/index.ts";
import { CLI } from "../support/program.ts";
import { accountOf, send, start } from "./client.ts";

const folder = mkdtempSync(join(tmpdir(), "linkform-sandbox-"));
afterAll(() => rmSync(folder, { recursive: true }));

const NEW = "url=https://example.com/&domain=2";

/** The command in a separate process, once it has printed how to use it. */
async function run(...args: string[]): Promise<{ child: ChildProcess; printed: string; url: string }> {
  const child = spawn(process.execPath, [CLI, "sandbox", "--port", "0", ...args]);
  onTestFinished(() => void child.kill("SIGKILL"));
  let printed = "";
  child.stdout.on("data", (chunk) => (printed += String(chunk)));
  await expect.poll(() => printed, { timeout: 50_000 }).toContain("Ctrl-C to stop it.\n");
  return { child, printed, url: /http:\S+/.exec(printed)?.[0] ?? "" };
}

// Fails if the command does not print how to use it, if the page that it names does not exist, or if stopping it is an error.
test("linkform sandbox prints its address, and ends", async () => {
  const { child, printed, url } = await run();
  expect(printed.replaceAll(new URL(url).port, "8787")).toBe(`The sandbox listens on http://127.0.0.1:8787

    export LINKFORM_API_KEY=sandbox-key
    linkform plan --base-url http://127.0.0.1:8787

Open http://127.0.0.1:8787/ to see its links and pixels, and to visit links.
It keeps its state in memory. Press Ctrl-C to stop it.
`);
  const page = await send(url, "/");
  expect([page.status, page.text.includes("<h1>linkform sandbox</h1>")]).toEqual([200, true]);
  const ended = once(child, "close");
  child.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
});

// Fails if a write is acknowledged before it is in the file, if the file can be partially written, or if ids start again. The kill happens
// during other writes.
test("a SIGKILL loses no acknowledged write", async () => {
  const data = join(folder, "killed.json");
  const { child, url } = await run("--rate-limit", "0", "--data", data);
  const exit = once(child, "exit");
  const account = accountOf({ url, apiKey: "sandbox-key" });
  const acknowledged: string[] = [];
  const writer = async (name: string): Promise<void> => {
    for (let at = 0; ; at++) {
      const answer = await account.post("links", `${NEW}&alias=${name}-${at}`);
      if (answer.status === 201) acknowledged.push(`${name}-${at}`);
      if (acknowledged.length === 40) child.kill("SIGKILL");
    }
  };
  await Promise.allSettled(["a", "b", "c", "d"].map(writer));
  await exit;

  const { links, next } = (await start({ data })).sandbox.state();
  expect(acknowledged.length).toBeGreaterThanOrEqual(40);
  expect(links.map(({ alias }) => alias)).toEqual(expect.arrayContaining(acknowledged));
  expect(next.link).toBe(links.length + 1);
});

describe("the data file", () => {
  // Fails if the seed replaces a data file, if an undefined list is refused, if a field is lost, or if a temporary file remains.
  test("overrides the seed and has everything", async () => {
    const data = join(folder, "whole.json");
    const seed = { pixels: [{ name: "A", type: "bing", value: "1" }], ...Object.fromEntries([["links", undefined]]) };
    const first = await start({ data, seed, timezone: "Europe/Berlin" });
    await first.post("links", `${NEW}&pixels[]=1&password=p&expiration_date=2027-01-01&expiration_time=00:00`);
    await first.put("links/1", "rotation[0][value]=&rotation[1][value]=https://example.com/r&country[0][key]=");
    await first.post("links", NEW);
    await first.delete("links/2");

    const { sandbox } = await start({ data, seed: { links: [] } });
    expect(sandbox.state()).toEqual(first.sandbox.state());
    expect(sandbox.state()).toMatchObject({
      next: { link: 3, pixel: 2 },
      links: [{ country: [], rotation: { "1": {} } }],
    });
    expect(readdirSync(folder).filter((name) => name.startsWith("whole.json"))).toEqual(["whole.json"]);
  });

  // Fails if a change of the copy that `state()` returns changes the stored state.
  test("does not change with a copy of the state", async () => {
    const { sandbox } = await start();
    Object.assign(sandbox.state().domains[0] ?? {}, { name: "changed" });
    expect(sandbox.state().domains[0]?.name).toBe("short.example.com");
  });
});

describe("a seed", () => {
  // Fails if a mistake is ignored or the message has no place. The user sees exactly this sentence.
  test.each([
    ["{", /^.*seed\.json cannot be read as JSON: .+/],
    ["[]", /seed\.json: Invalid input: expected object, received array\.$/],
    ['{"liks":[]}', /seed\.json: Unrecognized key: "liks"\.$/],
    ['{"links":[{"url":"x","domain":2}]}', /seed\.json: links\[0\]\.alias: Invalid input: expected string, .+\.$/],
    ['{"links":[{"url":"x","domain":9,"alias":"a"}]}', /seed\.json: links\[0\]\.domain: No domain has this id\.$/],
    ['{"spaces":[{"id":2,"name":"A"},{"id":2,"name":"B"}]}', /seed\.json: spaces\[1\]: Another row has the id 2\.$/],
    [
      '{"pixels":[{"name":"A","type":"bing","value":"1"},{"name":"Ä","type":"bing","value":"1"}]}',
      /pixels\[1\]: Another pixel has the name "Ä"\.$/,
    ],
    ['{"account":{"features":{"apj":0}}}', /seed\.json: account\.features: Unrecognized key: "apj"\.$/],
  ])("%s is refused", async (text, message) => {
    const seed = join(folder, "seed.json");
    writeFileSync(seed, text);
    await expect(startSandbox({ seed })).rejects.toThrow(message);
    await expect(startSandbox({ seed, data: join(folder, "none.json") })).rejects.toThrow(message);
    expect(existsSync(join(folder, "none.json"))).toBe(false);
  });
});
