// Notifications: fails if a run that changed or failed is not announced, if a quiet one is, if the address is printed, or if a chat
// that does not answer changes the result of a run.
import { createServer } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { apply } from "../../src/cli/apply.ts";
import { drift } from "../../src/cli/drift.ts";
import { undo } from "../../src/undo/command.ts";
import type { World } from "../../src/session/context.ts";
import { startSandbox } from "../support/sandbox.ts";
import { runIn, temporaryFolder, writeFiles, type Ran } from "../support/scenario.ts";

const SECRET_PATH = "/services/T000/very-secret-path";

interface Chat {
  readonly url: string;
  readonly texts: readonly string[];
}

/** A webhook that answers with this status. */
async function startChat(status = 200): Promise<Chat> {
  const texts: string[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      if (request.url === SECRET_PATH) texts.push(JSON.parse(body).text);
      response.writeHead(status, { location: "/elsewhere" }).end("ok");
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => void server.close());
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("no port");
  return { url: `http://127.0.0.1:${address.port}${SECRET_PATH}`, texts };
}

/** Runs a command on a project with these links; a link `old` with clicks is live. */
async function runOn(
  links: string,
  env: Readonly<Record<string, string>>,
  ...commands: ((world: World) => Promise<number>)[]
): Promise<Ran[]> {
  const sandbox = await startSandbox({
    rateLimit: 0,
    seed: { links: [{ alias: "old", domain: 2, url: "https://example.com/old?token=1", clicks: 412 }] },
  });
  onTestFinished(() => sandbox.close());
  const folder = await temporaryFolder();
  await writeFiles(folder, { "linkform.yaml": `version: 1\nservice: { base_url: "${sandbox.url}" }\n${links}` });
  const ran: Ran[] = [];
  for (const command of commands)
    ran.push(
      await runIn(folder, { LINKFORM_API_KEY: sandbox.apiKey, LINKFORM_BASE_URL: sandbox.url, ...env }, command),
    );
  for (const { out, err } of ran) expect(`${out}${err}`).not.toContain("very-secret-path");
  return ran;
}

const applyNow = (world: World): Promise<number> => apply(world, { yes: true, receipt: "r.json" });
const UNCHANGED = 'links: { go.example.com/old: { url: "https://example.com/old?token=1" } }\n';
const DELETED = "absent: { links: [go.example.com/old] }\n";
const CI = {
  GITHUB_ACTIONS: "true",
  GITHUB_SERVER_URL: "https://github.example",
  GITHUB_REPOSITORY: "acme/links",
  GITHUB_RUN_ID: "7",
};

describe("a notification", () => {
  it("names the result, what breaks, the undo command and the page of the run", async () => {
    const { url, texts } = await startChat();
    const ran = await runOn(DELETED, { ...CI, LINKFORM_NOTIFY_URL: url }, applyNow, (world) =>
      undo(world, { yes: true }, "r.json"),
    );
    expect(ran.map(({ exit, err }) => (exit === 0 ? 0 : err))).toEqual([0, 0]);
    expect(texts).toHaveLength(2);
    expect(texts[0]).toMatch(
      /^linkform apply linkform\.yaml: Done: 1 deleted\.\n1 short URL stopped working \(412 clicks so far\)\.\nTo undo: linkform undo r\.json\nhttps:\/\/github\.example\/acme\/links\/actions\/runs\/7$/,
    );
    expect(texts[1]).toMatch(/^linkform undo linkform\.yaml: Done: 1 created\./);
    expect(texts.join()).not.toMatch(/token|<|example\.com\/old/);
  });

  it("is sent about drift and failures, and escapes what Slack would read as markup", async () => {
    const { url, texts } = await startChat();
    const env = { LINKFORM_NOTIFY_URL: url };
    await runOn("links: { go.example.com/old: { url: https://example.com/new } }\n", env, (world) => drift(world, {}));
    await runOn("links: { go.example.com/old: { url: nowhere } }\n", env, applyNow, (world) =>
      drift(world, { config: "<a>&b.yaml" }),
    );
    expect(texts).toEqual([
      "linkform drift linkform.yaml: 1 changed.",
      "linkform apply linkform.yaml: Nothing was applied: 1 error.",
      "linkform drift &lt;a&gt;&amp;b.yaml: Nothing was compared: 1 error.",
    ]);
  });

  it("is not sent if nothing happened", async () => {
    const { url, texts } = await startChat();
    await runOn(UNCHANGED, { LINKFORM_NOTIFY_URL: url }, applyNow, (world) => drift(world, {}));
    expect(texts).toEqual([]);
  });

  it.each([
    [404, "answered with status 404."],
    [302, "answered with status 302."],
  ])("that the chat does not take (%i) is a warning", async (status, says) => {
    const { url, texts } = await startChat(status);
    const [ran] = await runOn(DELETED, { LINKFORM_NOTIFY_URL: url }, applyNow);
    expect(ran?.exit).toBe(0);
    expect(ran?.err).toContain("warning[not-notified] The notification was not sent. ");
    expect(ran?.err).toContain(says);
    expect(texts).toHaveLength(1);
  });

  it.each([
    [`http://chat.example${SECRET_PATH}`, "is not a URL that starts with https://"],
    [`very-secret-path`, "is not a URL that starts with https://"],
    [`http://127.0.0.1:1${SECRET_PATH}`, "127.0.0.1:1"],
  ])("to %s is a warning that does not show the address", async (address, says) => {
    const [ran] = await runOn(DELETED, {}, (world) => apply(world, { yes: true, notify: address }));
    expect(ran?.exit).toBe(0);
    expect(ran?.err).toContain(says);
  });
});
