// What a visitor of a short URL gets (docs/service.md, "What a visitor sees"), case by case.
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { type Sandbox, type SandboxOptions, startSandbox } from "../../src/sandbox/index.ts";
import { OTHER_AGENT } from "../support/agents.ts";
import { temporaryFolder } from "../support/scenario.ts";
import { accountOf, type Answer, type Call, parse, type SeedLink, send } from "./client.ts";

let sandbox: Sandbox;
afterEach(() => sandbox.close());

const PIXELS = [
  { name: "Meta main", type: "facebook", value: "1234567890123456" },
  { name: "Other", type: "bing", value: "12345678" },
];

/** A sandbox with this one link, `go.example.com/Plain` by default. */
async function start(link: Partial<SeedLink> = {}, options: SandboxOptions = {}): Promise<void> {
  const whole = { url: "https://example.com/own", domain: 2, alias: "Plain", ...link };
  sandbox = await startSandbox({ rateLimit: 1, seed: { pixels: PIXELS, links: [whole] }, ...options });
}

/** Opens a short URL of go.example.com like a browser; `headers` replace its own. */
function open(path: string, { headers = {}, ...call }: Call = {}): Promise<Answer> {
  return send(sandbox.url, path, {
    ...call,
    headers: { host: "go.example.com", "user-agent": OTHER_AGENT, ...headers },
  });
}

const enter = (path: string, fields: Readonly<Record<string, string>>): Promise<Answer> =>
  open(path, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(fields).toString(),
  });

const ways = ({ status, headers }: Answer): readonly unknown[] => [status, headers["location"]];
const clicks = (): number | undefined => sandbox.state().links[0]?.clicks;
const own = [301, "https://example.com/own"] as const;

describe("a short URL", () => {
  // Fails if the redirect is not a 301 or has another target, if aliases are compared exactly, or if a visitor needs a key or counts for
  // the rate limit (of one request).
  test.each([
    ["Plain", "/Plain"],
    ["Plain", "/PLAIN"],
    ["Plain", "/plain/"],
    ["Plain", "/pl%C3%A4in"],
    ["Straße", "/STRASSE"],
    ["Straße", "/stra%C3%9Fe"],
    ["api", "/api"],
    ["links", "/links"],
    ["login", "/login"],
    ["a+b", "/a+b"],
    ["a+b", "/a%2Bb"],
  ])("for %s is found at %s", async (alias, path) => {
    await start({ alias });
    expect(ways(await open(path))).toEqual(own);
    expect(ways(await open(path, { method: "HEAD" }))).toEqual(own);
    expect(clicks()).toBe(2);
  });

  // Fails if the port matters, if a domain's name is compared exactly, or if the path cannot name the domain.
  test.each([
    ["go.example.com:8787", "/Plain"],
    ["GO.Example.com", "/Plain"],
    ["127.0.0.1:8787", "/go.example.com/Plain"],
    ["promo.example.com", "/Go.Example.com/Plain"],
  ])("is found with the Host %s at %s", async (host, path) => {
    await start();
    expect(ways(await open(path, { headers: { host } }))).toEqual(own);
  });

  // Fails if only one spelling of an internationalized domain works.
  test.each(["xn--strae-oqa.example", "STRAßE.example"])("is found on %s", async (name) => {
    const seed = {
      domains: [{ name: "straße.example" }],
      links: [{ url: "https://example.com/own", domain: 1, alias: "a" }],
    };
    await start({}, { seed });
    expect(ways(await open(`/${encodeURIComponent(name)}/a`))).toEqual(own);
  });

  // Fails if another domain's alias is found, if the interface or the service's own pages are missing on a domain, or if a 405 does not
  // list the allowed methods.
  test("is no other page, and no other page is a short URL", async () => {
    await start();
    const host = "promo.example.com";
    expect(ways(await open("/Plain", { headers: { host } }))).toEqual([404, undefined]);
    expect(ways(await open("/promo.example.com/Plain"))).toEqual([404, undefined]);
    expect(ways(await open("/go.example.com/Plain/more"))).toEqual([404, undefined]);
    expect(ways(await open("/Plain", { headers: { host: "127.0.0.1" } }))).toEqual([404, undefined]);
    expect((await open("/login")).text).toContain("<title>Login</title>");
    const key = { authorization: `Bearer ${sandbox.apiKey}`, accept: "application/json" };
    expect(parse(await open("/api/v1/links/1", { headers: key }))).toMatchObject({ data: { alias: "Plain" } });
    const refused = await open("/Plain", { method: "DELETE" });
    expect([...ways(refused), refused.headers["allow"]]).toEqual([405, undefined, "GET, HEAD, POST"]);
    expect([clicks(), sandbox.state().links.length]).toEqual([0, 1]);
  });

  // Fails if a domain with the interface's name replaces it.
  test("is not the interface, even if the domain has its name", async () => {
    const seed = { domains: [{ name: "links" }], links: [{ url: "https://example.com/own", domain: 1, alias: "a" }] };
    await start({}, { seed });
    expect(ways(await open("/links/a"))).toEqual([404, undefined]);
    expect(ways(await open("/a", { headers: { host: "links" } }))).toEqual(own);
  });

  // Fails if the domain's own pages are ignored: its not-found page for an unknown alias, its front page at `/`.
  test("leads to the domain's own pages", async () => {
    const domains = [
      { name: "go.example.com", index_page: "https://example.com/home", not_found_page: "https://example.com/404" },
      { name: "promo.example.com" },
    ];
    await start({}, { seed: { domains } });
    expect(ways(await open("/nothing?a=1"))).toEqual([301, "https://example.com/404"]);
    expect(ways(await open("/"))).toEqual([301, "https://example.com/home"]);
    expect(ways(await open("/go.example.com"))).toEqual([301, "https://example.com/home"]);
    const plain = await open("/nothing", { headers: { host: "promo.example.com" } });
    expect(ways(plain)).toEqual([404, undefined]);
    expect(plain.text).toContain("There is no link <bdi>promo.example.com/nothing</bdi>.");
  });

  // Fails if a destination is changed, or breaks out of its header.
  test.each([
    ["https://EXAMPLE.com/ü?q=é#ß", "https://EXAMPLE.com/ü?q=é#ß"],
    ["myapp://open/1", "myapp://open/1"],
    ["https://example.com/\r\nx-evil: 1", "https://example.com/%0D%0Ax-evil: 1"],
  ])("leads to %j as it is stored", async (url, location) => {
    await start({ url });
    const answer = await open("/Plain");
    expect(answer.status).toBe(301);
    expect(Buffer.from(String(answer.headers["location"]), "latin1").toString()).toBe(location);
    expect(answer.headers["x-evil"]).toBeUndefined();
  });
});

describe("instead of a redirect", () => {
  // Fails if the password is not required, if a wrong one works, if the right one does not, is trimmed or is read from the URL, if the
  // query is lost, or if the form counts as a visit.
  test("a password is required", async () => {
    await start({ password: " s3cret+ü " });
    const asked = await open("/Plain?a=1");
    expect([...ways(asked), clicks()]).toEqual([200, undefined, 0]);
    expect(asked.text).toMatch(/<form method="post">[^]*<input [^>]*name="password" type="password"/);
    expect(asked.text).not.toContain("s3cret");
    for (const wrong of ["", "s3cret+ü", "no"]) {
      const refused = await enter("/Plain?a=1", { password: wrong });
      expect([...ways(refused), clicks()]).toEqual([200, undefined, 0]);
      expect(refused.text.includes("That is not the password.")).toBe(wrong !== "");
    }
    expect(ways(await open("/Plain?password=+s3cret%2B%C3%BC+"))).toEqual([200, undefined]);
    expect(ways(await enter("/Plain?a=1", { password: " s3cret+ü " }))).toEqual([301, "https://example.com/own?a=1"]);
    expect(clicks()).toBe(1);
  });

  // Fails if pixels are loaded, if one is not named, if the question counts as a visit, or if visitors who accept do not get the link's own
  // destination.
  test("pixels are named on a page that asks, and on one that redirects", async () => {
    await start({ pixels: [1, 2] });
    const answer = await open("/Plain?a=1&b=2");
    const accepted = await enter("/Plain?a=1&b=2", { consent: "accepted" });
    expect([...ways(answer), ...ways(accepted), clicks()]).toEqual([200, undefined, 200, undefined, 1]);
    expect(accepted.text).toContain('<meta http-equiv="refresh" content="0.5;url=https://example.com/own">');
    for (const { text, headers } of [answer, accepted]) {
      expect(text).toContain('<li data-pixel-type="facebook" data-pixel-value="1234567890123456">');
      expect(text).toContain('<li data-pixel-type="bing" data-pixel-value="12345678">');
      expect(text).not.toMatch(/<(script|img|iframe|object|embed)|\ssrc=|<link (?!rel="icon" href="data:,")/);
      expect(headers["content-security-policy"]).toMatch(/^default-src 'none';/);
    }
  });

  // Fails if a single pixel is ignored, or if the page continues to a script URL.
  test("the page of one pixel does not run a script", async () => {
    await start({ pixels: [2], url: "javascript:alert(1)//" });
    const answer = await enter("/Plain", { consent: "accepted" });
    expect([...ways(answer), clicks()]).toEqual([200, undefined, 1]);
    expect(answer.text).toContain('<li data-pixel-type="bing" data-pixel-value="12345678">');
    expect(answer.text).toContain("A browser does not go on to");
    expect(answer.text).not.toContain("http-equiv");
  });
});

describe("the effects of a visit", () => {
  // Fails if the interface does not show clicks, or if they are lost when the sandbox restarts.
  test("are visible in the interface and stored", async () => {
    const data = join(await temporaryFolder(), "data.json");
    const rotation = [{ value: "https://example.com/r1" }, { value: "https://example.com/r2" }];
    await start({ target_type: 4, rotation, clicks: 7 }, { data, rateLimit: 0 });
    await open("/Plain");
    const seen = { data: { clicks: 8, last_rotation: 1 } };
    expect(await accountOf(sandbox).get("links/1")).toMatchObject(seen);
    await sandbox.close();
    sandbox = await startSandbox({ data });
    expect(await accountOf(sandbox).get("links/1")).toMatchObject(seen);
  });
});
