// The html report in a real browser: what it shows, and that it is found and read by everybody.
import { describe, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { faintTexts, sidewaysScroll, useBrowser } from "../support/browser.ts";
import { reportOf, reportOfFiles, reportOfMany } from "./reports.ts";

const openWindow = useBrowser();

/** The keys of changes, in cards and in rows of tables. */
const keys = (page: Page): Promise<string[]> => page.locator(".key").allTextContents();

/** Nothing is folded. */
const OPEN_ALL = "for (const details of document.querySelectorAll('details')) details.open = true";
const CASES = ["apply-part", "brake", "drift", "each-action", "hostile", "invalid", "nothing"];

describe("the page of a plan", () => {
  // Fails when a change is not shown, or told as another action or of another key than the JSON of the same run says.
  test("shows every change once", async () => {
    const { url, document } = await reportOf("each-action");
    const { page, asked: fetched, troubles } = await openWindow();
    await page.goto(url);
    const shown = await keys(page);
    for (const { key } of document.changes) expect(shown.filter((text) => text.endsWith(key))).toHaveLength(1);
    expect(shown).toHaveLength(document.changes.length);
    const lost = document.changes.filter(({ breaks_url: breaks }) => breaks).length;
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toContain(
      `${lost} short URLs will stop working`,
    );
    expect(fetched).toEqual([url]);
    expect(troubles).toEqual([]);
  });

  // Fails when a side of a field is missing, or what differs is not what is marked.
  test("has the old and the new value of each field, with what differs marked", async () => {
    const { url } = await reportOf("each-action");
    const { page } = await openWindow();
    await page.goto(url);
    const card = page.getByRole("article").filter({ hasText: "go.example.com/newsletter" });
    const rows = await card
      .locator("tbody tr")
      .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent?.trim())));
    const subscribe = "https://shop.example.com/news/letters/subscribe?utm_source=";
    expect(rows).toEqual([
      [
        "destination",
        `${subscribe}flyer&utm_medium=print&utm_campaign=spring-2026&ref=qr → ${subscribe}poster&utm_medium=print&utm_campaign=spring-2027&utm_content=b`,
      ],
      ["pixels", ""],
      ["+", "Analytics"],
      ["−", "Old analytics"],
    ]);
    expect(await card.locator("del").allTextContents()).toEqual(["flyer", "2026", "ref", "qr", "Old analytics"]);
    expect(await card.locator("ins").allTextContents()).toEqual(["poster", "2027", "utm_content", "b", "Analytics"]);
  });
});

describe("what is listed", () => {
  // Fails if changes that are alike are not rows of one table, or if one of them has no row.
  test("is a table where it is alike", async () => {
    const { url } = await reportOfMany(500);
    const { page } = await openWindow();
    await page.goto(url);
    const card = page.getByRole("article").filter({ hasText: "host of destination: https://old.example.com becomes" });
    expect(await card.locator("h3").textContent()).toContain("245 links");
    expect(await card.locator("tbody tr").count()).toBe(245);
    expect(await card.locator("tbody tr").last().isVisible()).toBe(true);
  });

  // Fails when an apply does not say what became of each, first what is left.
  test("tells what became of each change of an apply", async () => {
    const { url, document } = await reportOf("apply-part");
    const { page } = await openWindow();
    await page.goto(url);
    expect(await page.getByRole("heading", { level: 2 }).allTextContents()).toEqual([
      "Failed: 1 change",
      "Not started: 1 change",
      "Next steps",
      "1 short URL no longer works",
      "1 link changed for visitors",
      "1 link created",
    ]);
    const failed = document.changes.find(({ outcome }) => outcome === "failed");
    expect(await page.getByRole("article").first().innerText()).toContain(failed?.error?.message ?? "no error");
  });
});

describe("a report", () => {
  // Fails when one of them breaks its own policy, asks for anything, or has an error on the console.
  test.each(CASES)("of %s opens without trouble", async (name) => {
    const { url } = await reportOf(name);
    const { page, asked, troubles } = await openWindow();
    await page.goto(url);
    expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1);
    expect(asked).toEqual([url]);
    expect(troubles).toEqual([]);
  });

  // Fails when a text can't be read in one of the two schemes, or dark is not dark.
  test.each(["light", "dark"] as const)("is readable in %s", async (colorScheme) => {
    const { page } = await openWindow({ colorScheme });
    for (const name of CASES) {
      const { url } = await reportOf(name);
      await page.goto(url);
      await page.evaluate(OPEN_ALL);
      expect(await faintTexts(page)).toEqual([]);
      const back = await page.evaluate("getComputedStyle(document.documentElement).backgroundColor");
      expect(Number(/\d+/.exec(String(back))?.[0]) < 128).toBe(colorScheme === "dark");
    }
  });

  const LONG = "w".repeat(240);

  // Fails when something sticks out on a phone: long keys and addresses, lines of files, messages.
  test.each([320, 375])("fits a phone of %i pixels", async (width) => {
    const { page } = await openWindow({ viewport: { width, height: 700 }, isMobile: true, hasTouch: true });
    const link = `{ url: "https://example.com/${LONG}?${LONG}=${LONG}", pixels: [${LONG.slice(0, 32)}] }`;
    const project = `version: 1\nservice: { base_url: "https://short.example.com" }\nlinks: { go.example.com/${LONG}: ${link} }\n`;
    const long = await reportOfFiles(
      { "linkform.yaml": `${project}pixels: { ${LONG.slice(0, 32)}: { type: bing, value: "1234567" } }\n` },
      { links: [{ alias: LONG, domain: 2, url: `https://example.com/${LONG}`, title: LONG }] },
    );
    const urls = [long.url];
    for (const name of CASES) urls.push((await reportOf(name)).url);
    for (const url of urls) {
      await page.goto(url);
      await page.evaluate(OPEN_ALL);
      expect(await sidewaysScroll(page)).toBe(0);
    }
  });

  // Fails when something can't be reached without scripts.
  test.each(["each-action", "many"])("of %s shows everything without scripts", async (name) => {
    const { url, document } = name === "many" ? await reportOfMany(100) : await reportOf(name);
    const { page } = await openWindow({ javaScriptEnabled: false });
    await page.goto(url);
    const shown = (await keys(page)).join("\n");
    for (const { key } of document.changes) expect(shown).toContain(key);
  });

  // Fails when what has the focus is not marked, or the way to the changes is not the first stop.
  test("marks what has the focus", async () => {
    const { url } = await reportOfMany(500);
    const { page } = await openWindow();
    await page.goto(url);
    const stops: string[] = [];
    for (let stop = 0; stop < 2; stop += 1) {
      await page.keyboard.press("Tab");
      stops.push(
        String(
          await page.evaluate(`(() => {
            const active = document.activeElement;
            const { outlineStyle, outlineWidth } = getComputedStyle(active);
            const isMarked = outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2;
            return active.innerText.trim() + (isMarked ? "" : ": not marked");
          })()`),
        ),
      );
    }
    expect(stops).toEqual(["Skip to the report", expect.stringMatching(/^(go|promo)\./)]);
    expect(stops.filter((stop) => stop.endsWith(": not marked"))).toEqual([]);
  });
});
