// Version 49 has another interface for half of a link's fields, as measured on it.
import { describe, expect, test } from "vitest";
import type { SandboxOptions } from "../../src/sandbox/index.ts";
import { refusal, type SeedLink, start as startWith, type Started } from "./client.ts";

const DE = { key: "DE", value: "https://example.com/de" };
const FR = { key: "FR", value: "https://example.com/fr" };
const LINK = { url: "https://example.com/", domain: 2, alias: "a", title: null };
const NEW = "url=https://example.com/&domain_id=2&alias=new";
const START = "active_period_start_at";
const END = "active_period_end_at";

interface Started49 extends Started {
  /** The link as the service returns it. */
  readonly shown: () => Promise<unknown>;
  readonly change: (form: string) => Promise<void>;
}

async function start(link: Partial<SeedLink> = {}, options: SandboxOptions = {}): Promise<Started49> {
  const started = await startWith({ software: "49", seed: { links: [{ ...LINK, ...link }] }, ...options });
  return {
    ...started,
    shown: async () => {
      const body = await started.get("links/1");
      return typeof body === "object" && body !== null && "data" in body ? body.data : body;
    },
    change: async (form) => expect([form, (await started.put("links/1", form)).status]).toEqual([form, 200]),
  };
}

const target = (at: number, key: string, value: string): string =>
  `targets[${at}][key]=${key}&targets[${at}][value]=${value}`;

describe("a link of 49", () => {
  // Fails if `password` still protects the link: a client of an older version leaves it open without noticing.
  test("takes `password` for the statistics, and leaves the link open", async () => {
    const { stored, shown, change } = await start({ password: null });
    await change("password=secret");
    expect(stored()).toMatchObject({ password: null, privacy_password: "secret" });
    expect(await shown()).toMatchObject({ password: true, redirect_password: false });
    await change("redirect_password=other");
    expect(stored()).toMatchObject({ password: "other", privacy_password: "secret" });
    await change("password=");
    expect(await shown()).toMatchObject({ password: false, redirect_password: true });
  });

  // Fails if a name of an older version is refused, or has an effect: that would hide a client that still sends it.
  test.each([
    "privacy_password=p&disabled=1&expiration_clicks=5&target_type=1",
    "expiration_date=2027-01-01&expiration_time=10:00",
    "disabled=maybe&expiration_date=soon&expiration_clicks=-1&target_type=9",
    "country[0][key]=XX&country[0][value]=nothing&platform=&language[]=&rotation[0]=x",
    "space=99&pixels[]=99&domain=3&domain_id=3",
  ])("ignores %s", async (form) => {
    const { stored, change, sandbox, post } = await start();
    const before = sandbox.state();
    await change(form);
    expect(sandbox.state()).toEqual(before);
    expect((await post("links", `${NEW}&${form.replace(/&domain_id=3/, "")}`)).status).toBe(201);
    expect(stored(2)).toMatchObject({ disabled: 0, ends_at: null, target_type: 0, country: null, space: null });
  });

  // Fails if a field of 49 cannot be set, cleared, or read back. Recordings have the passwords and the limit of clicks.
  test.each([
    ["clicks_limit=0", { expiration_clicks: 0 }, { clicks_limit: 0 }],
    ["sensitive_content=1", { sensitive: 1 }, { sensitive_content: 1 }],
    ["sensitive_content=0", { sensitive: 0 }, { sensitive_content: 0 }],
    ["sensitive_content=", { sensitive: null }, { sensitive_content: null }],
  ])("%s", async (form, state, view) => {
    const { stored, shown, change } = await start({ password: "before", expiration_clicks: 3, sensitive: 1 });
    const before = stored();
    await change(form);
    expect({ ...stored(), updated_at: "" }).toEqual({ ...before, ...state, updated_at: "" });
    expect(await shown()).toMatchObject(view);
  });

  // Fails if an unknown domain is refused as in older versions, or if a missing one is accepted.
  test("is not stored on an unknown domain: 404", async () => {
    const { sandbox, post } = await start();
    expect(await post("links", "url=https://example.com/&domain_id=99")).toEqual({
      status: 404,
      body: { message: expect.stringMatching(/^No query results for model/) },
    });
    expect(await post("links", "url=https://example.com/")).toEqual(refusal("domain_id"));
    expect(sandbox.state().links).toHaveLength(1);
  });
});

// Fails if one of these is stored, or refused under another name.
test.each([
  [`redirect_password=${"p".repeat(129)}`, "redirect_password"],
  ["privacy=2&password=", "password"],
  ["clicks_limit=1000000000", "clicks_limit"],
  ["clicks_limit=many", "clicks_limit"],
  ["sensitive_content=2", "sensitive_content"],
  ["space_id=99", "space_id"],
  ["pixel_ids[]=99", "pixel_ids"],
  [`${START}=2027-01-01`, START],
  [`${START}=2027-02-01&${END}=2027-01-01`, START],
  ["targets_type=country", "targets_type"],
  ["targets_type=countries&targets[2][key]=DE", "targets.2.value"],
  ["targets_type=countries&targets[2][value]=https://a.b", "targets.2.key"],
  [target(0, "DE", "nothing"), "targets.0.value"],
  ["targets=DE", "targets"],
])("an update refuses %s", async (form, field) => {
  const { put, sandbox } = await start();
  const before = sandbox.state();
  expect(await put("links/1", form)).toEqual(refusal(field));
  expect(sandbox.state()).toEqual(before);
});

describe("an active period", () => {
  const both = (from: string, to: string): string =>
    `${START}=${encodeURIComponent(from)}&${END}=${encodeURIComponent(to)}`;

  // Fails if a form of an instant is refused, or read in the wrong zone.
  test.each([
    ["2027-03-01 10:00", "2027-03-01T15:00:00.000000Z"],
    ["2027-03-31 10:00", "2027-03-31T14:00:00.000000Z"],
    ["2027-03-31", "2027-03-31T04:00:00.000000Z"],
    ["2027-03-31 10:00:30", "2027-03-31T14:00:30.000000Z"],
    ["2027-03-31 10:00Z", "2027-03-31T10:00:00.000000Z"],
    ["2027-03-31T10:00:00Z", "2027-03-31T10:00:00.000000Z"],
    ["2027-03-31T10:00:00+02:00", "2027-03-31T08:00:00.000000Z"],
    ["1970-01-02 00:00", "1970-01-02T05:00:00.000000Z"],
  ])("from %s is entered in the account's zone and returned in UTC", async (from, instant) => {
    const { stored, shown, change } = await start({}, { timezone: "America/New_York" });
    await change(both(from, "2037-12-30 23:59"));
    expect(await shown()).toMatchObject({ [START]: instant, [END]: "2037-12-31T04:59:00.000000Z" });
    expect(stored()).toMatchObject({ starts_at: instant.replace("000000Z", "000Z"), ends_at: expect.any(String) });
  });

  // Fails if half a period is accepted or refused differently than measured, or if the order of its ends does not matter.
  test.each([
    [`${START}=2027-01-01`, 422, 422],
    [`${END}=2027-01-01`, 422, 200],
    [both("2027-01-01", "2027-02-01"), 201, 200],
    [both("2027-02-01", "2027-01-01"), 422, 422],
    [both("2027-01-01", "2027-01-01"), 422, 422],
    [both("2027-01-01 10:00Z", "2027-01-01 10:30+02:00"), 422, 422],
    [both("12:00", "2027-01-01"), 422, 422],
    [both("2027-02-30", "2027-03-01"), 422, 422],
    [both("", ""), 201, 200],
    [both("1969-12-31 10:00", "2027-01-01"), 500, 500],
    [both("2027-01-01", "2038-01-01"), 500, 500],
    [both("2027-01-01", "2037-12-31 23:59"), 201, 200],
  ])("%s: a store answers %i, an update %i", async (form, store, update) => {
    const { post, put } = await start();
    expect((await post("links", `${NEW}&${form}`)).status).toBe(store);
    expect((await put("links/1", form)).status).toBe(update);
  });

  // Fails if clearing one end clears the other, or clears nothing.
  test.each([
    [both("", ""), {}],
    [`${START}=`, { ends_at: "2027-02-01T00:00:00.000Z" }],
    [`${END}=`, { starts_at: "2027-01-01T00:00:00.000Z" }],
  ])("%s clears", async (form, left) => {
    const { stored, change } = await start({ starts_at: "2027-01-01T00:00:00Z", ends_at: "2027-02-01T00:00:00Z" });
    const none = { ...stored(), starts_at: null, ends_at: null };
    await change(form);
    expect({ ...stored(), updated_at: "" }).toEqual({ ...none, updated_at: "", ...left });
  });
});

describe("targets", () => {
  // Fails if a type has another name. Recordings have the groups of older versions.
  test.each([
    ["continents", 5, "continent", "EU"],
    ["browsers", 6, "browser", "Maxtho"],
    ["devices", 7, "device", "television"],
  ])("of the type %s", async (type, number, group, key) => {
    const { stored, shown, change } = await start();
    await change(`targets_type=${type}&${target(0, key, DE.value)}`);
    expect(stored()).toMatchObject({ target_type: number, [group]: [{ key, value: DE.value }] });
    expect(await shown()).toMatchObject({ targets_type: type, targets: [{ key, value: DE.value }] });
  });

  // Fails if a key is accepted that the service refuses.
  test.each([
    ["countries", "CW"],
    ["countries", "DD"],
    ["countries", "de"],
    ["operating_systems", "ios"],
    ["languages", "ae"],
    ["continents", "Europe"],
    ["browsers", "Maxthon"],
    ["devices", "Desktop"],
  ])("of %s refuse the key %s, if the type is sent with it", async (type, key) => {
    const { stored, change, put } = await start({ target_type: 1, country: [DE] });
    expect(await put("links/1", `targets_type=${type}&${target(0, key, DE.value)}`)).toEqual(refusal("targets.0.key"));
    await change(target(0, key, DE.value));
    expect(stored()?.country).toEqual([{ key, value: DE.value }]);
  });

  // Fails if more than a hundred entries are stored, or a hundred are refused.
  test("hold a hundred entries", async () => {
    const { stored, change, put } = await start();
    const entries = (count: number): string =>
      Array.from({ length: count }, (_, at) => target(at, "DE", "https://a.b")).join("&");
    await change(`targets_type=countries&${entries(100)}`);
    expect(await put("links/1", `targets_type=countries&${entries(101)}`)).toEqual(refusal("targets"));
    expect(stored()?.country).toHaveLength(100);
  });

  // Fails if a way of clearing breaks, leaves entries, or clears the type too.
  test.each(["targets=", "targets[0][key]=&targets[0][value]="])("are cleared by %s", async (form) => {
    const { stored, shown, change } = await start({ target_type: 1, country: [DE] });
    await change(form);
    expect(await shown()).toMatchObject({ targets_type: "countries", targets: [] });
    await change("targets_type=");
    expect(await shown()).toMatchObject({ targets_type: null, targets: [] });
    expect(stored()).toMatchObject({ target_type: 0, country: [] });
  });

  // Fails if entries are lost without their type, which stays as stored.
  test("stay when only the type changes", async () => {
    const { stored, shown, change } = await start({ target_type: 1, country: [DE] });
    await change("targets_type=");
    expect(await shown()).toMatchObject({ targets_type: null, targets: [DE] });
    await change("targets_type=languages");
    expect(await shown()).toMatchObject({ targets_type: "languages", targets: [DE] });
    expect(stored()?.targets).toBeNull();
  });

  // Fails if 49 shows an inactive group that an older version stored, or if another write drops it.
  test("show only the active group of a link of an older version", async () => {
    const { stored, shown, change } = await start({
      target_type: 3,
      country: [DE],
      language: [{ key: "fr", value: FR.value }],
    });
    const link = await shown();
    expect(link).toMatchObject({ targets_type: "languages", targets: [{ key: "fr", value: FR.value }] });
    await change("alias=other");
    expect(stored()?.country).toEqual([DE]);
    await change("targets=");
    expect(stored()).toMatchObject({ target_type: 3, country: null, language: [] });
  });

  // Fails if inactive groups are shown as active.
  test("show nothing of a link without an active group", async () => {
    const { shown } = await start({ target_type: 0, country: [DE] });
    expect(await shown()).toMatchObject({ targets_type: null, targets: null });
  });
});
