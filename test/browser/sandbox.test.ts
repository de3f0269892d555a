// The sandbox's page at `/` in a real browser.
import { describe, expect, test } from "vitest";
import { faintTexts, sidewaysScroll, useBrowser } from "../support/browser.ts";
import { openAccount } from "./account.ts";

const openWindow = useBrowser();

describe("the page", () => {
  // Fails when the form can't be used with the keyboard alone or forgets the visitor, when the visit counts, when the page asks anybody
  // but the sandbox, or when its own policy holds something back.
  test("visits a link as a German, with the keyboard alone", async () => {
    const { sandbox, site } = await openAccount();
    const { page, asked, troubles } = await openWindow();
    await page.goto(sandbox.url);
    for (const typed of ["go.example.com/spring", "DE", "iOS", "de", "", "", ""]) {
      await page.keyboard.press("Tab");
      const outline = await page.evaluate("getComputedStyle(document.activeElement).outlineStyle");
      expect(outline).toBe("solid");
      await page.keyboard.type(typed);
    }
    expect(await page.evaluate("document.activeElement.innerText")).toBe("Visit without counting");
    await page.keyboard.press("Enter");
    const answer = page.getByRole("status").getByRole("link");
    await answer.waitFor();
    expect(await answer.getAttribute("href")).toBe(`${site}/de`);
    expect(await page.getByLabel("Country").inputValue()).toBe("DE");
    expect(sandbox.state().links[1]?.clicks).toBe(0);
    expect(asked.every((address) => address.startsWith(`${sandbox.url}/`))).toBe(true);
    await answer.click();
    await page.waitForURL(`${site}/de`);
    expect(troubles).toEqual([]);
  });

  // Fails when a short URL of the table does not lead to its link.
  test("opens a short URL", async () => {
    const { sandbox, site } = await openAccount();
    const { page } = await openWindow();
    await page.goto(sandbox.url);
    await page.getByRole("link", { name: "go.example.com/hello", exact: true }).click();
    await page.waitForURL(`${site}/hello?lang=en#top`);
    expect(sandbox.state().links[0]?.clicks).toBe(1205);
  });

  // Fails when a text can't be read in one of the two schemes, or dark is not dark.
  test.each(["light", "dark"] as const)("is readable in %s", async (colorScheme) => {
    const { sandbox, short } = await openAccount();
    const { page } = await openWindow({ colorScheme });
    for (const address of [
      `${sandbox.url}/?link=go.example.com/spring&country=DE`,
      short("/press"),
      short("/over"),
      short("/pixels"),
    ]) {
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
    for (const address of [`${sandbox.url}/?link=go.example.com/${long}&country=DE`, short(`/${long}`)]) {
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
    const query = new URLSearchParams({ link: HOSTILE, country: HOSTILE }).toString();
    const addresses = [
      `${sandbox.url}/`,
      `${sandbox.url}/?${query}`,
      `${sandbox.url}/?link=go.example.com/run`,
      `${sandbox.url}/go.example.com/run`,
    ];
    for (const address of addresses) {
      await page.goto(address);
      expect(await page.locator("script, img, [onerror]").count()).toBe(0);
      expect(await page.locator('[href^="javascript" i], meta[http-equiv="refresh"]').count()).toBe(0);
      expect(await page.title()).not.toBe("ran");
    }
    await page.goto(`${sandbox.url}/`);
    expect(await page.locator("table.links").innerText()).toContain(HOSTILE);
    expect(troubles).toEqual([]);
    expect(asked.every((address) => address.startsWith(`${sandbox.url}/`))).toBe(true);
  });
});
