// Hostile values in the html report, in a real browser: they stay text; and where one did not, the page's policy holds.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { useBrowser } from "../support/browser.ts";
import { broken, reportOf, reportOfFiles } from "./reports.ts";

const openWindow = useBrowser();

const HOSTILE = `"'><script>document.title = "ran"</script><img src="x" onerror="alert(1)"></textarea></style><svg onload=alert(2)>`;

// Fails when a value of the account or of the files is taken for markup, runs, opens a dialog, or asks for anything.
test("hostile values stay text", async () => {
  const files = {
    "linkform.yaml": `version: 1
service: { base_url: "https://short.example.com" }
links:
  go.example.com/new: { url: "https://example.com/", title: ${JSON.stringify(HOSTILE)}, pixels: [${JSON.stringify("<b>")}] }
  go.example.com/old: { url: "https://example.com/#<img/src=x>", title: ${JSON.stringify(`${HOSTILE} new`)} }
pixels:
  "<b>": { type: bing, value: "1234567" }
  "<img src=x onerror=alert(3)>": { type: bing, value: "1234567" }
absent: { links: [go.example.com/gone] }
`,
  };
  const plan = await reportOfFiles(files, {
    links: [
      { alias: "old", domain: 2, url: "javascript://example.com/%0aalert(4)", title: HOSTILE },
      { alias: "gone", domain: 2, url: "javascript://example.com/%0aalert(5)" },
    ],
  });
  for (const { url, file, document } of [plan, await reportOf("hostile"), await reportOf("invalid")]) {
    const { page, asked, troubles } = await openWindow();
    await page.goto(url);
    expect(await page.locator("img, iframe, object, embed, base, [onerror], [onload], [style]").count()).toBe(0);
    expect(await page.locator("script").count()).toBe(0);
    const links = await page.locator("[href]").evaluateAll((all) => all.map((one) => one.getAttribute("href") ?? ""));
    expect(links.filter((href) => !/^(#[a-z-]+$|data:,$|https?:\/\/)/.test(href))).toEqual([]);
    expect(await page.title()).not.toBe("ran");
    const text = await page.locator("main").textContent();
    for (const { key } of document.changes ?? []) if (/^[ -~]*$/.test(key)) expect(text).toContain(key);
    expect(await readFile(file, "utf8")).not.toContain("for the press");
    expect(asked).toEqual([url]);
    expect(troubles).toEqual([]);
  }
});

/** Listens on this machine, and writes down what it is asked for. */
async function startListener(): Promise<{ readonly address: string; readonly requests: readonly string[] }> {
  const requests: string[] = [];
  const server = createServer(({ url = "" }, response) => {
    requests.push(url);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The listener listens on no port.");
  return { address: `http://www.example.com:${address.port}`, requests };
}

// Fails when the policy is not there, not first, or lets anything through that escaping was to keep out.
test("markup that got in does nothing", async () => {
  const report = await reportOf("each-action");
  const { address, requests } = await startListener();
  const intruders = [
    `<script>document.title = "ran"</script>`,
    `<script src="${address}/a.js"></script>`,
    `<img src="${address}/b.png" onerror="document.title = 'ran'">`,
    `<svg onload="document.title = 'ran'"></svg>`,
    `<style>body { background: url(${address}/c.png) } h1 { display: none }</style>`,
    `<p style="position: fixed; inset: 0">over it all</p>`,
    `<link rel="stylesheet" href="${address}/d.css">`,
    `<iframe src="${address}/e"></iframe><iframe srcdoc="<script>parent.document.title = 'ran'</script>"></iframe>`,
    `<object data="${address}/f"></object><embed src="${address}/g">`,
    `<base href="${address}/"><video src="${address}/h" autoplay></video>`,
    `<form action="${address}/i"><button id="send">Send</button></form>`,
  ];
  const url = await broken(report, intruders.join(""));
  const { page } = await openWindow();
  await page.goto(url);
  await page.evaluate(`document.getElementById("send").click()`);
  // Chromium tells of what the policy refuses as of requests that failed: what counts is what arrived.
  expect(requests).toEqual([]);
  expect(await page.title()).not.toBe("ran");
  expect(await page.getByRole("heading", { level: 1 }).isVisible()).toBe(true);
  const over = `getComputedStyle(document.querySelector("p[style]")).position`;
  expect(await page.evaluate(over)).toBe("static");
  const first = await page.locator("head > *").evaluateAll((all) => all.slice(0, 2).map((one) => one.outerHTML));
  expect(first[0]).toBe(`<meta charset="utf-8">`);
  expect(first[1]).toMatch(/^<meta http-equiv="Content-Security-Policy" content="default-src 'none'; /);
});
