// Passwords can't be read, so they are in no receipt. Fails if something that had one comes back open, if a text of one stands anywhere, or
// if the variable that is asked for is not the one that is taken.

import { readFile, readdir } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { startScenario, type Scenario } from "../support/scenario.ts";

const A = "https://example.com/a";
const B = "https://example.com/b";
const NAME = "LINKFORM_SECRET_DOOR_PASSWORD";

async function applied(text: string, seeded: object): Promise<Scenario> {
  const scenario = await startScenario({ seed: { links: [{ alias: "door", domain: 2, url: A, ...seeded }] } });
  await scenario.write(`brake: { deletes: 100%, updates: 100% }\n${text}`);
  expect(await scenario.apply()).toMatchObject({ exit: 0 });
  return scenario;
}

describe("a link with a password that was deleted", () => {
  const FILES = "absent: { links: [go.example.com/door] }\n";

  it("is not made again without it; the warning names the variable", async () => {
    const scenario = await applied(FILES, { password: "hush" });
    const { exit, out, err } = await scenario.undo();
    expect(exit).toBe(1);
    expect(err).toContain("warning[secret-unknown] `go.example.com/door` had a `password`, which can't be read");
    expect(err).toContain(`Set ${NAME} (`);
    expect(out).toBe("Nothing to take back.\nLeft as it is: `go.example.com/door`. Warnings say why.\n");
    expect(scenario.sandbox.state().links).toEqual([]);
  });

  it("is made again with what the variable holds", async () => {
    const scenario = await applied(FILES, { password: "hush", privacy: 2, privacy_password: "silence" });
    const names = { [NAME]: "hush hush", LINKFORM_SECRET_DOOR_PRIVACY_PASSWORD: "keep silence" };
    expect(await scenario.undo({}, "last", { [NAME]: "hush hush" })).toMatchObject({ exit: 1 });
    const { exit, out, err } = await scenario.undo({ verbose: true }, "last", names);
    expect(exit).toBe(0);
    expect(scenario.link("door")).toMatchObject({
      password: "hush hush",
      privacy: 2,
      privacy_password: "keep silence",
    });
    const folder = path.join(scenario.folder, ".linkform/receipts");
    const kept = (await readdir(folder)).filter((file) => file.endsWith(".json"));
    const receipts = await Promise.all(kept.map((file) => readFile(path.join(folder, file), "utf8")));
    expect(receipts).toHaveLength(2);
    for (const text of [out, err, ...receipts]) expect(text).not.toMatch(/hush|silence|sandbox-key/);
  });
});

it("a link that was replaced stays replaced as long as its password is not known", async () => {
  const text = `links: { promo.example.com/gate: { url: "${A}", password: none, renamed_from: go.example.com/door } }\n`;
  const scenario = await applied(text, { password: "hush" });
  const { exit, document } = await scenario.undoDocument();
  expect({ exit, left: document.undo?.left }).toMatchObject({
    exit: 1,
    left: [{ previous_key: "go.example.com/door" }],
  });
  expect(scenario.sandbox.state().links).toMatchObject([{ alias: "gate" }]);
  expect(await scenario.undo({}, "last", { [NAME]: "again" })).toMatchObject({ exit: 0 });
  expect(scenario.sandbox.state().links).toMatchObject([{ alias: "door", domain: 2, password: "again" }]);
});

it("a destination that a password kept does not come back without it", async () => {
  const text = `links: { go.example.com/door: { url: "${B}", password: none } }\n`;
  const scenario = await applied(text, { password: "hush" });
  expect(await scenario.undoDocument()).toMatchObject({ exit: 1 });
  expect(scenario.link("door")).toMatchObject({ url: B, password: null });
  expect(await scenario.undo({}, "last", { [NAME]: "again" })).toMatchObject({ exit: 0 });
  expect(scenario.link("door")).toMatchObject({ url: A, password: "again" });
});

it("a password that was set is taken away, and one that was sent anew is told: what it was before can't be read", async () => {
  const text = `links: { go.example.com/door: { url: "${A}", password: { env: LINKFORM_SECRET_A } } }\n`;
  const set = await applied(text, {});
  expect(await set.undoDocument()).toMatchObject({ exit: 0 });
  expect(set.link("door").password).toBeNull();

  const anew = await startScenario({ seed: { links: [{ alias: "door", domain: 2, url: A, password: "hush" }] } });
  await anew.write(`brake: { updates: 100% }\n${text}`);
  expect(await anew.apply({ resendSecrets: true })).toMatchObject({ exit: 0 });
  const { exit, document } = await anew.undoDocument({ dryRun: true });
  expect({ exit, changes: document.changes, lost: document.undo?.lost }).toMatchObject({
    exit: 0,
    changes: [],
    lost: [{ message: expect.stringContaining(`set ${NAME} to it`) }],
  });
  expect(await anew.undo({}, "last", { [NAME]: "hush" })).toMatchObject({ exit: 0 });
  expect(anew.link("door").password).toBe("hush");
});

it("a password that was sent anew with a new alias comes back with the former one", async () => {
  const scenario = await startScenario({ seed: { links: [{ alias: "door", domain: 2, url: A, password: "hush" }] } });
  const text = `{ url: "${A}", renamed_from: door, password: { env: LINKFORM_SECRET_A } }`;
  await scenario.write(`links: { go.example.com/gate: ${text} }\n`);
  expect(await scenario.apply({ resendSecrets: true })).toMatchObject({ exit: 0 });
  expect(await scenario.undo({}, "last", { [NAME]: "hush" })).toMatchObject({ exit: 0 });
  expect(scenario.link("door").password).toBe("hush");
});

describe("an apply that took a password away and changed other fields", () => {
  const STATS = "LINKFORM_SECRET_DOOR_PRIVACY_PASSWORD";

  it("is undone but for a statistics password that nobody gives", async () => {
    const text = `links: { go.example.com/door: { url: "${B}", privacy: public, privacy_password: none, space: Sales } }\n`;
    const scenario = await applied(text, { privacy: 2, privacy_password: "silence", space: 1 });
    const { exit, document } = await scenario.undoDocument();
    expect({ exit, left: document.undo?.left }).toMatchObject({
      exit: 4,
      left: [{ code: "secret-unknown", fields: ["privacy_password"], hint: expect.stringContaining(`Set ${STATS} `) }],
    });
    // Without a password nobody is let in.
    expect(scenario.link("door")).toMatchObject({ url: A, space: 1, privacy: 2, privacy_password: null });
  });

  it("leaves private statistics private, for a password that nobody gives would open them", async () => {
    const text = `links: { go.example.com/door: { url: "${B}", privacy: private, privacy_password: none } }\n`;
    const scenario = await applied(text, { privacy: 2, privacy_password: "silence" });
    const { document } = await scenario.undoDocument();
    expect(document.undo?.left).toMatchObject([{ fields: ["privacy_password", "privacy"] }]);
    expect(scenario.link("door")).toMatchObject({ url: A, privacy: 1 });
  });

  it("leads no visitor past the password, and restores all else", async () => {
    const text = `links: { go.example.com/door: { url: "${B}", password: none, disabled: true, space: Sales } }\n`;
    const scenario = await applied(text, { password: "hush", space: 1 });
    const { exit, document } = await scenario.undoDocument();
    expect({ exit, fields: document.undo?.left.map(({ fields }) => fields) }).toEqual({
      exit: 4,
      fields: [["password", "url", "disabled"]],
    });
    expect(scenario.link("door")).toMatchObject({ url: B, password: null, disabled: 1, space: 1 });
  });

  it("is finished by the command of the warning, which names the receipt, once the password is given", async () => {
    const text = `links: { go.example.com/door: { url: "${B}", password: none, space: Sales } }\n`;
    const scenario = await applied(text, { password: "hush", space: 1 });
    const { document } = await scenario.undoDocument();
    const [, receipt = ""] = /`linkform undo ([^`]+)`/.exec(document.undo?.left[0]?.hint ?? "") ?? [];
    expect(await scenario.undo({}, receipt, { [NAME]: "hush" })).toMatchObject({ exit: 0 });
    expect(scenario.link("door")).toMatchObject({ url: A, password: "hush", space: 1 });
  });
});
