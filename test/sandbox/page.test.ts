// The page at `/`: the account, a form that visits one link without counting, and words that stay words. In a browser:
// test/browser/sandbox.test.ts.
import { afterEach, describe, expect, test } from "vitest";
import { type SeedState, type Sandbox, type SandboxOptions, startSandbox } from "../../src/sandbox/index.ts";
import { send } from "./client.ts";

let sandbox: Sandbox;
afterEach(() => sandbox.close());

async function start(seed: SeedState, options: SandboxOptions = {}): Promise<void> {
  sandbox = await startSandbox({ seed, now: () => new Date("2026-11-21T12:00:00Z"), ...options });
}

async function open(form: Readonly<Record<string, string>> = {}): Promise<string> {
  const { status, headers, text } = await send(sandbox.url, `/?${new URLSearchParams(form).toString()}`);
  expect([status, headers["content-type"]]).toEqual([200, "text/html; charset=UTF-8"]);
  return text;
}

/** The text that a reader sees: a line for each row of a table, item of a list and paragraph. */
const textOf = (html: string): string =>
  html
    .replace(/<(style|datalist|select)[^]*?<\/\1>/g, "")
    .replace(/<td[^>]*>/g, " | ")
    .replace(/<[^>]*>/g, "")
    .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));

const answerOf = (html: string): string => textOf(/<p class="answer"[^]*?<\/p>/.exec(html)?.[0] ?? "");

const web = (path: string): string => `https://example.com/${path}`;

const SEED: SeedState = {
  account: { timezone: "Europe/Berlin" },
  pixels: [
    { name: "Meta main", type: "facebook", value: "1234567890123456" },
    { name: "Analytics", type: "google-analytics", value: "G-ABCDE12345" },
  ],
  links: [
    { url: web("plain"), domain: 2, alias: "plain", clicks: 1204 },
    {
      url: web("spring"),
      domain: 2,
      alias: "spring",
      target_type: 1,
      country: [{ key: "DE", value: web("de") }],
      pixels: [1, 2],
    },
    { url: web("old"), domain: 3, alias: "old", ends_at: "2026-11-21T11:00:00Z", expiration_url: web("over") },
    { url: web("off"), domain: 3, alias: "off", disabled: 1, password: "hunter2" },
    { url: web("turns"), domain: 2, alias: "turns", target_type: 4, rotation: [{ value: web("r1") }] },
    { url: web("hole"), domain: 2, alias: "hole", target_type: 4, rotation: { 1: { value: web("r2") } } },
  ],
};

describe("the page", () => {
  // Fails when a part of the account is missing or wrong, or a password is shown.
  test("shows the account, its links and its pixels", async () => {
    await start(SEED, { software: "4.9" });
    const text = textOf(await open());
    for (const line of [
      "Version: 4.9",
      "Time zone: Europe/Berlin",
      "API key: sandbox-key",
      "Domains: short.example.com (id 1), go.example.com (id 2), promo.example.com (id 3)",
      "Spaces: Marketing (id 1), Sales (id 2)",
      " | go.example.com/plain | https://example.com/plain | active | 1,204 | ",
      " | go.example.com/spring | https://example.com/spring | active | 0 | Meta main, Analytics",
      " | promo.example.com/old | https://example.com/old | expired | 0 | ",
      " | promo.example.com/off | https://example.com/off | disabled, password | 0 | ",
      " | Meta main | facebook | 1234567890123456",
    ])
      expect(text.split("\n")).toContain(line);
    expect(text).not.toContain("hunter2");
  });

  // Fails when an empty account breaks the page, or when a key that somebody chose is shown.
  test("of an empty account with another key", async () => {
    await start({ domains: [], spaces: [] }, { apiKey: "a-secret" });
    const html = await open({ link: "x" });
    expect(textOf(html)).toMatch(/No links\n[^]*No pixels\n/);
    expect(answerOf(html)).toBe("404 Not Found");
    expect(html).not.toContain("a-secret");
  });

  // Fails when the form's visitor gets another answer than a visitor, or leaves a trace.
  test.each([
    [{ link: "go.example.com/plain" }, `301 ${web("plain")}`],
    [{ link: "HTTP://go.example.com/PLAIN?q=ü x#y" }, `301 ${web("plain?q=%C3%BC+x")}`],
    [{ link: "go.example.com/spring", country: "DE" }, "200 Before you continue"],
    [{ link: "go.example.com/spring", country: "DE", passes: "1" }, `301 ${web("de")}`],
    [{ link: "go.example.com/spring", country: "FR", passes: "1" }, `301 ${web("spring")}`],
    [{ link: "go.example.com/spring", country: "DE", passes: "1", crawler: "1" }, `301 ${web("spring")}`],
    [{ link: "go.example.com/turns" }, `301 ${web("r1")}`],
    [{ link: "go.example.com/hole" }, "500 Server Error"],
    [{ link: "promo.example.com/old" }, `301 ${web("over")}`],
    [{ link: "promo.example.com/off" }, "200 Password needed"],
    [{ link: "promo.example.com/off", passes: "1" }, "200 Link disabled"],
    [{ link: "go.example.com/nothing" }, "404 Not Found"],
    [{ link: "go.example.com" }, "200 linkform sandbox"],
    [{ link: "elsewhere.example/plain" }, "404 Not Found"],
  ])("visits with %j", async (form, answer) => {
    await start(SEED);
    const before = sandbox.state();
    expect(answerOf(await open(form))).toBe(answer);
    expect(sandbox.state()).toEqual(before);
  });

  // Fails when the form lacks what targets visitors in 49, or offers it in an older version.
  test("asks for continent, browser and device only on 49", async () => {
    const device = [{ key: "tablet", value: web("tablet") }];
    const links = [{ domain: 2, alias: "a", url: web(""), sensitive: 1, target_type: 7, device }];
    const names = (html: string): readonly (string | undefined)[] =>
      Array.from(html.matchAll(/<select name="(\w+)"/g), ([, name]) => name);
    await start({ links });
    expect(names(await open())).toEqual(["country", "platform", "language"]);
    await sandbox.close();
    await start({ links }, { software: "49" });
    expect(answerOf(await open({ link: "go.example.com/a" }))).toBe("200 Sensitive content");
    const html = await open({ link: "go.example.com/a", passes: "1", device: "tablet" });
    expect(answerOf(html)).toBe(`301 ${web("tablet")}`);
    expect(names(html)).toEqual(["country", "platform", "language", "continent", "browser", "device"]);
    expect(html).toContain("<option selected>tablet</option>");
  });

  // Fails when the page may fetch, run or be framed anywhere, or is kept by the browser.
  test("asks nothing of anybody", async () => {
    await start(SEED);
    const { headers, text } = await send(sandbox.url, "/");
    expect(headers).toMatchObject({
      "content-security-policy": expect.stringMatching(
        /^default-src 'none'; style-src 'sha256-[^']+'; img-src data:; base-uri 'none'; frame-ancestors 'none'$/,
      ),
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
    });
    expect(text).not.toMatch(/<script|<img|<iframe|\ssrc=|\son\w+=|@import|url\(/);
  });

  // Fails when a text of the account, or of the address, becomes markup, or an address that runs something becomes a link.
  test("leaves words as words", async () => {
    const hostile = `"'><script>alert(1)</script><img src=x onerror=alert(1)>`;
    const run = "javascript://example.com/%0aalert(1)";
    await start({
      account: { timezone: "Europe/Berlin" },
      domains: [{ name: hostile, index_page: run, not_found_page: run }, { name: "" }],
      spaces: [{ name: hostile }],
      pixels: [{ name: hostile, type: hostile, value: hostile }],
      links: [
        {
          domain: 1,
          alias: hostile,
          url: run,
          title: hostile,
          space: 1,
          pixels: [1],
          expiration_url: run,
          target_type: 1,
          country: [{ key: hostile, value: run }],
        },
        {
          domain: 1,
          alias: "data",
          url: `data:text/html,${hostile}`,
          target_type: 4,
          rotation: [{ value: `https://example.com/${hostile}` }],
        },
        { domain: 1, alias: "\ud800", url: "\ud800" },
        { domain: 2, alias: "evil.example", url: "https://example.com/" },
      ],
    });
    const pages = [
      await open({ link: hostile, country: hostile, language: hostile, platform: hostile }),
      await open({ link: `${hostile}/data` }),
      await open({ link: `${hostile}/${hostile}`, country: hostile, crawler: hostile }),
      (await send(sandbox.url, `/${encodeURIComponent(hostile)}/data`)).text,
      (await send(sandbox.url, `/${encodeURIComponent(hostile)}/${encodeURIComponent("<b>")}`)).text,
    ];
    for (const page of pages) {
      expect(page).not.toMatch(/<(script|img|b>(?!\d{3}<\/b>))|href="(?!https?:|\/(?!\/)|#|data:,")/);
    }
    expect(pages[0]).toContain("&#60;script&#62;");
  });
});
