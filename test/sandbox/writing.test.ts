// The effects of writes on links and pixels (docs/service.md, "Writing" and "Clearing a field"), case by case.
import { describe, expect, test } from "vitest";
import { type SandboxOptions, type SeedState, SOFTWARE, startSandbox } from "../../src/sandbox/index.ts";
import { DIFFERENT, SAME } from "../support/folding.ts";
import { NAMES, refusal, SERVER_ERROR, start as startWith, type Started, UNTIL_44 } from "./client.ts";

const PAIR = { key: "DE", value: "https://example.com/de" };
const FULL = {
  url: "https://example.com/full",
  domain: 2,
  alias: "full",
  title: "A title",
  password: "secret",
  space: 1,
  pixels: [1, 2],
  disabled: 1,
  privacy: 2,
  privacy_password: "stats",
  expiration_url: "https://example.com/over",
  ends_at: "2027-03-01T09:30:00.000Z",
  expiration_clicks: 500,
  target_type: 1,
  country: [PAIR],
  rotation: [{ value: "https://example.com/r" }],
} as const;
const SEED: SeedState = {
  pixels: [
    { name: "Meta", type: "facebook", value: "1" },
    { name: "Bing", type: "bing", value: "2" },
  ],
  links: [FULL],
};

const STORE = "url=https://example.com/&alias=new";
const NEW = `${STORE}&domain=2`;

const start = (options: SandboxOptions = {}): Promise<Started> => startWith({ seed: SEED, ...options });

describe.each(UNTIL_44)("on %s an update", (software) => {
  const { domain, space, pixels } = NAMES[software];

  // Fails if a way of clearing does nothing, clears something else too, or if an omitted field changes. Recordings have the plain ways.
  test.each([
    ["disabled=0", { disabled: 0 }],
    [`${space}=0`, { space: null }],
    ["expiration_date=", {}],
    ["expiration_clicks=0", { expiration_clicks: 0 }],
    ["target_type=", { target_type: null }],
    ["target_type=4", { target_type: 4 }],
    ["country[0][key]=&country[0][value]=", { country: [] }],
    [`country[5][key]=DE&country[5][value]=${PAIR.value}`, { country: [PAIR] }],
    ["platform[0][key]=iOS&platform[0][value]=https://i.b", { platform: [{ key: "iOS", value: "https://i.b" }] }],
    ["rotation[0][value]=", { rotation: [] }],
    [`${pixels}[]=2`, { pixels: [2] }],
    [`${pixels}[]=99&${pixels}[]=2`, { pixels: [2] }],
    ["url=https://example.com/other", { url: "https://example.com/other", title: null }],
    ["domain=3&domain_id=3&unknown=1&id=9", {}],
    ["", {}],
  ])("%s", async (form, change) => {
    const { put, stored } = await start({ software });
    const before = stored();
    expect((await put("links/1", form)).status).toBe(200);
    expect({ ...stored(), updated_at: "" }).toEqual({ ...before, ...change, updated_at: "" });
  });

  // Fails if a value that the service refuses is stored, or if the error names another field.
  test.each([
    ["url=", "url"],
    ["url[]=https://example.com/", "url"],
    ["alias=", "alias"],
    [`alias=${"a".repeat(256)}`, "alias"],
    [`password=${"p".repeat(129)}`, "password"],
    ["privacy=2&privacy_password=", "privacy_password"],
    ["privacy=3", "privacy"],
    ["disabled=false", "disabled"],
    ["disabled=2", "disabled"],
    [`${space}=99`, space],
    ["expiration_date=2027-01-01", "expiration_time"],
    ["expiration_date=&expiration_time=12:00", "expiration_date"],
    ["expiration_date=2027-02-30&expiration_time=12:00", "expiration_date"],
    ["expiration_date=2027-1-1&expiration_time=1:00", "expiration_date", "expiration_time"],
    ["expiration_date=2027-01-01&expiration_time=24:00", "expiration_time"],
    ["expiration_clicks=1000000000", "expiration_clicks"],
    ["expiration_clicks=-1", "expiration_clicks"],
    ["expiration_url=mailto:a@example.com", "expiration_url"],
    ["country[0][key]=DE", "country.0.value"],
    ["country[0][value]=https://example.com/", "country.0.key"],
    ["country[3][key]=DE&country[3][value]=nothing", "country.3.value"],
    ["platform[0][key]=ios&platform[0][value]=https://example.com/", "platform.0.key"],
    ["rotation[0][value]=nothing", "rotation.0.value"],
    [`${pixels}[]=99`, pixels],
  ])("%s is refused", async (form, ...fields) => {
    const { put, sandbox } = await start({ software });
    const before = sandbox.state();
    expect(await put("links/1", form)).toEqual(refusal(...fields));
    expect(sandbox.state()).toEqual(before);
  });

  // Fails if input that breaks the service gets a proper error, or has an effect.
  test.each([
    "privacy=",
    "disabled=",
    "country=",
    "country=DE",
    "country[0]=DE",
    "rotation=",
    "rotation[0]=https://example.com/",
    "expiration_date=1969-12-31&expiration_time=23:59",
    "expiration_date=2038-01-19&expiration_time=03:15",
  ])("or a store with %s is a 500 and saves nothing", async (form) => {
    const { post, put, sandbox } = await start({ software });
    const before = sandbox.state();
    expect(await put("links/1", `alias=renamed&${form}`)).toEqual(SERVER_ERROR);
    expect(await post("links", `${STORE}&${domain}=2&${form}`)).toEqual(SERVER_ERROR);
    expect(sandbox.state()).toEqual(before);
  });

  // Fails if the rest is not saved: a client must not treat a 500 as "nothing happened".
  test("over pixels without brackets is a 500 after the rest was saved", async () => {
    const { post, put, stored } = await start({ software });
    for (const form of [`alias=renamed&${pixels}=`, `alias=again&${pixels}=1`]) {
      expect(await put("links/1", form)).toEqual(SERVER_ERROR);
      expect(stored()).toMatchObject({ alias: /=(\w+)/.exec(form)?.[1], pixels: [1, 2] });
    }
    expect(await post("links", `${STORE}&${domain}=2&${pixels}=1`)).toEqual(SERVER_ERROR);
    expect(stored(2)).toBeUndefined();
    expect(await post("links", `${STORE}&${domain}=2&${pixels}=`)).toEqual(SERVER_ERROR);
    expect(stored(2)).toMatchObject({ alias: "new", pixels: [] });
  });
});

// Fails if the sandbox accepts a code that the service refuses, or the reverse.
test.each([
  ["4.1", "country", "AN CS DD DE FX ZZ", "CW SS SX XK UK EU"],
  ["4.9", "country", "AN CS DE FX ZZ", "CW SS SX XK UK EU DD"],
  ["44", "country", "AN CS DE FX ZZ", "CW SS SX XK UK EU DD"],
  ["4.1", "language", "ae bh de", "cn mo sh DE fil"],
  ["4.9", "language", "bh cn de mo sh", "ae DE fil"],
  ["44", "language", "bh cn de mo sh", "ae DE fil pt-br zh-CN"],
  ["44", "platform", "iOS Android Windows Linux Ubuntu", "ios OSX Windows95"],
] as const)(
  "version %s accepts the measured codes of the group %s, and no others",
  async (software, group, good, bad) => {
    const { put } = await start({ software });
    const statuses = async (codes: string): Promise<string[]> => {
      const found: string[] = [];
      for (const code of codes.split(" ")) {
        const form = `${group}[0][key]=${code}&${group}[0][value]=https://example.com/`;
        found.push(`${code} ${(await put("links/1", form)).status}`);
      }
      return found;
    };
    expect(await statuses(good)).toEqual(good.split(" ").map((code) => `${code} 200`));
    expect(await statuses(bad)).toEqual(bad.split(" ").map((code) => `${code} 422`));
  },
);

describe("a target group", () => {
  const pair = (at: number, key: string, value: string): string =>
    `country[${at}][key]=${key}&country[${at}][value]=${value}`;

  // Fails if groups are merged instead of replaced, duplicates are dropped, or another target type clears the group.
  test("is replaced as a whole, keeps duplicates, and is kept with any target type", async () => {
    const { put, stored } = await start();
    const twice = [0, 1].map((at) => ({ key: "FR", value: `https://example.com/${at}` }));
    await put("links/1", `target_type=4&${twice.map(({ key, value }, at) => pair(at, key, value)).join("&")}`);
    expect(stored()?.country).toEqual(twice);
  });

  // Fails if 64 KB of JSON are not counted in bytes as PHP writes them (a slash takes two).
  test("of more than 64 KB is a 500", async () => {
    const { put } = await start();
    const entries = (count: number): string =>
      Array.from({ length: count }, (_, at) => `rotation[${at}][value]=https://example.com/${"/".repeat(480)}`).join(
        "&",
      );
    expect((await put("links/1", entries(64))).status).toBe(200);
    expect(await put("links/1", entries(66))).toEqual(SERVER_ERROR);
  });

  // Fails if the 1,001st variable still counts, or if its loss is an error.
  test("that makes a form of more than 1,000 variables is truncated silently", async () => {
    const { put, stored } = await start();
    const entries = Array.from({ length: 1200 }, (_, at) => `rotation[${at}][value]=http://a.b`).join("&");
    expect((await put("links/1", `${entries}&alias=dropped`)).status).toBe(200);
    expect(stored()?.rotation).toHaveLength(1000);
    expect(stored()?.alias).toBe("full");
  });

  // Fails if a group sent without its type is refused, or sets the type.
  test("can be stored without target_type", async () => {
    const { post, stored } = await start();
    await post("links", `${NEW}&${pair(0, "DE", PAIR.value)}`);
    expect(stored(2)).toMatchObject({ target_type: 0, country: [PAIR], platform: null });
  });
});

describe("a store", () => {
  // Fails if an absent or empty alias is refused, or two random ones are equal.
  test("without an alias makes one of five characters", async () => {
    const { post, stored } = await start();
    await post("links", "url=https://example.com/&domain=2");
    await post("links", "url=https://example.com/&domain=2&alias=");
    const aliases = [stored(2)?.alias, stored(3)?.alias];
    expect(aliases).toEqual([expect.stringMatching(/^[a-z0-9]{5}$/), expect.stringMatching(/^[a-z0-9]{5}$/)]);
    expect(aliases[0]).not.toBe(aliases[1]);
  });

  // Fails if a password is trimmed, or another text is not.
  test("trims everything but the password", async () => {
    const { post, stored } = await start();
    await post("links", "url= https://example.com/ &domain=2&alias= x &password= p &privacy_password= q ");
    const trimmed = { url: "https://example.com/", alias: "x", privacy_password: "q" };
    expect(stored(2)).toMatchObject({ ...trimmed, password: " p " });
  });

  // Fails if a destination of the longest length is refused or changed. Forms of addresses: test/contract/addresses.test.ts.
  test("takes a destination of 2,048 characters, and no longer one", async () => {
    const { post, stored } = await start();
    const url = `https://example.com/${"x".repeat(2028)}`;
    expect(await post("links", `url=${url}x&domain=2`)).toEqual(refusal("url"));
    expect((await post("links", `url=${url}&domain=2&alias=new`)).status).toBe(201);
    expect(stored(2)?.url).toBe(url);
  });

  // Fails if a limit of the plan has no effect, or names another field than the recorded one.
  test("beyond the plan is refused on the url", async () => {
    const { post } = await start({ seed: { ...SEED, account: { features: { links: 1 } } } });
    const body = { message: { url: ["You shortened too many links."] }, status: 422 };
    expect(await post("links", NEW)).toEqual({ status: 422, body });
  });

  // Fails if a plan without API access gets another error than the application's own.
  test("without the feature api is forbidden", async () => {
    const { post } = await start({ seed: { account: { features: { api: 0 } } } });
    const body = { message: "You don't have access to this feature.", status: 403 };
    expect(await post("links", NEW)).toEqual({ status: 403, body });
  });
});

describe("a pixel", () => {
  // Fails if a rule for pixels is missing or stricter than observed, or holds on some versions only.
  const RULES: readonly (readonly [string, string | null])[] = [
    ["name=A&type=bing&value=1", null],
    [`name=${"n".repeat(32)}&type=bing&value=1`, null],
    [`name=${"n".repeat(33)}&type=bing&value=1`, "name"],
    ["name=A&type=Bing&value=1", "type"],
    ["name=A&type=bing&value=a.b", "value"],
    [`name=A&type=bing&value=${"1".repeat(256)}`, "value"],
    ["name=A&type=adroll&value=abc", "value"],
    ["name=A&type=adroll&value=a-ü_1", null],
    ["type=bing&value=1", "name"],
  ];
  describe.each(SOFTWARE)("on %s", (software) => {
    test.each(RULES)("stored as %s: the service refuses %j", async (form, field) => {
      const { post } = await start({ software });
      const answer = await post("pixels", form);
      if (field === null) expect(answer.status).toBe(201);
      else expect(answer).toEqual(refusal(field));
    });
  });

  // Fails if links lose a renamed pixel, or keep a deleted one.
  test("keeps its links when renamed, leaves them when deleted", async () => {
    const { get, put, delete: remove } = await start();
    await put("pixels/1", "name=Renamed");
    expect(await get("links/1")).toMatchObject({ data: { pixels: [{ id: 1, name: "Renamed" }, { id: 2 }] } });
    await remove("pixels/1");
    expect(await get("links/1")).toMatchObject({ data: { pixels: [{ id: 2, pivot: { link_id: 1, pixel_id: 2 } }] } });
  });
});

// docs/service.md, "Dates and time zones": expirations are sent in the account's zone and returned in UTC.
describe.each(UNTIL_44)("expiry on %s", (software) => {
  const when = (date: string, time: string): string =>
    `url=https://example.com/&${NAMES[software].domain}=2&expiration_date=${date}&expiration_time=${time}`;

  // Fails if the zone is ignored, if a time that the spring change skips does not move forward, or if one that the autumn change repeats is
  // not stored as measured: the second one in the east, the first in New York.
  test.each([
    ["Europe/Berlin", "2027-01-15", "12:00", "2027-01-15T11:00"],
    ["Europe/Berlin", "2027-07-15", "12:00", "2027-07-15T10:00"],
    ["Europe/Berlin", "2027-03-28", "02:30", "2027-03-28T01:30"],
    ["Europe/Berlin", "2027-03-28", "03:00", "2027-03-28T01:00"],
    ["Europe/Berlin", "2027-10-31", "02:00", "2027-10-31T01:00"],
    ["Europe/Berlin", "2027-10-31", "03:00", "2027-10-31T02:00"],
    ["Australia/Lord_Howe", "2027-10-03", "02:15", "2027-10-02T15:45"],
    ["Europe/London", "2027-10-31", "01:30", "2027-10-31T01:30"],
    ["Europe/Athens", "2027-10-31", "03:30", "2027-10-31T01:30"],
    ["Australia/Sydney", "2027-04-04", "02:30", "2027-04-03T16:30"],
    ["America/New_York", "2027-03-14", "02:30", "2027-03-14T07:30"],
    ["America/New_York", "2027-11-07", "01:30", "2027-11-07T05:30"],
    ["America/New_York", "2027-11-07", "02:00", "2027-11-07T07:00"],
    ["Pacific/Kiritimati", "2027-01-01", "00:00", "2026-12-31T10:00"],
    ["UTC", "1970-01-01", "00:00", "1970-01-01T00:00"],
    ["UTC", "2038-01-19", "03:14", "2038-01-19T03:14"],
  ])("%s %s %s", async (timezone, date, time, minute) => {
    const { get, post } = await startWith({ timezone, software });
    const shown = { data: { ends_at: `${minute}:00.000000Z` } };
    expect(await post("links", when(date, time))).toMatchObject({ status: 201, body: shown });
    expect(await get("links/1")).toMatchObject(shown);
  });

  // Fails if a date outside the range of the column is stored, or refused as invalid input.
  test.each([
    ["UTC", "1969-12-31", "23:59"],
    ["Europe/Berlin", "1970-01-01", "00:30"],
    ["UTC", "2038-01-19", "03:15"],
    ["America/New_York", "2038-01-19", "23:59"],
  ])("%s %s %s is a 500", async (timezone, date, time) => {
    const { post, stored } = await startWith({ timezone, software });
    expect(await post("links", when(date, time))).toEqual(SERVER_ERROR);
    expect(stored()).toBeUndefined();
  });
});

// Fails if an unknown zone counts as UTC.
test.each([
  [{ timezone: "Europe/Nowhere" }, '"Europe/Nowhere" is not a known time zone.'],
  [{ seed: { account: { timezone: "Nowhere" } } }, "seed: account.timezone: This is not a known time zone."],
])("the unknown zone of %j does not start", async (options, message) => {
  await expect(startSandbox(options)).rejects.toThrow(message);
});

// docs/service.md, "Case and accents": aliases and names that are the same to the service.
async function storeBoth(first: string, second: string): Promise<Started & { statuses: number[] }> {
  const started = await startWith();
  const store = async (alias: string): Promise<number> =>
    (await started.post("links", `url=https://example.com/&domain=2&alias=${alias}`)).status;
  return { ...started, statuses: [await store(first), await store(second)] };
}

// Fails if a pair counts as different: a client could then create what the service refuses as taken.
test.each(SAME)("%s and %s are one alias", async (first, second) => {
  expect((await storeBoth(first, second)).statuses).toEqual([201, 422]);
});

// Fails if a pair counts as equal: plain NFKD without marks does so for й, ї and ў.
test.each(DIFFERENT)("%s and %s are two aliases", async (first, second) => {
  expect((await storeBoth(first, second)).statuses).toEqual([201, 201]);
});

// Fails if aliases must be unique in the account and not only in the domain.
test("one alias can be taken once on every domain", async () => {
  const { post } = await storeBoth("sale", "sale");
  expect((await post("links", "url=https://example.com/&domain=3&alias=SALE")).status).toBe(201);
});

// Fails if a rename does not free the old alias, accepts a taken one, or is refused its own alias in another case.
test("a rename frees the old alias and respects the others", async () => {
  const { put } = await storeBoth("first", "second");
  expect((await put("links/1", "alias=SECOND")).status).toBe(422);
  expect((await put("links/1", "alias=FIRST")).status).toBe(200);
  expect((await put("links/1", "alias=third")).status).toBe(200);
  expect((await put("links/2", "alias=first")).status).toBe(200);
});

// Fails if pixel names are compared exactly, or if inner spaces are collapsed.
test("pixel names fold too, and keep their inner spaces", async () => {
  const { post, sandbox } = await startWith();
  const store = async (name: string): Promise<number> =>
    (await post("pixels", `name=${name}&type=bing&value=1`)).status;
  expect(await store(" Großer  Pixel ")).toBe(201);
  expect(await store("grosser  pixel")).toBe(422);
  expect(await store("grosser pixel")).toBe(201);
  expect(sandbox.state().pixels.map(({ name }) => name)).toEqual(["Großer  Pixel", "grosser pixel"]);
});
