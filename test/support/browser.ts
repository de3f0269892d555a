// A real browser for tests: Chromium, on this machine only. All requests of pages are recorded.

import { existsSync } from "node:fs";
import { createServer } from "node:http";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import { listen } from "./http.ts";

/** A host that, with its subdomains and 127.0.0.1, leads to this machine. No other address can be reached. */
const LOCAL_NAMES = "*.example.com";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

interface Window {
  readonly page: Page;
  /** Every address that the page or its redirects requested. */
  readonly asked: readonly string[];
  /** Dialogs, errors on the console (such as violations of the content security policy), exceptions. */
  readonly troubles: readonly string[];
}

/** Opens a window without data of other windows. It closes with the test. */
type OpenWindow = (options?: BrowserContextOptions) => Promise<Window>;

/** One browser for the tests of a file. @throws Error without Chromium: such tests are never skipped */
export function useBrowser(): OpenWindow {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: chromiumPath(),
      args: [
        // Containers run as root, and the pages are trusted.
        "--no-sandbox",
        "--no-proxy-server",
        `--host-resolver-rules=MAP ${LOCAL_NAMES} 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1`,
      ],
    });
  });
  afterAll(() => browser?.close());
  return async (options = {}) => {
    if (browser === undefined) throw new Error("The browser has not been started.");
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    onTestFinished(() => context.close());
    const asked: string[] = [];
    const troubles: string[] = [];
    const page = await context.newPage();
    page.on("request", (request) => asked.push(request.url()));
    page.on("pageerror", (error) => troubles.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error") troubles.push(message.text());
    });
    page.on("dialog", (dialog) => {
      troubles.push(`a dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    return { page, asked, troubles };
  };
}

function chromiumPath(): string {
  const named = process.env["LINKFORM_CHROMIUM"];
  const found = named ?? PLACES.find((place) => existsSync(place));
  if (found !== undefined) return found;
  throw new Error("There is no Chromium: install Debian's package chromium, or name another in LINKFORM_CHROMIUM.");
}

/** A site on this machine with the same page on every path: its address, `http://www.example.com:PORT`, and the requested paths. */
export async function startSite(): Promise<{ readonly site: string; readonly requests: readonly string[] }> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? "");
    response.setHeader("content-type", "text/html");
    response.end(`<!DOCTYPE html><title>Arrived</title><link rel="icon" href="data:,"><h1>Arrived</h1>`);
    request.resume();
  });
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { site: (await listen(server)).replace("127.0.0.1", "www.example.com"), requests };
}

/** Whether the background of a page is dark. */
export async function isDark(page: Page): Promise<boolean> {
  const background = String(await page.evaluate("getComputedStyle(document.documentElement).backgroundColor"));
  return Number(/\d+/.exec(background)?.[0]) < 128;
}

/** How far the page can be scrolled sideways, in CSS pixels. */
export async function sidewaysScroll(page: Page): Promise<number> {
  return Number(await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"));
}

/** Texts with a contrast to their background below 4.5 to 1 (WCAG 2, AA). Expects opaque colors. */
export async function faintTexts(page: Page): Promise<unknown> {
  return page.evaluate(`(() => {
    const channels = (color) => color.match(/[\\d.]+/g).map(Number);
    const luminance = (color) => {
      const [r, g, b] = channels(color).map((value) => value / 255)
        .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const behind = (element) => {
      const color = element === null ? "rgb(255, 255, 255)" : getComputedStyle(element).backgroundColor;
      return channels(color)[3] === 0 ? behind(element.parentElement) : color;
    };
    const faint = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const element = texts.currentNode.parentElement;
      const text = texts.currentNode.data.trim();
      if (text === "" || !element.checkVisibility()) continue;
      const pair = [luminance(getComputedStyle(element).color), luminance(behind(element))].sort((a, b) => b - a);
      const contrast = (pair[0] + 0.05) / (pair[1] + 0.05);
      if (contrast < 4.5) faint.push(text + " " + contrast.toFixed(2));
    }
    return faint;
  })()`);
}
