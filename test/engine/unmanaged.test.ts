// The output of --show-unmanaged: each live object that no file names, and the lines to declare it. Fails if a line is missing or invalid,
// if two secrets get one variable, or if dates are in another zone than the one they are read in.

import { expect, it } from "vitest";
import type { SeedState } from "../../src/sandbox/index.ts";
import { itWhere } from "../support/sandbox.ts";
import { startWith } from "../support/scenario.ts";

const seed: SeedState = {
  account: { timezone: "Europe/Berlin" },
  pixels: [{ name: "Meta: main", type: "facebook", value: "0123456" }],
  links: [
    { url: "https://example.com/plain", domain: 2, alias: "plain", clicks: 1 },
    {
      url: "https://example.com/spring",
      domain: 3,
      alias: "spring-sale",
      clicks: 412,
      space: 1,
      pixels: [1],
      password: "x",
      privacy: 2,
      privacy_password: "y",
      ends_at: "2027-03-31T21:59:00.000Z",
      expiration_clicks: 5000,
      expiration_url: "https://example.com/over",
      target_type: 1,
      country: [{ key: "DE", value: "https://example.com/de" }],
    },
    {
      url: "https://example.com/two",
      domain: 2,
      alias: "two-groups",
      disabled: 1,
      target_type: 0,
      platform: [{ key: "OS X", value: "https://example.com/mac" }],
      rotation: [{ value: "https://example.com/a" }, { value: "https://example.com/b" }],
    },
    { url: "https://example.com/", domain: 2, alias: "empty", target_type: 1 },
    { url: "https://example.com/", domain: 2, alias: "Twin" },
    { url: "https://example.com/", domain: 2, alias: "twin" },
    { url: `https://example.com/${"a".repeat(2048)}`, domain: 2, alias: "broken" },
    { url: "https://example.com/", domain: 2, alias: "mine" },
  ],
};

itWhere("several or inactive target groups")(
  "prints what can be pasted whole, and says of what can't be declared why",
  async () => {
    const scenario = await startWith("links: { go.example.com/mine: { url: https://example.com/ } }", seed);
    await expect((await scenario.plan({ showUnmanaged: true })).out).toMatchFileSnapshot(
      "../fixtures/report/unmanaged.txt",
    );
  },
);

it("lists each in JSON, and nothing without the option", async () => {
  const scenario = await startWith("links: { go.example.com/mine: { url: https://example.com/ } }", seed);
  expect((await scenario.planDocument()).unmanaged).toBeNull();
  const { out } = await scenario.plan({ showUnmanaged: true, format: ["json"] });
  const byKey = (key: string): object => ({ kind: "link", key: `go.example.com/${key}` });
  expect(JSON.parse(out).unmanaged).toEqual(
    expect.arrayContaining([
      {
        ...byKey("plain"),
        id: 1,
        clicks: 1,
        declare: "links:\n  # id 1, 1 click\n  go.example.com/plain:\n    url: https://example.com/plain\n",
      },
      { ...byKey("broken"), id: 7, clicks: 0, declare: null, problem: expect.stringContaining("url") },
    ]),
  );
});

it("uses no variable twice, nor one of the files", async () => {
  const secret = (alias: string, domain: number): object => ({
    url: "https://example.com/",
    alias,
    domain,
    password: "x",
  });
  const links = [secret("a-b", 2), secret("a_b", 2), secret("a-b", 3), secret("日", 2)];
  const scenario = await startWith(
    "links: { go.example.com/mine: { url: https://example.com/, password: { env: LINKFORM_SECRET_A_B_PASSWORD } } }",
    { links: JSON.parse(JSON.stringify(links)) },
  );
  const { out } = await scenario.plan({ showUnmanaged: true });
  expect(out.match(/LINKFORM_SECRET_\w+(?= })/g)).toEqual([
    "LINKFORM_SECRET_A_B_PASSWORD_1",
    "LINKFORM_SECRET_A_B_PASSWORD_2",
    "LINKFORM_SECRET_PASSWORD",
    "LINKFORM_SECRET_A_B_PASSWORD_3",
  ]);
});

it("reads the account's zone for live dates, even if no file has a date", async () => {
  const scenario = await startWith("links: { go.example.com/mine: { url: https://example.com/ } }", seed);
  const plain = JSON.parse((await scenario.plan({ format: ["json"] })).out).requests.read;
  expect(JSON.parse((await scenario.plan({ format: ["json"], showUnmanaged: true })).out).requests.read).toBe(
    plain + 1,
  );
  await scenario.write("timezone: America/New_York\nlinks: { go.example.com/mine: { url: https://example.com/ } }");
  expect((await scenario.plan({ showUnmanaged: true })).out).toContain('date: 2027-03-31\n      time: "17:59"\n');
});
