// What a visitor of a short URL gets (docs/service.md, "What a visitor sees"), as on real instances of every version.
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Link, type SandboxOptions, SOFTWARE } from "../../src/sandbox/index.ts";
import { temporaryFolder } from "../support/scenario.ts";
import { CRAWLERS, decidedOn, LANGUAGES, OVER, PERSONS, QUERIES, TURNS, URL_ITSELF } from "../support/visits.ts";
import { type Answer, type Call, parse, send, start as startWith, type Started } from "./client.ts";

const chrome = (system: string, tail = ""): string =>
  `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0${tail} Safari/537.36`;

const SAMPLE_AGENTS = {
  iOS: "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
  Android: chrome("Linux; Android 10; K", " Mobile"),
  Windows: chrome("Windows NT 10.0; Win64; x64"),
  "OS X": chrome("Macintosh; Intel Mac OS X 10_15_7"),
  Linux: chrome("X11; Linux x86_64"),
  Ubuntu: "Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
  "Chrome OS": chrome("X11; CrOS x86_64 14541.0.0"),
};

/** A browser on an unknown platform. */
const OTHER_AGENT = "Mozilla/5.0 (X11; FreeBSD amd64; rv:140.0) Gecko/20100101 Firefox/140.0";

const PIXELS = [
  { name: "Meta main", type: "facebook", value: "1234567890123456" },
  { name: "Other", type: "bing", value: "12345678" },
];

interface Visit {
  readonly headers?: Readonly<Record<string, string>>;
  /** The values that were entered on earlier pages. */
  readonly entered?: Readonly<Record<string, string>>;
}

interface Visited extends Started {
  /** Opens a short URL of go.example.com like a browser; `headers` replace its own. */
  readonly open: (path: string, call?: Call) => Promise<Answer>;
  /** The destination of a visitor of `/a`, or the page. */
  readonly meet: (query?: string, visit?: Visit) => Promise<string>;
  readonly clicks: () => number | undefined;
}

/** A sandbox with this one link, `go.example.com/a`. */
async function start(link: Partial<Link> = {}, options: SandboxOptions = {}): Promise<Visited> {
  const links = [{ url: URL_ITSELF, domain: 2, alias: "a", ...link }];
  const started = await startWith({ seed: { pixels: PIXELS, links }, ...options });
  const open: Visited["open"] = (path, { headers = {}, ...call } = {}) =>
    send(started.sandbox.url, path, {
      ...call,
      headers: { host: "go.example.com", "user-agent": OTHER_AGENT, ...headers },
    });
  const meet: Visited["meet"] = async (query = "", { headers = {}, entered } = {}) =>
    metBy(await open(`/a${query}`, entered === undefined ? { headers } : entering(entered, headers)));
  return { ...started, open, meet, clicks: () => started.stored()?.clicks };
}

function entering(fields: Readonly<Record<string, string>>, headers: Visit["headers"] = {}): Call {
  const type = { "content-type": "application/x-www-form-urlencoded" };
  return { method: "POST", headers: { ...type, ...headers }, body: new URLSearchParams(fields).toString() };
}

const TITLES: Readonly<Record<string, string>> = {
  "Link expired": "expired page",
  "Link disabled": "disabled page",
  "Password needed": "password page",
  "Sensitive content": "warning page",
  "Before you continue": "consent page",
};

/** The page, or the target of a redirect. */
function metBy(answer: Answer): string {
  const title = /<h1>([^<]*)<\/h1>/.exec(answer.text)?.[1] ?? "";
  if (answer.status === 301) return Buffer.from(String(answer.headers["location"]), "latin1").toString();
  return answer.status === 200 ? (TITLES[title] ?? title) : String(answer.status);
}

const ways = ({ status, headers }: Answer): readonly unknown[] => [status, headers["location"]];
const LED = [301, URL_ITSELF] as const;

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
    const { open, clicks } = await start({ alias }, { rateLimit: 1 });
    expect(ways(await open(path))).toEqual(LED);
    expect(ways(await open(path, { method: "HEAD" }))).toEqual(LED);
    expect(clicks()).toBe(2);
  });

  // Fails if the port matters, if a domain's name is compared exactly, or if the path cannot name the domain.
  test.each([
    ["go.example.com:8787", "/a"],
    ["GO.Example.com", "/a"],
    ["127.0.0.1:8787", "/go.example.com/a"],
    ["promo.example.com", "/Go.Example.com/a"],
  ])("is found with the Host %s at %s", async (host, path) => {
    const { open } = await start();
    expect(ways(await open(path, { headers: { host } }))).toEqual(LED);
  });

  // Fails if only one spelling of an internationalized domain works.
  test.each(["xn--strae-oqa.example", "STRAßE.example"])("is found on %s", async (name) => {
    const links = [{ url: URL_ITSELF, domain: 1, alias: "a" }];
    const { open } = await start({}, { seed: { domains: [{ name: "straße.example" }], links } });
    expect(ways(await open(`/${encodeURIComponent(name)}/a`))).toEqual(LED);
  });

  // Fails if another domain's alias is found, if the interface or the service's own pages are missing on a domain, or if a 405 does not
  // list the allowed methods.
  test("is no other page, and no other page is a short URL", async () => {
    const { open, clicks, sandbox } = await start();
    const host = "promo.example.com";
    expect(ways(await open("/a", { headers: { host } }))).toEqual([404, undefined]);
    expect(ways(await open("/promo.example.com/a"))).toEqual([404, undefined]);
    expect(ways(await open("/go.example.com/a/more"))).toEqual([404, undefined]);
    expect(ways(await open("/a", { headers: { host: "127.0.0.1" } }))).toEqual([404, undefined]);
    expect((await open("/login")).text).toContain("<title>Login</title>");
    const key = { authorization: `Bearer ${sandbox.apiKey}`, accept: "application/json" };
    expect(parse(await open("/api/v1/links/1", { headers: key }))).toMatchObject({ data: { alias: "a" } });
    const refused = await open("/a", { method: "DELETE" });
    expect([...ways(refused), refused.headers["allow"]]).toEqual([405, undefined, "GET, HEAD, POST"]);
    expect([clicks(), sandbox.state().links.length]).toEqual([0, 1]);
  });

  // Fails if the domain's own pages are ignored: its not-found page for an unknown alias, its front page at `/`.
  test("leads to the domain's own pages", async () => {
    const domains = [
      { name: "go.example.com", index_page: "https://example.com/home", not_found_page: "https://example.com/404" },
      { name: "promo.example.com" },
    ];
    const { open } = await start({}, { seed: { domains } });
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
    const { open } = await start({ url });
    const answer = await open("/a");
    expect([answer.status, metBy(answer)]).toEqual([301, location]);
    expect(answer.headers["x-evil"]).toBeUndefined();
  });

  // Fails if the interface does not show clicks, or if they are lost when the sandbox restarts.
  test("counts visits, which the interface shows and the data file keeps", async () => {
    const data = join(await temporaryFolder(), "data.json");
    const rotation = [{ value: "https://example.com/r1" }, { value: "https://example.com/r2" }];
    const { get, meet } = await start({ target_type: 4, rotation, clicks: 7 }, { data });
    await meet();
    const seen = { data: { clicks: 8, last_rotation: 1 } };
    expect(await get("links/1")).toMatchObject(seen);
    const again = await startWith({ data });
    expect(await again.get("links/1")).toMatchObject(seen);
  });
});

describe("instead of a redirect", () => {
  // Fails if a wrong password works, if the right one does not, is trimmed or is read from the URL, if the query is lost, or if the form
  // counts as a visit.
  test("a password is required", async () => {
    const { open, clicks } = await start({ password: " s3cret+ü " });
    const asked = await open("/a?a=1");
    expect([...ways(asked), clicks()]).toEqual([200, undefined, 0]);
    expect(asked.text).toMatch(/<form method="post">[^]*<input [^>]*name="password" type="password"/);
    expect(asked.text).not.toContain("s3cret");
    for (const wrong of ["", "s3cret+ü", "no"]) {
      const refused = await open("/a?a=1", entering({ password: wrong }));
      expect([...ways(refused), clicks()]).toEqual([200, undefined, 0]);
      expect(refused.text.includes("That is not the password.")).toBe(wrong !== "");
    }
    expect(ways(await open("/a?password=+s3cret%2B%C3%BC+"))).toEqual([200, undefined]);
    const right = await open("/a?a=1", entering({ password: " s3cret+ü " }));
    expect([...ways(right), clicks()]).toEqual([301, `${URL_ITSELF}?a=1`, 1]);
  });

  // Fails if pixels are loaded, or if one is not named.
  test("pixels are named on a page that asks, and on one that redirects", async () => {
    const { open } = await start({ pixels: [1, 2] });
    const accepted = await open("/a?a=1&b=2", entering({ consent: "accepted" }));
    expect(accepted.text).toContain(`<meta http-equiv="refresh" content="0.5;url=${URL_ITSELF}">`);
    for (const { text, headers } of [await open("/a?a=1&b=2"), accepted]) {
      expect(text).toContain("facebook 1234567890123456</bdi></li>");
      expect(text).toContain("bing 12345678</bdi></li>");
      expect(text).not.toMatch(/<(script|img|iframe|object|embed)|\ssrc=|<link (?!rel="icon" href="data:,")/);
      expect(headers["content-security-policy"]).toMatch(/^default-src 'none';/);
    }
  });

  // Fails if a single pixel is ignored, or if the page continues to a script URL.
  test("the page of one pixel does not run a script", async () => {
    const { open, clicks } = await start({ pixels: [2], url: "javascript:alert(1)//" });
    const answer = await open("/a", entering({ consent: "accepted" }));
    expect([...ways(answer), clicks()]).toEqual([200, undefined, 1]);
    expect(answer.text).toContain("bing 12345678</bdi></li>");
    expect(answer.text).toContain("A browser does not go on to");
    expect(answer.text).not.toContain("http-equiv");
  });
});

const to = (name: string): string => `https://example.com/${name}`;
const DE = { target_type: 1, country: [{ key: "DE", value: to("de") }] } as const;
const from = (country: string): Visit => ({ headers: { "x-sandbox-country": country } });
const GERMAN = from("DE");
const speaks = (language: string): Visit => ({ headers: { "accept-language": language } });
const enters = (entered: Readonly<Record<string, string>>, visit: Visit = {}): Visit => ({ ...visit, entered });
const CURL = { headers: { "user-agent": "curl/8.14.1" } };
const agent = (name: string): Visit => ({ headers: { "user-agent": name } });
const twice = (key: string): { key: string; value: string }[] =>
  ["first", "second", "third"].map((name) => ({ key, value: to(name) }));
const CLICKED = { expiration_clicks: 1, clicks: 1, expiration_url: OVER } as const;
const SECRET_PIXEL = { password: "p", pixels: [1] };
const QUERIED = { target_type: 1, country: [{ key: "DE", value: "https://example.com:1/de?b=2#c" }] };
/** A rotation whose first entry was sent empty. */
const NO_FIRST = { 1: { value: OVER } };

/** The link, the visit, and where it leads, on every version. */
const VISITS: readonly (readonly [what: string, link: Partial<Link>, query: string, visit: Visit, met: string])[] = [
  ["a password", { url: "https://example.com:1/x", password: "p" }, "?a=1", enters({ password: "p" }), to("x?a=1")],
  ["a query and a target", QUERIED, "?a=1", GERMAN, to("de?b=2&a=1")],
  ["a query and an expired link", CLICKED, "?a=1", {}, OVER],
  ["a country three times", { target_type: 1, country: twice("DE") }, "", GERMAN, to("third")],
  ["a platform three times", { target_type: 2, platform: twice("Linux") }, "", agent("Mozilla (Linux)"), to("third")],
  ["a language three times", { target_type: 3, language: twice("de") }, "", speaks("de"), to("third")],
  ["a rotation without its first entry, for a crawler", { target_type: 4, rotation: NO_FIRST }, "", CURL, URL_ITSELF],
  ["a rotation without its first entry, not active", { target_type: 0, rotation: NO_FIRST }, "", {}, URL_ITSELF],
  ["a country after an empty entry", { target_type: 1, country: { 1: DE.country[0] } }, "", GERMAN, to("de")],
  ["an empty rotation", { target_type: 4, rotation: [] }, "", {}, URL_ITSELF],
  ["no country", DE, "", from(""), URL_ITSELF],
  ["another country", DE, "", from("FR"), URL_ITSELF],
  ["a country in lower case", DE, "", from("de"), to("de")],
  ["a country of three letters", DE, "", from("DEU"), URL_ITSELF],
  ["no language", { target_type: 3, language: [{ key: "de", value: OVER }] }, "", {}, URL_ITSELF],
  ["a country without a group", { target_type: 1 }, "", GERMAN, URL_ITSELF],
  ["a rotation without a group", { target_type: 4 }, "", {}, URL_ITSELF],
  ["a crawler and an expired link", CLICKED, "", agent("Twitterbot/1.0"), OVER],
  ["a crawler and a password", { password: "p" }, "", CURL, "password page"],
  ["a crawler and a pixel", { pixels: [1] }, "", CURL, "consent page"],
  ["a pixel, refused", { ...DE, pixels: [1] }, "?b=2", enters({ consent: "refused" }, GERMAN), to("de?b=2")],
  ["a pixel and no password", SECRET_PIXEL, "", enters({ consent: "accepted" }), "password page"],
  ["a pixel and a wrong password", SECRET_PIXEL, "", enters({ consent: "refused", password: "no" }), "password page"],
  ["a pixel and the password", SECRET_PIXEL, "", enters({ consent: "refused", password: "p" }), URL_ITSELF],
];

/** The forms of the pages, each with the values that were entered before. */
const FORMS: Readonly<Record<string, (link: Partial<Link>) => Readonly<Record<string, string>>>> = {
  "password page": ({ password }) => ({ password: String(password) }),
  "warning page": () => ({ warned: "1" }),
};

describe.each(SOFTWARE)("on %s", (software) => {
  const on = (link: Partial<Link>): Promise<Visited> => start(link, { software });
  const is49 = software === "49";

  test.each(decidedOn(software))("expiry, disabled, password and warning in order: $name", async ({ link, met }) => {
    const { meet } = await on(link);
    const all = [await meet()];
    const entered: Record<string, string> = {};
    while (all.length < met.length) {
      Object.assign(entered, FORMS[all.at(-1) ?? ""]?.(link));
      all.push(await meet("", { entered }));
    }
    expect(all).toEqual(met);
  });

  test.each(VISITS)("%s", async (_, link, query, visit, met) => {
    expect(await (await on(link)).meet(query, visit)).toBe(met);
  });

  const [r1, r2] = ["https://r.example/1", "https://r.example/2"];
  const SENT = [{ value: r1 }, { value: r2 }];

  // Up to 44, indices are positions, and only an empty entry leaves a hole. 49 keeps them. Fails if an error counts as a visit, too.
  test.each([
    [[r1, r2], SENT, 301],
    [{ 0: "", 1: r2 }, { 1: { value: r2 } }, 500],
    [{ 0: r1, 1: "", 2: r2 }, { 0: { value: r1 }, 2: { value: r2 } }, 500],
    [[r1, r2, ""], SENT, 301],
    [{ 5: r1, 9: r2 }, is49 ? { 5: { value: r1 }, 9: { value: r2 } } : SENT, is49 ? 500 : 301],
    [["", ""], [], 301],
  ])("a rotation that was sent as %j is stored as %j, and visitors get %i", async (entries, shape, status) => {
    const { get, put, open, meet, clicks } = await on({});
    const [type, group] = is49 ? ["targets_type=rotations", "targets"] : ["target_type=4", "rotation"];
    const form = Object.entries(entries).map(([at, value]) => `${group}[${at}][value]=${value}`);
    expect((await put("links/1", [type, ...form].join("&"))).status).toBe(200);
    expect(await get("links/1")).toMatchObject({ data: { [is49 ? "targets" : "rotation_target"]: shape } });
    expect([(await open("/a")).status, (await open("/a")).status]).toEqual([status, status]);
    expect(clicks()).toBe(status === 500 ? 0 : 2);
    const healed = await put("links/1", is49 ? "targets_type=" : "target_type=0");
    expect([healed.status, await meet()]).toEqual([200, URL_ITSELF]);
  });

  test("a rotation goes through its entries, or in 49 only counts them", async () => {
    const { meet, stored } = await on({ target_type: 4, rotation: SENT });
    const names: Readonly<Record<string, string>> = { [r1]: "r1", [r2]: "r2", [URL_ITSELF]: "own" };
    const turns = TURNS[is49 ? "49" : "before 49"];
    const seen: [string | undefined, number | undefined][] = [];
    for (const _ of turns) seen.push([names[await meet()], stored()?.last_rotation]);
    expect(seen).toEqual(turns);
  });

  test("a rotation starts again if its list became shorter", async () => {
    const { meet } = await on({ target_type: 4, rotation: [{ value: r1 }], last_rotation: 8 });
    expect([await meet(), await meet()]).toEqual([URL_ITSELF, is49 ? URL_ITSELF : r1]);
  });

  test.each(CRAWLERS)("the crawler %s goes to `url`, is not counted, and moves no rotation", async (name) => {
    const { meet, stored } = await on({ target_type: 4, rotation: [{ value: r1 }], expiration_clicks: 1 });
    for (let visit = 0; visit < 2; visit += 1) expect(await meet("?a=1", agent(name))).toBe(`${URL_ITSELF}?a=1`);
    expect([stored()?.clicks, stored()?.last_rotation]).toEqual([0, 0]);
  });

  test.each(PERSONS)("%j is a person", async (name) => {
    const { sandbox, clicks } = await on(DE);
    const headers = { host: "go.example.com", ...GERMAN.headers, ...(name !== null && { "user-agent": name }) };
    for (const method of ["GET", "HEAD"])
      expect(metBy(await send(sandbox.url, "/a", { headers, method }))).toBe(to("de"));
    expect(clicks()).toBe(2);
  });

  test("a crawler gets the page of a disabled link, or the warning of 49", async () => {
    const { meet } = await on(is49 ? { sensitive: 1 } : { disabled: 1 });
    expect(await meet("", CURL)).toBe(is49 ? "warning page" : "disabled page");
  });

  test.each(LANGUAGES)("Accept-Language: %s is %j, or in 49 %j", async (accepted, before49, since49) => {
    const key = is49 ? since49 : before49;
    const language = ["de", "fr", "fi"].map((code) => ({ key: code, value: to(code) }));
    const { meet } = await on({ target_type: 3, language });
    expect(await meet("", { headers: { "accept-language": accepted } })).toBe(key === null ? URL_ITSELF : to(key));
  });

  test.each<readonly [string, string]>([
    ...Object.entries(SAMPLE_AGENTS).map(([key, name]) => [name, key] as const),
    ["Mozilla/5.0 (iPad; CPU OS 17_0 like Mac OS X) Version/17.0 Mobile/15E148 Safari/604.1", "iOS"],
    ["Mozilla/5.0 (Windows Phone 10.0; Android 6.0.1; Lumia 950) AppleWebKit/537.36 Mobile Edge/15.15254", "own"],
    ["Mozilla/5.0 (X11; Fedora; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "own"],
    [OTHER_AGENT, "own"],
    // An iPad in its desktop mode.
    ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.5 Safari/605.1.15", "OS X"],
  ])("%s is on %s", async (name, key) => {
    const platform = Object.keys(SAMPLE_AGENTS).map((one) => ({ key: one, value: to(one) }));
    const { meet } = await on({ target_type: 2, platform });
    expect(await meet("", agent(name))).toBe(to(key));
  });

  test("a link with pixels asks first, and leads visitors who accept to `url`, without targets and query", async () => {
    const { open, meet, clicks } = await on({ ...DE, pixels: [1] });
    expect([await meet("?a=1", GERMAN), clicks()]).toEqual(["consent page", 0]);
    const answer = await open("/a?a=1", entering({ consent: "accepted" }, GERMAN.headers));
    expect([...ways(answer), clicks()]).toEqual([200, undefined, 1]);
    expect(answer.text).toContain(`url=${URL_ITSELF}"`);
    expect(answer.text).not.toContain("a=1");
  });

  test("a redirect is not cached by browsers", async () => {
    const { open } = await on({});
    expect((await open("/a")).headers["cache-control"]).toBe("must-revalidate, no-cache, no-store, private");
  });

  test("the secret 0 reads as none, replaces an older password, and nobody is asked", async () => {
    const { get, put, meet } = await on({ password: "old", privacy_password: "old" });
    // In 49 `password` is the statistics password.
    const names = is49 ? ["redirect_password", "password"] : ["password", "privacy_password"];
    expect((await put("links/1", names.map((name) => `${name}=0`).join("&"))).status).toBe(200);
    const data = Object.fromEntries(names.map((name) => [name, false]));
    expect(await get("links/1")).toMatchObject({ data });
    expect(await meet()).toBe(URL_ITSELF);
  });
});

// All versions add a query in the same way.
describe.each(["4.1", "49"] as const)("on %s, a visitor", (software) => {
  test.each(QUERIES)("of %s with the query %j", async (url, query, target) => {
    expect(await (await start({ url }, { software })).meet(`?${query}`)).toBe(target);
  });
});

describe("on 49", () => {
  // Fails if one of the three groups is not used.
  test.each([
    ["continent", 5, "EU"],
    ["browser", 6, "Firefox Mobile"],
    ["device", 7, "tablet"],
  ] as const)("the %s (type %i) %s leads to its destination, any other to `url`", async (group, type, key) => {
    const { meet } = await start({ target_type: type, [group]: [{ key, value: to("mine") }] }, { software: "49" });
    expect(await meet("", { headers: { [`x-sandbox-${group}`]: key } })).toBe(to("mine"));
    expect(await meet()).toBe(URL_ITSELF);
  });

  test("pages before the last one are not counted, and entered data is not lost", async () => {
    const { open, meet, clicks } = await start({ password: "p", sensitive: 1, pixels: [1] }, { software: "49" });
    expect(await meet()).toBe("password page");
    const warning = await open("/a", entering({ password: "p" }));
    expect(metBy(warning)).toBe("warning page");
    expect(warning.text).toContain('<input type="hidden" name="password" value="p">');
    const consent = await open("/a", entering({ password: "p", warned: "1" }));
    expect(metBy(consent)).toBe("consent page");
    expect(consent.text).toContain('<input type="hidden" name="warned" value="1">');
    expect(await meet("", { entered: { warned: "1", consent: "refused" } })).toBe("password page");
    expect(await meet("", { entered: { password: "p", consent: "refused" } })).toBe("warning page");
    expect(clicks()).toBe(0);
    expect(await meet("", { entered: { password: "p", warned: "1", consent: "refused" } })).toBe(URL_ITSELF);
    expect(clicks()).toBe(1);
  });
});
