// The sandbox answers visitors like the real service, in every version that it imitates.
import { afterEach, describe, expect, test } from "vitest";
import { type Link, type Sandbox, SOFTWARE, type Software, startSandbox } from "../../src/sandbox/index.ts";
import { OTHER_AGENT, SAMPLE_AGENTS, SAMPLE_BROWSERS, SAMPLE_DEVICES } from "../support/agents.ts";
import { CRAWLERS, decidedOn, LANGUAGES, OVER, PERSONS, QUERIES, TURNS, URL_ITSELF } from "../support/visits.ts";
import { accountOf, type Answer, type Call, send } from "./client.ts";

let sandbox: Sandbox;
afterEach(() => sandbox.close());

const PIXELS = [{ name: "Meta main", type: "facebook", value: "1234567890123456" }];
const DE = [{ key: "DE", value: "https://example.com/de" }];

async function start(link: Partial<Link>, software: Software = "4.1"): Promise<void> {
  const links = [{ url: URL_ITSELF, domain: 2, alias: "a", ...link }];
  sandbox = await startSandbox({ rateLimit: 0, software, seed: { pixels: PIXELS, links } });
}

function open(query = "", { headers = {}, ...call }: Call = {}): Promise<Answer> {
  return send(sandbox.url, `/a${query}`, {
    ...call,
    headers: { host: "go.example.com", "user-agent": OTHER_AGENT, ...headers },
  });
}

const enter = (fields: Readonly<Record<string, string>>, query = "", headers = {}): Promise<Answer> =>
  open(query, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    body: new URLSearchParams(fields).toString(),
  });

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

const stored = (): Link | undefined => sandbox.state().links[0];

/** The forms of the pages, each with the values that were entered before. */
const FORMS: Readonly<Record<string, (link: Partial<Link>) => Readonly<Record<string, string>>>> = {
  "password page": ({ password }) => ({ password: String(password) }),
  "warning page": () => ({ warned: "1" }),
};

describe.each(SOFTWARE)("on %s expiry, disabled, password and warning are decided in order", (software) => {
  test.each(decidedOn(software))("$name", async ({ link, met }) => {
    await start(link, software);
    const all = [metBy(await open())];
    const entered: Record<string, string> = {};
    while (all.length < met.length) {
      Object.assign(entered, FORMS[all.at(-1) ?? ""]?.(link));
      all.push(metBy(await enter(entered)));
    }
    expect(all).toEqual(met);
  });
});

describe.each(SOFTWARE)("on %s the query of the short URL", (software) => {
  test.each(QUERIES)("%s with %j", async (url, query, to) => {
    await start({ url }, software);
    expect(metBy(await open(`?${query}`))).toBe(to);
  });

  test.each([
    ["%C2%A0", ["4.9", "44", "49"]],
    ["%E3%80%80", ["4.9", "44", "49"]],
    ["%E2%80%8B", ["4.9", "44", "49"]],
    ["%00", ["4.1", "49"]],
  ])("%s is white space in versions %j", async (space, versions) => {
    await start({}, software);
    expect(metBy(await open(`?a=x${space}`))).toBe(`${URL_ITSELF}?a=x${versions.includes(software) ? "" : space}`);
  });

  test("is merged after a password and into targets, and never into the expiration URL", async () => {
    await start({ url: "https://example.com:1/x", password: "p" }, software);
    expect(metBy(await enter({ password: "p" }, "?a=1"))).toBe("https://example.com/x?a=1");
    await sandbox.close();
    await start({ target_type: 1, country: [{ key: "DE", value: "https://example.com:1/de?b=2#c" }] }, software);
    expect(metBy(await open("?a=1", { headers: { "x-sandbox-country": "DE" } }))).toBe(
      "https://example.com/de?b=2&a=1",
    );
    await sandbox.close();
    await start({ expiration_clicks: 1, clicks: 1, expiration_url: OVER }, software);
    expect(metBy(await open("?a=1"))).toBe(OVER);
  });
});

describe.each(SOFTWARE)("on %s a key twice in a group", (software) => {
  test.each([
    [{ target_type: 1 }, "country", "DE", { "x-sandbox-country": "DE" }],
    [{ target_type: 2 }, "platform", "Linux", { "user-agent": "Mozilla/5.0 (X11; Linux x86_64)" }],
    [{ target_type: 3 }, "language", "de", { "accept-language": "de" }],
  ])("leads to its last entry: %j", async (type, group, key, headers) => {
    const entries = ["first", "second", "third"].map((path) => ({ key, value: `https://example.com/${path}` }));
    await start({ ...type, [group]: entries }, software);
    expect(metBy(await open("", { headers }))).toBe("https://example.com/third");
  });
});

describe.each(SOFTWARE)("on %s a rotation with an empty entry", (software) => {
  const [one, two] = [{ value: "https://example.com/r1" }, { value: "https://example.com/r2" }];

  test.each([
    ["the first", { 1: two }],
    ["the middle", { 0: one, 2: two }],
  ])("%s is a 500 for people on every visit, and `url` for crawlers", async (_, rotation) => {
    await start({ target_type: 4, rotation }, software);
    expect([(await open()).status, (await open()).status, (await open("?a=1")).status]).toEqual([500, 500, 500]);
    expect(metBy(await open("", { headers: { "user-agent": "curl/8.14.1" } }))).toBe(URL_ITSELF);
    expect(stored()?.clicks).toBe(0);
    await sandbox.close();
    await start({ target_type: 0, rotation }, software);
    expect(metBy(await open())).toBe(URL_ITSELF);
  });

  test("in a group by country works", async () => {
    await start({ target_type: 1, country: { 1: { key: "DE", value: "https://example.com/de" } } }, software);
    expect(metBy(await open("", { headers: { "x-sandbox-country": "DE" } }))).toBe("https://example.com/de");
  });

  test("an empty rotation leads to `url`", async () => {
    await start({ target_type: 4, rotation: [] }, software);
    expect(metBy(await open())).toBe(URL_ITSELF);
  });
});

describe.each(SOFTWARE)("on %s a rotation that was sent", (software) => {
  const isNew = software === "49";
  const [r1, r2] = ["https://r.example/1", "https://r.example/2"];
  const hole = { 1: { value: r2 } };

  // Up to 44, indices are positions, and only an empty entry leaves a hole. 49 keeps them.
  test.each([
    [[r1, r2], [{ value: r1 }, { value: r2 }], 301],
    [{ 0: "", 1: r2 }, hole, 500],
    [{ 0: r1, 1: "", 2: r2 }, { 0: { value: r1 }, 2: { value: r2 } }, 500],
    [[r1, r2, ""], [{ value: r1 }, { value: r2 }], 301],
    [
      { 5: r1, 9: r2 },
      isNew ? { 5: { value: r1 }, 9: { value: r2 } } : [{ value: r1 }, { value: r2 }],
      isNew ? 500 : 301,
    ],
    [["", ""], [], 301],
  ])("as %j is stored as %j, and visitors get %i", async (entries, shape, status) => {
    await start({}, software);
    const account = accountOf(sandbox);
    const [type, group] = isNew ? ["targets_type=rotations", "targets"] : ["target_type=4", "rotation"];
    const form = Object.entries(entries).map(([at, value]) => `${group}[${at}][value]=${value}`);
    expect((await account.put("links/1", [type, ...form].join("&"))).status).toBe(200);
    const read = await account.get("links/1");
    expect(read).toMatchObject({ data: { [isNew ? "targets" : "rotation_target"]: shape } });
    expect([(await open()).status, (await open()).status]).toEqual([status, status]);
    const healed = await account.put("links/1", isNew ? "targets_type=" : "target_type=0");
    expect([healed.status, metBy(await open())]).toEqual([200, URL_ITSELF]);
  });
});

describe.each(SOFTWARE)("on %s crawlers", (software) => {
  test.each(CRAWLERS)("%s goes to `url`, is not counted, and moves no rotation", async (userAgent) => {
    await start({ target_type: 4, rotation: [{ value: "https://example.com/r1" }], expiration_clicks: 1 }, software);
    for (let visit = 0; visit < 2; visit += 1)
      expect(metBy(await open("?a=1", { headers: { "user-agent": userAgent } }))).toBe(`${URL_ITSELF}?a=1`);
    expect([stored()?.clicks, stored()?.last_rotation]).toEqual([0, 0]);
  });

  test.each(PERSONS)("%j is a person", async (userAgent) => {
    await start({ target_type: 1, country: DE }, software);
    const headers = {
      host: "go.example.com",
      "x-sandbox-country": "DE",
      ...(userAgent !== null && { "user-agent": userAgent }),
    };
    expect(metBy(await send(sandbox.url, "/a", { headers }))).toBe("https://example.com/de");
    expect(metBy(await send(sandbox.url, "/a", { headers, method: "HEAD" }))).toBe("https://example.com/de");
    expect(stored()?.clicks).toBe(2);
  });

  test("get the expiration URL when people have reached the click limit, and the pages that people get", async () => {
    const headers = { "user-agent": "Twitterbot/1.0" };
    for (const [link, met] of [
      [{ expiration_clicks: 1, clicks: 1, expiration_url: OVER }, OVER],
      ...(software === "49"
        ? ([[{ sensitive: 1 }, "warning page"]] as const)
        : ([[{ disabled: 1 }, "disabled page"]] as const)),
      [{ password: "p" }, "password page"],
      [{ pixels: [1] }, "consent page"],
    ] as const) {
      await start(link, software);
      expect(metBy(await open("", { headers }))).toBe(met);
      await sandbox.close();
    }
    await start({}, software);
  });
});

// Fails if the browser of a phone counts as one of a desktop, which has another key.
test.each([
  ["Firefox Mobile", "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0"],
  ["Opera Mobile", "Mozilla/5.0 (Linux; Android 10; K) Chrome/140.0.0.0 Mobile Safari/537.36 OPR/90.0.0.0"],
  ["Mobile Internet Explorer", "Mozilla/5.0 (Windows Phone 8.0; Trident/6.0; IEMobile/10.0; NOKIA; Lumia 920)"],
  ["BlackBerry Browser", "Mozilla/5.0 (BB10; Touch) AppleWebKit/537.10+ Version/10.0.9.2372 Mobile Safari/537.10+"],
  ["QQ Browser", "Mozilla/5.0 (Linux; Android 10) Chrome/89.0 MQQBrowser/15.0 Mobile Safari/537.36"],
])("%s has a separate key in version 49", async (key, agent) => {
  await start({ target_type: 6, browser: [{ key, value: "https://example.com/mine" }] }, "49");
  expect(metBy(await open("", { headers: { "user-agent": agent } }))).toBe("https://example.com/mine");
});

describe.each(SOFTWARE)("on %s country, language and platform", (software) => {
  test.each(LANGUAGES)("Accept-Language: %s is %j, or in 49 %j", async (accepted, before49, since49) => {
    const key = software === "49" ? since49 : before49;
    const language = ["de", "fr", "fi"].map((code) => ({ key: code, value: `https://example.com/${code}` }));
    await start({ target_type: 3, language }, software);
    expect(metBy(await open("", { headers: { "accept-language": accepted } }))).toBe(
      key === null ? URL_ITSELF : `https://example.com/${key}`,
    );
  });

  test.each<readonly [string, string]>([
    ...Object.entries(SAMPLE_AGENTS).map(([key, agent]) => [agent, key] as const),
    ["Mozilla/5.0 (iPad; CPU OS 17_0 like Mac OS X) Version/17.0 Mobile/15E148 Safari/604.1", "iOS"],
    ["Mozilla/5.0 (Windows Phone 10.0; Android 6.0.1; Lumia 950) AppleWebKit/537.36 Mobile Edge/15.15254", "own"],
    ["Mozilla/5.0 (X11; Fedora; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "own"],
    [OTHER_AGENT, "own"],
    // An iPad in its desktop mode.
    ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.5 Safari/605.1.15", "OS X"],
  ])("%s is on %s", async (agent, key) => {
    const platform = Object.keys(SAMPLE_AGENTS).map((one) => ({ key: one, value: `https://example.com/${one}` }));
    await start({ target_type: 2, platform }, software);
    expect(metBy(await open("", { headers: { "user-agent": agent } }))).toBe(`https://example.com/${key}`);
  });

  test.each([
    ["de", "de"],
    ["DE", "de"],
    ["FR", "own"],
    ["", "own"],
    ["DEU", "own"],
  ])("the country %j", async (country, to) => {
    await start({ target_type: 1, country: DE }, software);
    expect(metBy(await open("", { headers: { "x-sandbox-country": country } }))).toBe(`https://example.com/${to}`);
  });

  test("no language goes to `url`", async () => {
    await start({ target_type: 3, language: [{ key: "de", value: OVER }] }, software);
    expect(metBy(await open())).toBe(URL_ITSELF);
  });

  test.each([1, 2, 3, 4])("target_type %i without a group leads to `url`", async (target_type) => {
    await start({ target_type }, software);
    expect(metBy(await open("", { headers: { "x-sandbox-country": "DE", "accept-language": "de" } }))).toBe(URL_ITSELF);
  });
});

describe.each(SOFTWARE)("on %s a rotation", (software) => {
  const [r1, r2] = ["https://example.com/r1", "https://example.com/r2"];

  test("goes through its entries, or in 49 only counts them", async () => {
    await start({ target_type: 4, rotation: [{ value: r1 }, { value: r2 }] }, software);
    const names: Readonly<Record<string, string>> = { [r1]: "r1", [r2]: "r2", [URL_ITSELF]: "own" };
    const turns = TURNS[software === "49" ? "49" : "before 49"];
    const seen: [string | undefined, number | undefined][] = [];
    for (const _ of turns) seen.push([names[metBy(await open())], stored()?.last_rotation]);
    expect(seen).toEqual(turns);
  });

  test("starts again if its list became shorter", async () => {
    await start({ target_type: 4, rotation: [{ value: r1 }], last_rotation: 8 }, software);
    expect([metBy(await open()), metBy(await open())]).toEqual([URL_ITSELF, software === "49" ? URL_ITSELF : r1]);
  });
});

describe("on 49", () => {
  test("a rotation with the indices 5 and 9 is a 500 for people, and `url` for crawlers", async () => {
    await start({ target_type: 4, rotation: { 5: { value: OVER }, 9: { value: OVER } } }, "49");
    expect([(await open()).status, (await open()).status]).toEqual([500, 500]);
    expect(metBy(await open("", { headers: { "user-agent": "curl/8.14.1" } }))).toBe(URL_ITSELF);
    expect(stored()?.clicks).toBe(0);
  });

  test.each([
    [5, "continent", "EU", { "x-sandbox-continent": "EU" }],
    [6, "browser", "Firefox", { "user-agent": OTHER_AGENT }],
    [6, "browser", "Edge", { "user-agent": SAMPLE_BROWSERS["Edge"] ?? "" }],
    [7, "device", "desktop", { "user-agent": OTHER_AGENT }],
    [7, "device", "tablet", { "user-agent": SAMPLE_DEVICES["tablet"] ?? "" }],
  ] as const)(
    "target_type %i, %s: %s leads to its destination, any other to `url`",
    async (target_type, group, key, headers) => {
      await start({ target_type, [group]: [{ key, value: "https://example.com/mine" }] }, "49");
      expect(metBy(await open("", { headers }))).toBe("https://example.com/mine");
      expect(metBy(await open("", { headers: { "user-agent": "Mozilla/5.0" } }))).toBe(URL_ITSELF);
    },
  );

  test("pages before the last one are not counted, and entered data is not lost", async () => {
    await start({ password: "p", sensitive: 1, pixels: [1] }, "49");
    expect(metBy(await open())).toBe("password page");
    const warning = await enter({ password: "p" });
    expect(metBy(warning)).toBe("warning page");
    expect(warning.text).toContain('<input type="hidden" name="password" value="p">');
    const consent = await enter({ password: "p", warned: "1" });
    expect(metBy(consent)).toBe("consent page");
    expect(consent.text).toContain('<input type="hidden" name="warned" value="1">');
    expect(metBy(await enter({ warned: "1", consent: "refused" }))).toBe("password page");
    expect(metBy(await enter({ password: "p", consent: "refused" }))).toBe("warning page");
    expect(stored()?.clicks).toBe(0);
    expect(metBy(await enter({ password: "p", warned: "1", consent: "refused" }))).toBe(URL_ITSELF);
    expect(stored()?.clicks).toBe(1);
  });
});

describe.each(SOFTWARE)("on %s a link with pixels", (software) => {
  const link = { pixels: [1], target_type: 1, country: [{ key: "DE", value: "https://example.com:1/de?b=2" }] };
  const headers = { "x-sandbox-country": "DE" };

  test("asks first, and that is not counted", async () => {
    await start(link, software);
    expect(metBy(await open("?a=1", { headers }))).toBe("consent page");
    expect(stored()?.clicks).toBe(0);
  });

  test("leads visitors who refuse to the target, with the query", async () => {
    await start(link, software);
    expect(metBy(await enter({ consent: "refused" }, "?a=1", headers))).toBe("https://example.com/de?b=2&a=1");
    expect(stored()?.clicks).toBe(1);
  });

  test("leads visitors who accept to `url`, not to the targets and without the query", async () => {
    await start(link, software);
    const answer = await enter({ consent: "accepted" }, "?a=1", headers);
    expect([answer.status, answer.headers["location"]]).toEqual([200, undefined]);
    expect(answer.text).toContain(`url=${URL_ITSELF}"`);
    expect(answer.text).not.toContain("a=1");
    expect(stored()?.clicks).toBe(1);
  });

  test("requires its password", async () => {
    await start({ ...link, password: "p" }, software);
    expect(metBy(await enter({ consent: "accepted" }, "", headers))).toBe("password page");
    expect(metBy(await enter({ consent: "refused", password: "no" }, "", headers))).toBe("password page");
    expect(metBy(await enter({ consent: "refused", password: "p" }, "", headers))).toBe(
      "https://example.com/de?b=2".replace("com/", "com:1/"),
    );
  });
});

test.each(SOFTWARE)("on %s a redirect forbids browsers to keep it", async (software) => {
  await start({}, software);
  expect((await open()).headers["cache-control"]).toBe("must-revalidate, no-cache, no-store, private");
});

describe("the secret 0", () => {
  test.each(SOFTWARE)("on %s reads as none, replaces an older password, and nobody is asked", async (software) => {
    await start({ password: "old", privacy_password: "old" }, software);
    const account = accountOf(sandbox);
    // In 49 `password` is the statistics password.
    const names = software === "49" ? ["redirect_password", "password"] : ["password", "privacy_password"];
    expect((await account.put("links/1", names.map((name) => `${name}=0`).join("&"))).status).toBe(200);
    expect(await account.get("links/1")).toMatchObject({
      data: Object.fromEntries(names.map((name) => [name, false])),
    });
    expect(metBy(await open())).toBe(URL_ITSELF);
  });
});
