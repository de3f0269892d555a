// Fields that the service did not return during the apply are not in the record. Fails if an undo sets such a field to its default, if a link
// that may have had a password is recreated without one, or if the loss is not reported.

import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { apply, undo } from "../../src/cli/apply.ts";
import type { ApplyDocument } from "../../src/report/json/schema.ts";
import { withDigests } from "../support/record-lines.ts";
import { startProxy } from "../support/proxy.ts";
import { returnedName } from "../support/sandbox.ts";
import { runIn, writeFiles, type Scenario, startWith } from "../support/scenario.ts";

const live = { url: "https://example.com/", domain: 2, alias: "a" };

/** The same service, but its responses for links do not have this key. */
async function without(scenario: Scenario, hidden: string): Promise<string> {
  return startProxy(
    scenario.sandbox.url,
    () => "forward",
    (body, url) =>
      url.includes("/links")
        ? JSON.stringify(JSON.parse(body), (key, value: unknown) => (key === hidden ? undefined : value))
        : body,
  );
}

async function appliedWithout(
  hidden: string,
  files: string,
): Promise<{ scenario: Scenario; undone: (flags?: object) => Promise<{ exit: number; document: ApplyDocument }> }> {
  const scenario = await startWith(files, { links: [{ ...live, password: "hush", space: 1 }] });
  const baseUrl = await without(scenario, hidden);
  const { folder, env } = scenario;
  expect(await runIn(folder, env, (world) => apply(world, { baseUrl, yes: true, quiet: true }))).toMatchObject({
    exit: 0,
  });
  return {
    scenario,
    undone: async (flags = {}) => {
      const all = { baseUrl, yes: true, quiet: true, format: ["json"], ...flags };
      const { exit, out } = await runIn(folder, { ...env, LINKFORM_SECRET_A_PASSWORD: "hush" }, (world) =>
        undo(world, all, "last"),
      );
      return { exit, document: JSON.parse(out) };
    },
  };
}

it("a link that may have had a password is recreated only with --force", async () => {
  const { scenario, undone } = await appliedWithout(
    returnedName("password") ?? "",
    "absent: { links: [go.example.com/a] }\n",
  );
  const { exit, document } = await undone();
  expect({ exit, left: document.undo?.left }).toMatchObject({
    exit: 1,
    left: [{ code: "would-open", message: expect.stringContaining("may have had a `password`") }],
  });
  expect(await undone({ force: true })).toMatchObject({ exit: 0 });
  expect(scenario.link("a")).toMatchObject({ password: null, space: 1 });
});

it("a destination is not restored if its link may lack the password that it had, unless --force is given", async () => {
  const files = 'links: { go.example.com/a: { url: "https://example.com/b", password: none } }\n';
  const scenario = await startWith(files, { links: [{ ...live, password: "hush" }] });
  expect(await scenario.apply()).toMatchObject({ exit: 0 });
  const baseUrl = await without(scenario, returnedName("password") ?? "");
  const file = path.join(scenario.folder, ".linkform/runs/20261121T120000Z-1.jsonl");
  await writeFile(file, withDigests((await readFile(file, "utf8")).replaceAll(scenario.sandbox.url, baseUrl)));
  const { exit, document } = await scenario.undoDocument({ baseUrl });
  expect({ exit, changes: document.changes, left: document.undo?.left }).toMatchObject({
    exit: 1,
    changes: [],
    left: [
      { code: "would-open", message: expect.stringContaining("had a `password`, and the service does not return") },
    ],
  });
  expect(scenario.link("a")).toMatchObject({ url: "https://example.com/b", password: null });
  expect(await scenario.undo({ baseUrl, force: true })).toMatchObject({ exit: 0 });
  expect(scenario.link("a")).toMatchObject({ url: live.url, password: null });
});

it("a domain or space that is in no list is reported as unconfirmed, and the files can confirm it", async () => {
  const scenario = await startWith("absent: { links: [go.example.com/a] }\n", { links: [{ ...live, space: 2 }] });
  const baseUrl = await startProxy(scenario.sandbox.url, (_method, url) =>
    /\/(domains|spaces)\b/.test(url)
      ? { status: 404, body: '{"message":"Resource not found.","status":404}' }
      : "forward",
  );
  expect(await scenario.apply({ baseUrl })).toMatchObject({ exit: 0 });
  const { exit, err } = await scenario.undo({ baseUrl });
  expect({ exit, isGone: /(is|which is) gone/.test(err) }).toEqual({ exit: 1, isGone: false });
  const [line = ""] = /domains: \{.*\} \}/.exec(err) ?? [];
  const file = `version: 1\nservice: { base_url: "${baseUrl}" }\n${line}\nspaces: { Sales: { id: 2, name: Sales } }\n`;
  await writeFiles(scenario.folder, { "linkform.yaml": file });
  expect(await scenario.undo({})).toMatchObject({ exit: 0 });
  expect(scenario.link("a")).toMatchObject({ ...live, space: 2 });
});

it("an unknown field that protects nothing is recreated with its default, which is reported first", async () => {
  const { scenario, undone } = await appliedWithout("space", "absent: { links: [go.example.com/a] }\n");
  const { document } = await undone({ dryRun: true });
  expect(document.undo?.lost.map(({ message }) => message)).toContainEqual(
    "the former `space`, because the service does not return this value.",
  );
  expect(await undone()).toMatchObject({ exit: 0 });
  expect(scenario.link("a")).toMatchObject({ password: "hush", space: null });
});
