// Local times in a zone and instants: expirations in the files (docs/service.md, "Dates and time zones").
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalInstant, instantOf, laterInstantOf, wallTimeOf } from "../../src/domain/zone.ts";
import { runs } from "../support/states.ts";
import { wallToInstant } from "../../src/sandbox/zone.ts";

describe("instantOf", () => {
  // Fails if the seconds of a live date are dropped, or shown if there are none.
  test("seconds are shown only if there are any", () => {
    expect(wallTimeOf("2027-03-01T09:30:00Z", "UTC")).toBe("2027-03-01T09:30");
    expect(wallTimeOf("2027-03-01T09:30:05Z", "UTC")).toBe("2027-03-01T09:30:05");
  });

  const minutes = fc.integer({ min: 0, max: Math.floor(2 ** 31 / 60) - 1 }).map((minute) => {
    return `${new Date(minute * 60_000).toISOString().slice(0, 19)}Z`;
  });
  const zone = fc.constantFrom("UTC", "Africa/Monrovia", ...Intl.supportedValuesOf("timeZone"));

  // Fails if an instant changes on the way to local time and back, except in a repeated hour.
  test("instant, local time, instant: the same, or the first of a repeated time", () => {
    fc.assert(
      fc.property(minutes, zone, (instant, where) => {
        const wall = wallTimeOf(instant, where);
        const back = instantOf(wall, where);
        expect(wallTimeOf(back, where)).toBe(wall);
        expect(back <= instant).toBe(true);
        // The sandbox has its own arithmetic.
        if (/T\d\d:\d\d$/.test(wall))
          expect([back, laterInstantOf(wall, where)]).toContain(
            canonicalInstant(wallToInstant(wall.slice(0, 10), wall.slice(11), where)),
          );
        expect(canonicalInstant(back)).toBe(back);
      }),
      { numRuns: runs(100) },
    );
  });
});

describe("canonicalInstant", () => {
  // Fails if one of the service's date formats is not converted, or if other text becomes an instant.
  test("the forms that the service uses", () => {
    expect(canonicalInstant("2027-03-01T09:30:00.000000Z")).toBe("2027-03-01T09:30:00Z");
    expect(canonicalInstant("2027-03-01T10:30:00+01:00")).toBe("2027-03-01T09:30:00Z");
    expect(canonicalInstant("2028-02-29T23:59:59.000000000Z")).toBe("2028-02-29T23:59:59Z");
    expect(canonicalInstant("2027-03-01T09:30:00.120000Z")).toBe("2027-03-01T09:30:00.12Z");
    expect(canonicalInstant("2027-03-01")).toBeNull();
    expect(canonicalInstant("2027-02-29T09:30:00Z")).toBeNull();
    expect(canonicalInstant("2027-02-29T09:30:00.000000Z")).toBeNull();
    expect(canonicalInstant("2027-03-01T24:00:00Z")).toBeNull();
    expect(canonicalInstant("soon")).toBeNull();
  });
});
