// The sandbox answers visitors as the running service was seen to, in every version that it imitates.
import { afterEach, describe, expect, test } from "vitest";
import { type Link, type Sandbox, type Software, startSandbox } from "../../src/sandbox/index.ts";
import { CRAWLERS, DECIDED_FIRST, LANGUAGES, OVER, PERSONS, QUERIES, URL_ITSELF } from "../support/visits.ts";
import { type Answer, type Call, send } from "./client.ts";

let sandbox: Sandbox;
afterEach(() => sandbox.close());

const VERSIONS = ["4.1", "4.9"] as const;
const BROWSER = "Mozilla/5.0 (X11; FreeBSD amd64; rv:140.0) Gecko/20100101 Firefox/140.0";
const PIXELS = [{ name: "Meta main", type: "facebook", value: "1234567890123456" }];
const DE = [{ key: "DE", value: "https://example.com/de" }];

async function start(link: Partial<Link>, software: Software = "4.1"): Promise<void> {
  const links = [{ url: URL_ITSELF, domain: 2, alias: "a", ...link }];
  sandbox = await startSandbox({ rateLimit: 0, software, seed: { pixels: PIXELS, links } });
}

function open(query = "", { headers = {}, ...call }: Call = {}): Promise<Answer> {
  return send(sandbox.url, `/a${query}`, {
    ...call,
    headers: { host: "go.example.com", "user-agent": BROWSER, ...headers },
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
  "Before you continue": "consent page",
};

/** The page, or where a redirect leads. */
function metBy(answer: Answer): string {
  const title = /<h1>([^<]*)<\/h1>/.exec(answer.text)?.[1] ?? "";
  if (answer.status === 301) return Buffer.from(String(answer.headers["location"]), "latin1").toString();
  return answer.status === 200 ? (TITLES[title] ?? title) : String(answer.status);
}

const stored = (): Link | undefined => sandbox.state().links[0];

describe("expiry, disabled and password are decided in the order of the version", () => {
  test.each(DECIDED_FIRST.flatMap(([name, link, met]) => VERSIONS.map((software) => ({ name, link, met, software }))))(
    "$name on $software",
    async ({ link, met, software }) => {
      await start(link, software);
      const first = metBy(await open());
      const all =
        first === "password page" ? [first, metBy(await enter({ password: String(link.password) }))] : [first];
      expect(all).toEqual(met[software]);
    },
  );
});

describe("the query of the short URL", () => {
  test.each(QUERIES)("%s with %j", async (url, query, to) => {
    await start({ url });
    expect(metBy(await open(`?${query}`))).toBe(to);
  });

  test("is merged after a password and into targets, and never into the expiration URL", async () => {
    await start({ url: "https://example.com:1/x", password: "p" });
    expect(metBy(await enter({ password: "p" }, "?a=1"))).toBe("https://example.com/x?a=1");
    await sandbox.close();
    await start({ target_type: 1, country: [{ key: "DE", value: "https://example.com:1/de?b=2#c" }] });
    expect(metBy(await open("?a=1", { headers: { "x-sandbox-country": "DE" } }))).toBe(
      "https://example.com/de?b=2&a=1",
    );
    await sandbox.close();
    await start({ ends_at: "2020-01-01T00:00:00Z", expiration_url: OVER });
    expect(metBy(await open("?a=1"))).toBe(OVER);
  });
});

describe("a key twice in a group", () => {
  test.each([
    [{ target_type: 1 }, "country", "DE", { "x-sandbox-country": "DE" }],
    [{ target_type: 2 }, "platform", "Linux", { "user-agent": "Mozilla/5.0 (X11; Linux x86_64)" }],
    [{ target_type: 3 }, "language", "de", { "accept-language": "de" }],
  ])("leads to its last entry: %j", async (type, group, key, headers) => {
    const entries = ["first", "second", "third"].map((path) => ({ key, value: `https://example.com/${path}` }));
    await start({ ...type, [group]: entries });
    expect(metBy(await open("", { headers }))).toBe("https://example.com/third");
  });
});

describe("a rotation with an empty entry", () => {
  const [one, two] = [{ value: "https://example.com/r1" }, { value: "https://example.com/r2" }];

  test.each([
    ["the first", { 1: two }],
    ["the middle", { 0: one, 2: two }],
  ])("%s is a 500 for people on every visit, and `url` for crawlers", async (_, rotation) => {
    await start({ target_type: 4, rotation });
    expect([(await open()).status, (await open()).status, (await open("?a=1")).status]).toEqual([500, 500, 500]);
    expect(metBy(await open("", { headers: { "user-agent": "curl/8.14.1" } }))).toBe(URL_ITSELF);
    expect(stored()?.clicks).toBe(0);
    await sandbox.close();
    await start({ target_type: 0, rotation });
    expect(metBy(await open())).toBe(URL_ITSELF);
  });

  test("in a group by country works", async () => {
    await start({ target_type: 1, country: { 1: { key: "DE", value: "https://example.com/de" } } });
    expect(metBy(await open("", { headers: { "x-sandbox-country": "DE" } }))).toBe("https://example.com/de");
  });

  test("an empty rotation leads to `url`", async () => {
    await start({ target_type: 4, rotation: [] });
    expect(metBy(await open())).toBe(URL_ITSELF);
  });

  // Indices count as positions, and only an entry that is empty leaves a hole.
  test.each([
    ["rotation[0][value]=https://r.example/1&rotation[1][value]=https://r.example/2", [{}, {}]],
    ["rotation[0][value]=&rotation[1][value]=https://r.example/2", { 1: {} }],
    [
      "rotation[0][value]=https://r.example/1&rotation[1][value]=&rotation[2][value]=https://r.example/3",
      { 0: {}, 2: {} },
    ],
    ["rotation[0][value]=https://r.example/1&rotation[1][value]=https://r.example/2&rotation[2][value]=", [{}, {}]],
    ["rotation[5][value]=https://r.example/1&rotation[9][value]=https://r.example/2", [{}, {}]],
    ["rotation[0][value]=&rotation[1][value]=", []],
  ])("%s is stored so", async (form, shape) => {
    await start({});
    const { accountOf } = await import("./client.ts");
    const account = accountOf(sandbox);
    expect((await account.put("links/1", `target_type=4&${form}`)).status).toBe(200);
    const read = await account.get("links/1");
    expect(read).toMatchObject({ data: { rotation_target: shape } });
    expect(Array.isArray(stored()?.rotation)).toBe(Array.isArray(shape));
  });
});

describe("crawlers", () => {
  test.each(CRAWLERS)("%s goes to `url`, is not counted, and moves no rotation", async (userAgent) => {
    await start({ target_type: 4, rotation: [{ value: "https://example.com/r1" }], expiration_clicks: 1 });
    for (let visit = 0; visit < 2; visit += 1)
      expect(metBy(await open("?a=1", { headers: { "user-agent": userAgent } }))).toBe(`${URL_ITSELF}?a=1`);
    expect([stored()?.clicks, stored()?.last_rotation]).toEqual([0, 0]);
  });

  test.each(PERSONS)("%j is a person", async (userAgent) => {
    await start({ target_type: 1, country: DE });
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
      [{ disabled: 1 }, "disabled page"],
      [{ password: "p" }, "password page"],
      [{ pixels: [1] }, "consent page"],
    ] as const) {
      await start(link);
      expect(metBy(await open("", { headers }))).toBe(met);
      await sandbox.close();
    }
    await start({});
  });
});

describe("language and platform", () => {
  test.each(LANGUAGES)("Accept-Language: %s is %j", async (accepted, key) => {
    const language = ["de", "fr", "fi"].map((code) => ({ key: code, value: `https://example.com/${code}` }));
    await start({ target_type: 3, language });
    expect(metBy(await open("", { headers: { "accept-language": accepted } }))).toBe(
      key === null ? URL_ITSELF : `https://example.com/${key}`,
    );
  });

  test("a system without a key goes to `url`; an iPad in its desktop mode is OS X", async () => {
    const platform = ["Linux", "iOS", "OS X"].map((key) => ({ key, value: `https://example.com/${key[0]}` }));
    await start({ target_type: 2, platform });
    const agents = [
      "Mozilla/5.0 (X11; Fedora; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15",
    ];
    const met = await Promise.all(agents.map(async (one) => metBy(await open("", { headers: { "user-agent": one } }))));
    expect(met).toEqual([URL_ITSELF, "https://example.com/O"]);
  });

  test.each([1, 2, 3, 4])("target_type %i without a group leads to `url`", async (target_type) => {
    await start({ target_type });
    expect(metBy(await open("", { headers: { "x-sandbox-country": "DE", "accept-language": "de" } }))).toBe(URL_ITSELF);
  });
});

describe("a link with pixels", () => {
  const link = { pixels: [1], target_type: 1, country: [{ key: "DE", value: "https://example.com:1/de?b=2" }] };
  const headers = { "x-sandbox-country": "DE" };

  test("asks first, and that is not counted", async () => {
    await start(link);
    expect(metBy(await open("?a=1", { headers }))).toBe("consent page");
    expect(stored()?.clicks).toBe(0);
  });

  test("leads who refuses to the target, with the query", async () => {
    await start(link);
    expect(metBy(await enter({ consent: "refused" }, "?a=1", headers))).toBe("https://example.com/de?b=2&a=1");
    expect(stored()?.clicks).toBe(1);
  });

  test("leads who accepts to `url`, past the targets and without the query", async () => {
    await start(link);
    const answer = await enter({ consent: "accepted" }, "?a=1", headers);
    expect([answer.status, answer.headers["location"]]).toEqual([200, undefined]);
    expect(answer.text).toContain(`url=${URL_ITSELF}"`);
    expect(answer.text).not.toContain("a=1");
    expect(stored()?.clicks).toBe(1);
  });

  test("is open to nobody who leaves out its password", async () => {
    await start({ ...link, password: "p" });
    expect(metBy(await enter({ consent: "accepted" }, "", headers))).toBe("password page");
    expect(metBy(await enter({ consent: "refused", password: "no" }, "", headers))).toBe("password page");
    expect(metBy(await enter({ consent: "refused", password: "p" }, "", headers))).toBe(
      "https://example.com/de?b=2".replace("com/", "com:1/"),
    );
  });
});

test("a redirect forbids browsers to keep it", async () => {
  await start({});
  expect((await open()).headers["cache-control"]).toBe("must-revalidate, no-cache, no-store, private");
});

describe("the secret 0", () => {
  test.each(VERSIONS)("on %s reads as none, replaces an older password, and nobody is asked", async (software) => {
    await start({ password: "old", privacy_password: "old" }, software);
    const { accountOf } = await import("./client.ts");
    const account = accountOf(sandbox);
    expect((await account.put("links/1", "password=0&privacy_password=0")).status).toBe(200);
    expect(await account.get("links/1")).toMatchObject({ data: { password: false, privacy_password: false } });
    expect(metBy(await open())).toBe(URL_ITSELF);
  });
});
