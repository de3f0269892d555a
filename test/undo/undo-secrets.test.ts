// Passwords cannot be read, so records do not contain them. Fails if an undo restores something without its password, if a password appears
// anywhere, or if undo reads another variable than the one that it asks for.

import { readFile, readdir } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { itWhere } from "../support/sandbox.ts";
import { type Scenario, startWith } from "../support/scenario.ts";
import { applied } from "../support/undone.ts";

const A = "https://example.com/a";
const B = "https://example.com/b";
const NAME = "LINKFORM_SECRET_DOOR_PASSWORD";
const STATS = "LINKFORM_SECRET_DOOR_PRIVACY_PASSWORD";

/** A scenario in which these files were applied to an account with a link, which has these fields. */
const appliedTo = (text: string, seeded: object): Promise<Scenario> =>
  applied(text, { links: [{ alias: "door", domain: 2, url: A, ...seeded }] });

const FILES = "absent: { links: [go.example.com/door] }\n";

it("a link with a password that was deleted is not recreated without it, and the warning names the variable", async () => {
  const scenario = await appliedTo(FILES, { password: "hush" });
  const { exit, out, err } = await scenario.undo();
  expect(exit).toBe(1);
  expect(err).toContain("warning[secret-unknown] `go.example.com/door` had a `password`, which linkform cannot read");
  expect(err).toContain(`Set ${NAME} to the former password or a new one`);
  expect(out).toBe("Nothing to undo.\nNot fully restored: `go.example.com/door`. The warnings give the reasons.\n");
  expect(scenario.sandbox.state().links).toEqual([]);
});

it("a link with a password that was deleted is recreated with the value of the variable", async () => {
  const scenario = await appliedTo(FILES, { password: "hush", privacy: 2, privacy_password: "silence" });
  const names = { [NAME]: "hush hush", [STATS]: "keep silence" };
  expect(await scenario.undo({}, "last", { [STATS]: "a" })).toMatchObject({ exit: 1 });
  const { exit, out, err } = await scenario.undo({ verbose: true }, "last", names);
  expect(exit).toBe(0);
  const found = { password: "hush hush", privacy: 2, privacy_password: "keep silence" };
  expect(scenario.link("door")).toMatchObject(found);
  const folder = path.join(scenario.folder, ".linkform/runs");
  const kept = (await readdir(folder)).filter((file) => file.endsWith(".jsonl"));
  const records = await Promise.all(kept.map((file) => readFile(path.join(folder, file), "utf8")));
  expect(records).toHaveLength(2);
  for (const text of [out, err, ...records]) expect(text).not.toMatch(/hush|silence|sandbox-key/);
});

it.each([
  [{ privacy: 2 }, 1, ["privacy", "privacy_password"]],
  [{ privacy: 0 }, 0, ["privacy_password"]],
  [{ privacy: 1 }, 1, ["privacy_password"]],
])(
  "a link whose statistics password is not set is created again with statistics that are no more public than before: %j",
  async (seeded, privacy, fields) => {
    const scenario = await appliedTo("absent: { links: [go.example.com/door] }\n", {
      ...seeded,
      password: "hush",
      privacy_password: "silence",
    });
    const { exit, out, err } = await scenario.undo({}, "last", { [NAME]: "hush" });
    expect(exit).toBe(4);
    expect(scenario.link("door")).toMatchObject({ url: A, password: "hush", privacy, privacy_password: null });
    expect(err).toContain(`Set ${STATS} to the former password or a new one`);
    expect(out).toContain("Not fully restored: `go.example.com/door`. The warnings give the reasons.");
    // A second undo changes nothing, and still reports what is missing.
    const before = scenario.sandbox.state();
    const files = await readdir(path.join(scenario.folder, ".linkform/runs"));
    const [record = ""] = files.filter((file) => file.endsWith(".jsonl")).toSorted();
    const { exit: again, document } = await scenario.undoDocument({}, `.linkform/runs/${record}`);
    expect([again, document.changes, document.undo?.left]).toMatchObject([1, [], [{ code: "secret-unknown", fields }]]);
    expect(scenario.sandbox.state()).toEqual(before);
  },
);

it("a link whose statistics password is not set is created again when it was replaced, and its successor is deleted", async () => {
  const text = `links: { promo.example.com/gate: { url: "${A}", privacy: private, privacy_password: none, renamed_from: go.example.com/door } }\n`;
  const scenario = await appliedTo(text, { privacy: 2, privacy_password: "silence" });
  const left = [{ fields: ["privacy", "privacy_password"] }];
  expect(await scenario.undoDocument()).toMatchObject({ exit: 4, document: { undo: { left } } });
  expect(scenario.sandbox.state().links).toMatchObject([{ alias: "door", privacy: 1, privacy_password: null }]);
});

it("a replaced link is not recreated while its password is unknown", async () => {
  const text = `links: { promo.example.com/gate: { url: "${A}", password: none, renamed_from: go.example.com/door } }\n`;
  const scenario = await appliedTo(text, { password: "hush" });
  const left = [{ previous_key: "go.example.com/door" }];
  expect(await scenario.undoDocument()).toMatchObject({ exit: 1, document: { undo: { left } } });
  expect(scenario.sandbox.state().links).toMatchObject([{ alias: "gate" }]);
  expect(await scenario.undo({}, "last", { [NAME]: "again" })).toMatchObject({ exit: 0 });
  expect(scenario.sandbox.state().links).toMatchObject([{ alias: "door", domain: 2, password: "again" }]);
});

it("a destination that a password protected is not restored without it", async () => {
  const text = `links: { go.example.com/door: { url: "${B}", password: none } }\n`;
  const scenario = await appliedTo(text, { password: "hush" });
  expect(await scenario.undoDocument()).toMatchObject({ exit: 1 });
  expect(scenario.link("door")).toMatchObject({ url: B, password: null });
  expect(await scenario.undo({}, "last", { [NAME]: "again" })).toMatchObject({ exit: 0 });
  expect(scenario.link("door")).toMatchObject({ url: A, password: "again" });
});

it("a password that was set is removed, and one that was sent again is reported: its former value cannot be read", async () => {
  const text = `links: { go.example.com/door: { url: "${A}", password: { env: LINKFORM_SECRET_A } } }\n`;
  const set = await appliedTo(text, {});
  expect(await set.undoDocument()).toMatchObject({ exit: 0 });
  expect(set.link("door").password).toBeNull();

  const next = await startWith(`brake: { updates: 100% }\n${text}`, {
    links: [{ alias: "door", domain: 2, url: A, password: "hush" }],
  });
  expect(await next.apply({ resendSecrets: true })).toMatchObject({ exit: 0 });
  const lost = [{ message: "the former `password`, which linkform cannot read. Set it in the files." }];
  const document = { changes: [], undo: { lost } };
  expect(await next.undoDocument({ dryRun: true })).toMatchObject({ exit: 0, document });
});

describe("an apply that took a password away and changed other fields", () => {
  it("is undone except for a statistics password that is not set", async () => {
    const text = `links: { go.example.com/door: { url: "${B}", privacy: public, privacy_password: none, space: Sales } }\n`;
    const scenario = await appliedTo(text, { privacy: 2, privacy_password: "silence", space: 1 });
    const hint = expect.stringContaining(`Set ${STATS} `);
    const left = [{ code: "secret-unknown", fields: ["privacy_password"], hint }];
    expect(await scenario.undoDocument()).toMatchObject({ exit: 4, document: { undo: { left } } });
    // Without a password, nobody has access.
    expect(scenario.link("door")).toMatchObject({ url: A, space: 1, privacy: 2, privacy_password: null });
  });

  it("leaves private statistics private, because without their password they would be open", async () => {
    const text = `links: { go.example.com/door: { url: "${B}", privacy: private, privacy_password: none } }\n`;
    const scenario = await appliedTo(text, { privacy: 2, privacy_password: "silence" });
    const { document } = await scenario.undoDocument();
    expect(document.undo?.left).toMatchObject([{ fields: ["privacy_password", "privacy"] }]);
    expect(scenario.link("door")).toMatchObject({ url: A, privacy: 1 });
  });

  itWhere("disabled links")(
    "does not expose a destination without its password, and restores everything else",
    async () => {
      const text = `links: { go.example.com/door: { url: "${B}", password: none, disabled: true, space: Sales, expiration: { date: 2027-01-01, clicks: 8 } } }\n`;
      const seeded = { password: "hush", space: 1, ends_at: "2027-03-31T00:00:00.000Z", expiration_clicks: 9 };
      const scenario = await appliedTo(text, seeded);
      const left = [{ fields: ["password", "url", "disabled", "expiration.date", "expiration.clicks"] }];
      expect(await scenario.undoDocument()).toMatchObject({ exit: 4, document: { undo: { left } } });
      expect(scenario.link("door")).toMatchObject({ url: B, password: null, disabled: 1, space: 1 });
      // Nothing else can be restored now.
      const again = await scenario.undo({}, ".linkform/runs/20261121T120000Z-1.jsonl");
      expect(again.exit).toBe(1);
      expect(again.out).toContain("Not fully restored: `go.example.com/door`. The warnings give the reasons.");
    },
  );

  it("is completed by the command in the warning, which names the record, after the password is set", async () => {
    const text = `links: { go.example.com/door: { url: "${B}", password: none, expiration: { clicks: 9 } } }\n`;
    const scenario = await appliedTo(text, { password: "hush", expiration_clicks: 8 });
    const { document } = await scenario.undoDocument();
    expect(scenario.link("door")).toMatchObject({ url: B, expiration_clicks: 8 });
    const [, record = ""] = /`linkform undo ([^`]+)`/.exec(document.undo?.left[0]?.hint ?? "") ?? [];
    expect(await scenario.undo({}, record, { [NAME]: "hush" })).toMatchObject({ exit: 0 });
    expect(scenario.link("door")).toMatchObject({ url: A, password: "hush" });
    expect((await scenario.undoDocument({}, record)).document.undo?.lost).toEqual([]);
  });
});

it.each([
  [`${A}?first%20secret`, B],
  [A, `${B}?first%20secret`],
  [`${A}?first%20secret`, `${B}?first%20secret`],
])(
  "a link whose destination contained a password, before or after, keeps its other fields too: %s, %s",
  async (was, is) => {
    const text = `links: { go.example.com/door: { url: "${is}", privacy: private } }\n`;
    const scenario = await appliedTo(text, { url: was, privacy: 0 });
    const message = expect.stringContaining("the record does not have all values before and after");
    const undo = { left: [{ code: "moved", message }] };
    expect(await scenario.undoDocument({ force: true })).toMatchObject({ exit: 1, document: { undo } });
    expect(scenario.link("door")).toMatchObject({ url: is, privacy: 1 });
  },
);

it("a deleted link whose destination contained a password is not created again, because the record does not have it", async () => {
  const scenario = await appliedTo("absent: { links: [go.example.com/door] }\n", { url: `${A}?first%20secret` });
  const message = expect.stringContaining("does not have its `url`");
  const left = [{ key: "go.example.com/door", message, hint: "Create it in the files." }];
  const document = { changes: [], undo: { left } };
  expect(await scenario.undoDocument({ force: true })).toMatchObject({ exit: 1, document });
});

it("an error in one change, here a former date that the service cannot store, says how to undo the rest", async () => {
  const block = `{ url: "${B}", expiration: none }`;
  const scenario = await applied(`links: { go.example.com/door: ${block}, go.example.com/gate: ${block} }\n`, {
    account: { timezone: "Europe/Berlin" },
    links: [
      { alias: "door", domain: 2, url: A, ends_at: "2027-10-31T00:30:00.000Z" },
      { alias: "gate", domain: 2, url: A },
    ],
  });
  const { exit, err } = await scenario.undo();
  expect(exit).toBe(1);
  expect(err).toMatch(/^error\[date-twice\] [^]*To undo the rest, skip `go\.example\.com\/door` with --exclude\.$/m);
  expect(await scenario.undo({ exclude: ["*/door"] })).toMatchObject({ exit: 0 });
  expect(["door", "gate"].map((alias) => scenario.link(alias).url)).toEqual([B, A]);
});
