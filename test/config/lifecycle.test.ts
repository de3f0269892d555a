// `owner` and `review_by`. Fails if a default wins over a link, if a date is due a day too early or too late, if a key is sent to the
// service, or if a command that writes files loses one.

import { describe, expect, it, test } from "vitest";
import { drift } from "../../src/cli/drift.ts";
import { loadProject } from "../../src/config/load.ts";
import { beginPulling, HEAD as PULL_HEAD, link, planOf } from "../support/pulling.ts";
import { runIn, startScenario, temporaryFolder, writeFiles } from "../support/scenario.ts";
import { declared, HEAD, load, loadGood } from "./loading.ts";

const DEFAULTS = "defaults: { link: { domain: go.example.com, owner: growth-team, review_by: 2027-06-30 } }\n";

describe("the nearest value wins", () => {
  test.each([
    ["url: https://example.com/", ["growth-team"], "2027-06-30"],
    ["url: https://example.com/, owner: brand", ["brand"], "2027-06-30"],
    ["url: https://example.com/, owner: [brand, growth-team, brand]", ["brand", "growth-team"], "2027-06-30"],
    ["url: https://example.com/, owner: null, review_by: null", [], null],
    ["url: https://example.com/, owner: 0123, review_by: '2028-02-29'", ["0123"], "2028-02-29"],
    ["url: https://example.com/, owner: []", [], "2027-06-30"],
  ])("{ %s }", async (fields, owners, reviewBy) => {
    const found = declared(await loadGood(`${DEFAULTS}links: { a: { ${fields} } }`), "go.example.com/a");
    expect([found.owners, found.reviewBy?.text ?? null]).toEqual([owners, reviewBy]);
  });

  it("is the one of a family, with its placeholders", async () => {
    const project = await loadGood(
      `${DEFAULTS}families: { "{channel}": { for: { channel: [mail, qr] }, url: https://example.com/, owner: "{channel}-team", each: [{ when: { channel: qr }, review_by: 2028-01-01 }] } }`,
    );
    const lifecycle = ["mail", "qr"].map((alias) => {
      const { owners, reviewBy } = declared(project, `go.example.com/${alias}`);
      return [owners, reviewBy?.text];
    });
    expect(lifecycle).toEqual([
      [["mail-team"], "2027-06-30"],
      [["qr-team"], "2028-01-01"],
    ]);
  });

  it("uses the defaults of the file before those of the project", async () => {
    const project = await loadGood(DEFAULTS, {
      "links/a.yaml": "defaults: { link: { owner: brand } }\nlinks: { a: { url: https://example.com/ } }",
    });
    const { owners, reviewBy } = declared(project, "go.example.com/a");
    expect([owners, reviewBy?.text]).toEqual([["brand"], "2027-06-30"]);
    expect(reviewBy?.place).toMatchObject({ file: "linkform.yaml", line: 3 });
  });
});

describe("review-due", () => {
  const LINK = "links: { go.example.com/a: { url: https://example.com/, review_by: 2026-11-21 } }\n";

  async function codesAt(now: string | null, zone: string): Promise<string[]> {
    const folder = await temporaryFolder();
    await writeFiles(folder, { "linkform.yaml": `${HEAD}${zone}${LINK}` });
    return (await loadProject(`${folder}/linkform.yaml`, now)).diagnostics.map(({ code }) => code);
  }

  test.each([
    ["2026-11-20T22:59:59Z", "timezone: Europe/Berlin\n", false],
    ["2026-11-20T23:00:00Z", "timezone: Europe/Berlin\n", true],
    ["2026-11-21T04:59:59Z", "timezone: America/New_York\n", false],
    ["2026-11-21T05:00:00Z", "timezone: America/New_York\n", true],
    // Without a zone, the day has begun everywhere.
    ["2026-11-21T11:59:59Z", "", false],
    ["2026-11-21T12:00:00Z", "", true],
  ])("at %s with %j: %s", async (now, zone, isDue) => {
    expect(await codesAt(now, zone)).toEqual(isDue ? ["review-due"] : []);
  });

  it("is silent without a clock", async () => {
    expect((await load(LINK)).diagnostics).toEqual([]);
  });
});

it("is not sent, and `drift` warns and groups by owner in JSON", async () => {
  const scenario = await startScenario({
    seed: { links: [{ alias: "a", domain: 2, url: "https://example.com/by-hand" }] },
  });
  await scenario.write(
    "links: { go.example.com/a: { url: https://example.com/, owner: [brand, growth-team], review_by: 2026-01-01 } }\n",
  );
  const ran = await runIn(scenario.folder, scenario.env, (world) => drift(world, { format: ["json"] }));
  const document = JSON.parse(ran.out);
  expect(ran.exit).toBe(2);
  expect(document.diagnostics).toMatchObject([{ code: "review-due", severity: "warning", line: 5 }]);
  expect(document.changes).toMatchObject([{ key: "go.example.com/a", owner: ["brand", "growth-team"] }]);
  expect(document.changes[0].fields.map(({ path }: { path: string }) => path)).toEqual(["url"]);
  await scenario.converge();
});

it("the Markdown and HTML of `drift` show the owners, and no name is markup there", async () => {
  const scenario = await startScenario({
    seed: { links: ["a", "b"].map((alias) => ({ alias, domain: 2, url: "https://example.com/by-hand" })) },
  });
  const hostile = "@everyone <script>alert(1)</script> [x](https://evil.example)";
  await scenario.write(
    `links:\n  go.example.com/a: { url: https://example.com/, owner: "${hostile}" }\n  go.example.com/b: { url: https://example.com/, owner: growth-team }\n`,
  );
  const report = async (format: string): Promise<string> =>
    (await runIn(scenario.folder, scenario.env, (world) => drift(world, { format: [format] }))).out;
  const markdown = await report("markdown");
  expect(markdown).toContain("### ⚠️ 2 links changed\n");
  for (const owner of [hostile, "growth-team"]) expect(markdown).toContain(`owner \`${owner}\``);
  const html = await report("html");
  expect(html).toContain("owner <code>growth-team</code>");
  expect(html).not.toContain("<script>alert");
});

it("`pull` keeps both keys, and does not write inherited ones into new links", async () => {
  const text = `${DEFAULTS}links:\n  a:\n    review_by: 2028-01-01 # after the fair\n    owner: [brand]\n    url: https://example.com/old\n`;
  const files = { "linkform.yaml": `${PULL_HEAD}${text}` };
  const links = [link("a", { url: "https://example.com/new" }), link("b", { url: "https://example.com/b" })];
  const { folder, sandbox, pull, text: textOf } = await beginPulling(files, { links });
  const { exit, err } = await pull({ quiet: true });
  expect({ exit, err }).toEqual({ exit: 0, err: "" });
  const after = (await textOf("linkform.yaml")) ?? "";
  expect(after).toContain(text.replace("/old", "/new"));
  expect(after.match(/owner|review_by/g)).toHaveLength(4);
  expect(await planOf(sandbox, folder)).toMatchObject({ complete: true, changes: [] });
});
