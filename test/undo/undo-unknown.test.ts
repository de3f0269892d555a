// Fields that the service did not return during the apply are not in the record. Fails if an undo sets such a field to its default without
// --force, or if the loss is not reported.

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

it.each([
  ["password", returnedName("password") ?? "", { password: null, space: 1 }],
  ["space", "space", { password: "hush", space: null }],
])("a link whose `%s` the record does not have is recreated only with --force", async (field, hidden, row) => {
  const { scenario, undone } = await appliedWithout(hidden, "absent: { links: [go.example.com/a] }\n");
  const left = [{ code: "would-open", message: expect.stringContaining(`does not have its \`${field}\``) }];
  expect(await undone()).toMatchObject({ exit: 1, document: { undo: { left } } });
  const forced = await undone({ force: true });
  expect(forced.document.undo?.lost.map(({ message }) => message)).toContainEqual(
    `the former \`${field}\`, which the record does not have.`,
  );
  expect([forced.exit, scenario.link("a")]).toMatchObject([0, row]);
});

it("a destination is not restored if its link may lack the password that it had, unless --force is given", async () => {
  const files = 'links: { go.example.com/a: { url: "https://example.com/b", password: none } }\n';
  const scenario = await startWith(files, { links: [{ ...live, password: "hush" }] });
  expect(await scenario.apply()).toMatchObject({ exit: 0 });
  const baseUrl = await without(scenario, returnedName("password") ?? "");
  const file = path.join(scenario.folder, ".linkform/runs/20261121T120000Z-1.jsonl");
  await writeFile(file, withDigests((await readFile(file, "utf8")).replaceAll(scenario.sandbox.url, baseUrl)));
  const message = expect.stringContaining("the service does not return its `password` now");
  const document = { changes: [], undo: { left: [{ code: "would-open", message }] } };
  expect(await scenario.undoDocument({ baseUrl })).toMatchObject({ exit: 1, document });
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
  const file = `version: 1\nservice: { base_url: "${baseUrl}" }\n${line}\n`;
  await writeFiles(scenario.folder, { "linkform.yaml": file });
  const unplaced = await scenario.undoDocument({ dryRun: true });
  const lost = ["its id 1. The short URL", "the space `Sales`, which linkform did not find in this account."];
  expect([unplaced.exit, unplaced.document.undo?.lost.map(({ message }) => message)]).toEqual([
    0,
    lost.map((message) => expect.stringContaining(message)),
  ]);
  expect(unplaced.document.changes[0]?.fields.map(({ path: field }) => field)).not.toContain("space");
  await writeFiles(scenario.folder, { "linkform.yaml": `${file}spaces: { Sales: { id: 2, name: Sales } }\n` });
  expect(await scenario.undo({})).toMatchObject({ exit: 0 });
  expect(scenario.link("a")).toMatchObject({ ...live, space: 2 });
});
