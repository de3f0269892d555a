// Exports of other services and handwritten sheets become links. Fails if a column or value is misread, if a row is lost or
// added, or if anything is written that was not shown.

import { readFile } from "node:fs/promises";
import path from "node:path";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { readCsv } from "../../src/import/csv.ts";
import { importCsv } from "../../src/import/command.ts";
import { runIn, startScenario, writeFiles } from "../support/scenario.ts";
import { lines, startImport } from "../support/importing.ts";

const URLS = ["https://www.example.com/1", "https://www.example.com/2"];

/** Columns from the documentation of these services, or of programs that read their exports. */
const EXPORTS = [
  {
    of: "Bitly",
    csv: lines(
      '"Title","Link","Custom Link","Destination URL","Created","Tags"',
      '"Spring sale","https://bit.ly/3abc","https://go.example.com/spring","https://www.example.com/spring?a=1,2","2024-01-02","x"',
      '"Café","https://bit.ly/3abd","https://go.example.com/caf%C3%A9","https://www.example.com/","2024-01-03",""',
    ),
    keys: ["go.example.com/spring", "go.example.com/café"],
    urls: ["https://www.example.com/spring?a=1,2", "https://www.example.com/"],
  },
  {
    of: "Bitly's interface",
    csv: lines(
      "created_at,id,link,long_url,title,archived",
      "2024-01-02T03:04:05+0000,go.example.com/a1,https://go.example.com/a1,https://www.example.com/1,One,false",
      "2024-01-02T03:04:05+0000,go.example.com/a2,https://go.example.com/a2,https://www.example.com/2,Two,true",
    ),
    keys: ["go.example.com/a1", "go.example.com/a2"],
  },
  {
    of: "Rebrandly",
    csv: lines(
      "id,title,slashtag,destination,domain,shortUrl,clicks,createdAt",
      "8f1,One,one,https://www.example.com/1,go.example.com,go.example.com/one,7,2024-01-02T03:04:05.000Z",
      "8f2,Two,two,https://www.example.com/2,promo.example.com,promo.example.com/two,0,2024-01-02T03:04:05.000Z",
    ),
    keys: ["go.example.com/one", "promo.example.com/two"],
  },
  {
    of: "Dub",
    csv: lines(
      "id,domain,key,url,title,clicks,createdAt",
      "cl1,go.example.com,one,https://www.example.com/1,One,3,2024-01-02",
      "cl2,go.example.com,two,https://www.example.com/2,Two,4,2024-01-02",
    ),
    keys: ["go.example.com/one", "go.example.com/two"],
  },
  {
    of: "Shlink",
    csv: lines(
      "Long URL;Short code;Domain;Title;Tags",
      "https://www.example.com/1;one;go.example.com;One;",
      "https://www.example.com/2;two;go.example.com;Two;",
    ),
    keys: ["go.example.com/one", "go.example.com/two"],
  },
  {
    of: "tiny.cc",
    csv: lines(
      '"url";"short_url";"note"',
      '"https://www.example.com/1";"go.example.com/37r";""',
      '"https://www.example.com/2";"go.example.com/37s";"Funny stuff"',
    ),
    keys: ["go.example.com/37r", "go.example.com/37s"],
  },
  {
    of: "YOURLS",
    csv: lines(
      "keyword,url,title,timestamp,ip,clicks",
      "one,https://www.example.com/1,One,2024-01-02 03:04:05,192.0.2.1,3",
      "2024,https://www.example.com/2,Two,2024-01-02 03:04:05,192.0.2.1,0",
    ),
    flags: { domain: "go.example.com" },
    keys: ["go.example.com/one", "go.example.com/2024"],
  },
  {
    of: "Short.io",
    csv: lines(
      "originalURL\tpath\tdomain\ttitle\tclicks",
      "https://www.example.com/1\t/one\thttps://go.example.com/\tOne\t3",
      "https://www.example.com/2\ttwo\tgo.example.com\tTwo\t",
    ),
    keys: ["go.example.com/one", "go.example.com/two"],
  },
  {
    of: "a person, with columns of any name",
    csv: lines(
      "Kurzlink,Ziel",
      "https://go.example.com/one,https://www.example.com/1",
      "https://go.example.com/two,https://shop.example.com/2/3",
    ),
    flags: { map: ["Kurzlink=key", "Ziel=url"] },
    keys: ["go.example.com/one", "go.example.com/two"],
    urls: ["https://www.example.com/1", "https://shop.example.com/2/3"],
  },
  {
    of: "a person, whose URL is the short one",
    csv: lines(
      "URL,Target",
      "https://go.example.com/one,https://www.example.com/1",
      "https://go.example.com/two,https://www.example.com/2",
    ),
    keys: ["go.example.com/one", "go.example.com/two"],
  },
  {
    of: "a file without a header",
    csv: lines("go.example.com/one,https://www.example.com/1", "go.example.com/two,https://www.example.com/2"),
    flags: { header: false, map: ["#1=key", "#2=url"] },
    keys: ["go.example.com/one", "go.example.com/two"],
  },
  {
    of: "another service's domain, which moves to one's own",
    csv: lines(
      "Link,Long URL",
      "https://bit.ly/3xY,https://www.example.com/1",
      "https://bit.ly/3xZ,https://www.example.com/2",
    ),
    flags: { domain: "go.example.com" },
    keys: ["go.example.com/3xY", "go.example.com/3xZ"],
  },
];

describe("an export", () => {
  it.each(EXPORTS)("of $of becomes links", async ({ csv, flags, keys, urls = URLS }) => {
    const project = await startImport();
    await project.good(csv, flags);
    const declared = await project.declared();
    expect(Object.keys(declared)).toEqual(keys);
    expect(Object.values(declared).map((said) => said["url"])).toEqual(urls);
    // No additional fields.
    for (const said of Object.values(declared)) expect(Object.keys(said)).toEqual(["url"]);
  });
});

it("does not guess what a column means by its values", async () => {
  const project = await startImport();
  const csv = lines("Kurzlink,Long URL", "https://go.example.com/one,https://www.example.com/1");
  const { exit, err } = await project.run(csv);
  expect(exit).toBe(1);
  expect(err).toContain("  Kurzlink  ignored  (unknown name)\n");
  expect(err).toContain('To keep a column, map it to a field: --map "Kurzlink=note"');
  expect(err).toContain("error[csv-no-column] No column is mapped to the required field `alias`.");
});

it("shows the mapping of the columns before it writes", async () => {
  const project = await startImport();
  const { err, out } = await project.good(
    lines("Title,Long URL,Back-half,Passwort,Password", "A title,https://www.example.com/,spring,geheim,hunter2"),
    { domain: "go.example.com" },
  );
  expect(err).toBe(`sheet.csv: 1 row, separated by \`,\`
  Title      ignored   (unknown name)
  Long URL   url       https://www.example.com/
  Back-half  alias     spring
  Passwort   ignored   (unknown name)
  Password   password  (hidden: passwords are not written to files)

To keep a column, map it to a field: --map "Title=note"

warning[secret-left-out] The column \`Passwort\` may contain passwords, but it is ignored. Links that had a password would have none.
   = To import the passwords, pass --map "Passwort=password". To hide this warning, pass --map "Passwort=ignore".

`);
  expect(out).toBe(`Written: 1 file, 1 added.
    + links/sheet.yaml

Passwords are not written to files. Set 1 environment variable before you apply:
    LINKFORM_SECRET_SPRING_PASSWORD

Run \`linkform plan\` to see which of them already exist. Existing ones become managed and are changed to match the file. The others are created.
`);
});

it("writes a file as a person would", async () => {
  const project = await startImport("", {
    "links/deep/other.yaml": "links: {}\n",
  });
  await project.good(
    lines(
      "alias,url,domain,space,pixels,disabled,expiration.date,expiration.clicks,privacy,note",
      "0123,https://www.example.com/1,go.example.com,Marketing,Meta; Google,false,2027-03-31,5000,private,Flyer: spring",
      "on,https://www.example.com/2,go.example.com,Marketing,,false,,,,",
    ),
  );
  expect(await project.text("links/sheet.yaml"))
    .toBe(`# yaml-language-server: $schema=../node_modules/linkform/schemas/resource.schema.json
defaults:
  link:
    domain: go.example.com
    space: Marketing
    disabled: false
links:
  "0123":
    url: https://www.example.com/1
    pixels:
      - Meta
      - Google
    privacy: private
    expiration:
      date: 2027-03-31
      clicks: 5000
    note: "Flyer: spring"
  "on":
    url: https://www.example.com/2
`);
});

it("follows --map, also to ignore a column, by name or number", async () => {
  const project = await startImport();
  await project.good(
    lines(
      "A = B,Link,Link,Space",
      "https://www.example.com/1,x,one,Nowhere",
      "https://www.example.com/2,y,two,Nowhere",
    ),
    { map: ["A = B=url", "#3=alias", "space=ignore"], domain: "promo.example.com", space: "Marketing" },
  );
  expect(await project.declared()).toEqual({
    "promo.example.com/one": { url: "https://www.example.com/1", space: "Marketing" },
    "promo.example.com/two": { url: "https://www.example.com/2", space: "Marketing" },
  });
});

it("recognizes destinations of expired links and of iPhones, an owner and a review date", async () => {
  const project = await startImport();
  const { err } = await project.good(
    lines(
      "key,url,iphoneURL,expire_url,Owner,Responsible,review_by,clicks",
      "go.example.com/a,https://www.example.com/,https://www.example.com/i,https://www.example.com/over,growth; brand,,13/06/2037,3",
      "go.example.com/b,https://www.example.com/,,,brand,,02/06/2037,",
    ),
    { map: ["Responsible=ignore"] },
  );
  expect(err).toContain("  Responsible  ignored                 (by a flag)\n");
  expect(err).toContain("  clicks       ignored                 (not a setting of a link)\n");
  expect(await project.text("links/sheet.yaml")).toContain(`links:
  a:
    url: https://www.example.com/
    expiration:
      url: https://www.example.com/over
    targeting:
      platform:
        iOS: https://www.example.com/i
    owner:
      - growth
      - brand
    review_by: 2037-06-13
  b:
    url: https://www.example.com/
    owner: brand
    review_by: 2037-06-02
`);
});

it("recognizes destinations by platform: `iosURL`", async () => {
  const project = await startImport();
  const { err } = await project.good(
    lines(
      "path,originalURL,iosURL,androidURL,Windows,Deutschland",
      "a,https://www.example.com/,https://www.example.com/i,https://www.example.com/a,yes,",
      "b,https://www.example.com/,,,,https://www.example.com/de",
    ),
    { domain: "go.example.com", map: ["Deutschland=targeting.country.de"], dryRun: true },
  );
  expect(err).toContain("iosURL       targeting.platform.iOS");
  expect(err).toContain("Windows      ignored");
  const both = await project.run(
    lines(
      "path,originalURL,iosURL,targeting.platform",
      "a,https://www.example.com/,nowhere,Linux=https://www.example.com/l",
    ),
    { domain: "go.example.com", map: ["iosURL=targeting.platform.ios"] },
  );
  expect(both.err).toContain("`iosURL`: `nowhere` ");
  await project.good(
    lines(
      "path,originalURL,iosURL,targeting.platform",
      "a,https://www.example.com/,https://www.example.com/i,Linux=https://www.example.com/l",
    ),
    { domain: "go.example.com" },
  );
  expect(await project.declared()).toMatchObject({
    "go.example.com/a": {
      "targeting.active": "platform",
      "targeting.platform": [
        ["Linux", "https://www.example.com/l"],
        ["iOS", "https://www.example.com/i"],
      ],
    },
  });
});

it("recognizes the path of a destination: `targeting.country.DE`", async () => {
  const project = await startImport();
  await project.good(
    lines(
      "key,url,targeting.country.DE,Targeting.Language.FR",
      "go.example.com/a,https://www.example.com/,https://www.example.com/de,",
      "go.example.com/b,https://www.example.com/,,https://www.example.com/fr",
    ),
  );
  expect(await project.declared()).toMatchObject({
    "go.example.com/a": { "targeting.country": [["DE", "https://www.example.com/de"]] },
    "go.example.com/b": { "targeting.language": [["fr", "https://www.example.com/fr"]] },
  });
});

it("keeps the domain of short URLs on a domain of the project, even with --domain", async () => {
  const project = await startImport();
  await project.good(lines("Link,Long URL", "https://promo.example.com/a,https://www.example.com/"), {
    domain: "go.example.com",
  });
  expect(Object.keys(await project.declared())).toEqual(["promo.example.com/a"]);
});

describe("a column of aliases that contain a domain", () => {
  const url = "https://www.example.com/";

  it.each(["promo.example.com/a", "https://promo.example.com/a"])("keeps the domain: %s", async (alias) => {
    const project = await startImport("defaults: { link: { domain: go.example.com } }\n");
    await project.good(lines("slug,url", `${alias},${url}`, `b,${url}`));
    expect(Object.keys(await project.declared())).toEqual(["promo.example.com/a", "go.example.com/b"]);
    await project.good(lines("slug,url", `${alias}-2,${url}`), { domain: "go.example.com" }, "second.csv");
    expect(Object.keys(await project.declared())).toContain("promo.example.com/a-2");
  });

  it.each(["promo.example.com/a", "https://promo.example.com/a"])(
    "must agree with the domain's own: %s",
    async (alias) => {
      const project = await startImport();
      const { exit, err } = await project.run(
        lines("domain,slug,url", `go.example.com,${alias},${url}`, `go.example.com,b,${url}`),
      );
      expect(exit).toBe(1);
      expect(err).toContain("This starts with `promo.example.com`, but the domain is `go.example.com`.");
    },
  );

  it.each(["bit.ly/a", "https://bit.ly/a"])(
    "moves to the domain of a flag where it is none of ours: %s",
    async (alias) => {
      const project = await startImport();
      await project.good(lines("slug,url", `${alias},${url}`), { domain: "go.example.com" });
      expect(Object.keys(await project.declared())).toEqual(["go.example.com/a"]);
    },
  );
});

it("reads a label before a key", async () => {
  const project = await startImport();
  const labeled = `version: 1\nservice: { base_url: "https://short.example.com" }\ndomains: { promo: 3 }\n`;
  await writeFiles(project.folder, { "linkform.yaml": labeled });
  await project.good(lines("key,url", "promo/summer,https://www.example.com/"));
  expect(Object.keys(await project.declared())).toEqual(["promo/summer"]);
});

it("reads the `sep=` line of Excel", async () => {
  const project = await startImport();
  await project.good(lines("sep=|", "key|url", "go.example.com/a|https://www.example.com/?a=1,2;3"));
  expect(await project.declared()).toEqual({ "go.example.com/a": { url: "https://www.example.com/?a=1,2;3" } });
});

it("fills in --domain and --space only for empty cells", async () => {
  const project = await startImport();
  await project.good(
    lines(
      "alias,url,domain,space",
      "a,https://www.example.com/,,",
      "b,https://www.example.com/,promo.example.com,Sales",
    ),
    { domain: "go.example.com", space: "Marketing" },
  );
  expect(await project.declared()).toEqual({
    "go.example.com/a": { url: "https://www.example.com/", space: "Marketing" },
    "promo.example.com/b": { url: "https://www.example.com/", space: "Sales" },
  });
});

it("needs no domain where the project's defaults have one", async () => {
  const project = await startImport("defaults: { link: { domain: go.example.com } }\n");
  await project.good(lines("alias,url", "a,https://www.example.com/"));
  expect(await project.declared()).toEqual({ "go.example.com/a": { url: "https://www.example.com/" } });
});

// Fails if a shared domain shortens this key: `__proto__` alone cannot be a key.
it("keeps the domain in the key of the alias `__proto__`", async () => {
  const project = await startImport();
  await project.good(
    lines("key,url", ...["__proto__", "b"].map((alias) => `go.example.com/${alias},https://www.example.com/`)),
  );
  const url = "https://www.example.com/";
  expect(await project.declared()).toEqual({ "go.example.com/__proto__": { url }, "go.example.com/b": { url } });
});

it("shows with --dry-run what would be written, and writes nothing", async () => {
  const project = await startImport();
  const { out } = await project.good(lines("key,url", "go.example.com/a,https://www.example.com/"), { dryRun: true });
  expect(out).toBe(`--- /dev/null
+++ b/links/sheet.yaml
@@ -0,0 +1,4 @@
+# yaml-language-server: $schema=../node_modules/linkform/schemas/resource.schema.json
+links:
+  go.example.com/a:
+    url: https://www.example.com/

Dry run, nothing was written: 1 file, 1 added.
    + links/sheet.yaml

Run again without --dry-run to write the file.
`);
  expect(await project.text("links/sheet.yaml")).toBeNull();
});

it.each([{}, { dryRun: true }, { skipBad: true }])("prints JSON that fits its schema, with %o", async (flags) => {
  const project = await startImport();
  const { out, err } = await project.good(
    lines(
      "Title,key,url,password",
      "A,go.example.com/a,https://www.example.com/,x",
      "B,go.example.com/a,nowhere,",
    ).replace(flags.skipBad === true ? "\0" : "B,go.example.com/a,nowhere,\r\n", ""),
    { ...flags, format: ["json"] },
  );
  const document = JSON.parse(out);
  const validate = new Ajv({ strict: false }).compile(JSON.parse(await readFile("schemas/import.schema.json", "utf8")));
  expect(validate(document) ? [] : validate.errors).toEqual([]);
  expect(document).toMatchObject({
    written: flags.dryRun !== true,
    variables: ["LINKFORM_SECRET_A_PASSWORD"],
    columns: [
      { column: "Title", field: null, because: "unknown", example: null },
      { column: "key", field: "key", because: "name", example: "go.example.com/a" },
      { column: "url", field: "url" },
      { column: "password", field: "password", example: null, secret: true },
    ],
  });
  expect(document.items.map(({ what }: { what: string }) => what)).toEqual(
    flags.skipBad === true ? ["added", "skipped"] : ["added"],
  );
  expect(err).toBe("");
});

it("imports pixels if the columns are those of a pixel", async () => {
  const project = await startImport();
  await project.good(
    lines("Name,Type,Pixel ID", "Meta main,Facebook,123456789012345", "GA,google analytics,G-ABCDEFGH12"),
  );
  expect(await project.declared()).toEqual({
    "Meta main": { type: "facebook", value: "123456789012345" },
    GA: { type: "google-analytics", value: "G-ABCDEFGH12" },
  });
});

it("writes a file with the name of the sheet that the globs match", async () => {
  const project = await startImport('files: ["short/*.yaml"]\n');
  await project.good(lines("key,url", "go.example.com/a,https://www.example.com/"), {}, "Übersicht 2024 (neu).CSV");
  expect(await project.text("short/übersicht-2024-neu.yaml")).toContain("go.example.com/a");
});

describe("an existing file", () => {
  const there = `# What we had
links:
    promo.example.com/old: { url: https://www.example.com/old } # printed

defaults: { link: { domain: go.example.com, space: Sales } }
`;

  it("gets the rows at its end, and nothing else changes", async () => {
    const project = await startImport("", { "links/ours.yaml": there });
    await project.good(
      lines(
        "key,url,expiration.date",
        "go.example.com/a,https://www.example.com/a,",
        "promo.example.com/b,https://www.example.com/b,1.2.2027",
      ),
      { into: "links/ours.yaml" },
    );
    const text = (await project.text("links/ours.yaml")) ?? "";
    const [first = "", second = ""] = there.split("# printed\n");
    expect(text.startsWith(`${first}# printed\n`)).toBe(true);
    expect(text.endsWith(second)).toBe(true);
    expect(await project.declared()).toEqual({
      "promo.example.com/old": { url: "https://www.example.com/old", space: "Sales" },
      "go.example.com/a": { url: "https://www.example.com/a", space: "Sales" },
      "promo.example.com/b": {
        url: "https://www.example.com/b",
        space: "Sales",
        "expiration.date": "2027-02-01T23:59",
      },
    });
  });

  it.each([
    there,
    there.replaceAll("\n", "\r\n"),
    "pixels: {}\n",
    "# nothing yet\n",
    "links:\n",
    "\uFEFFlinks:\n  promo.example.com/old: { url: https://www.example.com/old }\n",
  ])("shows errors at the row", async (text) => {
    const project = await startImport("", { "links/ours.yaml": text });
    const csv = lines(
      "key,url,expiration.url",
      "go.example.com/a,https://www.example.com/a,https://www.example.com/",
      "go.example.com/b,www.example.com/b,www.example.com/",
      "go.example.com/c d,https://www.example.com/c,",
      "go.example.com/c,https://www.example.com/c,",
    );
    const { exit, err } = await project.run(csv, { into: "links/ours.yaml" });
    expect(exit).toBe(1);
    expect(err).toContain("`www.example.com/b` must be a URL with a scheme");
    for (const at of [
      "`url`: `www.example.com/b`",
      "`expiration.url`: `www.example.com/`",
      "c d` is not a valid link key",
    ])
      expect(err).toContain(at);
    for (const at of ["3:18", "3:36", "4:1"]) expect(err).toContain(`sheet.csv:${at}\n`);
    expect(await project.text("links/ours.yaml")).toBe(text);
    await project.good(csv, { into: "links/ours.yaml", skipBad: true });
    expect(Object.keys(await project.declared())).toEqual(
      expect.arrayContaining(["go.example.com/a", "go.example.com/c"]),
    );
  });

  const GO = "defaults: { link: { domain: go.example.com, disabled: true } }\n";
  const PROMO = "defaults: { link: { domain: promo.example.com, space: Sales } }\n";
  const OLD = "links:\n  old: { url: https://www.example.com/old }\n";

  // Fails if rows are checked or shortened below the defaults of another document than the one they are written to.
  it.each([
    { of: "the last document with links", text: `${PROMO}${OLD}---\n${GO}pixels: {}\n`, domain: "promo" },
    { of: "the last document", text: `${PROMO}absent: { links: [x] }\n---\n${GO}`, domain: "go" },
    { of: "the last of two with links", text: `${PROMO}${OLD}---\n${GO}${OLD}`, domain: "go" },
    { of: "the document above an empty one", text: `${PROMO}${OLD}---\n# empty\n`, domain: "promo" },
  ])("takes the defaults of $of", async ({ text, domain }) => {
    const project = await startImport("", { "links/ours.yaml": text });
    const url = "https://www.example.com/";
    const csv = lines("alias,domain,url", `a,,${url}`, `b,go.example.com,${url}`, `c,promo.example.com,${url}`);
    await project.good(csv, { into: "links/ours.yaml" });
    const more = domain === "go" ? { disabled: true } : { space: "Sales" };
    expect(await project.declared()).toMatchObject({
      [`${domain}.example.com/a`]: { url, ...more },
      "go.example.com/b": { url, ...more },
      "promo.example.com/c": { url, ...more },
    });
  });

  it("can have its links on one line", async () => {
    const text = "links: { promo.example.com/old: { url: https://www.example.com/old } }\n";
    const project = await startImport("", { "links/ours.yaml": text });
    await project.good(lines("key,url", "go.example.com/a,https://www.example.com/a"), { into: "links/ours.yaml" });
    expect(Object.keys(await project.declared())).toEqual(["promo.example.com/old", "go.example.com/a"]);
  });

  it("is written to only if it is named", async () => {
    const project = await startImport("", { "links/sheet.yaml": there });
    const { exit, err } = await project.run(lines("key,url", "go.example.com/a,https://www.example.com/a"));
    expect(exit).toBe(64);
    expect(err).toContain("links/sheet.yaml already exists.");
    expect(err).toContain("--into links/sheet.yaml");
    expect(await project.text("links/sheet.yaml")).toBe(there);
  });
});

it("ignores an address in another file that the service refuses, which the link may have already", async () => {
  const project = await startImport("", { "links/pulled.yaml": "links: { go.example.com/old: { url: example } }\n" });
  const { exit } = await project.run(lines("key,url", "go.example.com/a,https://www.example.com/a"));
  expect(exit).toBe(0);
  expect(await project.text("links/sheet.yaml")).toContain("go.example.com/a");
});

it("writes rejected rows to a sheet that can be fixed and imported", async () => {
  const project = await startImport();
  const { out } = await project.good(
    lines(
      "key;url;password;note",
      "go.example.com/a;https://www.example.com/;;",
      "go.example.com/b;example.com;hunter2;one; two",
      'go.example.com/b;example.com;hunter2;"one; ""two"""',
      "go.example.com/c d;https://www.example.com/;hunter2;",
    ).replace("go.example.com/b;example.com;hunter2;one; two\r\n", ""),
    { skipBad: true, rejects: "rejects.csv" },
  );
  expect(out).toContain(
    "skipped link go.example.com/b: sheet.csv:3: `url`: `example.com` must be a URL with a scheme, such as https://example.com/page.\n",
  );
  expect(out).toContain("skipped link go.example.com/c d: sheet.csv:4: ");
  expect(out).toContain("Written: 1 file, 1 added, 2 skipped.\n");
  expect(Object.keys(await project.declared())).toEqual(["go.example.com/a"]);
  const rejects = (await project.text("rejects.csv")) ?? "";
  expect(rejects).not.toContain("hunter2");
  const mended = rejects.replace(";example.com;", ";https://www.example.com/b;").replace("c d", "c-d");
  await project.good(mended, {}, "mended.csv");
  expect(await project.declared()).toEqual({
    "go.example.com/a": { url: "https://www.example.com/" },
    "go.example.com/b": { url: "https://www.example.com/b", password: "LINKFORM_SECRET_B_PASSWORD" },
    "go.example.com/c-d": { url: "https://www.example.com/", password: "LINKFORM_SECRET_C_D_PASSWORD" },
  });
});

it.each([
  { of: "a column that says only whether there is one", some: "true", no: "false", said: undefined },
  { of: "a column of passwords", some: "hunter2", no: "none", said: false },
])("keeps 'no password' in rejected rows: $of", async ({ some, no, said }) => {
  const project = await startImport();
  await project.good(
    lines(
      "key,url,password",
      `go.example.com/a,https://www.example.com/,${some}`,
      `go.example.com/b,example.com,${no}`,
      `go.example.com/c,example.com,${some}`,
    ),
    { skipBad: true, rejects: "rejects.csv" },
  );
  const rejects = (await project.text("rejects.csv")) ?? "";
  expect(rejects).not.toContain("hunter2");
  await project.good(rejects.replaceAll(",example.com,", ",https://www.example.com/,"), {}, "mended.csv");
  const declared = await project.declared();
  expect(declared["go.example.com/b"]?.["password"]).toBe(said);
  expect(declared["go.example.com/c"]?.["password"]).toBe("LINKFORM_SECRET_C_PASSWORD");
});

it("reads a sheet without a header, however many rows it has", () => {
  const { sheet } = readCsv("a,b\n".repeat(200_000), "sheet.csv", { delimiter: null, hasHeader: false });
  expect([sheet?.rows.length, sheet?.columns]).toEqual([200_000, ["#1", "#2"]]);
});

it("manages links that are live and creates the others", async () => {
  const scenario = await startScenario();
  await scenario.write("links: { go.example.com/live: { url: https://www.example.com/live } }\n");
  await scenario.converge();
  await scenario.write("");
  await writeFiles(scenario.folder, {
    "sheet.csv": lines(
      "key,url,space",
      "go.example.com/live,https://www.example.com/live,",
      "go.example.com/new,https://www.example.com/new,Marketing",
    ),
  });
  const ran = await runIn(scenario.folder, scenario.env, (world) => importCsv(world, "sheet.csv", {}));
  expect(ran.exit).toBe(0);
  const { changes, summary } = await scenario.planDocument();
  expect(changes.map(({ action, key }) => [action, key])).toEqual([["create", "go.example.com/new"]]);
  expect(summary.unchanged).toBe(1);
  await scenario.converge();
});

it("finds the project from a subfolder, and the sheet relative to the current folder", async () => {
  const project = await startImport("", {
    "sheets/here.csv": lines("key,url", "go.example.com/a,https://www.example.com/"),
  });
  const ran = await runIn(path.join(project.folder, "sheets"), {}, (world) => importCsv(world, "here.csv", {}));
  expect(ran.exit).toBe(0);
  expect(Object.keys(await project.declared())).toEqual(["go.example.com/a"]);
});
