// The sandbox's page at `/` in a real browser.
import { describe, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { faintTexts, sidewaysScroll, useBrowser } from "../support/browser.ts";
import { openAccount } from "./account.ts";

const openWindow = useBrowser();

/** The row of the links' table that is about a short URL. */
const rowOf = (page: Page, shortUrl: string): ReturnType<Page["getByRole"]> =>
  page
    .locator("table.links")
    .getByRole("row")
    .filter({ has: page.getByRole("link", { name: shortUrl, exact: true }) });

const PHONE = { viewport: { width: 320, height: 640 } };

describe("the page", () => {
  // Fails when the page misses what it is for, asks anybody but the sandbox, or breaks its own policy.
  test("shows the account, and asks nobody else", async () => {
    const { sandbox } = await openAccount();
    const { page, asked, troubles } = await openWindow();
    await page.goto(sandbox.url);
    expect(await page.getByRole("heading", { level: 2 }).allTextContents()).toEqual([
      "Try a link as a visitor",
      "Links",
      "Pixels",
      "Domains",
      "Spaces",
    ]);
    expect(await page.locator("table.links tbody tr").count()).toBe(9);
    expect(await rowOf(page, "go.example.com/press").innerText()).toMatch(/Analytics[^]*\/press[^]*active[^]*password/);
    const pixel = page.locator("table.pixels").getByRole("row").filter({ hasText: "Analytics" });
    expect(await pixel.getByRole("link").allTextContents()).toEqual(["go.example.com/press", "go.example.com/pixels"]);
    expect(asked).toEqual([`${sandbox.url}/`]);
    expect(troubles).toEqual([]);
  });

  // Fails when the search does not search, forgets what was asked, or has no way back.
  test("is searched", async () => {
    const { sandbox } = await openAccount();
    const { page } = await openWindow();
    await page.goto(sandbox.url);
    await page.getByLabel("Search links and pixels").fill("PRESS");
    await page.getByRole("button", { name: "Search" }).click();
    await page.waitForURL(`${sandbox.url}/?q=PRESS#links`);
    expect(await page.locator("table.links tbody tr").count()).toBe(1);
    expect(await page.getByLabel("Search links and pixels").inputValue()).toBe("PRESS");
    await page.getByRole("link", { name: "Show all" }).click();
    await page.waitForURL(`${sandbox.url}/#links`);
    expect(await page.locator("table.links tbody tr").count()).toBe(9);
  });

  // Fails when a link can't be tried as somebody else, when looking counts, or when the result does not lead there.
  test("tries a link as a German on an iPhone", async () => {
    const { sandbox, site } = await openAccount();
    const { page, troubles } = await openWindow();
    await page.goto(sandbox.url);
    await page.getByRole("link", { name: "Try go.example.com/spring" }).click();
    expect(await page.getByLabel("Short URL").inputValue()).toBe("go.example.com/spring");
    await page.getByLabel("Country").selectOption("Germany (DE)");
    await page.getByLabel("Language").selectOption("German (de)");
    await page.getByLabel("Platform").selectOption("iOS");
    await page.getByRole("button", { name: "See what happens" }).click();
    const result = page.getByRole("status");
    await result.getByText("DE has a destination").waitFor();
    expect(await result.getByRole("link").getAttribute("href")).toBe(`${site}/de`);
    expect(await page.getByLabel("Country").inputValue()).toBe("DE");
    expect(sandbox.state().links[1]?.clicks).toBe(0);

    await page.getByRole("button", { name: "Visit, and count the click" }).click();
    await result.getByText("The visit was counted. The link now has 1 click.").waitFor();
    expect(await rowOf(page, "go.example.com/spring").locator(".number").innerText()).toBe("1");
    await result.getByRole("link").click();
    await page.waitForURL(`${site}/de`);
    expect(troubles).toEqual([]);
  });

  // Fails when a short URL in the list is not at work.
  test("opens a short URL", async () => {
    const { sandbox, site } = await openAccount();
    const { page } = await openWindow();
    await page.goto(sandbox.url);
    await rowOf(page, "go.example.com/hello").getByRole("link", { name: "go.example.com/hello", exact: true }).click();
    await page.waitForURL(`${site}/hello?lang=en#top`);
    expect(sandbox.state().links[0]?.clicks).toBe(1205);
  });

  // Fails when something needs a mouse: the order of the stops, what has the focus being marked, and a whole trial.
  test("is used with the keyboard alone", async () => {
    const { sandbox } = await openAccount();
    const { page } = await openWindow();
    await page.goto(sandbox.url);
    const stops: unknown[] = [];
    const tab = async (): Promise<void> => {
      await page.keyboard.press("Tab");
      stops.push(
        await page.evaluate(`(() => {
          const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
          const marked = outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2;
          return (document.activeElement.labels?.[0] ?? document.activeElement).innerText.trim() + (marked ? "" : ": not marked");
        })()`),
      );
    };
    await tab();
    await tab();
    await page.keyboard.type("spring");
    await tab();
    await page.keyboard.type("Germany");
    for (let stop = 0; stop < 6; stop++) await tab();
    expect(stops).toEqual([
      "To the links",
      "Short URL",
      "Country",
      "Language",
      "Platform",
      "Tracking",
      "entered the password",
      "is a crawler",
      "See what happens",
    ]);
    await page.keyboard.press("Enter");
    await page.getByRole("status").getByText("DE has a destination").waitFor();
  });

  // Fails when a text can't be read in one of the two schemes, or dark is not dark.
  test.each(["light", "dark"] as const)("is readable in %s", async (colorScheme) => {
    const { sandbox, short } = await openAccount();
    const { page } = await openWindow({ colorScheme });
    for (const address of [
      `${sandbox.url}/?link=spring&country=DE`,
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

  // Fails when something sticks out on a phone: long aliases and addresses, tables, results.
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
          title: long,
          space: 1,
          pixels: [1],
          ends_at: "2030-01-01T00:00:00Z",
          expiration_clicks: 999_999_999,
          expiration_url: `${site}/${long}`,
          target_type: 1,
          country: [{ key: "DE", value: `${site}/${long}` }],
        },
      ],
    }));
    const { page } = await openWindow(PHONE);
    for (const address of [`${sandbox.url}/?link=${long}&country=DE&q=${long}`, short(`/${long}`)]) {
      await page.goto(address);
      for (const summary of await page.locator("summary").all()) await summary.click();
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
    const query = new URLSearchParams({ q: HOSTILE, link: HOSTILE, country: HOSTILE }).toString();
    const addresses = [
      `${sandbox.url}/`,
      `${sandbox.url}/?${query}`,
      `${sandbox.url}/?link=run`,
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
