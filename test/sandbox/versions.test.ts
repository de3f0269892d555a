// How the versions of the service differ, and what 4.1, 4.9 and 44 have in common, as measured on each.
import { describe, expect, test } from "vitest";
import { type SandboxOptions, type SeedState, SOFTWARE, type Software } from "../../src/sandbox/index.ts";
import { NAMES, parse, refusal, send, start as startWith, type Started } from "./client.ts";

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

const start = (software: Software, options: SandboxOptions = {}): Promise<Started> =>
  startWith({ seed: SEED, software, ...options });

const aliases = async ({ rows }: Started, query: string): Promise<string> =>
  (await rows(`links?${query}`)).data.map(({ alias }) => alias).join("");

describe.each(SOFTWARE)("names on %s", (software) => {
  const { domain, space, pixels } = NAMES[software];

  // Fails if a version accepts another version's name: tests would miss a client that sends the wrong one.
  test("a store needs this version's name for the domain, and uses it if both names are sent", async () => {
    const { post, stored } = await start(software);
    expect(await post("links", `${NEW}&${otherName(software, "domain")}=2`)).toEqual(refusal(domain));
    expect((await post("links", `${NEW}&${otherName(software, "domain")}=2&${domain}=3`)).status).toBe(201);
    expect(stored(4)?.domain).toBe(3);
  });

  // Fails if an unknown name is refused, or changes something, or if the other version's name is used when both are sent.
  test("an update ignores the names of other versions, and any domain", async () => {
    const { put, stored } = await start(software);
    const before = stored();
    const form = `${otherName(software, "space")}=2&${otherName(software, "pixels")}[]=2&domain=3&domain_id=3`;
    expect((await put("links/1", form)).status).toBe(200);
    expect(stored()).toEqual(before);
    await put("links/1", `space=2&space_id=2&pixels[]=2&pixel_ids[]=2`);
    expect(stored()).toMatchObject({ space: 2, pixels: [2] });
  });

  // Fails if a refusal uses another version's name of a field, by which clients find its place in a file.
  test("a refusal names the fields as they were sent", async () => {
    const { put } = await start(software);
    expect(await put("links/1", `${space}=99&${pixels}[]=99&alias=c.c`)).toEqual(refusal("alias", space, pixels));
  });

  // Fails if another version's filter works: an old client would miss that it gets the whole account.
  test.each([
    ["domain", 3, "c"],
    ["space", 1, "a"],
    ["space", 0, "bc"],
    ["pixel", 1, "a"],
  ] as const)(
    "lists are filtered by this version's name of %s only, and repeat the names that they know",
    async (field, id, found) => {
      const started = await start(software);
      const [own, other] = [`${NAMES[software][field]}=${id}`, `${otherName(software, field)}=${id}`];
      expect(await aliases(started, own)).toBe(found);
      expect(await aliases(started, other)).toBe("bca");
      expect(await aliases(started, `${own}&${other}`)).toBe(found);
      const { first } = (await started.rows(`links?${own}&${other}`)).links;
      expect(first).toContain(`?${software === "4.1" ? "" : "search_by=title&"}${own}&`);
      expect(first).not.toContain(other);
    },
  );
});

describe("lists", () => {
  // Fails if a version searches by another parameter than measured.
  test.each([
    ["4.1", "search=b&by=alias", "b"],
    ["4.1", "search=b&search_by=alias", ""],
    ["4.1", "search=b&by=alias&search_by=alias", "b"],
    ["4.9", "search=b&by=alias", ""],
    ["4.9", "search=b&search_by=alias", "b"],
    ["44", "search=a&search_by=nothing", ""],
    ["44", "search=b&search_by=alias", "b"],
    ["44", "search=b&by=alias", ""],
    ["49", "search=b&search_by=alias", "b"],
    ["44", "domain_id=0&pixel_id=0", "bca"],
  ] as const)("on %s with %s list %s", async (software, query, found) => {
    expect(await aliases(await start(software), query)).toBe(found);
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
    ["44", "search=M&search_by=value", "Meta"],
  ] as const)("of pixels on %s with %s: %s", async (software, query, found) => {
    const { rows } = await start(software);
    expect((await rows(`pixels?${query}`)).data.map(({ name }) => name).join("")).toBe(found);
  });
});

// Recordings have the answers to other requests (test/contract).
describe("answers", () => {
  const asked = ({ sandbox }: Started, method: string, path: string, accept: string): ReturnType<typeof send> =>
    send(sandbox.url, path, { method, headers: { accept, authorization: `Bearer ${sandbox.apiKey}` } });

  // Fails if an unknown path below `/api` gets a response of the framework.
  test.each(SOFTWARE)("of %s to an unknown path", async (software) => {
    const unknown = await asked(await start(software), "GET", "/api/v1/nothing", "*/*");
    expect([unknown.status, parse(unknown)]).toEqual([404, { message: "Resource not found.", status: 404 }]);
  });

  // Fails if a delete path has another version's response.
  test.each([
    ["4.1", "GET", 405],
    ["4.1", "POST", 419],
    ["4.9", "GET", 405],
    ["44", "GET", 404],
    ["44", "POST", 419],
    ["49", "GET", 404],
  ] as const)("of %s to %s on the documented delete path: %i", async (software, method, status) => {
    const started = await start(software);
    for (const path of ["/links/1/destroy", "/index.php/pixels/1/destroy"]) {
      const answer = await asked(started, method, path, "application/json");
      expect([answer.status, answer.headers["allow"]]).toEqual([status, status === 405 ? "POST" : undefined]);
      if (status !== 405) expect(parse(answer)).toEqual({ message: status === 404 ? "" : "CSRF token mismatch." });
    }
    expect(started.sandbox.state().links).toHaveLength(3);
  });

  // Fails if the short URL of a shared domain has another version's form.
  test.each([
    ["4.1", "short.example.com/b"],
    ["4.9", "http://short.example.com/b"],
    ["44", "http://short.example.com/b"],
    ["49", "http://short.example.com:PORT/b"],
  ] as const)("of %s have the short URL %s on a shared domain", async (software, shared) => {
    const { get, sandbox } = await start(software);
    const short_url = shared.replace("PORT", String(sandbox.port));
    expect(await get("links/3")).toMatchObject({ data: { short_url } });
  });
});

describe("pixels", () => {
  // Fails if a version accepts or returns the other version's name of X, or if its own name cannot be sent.
  test.each(SOFTWARE)("of %s have its own word for X", async (software) => {
    const { get, post, put, sandbox } = await start(software);
    const [own, other] = software === "4.1" || software === "4.9" ? ["twitter", "x"] : ["x", "twitter"];
    expect(await get("pixels/2")).toMatchObject({ data: { type: own } });
    expect(await post("pixels", `name=N&type=${other}&value=3`)).toEqual(refusal("type"));
    expect(await put("pixels/1", `type=${other}`)).toEqual(refusal("type"));
    expect(await post("pixels", `name=N&type=${own}&value=3`)).toMatchObject({ body: { data: { type: own } } });
    await put("links/1", `pixels[]=3&pixel_ids[]=3`);
    expect(await get("links/1")).toMatchObject({ data: { pixels: [{ id: 3, type: own }] } });
    expect(sandbox.state().pixels[2]?.type).toBe("twitter");
  });
});

describe("plans without a feature", () => {
  // Fails if a plan refuses what it allows on that version, or the reverse.
  test.each([
    ["4.1", "disabled", "disabled=0", 422],
    ["4.1", "expiration", "expiration_clicks=0", 422],
    ["44", "spaces", "space_id=0", 422],
    ["44", "targeting", "country[0][key]=DE&country[0][value]=https://a.b", 422],
    ["49", "expiration", "clicks_limit=0", 422],
    ["49", "spaces", "space_id=0", 422],
    ["49", "stats", "privacy=0", 422],
    ["4.1", "expiration", "expiration_clicks=", 201],
    ["4.1", "spaces", "space=", 201],
    ["4.1", "targeting", "target_type=0", 201],
    ["4.1", "stats", "privacy=0", 201],
    ["44", "targeting", "target_type=0", 201],
    ["49", "spaces", "space_id=", 201],
    ["49", "disabled", "disabled=0", 201],
  ] as const)("%s without %s: a store with %s answers %i", async (software, feature, form, status) => {
    const { post } = await start(software, { seed: { ...SEED, account: { features: { [feature]: 0 } } } });
    const answer = await post("links", `${NEW}&domain=2&domain_id=2&${form}`);
    if (status === 201) expect(answer.status).toBe(201);
    else expect(answer).toEqual(refusal(/^\w+/.exec(form)?.[0] ?? ""));
  });
});
