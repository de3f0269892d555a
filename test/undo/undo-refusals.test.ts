// What an undo must not do, and invalid records. Fails if a brake, a protection or the scope does not apply to an undo, if linkform undoes
// anything but a complete record of this service, or if an error does not say what to do.

import { cp, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { runIn, startScenario, type Ran, type Scenario, startWith } from "../support/scenario.ts";
import { startProxy } from "../support/proxy.ts";
import { undo } from "../../src/cli/apply.ts";
import { withDigests } from "../support/record-lines.ts";
import { send } from "../support/through.ts";
import { applied } from "../support/undone.ts";

const FILES = `links:
${["a", "b", "c", "d"].map((alias) => `  go.example.com/${alias}: { url: https://example.com/${alias} }\n`).join("")}`;

async function appliedFiles(text = FILES): Promise<Scenario> {
  const scenario = await startWith(text);
  expect(await scenario.apply({ record: "record.jsonl" })).toMatchObject({ exit: 0 });
  return scenario;
}

/** The output of an undo that must not write anything. */
async function refused(scenario: Scenario, record = "record.jsonl", flags = {}): Promise<Ran> {
  const before = scenario.writes();
  const ran = await scenario.undo(flags, record);
  expect(scenario.writes()).toEqual(before);
  return ran;
}

const clicked = async ({ sandbox }: Scenario, clicks: () => number): Promise<string> =>
  startProxy(
    sandbox.url,
    () => "forward",
    (body) => body.replaceAll('"clicks":0', `"clicks":${clicks()}`),
  );

describe("an undo follows the policy of the project", () => {
  it("stops at its brake and names the flag that allows the undo", async () => {
    const scenario = await appliedFiles();
    const { exit, out } = await refused(scenario);
    expect(exit).toBe(3);
    expect(out).toContain("--allow-deletes 4");
    expect(await scenario.undo({ allowDeletes: 4 }, "record.jsonl")).toMatchObject({ exit: 0 });
  });

  // A record elsewhere may be from somebody else, and deletes of clicked links lose their clicks.
  it("does not count what the run created and nobody has changed or clicked, if its own folder has the record", async () => {
    const scenario = await startWith(FILES);
    let clicks = 0;
    const baseUrl = await clicked(scenario, () => clicks);
    const { out } = await scenario.apply({ baseUrl });
    const [, record = ""] = /To undo: linkform undo (\S+)/.exec(out) ?? [];
    clicks = 1;
    const lost = expect.stringContaining("the 1 click since the apply");
    expect(await scenario.undo({ baseUrl }, record)).toMatchObject({ exit: 3, out: lost });
    clicks = 0;
    expect(await scenario.undo({ baseUrl, dryRun: true }, record)).toMatchObject({ exit: 0 });
    await cp(path.join(scenario.folder, record), path.join(scenario.folder, "copy.jsonl"));
    expect(await scenario.undo({ baseUrl }, "copy.jsonl")).toMatchObject({ exit: 3 });
    expect(await scenario.undo({ baseUrl }, record)).toMatchObject({ exit: 0 });
    expect(scenario.sandbox.state().links).toEqual([]);
  });

  // Fails if links of somebody else are deleted without the brake, because a killed run meant to create the same ones.
  it("counts links whose ids a killed run did not record", async () => {
    const scenario = await startWith(FILES);
    const { out } = await scenario.apply();
    const [, record = ""] = /To undo: linkform undo (\S+)/.exec(out) ?? [];
    const text = await readFile(path.join(scenario.folder, record), "utf8");
    await writeFile(path.join(scenario.folder, record), text.replace(/\n[^\n]*"event":"answer".*/s, "\n"));
    const ran = await refused(scenario, record);
    expect(ran.exit).toBe(3);
    for (const said of ["That run did not finish", "--allow-deletes 4"]) expect(ran.out).toContain(said);
    expect(ran.err).toContain("warning[in-doubt] It is unknown whether that run changed `go.example.com/d`.");
    expect(ran.err).toContain(`${record}:3:1`);
    await send(scenario, "PUT", `/api/v1/links/${scenario.link("d").id}`, "url=https://example.com/since");
    const { document } = await scenario.undoDocument({ allowDeletes: 3 }, record);
    expect(document.undo?.left).toMatchObject([{ code: "not-ours", key: "go.example.com/d" }]);
    expect(scenario.sandbox.state().links.map(({ alias }) => alias)).toEqual(["d"]);
  });

  it("finds the records that a run stored before it was killed", async () => {
    const text = `links: { promo.example.com/sale: { url: https://example.com/, renamed_from: go.example.com/sale } }\n`;
    const scenario = await startWith(text, { links: [{ domain: 2, url: "https://example.com/", alias: "sale" }] });
    const baseUrl = await clicked(scenario, () => 3);
    expect(await scenario.apply({ baseUrl })).toMatchObject({ exit: 0 });
    const file = path.join(scenario.folder, ".linkform/runs/20261121T120000Z-1.jsonl");
    await writeFile(file, (await readFile(file, "utf8")).replace(/\n[^\n]*"event":"ended".*/s, "\n"));
    const lost = [{ message: expect.stringContaining("its 3 clicks") }, { message: "the 3 clicks since the apply." }];
    const document = { diagnostics: [], undo: { lost } };
    expect(await scenario.undoDocument({ baseUrl })).toMatchObject({ exit: 0, document });
    expect(scenario.sandbox.state().links).toMatchObject([{ alias: "sale", domain: 2 }]);
  });

  // Fails if the links of other domains are read, too, or if an undo of few changes does not know what the files name.
  it("reads all objects that the files name: shares of its brake are of them, and those that it does not undo are not pending", async () => {
    const aliases = Array.from({ length: 350 }, (_, at) => `spring-sale-${at}x`);
    const entries = aliases.map(
      (alias, at) => `  go.example.com/${alias}: { url: https://example.com/${at < 2 ? "new" : ""} }\n`,
    );
    const links = [3, 2].flatMap((domain) => aliases.map((alias) => ({ alias, domain, url: "https://example.com/" })));
    const scenario = await startWith(`brake: { updates: 1% }\nlinks:\n${entries.join("")}`, { links });
    expect(await scenario.apply()).toMatchObject({ exit: 0 });
    const keys = ["go.example.com/spring-sale-0x", "go.example.com/spring-sale-1x"];
    const document = { undo: { pending: 0, files: [{ keys }] }, requests: { read: 6 } };
    expect(await scenario.undoDocument()).toMatchObject({ exit: 0, document });
  });

  it("does not change objects that a glob or a block protects, and can undo the rest", async () => {
    for (const protection of [
      'protect: ["go.example.com/a"]\n' + FILES,
      FILES.replace("/a }", "/a, protect: true }"),
    ]) {
      const scenario = await appliedFiles(FILES);
      await scenario.write(`brake: { deletes: 100% }\n${protection}`);
      const { exit, err } = await refused(scenario);
      expect(exit).toBe(1);
      expect(err).toContain("error[protected] `go.example.com/a` is protected");
      expect(await scenario.undo({ exclude: ["go.example.com/a"] }, "record.jsonl")).toMatchObject({ exit: 0 });
      expect(scenario.sandbox.state().links.map(({ alias }) => alias)).toEqual(["a"]);
    }
  });

  it("does not leave its scope", async () => {
    const scenario = await appliedFiles();
    await scenario.write("scope: { domains: [promo.example.com] }\nbrake: { deletes: 100% }\n");
    expect((await refused(scenario)).err).toContain("error[outside-scope]");
  });

  it("needs valid files", async () => {
    const scenario = await appliedFiles();
    await scenario.write("links: { go.example.com/a: { uri: x } }\n");
    expect((await refused(scenario)).exit).toBe(1);
  });
});

it("--target undoes only some changes, and a second undo can revert the rest", async () => {
  const scenario = await appliedFiles();
  expect(await scenario.undo({ target: ["*/b"] }, "record.jsonl")).toMatchObject({ exit: 0 });
  expect(scenario.sandbox.state().links.map(({ alias }) => alias)).toEqual(["a", "c", "d"]);
  const { err } = await refused(scenario, "record.jsonl", { target: ["*/x"] });
  expect(err).toContain("`--target */x` matches nothing that record.jsonl would undo.");
});

it("changes that `allow` or --exclude leave out are reported as withheld", async () => {
  const scenario = await appliedFiles();
  const out = "Nothing was undone: all changes are left out.\n";
  expect(await scenario.undo({ exclude: ["*"] }, "record.jsonl")).toMatchObject({ exit: 0, out });
  await scenario.write(`allow: [update]\n${FILES}  go.example.com/e: { url: https://example.com/e }\n`);
  expect((await scenario.undoDocument({}, "record.jsonl")).document.undo).toMatchObject({ pending: 1, left: [] });
});

it("losses are reported for all changes that are made: targeted by either key, or needed by a target", async () => {
  const link = { domain: 2, url: "https://example.com/", clicks: 7 };
  const text = `links: { promo.example.com/sale: { url: https://example.com/, renamed_from: go.example.com/sale } }
absent: { links: [go.example.com/x], pixels: [Old] }\n`;
  const scenario = await applied(text, {
    pixels: [{ name: "Old", type: "bing", value: "1" }],
    links: [
      { ...link, alias: "sale" },
      { ...link, alias: "x", pixels: [1] },
    ],
  });
  const sale = ["go.example.com/sale: its id 1 and its 7 clicks."];
  for (const [target, losses] of [
    ["promo.example.com/sale", sale],
    ["go.example.com/sale", sale],
    ["go.example.com/x", ["go.example.com/x: its id 2 and its 7 clicks.", "Old: its id 1. It is created again"]],
  ] as const) {
    const { document } = await scenario.undoDocument({ dryRun: true, target: [target] });
    expect(document.changes).toHaveLength(losses.length);
    const lost = document.undo?.lost.map(({ key, message }) => `${key}: ${message}`);
    expect(lost).toEqual(losses.map((loss) => expect.stringContaining(loss)));
  }
});

it("a link that keeps its new key because its password is unknown is selected by its former key, too", async () => {
  const scenario = await startWith(
    'links: { go.example.com/gate: { url: "https://example.com/", password: none, space: Sales, renamed_from: door } }\n',
    { links: [{ alias: "door", domain: 2, url: "https://example.com/", password: "hush", space: 1 }] },
  );
  expect(await scenario.apply()).toMatchObject({ exit: 0 });
  const paths = async (flags: object): Promise<unknown> => {
    const { document } = await scenario.undoDocument({ dryRun: true, ...flags });
    return document.changes.map(({ key, fields }) => [key, fields.map(({ path: field }) => field)]);
  };
  expect(await paths({ exclude: ["go.example.com/door"] })).toEqual([]);
  for (const target of ["go.example.com/door", "go.example.com/gate", "2/DOOR"])
    expect(await paths({ target: [target] })).toEqual([["go.example.com/gate", ["space"]]]);
});

it("changes that are not selected are not reported, and a glob may match changes that are skipped or already undone", async () => {
  const scenario = await appliedFiles(`brake: { deletes: 100% }\n${FILES}`);
  await send(scenario, "PUT", `/api/v1/links/${scenario.link("a").id}`, "url=https://example.com/since");
  const [a, b] = ["go.example.com/a", "go.example.com/b"];
  expect(await scenario.undo({ target: [b, "*/c"] }, "record.jsonl")).toMatchObject({ exit: 0 });
  const again = await scenario.undoDocument({ target: [b] }, "record.jsonl");
  expect(again.document).toMatchObject({ changes: [], undo: { already: 2 } });
  const document = { changes: [], undo: { left: [{ key: a }] } };
  expect(await scenario.undoDocument({ target: [a] }, "record.jsonl")).toMatchObject({ exit: 1, document });
  expect(await scenario.undo({ exclude: [a, b] }, "record.jsonl")).toMatchObject({ exit: 0 });
  expect(scenario.sandbox.state().links.map(({ alias }) => alias)).toEqual(["a"]);
});

describe("a record", () => {
  it.each<[string, (text: string) => string, string]>([
    [
      "that was cut before the state of all objects",
      (text) => text.slice(0, text.indexOf('"event":"change"')),
      "error[record-incomplete] record.jsonl was cut off before the state of all objects",
    ],
    ["that is something else", () => '{"a": 1}', "error[not-a-record] record.jsonl is not the record of a run."],
    [
      "that somebody altered",
      (text) => text.replaceAll("https://example.com/a", "https://example.com/evil"),
      "error[record-altered]",
    ],
    [
      "of a later version",
      (text) => text.replace('"format_version":"1.0"', '"format_version":"2.0"'),
      "error[record-version] record.jsonl has format version 2.0, but this version of linkform reads 1.x.",
    ],
    [
      "with a link without a destination",
      (text) => withDigests(text.replaceAll('"url":"https://example.com/b"', '"url":null')),
      "error[record-unknown] record.jsonl has a key or value that this version of linkform does not know: `4.after.url`.",
    ],
    [
      "with a state before a create",
      (text) => withDigests(text.replace('"clicks":null,"before":null', '"clicks":null,"before":{}')),
      "error[record-unknown] record.jsonl has a key or value that this version of linkform does not know: `3.action`.",
    ],
    [
      "with an unknown call",
      (text) => withDigests(text.replace('"call":"store"', '"call":"stow"')),
      "error[record-unknown] record.jsonl has a key or value that this version of linkform does not know: `7.call`.",
    ],
  ])("%s is refused", async (_name, change, message) => {
    const scenario = await appliedFiles();
    const file = path.join(scenario.folder, "record.jsonl");
    await writeFile(file, change(await readFile(file, "utf8")));
    const { exit, err } = await refused(scenario);
    expect(exit).toBe(1);
    expect(err).toContain(message);
    expect(err).toContain("nothing was undone");
  });

  it("is not a saved plan", async () => {
    const scenario = await appliedFiles();
    await scenario.write(FILES.replace("/a }", "/z }"));
    await scenario.plan({ out: "plan.json" });
    expect((await refused(scenario, "plan.json")).err).toContain("plan.json is a saved plan");
  });

  it("of another service is refused before any request", async () => {
    const [one, other] = [await appliedFiles(), await startScenario()];
    await other.write(FILES);
    await cp(path.join(one.folder, "record.jsonl"), path.join(other.folder, "record.jsonl"));
    const before = other.sandbox.requests.length;
    const { exit, err } = await refused(other);
    expect(exit).toBe(1);
    expect(err).toContain(
      `record.jsonl is a record for ${one.sandbox.url}, but this run connects to ${other.sandbox.url}.`,
    );
    expect(other.sandbox.requests.length).toBe(before);
  });

  it("that does not exist is an error, and so is `last` without any record", async () => {
    const scenario = await appliedFiles();
    expect((await refused(scenario, "other.json")).err).toContain("The record other.json cannot be read (ENOENT).");
    expect((await refused(scenario, "last")).err).toContain(
      "This project has no record for linkform.yaml in .linkform/runs.",
    );
  });

  it("is not overwritten by the record of the undo", async () => {
    const scenario = await appliedFiles();
    expect(await refused(scenario, "record.jsonl", { record: "./record.jsonl" })).toMatchObject({ exit: 64 });
  });
});

it("without a terminal, undo needs --yes or --dry-run", async () => {
  const scenario = await appliedFiles();
  const ask = await runIn(scenario.folder, scenario.env, (world) => undo(world, {}, "record.jsonl"));
  expect({ exit: ask.exit, err: ask.err.includes("--dry-run") }).toEqual({ exit: 64, err: true });
  const before = scenario.writes();
  expect(await scenario.undo({ yes: false, dryRun: true, allowDeletes: 4 }, "record.jsonl")).toMatchObject({ exit: 0 });
  expect(scenario.writes()).toEqual(before);
});

it("if the service no longer accepts a value, the hint does not ask to edit the record", async () => {
  const links = [{ alias: "a", domain: 2, url: "https://example.com/a b" }];
  const scenario = await applied("links: { go.example.com/a: { url: https://example.com/c } }\n", { links });
  const { exit, out } = await scenario.undo();
  expect(exit).toBe(1);
  expect(out).toContain("Fix the errors above or skip their changes with --exclude, and run `linkform undo ");
});
