// Cells become values of the files, by kind of field. Fails if a value is misread, or if an ambiguous value is not refused.

import { describe, expect, it } from "vitest";
import type { ImportFlags } from "../../src/import/command.ts";
import { lines, startImport } from "../support/importing.ts";

/** The values of links, without the destination, for a column with these cells. */
async function imported(
  column: string,
  cells: readonly string[],
  flags: ImportFlags = {},
  project = "",
): Promise<unknown[]> {
  const importing = await startImport(project);
  const rows = cells.map(
    (cell, at) => `go.example.com/row-${at};https://www.example.com/;"${cell.replaceAll('"', '""')}"`,
  );
  await importing.good(lines(`key;url;${column}`, ...rows), { delimiter: ";", ...flags });
  return Object.values(await importing.declared()).map(({ url: _url, ...said }) => said);
}

const date = (text: string): unknown => ({ "expiration.date": text });

describe("cells", () => {
  it.each([
    [
      "disabled",
      ["true", "YES", "1", "x", "WAHR", "false", "no", "0", "Falsch", ""],
      [true, true, true, true, true, false, false, false, false, undefined],
    ],
    ["privacy", ["Public", "PRIVATE", "1", "0", ""], ["public", "private", "private", "public", undefined]],
    ["expiration.clicks", ["5", "0007", "0", "none", ""], [5, 7, null, null, undefined]],
    [
      "space",
      ["Marketing", "1", "0123", "yes", "null", "- x", ""],
      ["Marketing", "1", "0123", "yes", "null", "- x", undefined],
    ],
    [
      "pixels",
      ["Meta; Google, Inc", "Meta;", "Google, Inc", "none", ""],
      [["Google, Inc", "Meta"], ["Meta"], ["Google, Inc"], [], undefined],
    ],
    [
      "pixels",
      ["Meta, Google", "Meta\nGoogle"],
      [
        ["Google", "Meta"],
        ["Google", "Meta"],
      ],
    ],
  ])("of `%s`", async (column, cells, values) => {
    expect(await imported(column, cells)).toEqual(
      values.map((value) => (value === undefined ? {} : { [column]: value })),
    );
  });

  it("with a pixel name that contains the separator", async () => {
    const declares = 'pixels: { "Meta, main": { type: bing, value: "12345678" } }\n';
    const project = await startImport(declares);
    await project.good(lines("key,url,pixels", 'go.example.com/a,https://www.example.com/,"Meta, main"'));
    expect((await project.declared())["go.example.com/a"]).toMatchObject({ pixels: ["Meta, main"] });
  });

  it("with targets", async () => {
    const to = "https://www.example.com/";
    const [mac] = await imported("targeting.platform", [`iOS=${to}i;x; OS X: ${to}m`]);
    const platforms = [
      ["OS X", `${to}m`],
      ["iOS", `${to}i;x`],
    ];
    expect(mac).toMatchObject({ "targeting.active": "platform", "targeting.platform": platforms });
    const [rotation] = await imported("targeting.rotation", [`${to}a;b; ${to}c ${to}d\n${to}e`]);
    expect(rotation).toMatchObject({ "targeting.rotation": [`${to}a;b`, `${to}c`, `${to}d`, `${to}e`] });
  });

  it("that are escaped so that a spreadsheet does not read a formula or number", async () => {
    const spaces = await imported("space", ["'=SUM(A1)", "'-x", "''=x", '="0123"', "'s"]);
    expect(spaces).toEqual(["=SUM(A1)", "-x", "'=x", "0123", "'s"].map((space) => ({ space })));
  });
});

describe("dates", () => {
  const at = (day: string, time = "23:59"): unknown => date(`${day}T${time}`);

  it.each([
    ["2027-03-31", at("2027-03-31")],
    ["2027-3-1", at("2027-03-01")],
    ["2027/03/31", at("2027-03-31")],
    ["31.12.2027", at("2027-12-31")],
    ["31/12/2027", at("2027-12-31")],
    ["12/31/2027", at("2027-12-31")],
    ["05/05/2027", at("2027-05-05")],
    ["2027-03-31 18:05", at("2027-03-31", "18:05")],
    ["2027-03-31T18:05:59", at("2027-03-31", "18:05")],
    ["3/31/2027 6:05 PM", at("2027-03-31", "18:05")],
    ["3/31/2027 12:00 a.m.", at("2027-03-31", "00:00")],
    ["none", date("none")],
  ])("%s", async (cell, said) => {
    const [row] = await imported("expires", [cell]);
    expect(row).toEqual(cell === "none" ? { "expiration.date": null } : said);
  });

  it("are read in the order of their column, or of --date-format", async () => {
    expect(await imported("expires", ["03/04/2027", "31/12/2027"])).toEqual([at("2027-04-03"), at("2027-12-31")]);
    expect(await imported("expires", ["03/04/2027", "12/31/2027"])).toEqual([at("2027-03-04"), at("2027-12-31")]);
    expect(await imported("expires", ["03/04/2027"], { dateFormat: "DMY" })).toEqual([at("2027-04-03")]);
    expect(await imported("expires", ["03/04/2027"], { dateFormat: "MDY" })).toEqual([at("2027-03-04")]);
  });

  it("with a time zone are converted to the zone of the files", async () => {
    const cells = ["2027-01-31T23:30:00Z", "2027-07-31T23:30:00+02:00", "2027-01-31 20:30 UTC"];
    expect(await imported("expires", cells, {}, "timezone: Europe/Berlin\n")).toEqual([
      at("2027-02-01", "00:30"),
      at("2027-07-31", "23:30"),
      at("2027-01-31", "21:30"),
    ]);
  });

  it("get the time from its own column", async () => {
    const project = await startImport();
    await project.good(
      lines(
        "key,url,expiration.date,expiration.time",
        "go.example.com/a,https://www.example.com/,2027-03-31,9:05",
        "go.example.com/b,https://www.example.com/,2027-03-31 10:00,6 PM",
        "go.example.com/c,https://www.example.com/,2027-03-31 10:00,",
      ).replace("6 PM", "6:00 PM"),
    );
    expect(Object.values(await project.declared()).map((said) => said["expiration.date"])).toEqual([
      "2027-03-31T09:05",
      "2027-03-31T18:00",
      "2027-03-31T10:00",
    ]);
  });
});

it("passwords become variables with different names", async () => {
  const project = await startImport("", {
    "links/a.yaml":
      "links: { go.example.com/x: { url: https://www.example.com/, password: { env: LINKFORM_SECRET_A_B_PASSWORD } } }\n",
  });
  const { out } = await project.good(
    lines(
      "key,url,password,privacy,privacy_password",
      "go.example.com/a-b,https://www.example.com/,geheim,password,true",
      "go.example.com/a_b,https://www.example.com/,none,,",
      "promo.example.com/a-b,https://www.example.com/,true,,",
      "go.example.com/ö,https://www.example.com/,,,",
    ),
  );
  const declared = await project.declared();
  expect(declared).toMatchObject({
    "go.example.com/a-b": {
      password: "LINKFORM_SECRET_A_B_PASSWORD_2",
      privacy_password: "LINKFORM_SECRET_A_B_PRIVACY_PASSWORD",
    },
    "go.example.com/a_b": { password: false },
    "promo.example.com/a-b": { password: "LINKFORM_SECRET_A_B_PASSWORD_4" },
  });
  expect(declared["go.example.com/ö"]).toEqual({ url: "https://www.example.com/" });
  expect(out).toContain(
    "Set 3 environment variables before you apply:\n    LINKFORM_SECRET_A_B_PASSWORD_2\n    LINKFORM_SECRET_A_B_PRIVACY_PASSWORD\n",
  );
});

// UTM parameters. Fails if a column is not recognized, if a parameter of a URL is lost, doubled or changed, if a project without `utm` gets
// it, or if a mistake is not reported in its cell.
const QUIET = "rules: { utm-incomplete: off, utm-case: off }\n";
const VOCABULARY = `${QUIET}utm: { source: [mail, qr] }\n`;
const DEFAULTS = `${QUIET}defaults: { link: { utm: { campaign: spring } } }\n`;

const HEAD = "key,url";
const SPLIT =
  "    url: https://example.com/#top\n    utm:\n      source: mail\n      medium: e mail\n      campaign: spring\n";
const OTHER_ORDER = "https://example.com/?utm_medium=b&utm_source=qr";
const TWICE = "https://example.com/?utm_campaign=b&utm_campaign=c";
const ORDERED = "https://example.com/?utm_source=qr&utm_medium=b";

/** The project, the columns, the cells after the key, the destination, and parts of the file. */
type Written = [of: string, more: string, columns: string, cells: string, url: string, parts: readonly string[]];

it.each<Written>([
  ...[
    "utm_source,utm_medium,utm_campaign",
    "UTM Source,UTM Medium,UTM Campaign",
    "campaign source,campaign medium,campaign name",
  ].map((names): Written => [
    `the columns ${names}`,
    QUIET,
    `${HEAD},${names}`,
    "https://example.com/#top,mail,e mail,spring",
    "https://example.com/?utm_source=mail&utm_medium=e%20mail&utm_campaign=spring#top",
    [SPLIT],
  ]),
  [
    "a column that repeats the parameter of the URL",
    QUIET,
    `${HEAD},utm_source`,
    "https://example.com/?x=1&utm_source=mail,mail",
    "https://example.com/?x=1&utm_source=mail",
    ["url: https://example.com/?x=1\n", "    utm:\n"],
  ],
  [
    "URLs of a project with allowed values",
    VOCABULARY,
    HEAD,
    ORDERED,
    ORDERED,
    ["      source: qr\n      medium: b\n"],
  ],
  [
    "URLs with inherited values",
    DEFAULTS,
    HEAD,
    "https://example.com/?utm_source=qr&utm_campaign=spring",
    "https://example.com/?utm_source=qr&utm_campaign=spring",
    ["    utm:\n      source: qr\n"],
  ],
  ["URLs in another order", VOCABULARY, HEAD, OTHER_ORDER, OTHER_ORDER, [`url: ${OTHER_ORDER}\n`]],
  ["URLs in another order, below defaults", DEFAULTS, HEAD, OTHER_ORDER, OTHER_ORDER, ["utm: none"]],
  ["a repeated parameter, below defaults", DEFAULTS, HEAD, TWICE, TWICE, ["utm: none"]],
  ["URLs of a project without utm", QUIET, HEAD, ORDERED, ORDERED, [`url: ${ORDERED}\n`]],
  [
    "one utm for the destinations of targeting",
    VOCABULARY,
    `${HEAD},targeting.country.DE`,
    `${ORDERED},https://example.com/de?utm_source=qr&utm_medium=b`,
    ORDERED,
    ["DE: https://example.com/de\n"],
  ],
])("%s", async (_of, more, columns, cells, url, parts) => {
  const importing = await startImport(more);
  await importing.good(lines(columns, `go.example.com/a,${cells}`));
  expect(Object.values(await importing.declared()).map((link) => link["url"])).toEqual([url]);
  const text = await importing.text("links/sheet.yaml");
  for (const part of parts) expect(text).toContain(part);
});

it("another value than in the URL, and values that are not allowed, are errors in their cells", async () => {
  const importing = await startImport(VOCABULARY);
  const csv = lines(
    `${HEAD},utm_source`,
    "go.example.com/a,https://example.com/?utm_source=mail,qr",
    "go.example.com/b,https://example.com/,print",
    "go.example.com/c,https://example.com/?utm_source=print,",
  );
  const { exit, err } = await importing.run(csv);
  expect(exit).toBe(1);
  expect(err).toMatch(
    /`utm\.source` is `qr`, but `url` already has `utm_source=mail`\.\n(?:.*\n)? {2}--> sheet\.csv:2:/,
  );
  expect(err).toMatch(/`print` is not an allowed value of `utm\.source`\.\n {2}--> sheet\.csv:3:39\n/);
  expect(err).toMatch(/`print` is not an allowed value of `utm\.source`\.\n {2}--> sheet\.csv:4:18\n/);
});
