// `--changed` on an account of thousands of links: what is read, planned and counted. Fails if an unchanged link is read or
// planned, if something that a changed one needs is not, or if a safety check sees less than with a whole reading.

import { readFile } from "node:fs/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { apply } from "../../src/cli/apply.ts";
import { plan, type PlanFlags } from "../../src/cli/plan.ts";
import { startSandbox } from "../support/sandbox.ts";
import type { SeedState } from "../../src/sandbox/index.ts";
import { startProxy } from "../support/proxy.ts";
import { GIT_ENV, Repository, repositoryIn } from "../support/repository.ts";
import { runIn, Scenario, temporaryFolder, writeFiles, type Ran } from "../support/scenario.ts";
import type { PlanDocument } from "../../src/report/json/schema.ts";

const GO = "go.example.com";
const COUNT = 300;
const PIXELS = ["Meta", "Old", "Spare"].map((name, at) => ({ id: at + 1, name, type: "bing", value: "1" }));
const DECLARED = 'pixels: { Meta: { type: bing, value: "1" }, Old: { type: bing, value: "1" } }\n';

/** The links of the account: `l0x` and so on, as the files declare them. */
const rows = (count: number): { url: string; domain: number; alias: string; clicks: number }[] =>
  Array.from({ length: count }, (_, at) => ({
    url: `https://example.com/${at}`,
    domain: 2,
    alias: `l${at}x`,
    clicks: 1,
  }));
const LIVE = rows(COUNT);

type Edits = Readonly<Record<number, string | null>>;

/** The file of all links, with other values for some of them; null leaves one out. */
function links(edits: Edits = {}, declared = LIVE): string {
  const lines = declared.flatMap(({ alias, url }, at) => {
    const value = at in edits ? edits[at] : `{ url: "${url}" }`;
    return value === null ? [] : [`  ${alias}: ${value}\n`];
  });
  return `links:\n${lines.join("")}`;
}

const DEFAULTS = `defaults: { link: { domain: ${GO} } }\n${DECLARED}`;

interface Base {
  readonly scenario: Scenario;
  readonly planned: (flags?: PlanFlags) => Promise<PlanDocument>;
  readonly ran: (flags?: PlanFlags) => Promise<Ran>;
}

/** A repository whose base declares the account as it is, apart from `head` and `edits`. */
async function start(head = DEFAULTS, edits: Edits = {}, seed: SeedState = {}, declared = LIVE): Promise<Base> {
  const sandbox = await startSandbox({ rateLimit: 0, seed: { links: LIVE, pixels: PIXELS, ...seed } });
  onTestFinished(() => sandbox.close());
  const scenario = new Scenario(sandbox, await temporaryFolder());
  await scenario.write(head, { "links/all.yaml": links(edits, declared) });
  await (await repositoryIn(scenario.folder)).commitAll();
  const ran = async (flags: PlanFlags = {}): Promise<Ran> =>
    runIn(scenario.folder, { ...scenario.env, ...GIT_ENV }, (world) =>
      plan(world, { base: "HEAD", changed: true, ...flags }),
    );
  const planned = async (flags: PlanFlags = {}): Promise<PlanDocument> =>
    JSON.parse((await ran({ format: ["json"], ...flags })).out);
  return { scenario, planned, ran };
}

function changesOf({ changes }: PlanDocument): string[] {
  return changes.map(({ action, key, fields }) => `${action} ${key} ${fields.map(({ path }) => path).join()}`.trim());
}

function errorsOf({ diagnostics }: PlanDocument): string[] {
  return diagnostics.flatMap(({ severity, message }) => (severity === "error" ? [message] : []));
}

describe("reading", () => {
  it("takes a request for each changed link, and two more", async () => {
    const all = rows(1500);
    const { scenario, planned } = await start(DEFAULTS, {}, { links: all }, all);
    for (const count of [1, 8]) {
      const edits = Object.fromEntries(
        Array.from({ length: count }, (_, at) => [at * 150 + 7, "{ url: https://new.example.com/ }"]),
      );
      await scenario.write(DEFAULTS, { "links/all.yaml": links(edits, all) });
      const document = await planned();
      expect(document.changes).toHaveLength(count);
      expect(document.requests.read).toBe(count + 2);
      expect(document.not_compared).toEqual({ links: 1500 - count, pixels: 2 });
      expect(document.summary).toMatchObject({ unchanged: 0, unmanaged: null });
    }
  });

  // Every tenth of the other aliases contains an x, so its search has three pages.
  it("searches for changed aliases of one or two characters, and not for unchanged ones", async () => {
    const all = Array.from({ length: 3000 }, (_, at) => ({
      url: "https://example.com/",
      domain: 2,
      alias: ["fb", "ig", "x", "t"][at - 1500] ?? `${at % 10 === 0 ? "exhibition" : "catalog"}-${at}`,
      clicks: 1,
    }));
    const { scenario, planned } = await start(DEFAULTS, {}, { links: all }, all);
    const change = "{ url: https://new.example.com/ }";
    await scenario.write(DEFAULTS, { "links/all.yaml": links({ 1500: change, 1501: change, 1502: change }, all) });
    const document = await planned();
    expect(changesOf(document)).toEqual([`update ${GO}/fb url`, `update ${GO}/ig url`, `update ${GO}/x url`]);
    expect(document.requests.read).toBe(7);
  });

  it("takes no request if nothing changed that is sent", async () => {
    const { scenario, planned, ran } = await start();
    await scenario.write(DEFAULTS, {
      "links/all.yaml": links({ 5: "{ url: https://example.com/5, note: new, owner: growth, review_by: 2030-01-01 }" }),
    });
    const document = await planned();
    expect(document).toMatchObject({ complete: true, changes: [], requests: { read: 0 } });
    expect(scenario.sandbox.requests).toEqual([]);
    expect(await ran({ detailedExitcode: true })).toMatchObject({ exit: 0 });
  });

  it("says in each report what was not compared", async () => {
    const { scenario, ran } = await start();
    await scenario.write(DEFAULTS, { "links/all.yaml": links({ 5: "{ url: https://new.example.com/ }" }) });
    const line = "299 links and 2 pixels are declared as at the base and were not compared.";
    const { out, exit } = await ran({ detailedExitcode: true });
    expect(exit).toBe(2);
    expect(out.replaceAll("\n", " ")).toContain(line);
    expect(out).toContain("0 unchanged, 301 not compared");
    for (const format of ["markdown", "html"]) expect((await ran({ format: [format] })).out).toContain(line);
  });

  it("compares everything if a value of all links changed", async () => {
    const { scenario, planned } = await start();
    await scenario.write(
      `defaults: { link: { domain: ${GO}, space: Marketing } }\nbrake: { updates: 100% }\n${DECLARED}`,
      {
        "links/all.yaml": links(),
      },
    );
    const document = await planned();
    expect(document.not_compared).toEqual({ links: 0, pixels: 2 });
    expect(document.changes).toHaveLength(COUNT);
    expect(document.requests.read).toBeLessThan(20);
  });

  it("compares everything if a setting of all objects changed, and says so", async () => {
    const { scenario, planned } = await start();
    await scenario.write(`timezone: Europe/Berlin\n${DEFAULTS}`, { "links/all.yaml": links() });
    const document = await planned();
    expect(document.not_compared).toBeUndefined();
    expect(document.summary.unchanged).toBe(COUNT + 2);
    expect(document.diagnostics.map(({ code }) => code)).toContain("changed-all");
  });
});

describe("what belongs together", () => {
  it("plans each link of a family whose attribute changed", async () => {
    const family = (medium: string): string =>
      `${DEFAULTS}families:\n  fam-{channel}:\n    for: { channel: { mail: { medium: ${medium} }, qr: { medium: print } } }\n    url: "https://example.com/{channel.medium}"\n`;
    const live = ["mail", "qr"].map((name) => ({
      url: `https://example.com/${name === "mail" ? "email" : "print"}`,
      domain: 2,
      alias: `fam-${name}`,
    }));
    const { scenario, planned } = await start(family("email"), {}, { links: [...LIVE, ...live] });
    await scenario.write(family("letter"), { "links/all.yaml": links() });
    expect(changesOf(await planned())).toEqual([`update ${GO}/fam-mail url`]);
  });

  it.each([
    ["[Old]", "Old", "Old"],
    ["{ Meta: { id: 2 } }", "Meta", "Meta #2"],
  ])("compares everything if a pixel is to be deleted, because any link may use it: %s", async (absent, name, key) => {
    const user = LIVE.map((link, at) => (at === 250 ? { ...link, pixels: [2] } : link));
    const { scenario, planned } = await start(DEFAULTS, {}, { links: user });
    const head = `defaults: { link: { domain: ${GO} } }\npixels: { Meta: { type: bing, value: "1" } }\nabsent: { pixels: ${absent} }\nbrake: { deletes: 100% }\n`;
    await scenario.write(head, { "links/all.yaml": links() });
    // Two pixels can have one name, but not in the sandbox.
    const rename = (body: string): string => body.replaceAll('"Old"', `"${name}"`);
    const document = await planned({ baseUrl: await startProxy(scenario.sandbox.url, () => "forward", rename) });
    expect(changesOf(document)).toEqual([`delete ${key}`, `update ${GO}/l250x pixels`]);
    expect(document.diagnostics.find(({ code }) => code === "changed-all")).toMatchObject({
      message: expect.stringContaining("any link may use a pixel that is to be deleted"),
    });
  });

  it("plans a rename of a pixel that was not applied yet with a link that uses the pixel", async () => {
    const head = DEFAULTS.replace(
      'Old: { type: bing, value: "1" }',
      'New: { type: bing, value: "1", renamed_from: Old }',
    );
    const { scenario, planned } = await start(head);
    await scenario.write(head, { "links/all.yaml": links({ 1: '{ url: "https://example.com/1", pixels: [New] }' }) });
    expect(changesOf(await planned())).toEqual([`update ${GO}/l1x pixels`, "update New name"]);
  });

  it("compares everything if one domain may have two names, and finds that one link is declared twice", async () => {
    const { scenario, planned } = await start();
    const [head = ""] = (await readFile(`${scenario.folder}/linkform.yaml`, "utf8")).split("domains:");
    const text = `${head}links: { 2/l1x: { url: https://example.com/1 } }\n`;
    await writeFiles(scenario.folder, { "linkform.yaml": text, "links/all.yaml": "" });
    await new Repository(scenario.folder).commitAll();
    await writeFiles(scenario.folder, { "links/all.yaml": `links: { ${GO}/L1x: { url: https://example.com/4 } }\n` });
    const document = await planned();
    expect(document.diagnostics.find(({ code }) => code === "changed-all")?.hint).toContain("label");
    expect(errorsOf(document)).toEqual([expect.stringContaining("`go.example.com/l1x` (linkform.yaml:3:10) are")]);
  });
});

it("removing: deletes a new tombstone and lists what is no longer declared", async () => {
  const { scenario, planned } = await start();
  await scenario.write(`${DEFAULTS}absent: { links: [${GO}/l8x] }\n`, {
    "links/all.yaml": links({ 8: null, 9: null }),
  });
  const document = await planned();
  expect(changesOf(document)).toEqual([`delete ${GO}/l8x`]);
  expect(document.orphans.map(({ key }) => key)).toEqual([`${GO}/l9x`]);
});

it("removing: refuses to delete what was protected at the base", async () => {
  const head = `prune: removed\n${DEFAULTS}`;
  const { scenario, planned } = await start(head, { 8: '{ url: "https://example.com/8", protect: true }' });
  await scenario.write(head, { "links/all.yaml": links({ 8: null }) });
  expect(errorsOf(await planned())[0]).toContain(`\`${GO}/l8x\` is protected`);
});

it("the brake counts unchanged links as live", async () => {
  const head = `prune: removed\nbrake: { deletes: 4% }\n${DEFAULTS}`;
  const { scenario, planned } = await start(head);
  const gone = (count: number): Edits => Object.fromEntries(Array.from({ length: count }, (_, at) => [at, null]));
  await scenario.write(head, { "links/all.yaml": links(gone(12)) });
  expect((await planned()).brakes).toEqual([]);
  await scenario.write(head, { "links/all.yaml": links(gone(13)) });
  const [part, full] = [await planned(), await planned({ changed: "never" })];
  expect(part.brakes).toMatchObject([{ count: 13, limit: 12, at_stake: COUNT }]);
  expect(part.brakes).toEqual(full.brakes);
});

it("the brake knows the clicks of changed links only, and says so", async () => {
  const head = `prune: removed\nbrake: { clicks: 10% }\n${DEFAULTS}`;
  const { scenario, ran } = await start(head);
  await scenario.write(head, { "links/all.yaml": links({ 8: null }) });
  const { exit, err, out } = await ran();
  expect(exit).toBe(3);
  expect(`${out}${err}`.replaceAll(/\s+/g, " ")).toContain("the clicks of unchanged links are not read");
  expect(await ran({ allowClicks: 1 })).toMatchObject({ exit: 0 });
});

describe("with other flags", () => {
  it("needs a base, and cannot list unmanaged objects", async () => {
    const { scenario, ran } = await start();
    expect(await ran({ showUnmanaged: true })).toMatchObject({ exit: 64 });
    const { exit, err } = await scenario.plan({ changed: true });
    expect(exit).toBe(64);
    expect(err).toContain("--base origin/main --changed");
  });

  it("accepts a target that did not change, and refuses one that does not exist", async () => {
    const { scenario, planned } = await start();
    await scenario.write(DEFAULTS, { "links/all.yaml": links({ 5: "{ url: https://new.example.com/ }" }) });
    expect(await planned({ target: [`${GO}/l6x`] })).toMatchObject({ complete: true, changes: [] });
    expect(errorsOf(await planned({ target: ["typo"] }))).toEqual([
      "`--target typo` matches nothing that the files name.",
    ]);
  });

  it("stores the option in a saved plan, whose apply reads as little", async () => {
    const { scenario, ran } = await start();
    await scenario.write(DEFAULTS, { "links/all.yaml": links({ 5: "{ url: https://new.example.com/ }" }) });
    expect(await ran({ out: "saved.json" })).toMatchObject({ exit: 0 });
    const before = scenario.sandbox.requests.length;
    const { exit } = await runIn(scenario.folder, { ...scenario.env, ...GIT_ENV }, (world) =>
      apply(world, { quiet: true }, "saved.json"),
    );
    expect(exit).toBe(0);
    expect(scenario.link("l5x").url).toBe("https://new.example.com/");
    expect(scenario.sandbox.requests.length - before).toBeLessThan(8);
  });

  it("decides by the number of links with auto", async () => {
    const all = rows(3000);
    const { scenario, planned } = await start(DEFAULTS, {}, { links: all }, all);
    expect((await planned({ changed: "auto" })).not_compared).toBeUndefined();
    await scenario.write(DEFAULTS, {
      "links/all.yaml": `${links({}, all)}  one-more: { url: https://example.com/ }\n`,
    });
    expect((await planned({ changed: "auto" })).not_compared).toEqual({ links: 3000, pixels: 2 });
  });
});
