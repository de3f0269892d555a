// Reading rows: unknown fields are ignored, missing ones stay unknown, wrong ones are an error; nothing is guessed.

import { describe, expect, test } from "vitest";
import type { LiveRow } from "../../src/domain/live.ts";
import { FIELDS, type ResourceKind } from "../../src/domain/table.ts";
import { ServiceError } from "../../src/errors.ts";
import { decodeRow } from "../../src/service/wire.ts";
import { linkRow } from "./server.ts";

const PIXEL_ROW = {
  id: 3,
  name: "Meta main",
  type: "facebook",
  value: "12",
  created_at: "2026-11-20T23:13:39.000000Z",
};

function link(fields: Readonly<Record<string, unknown>>): LiveRow {
  return decodeRow("link", linkRow(5, fields));
}

/** What a row with these fields is refused for. */
function refusalOf(fields: Readonly<Record<string, unknown>>, kind: ResourceKind = "link"): string {
  try {
    decodeRow(kind, { ...(kind === "link" ? linkRow(5) : PIXEL_ROW), ...fields });
  } catch (cause) {
    if (cause instanceof ServiceError && cause.code === "shape") return cause.message;
    throw cause;
  }
  return "nothing";
}

test("a plain link", () => {
  const row = link({});
  expect({ ...row, values: Object.fromEntries(row.values), references: Object.fromEntries(row.references) }).toEqual({
    kind: "link",
    id: 5,
    clicks: 7,
    createdAt: null,
    updatedAt: null,
    title: null,
    values: {
      url: "https://example.com/5",
      alias: "alias-5",
      password: false,
      disabled: false,
      privacy: "public",
      privacy_password: false,
      "expiration.date": null,
      "expiration.clicks": null,
      "expiration.url": null,
      "targeting.active": "none",
      "targeting.country": [],
      "targeting.platform": [],
      "targeting.language": [],
      "targeting.rotation": [],
    },
    references: { domain: [{ id: 2, name: "go.example.test" }], space: [], pixels: [] },
  });
});

// Fails when a form of this date that nobody has seen keeps an account from being read.
test.each([
  ["2026-11-20T23:13:39.000000Z", "2026-11-20T23:13:39Z"],
  ["2026-11-21T01:13:39+02:00", "2026-11-20T23:13:39Z"],
  ["2026-11-20 23:13:20", null],
  ["", null],
  [1_795_216_419, null],
  [null, null],
])("written at %j: %j", (updated_at, instant) => {
  expect(link({ updated_at }).updatedAt).toBe(instant);
});

test("fields that nobody knows are ignored", () => {
  expect(link({ folder: { id: 1 }, __proto: 5, deep_link: [[]] })).toEqual(link({}));
});

// Fails when a missing field comes out as its default: a plan would then believe that a link has no password.
describe.each(["link", "pixel"] as const)("%s", (kind) => {
  const full = kind === "link" ? linkRow(5) : PIXEL_ROW;
  const identity = kind === "link" ? ["alias", "domain"] : ["name"];
  const others = FIELDS[kind].filter(({ path }) => !identity.includes(path));

  test.each(others)("without $returned: unknown", ({ path, returned }) => {
    const row = decodeRow(kind, { ...full, [returned]: undefined });
    expect([row.values.has(path), row.references.has(path)]).toEqual([false, false]);
    expect(row.values.size + row.references.size).toBe(FIELDS[kind].length - 1);
  });

  // Fails when a row that can't be told from others is believed: nothing would match it, so all would be made anew.
  test.each(identity)("without %s it is no row", (returned) => {
    expect(refusalOf({ [returned]: undefined }, kind)).toBe(
      `The service's form of \`${returned}\` of ${kind} ${kind === "link" ? 5 : 3} is not understood: it is missing.`,
    );
  });
});

test.each(["disabled", "privacy", "target_type", "pixels"])("%s that is null is unknown", (returned) => {
  const row = link({ [returned]: null });
  expect(row.values.size + row.references.size).toBe(FIELDS.link.length - 1);
});

test.each<[string, unknown, unknown]>([
  ["url", "", ""],
  ["expiration_url", "", null],
  ["expiration_url", null, null],
  ["password", true, true],
  ["disabled", 1, true],
  ["disabled", "1", true],
  ["disabled", "0", false],
  ["disabled", false, false],
  ["privacy", 2, "password"],
  ["privacy", "1", "private"],
  // A value of a later version is kept, and equals nothing that a file can say.
  ["privacy", 9, "9"],
  ["target_type", 3, "language"],
  ["target_type", 7, "7"],
  ["target_type", "device", "device"],
  ["target_type", "constructor", "constructor"],
  ["expiration_clicks", null, null],
  ["expiration_clicks", 0, null],
  ["expiration_clicks", "0", null],
  ["expiration_clicks", 500, 500],
  ["expiration_clicks", "500", 500],
  ["ends_at", "2027-03-01T09:30:00.000000Z", "2027-03-01T09:30:00Z"],
  ["ends_at", "2027-03-01T09:30:00Z", "2027-03-01T09:30:00Z"],
  ["ends_at", "2027-03-01T10:30:00+01:00", "2027-03-01T09:30:00Z"],
  ["country_target", null, []],
  ["country_target", [], []],
  ["country_target", {}, []],
  [
    "country_target",
    [
      { key: "US", value: "u" },
      { key: "DE", value: "d", extra: 1 },
    ],
    [
      ["DE", "d"],
      ["US", "u"],
    ],
  ],
  // Written with an empty entry first it comes back as an object; a gap of ten shows that it is ordered by number.
  ["country_target", { "1": { key: "DE", value: "d" } }, [["DE", "d"]]],
  ["rotation_target", { "10": { value: "b" }, "2": { value: "a" } }, ["a", "b"]],
  // The order is the meaning, and the same destination may stand in it twice.
  ["rotation_target", [{ value: "b" }, { value: "a" }, { value: "b" }], ["b", "a", "b"]],
])("%s %j is read as %j", (returned, raw, value) => {
  const row = FIELDS.link.find((field) => field.returned === returned);
  expect(link({ [returned]: raw }).values.get(row?.path ?? "")).toEqual(value);
});

test("references keep id and name, none is an empty list, and pixels may come by index", () => {
  const named = { id: 4, name: "Sales", user_id: 2, color: 1 };
  const row = link({ space: named, pixels: { "1": named, "0": { ...named, id: 9, name: "Meta" } }, domain: named });
  expect(Object.fromEntries(row.references)).toEqual({
    space: [{ id: 4, name: "Sales" }],
    pixels: [
      { id: 9, name: "Meta" },
      { id: 4, name: "Sales" },
    ],
    domain: [{ id: 4, name: "Sales" }],
  });
  expect([...(link({ space: null }).references.get("space") ?? ["missing"])]).toEqual([]);
});

test("a link without a domain has no key: that is an error, not a link that matches nothing", () => {
  expect(() => link({ domain: null })).toThrow("`domain` of link");
});

test.each([
  [0, 0],
  ["12", 12],
  [null, null],
  [undefined, null],
])("clicks %j are %j", (clicks, read) => {
  expect(link({ clicks }).clicks).toBe(read);
});

// Fails when a value that means nothing is read as something, and when the message does not say which it was.
test.each<[string, unknown, string]>([
  ["url", null, "null"],
  ["url", 5, "5"],
  ["expiration_url", ["x"], "a list of 1"],
  ["disabled", 2, "2"],
  ["disabled", "yes", '"yes"'],
  ["privacy", {}, "an empty object"],
  ["privacy", [], "a list of 0"],
  ["expiration_clicks", -1, "-1"],
  ["expiration_clicks", 1.5, "1.5"],
  ["expiration_clicks", "many", '"many"'],
  ["ends_at", "2027-03-01 09:30:00", '"2027-03-01 09:30:00"'],
  ["ends_at", "2027-02-30T00:00:00.000000Z", '"2027-02-30T00:00:00.000000Z"'],
  ["ends_at", "soon", '"soon"'],
  ["ends_at", 1795218901, "1795218901"],
  ["ends_at", "", '""'],
  ["country_target", "DE", '"DE"'],
  ["country_target", [{ key: "DE" }], "a list of 1"],
  ["country_target", { DE: "https://example.com/" }, "an object with `DE`"],
  ["rotation_target", ["https://example.com/"], "a list of 1"],
  ["space", 3, "3"],
  ["space", { id: "3", name: "x" }, "an object with `id`, `name`"],
  ["domain", "go.example.test", '"go.example.test"'],
  ["pixels", [1, 2], "a list of 2"],
  ["pixels", "1,2", '"1,2"'],
])("%s %j is an error", (returned, raw, seen) => {
  expect(refusalOf({ [returned]: raw })).toBe(
    `The service's form of \`${returned}\` of link 5 is not understood: ${seen}.`,
  );
});

// Fails when a version of the service that gives passwords away gets linkform to print them.
test.each(["password", "privacy_password"])("%s that is a text is an error that does not show it", (returned) => {
  expect(refusalOf({ [returned]: "hunter2" })).toBe(
    `The service's form of \`${returned}\` of link 5 is not understood: a text.`,
  );
  expect(refusalOf({ id: "five", [returned]: "hunter2" })).not.toContain("hunter2");
});

test.each([[0], [-1], [1.5], ["5"], [null], [undefined], [2 ** 60]])("the id %j is none", (id) => {
  expect(refusalOf({ id })).toContain("The service's form of a link is not understood: an object with `id`");
  expect(refusalOf({ id }, "pixel")).toContain("The service's form of a pixel is not understood");
});
