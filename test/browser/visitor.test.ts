// Short URLs opened in a real browser: what the visitor sees, and where they end up.
import { devices } from "playwright-core";
import { describe, expect, test } from "vitest";
import { useBrowser } from "../support/browser.ts";
import { openAccount } from "./account.ts";

const openWindow = useBrowser();

describe("a visitor", () => {
  // Fails when a browser does not follow the redirect, when the query or the fragment of the destination is lost, or the click
  // does not count.
  test("follows a redirect", async () => {
    const { sandbox, site, short } = await openAccount();
    const { page, troubles } = await openWindow();
    await page.goto(short("/HELLO"));
    expect(page.url()).toBe(`${site}/hello?lang=en#top`);
    expect(await page.getByRole("heading").textContent()).toBe("Arrived");
    expect(sandbox.state().links[0]?.clicks).toBe(1205);
    expect(troubles).toEqual([]);
  });

  // Fails when what a real browser says of itself is not understood: its languages, its platform, or the country that
  // it is made to say.
  test.each([
    ["an Austrian", "/guide", { locale: "de-AT" }, "/leitfaden"],
    ["a Briton", "/guide", { locale: "en-GB" }, "/guide"],
    ["an iPhone", "/app", devices["iPhone 15"], "/ios"],
    ["an Android phone", "/app", devices["Pixel 7"], "/app"],
    ["somebody in France", "/spring", { extraHTTPHeaders: { "X-Sandbox-Country": "FR" } }, "/fr"],
    ["somebody anywhere", "/spring", {}, "/spring"],
  ])("as %s at %s", async (_, path, options, end) => {
    const { site, short } = await openAccount();
    const { page } = await openWindow(options);
    await page.goto(short(path));
    expect(page.url()).toBe(`${site}${end}`);
  });

  // Fails when one of the two pages loads anything, does not name what the service would load, or stops there.
  test("accepts pixels, and is sent on by a page that loads nothing", async () => {
    const { site, short } = await openAccount();
    const { page, asked, troubles } = await openWindow();
    const [way, end] = [short("/pixels?a=1"), `${site}/pixels`];
    // An answer without content leaves the page as it is, to be read.
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

  // Fails when the password can't be entered by keyboard alone, when a wrong one is not told, or when the right one does
  // not lead on, through the page that asks about pixels, whose own policy must not hold back the redirect.
  test("enters a password", async () => {
    const { sandbox, site, short } = await openAccount();
    const { page, troubles } = await openWindow();
    await page.goto(short("/press"));
    await page.keyboard.type("wrong");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").waitFor();
    expect(await page.getByRole("alert").textContent()).toBe("That is not the password.");
    const field = page.getByLabel("Password");
    expect([await field.inputValue(), await field.getAttribute("aria-describedby")]).toEqual(["", "problem"]);
    await page.keyboard.type("open sesame");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Refuse" }).click();
    await page.waitForURL(`${site}/press`);
    expect(sandbox.state().links[5]?.clicks).toBe(1);
    expect(troubles).toEqual([]);
  });

  // Fails when a page that ends the way is not shown, or leads somewhere.
  test.each([
    ["go.example.com", "/over", 200, "Link expired"],
    ["promo.example.com", "/off", 200, "Link disabled"],
    ["go.example.com", "/nothing", 404, "Not Found"],
  ])("at %s%s meets a page with %i", async (host, path, status, title) => {
    const { sandbox } = await openAccount();
    const { page, asked } = await openWindow();
    const answer = await page.goto(`http://${host}:${sandbox.port}${path}`);
    expect(answer?.status()).toBe(status);
    expect(await page.getByRole("heading").textContent()).toBe(title);
    expect(asked).toHaveLength(1);
    await page.getByRole("link", { name: "What it holds" }).click();
    await page.getByRole("heading", { name: "linkform sandbox" }).waitFor();
  });
});
