// Exports of other services and handwritten sheets become links. Fails if a column or value is misread, if a row is lost or
// added, or if anything is written that was not shown.

import path from "node:path";
import { expect, it } from "vitest";
import { readCsv } from "../../src/import/csv.ts";
import { importCsv, type ImportFlags } from "../../src/import/command.ts";
import { runIn, writeFiles } from "../support/scenario.ts";
import { lines, startImport } from "../support/importing.ts";
import { schemaErrors } from "../support/schemas.ts";

const URL_ITSELF = "https://example.com/?a=1,2";

/** The key that a row becomes, and the row below columns from the documentation of a service, or of programs that read its exports. */
const EXPORTS = {
  Bitly: `go.example.com/café
"Title","Link","Custom Link","Destination URL","Created","Tags"
"Café","https://bit.ly/3abc","https://go.example.com/caf%C3%A9","https://example.com/?a=1,2","2024-01-02","x"`,
  "Bitly's interface": `go.example.com/a1
created_at,id,link,long_url,title,archived
2024-01-02T03:04:05+0000,go.example.com/a1,https://go.example.com/a1,"https://example.com/?a=1,2",One,true`,
  Rebrandly: `go.example.com/one
id,title,slashtag,destination,domain,shortUrl,clicks,createdAt
8f1,One,one,"https://example.com/?a=1,2",go.example.com,go.example.com/one,7,2024-01-02T03:04:05.000Z`,
  Dub: `go.example.com/one
id,domain,key,url,title,clicks,createdAt
cl1,go.example.com,one,"https://example.com/?a=1,2",One,3,2024-01-02`,
  Shlink: `go.example.com/one
Long URL;Short code;Domain;Title;Tags
https://example.com/?a=1,2;one;go.example.com;One;`,
  "tiny.cc": `go.example.com/37r
"url";"short_url";"note"
"https://example.com/?a=1,2";"go.example.com/37r";""`,
  "Short.io": `go.example.com/one
originalURL	path	domain	title	clicks
https://example.com/?a=1,2	/one	https://go.example.com/	One	3`,
  "a person, with a byte order mark and the line that names the delimiter for Excel": `go.example.com/one
\uFEFFsep=;
key;url
go.example.com/one;https://example.com/?a=1,2`,
  "a person, whose URL is the short one": `go.example.com/one
URL;Target
https://go.example.com/one;https://example.com/?a=1,2`,
};

it.each(Object.entries(EXPORTS))("an export of %s becomes links, without additional fields", async (_of, text) => {
  const [key = "", ...csv] = text.split("\n");
  const project = await startImport();
  await project.good(lines(...csv));
  expect(await project.declared()).toEqual({ [key]: { url: URL_ITSELF } });
});

it("shows the mapping of the columns before it writes", async () => {
  const project = await startImport();
  const { err, out } = await project.good(
    lines("Passwort,Title,Long URL,Back-half,Password", "geheim,A title,https://www.example.com/,spring,hunter2"),
    { domain: "go.example.com" },
  );
  expect(err).toBe(`sheet.csv: 1 row, separated by \`,\`
  Passwort   ignored   (unknown name)
  Title      ignored   (unknown name)
  Long URL   url       https://www.example.com/
  Back-half  alias     spring
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

links:
  "0123":
    url: https://www.example.com/1
    pixels:
      - Meta
      - Google
    disabled: false
    privacy: private
    expiration:
      date: 2027-03-31
      clicks: 5000
    note: "Flyer: spring"
  "on":
    url: https://www.example.com/2
    disabled: false
`);
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
  expect(err).toContain("  clicks       ignored                 (unknown name)\n");
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

it("recognizes destinations by platform (`iosURL`) and by path (`targeting.country.DE`)", async () => {
  const project = await startImport();
  const csv = lines(
    "path,originalURL,iosURL,androidURL,Windows,targeting.platform,targeting.country.DE,Targeting.Language.FR",
    "a,https://www.example.com/,https://www.example.com/i,,yes,Linux=https://www.example.com/l,,",
    "b,https://www.example.com/,,,,,https://www.example.com/de,",
    "c,https://www.example.com/,,,,,,https://www.example.com/fr",
  );
  const { err } = await project.good(csv, { domain: "go.example.com" });
  expect(err).toMatch(/iosURL +targeting\.platform\.iOS/);
  expect(err).toMatch(/Windows +ignored/);
  const platforms = [
    ["Linux", "https://www.example.com/l"],
    ["iOS", "https://www.example.com/i"],
  ];
  expect(await project.declared()).toMatchObject({
    "go.example.com/a": { "targeting.platform": platforms },
    "go.example.com/b": { "targeting.country": [["DE", "https://www.example.com/de"]] },
    "go.example.com/c": { "targeting.language": [["fr", "https://www.example.com/fr"]] },
  });
});

const TO = "https://www.example.com/";

/** The project file, the sheet, and what it declares. */
type Read = [of: string, project: string, csv: string, declared: object, flags?: ImportFlags];

it.each<Read>([
  ["a label before a key", "", lines("key,url", `promo/a,${TO}`), { "promo/a": { url: TO } }],
  [
    "--domain and --space only for empty cells",
    "spaces: { Marketing: 1 }\n",
    lines("alias,url,domain,space", `a,${TO},,`, `b,${TO},promo,Sales`),
    { "go.example.com/a": { url: TO, space: "Marketing" }, "promo/b": { url: TO, space: "Sales" } },
    { domain: "go.example.com", space: "Marketing" },
  ],
  [
    "the domain of short URLs on a domain of the project, even with --domain",
    "",
    lines("Link,Long URL", `https://promo.example.com/a,${TO}`),
    { "promo/a": { url: TO } },
    { domain: "go.example.com" },
  ],
  [
    "the domain of the project's defaults",
    "defaults: { link: { domain: go.example.com } }\n",
    lines("alias,url", `a,${TO}`),
    { "go.example.com/a": { url: TO } },
  ],
  ...["promo.example.com/a", "https://promo.example.com/a"].map((alias): Read => [
    `the domain in a column of aliases: ${alias}`,
    "defaults: { link: { domain: go.example.com } }\n",
    lines("slug,url", `${alias},${TO}`, `b,${TO}`),
    { "promo/a": { url: TO }, "go.example.com/b": { url: TO } },
  ]),
  ...["bit.ly/a", "https://bit.ly/a"].map((alias): Read => [
    `an alias with a domain of another service below --domain: ${alias}`,
    "",
    lines("slug,url", `${alias},${TO}`),
    { "go.example.com/a": { url: TO } },
    { domain: "go.example.com" },
  ]),
  [
    "YOURLS, which exports no domain",
    "",
    lines("keyword,url,title,timestamp,ip,clicks", `2024,"${URL_ITSELF}",One,2024-01-02 03:04:05,192.0.2.1,3`),
    { "go.example.com/2024": { url: URL_ITSELF } },
    { domain: "go.example.com" },
  ],
  [
    "columns of any name",
    "",
    lines("Kurzlink;Ziel", `https://go.example.com/one;${URL_ITSELF}`),
    { "go.example.com/one": { url: URL_ITSELF } },
    { map: ["Kurzlink=key", "Ziel=url"] },
  ],
  [
    "a file without a header",
    "",
    lines(`go.example.com/one;${URL_ITSELF}`),
    { "go.example.com/one": { url: URL_ITSELF } },
    { header: false, map: ["#1=key", "#2=url"], delimiter: ";" },
  ],
  [
    "another service's domain, which moves to one's own",
    "",
    lines("Link;Long URL", `https://bit.ly/3xY;${URL_ITSELF}`),
    { "go.example.com/3xY": { url: URL_ITSELF } },
    { domain: "go.example.com" },
  ],
  [
    "columns by name or number, and ignores one by a flag",
    "",
    lines("A = B,Link,Link,Space", `${TO},x,one,Nowhere`, `${TO},y,two,Nowhere`),
    { "promo/one": { url: TO, space: "Marketing" }, "promo/two": { url: TO, space: "Marketing" } },
    { map: ["A = B=url", "#3=alias", "space=ignore"], domain: "promo.example.com", space: "Marketing" },
  ],
  [
    "pixels if the columns are those of a pixel",
    "",
    lines("Name,Type,Pixel ID", "Meta main,Facebook,123456789012345", "GA,google analytics,G-ABCDEFGH12"),
    {
      "Meta main": { type: "facebook", value: "123456789012345" },
      GA: { type: "google-analytics", value: "G-ABCDEFGH12" },
    },
  ],
])("reads %s", async (_of, more, csv, declared, flags) => {
  const project = await startImport();
  const labels = "domains: { go.example.com: 2, promo: { id: 3, name: promo.example.com } }\n";
  const head = 'version: 1\nservice: { base_url: "https://short.example.com" }\n';
  await writeFiles(project.folder, { "linkform.yaml": head + labels + more });
  await project.good(csv, flags);
  expect(await project.declared()).toEqual(declared);
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
  expect(await schemaErrors("import", document)).toBeNull();
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

it("writes a file with the name of the sheet that the globs match", async () => {
  const project = await startImport('files: ["short/*.yaml"]\n');
  await project.good(lines("key,url", "go.example.com/a,https://www.example.com/"), {}, "Übersicht 2024 (neu).CSV");
  expect(await project.text("short/übersicht-2024-neu.yaml")).toContain("go.example.com/a");
});

const there = `# What we had
links:
    promo.example.com/old: { url: https://www.example.com/old } # printed

defaults: { link: { domain: go.example.com, space: Sales } }
`;

it("an existing file gets the rows at its end, and nothing else changes", async () => {
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
])("an existing file shows errors at the row", async (text) => {
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
])("an existing file takes the defaults of $of", async ({ text, domain }) => {
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

it("an existing file is written to only if it is named", async () => {
  const project = await startImport("", { "links/sheet.yaml": there });
  const { exit, err } = await project.run(lines("key,url", "go.example.com/a,https://www.example.com/a"));
  expect(exit).toBe(64);
  expect(err).toContain("links/sheet.yaml already exists.");
  expect(err).toContain("--into links/sheet.yaml");
  expect(await project.text("links/sheet.yaml")).toBe(there);
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
  const sheet = readCsv("a,b\n".repeat(200_000), "sheet.csv", { header: false });
  expect("rows" in sheet && [sheet.rows.length, sheet.columns]).toEqual([200_000, ["#1", "#2"]]);
});

it("finds the project from a subfolder, and the sheet relative to the current folder", async () => {
  const project = await startImport("", {
    "sheets/here.csv": lines("key,url", "go.example.com/a,https://www.example.com/"),
  });
  const ran = await runIn(path.join(project.folder, "sheets"), {}, (world) => importCsv(world, "here.csv", {}));
  expect(ran.exit).toBe(0);
  expect(Object.keys(await project.declared())).toEqual(["go.example.com/a"]);
});
