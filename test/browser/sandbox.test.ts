// The sandbox's page at `/` in a real browser.
import { describe, expect, test } from "vitest";
import { faintTexts, sidewaysScroll, useBrowser } from "../support/browser.ts";
import { openAccount } from "./account.ts";

const openWindow = useBrowser();

describe("the page", () => {
  // Fails when a short URL of the table does not lead to its link, when the focus can't be seen, when the page asks anybody but the
  // sandbox, or when its own policy holds something back.
  test("opens a short URL with the keyboard", async () => {
    const { sandbox, site } = await openAccount();
    const { page, asked, troubles } = await openWindow();
    await page.goto(sandbox.url);
    await page.getByRole("link", { name: "go.example.com/hello", exact: true }).focus();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Shift+Tab");
    expect(await page.evaluate("getComputedStyle(document.activeElement).outlineStyle")).toBe("solid");
    expect(asked.every((address) => address.startsWith(`${sandbox.url}/`))).toBe(true);
    expect(troubles).toEqual([]);
    await page.keyboard.press("Enter");
    await page.waitForURL(`${site}/hello?lang=en#top`);
    expect(sandbox.state().links[0]?.clicks).toBe(1205);
  });

  // Fails when a text can't be read in one of the two schemes, or dark is not dark.
  test.each(["light", "dark"] as const)("is readable in %s", async (colorScheme) => {
    const { sandbox, short } = await openAccount();
    const { page } = await openWindow({ colorScheme });
    for (const address of [sandbox.url, short("/press"), short("/over"), short("/pixels")]) {
      await page.goto(address);
      expect(await faintTexts(page)).toEqual([]);
      const [red = 0] =
        String(await page.evaluate("getComputedStyle(document.documentElement).backgroundColor"))
          .match(/\d+/g)
          ?.map(Number) ?? [];
      expect(red < 128).toBe(colorScheme === "dark");
    }
  });

  // Fails when something sticks out on a phone: long aliases and addresses, tables, answers.
  test("fits a phone", async () => {
    const long = "a".repeat(255);
    const { sandbox, short } = await openAccount((site) => ({
      domains: [{ name: "go.example.com", not_found_page: `${site}/${long}` }],
      spaces: [{ name: long }],
      pixels: [{ name: "W".repeat(32), type: "google-tag-manager", value: long }],
      links: [
        {
          domain: 1,
          alias: long,
          url: `${site}/${long}?${long}=${long}`,
          pixels: [1],
          target_type: 1,
          country: [{ key: "DE", value: `${site}/${long}` }],
        },
      ],
    }));
    const { page } = await openWindow({ viewport: { width: 320, height: 640 } });
    for (const address of [sandbox.url, short(`/${long}`)]) {
      await page.goto(address);
      expect(await sidewaysScroll(page)).toBe(0);
    }
  });
});

describe("hostile values", () => {
  const HOSTILE = `"'><script>document.title = "ran"</script><img src="x" onerror="alert(1)">{{7*7}}\u202e`;
  const RUN = "javascript://example.com/%0aalert(1)";

  // Fails when a text of the account is taken for markup, runs, opens a dialog, or asks for anything.
  test("stay text", async () => {
    const { sandbox } = await openAccount(() => ({
      domains: [{ name: "go.example.com" }, { name: HOSTILE, index_page: RUN, not_found_page: RUN }],
      spaces: [{ name: HOSTILE }],
      pixels: [{ name: HOSTILE, type: HOSTILE, value: HOSTILE }],
      links: [
        { domain: 1, alias: "run", url: RUN, title: HOSTILE, space: 1, pixels: [1] },
        { domain: 2, alias: HOSTILE, url: RUN, target_type: 1, country: [{ key: HOSTILE, value: RUN }] },
      ],
    }));
    const { page, asked, troubles } = await openWindow();
    for (const address of [`${sandbox.url}/go.example.com/run`, `${sandbox.url}/`]) {
      await page.goto(address);
      expect(await page.locator("script, img, [onerror]").count()).toBe(0);
      expect(await page.locator('[href^="javascript" i], meta[http-equiv="refresh"]').count()).toBe(0);
      expect(await page.title()).not.toBe("ran");
    }
    expect(await page.locator("table.links").innerText()).toContain(HOSTILE);
    expect(troubles).toEqual([]);
    expect(asked.every((address) => address.startsWith(`${sandbox.url}/`))).toBe(true);
  });
});
