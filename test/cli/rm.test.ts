// `linkform rm` on real files and the sandbox. Fails if a block does not become a tombstone with the id of its record, if a comment is
// lost, if files change where it refuses or only shows, or if it asks the service for more than it needs.

import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { rm, type RmFlags } from "../../src/cli/rm.ts";
import { startProxy } from "../support/proxy.ts";
import { runIn, startScenario, type Ran, type Scenario } from "../support/scenario.ts";
import { schemaErrors } from "../support/schemas.ts";

const LINKS = `links:
  # printed: never reuse
  spring: # until June
    url: https://example.com/spring
  two: { url: https://example.com/two }
  user: { url: https://example.com/user, pixels: [Used] }
  promo.example.com/two: { url: https://example.com/promo }
  Shared: { url: https://example.com/shared }
  not-there: { url: https://example.com/not-there }
  qr-1: { url: https://example.com/qr }
pixels:
  Used: { type: facebook, value: "1234567890123456" }
  Shared: { type: facebook, value: "1234567890123457" }
`;
const FILE = "links/a.yaml";
// A protected link is named by the id of its domain.
const HEAD = 'defaults: { link: { domain: go.example.com } }\nprotect: ["2/qr-*"]\n';

const link = (alias: string, more: object = {}) => ({ url: `https://example.com/${alias}`, domain: 2, alias, ...more });

async function start(...more: readonly string[]): Promise<Scenario> {
  const pixels = ["Used", "Shared"].map((name, at) => ({
    name,
    type: "facebook",
    value: `123456789012345${6 + at}`,
  }));
  const links = [
    link("spring", { clicks: 340 }),
    link("two"),
    link("two", { domain: 3, url: "https://example.com/promo" }),
    link("user", { pixels: [1] }),
    link("shared"),
    link("qr-1"),
    link("unmanaged"),
    ...more.map((alias) => link(alias)),
  ];
  const scenario = await startScenario({ seed: { pixels, links } });
  await scenario.write(HEAD, { [FILE]: LINKS });
  return scenario;
}

async function take(scenario: Scenario, keys: readonly string[], flags: RmFlags = {}): Promise<Ran> {
  return runIn(scenario.folder, scenario.env, (world) => rm(world, flags, keys));
}

function textOf(scenario: Scenario, file = FILE): Promise<string> {
  return readFile(path.join(scenario.folder, file), "utf8");
}

/** Nothing was written, and what it said. */
async function refused(
  scenario: Scenario,
  keys: readonly string[],
  flags: RmFlags = {},
  text = LINKS,
): Promise<string> {
  const { exit, out, err } = await take(scenario, keys, flags);
  expect({ exit, out, text: await textOf(scenario) }).toEqual({ exit: 1, out: "", text });
  return err;
}

describe("the live state", () => {
  it("becomes a tombstone with its id, and nothing else changes", async () => {
    const scenario = await start();
    const { exit, out, err } = await take(scenario, ["spring"]);
    expect({ exit, err }).toEqual({ exit: 0, err: "" });
    expect(out).toContain("tombstone for link go.example.com/spring: id 1, with 340 clicks.\n");
    expect(out).toContain("`linkform apply` makes it");
    expect(await textOf(scenario)).toBe(
      `${LINKS.replace(/ {2}# printed.*\n.*\n.*\n/, "")}absent:
  links:
    # printed: never reuse
    # until June
    go.example.com/spring: { id: 1 }
`,
    );
    expect(scenario.sandbox.requests.map(({ method }) => method)).toEqual(["GET"]);
    const { changes } = await scenario.planDocument();
    expect(changes.map(({ action, key }) => `${action} ${key}`)).toContain("delete go.example.com/spring");
    expect(changes.filter(({ action }) => action === "delete")).toHaveLength(1);
  });

  // Fails if the block is removed without a tombstone, because the link seems to be gone.
  it("is found even if an unknown version of the service searches in another way", async () => {
    const scenario = await start();
    const body = '{"data":[],"meta":{"current_page":1,"last_page":1,"total":0,"per_page":100}}';
    const baseUrl = await startProxy(scenario.sandbox.url, (_, url) =>
      url.includes("search=") ? { status: 200, body } : "forward",
    );
    const { exit, err } = await take(scenario, ["spring"], { baseUrl });
    expect({ exit, err }).toEqual({ exit: 0, err: "" });
    expect(await textOf(scenario)).toContain("go.example.com/spring: { id: 1 }");
  });

  it.each([
    [["promo.example.com/two"], "promo.example.com/two: { id: 3 }"],
    [["3/two"], "promo.example.com/two: { id: 3 }"],
    [["https://promo.example.com/two"], "promo.example.com/two: { id: 3 }"],
    [["link:shared"], "go.example.com/Shared: { id: 5 }"],
    [["pixel:SHARED"], "Shared: { id: 2 }"],
    [["user", "Used"], "Used: { id: 1 }"],
  ])("is found as people write it: %j", async (keys, tombstone) => {
    const scenario = await start();
    const { exit, err } = await take(scenario, keys);
    expect({ exit, err }).toEqual({ exit: 0, err: "" });
    expect(await textOf(scenario)).toContain(`\n    ${tombstone}\n`);
  });

  it.each([
    [
      "absent:\n  links:\n    - old # why\n",
      "absent:\n  links:\n    - old # why\n    - go.example.com/two: { id: 2 }\n",
    ],
    [
      "absent: # done\n    links:\n        old: { id: 70 }\n",
      "absent: # done\n  links:\n    old: { id: 70 }\n    go.example.com/two: { id: 2 }\n",
    ],
    ["absent: { links: [old] }\n", "absent: { links: [old, { go.example.com/two: { id: 2 } }] }\n"],
    ["absent: {}\n", "absent:\n  links:\n    go.example.com/two: { id: 2 }\n"],
    [
      "absent:\r\n  pixels: [Old]\r\n",
      "absent:\r\n  pixels: [Old]\r\n  links:\r\n    go.example.com/two: { id: 2 }\r\n",
    ],
  ])("is added to the tombstones in their form: %j", async (absent, expected) => {
    const scenario = await start();
    const lineBreak = absent.includes("\r") ? "\r\n" : "\n";
    const text = `links:\n  two: { url: https://example.com/two }\n  user: { url: https://example.com/user, pixels: [Used] }\n`;
    const links = text.replaceAll("\n", lineBreak);
    await scenario.write(HEAD, { [FILE]: links + absent });
    const { exit, err } = await take(scenario, ["two"]);
    expect({ exit, err }).toEqual({ exit: 0, err: "" });
    expect(await textOf(scenario)).toBe(links.replace(/ {2}two.*\r?\n/, "") + expected);
  });

  it.each([
    ["two: &two { url: https://example.com/two }\n", "has the anchor `&two`"],
    ["two: { &two url: https://example.com/two }\n", "has the anchor `&two`"],
    ["two: { url: https://example.com/two }\nabsent: { pixels: &a [old], links: *a }\n", "uses an alias"],
  ])("stays where an anchor or alias is in the way, and says what to write: %j", async (lines, says) => {
    const scenario = await start();
    const text = `links:\n  ${lines}`;
    await scenario.write(HEAD, { [FILE]: text });
    const { exit, err } = await take(scenario, ["two"]);
    expect(exit).toBe(1);
    expect(err).toContain(`linkform does not edit \`go.example.com/two\`, because it ${says}.`);
    expect(err).toContain("write `absent: { links: { go.example.com/two: { id: 2 } } }`");
    expect(await textOf(scenario)).toBe(text);
  });

  it("twice must be said which", async () => {
    const scenario = await start("Spring");
    expect(await refused(scenario, ["spring"])).toContain("ids 1 (340 clicks), 8 (0 clicks)");
    expect(await refused(scenario, ["spring"], { id: 2 })).toContain(
      "No live object with the key `go.example.com/spring` has the id 2",
    );
    const { exit, out } = await take(scenario, ["spring"], { id: 8 });
    expect(exit).toBe(0);
    expect(out).toContain("Id 1 stays live");
    expect(await textOf(scenario)).toContain("go.example.com/spring: { id: 8 }");
  });

  it("is read a page at a time where that takes fewer requests", async () => {
    const scenario = await start();
    const { exit } = await take(scenario, ["spring", "go.example.com/two", "user", "not-there"]);
    expect(exit).toBe(0);
    expect(scenario.sandbox.requests).toHaveLength(1);
  });
});

it("what is not live is removed, and leaves a tombstone only with --offline", async () => {
  const scenario = await start();
  const shown = await take(scenario, ["not-there"], { offline: true, dryRun: true });
  expect(shown.out).toContain("+    - go.example.com/not-there\n");
  expect(await textOf(scenario)).toBe(LINKS);
  const { exit, out } = await take(scenario, ["not-there"]);
  expect(exit).toBe(0);
  expect(out).toContain("removed link go.example.com/not-there: not live, so there is nothing to delete");
  expect(await textOf(scenario)).toBe(LINKS.replace(/ {2}not-there.*\n/, ""));
});

it("offline, it connects to no service, needs no key, and says what that means", async () => {
  const scenario = await start();
  const { exit, out } = await runIn(scenario.folder, {}, (world) => rm(world, { offline: true }, ["spring"]));
  expect(exit).toBe(0);
  expect(out).toContain("without an id, because of --offline");
  expect(await textOf(scenario)).toContain("    - go.example.com/spring\n");
  expect(scenario.sandbox.requests).toEqual([]);
});

it.each<[string, readonly string[], string, string?]>([
  ["a key that nothing has", ["sprin"], "Did you mean `go.example.com/spring`?"],
  ["an alias on two domains", ["two"], "matches `link:go.example.com/two` (links/a.yaml:5:3) and `link:promo"],
  ["a link and a pixel", ["Shared"], "`pixel:Shared` (links/a.yaml"],
  ["what is protected", ["qr-1"], "is protected (linkform.yaml:"],
  ["a glob", ["go.example.com/*"], "Write the key as a plan shows it"],
  ["one of several", ["spring", "nothing-like-it"], "No file declares `nothing-like-it`"],
  ["what is already a tombstone", ["old"], "is already a tombstone", `${LINKS}absent: { links: [old] }\n`],
  // Fails if the block is removed, and the live link stays under its old key without a word.
  [
    "what may be live under the key from which it is renamed",
    ["new"],
    "`go.example.com/new` is not live, but may be live as `go.example.com/old`",
    "links:\n  new: { url: https://example.com/old, renamed_from: old }\n",
  ],
])("what is refused, with no file changed: %s", async (_, keys, says, text = LINKS) => {
  const scenario = await start("old");
  await scenario.write(HEAD, { [FILE]: text });
  expect(await refused(scenario, keys, {}, text)).toContain(says);
});

it("what is refused, with no file changed: files with mistakes, and a service that can't be reached", async () => {
  const scenario = await start();
  await scenario.sandbox.close();
  expect(await refused(scenario, ["spring"])).toContain("error[unreachable]");
  await scenario.write("links: [\n", { [FILE]: LINKS });
  expect(await refused(scenario, ["spring"], { offline: true })).toContain("linkform.yaml:");
  expect(await refused(scenario, ["spring"])).toContain("linkform.yaml:");
});

it("says as JSON what its schema promises, on errors too", async () => {
  const scenario = await start();
  const shown = JSON.parse((await take(scenario, ["spring"], { format: ["json"], dryRun: true })).out);
  expect(await schemaErrors("written", shown)).toBeNull();
  expect(shown).toMatchObject({
    command: "rm",
    written: false,
    files: [{ file: FILE, action: "update", patch: expect.stringContaining("{ id: 1 }") }],
    items: [{ what: "tombstoned", kind: "link", key: "go.example.com/spring" }],
  });
  const wrong = await take(scenario, ["sprin"], { format: ["json"] });
  expect(await schemaErrors("written", JSON.parse(wrong.out))).toBeNull();
  expect(JSON.parse(wrong.out).diagnostics).toMatchObject([{ code: "unknown-key" }]);
  expect(wrong.exit).toBe(1);
});
