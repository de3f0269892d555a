// The sandbox's page at `/`, and its pages for visitors, in a real browser. Statuses and destinations of visits are in test/sandbox.

import { describe, expect, onTestFinished, test } from "vitest";
import type { Sandbox, SeedState } from "../../src/sandbox/index.ts";
import { faintTexts, isDark, startSite, useBrowser } from "../support/browser.ts";
import { startSandbox } from "../support/sandbox.ts";

const openWindow = useBrowser();

interface Opened {
  readonly sandbox: Sandbox;
  /** The address of all destinations. */
  readonly site: string;
  /** A short URL of `go.example.com` as a visitor types it. */
  readonly short: (path: string) => string;
}

async function openAccount(): Promise<Opened> {
  const { site } = await startSite();
  const sandbox = await startSandbox({ seed: account(site) });
  onTestFinished(() => sandbox.close());
  return { sandbox, site, short: (path) => `http://go.example.com:${sandbox.port}${path}` };
}

function account(site: string): SeedState {
  return {
    pixels: [
      { name: "Meta main", type: "facebook", value: "1234567890123456" },
      { name: "Analytics", type: "google-analytics", value: "G-ABCDE12345" },
    ],
    links: [
      { domain: 2, alias: "hello", url: `${site}/hello?lang=en#top`, clicks: 1204, title: "Welcome" },
      { domain: 2, alias: "press", url: `${site}/press`, password: "open sesame", pixels: [2] },
      { domain: 2, alias: "pixels", url: `${site}/pixels`, pixels: [1, 2] },
      { domain: 2, alias: "over", url: `${site}/late`, ends_at: "2020-01-01T00:00:00Z" },
    ],
  };
}

describe("the page", () => {
  // Fails when a short URL of the table does not lead to its link with query and fragment, when its click does not count, when the focus
  // can't be seen, when the page requests anything from another host, or when its own policy stops a part of it.
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
      expect(await isDark(page)).toBe(colorScheme === "dark");
    }
  });
});

describe("a visitor", () => {
  // Fails when one of the two pages loads anything, does not name what the service would load, or does not lead on.
  test("accepts pixels, and is sent on by a page that loads nothing", async () => {
    const { site, short } = await openAccount();
    const { page, asked, troubles } = await openWindow();
    const [way, end] = [short("/pixels?a=1"), `${site}/pixels`];
    // An answer without content leaves the page open.
    await page.route(`${site}/**`, (route) => route.fulfill({ status: 204 }));
    await page.goto(way);
    const names = ["Meta main facebook 1234567890123456", "Analytics google-analytics G-ABCDE12345"];
    expect(await page.getByRole("listitem").allTextContents()).toEqual(names);
    const goesOn = page.waitForRequest(end);
    await page.getByRole("button", { name: "Accept" }).click();
    await goesOn;
    expect(await page.getByRole("listitem").allTextContents()).toEqual(names);
    expect(asked).toEqual([way, way, end]);
    expect(troubles).toEqual([]);
  });

  // Fails when the password can't be entered by keyboard alone, when a wrong one is not reported, or when the right one does not lead on,
  // through the page that asks about pixels, whose own policy must not stop the redirect.
  test("enters a password", async () => {
    const { sandbox, site, short } = await openAccount();
    const { page, troubles } = await openWindow();
    await page.goto(short("/press"));
    await page.keyboard.type("wrong");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").waitFor();
    expect(await page.getByRole("alert").textContent()).toBe("That is not the password.");
    expect(await page.getByLabel("Password").inputValue()).toBe("");
    await page.keyboard.type("open sesame");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Refuse" }).click();
    await page.waitForURL(`${site}/press`);
    expect(sandbox.state().links[1]?.clicks).toBe(1);
    expect(troubles).toEqual([]);
  });
});
