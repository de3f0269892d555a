// The page at `/`: what it shows of the account, and that words stay words. Trials: trial.test.ts. In a browser:
// test/browser/sandbox.test.ts.
import { afterEach, describe, expect, test } from "vitest";
import { type SeedState, type Sandbox, type SandboxOptions, startSandbox } from "../../src/sandbox/index.ts";
import { send } from "./client.ts";
import { NOW, openPage, SEED, textOf } from "./page.ts";

let sandbox: Sandbox;
afterEach(() => sandbox.close());

async function start(seed: SeedState, options: SandboxOptions = {}): Promise<void> {
  sandbox = await startSandbox({ seed, now: () => new Date(NOW), ...options });
}

const open = (form?: Readonly<Record<string, string>>, method?: "GET" | "POST"): Promise<string> =>
  openPage(sandbox, form, method);

describe("the page", () => {
  // Fails when something of the account is not shown, is wrong, or a password is.
  test("shows what the account holds", async () => {
    await start(SEED, { software: "4.9" });
    const text = textOf(await open());
    for (const shown of [
      "version 4.9 of the service",
      "Europe/Berlin",
      "60 requests a minute",
      "5 links, 3 pixels, 3 domains, 2 spaces",
      `export LINKFORM_API_KEY=sandbox-key\nlinkform plan --base-url ${sandbox.url}\n`,
      "\ngo.example.com/plain\nPlain page\nSpace Sales\nMeta main\nhttps://example.com/plain\nactive\nClicks 1,204\n",
      "\ngo.example.com/spring\nMeta main\nAnalytics\nhttps://example.com/spring\nBy country\nDE https://example.com/de\nStored, not active: by language (1)\n",
      "\npromo.example.com/old\nhttps://example.com/old\nexpired\nEnded 2026-11-21 12:00\nthen https://example.com/over\n",
      "\ndisabled\npassword\nUp to 1,000 clicks\n",
      "\nIn turn, the one above last; next is 1 of 2\n1 https://example.com/r1\n",
      "\nMeta main\nType facebook\nValue 1234567890123456\nUsed by\ngo.example.com/plain\ngo.example.com/spring\n",
      "\nUnused\nType bing\nValue 12345678\nno link\n",
      "\nshort.example.com id 1, 0 links\nshared by the whole service\n",
      "\ngo.example.com id 2, 3 links\n",
      "\nSales id 2, 1 link\n",
    ])
      expect(text).toContain(shown);
    expect(text).not.toContain("hunter2");
  });

  // Fails when an empty account breaks the page, when a plan's limits are not told, or when a key that somebody chose is
  // shown.
  test("of an empty account on a limited plan, with another key", async () => {
    const account = { features: { links: 5, targeting: 0 } };
    await start({ account, domains: [], spaces: [] }, { apiKey: "a-secret", rateLimit: 0 });
    const text = textOf(await open({ link: "x" }));
    expect(text).toContain("0 links, 0 pixels, 0 domains, 0 spaces\n");
    expect(text).toContain("links 5, targeting off");
    expect(text).toContain("No links yet.");
    expect(text).toContain("No domain of this account has the link x.");
    expect(text).not.toContain("a-secret");
  });

  // Fails when a page of many links is cut without a word, or the search misses what it says it looks through.
  test("lists a hundred of many, and finds the others", async () => {
    const many = Array.from({ length: 10_000 }, (_, at) => ({
      url: `https://example.com/${at}`,
      domain: 2,
      alias: `link-${at}`,
    }));
    await start({ ...SEED, links: [...(SEED.links ?? []), ...many] });
    const all = await open();
    expect(all.match(/class="try"/g)).toHaveLength(100);
    expect(textOf(all)).toContain("9,905 more links are not listed. Search to find them.");
    expect(all.length).toBeLessThan(200_000);
    const searches = [
      "LINK-9999",
      "com/9999",
      "Plain PÄGE",
      "hunter2",
      "analytics",
      "example.com/r1",
      "sales",
      "/over",
    ];
    const found: (string | undefined)[] = [];
    for (const q of searches)
      found.push(/^\d+ of 10,005 links|^None of the 10,005 links/m.exec(textOf(await open({ q })))?.[0]);
    const [one, none] = ["1 of 10,005 links", "None of the 10,005 links"];
    expect(found).toEqual([one, one, one, none, one, one, one, one]);
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
      await open({ q: hostile, link: hostile, country: hostile, language: hostile, platform: hostile }),
      await open({ link: `${hostile}/${hostile}`.slice(0, 5), q: "" }),
      await open({ link: `x/${hostile}` }, "POST"),
      (await send(sandbox.url, `/${encodeURIComponent(hostile)}/data`)).text,
      (await send(sandbox.url, `/${encodeURIComponent(hostile)}/${encodeURIComponent("<b>")}`)).text,
    ];
    for (const page of pages)
      expect(page).not.toMatch(/<(script|img|b>(?!<bdi>))|href="(?!https?:|\/(?!\/)|#|data:,")/);
    expect(pages[0]).toContain("&#60;script&#62;");
  });
});
