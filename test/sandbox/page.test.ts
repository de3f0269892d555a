// The page at `/`: the account, and links that lead to visits. All text is escaped. In a browser: test/browser/sandbox.test.ts.
import { describe, expect, test } from "vitest";
import type { SandboxOptions, SeedState } from "../../src/sandbox/index.ts";
import { type Answer, send, start } from "./client.ts";

async function startPages(seed: SeedState, options: SandboxOptions = {}): Promise<(path: string) => Promise<Answer>> {
  const { sandbox } = await start({ seed, now: () => new Date("2026-11-21T12:00:00Z"), ...options });
  return (path) => send(sandbox.url, path);
}

/** The visible text: a line for each row of a table, item of a list and paragraph. */
const textOf = (html: string): string =>
  html
    .replace(/<style[^]*?<\/style>/g, "")
    .replace(/<td[^>]*>/g, " | ")
    .replace(/<[^>]*>/g, "")
    .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));

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
  ],
};

describe("the page", () => {
  // Fails if a part of the account is missing or wrong, or a password is shown.
  test("shows the account, its links and its pixels", async () => {
    const open = await startPages(SEED, { software: "4.9" });
    const text = textOf((await open("/")).text);
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

  // Fails if an empty account breaks the page, or if a key from the user is shown.
  test("of an empty account with another key", async () => {
    const open = await startPages({ domains: [], spaces: [] }, { apiKey: "a-secret" });
    const { text: html } = await open("/");
    expect(textOf(html)).toMatch(/No links\n[^]*No pixels\n/);
    expect(html).not.toContain("a-secret");
  });

  // Fails if a text of the account or of the URL becomes markup, if a script URL becomes a link, or if a header that guards the page is
  // missing.
  test("shows all text as text", async () => {
    const hostile = `"'><script>alert(1)</script><img src=x onerror=alert(1)>`;
    const run = "javascript://example.com/%0aalert(1)";
    const open = await startPages({
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
    const [alias, domain] = [encodeURIComponent("<b>"), encodeURIComponent(hostile)];
    const pages = [await open("/"), await open(`/${domain}/data`), await open(`/${domain}/${alias}`)];
    for (const { text } of pages) {
      expect(text).not.toMatch(/<(script|img|b>(?!\d{3}<\/b>))|href="(?!https?:|\/(?!\/)|#|data:,")/);
    }
    expect(pages[0]?.text).toContain("&#60;script&#62;");
    expect(pages[0]?.headers).toMatchObject({
      "content-security-policy": expect.stringMatching(
        /^default-src 'none'; style-src 'sha256-[^']+'; img-src data:; base-uri 'none'; frame-ancestors 'none'$/,
      ),
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
    });
  });
});
