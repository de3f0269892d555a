// The page at `/`: what it shows of the account, what it tries without leaving a trace, and that words stay words. In a
// browser: test/browser/sandbox.test.ts.
import { afterEach, describe, expect, test } from "vitest";
import { type SeedState, type Sandbox, type SandboxOptions, startSandbox } from "../../src/sandbox/index.ts";
import { type Answer, send } from "./client.ts";

let sandbox: Sandbox;
afterEach(() => sandbox.close());

const NOW = "2026-11-21T12:00:00Z";

async function start(seed: SeedState, options: SandboxOptions = {}): Promise<void> {
  sandbox = await startSandbox({ seed, now: () => new Date(NOW), ...options });
}

/** The text that a reader sees, each element on a line of its own. */
function textOf(html: string): string {
  return html
    .replace(/<(style|datalist|select)[^]*?<\/\1>/g, "")
    .replace(/<\/?(b|bdi|a|span|em|code|strong)\b[^>]*>/g, "")
    .replace(/<[^>]*>/g, "\n")
    .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
    .replace(/\s*\n\s*/g, "\n");
}

async function open(form: Readonly<Record<string, string>> = {}, method: "GET" | "POST" = "GET"): Promise<string> {
  const data = new URLSearchParams(form).toString();
  const answer: Answer =
    method === "GET"
      ? await send(sandbox.url, `/?${data}`)
      : await send(sandbox.url, "/", {
          method,
          headers: { "content-type": "application/x-www-form-urlencoded" },
          body: data,
        });
  expect([answer.status, answer.headers["content-type"]]).toEqual([200, "text/html; charset=UTF-8"]);
  return answer.text;
}

const result = (html: string): string =>
  textOf(/<div class="panel result"[^]*?<\/p>\n(?=<details|<\/div>)/.exec(html)?.[0] ?? "").trim();

const LINKS: NonNullable<SeedState["links"]> = [
  {
    url: "https://example.com/plain",
    domain: 2,
    alias: "plain",
    clicks: 1204,
    space: 2,
    title: "Plain page",
    pixels: [1],
  },
  {
    url: "https://example.com/spring",
    domain: 2,
    alias: "spring",
    target_type: 1,
    country: [{ key: "DE", value: "https://example.com/de" }],
    language: [{ key: "fr", value: "https://example.com/fr" }],
    pixels: [1, 2],
  },
  {
    url: "https://example.com/old",
    domain: 3,
    alias: "old",
    ends_at: "2026-11-21T11:00:00Z",
    expiration_url: "https://example.com/over",
  },
  {
    url: "https://example.com/off",
    domain: 3,
    alias: "off",
    disabled: 1,
    password: "hunter2",
    expiration_clicks: 1000,
  },
  {
    url: "https://example.com/turns",
    domain: 2,
    alias: "turns",
    target_type: 4,
    rotation: [{ value: "https://example.com/r1" }],
  },
];
const PIXELS: NonNullable<SeedState["pixels"]> = [
  { name: "Meta main", type: "facebook", value: "1234567890123456" },
  { name: "Analytics", type: "google-analytics", value: "G-ABCDE12345" },
  { name: "Unused", type: "bing", value: "12345678" },
];
const SEED = { account: { timezone: "Europe/Berlin" }, pixels: PIXELS, links: LINKS };

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
    expect(text).toContain("No domain of this account has a link x.");
    expect(text).not.toContain("a-secret");
  });

  // Fails when a page of many links is cut without a word, or the search misses what it says it looks through.
  test("lists a hundred of many, and finds the others", async () => {
    const many = Array.from({ length: 10_000 }, (_, at) => ({
      url: `https://example.com/${at}`,
      domain: 2,
      alias: `link-${at}`,
    }));
    await start({ ...SEED, links: [...LINKS, ...many] });
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
      account: SEED.account,
      domains: [{ name: hostile, index_page: run, not_found_page: run }],
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

describe("a trial", () => {
  // Fails when a trial says something else than a visitor would meet, or not why.
  test.each([
    [
      { link: "go.example.com/plain" },
      "200 pixel page → https://example.com/plain\nNo targeting is active: everybody goes to the link's own destination.\nFirst a page loads its pixels (Meta main), then it goes on.",
    ],
    [
      { link: "PLAIN?a=1" },
      "200 pixel page → https://example.com/plain?a=1\nNo targeting is active: everybody goes to the link's own destination.\nFirst a page loads its pixels (Meta main), then it goes on.",
    ],
    [
      { link: "http://go.example.com/spring?q=ü x#y", country: "DE" },
      "200 pixel page → https://example.com/de?q=%C3%BC%20x\nThe link is targeted by country, and DE has a destination of its own.\nFirst a page loads its pixels (Meta main, Analytics), then it goes on.",
    ],
    [
      { link: "go.example.com/spring", country: "FR", language: "fr" },
      "200 pixel page → https://example.com/spring\nThe link is targeted by country, and FR is not among them, so the visitor goes to the link's own destination.\nFirst a page loads its pixels (Meta main, Analytics), then it goes on.",
    ],
    [
      { link: "go.example.com/turns" },
      "301 → https://example.com/r1\nThe destinations take turns, and this is turn 1 of 2.",
    ],
    [
      { link: "promo.example.com/old" },
      "301 → https://example.com/over\nThe link is expired (its end is 2026-11-21 12:00, it has 0 clicks). That is decided before anything else.\nIt has a destination for this case.",
    ],
    [{ link: "promo.example.com/off" }, "200 Link disabled\nThe link is disabled."],
    [{ link: "go.example.com/nothing" }, "404 Not Found\ngo.example.com has no link nothing."],
    [{ link: "go.example.com" }, "200 this page\nThis is the domain's front page, and it has none of its own."],
    [
      { link: "elsewhere.example/plain" },
      "404 Not Found\nNo domain of this account has a link elsewhere.example/plain.",
    ],
  ])("%j", async (form, told) => {
    await start(SEED);
    expect(result(await open(form))).toBe(`${told}\nNothing was counted, nothing has changed.`);
    expect(sandbox.state().links.map(({ clicks, last_rotation }) => clicks + last_rotation)).toEqual([
      1204, 0, 0, 0, 0,
    ]);
  });

  // Fails when a password keeps out who knows it, or lets in who does not.
  test("with a password", async () => {
    await start({ links: [{ domain: 2, alias: "a", url: "https://example.com/", password: "p" }] });
    expect(result(await open({ link: "a" }))).toContain("200 Password needed\n");
    expect(result(await open({ link: "a", trusted: "1" }))).toContain("301 → https://example.com/\n");
  });

  // Fails when a visit that was asked for is not one, counts a bot, or what it changed is not shown.
  test("becomes a visit when asked", async () => {
    await start(SEED);
    const first = await open({ link: "turns" }, "POST");
    expect(result(first)).toContain("301 → https://example.com/r1\n");
    expect(result(first)).toContain("Counted: the link has 1 click now.");
    expect(textOf(first)).toContain("next is 2 of 2\n");
    const second = result(await open({ link: "turns", bot: "1" }, "POST"));
    expect(second).toContain("301 → https://example.com/turns\n");
    expect(second).toContain("Nothing was counted: bots are not.");
    expect(result(await open({ link: "off" }, "POST"))).toContain("Nothing was counted: only who is sent on is.");
    expect(sandbox.state().links.map(({ clicks }) => clicks)).toEqual([1204, 0, 0, 0, 1]);
  });

  // Fails when the command that the page gives does not do what the page says, for any platform: the visitor is made up
  // wrongly then, or a text breaks out of its quotes.
  test.each(["iOS", "Android", "Windows", "OS X", "Linux", "Ubuntu", "Chrome OS", ""])(
    "as a command, on %j",
    async (platform) => {
      const all = ["iOS", "Android", "Windows", "OS X", "Linux", "Ubuntu", "Chrome OS"];
      const value = `https://example.com/${platform.replace(" ", "-")}`;
      await start({
        links: [
          {
            domain: 2,
            alias: "a",
            url: "https://example.com/",
            target_type: 2,
            platform: all.map((key) => ({ key, value: `https://example.com/${key.replace(" ", "-")}` })),
          },
        ],
      });
      const form = { link: "a?it's=$x", country: "DE", language: "de", platform };
      const html = await open(form);
      expect(result(html)).toContain(`301 → ${value}?it's=$x\n`);
      const command = /<pre>(curl [^<]*)<\/pre>/
        .exec(html)?.[1]
        ?.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
      const { execFileSync } = await import("node:child_process");
      // The shell's own reading of the command: one argument a line.
      const said = execFileSync("sh", ["-c", String(command).replace(/^curl/, String.raw`printf '%s\n'`)], {
        encoding: "utf8",
      });
      const lines = said.trimEnd().split("\n");
      const headers = lines.flatMap((line, at) =>
        lines[at - 1] === "-H" ? [/^([^:]+): (.*)$/.exec(line)?.slice(1) ?? []] : [],
      );
      const answer = await send(sandbox.url, String(lines.at(-1)).slice(sandbox.url.length), {
        headers: Object.fromEntries(headers),
      });
      expect(decodeURIComponent(String(answer.headers["location"]))).toBe(`${value}?it's=$x`);
      expect(sandbox.state().links[0]?.clicks).toBe(1);
    },
  );
});
