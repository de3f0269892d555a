// Decodes records: extra fields are ignored, missing ones are unknown, and an invalid field makes its record unreadable.

import { describe, expect, test } from "vitest";
import type { LiveRecord } from "../../src/domain/live.ts";
import { FIELDS, type ResourceKind } from "../../src/domain/table.ts";
import { wireOf } from "../../src/domain/wire.ts";
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

function link(fields: Readonly<Record<string, unknown>>): LiveRecord {
  return decodeRow("link", linkRow(5, fields), "4.1");
}

/** The reason why a record with these fields is refused. */
function refusalOf(fields: Readonly<Record<string, unknown>>, kind: ResourceKind = "link"): string {
  try {
    decodeRow(kind, { ...(kind === "link" ? linkRow(5) : PIXEL_ROW), ...fields }, "4.1");
  } catch (cause) {
    if (cause instanceof ServiceError && cause.code === "shape") return cause.message;
    throw cause;
  }
  return "nothing";
}

/** The unreadable fields of a record with these fields, and their values. */
function unreadableIn(fields: Readonly<Record<string, unknown>>, kind: ResourceKind = "link"): Record<string, string> {
  const record = decodeRow(kind, { ...(kind === "link" ? linkRow(5) : PIXEL_ROW), ...fields }, "4.1");
  return Object.fromEntries(record.unreadable.map(({ returned, seen }) => [returned, seen]));
}

// Fails if an unknown form of this date makes the account unreadable.
test.each([
  ["2026-11-20T23:13:39.000000Z", "2026-11-20T23:13:39Z"],
  ["2026-11-21T01:13:39+02:00", "2026-11-20T23:13:39Z"],
  ["2026-11-20 23:13:20", null],
  [1_795_216_419, null],
  [null, null],
])("written at %j: %j", (updated_at, instant) => {
  expect(link({ updated_at }).updatedAt).toBe(instant);
});

test("unknown fields are ignored", () => {
  expect(link({ folder: { id: 1 }, __proto: 5, deep_link: [[]] })).toEqual(link({}));
});

// Fails if a missing field gets its default: a plan would then assume that a link has no password.
describe.each(["link", "pixel"] as const)("%s", (kind) => {
  const full = kind === "link" ? linkRow(5) : PIXEL_ROW;
  const identity = kind === "link" ? ["alias", "domain"] : ["name"];
  const others = FIELDS[kind].flatMap((field) => {
    const wire = identity.includes(field.path) ? null : wireOf(field, "4.1");
    return wire === null ? [] : [{ path: field.path, returned: wire.returned }];
  });

  test.each(others)("without $returned: unknown", ({ path, returned }) => {
    const record = decodeRow(kind, { ...full, [returned]: undefined }, "4.1");
    expect([record.values.has(path), record.references.has(path), record.unreadable]).toEqual([false, false, []]);
    expect(record.values.size + record.references.size).toBe(FIELDS[kind].length - 1);
  });

  // Fails if a record without a key is planned as usual: nothing would match it, so it would be created again.
  test.each(identity)("without %s it cannot be read", (returned) => {
    expect(unreadableIn({ [returned]: undefined }, kind)).toEqual({ [returned]: "it is missing" });
  });
});

test.each([
  [{}, ["2027-01-01T00:00:00Z", "2027-02-01T00:00:00Z"]],
  [{ active_period_start_at: null }, [null, null]],
  [{ active_period_end_at: null }, [null, null]],
])("one end of a period alone has no effect: %j", (fields, expected) => {
  const period = {
    active_period_start_at: "2027-01-01T00:00:00.000000Z",
    active_period_end_at: "2027-02-01T00:00:00.000000Z",
  };
  const { values } = decodeRow("link", linkRow(5, { ...period, ...fields }), "49");
  expect(["expiration.start", "expiration.date"].map((path) => values.get(path))).toEqual(expected);
});

const DE = { key: "DE", value: "d", extra: 1 };
const GERMANY = [["DE", "d"]];

test.each<[string, unknown, unknown]>([
  ["expiration_url", "", null],
  ["password", true, true],
  ["disabled", "1", true],
  ["disabled", false, false],
  ["target_type", 3, "language"],
  // A request that clears it stores this. Visitors get the link's own URL.
  ["target_type", null, "none"],
  ["expiration_clicks", null, null],
  ["expiration_clicks", "0", null],
  ["ends_at", "2027-03-01T10:30:00+01:00", "2027-03-01T09:30:00Z"],
  ["country_target", null, []],
  ["country_target", {}, []],
  ["country_target", [{ key: "US", value: "u" }, DE], GERMANY.concat([["US", "u"]])],
  // Written with an empty first entry, it is returned as an object. A gap of ten shows that the order is numeric.
  ["country_target", { "1": DE }, GERMANY],
  ["rotation_target", { "1": { value: "b" }, "0": { value: "a" } }, ["a", "b"]],
  // A missing index makes every visit of a rotation an error page. It is read as an empty entry.
  ["rotation_target", { "1": { value: "b" } }, ["", "b"]],
  // The order matters, and a destination may occur twice.
  ["rotation_target", [{ value: "b" }, { value: "a" }, { value: "b" }], ["b", "a", "b"]],
])("%s %j is read as %j", (returned, raw, value) => {
  const spec = FIELDS.link.find((field) => wireOf(field, "4.1")?.returned === returned);
  expect(link({ [returned]: raw }).values.get(spec?.path ?? "")).toEqual(value);
});

test("references have id and name, none is an empty list, and pixels may be indexed", () => {
  const named = { id: "4", name: "Sales", user_id: 2, color: 1 };
  const sales = { id: 4, name: "Sales" };
  const meta = { id: 9, name: "Meta" };
  const pixels = { "1": named, "0": { ...named, ...meta } };
  const record = link({ space: named, pixels, domain: named });
  expect(Object.fromEntries(record.references)).toEqual({ space: [sales], pixels: [meta, sales], domain: [sales] });
  expect(link({ space: null }).references.get("space")).toEqual([]);
});

test.each([
  [0, 0],
  [null, null],
  [-1, null],
])("clicks %j are %j", (clicks, read) => {
  expect(link({ clicks }).clicks).toBe(read);
});

const LONGEST = "k".repeat(30);
const KEYS = Object.fromEntries([`${LONGEST}k`, LONGEST, ..."abcdefgh"].map((key) => [key, 1]));

// Fails if an invalid value is accepted, or if the record does not name the field. Pixels: test/engine/unreadable.test.ts.
test.each<[string, unknown, string]>([
  ["url", null, "null"],
  ["disabled", null, "null"],
  ["privacy", null, "null"],
  ["pixels", null, "null"],
  ["domain", null, "null"],
  ["expiration_url", ["x"], "an array of length 1"],
  ["disabled", 2, "2"],
  ["target_type", "constructor", '"constructor"'],
  ["alias", "", '""'],
  ["expiration_clicks", "many", '"many"'],
  ["ends_at", "2027-02-30T00:00:00.000000Z", '"2027-02-30T00:00:00.000000Z"'],
  ["country_target", [{ key: "DE" }], "an array of length 1"],
  ["country_target", { DE: "https://example.com/" }, "an object with `DE`"],
  ["rotation_target", [null], "an array of length 1"],
  // No returned value can change the terminal's colors, or start a line that CI treats as a command.
  [
    "space",
    `\u001B[31mred\u009B2J\u0007\r\n::error::${"x".repeat(36)}\uD800`,
    `"[31mred 2J ::error::${"x".repeat(36)}"`,
  ],
  ["space", "x".repeat(61), "a string"],
  ["space", { id: 0, name: "x" }, "an object with `id`, `name`"],
  ["space", KEYS, `an object with \`${LONGEST}\`, \`a\`, \`b\`, \`c\`, \`d\`, \`e\`, \`f\`, \`g\`, …`],
  ["pixels", [1, 2], "an array of length 2"],
])("%s %j cannot be read", (returned, raw, seen) => {
  expect(unreadableIn({ [returned]: raw })).toEqual({ [returned]: seen });
});

// Fails if linkform prints passwords that a version of the service returns.
test.each(["password", "privacy_password"])("%s that is a text cannot be read, and is not shown", (returned) => {
  expect(unreadableIn({ [returned]: "hunter2" })).toEqual({ [returned]: "a string" });
  expect(refusalOf({ id: "five", [returned]: "hunter2" })).not.toContain("hunter2");
});

test.each([[0], [-1], [1.5], ["5a"], [null], [undefined], [2 ** 60]])("%j is not an id", (id) => {
  expect(refusalOf({ id })).toContain("The service returned a link in an unknown form: an object with `id`");
  expect(refusalOf({ id }, "pixel")).toContain("The service returned a pixel in an unknown form");
});
