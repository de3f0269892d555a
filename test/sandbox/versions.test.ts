// How the versions of the service differ, and what 4.1, 4.9 and 44 have in common, as measured on each.
import { afterEach, describe, expect, test } from "vitest";
import {
  type Sandbox,
  type SandboxOptions,
  type SeedState,
  SOFTWARE,
  type Software,
  startSandbox,
  type State,
} from "../../src/sandbox/index.ts";
import { type Account, accountOf, NAMES, parse, refusal, rowsOf, send } from "./client.ts";

const DE = { key: "DE", value: "https://example.com/de" };
const SEED: SeedState = {
  pixels: [
    { name: "Meta", type: "facebook", value: "1" },
    { name: "X", type: "twitter", value: "2" },
  ],
  links: [
    { url: "https://example.com/a", domain: 2, alias: "a", space: 1, pixels: [1], clicks: 3 },
    { url: "https://example.com/c", domain: 3, alias: "c", clicks: 9 },
    { url: "https://example.com/b", domain: 1, alias: "b", clicks: 1 },
  ],
};

const NEW = "url=https://example.com/&alias=new";

const otherName = (software: Software, field: "domain" | "space" | "pixels" | "pixel"): string =>
  NAMES[software === "4.1" || software === "4.9" ? "44" : "4.1"][field];

let sandbox: Sandbox;
let account: Account;
afterEach(() => sandbox.close());

async function start(software: Software, options: SandboxOptions = {}): Promise<void> {
  sandbox = await startSandbox({ rateLimit: 0, seed: SEED, software, ...options });
  account = accountOf(sandbox);
}

const stored = (id = 1): State["links"][number] | undefined => sandbox.state().links.find((link) => link.id === id);
const aliases = async (query: string): Promise<string> =>
  (await rowsOf(account, `links?${query}`)).data.map(({ alias }) => alias).join("");

describe.each(SOFTWARE)("names on %s", (software) => {
  const { domain, space, pixels } = NAMES[software];

  // Fails if a version accepts another version's name: tests would miss a client that sends the wrong one.
  test("a store needs this version's name for the domain, and uses it if both names are sent", async () => {
    await start(software);
    expect(await account.post("links", `${NEW}&${otherName(software, "domain")}=2`)).toEqual(refusal(domain));
    expect((await account.post("links", `${NEW}&${otherName(software, "domain")}=2&${domain}=3`)).status).toBe(201);
    expect(stored(4)?.domain).toBe(3);
  });

  // Fails if an unknown name is refused, or changes something: the service confirms it with a 200.
  test("an update ignores the names of other versions, and any domain", async () => {
    await start(software);
    const before = stored();
    const form = `${otherName(software, "space")}=2&${otherName(software, "pixels")}[]=2&domain=3&domain_id=3`;
    expect((await account.put("links/1", form)).status).toBe(200);
    expect(stored()).toEqual(before);
  });

  // Fails if the other version's name is used when both are sent.
  test("an update uses its own names if both are sent", async () => {
    await start(software);
    await account.put("links/1", `space=2&space_id=2&pixels[]=2&pixel_ids[]=2`);
    expect(stored()).toMatchObject({ space: 2, pixels: [2] });
  });

  // Fails if a refusal uses another version's name of a field, by which clients find its place in a file.
  test("a refusal names the fields as they were sent", async () => {
    await start(software);
    expect(await account.put("links/1", `${space}=99&${pixels}[]=99&alias=c.c`)).toEqual(
      refusal("alias", space, pixels),
    );
  });

  // Fails if another version's filter works: an old client would miss that it gets the whole account.
  test("lists are filtered by this version's names only, and repeat the names that they know", async () => {
    await start(software);
    for (const [field, id, found] of [
      ["domain", 3, "c"],
      ["space", 1, "a"],
      ["space", 0, "bc"],
      ["pixel", 1, "a"],
    ] as const) {
      const own = `${NAMES[software][field]}=${id}`;
      const other = `${otherName(software, field)}=${id}`;
      expect([own, await aliases(own)]).toEqual([own, found]);
      expect([other, await aliases(other)]).toEqual([other, "bca"]);
      expect(await aliases(`${own}&${other}`)).toBe(found);
      const { first } = (await rowsOf(account, `links?${own}&${other}`)).links;
      expect(first).toContain(`?${software === "4.1" ? "" : "search_by=title&"}${own}&`);
      expect(first).not.toContain(other);
    }
  });
});

describe("lists", () => {
  // Fails if a version sorts or searches by another parameter than measured.
  test.each([
    ["4.1", "sort=max", "cab"],
    ["4.1", "sort=min", "bac"],
    ["4.1", "sort_by=clicks&sort=desc", "bca"],
    ["4.9", "sort=max", "bca"],
    ["4.9", "sort_by=clicks&sort=desc", "cab"],
    ["4.9", "sort_by=clicks&sort=asc", "bac"],
    ["4.1", "search=b&by=alias", "b"],
    ["4.1", "search=b&search_by=alias", ""],
    ["4.1", "search=b&by=alias&search_by=alias", "b"],
    ["4.9", "search=b&by=alias", ""],
    ["4.9", "search=b&search_by=alias", "b"],
    ["4.9", "search=b&by=alias&search_by=alias", "b"],
    ["44", "sort=max", "bca"],
    ["44", "sort_by=clicks&sort=asc", "bac"],
    ["44", "sort_by=alias&sort=asc", "abc"],
    ["44", "sort_by=url&sort=desc", "cba"],
    ["44", "sort_by=title&search=a&search_by=nothing", ""],
    ["44", "sort_by=nothing&sort=nothing", "bca"],
    ["49", "sort_by=alias", "cba"],
    ["49", "sort_by=id&sort=asc", "acb"],
    ["44", "search=b&search_by=alias", "b"],
    ["44", "search=b&by=alias", ""],
    ["49", "search=b&search_by=alias", "b"],
    ["44", "domain_id=0&pixel_id=0", "bca"],
    ["49", "domain_id=0&pixel_id=0", "bca"],
  ] as const)("on %s with %s list %s", async (software, query, found) => {
    await start(software);
    expect(await aliases(query)).toBe(found);
  });

  // Fails if another size is accepted, or if numbers have another version's types.
  test.each(["4.9", "44", "49"] as const)("%s has four sizes of pages, and page buttons", async (software) => {
    await start(software);
    for (const [asked, taken] of [
      ["26", 10],
      ["25", 25],
      ["50", 50],
      ["100", 100],
      ["500", 10],
    ] as const)
      expect((await rowsOf(account, `links?per_page=${asked}`)).meta).toMatchObject({
        per_page: taken,
        links: expect.any(Array),
      });
  });

  // Fails if a version stores a name differently than measured.
  test.each([
    ["4.1", "\u200bNew\u200b"],
    ["4.9", "\u200bNew\u200b"],
    ["44", "New"],
    ["49", "New"],
  ] as const)("%s stores a pixel name between zero-width spaces as %j", async (software, kept) => {
    await start(software);
    const form = `name=${encodeURIComponent("\u200bNew\u200b")}&type=bing&value=1`;
    expect((await account.post("pixels", form)).status).toBe(201);
    await account.put("pixels/1", form.replace("New", "Old"));
    const names = sandbox.state().pixels.map(({ name }) => name);
    expect([names.at(-1), names[0]]).toEqual([kept, kept.replace("New", "Old")]);
  });

  // Fails if 4.1 honors a filter of pixels, or a later version ignores it.
  test.each([
    ["4.1", "type=facebook", "XMeta"],
    ["4.9", "type=facebook", "Meta"],
    ["4.9", "type=twitter", "X"],
    ["4.9", "type=x", ""],
    ["44", "type=x", "X"],
    ["44", "type=twitter", ""],
    ["49", "type=x", "X"],
    ["4.1", "sort_by=name&sort=asc", "MetaX"],
    ["4.1", "sort_by=name&sort=desc", "XMeta"],
    ["44", "sort_by=name&sort=asc", "MetaX"],
    ["49", "sort_by=name&sort=desc", "XMeta"],
    ["44", "search=M&search_by=value", "Meta"],
  ] as const)("of pixels on %s with %s: %s", async (software, query, found) => {
    await start(software);
    expect((await rowsOf(account, `pixels?${query}`)).data.map(({ name }) => name).join("")).toBe(found);
  });
});

describe("answers", () => {
  const json = (path: string, method = "GET"): ReturnType<typeof send> =>
    send(sandbox.url, path, {
      method,
      headers: { accept: "application/json", authorization: `Bearer ${sandbox.apiKey}` },
    });
  const plain = (path: string, method = "GET"): ReturnType<typeof send> =>
    send(sandbox.url, path, { method, headers: { authorization: `Bearer ${sandbox.apiKey}` } });

  // Fails if an update of an unknown id gets another version's response: 44 has JSON for every client.
  test.each([
    ["4.1", "links", { message: String.raw`No query results for model [App\Link].` }],
    ["4.9", "links", { message: String.raw`No query results for model [App\Models\Link].` }],
    ["44", "links", { message: "Resource not found.", status: 404 }],
    ["44", "pixels", { message: "Resource not found.", status: 404 }],
    ["49", "pixels", { message: "Resource not found.", status: 404 }],
  ] as const)("of %s to an update of an unknown id in %s", async (software, kind, body) => {
    await start(software);
    const answer = await json(`/api/v1/${kind}/99`, "PUT");
    expect([answer.status, parse(answer)]).toEqual([404, body]);
    const type = (await plain(`/api/v1/${kind}/99`, "PUT")).headers["content-type"];
    expect(type).toBe("status" in body ? "application/json" : "text/html; charset=UTF-8");
  });

  // Fails if an unknown path below `/api`, or a preflight request, gets another version's response.
  test.each(SOFTWARE)("of %s to an unknown path and to OPTIONS", async (software) => {
    await start(software);
    const unknown = await plain("/api/v1/nothing");
    expect([unknown.status, parse(unknown)]).toEqual([404, { message: "Resource not found.", status: 404 }]);
    expect((await plain("/api/v1/links", "OPTIONS")).status).toBe(software === "49" ? 200 : 405);
  });

  // Fails if a delete path has another version's response.
  test.each([
    ["4.1", "DELETE", 405, "POST"],
    ["4.1", "GET", 405, "POST"],
    ["4.1", "POST", 419, undefined],
    ["4.9", "GET", 405, "POST"],
    ["44", "DELETE", 405, "GET, HEAD, POST"],
    ["44", "GET", 404, undefined],
    ["44", "POST", 419, undefined],
    ["49", "DELETE", 405, "GET, HEAD, POST"],
    ["49", "GET", 404, undefined],
  ] as const)("of %s to %s on the documented delete path", async (software, method, status, allow) => {
    await start(software);
    for (const path of ["/links/1/destroy", "/index.php/pixels/1/destroy"]) {
      const answer = await json(path, method);
      expect([answer.status, answer.headers["allow"]]).toEqual([status, allow]);
      if (status !== 405) expect(parse(answer)).toEqual({ message: status === 404 ? "" : "CSRF token mismatch." });
    }
    expect(sandbox.state().links).toHaveLength(3);
  });

  // Fails if only one version's spelling of the path under api/v1 deletes.
  test.each(SOFTWARE)("of %s to a delete under api/v1: 200, then 404", async (software) => {
    await start(software);
    expect((await json("/api/v1/links/1", "DELETE")).status).toBe(200);
    expect((await json("/index.php/api/v1/links/2", "DELETE")).status).toBe(200);
    expect((await json("/api/v1/links/1", "DELETE")).status).toBe(404);
  });

  // Fails if an invalid key redirects to the wrong URL, or if a version wrongly allows scripts of other sites.
  test.each([
    ["4.1", "http:", undefined],
    ["4.9", "http:", "*"],
    ["44", "https:", "*"],
    ["49", "https:", "*"],
  ] as const)("of %s to a bad key without JSON in Accept", async (software, scheme, origins) => {
    await start(software);
    const answer = await send(sandbox.url, "/api/v1/links");
    expect(answer.headers["location"]).toBe(`${scheme}//127.0.0.1:${sandbox.port}/login`);
    expect((await json("/api/v1/links")).headers["access-control-allow-origin"]).toBe(origins);
  });

  // Fails if a short URL or nested dates have another version's form.
  test.each([
    ["4.1", "go.example.com/a", "short.example.com/b", /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/],
    ["4.9", "http://go.example.com/a", "http://short.example.com/b", /T.*Z$/],
    ["44", "http://go.example.com/a", "http://short.example.com/b", /T.*Z$/],
    ["49", "http://go.example.com/a", "http://short.example.com:PORT/b", /T.*Z$/],
  ] as const)("of %s have their short URLs and dates", async (software, own, shared, date) => {
    await start(software);
    const dates = { created_at: expect.stringMatching(date), updated_at: expect.stringMatching(date) };
    expect(await account.get("links/1")).toMatchObject({
      data: { short_url: own, domain: dates, space: dates, pixels: [dates] },
    });
    expect(await account.get("links/3")).toMatchObject({
      data: { short_url: shared.replace("PORT", String(sandbox.port)) },
    });
  });

  // Fails if 49 has a feature that it does not support.
  test.each([
    ["4.1", "disabled"],
    ["4.9", "link_disabling"],
    ["44", "link_disabling"],
    ["49", undefined],
  ] as const)("of %s about the account name the feature %s", async (software, name) => {
    await start(software);
    const text = JSON.stringify(await account.get("account"));
    expect(/"((?:link_)?disabl\w+)"/.exec(text)?.[1]).toBe(name);
  });
});

describe("pixels", () => {
  // Fails if a version accepts or returns the other version's name of X, or if its own name cannot be sent.
  test.each(SOFTWARE)("of %s have its own word for X", async (software) => {
    await start(software);
    const [own, other] = software === "4.1" || software === "4.9" ? ["twitter", "x"] : ["x", "twitter"];
    expect(await account.get("pixels/2")).toMatchObject({ data: { type: own } });
    expect(await account.post("pixels", `name=N&type=${other}&value=3`)).toEqual(refusal("type"));
    expect(await account.put("pixels/1", `type=${other}`)).toEqual(refusal("type"));
    expect(await account.post("pixels", `name=N&type=${own}&value=3`)).toMatchObject({ body: { data: { type: own } } });
    await account.put("links/1", `pixels[]=3&pixel_ids[]=3`);
    expect(await account.get("links/1")).toMatchObject({ data: { pixels: [{ id: 3, type: own }] } });
    expect(sandbox.state().pixels[2]?.type).toBe("twitter");
  });
});

describe("plans without a feature", () => {
  // Fails if a plan refuses what it allows on that version, or the reverse.
  test.each([
    ["4.1", "disabled", "disabled=0", 422],
    ["4.1", "expiration", "expiration_clicks=0", 422],
    ["4.1", "spaces", "space=0", 422],
    ["4.9", "expiration", "expiration_clicks=0", 422],
    ["44", "spaces", "space_id=0", 422],
    ["44", "targeting", "country[0][key]=DE&country[0][value]=https://a.b", 422],
    ["49", "expiration", "clicks_limit=0", 422],
    ["49", "spaces", "space_id=0", 422],
    ["49", "stats", "privacy=0", 422],
    ["4.1", "expiration", "expiration_clicks=", 201],
    ["4.1", "spaces", "space=", 201],
    ["4.1", "targeting", "target_type=0", 201],
    ["4.1", "targeting", "country[0][key]=&country[0][value]=", 201],
    ["4.1", "stats", "privacy=0", 201],
    ["44", "expiration", "expiration_clicks=", 201],
    ["44", "targeting", "target_type=0", 201],
    ["44", "stats", "privacy=0", 201],
    ["49", "spaces", "space_id=", 201],
    ["49", "disabled", "disabled=0", 201],
  ] as const)("%s without %s: a store with %s answers %i", async (software, feature, form, status) => {
    await start(software, { seed: { ...SEED, account: { features: { [feature]: 0 } } } });
    const answer = await account.post("links", `${NEW}&domain=2&domain_id=2&${form}`);
    if (status === 201) expect(answer.status).toBe(201);
    else expect(answer).toEqual(refusal(/^\w+/.exec(form)?.[0] ?? ""));
  });
});

// Fails if a plan without deep links allows an app's URL, or refuses a web URL.
test.each(SOFTWARE)("%s refuses a custom scheme on a plan without deep links", async (software) => {
  await start(software, { seed: { ...SEED, account: { features: { deep_links: 0 } } } });
  expect(await account.put("links/1", "url=app://open")).toEqual(refusal("url"));
  expect((await account.put("links/1", "url=HTTPS://example.com/")).status).toBe(200);
});

describe("telling the versions apart", () => {
  // Fails if a response no longer shows the version, with or without links.
  test.each(SOFTWARE.flatMap((software) => [true, false].map((hasLinks) => [software, hasLinks] as const)))(
    "%s by reading only (with links: %s)",
    async (software, hasLinks) => {
      await start(software, hasLinks ? {} : { seed: {} });
      const query = "per_page=10&domain=0&domain_id=0&search=&by=alias&search_by=alias";
      const { data, links } = await rowsOf(account, `links?${query}`);
      const echoed = new URL(links.first).searchParams;
      const later = async (): Promise<Software> => {
        const [row] = data;
        if (row !== undefined) return "targets_type" in row ? "49" : "44";
        const path = "stats/0?name=operating_system&from=2026-01-01&to=2026-01-02";
        return JSON.stringify(await account.get(path)).includes('{"name":') ? "44" : "49";
      };
      const early = echoed.has("search_by") || echoed.has("sort_by") ? "4.9" : "4.1";
      expect(echoed.has("domain_id") ? await later() : early).toBe(software);
    },
  );

  // Fails if 4.1 and 4.9 answer requests for statistics like 49.
  test.each([
    ["4.1", 422],
    ["4.9", 422],
    ["44", 422],
    ["49", 404],
  ] as const)("%s answers a question for unknown statistics with %i", async (software, status) => {
    await start(software);
    const path = "stats/0?name=operating_system&from=2026-01-01&to=2026-01-02";
    expect(await account.get(path)).toMatchObject({ status });
  });
});

describe("a service that is upgraded", () => {
  // Fails if the next version cannot use the state of this one, or if a row gets another id or loses values.
  test("serves the same state as every version", async () => {
    const seed: SeedState = {
      ...SEED,
      links: [{ url: "https://example.com/", domain: 2, alias: "a", disabled: 1, target_type: 2, country: [DE] }],
      next: { link: 40 },
    };
    await start("4.1", { seed });
    let state = sandbox.state();
    for (const software of ["4.9", "44", "49", "4.1"] as const) {
      await sandbox.close();
      await start(software, { seed: state });
      expect(sandbox.state()).toEqual(state);
      await account.put("links/1", "alias=a&password=&space=&space_id=");
      state = sandbox.state();
    }
    expect(state.links[0]).toMatchObject({ id: 1, disabled: 1, target_type: 2, country: [DE], platform: null });
    expect(state.next.link).toBe(40);
    expect(await account.get("links/1")).toMatchObject({ data: { target_type: 2, country_target: [DE] } });
  });
});
