// `owner` and `review_by`. Fails if a default wins over a link, or if a date is due a day too early or too late. What `drift` shows of them
// is in fixtures/plans/drift-owners.

import { describe, expect, test } from "vitest";
import { loadProject } from "../../src/config/load.ts";
import { temporaryFolder, writeFiles } from "../support/scenario.ts";
import { declared, HEAD, loadGood } from "./loading.ts";

const DEFAULTS = "defaults: { link: { domain: go.example.com, owner: growth-team, review_by: 2027-06-30 } }\n";

describe("the nearest value wins", () => {
  const MORE =
    'families: { "{channel}": { for: { channel: [mail, qr] }, url: https://example.com/, owner: "{channel}-team", each: [{ when: { channel: qr }, review_by: 2028-01-01 }] } }';
  test.each([
    ["links: { a: { url: https://example.com/ } }", "a", ["growth-team"], "2027-06-30"],
    ["links: { a: { url: https://example.com/, owner: brand } }", "a", ["brand"], "2027-06-30"],
    [
      "links: { a: { url: https://example.com/, owner: [b, growth-team, b] } }",
      "a",
      ["b", "growth-team"],
      "2027-06-30",
    ],
    ["links: { a: { url: https://example.com/, owner: null, review_by: null } }", "a", [], null],
    ["links: { a: { url: https://example.com/, owner: 0123, review_by: '2028-02-29' } }", "a", ["0123"], "2028-02-29"],
    ["links: { a: { url: https://example.com/, owner: [] } }", "a", [], "2027-06-30"],
    [MORE, "mail", ["mail-team"], "2027-06-30"],
    [MORE, "qr", ["qr-team"], "2028-01-01"],
  ])("%s: %s", async (text, alias, owners, reviewBy) => {
    const found = declared(await loadGood(`${DEFAULTS}${text}`), `go.example.com/${alias}`);
    expect([found.owners, found.reviewBy?.text ?? null]).toEqual([owners, reviewBy]);
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
});
