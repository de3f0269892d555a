// A link tried on the page at `/`: it tells what a visitor would meet, and leaves no trace unless a visit is asked for.
import { execFileSync } from "node:child_process";
import { afterEach, describe, expect, test } from "vitest";
import { type SeedState, type Sandbox, startSandbox } from "../../src/sandbox/index.ts";
import { send } from "./client.ts";
import { NOW, openPage, resultOf, SEED, textOf } from "./page.ts";

let sandbox: Sandbox;
afterEach(() => sandbox.close());

async function start(seed: SeedState): Promise<void> {
  sandbox = await startSandbox({ seed, now: () => new Date(NOW) });
}

const open = (form?: Readonly<Record<string, string>>, method?: "GET" | "POST"): Promise<string> =>
  openPage(sandbox, form, method);

describe("a trial", () => {
  // Fails when a trial says something else than a visitor would meet, or not why.
  test.each([
    [
      { link: "go.example.com/plain" },
      "200 consent page → https://example.com/plain\nA page asks whether the pixels (Meta main) may be loaded.\nVisitors who refuse are redirected.\nNo targeting is active, so every visitor goes to the link's own destination.\nVisitors who accept go to https://example.com/plain, the link's own destination, without targeting and without the query.",
    ],
    [
      { link: "PLAIN?a=1" },
      "200 consent page → https://example.com/plain?a=1\nA page asks whether the pixels (Meta main) may be loaded.\nVisitors who refuse are redirected.\nNo targeting is active, so every visitor goes to the link's own destination.\nVisitors who accept go to https://example.com/plain, the link's own destination, without targeting and without the query.",
    ],
    [
      { link: "http://go.example.com/spring?q=ü x#y", country: "DE" },
      "200 consent page → https://example.com/de?q=%C3%BC+x\nA page asks whether the pixels (Meta main, Analytics) may be loaded.\nVisitors who refuse are redirected.\nThe link is targeted by country, and DE has a destination.\nVisitors who accept go to https://example.com/spring, the link's own destination, without targeting and without the query.",
    ],
    [
      { link: "go.example.com/spring", country: "FR", language: "fr", consent: "refused" },
      "301 → https://example.com/spring\nThe link is targeted by country, and FR is not one of its keys, so the visitor goes to the link's own destination.",
    ],
    [
      { link: "go.example.com/spring?a=1", country: "DE", consent: "accepted" },
      "200 pixel page → https://example.com/spring\nA page loads the pixels (Meta main, Analytics) and then goes to the link's own destination, without targeting and without the query.",
    ],
    [
      { link: "go.example.com/spring", country: "DE", consent: "refused", crawler: "1" },
      "301 → https://example.com/spring\nCrawlers always go to the link's own destination.",
    ],
    [
      { link: "go.example.com/turns" },
      "301 → https://example.com/r1\nThe destinations take turns. This is turn 1 of 2.",
    ],
    [
      { link: "promo.example.com/old" },
      "301 → https://example.com/over\nThe link has expired (it ends on 2026-11-21 12:00 and has 0 clicks).\nIt has an expiration URL.",
    ],
    [{ link: "promo.example.com/off" }, "200 Password needed\nVisitors must first enter the password."],
    [{ link: "promo.example.com/off", trusted: "1" }, "200 Link disabled\nThe link is disabled."],
    [{ link: "go.example.com/nothing" }, "404 Not Found\ngo.example.com has no link nothing."],
    [
      { link: "go.example.com" },
      "200 this page\nThis is the front page of the domain. The domain does not redirect it.",
    ],
    [
      { link: "elsewhere.example/plain" },
      "404 Not Found\nNo domain of this account has the link elsewhere.example/plain.",
    ],
  ])("%j", async (form, told) => {
    await start(SEED);
    expect(resultOf(await open(form))).toBe(`${told}\nThe visit was not counted, and nothing changed.`);
    expect(sandbox.state().links.map(({ clicks, last_rotation }) => clicks + last_rotation)).toEqual([
      1204, 0, 0, 0, 0,
    ]);
  });

  // Fails when a password keeps out who knows it, or lets in who does not.
  test("with a password", async () => {
    await start({ links: [{ domain: 2, alias: "a", url: "https://example.com/", password: "p" }] });
    expect(resultOf(await open({ link: "a" }))).toContain("200 Password needed\n");
    expect(resultOf(await open({ link: "a", trusted: "1" }))).toContain("301 → https://example.com/\n");
  });

  test("on 49 asks for more of the visitor, and the command sends it", async () => {
    const url = "https://example.com/";
    const [device, rotation] = [[{ key: "tablet", value: `${url}tablet` }], [{ value: `${url}r1` }]];
    const links = [
      { domain: 2, alias: "a", url, sensitive: 1, target_type: 7, device },
      { domain: 2, alias: "b", url, target_type: 4, rotation },
    ];
    sandbox = await startSandbox({ seed: { links }, software: "49" });
    expect(resultOf(await open({ link: "a" }))).toContain(
      "200 Sensitive content\nA page first warns about sensitive content",
    );
    const html = await open({ link: "a", warned: "1", device: "tablet", continent: "EU" });
    expect(resultOf(html)).toContain(`301 → ${url}tablet\n`);
    expect(html).toMatch(/<select id="continent"[^]*<select id="browser"[^]*<option value="tablet" selected>/);
    expect(html).toMatch(/X-Sandbox-Continent: EU[^]*-d warned=1/);
    expect(resultOf(await open({ link: "b" }))).toContain(`301 → ${url}\nThe link has a rotation, but this version`);
    expect(textOf(html)).toContain("By device");
  });

  // Fails when a visit that was asked for is not one, counts a crawler, or what it changed is not shown.
  test("becomes a visit when asked", async () => {
    await start(SEED);
    const first = await open({ link: "turns" }, "POST");
    expect(resultOf(first)).toContain("301 → https://example.com/r1\n");
    expect(resultOf(first)).toContain("The visit was counted. The link now has 1 click.");
    expect(textOf(first)).toContain("next is 2 of 2\n");
    const second = resultOf(await open({ link: "turns", crawler: "1" }, "POST"));
    expect(second).toContain("301 → https://example.com/turns\n");
    expect(second).toContain("The visit was not counted, because crawlers do not count.");
    expect(resultOf(await open({ link: "off" }, "POST"))).toContain(
      "The visit was not counted. Only visits that are redirected count.",
    );
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
      expect(resultOf(html)).toContain(`301 → ${value}?it%27s=%24x\n`);
      const command = /<pre>(curl [^<]*)<\/pre>/
        .exec(html)?.[1]
        ?.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
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
      expect(answer.headers["location"]).toBe(`${value}?it%27s=%24x`);
      expect(sandbox.state().links[0]?.clicks).toBe(1);
    },
  );
});
