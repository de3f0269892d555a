// The HTML report in a real browser, and the picture of a comment: everybody can read it, hostile values stay text, and the page's policy
// stops markup that is not escaped. test/reports.test.ts compares what the page says.

import { cp, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import type { SandboxOptions } from "../../src/sandbox/index.ts";
import { faintTexts, isDark, sidewaysScroll, startSite, useBrowser } from "../support/browser.ts";
import { commandIn } from "../support/command.ts";
import { ROOT } from "../support/documents.ts";
import { sandboxFor } from "../support/sandbox.ts";
import { temporaryFolder, writeFiles } from "../support/scenario.ts";

const openWindow = useBrowser();
const FIXTURES = path.resolve("test/fixtures/reports");
const CASES = ["apply-part", "brake", "drift", "each-action", "hostile", "invalid", "nothing"];
const OPEN_ALL = "for (const details of document.querySelectorAll('details')) details.open = true";

/** The file of the page that a case of test/fixtures/reports writes. */
async function reportOf(name: string): Promise<string> {
  const folder = await temporaryFolder();
  await cp(path.join(FIXTURES, name, "now"), folder, { recursive: true });
  const seed = JSON.parse(await readFile(path.join(FIXTURES, name, "live.json"), "utf8").catch(() => "{}"));
  const [, command = ""] = (await readFile(path.join(FIXTURES, name, "command.txt"), "utf8")).split("\n");
  return run(folder, seed, command.split(" ")[0] ?? "");
}

/** The file of the page of a plan. */
async function reportOfFile(text: string, seed: SandboxOptions["seed"]): Promise<string> {
  const folder = await temporaryFolder();
  await writeFiles(folder, {
    "linkform.yaml": `version: 1\nservice: { base_url: "https://short.example.com" }\n${text}`,
  });
  return run(folder, seed, "plan");
}

async function run(folder: string, seed: SandboxOptions["seed"], verb: string): Promise<string> {
  const sandbox = await sandboxFor({ seed: seed ?? {} });
  const env = { LINKFORM_API_KEY: sandbox.apiKey, LINKFORM_SECRET_PRESS: "for the press" };
  const address = verb === "validate" ? [] : ["--base-url", sandbox.url];
  const answer = verb === "apply" ? ["--yes"] : [];
  await commandIn(folder, [verb, ...address, ...answer, "--format", "html=report.html"], env);
  return path.join(folder, "report.html");
}

const addressOf = (file: string): string => pathToFileURL(file).href;

describe("a report", () => {
  // Fails when one of them breaks its own policy, requests anything, or has an error on the console.
  test.each(CASES)("of %s opens without trouble", async (name) => {
    const url = addressOf(await reportOf(name));
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
      await page.goto(addressOf(await reportOf(name)));
      await page.evaluate(OPEN_ALL);
      expect(await faintTexts(page)).toEqual([]);
      expect(await isDark(page)).toBe(colorScheme === "dark");
    }
  });

  const LONG = "w".repeat(240);

  // Fails when something is wider than a phone: long keys and addresses, lines of files, messages.
  test.each([320, 375])("fits a phone of %i pixels", async (width) => {
    const { page } = await openWindow({ viewport: { width, height: 700 }, isMobile: true, hasTouch: true });
    const link = `{ url: "https://example.com/${LONG}?${LONG}=${LONG}", pixels: [${LONG.slice(0, 32)}] }`;
    const pixel = `${LONG.slice(0, 32)}: { type: bing, value: "1234567" }`;
    const long = await reportOfFile(`links: { go.example.com/${LONG}: ${link} }\npixels: { ${pixel} }\n`, {
      links: [{ alias: LONG, domain: 2, url: `https://example.com/${LONG}`, title: LONG }],
    });
    for (const file of [long, ...(await Promise.all(CASES.map(reportOf)))]) {
      await page.goto(addressOf(file));
      await page.evaluate(OPEN_ALL);
      expect(await sidewaysScroll(page)).toBe(0);
    }
  });

  // Fails when the focus is not marked, or anything but the values is on the way to them.
  test("marks what has the focus", async () => {
    const { page } = await openWindow();
    await page.goto(addressOf(await reportOf("each-action")));
    await page.keyboard.press("Tab");
    const focused = await page.evaluate(`(() => {
      const active = document.activeElement;
      const { outlineStyle, outlineWidth } = getComputedStyle(active);
      return [active.innerText.trim(), outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2];
    })()`);
    expect(focused).toEqual([expect.stringMatching(/^https:/), true]);
  });
});

describe("hostile values", () => {
  const HOSTILE = `"'><script>document.title = "ran"</script><img src="x" onerror="alert(1)"></textarea></style><svg onload=alert(2)>`;

  // Fails when a value of the account or of the files becomes markup, runs, opens a dialog, or requests anything.
  test("stay text", async () => {
    const names = ["<b>", "<img src=x onerror=alert(3)>"];
    const plan = await reportOfFile(
      `rules: { refused-address: off }
links:
  go.example.com/new: { url: "https://example.com/", note: ${JSON.stringify(HOSTILE)}, pixels: [${JSON.stringify(names[0])}] }
  go.example.com/old: { url: "https://example.com/?q='><svg/onload=alert(6)>" }
pixels: { ${names.map((name) => `${JSON.stringify(name)}: { type: bing, value: "1234567" }`).join(", ")} }
absent: { links: [go.example.com/gone] }
`,
      {
        links: [
          { alias: "old", domain: 2, url: "javascript://example.com/%0aalert(4)", title: HOSTILE },
          { alias: "gone", domain: 2, url: "javascript://example.com/%0aalert(5)" },
        ],
      },
    );
    for (const file of [plan, await reportOf("hostile"), await reportOf("invalid")]) {
      const { page, asked, troubles } = await openWindow();
      await page.goto(addressOf(file));
      expect(await page.locator("img, iframe, object, embed, base, [onerror], [onload], [style]").count()).toBe(0);
      expect(await page.locator("script").count()).toBe(0);
      const links = await page.locator("[href]").evaluateAll((all) => all.map((one) => one.getAttribute("href") ?? ""));
      expect(links.filter((href) => !/^(data:,$|https?:\/\/)/.test(href))).toEqual([]);
      expect(await page.title()).not.toBe("ran");
      const text = await page.locator("main").textContent();
      if (file === plan) for (const name of names) expect(text).toContain(name);
      expect(await readFile(file, "utf8")).not.toContain("for the press");
      expect(asked).toEqual([addressOf(file)]);
      expect(troubles).toEqual([]);
    }
  });

  // Fails when the policy is missing, is not first, or lets anything through that escaping should have stopped.
  test("do nothing even where one is not escaped", async () => {
    const file = await reportOf("each-action");
    const { site, requests } = await startSite();
    const intruders = [
      `<script>document.title = "ran"</script>`,
      `<script src="${site}/a.js"></script>`,
      `<img src="${site}/b.png" onerror="document.title = 'ran'">`,
      `<svg onload="document.title = 'ran'"></svg>`,
      `<style>body { background: url(${site}/c.png) } h1 { display: none }</style>`,
      `<p style="position: fixed; inset: 0">over it all</p>`,
      `<link rel="stylesheet" href="${site}/d.css">`,
      `<iframe src="${site}/e"></iframe><iframe srcdoc="<script>parent.document.title = 'ran'</script>"></iframe>`,
      `<object data="${site}/f"></object><embed src="${site}/g">`,
      `<base href="${site}/"><video src="${site}/h" autoplay></video>`,
      `<form action="${site}/i"><button id="send">Send</button></form>`,
    ];
    const text = await readFile(file, "utf8");
    await writeFile(
      file,
      text.replace("<h1>", () => `${intruders.join("")}<h1>`),
    );
    const { page } = await openWindow();
    await page.goto(addressOf(file));
    await page.evaluate(`document.getElementById("send").click()`);
    // Chromium reports requests that the policy refuses as failed. What counts is what arrives.
    expect(requests).toEqual([]);
    expect(await page.title()).not.toBe("ran");
    expect(await page.getByRole("heading", { level: 1 }).isVisible()).toBe(true);
    expect(await page.evaluate(`getComputedStyle(document.querySelector("p[style]")).position`)).toBe("static");
    const first = await page.locator("head > *").evaluateAll((all) => all.slice(0, 2).map((one) => one.outerHTML));
    expect(first[0]).toBe(`<meta charset="utf-8">`);
    expect(first[1]).toMatch(/^<meta http-equiv="Content-Security-Policy" content="default-src 'none'; /);
  });
});

// Fails when the picture is not well-formed XML, shows nothing, cuts the comment off, or leaves a large part empty.
test("docs/comment.svg shows the whole comment", async () => {
  const { page, troubles } = await openWindow();
  await page.goto(addressOf(path.join(ROOT, "docs/comment.svg")));
  const box = page.locator(".box");
  const shown = Number(await page.locator("svg").getAttribute("height"));
  const { y = 0, height = 0 } = (await box.boundingBox()) ?? {};
  expect(await box.textContent()).toContain("go.example.com/careers");
  expect(y + height).toBeLessThanOrEqual(shown);
  expect(y + height).toBeGreaterThan(shown - 120);
  expect(troubles).toEqual([]);
});
