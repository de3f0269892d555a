// Expirations are sent in the account's zone and returned in UTC (docs/service.md, "Dates and time zones").
import { afterEach, describe, expect, test } from "vitest";
import { type Sandbox, startSandbox } from "../../src/sandbox/index.ts";
import { accountOf, NAMES, UNTIL_44 } from "./client.ts";

let sandbox: Sandbox;
afterEach(() => sandbox.close());

describe.each(UNTIL_44)("expiry on %s", (software) => {
  const when = (date: string, time: string): string =>
    `url=https://example.com/&${NAMES[software].domain}=2&expiration_date=${date}&expiration_time=${time}`;

  // Fails if the zone is ignored, if a time that the spring change skips does not move forward, or if one that the autumn change repeats is
  // not stored as measured: the second one in the east, the first in New York.
  test.each([
    ["Europe/Berlin", "2027-01-15", "12:00", "2027-01-15T11:00"],
    ["Europe/Berlin", "2027-07-15", "12:00", "2027-07-15T10:00"],
    ["Europe/Berlin", "2027-03-28", "01:59", "2027-03-28T00:59"],
    ["Europe/Berlin", "2027-03-28", "02:30", "2027-03-28T01:30"],
    ["Europe/Berlin", "2027-03-28", "03:00", "2027-03-28T01:00"],
    ["Europe/Berlin", "2027-10-31", "01:59", "2027-10-30T23:59"],
    ["Europe/Berlin", "2027-10-31", "02:00", "2027-10-31T01:00"],
    ["Europe/Berlin", "2027-10-31", "02:59", "2027-10-31T01:59"],
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
    const instant = `${minute}:00.000000Z`;
    sandbox = await startSandbox({ timezone, software });
    const account = accountOf(sandbox);
    expect(await account.post("links", when(date, time))).toMatchObject({
      status: 201,
      body: { data: { ends_at: instant } },
    });
    expect(await account.get("links/1")).toMatchObject({ data: { ends_at: instant } });
    expect(await account.get("account")).toMatchObject({ data: { timezone } });
  });

  // Fails if a date outside the range of the column is stored, or refused as invalid input.
  test.each([
    ["UTC", "1969-12-31", "23:59"],
    ["UTC", "0000-01-01", "00:00"],
    ["Europe/Berlin", "1970-01-01", "00:30"],
    ["UTC", "2038-01-19", "03:15"],
    ["America/New_York", "2038-01-19", "23:59"],
    ["UTC", "9999-12-31", "23:59"],
  ])("%s %s %s is a 500", async (timezone, date, time) => {
    sandbox = await startSandbox({ timezone, software });
    const answer = await accountOf(sandbox).post("links", when(date, time));
    expect(answer).toEqual({ status: 500, body: { message: "Server Error" } });
    expect(sandbox.state().links).toEqual([]);
  });
});

// Fails if an unknown zone counts as UTC.
test("an unknown zone does not start", async () => {
  sandbox = await startSandbox();
  await expect(startSandbox({ timezone: "Europe/Nowhere" })).rejects.toThrow(
    '"Europe/Nowhere" is not a known time zone.',
  );
  await expect(startSandbox({ seed: { account: { timezone: "Nowhere" } } })).rejects.toThrow(
    'seed: account.timezone "Nowhere" is not a known time zone.',
  );
});
