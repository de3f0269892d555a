// Expirations are sent in the account's zone and returned in UTC (docs/service.md, "Dates and time zones").
import { describe, expect, test } from "vitest";
import { startSandbox } from "../../src/sandbox/index.ts";
import { NAMES, SERVER_ERROR, start, UNTIL_44 } from "./client.ts";

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
    const { get, post } = await start({ timezone, software });
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
    const { post, stored } = await start({ timezone, software });
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
