// The table of `linkform list` on terminals of 40, 80 and 200 columns, and its CSV, read by another parser. Fails if a
// line is wider than the terminal, a key is cut, a control character of the service is printed, or a spreadsheet would run a cell.

import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Link } from "../../src/sandbox/index.ts";
import { hostileText } from "../support/hostile.ts";
import { holds, itWhere } from "../support/sandbox.ts";
import type { Scenario } from "../support/scenario.ts";
import { runs } from "../support/states.ts";
import { TerminalStream } from "../support/terminal.ts";
import { runList, startLooking } from "./looking.ts";

const LONG = "a-very-long-alias-that-somebody-made-for-a-campaign-in-the-north-of-the-country-in-2026";
const LINKS = [
  {
    alias: "spring-sale",
    url: "https://shop.example.com/spring/collection?utm_source=flyer&utm_medium=print",
    domain: 2,
    clicks: 12_044,
    title: "Spring sale",
    space: 1,
    pixels: [1, 2],
  },
  { alias: "old", url: "https://example.com/old", domain: 2, disabled: 1, clicks: 3 },
  { alias: LONG, url: "http://plain.example.com/", domain: 3, title: "春のセール 👩‍👩‍👧 Frühling" },
  { alias: `${LONG}-b`, url: "https://me:hunter2@example.com/", domain: 3, password: "x", privacy: 2 },
  { alias: "春のセール", url: "https://example.com/春のセール/春のセール/春のセール/春のセール", domain: 3 },
  {
    alias: "-dash",
    url: "https://example.com/=1",
    domain: 2,
    title: '=HYPERLINK("http://evil.example","x")',
    ends_at: "2020-01-01T00:00:00.000Z",
    disabled: 1,
  },
  {
    alias: "hostile",
    url: "https://example.com/h",
    domain: 2,
    title: '\u001b[2J\u202e::error::x, "quoted"\r\n+1',
    target_type: 1,
    country: [
      { key: "DE", value: "https://example.com/de" },
      { key: "FR", value: "https://example.com/fr" },
    ],
    rotation: [{ value: "https://example.com/1" }, { value: "https://example.com/2" }],
  },
];

const PIXELS = [
  { name: "Meta main", type: "facebook", value: "1234567890123456" },
  { name: "=cmd|' /C calc'!A0", type: "bing", value: "1234567" },
];

const start = (): Promise<Scenario> => startLooking({ seed: { links: LINKS, pixels: PIXELS } });

describe("the table", () => {
  test.each([40, 60, 80, 120, 200])("fits a terminal of %i columns", async (columns) => {
    const terminal = new TerminalStream(columns);
    await runList(await start(), "links", { sort: "asc" }, terminal);
    const lines = await terminal.emulator.lines();
    // A wider terminal joins the lines that were wrapped: only a key that is longer than the terminal, because keys are never cut.
    terminal.emulator.resize(400);
    const wrapped = (await terminal.emulator.lines()).filter((line) => !lines.includes(line));
    expect(wrapped.map((line) => line.trim())).toEqual(
      columns < 120 ? [`promo.example.com/${LONG}`, `promo.example.com/${LONG}-b`] : [],
    );
    const joined = lines.join("");
    for (const alias of [LONG, `${LONG}-b`, "spring-sale", "春のセール"]) expect(joined).toContain(`/${alias}`);
    const text = lines.join("\n");
    expect(text).not.toContain("hunter2");
    expect(text).toContain("KEY");
    expect(text).toContain("STATUS");
    expect(lines.at(-1)).toMatch(/request\.$/);
    if (columns < 200) expect(text).toContain("…");
  });

  itWhere("disabled links")("on 80 columns", async () => {
    const terminal = new TerminalStream(80);
    await runList(await start(), "links", { sort: "asc" }, terminal);
    const lines = await terminal.emulator.lines();
    const drawn = await readFile(path.join(import.meta.dirname, "list-80.txt"), "utf8");
    expect(`${lines.join("\n")}\n`).toBe(drawn);
  });

  test("is not cut without a terminal", async () => {
    const { out } = await runList(await start(), "links", {});
    expect(out).not.toContain("…");
    expect(out).toContain(LINKS[0]?.url);
    expect(out).toContain("https://•••@example.com/");
  });

  test("of pixels", async () => {
    const terminal = new TerminalStream(80);
    await runList(await start(), "pixels", {}, terminal);
    expect((await terminal.emulator.lines()).slice(0, 3)).toEqual([
      "NAME                TYPE      VALUE             ID",
      "=cmd|' /C calc'!A0  bing      1234567           #2",
      "Meta main           facebook  1234567890123456  #1",
    ]);
  });

  test("without results names the search, and where else to search", async () => {
    const { out } = await runList(await start(), "links", { search: "zzz" });
    expect(out).toBe("No link with `zzz` in its title was found (1 request). Try --by alias or --by url.\n");
    expect((await runList(await startLooking(), "links", {})).out).toBe("The account has no links (1 request).\n");
  });
});

/** The cells of a CSV by column name. */
function read(text: string): Record<string, string>[] {
  return parse(text, { columns: true, bom: true, skip_empty_lines: false, relax_column_count: false });
}

async function csvOf(scenario: Scenario, what: "links" | "pixels" = "links"): Promise<string> {
  const { exit, out } = await runList(scenario, what, { sort: "asc", format: ["csv"] });
  expect(exit).toBe(0);
  return out;
}

/** Cells that a spreadsheet would run. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

describe("CSV", () => {
  test("is read by another parser, with the paths of fields as columns", async () => {
    const rows = read(await csvOf(await start()));
    expect(rows[0]).toMatchObject({
      key: "go.example.com/spring-sale",
      alias: "spring-sale",
      domain: "go.example.com",
      url: LINKS[0]?.url,
      space: "Marketing",
      pixels: "'=cmd|' /C calc'!A0; Meta main",
      disabled: "false",
      privacy: "public",
      "expiration.date": "",
      secrets: "",
      clicks: "12044",
      status: "active",
      title: "Spring sale",
    });
    expect(rows[3]).toMatchObject({ url: "https://me:hunter2@example.com/", secrets: "password", privacy: "password" });
    expect(rows[5]).toMatchObject({
      alias: "'-dash",
      title: '\'=HYPERLINK("http://evil.example","x")',
      status: holds("disabled links") ? "expired; disabled" : "expired",
      "expiration.date": "2020-01-01",
      "expiration.time": "00:00",
    });
    expect(rows[6]).toMatchObject({
      title: '\\u{1b}[2J\\u{202e}::error::x, "quoted"\\u{d}\\u{a}+1',
      "targeting.active": "country",
      "targeting.country": "DE: https://example.com/de; FR: https://example.com/fr",
      "targeting.rotation": holds("several or inactive target groups")
        ? "https://example.com/1; https://example.com/2"
        : "",
    });
    expect(rows).toHaveLength(LINKS.length);
  });

  test("of pixels", async () => {
    expect(
      read(await csvOf(await start(), "pixels")).map(({ name, type, value, id }) => [name, type, value, id]),
    ).toEqual([
      ["Meta main", "facebook", "1234567890123456", "1"],
      ["'=cmd|' /C calc'!A0", "bing", "1234567", "2"],
    ]);
  });

  test("begins with a byte order mark only if it is not ASCII", async () => {
    const plain = await startLooking({ seed: { links: [{ alias: "a", url: "https://example.com/", domain: 2 }] } });
    expect(await csvOf(plain)).toMatch(/^key,/);
    expect(await csvOf(await start())).toMatch(/^\ufeffkey,/);
  });

  test("has a header without results, and is empty if the account cannot be read", async () => {
    const scenario = await start();
    const { out } = await runList(scenario, "links", { format: ["csv"], search: "zzz" });
    expect(out.split("\n")).toHaveLength(2);
    const wrong = await runList(scenario, "links", { format: ["csv"], space: "nowhere" });
    expect([wrong.exit, wrong.out]).toEqual([1, ""]);
    expect(wrong.err).toContain("no-such-space");
  });
});

// oxlint-disable-next-line no-control-regex -- they are what must not be there
const OBEYED = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

test("no title or name controls the terminal, and every record stays on one line", { timeout: 600_000 }, async () => {
  const link = (title: string, at: number): Pick<Link, "alias" | "url" | "domain" | "title"> => ({
    alias: `a${at}`,
    url: "https://example.com/",
    domain: 2,
    title,
  });
  await fc.assert(
    fc.asyncProperty(fc.array(hostileText, { minLength: 1, maxLength: 8 }), async (titles) => {
      const scenario = await startLooking({ seed: { links: titles.map(link) } });
      const csv = await csvOf(scenario);
      expect(csv).not.toMatch(OBEYED);
      const rows = read(csv);
      expect(rows).toHaveLength(titles.length);
      for (const row of rows) for (const cell of Object.values(row)) expect(cell).not.toMatch(FORMULA);
      const { out } = await runList(scenario, "links", {});
      expect(out).not.toMatch(OBEYED);
      expect(out).not.toMatch(/^ *::/m);
      // The header, the records, an empty line, and the count.
      expect(out.split("\n")).toHaveLength(titles.length + 4);
      await scenario.sandbox.close();
    }),
    { numRuns: runs(20) },
  );
});
