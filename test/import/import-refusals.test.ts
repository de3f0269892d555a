// Sheets with errors. Fails if an error is missed, has the wrong line or no fix, if anything is written, or if a password is
// shown.

import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import type { ImportFlags } from "../../src/import/command.ts";
import { linkform, run, CLI } from "../support/program.ts";
import { temporaryFolder, writeFiles } from "../support/scenario.ts";
import { lines, startImport } from "../support/importing.ts";

interface Refused {
  readonly of: string;
  /** One good row, unless something else is said. */
  readonly csv?: string | Uint8Array;
  readonly flags?: ImportFlags;
  readonly exit?: number;
  /** Parts of the message. */
  readonly says: readonly string[];
}

const HEAD = "key,url";
const ROW = "go.example.com/a,https://www.example.com/";

const REFUSED: readonly Refused[] = [
  { of: "nothing", csv: "", says: ["error[csv-empty] This file is empty.", "sheet.csv:1:1"] },
  { of: "empty lines", csv: "\r\n;;\r\n \r\n", says: ["This file is empty."] },
  { of: "a header alone", csv: lines(HEAD), says: ["This file has a header, but no rows."] },
  {
    of: "an open quote",
    csv: `${HEAD}\n${ROW}\ngo.example.com/b,"https://b\ngo.example.com/c,x\n`,
    says: ["csv-quotes", "sheet.csv:3:1", "never closed"],
  },
  {
    of: "a quote in a cell",
    csv: `${HEAD}\n${ROW}\ngo.example.com/b,x"y"\n`,
    says: ["csv-quotes", "sheet.csv:3:1", "in the middle"],
  },
  {
    of: "too many cells",
    csv: lines(HEAD, ROW, `${ROW},c`),
    says: ["csv-row", "sheet.csv:3:43", "has 3 cells, but the header has 2", "Put quotes around"],
  },
  { of: "UTF-16", csv: Buffer.from(`\ufeff${HEAD}`, "utf16le"), says: ["csv-encoding", "CSV UTF-8"] },
  {
    of: "Windows-1252",
    csv: Buffer.from(`${HEAD},note\ngo.example.com/a,https://www.example.com/,Caf\xe9 hunter2`, "latin1"),
    says: ["csv-encoding", "sheet.csv:2:46", "this byte is `é`", "CSV UTF-8"],
  },
  { of: "a workbook", csv: Buffer.from("PK\x03\x04…"), says: ["workbook", "CSV UTF-8"] },
  {
    of: "no header",
    csv: lines(ROW, "go.example.com/b,https://www.example.com/b"),
    says: ["csv-no-header", "--no-header"],
  },
  {
    of: "no column of destinations",
    csv: lines("Alias,Foo", "a,b"),
    flags: { domain: "go.example.com" },
    says: ["csv-no-column", "`url` (destination)", '--map "COLUMN=url"', "`Foo`"],
  },
  {
    of: "no domain",
    csv: lines("alias,url", "a,https://www.example.com/"),
    says: ["No column is mapped to the required field `domain`", "--domain go.example.com"],
  },
  {
    of: "columns that disagree",
    csv: lines("key,alias,domain,url", "go.example.com/a,b,promo.example.com,https://www.example.com/"),
    says: ["key-conflict", "domain-conflict", "--map COLUMN=ignore"],
  },
  {
    of: "a row without an alias",
    csv: lines(HEAD, ROW, ",https://www.example.com/"),
    says: ["wrong-key", "sheet.csv:3:1", "`key`: The key of this link is empty."],
  },
  {
    of: "a row without a destination",
    csv: lines(HEAD, ROW, "go.example.com/b,"),
    says: ["sheet.csv:3:18", "`url` has no value"],
  },
  {
    of: "two columns that may be the destination, one of them of short URLs",
    csv: lines(
      "Slug,Link,Original",
      "x,https://bit.ly/x1,https://www.example.com/1",
      "y,https://bit.ly/x2,https://www.example.com/2",
    ),
    flags: { domain: "go.example.com" },
    says: ["csv-no-column", "`url`", "`Link`, `Original`"],
  },
  {
    of: "the same link twice",
    csv: lines(HEAD, ROW, ROW),
    says: ["duplicate-key", "sheet.csv:3:1", "is already declared at sheet.csv:2:1"],
  },
  {
    of: "links that are one to the service",
    csv: lines(HEAD, "go.example.com/CafÉ,https://www.example.com/", "go.example.com/cafe,https://www.example.com/"),
    says: ["sheet.csv:3:1", "ignores case and accents"],
  },
  {
    of: "what is no address",
    csv: lines("Key,Long URL", ROW, "go.example.com/b,www.example.com/b"),
    says: [
      "`Long URL`: `www.example.com/b` must be a URL with a scheme",
      "sheet.csv:3:18",
      "https://www.example.com/b",
    ],
  },
  {
    of: "what rules refuse",
    csv: lines(HEAD, "go.example.com/a,javascript://x"),
    says: ["unsafe-scheme", "sheet.csv:2:18"],
  },
  {
    of: "what no alias can be",
    csv: lines(HEAD, "go.example.com/a b,https://www.example.com/"),
    says: ["wrong-key", "sheet.csv:2:1", "a-b"],
  },
  ...["promo/summer", "2024/spring", "2024.10/spring", "a/b/c"].map((alias) => ({
    of: `an alias that contains a slash: ${alias}`,
    csv: lines("alias,url", `${alias},https://www.example.com/`),
    flags: { domain: "go.example.com" },
    says: [`\`alias\`: \`${alias}\` contains a slash`, `\`${alias.replaceAll("/", "-")}\``, "1 of 1 row"],
  })),
  ...["https://go.example.com/a/b/c", "https://go.example.com/a?b=c"].map((key) => ({
    of: `an address that is not a short URL: ${key}`,
    csv: lines(HEAD, `${key},https://www.example.com/`),
    says: [`\`key\`: \`${key}\` is not a short URL.`, "go.example.com/spring"],
  })),
  {
    of: "a domain that is no label",
    csv: lines(HEAD, "nowhere/a,https://www.example.com/"),
    says: ["`nowhere/a` contains a slash"],
  },
  {
    of: "a sheet of redirects, whose `code` is a status",
    csv: lines("source,target,code", "/a,https://www.example.com/,301"),
    flags: { domain: "go.example.com" },
    says: ["csv-no-column", "`alias`", "`source`, `code`"],
  },
  {
    of: "a review date that is none",
    csv: lines(`${HEAD},review_by`, `${ROW},soon`),
    says: ["`review_by`: `soon` is not a date"],
  },
  {
    of: "a number with signs in it",
    csv: lines(`${HEAD},expiration.clicks`, `${ROW},"1,000"`),
    says: ["`1,000` must be a whole number", "sheet.csv:2:43", "Write `1000`."],
  },
  {
    of: "a word that is none",
    csv: lines(`${HEAD},privacy`, `${ROW},privat`),
    says: ["`privat` must be one of", "Did you mean `private`?"],
  },
  {
    of: "neither yes nor no",
    csv: lines(`${HEAD},disabled`, `${ROW},maybe`),
    says: ["`maybe` must be `true` or `false`"],
  },
  { of: "no date", csv: lines(`${HEAD},expires`, `${ROW},soon`), says: ["`soon` is not a date", "YYYY-MM-DD"] },
  {
    of: "a date with the name of a month",
    csv: lines(`${HEAD},expires`, `${ROW},31 Mar 2027`),
    says: ["`31 Mar 2027` is not a date", "YYYY-MM-DD"],
  },
  {
    of: "a time with a time zone",
    csv: lines(`${HEAD},expires,expiration.time`, `${ROW},2027-03-31,18:00Z`),
    says: ["`18:00Z` is not a time of day", "without a time zone"],
  },
  {
    of: "a day that is not",
    csv: lines(`${HEAD},expires`, `${ROW},2027-02-30`),
    says: ["`2027-02-30` is not a date and time that exists"],
  },
  {
    of: "a date that may be two",
    csv: lines(`${HEAD},expires`, `${ROW},03/04/2027`),
    says: ["is ambiguous", "--date-format DMY"],
  },
  {
    of: "a date of a zone, in a project without one",
    csv: lines(`${HEAD},expires`, `${ROW},2027-02-03T00:00:00Z`),
    says: ["has a time zone", "timezone:"],
  },
  {
    of: "a time without a date",
    csv: lines(`${HEAD},expiration.date,expiration.time`, `${ROW},,18:00`),
    says: ["a time, but no date"],
  },
  {
    of: "a key that no file can have",
    csv: lines(`${HEAD},targeting.country`, `${ROW},__proto__=https://www.example.com/`),
    says: ["sheet.csv:2:43", "has the key `__proto__`"],
  },
  { of: "no list of pairs", csv: lines(`${HEAD},targeting.country`, `${ROW},DE`), says: ["is not a list of pairs"] },
  {
    of: "a code that is none",
    csv: lines(`${HEAD},targeting.country`, `${ROW},de=https://www.example.com/de`),
    says: ["sheet.csv:2:43", "Did you mean `DE`?"],
  },
  {
    of: "a column that is not there",
    flags: { map: ["ULR=url"] },
    exit: 64,
    says: ["wrong-map", "no column `ULR`", "Did you mean `url`?"],
  },
  {
    of: "a field that is not there",
    flags: { map: ["url=ulr"] },
    exit: 64,
    says: ["no field `ulr`", "Did you mean `url`?"],
  },
  {
    of: "a field that is like no other",
    flags: { map: ["url=dispatch"] },
    exit: 64,
    says: ["no field `dispatch`", "docs/file-format.md"],
  },
  { of: "a map that is none", flags: { map: ["url"] }, exit: 64, says: ["wrong-map", '--map "Long URL=url"'] },
  { of: "two columns for one field", flags: { map: ["key=url", "url=url"] }, exit: 64, says: ["cannot both be `url`"] },
  {
    of: "a name that two columns have",
    csv: lines("key,x,x", `${ROW},`),
    flags: { map: ["x=url"] },
    exit: 64,
    says: ["2 columns of sheet.csv have the name `x`", "#2 or #3"],
  },
  {
    of: "a domain for pixels",
    csv: lines("name,type,value", "a,bing,12345678"),
    flags: { domain: "go.example.com" },
    exit: 64,
    says: ["no domain and no space"],
  },
  {
    of: "a file that the project does not read",
    flags: { into: "other/x.yaml" },
    exit: 64,
    says: ["does not read other/x.yaml", "`links/**/*.yaml`", "`other/**/*.yaml`"],
  },
  { of: "a file outside", flags: { into: "../x.yaml" }, exit: 64, says: ["is outside the project folder"] },
  { of: "rejects of nothing", flags: { rejects: "r.csv" }, exit: 64, says: ["--skip-bad"] },
  {
    of: "a pixel called `__proto__`",
    csv: lines("name,type,value", "__proto__,bing,12345678"),
    says: ["sheet.csv:2:1", "`__proto__`"],
  },
  {
    of: "nothing that is good",
    csv: lines(HEAD, "go.example.com/a b,x"),
    flags: { skipBad: true },
    says: ["1 of 1 row cannot be imported. Nothing was written."],
  },
];

const fits = new Ajv({ strict: false }).compile(JSON.parse(await readFile("schemas/import.schema.json", "utf8")));

describe("a sheet is refused", () => {
  it.each(REFUSED)("for $of", async ({ csv = lines(HEAD, ROW), flags = {}, exit = 1, says }) => {
    const project = await startImport();
    const ran = await project.run(csv, flags);
    for (const text of says) expect(ran.err.replaceAll(/\n +/g, " ")).toContain(text);
    expect(ran.exit).toBe(exit);
    expect(ran.out).toBe("");
    expect(ran.err).toContain("othing was written");
    expect(ran.err).not.toContain("hunter2");
    expect((await readdir(project.folder)).toSorted()).toEqual(["linkform.yaml", "sheet.csv"]);
    // The same in JSON.
    const told = JSON.parse((await project.run(csv, { ...flags, format: ["json"] })).out);
    expect(told.diagnostics.length).toBeGreaterThan(0);
    expect(fits(told) ? [] : fits.errors).toEqual([]);
  });
});

it("reports all errors at once, with correct lines even if cells contain line breaks", async () => {
  const project = await startImport();
  const csv = `key;url;note\r\ngo.example.com/ä;https://www.example.com/;"two\r\nlines"\r\n\r\ngo.example.com/é;nowhere;"\n\n"\r\n"go.example.com/x y";nowhere;\r\n`;
  const { out } = await project.run(csv, { format: ["json"] });
  const { diagnostics } = JSON.parse(out);
  const told = diagnostics.map(({ line, column, message }: Record<string, unknown>) =>
    [line, column, message].join(" "),
  );
  expect(told).toEqual([
    expect.stringMatching(/^5 18 Row 4: `url`: `nowhere` must be /),
    expect.stringMatching(/^8 1 Row 5: `key`: `go.example.com\/x y` is not a valid /),
    expect.stringMatching(/^8 22 Row 5: `url`: `nowhere` must be /),
  ]);
});

it("reports all errors of a row, each once", async () => {
  const project = await startImport();
  const csv = lines(
    "key,url,expires,disabled,expiration.url",
    "go.example.com/a b,nowhere,soon,maybe,nowhere",
    "go.example.com/c,,soon,,",
    ",nowhere,soon,,",
  );
  const { out } = await project.run(csv, { format: ["json"] });
  const told = JSON.parse(out).diagnostics.map(({ code, line, column }: Record<string, unknown>) => [
    line,
    column,
    code,
  ]);
  // Equal findings are listed together.
  expect(told.toSorted((a: number[], b: number[]) => (a[0] ?? 0) - (b[0] ?? 0) || (a[1] ?? 0) - (b[1] ?? 0))).toEqual([
    [2, 1, "wrong-key"],
    [2, 20, "refused-address"],
    [2, 28, "import-value"],
    [2, 33, "wrong-type"],
    [2, 39, "refused-address"],
    [3, 18, "wrong-type"],
    [3, 19, "import-value"],
    [4, 1, "wrong-key"],
    [4, 2, "refused-address"],
    [4, 10, "import-value"],
  ]);
});

it("groups similar errors in text and lists all of them in JSON", async () => {
  const project = await startImport();
  const rows = Array.from({ length: 500 }, (_, at) => `go.example.com/a${at},www.example.com/${at}`);
  const { err } = await project.run(lines(HEAD, ...rows));
  expect(err).toContain("497 more rows like these in `url`: lines 5, 6, 7, 8, 9, 10, 11, 12, ….");
  expect(err).toContain("500 of 500 rows cannot be imported");
  expect(err.split("\n").length).toBeLessThan(30);
  const { out } = await project.run(lines(HEAD, ...rows), { format: ["json"] });
  expect(JSON.parse(out).diagnostics).toHaveLength(500);
});

it("refuses links that the files already declare, and names the place", async () => {
  const project = await startImport("", {
    "links/z.yaml": "links:\n  go.example.com/CAFÉ: { url: https://www.example.com/ }\n",
    "links/a.yaml": "absent: { links: [go.example.com/gone] }\n",
  });
  const { exit, err } = await project.run(
    lines(HEAD, "go.example.com/cafe,https://www.example.com/", "go.example.com/gone,https://www.example.com/", ROW),
  );
  expect(exit).toBe(1);
  expect(err).toContain("links/z.yaml:2:3");
  expect(err).toContain("sheet.csv:2:1");
  expect(err).toContain("sheet.csv:3:1");
  expect(err).toContain("2 of 3 rows cannot be imported");
  expect(err).not.toContain("links/sheet.yaml");
});

it.each([
  { place: "above", text: "absent:\n  links: [go.example.com/gone]\nlinks:\n" },
  {
    place: "below",
    text: "links:\n  go.example.com/x: { url: https://www.example.com/ }\nabsent:\n  links: [go.example.com/gone]\n",
  },
])(
  "assigns the error for a tombstone $place in the file to the row, and leaves out only this row",
  async ({ text }) => {
    const project = await startImport("", { "links/ours.yaml": text });
    const csv = lines(HEAD, "go.example.com/gone,https://www.example.com/", ROW);
    const { exit, err } = await project.run(csv, { into: "links/ours.yaml" });
    expect(exit).toBe(1);
    expect(err).toContain("sheet.csv:2:1");
    expect(err).toContain("1 of 2 rows cannot be imported");
    await project.good(csv, { into: "links/ours.yaml", skipBad: true });
    expect(Object.keys(await project.declared())).toContain("go.example.com/a");
    expect(Object.keys(await project.declared())).not.toContain("go.example.com/gone");
  },
);

it("reports errors of the project first", async () => {
  const project = await startImport("", { "links/a.yaml": "links: { go.example.com/a: { ulr: x } }\n" });
  const { exit, err } = await project.run(lines(HEAD, ROW));
  expect(exit).toBe(1);
  expect(err).toContain("links/a.yaml:1:30");
});

it("shows no password in a message, patch or document, and writes none", async () => {
  const project = await startImport();
  const secret = "hunter2-!";
  const csv = lines(
    "key,url,password,Passwort,privacy,privacy_password",
    `go.example.com/a,https://www.example.com/,${secret},${secret},password,${secret}`,
    `go.example.com/b,nowhere,${secret},${secret},nonsense,${secret}`,
  );
  for (const flags of [
    {},
    { format: ["json"] },
    { skipBad: true, dryRun: true },
    { skipBad: true, rejects: "r.csv" },
  ]) {
    const { out, err } = await project.run(csv, flags);
    expect(out + err).not.toContain(secret);
  }
  expect(await project.text("links/sheet.yaml")).toContain("LINKFORM_SECRET_A_PASSWORD");
  for (const file of ["links/sheet.yaml", "r.csv"]) expect(await project.text(file)).not.toContain(secret);
});

it.each<ImportFlags>([{}, { map: ["Long URL=url"] }])(
  "shows no password of a sheet without a header: %o",
  async (flags) => {
    const project = await startImport();
    const { exit, out, err } = await project.run(lines(`${ROW},hunter2`, `${ROW}b,hunter3`), flags);
    expect(exit).toBe(1);
    expect(err).toContain("--no-header");
    expect(out + err).not.toContain("hunter");
  },
);

it("escapes control characters", async () => {
  const project = await startImport();
  const { err, out } = await project.run(
    lines("key,url,a\u001b[31mb\u202e", "go.example.com/\u001b]0;x\u0007,\u001b[2J,x"),
  );
  for (const sign of ["\u001b", "\u0007", "\u202e"]) expect(out + err).not.toContain(sign);
  expect(err).toContain("\\u{1b}");
});

it("does not follow a symbolic link out of the project", async () => {
  const project = await startImport();
  await symlink(await temporaryFolder(), path.join(project.folder, "links"));
  const { exit, err } = await project.run(lines(HEAD, ROW));
  expect(exit).toBe(1);
  expect(err).toContain("leads out of the project folder");
});

it("does not overwrite a file of rejected rows", async () => {
  const project = await startImport("", { "r.csv": "mine" });
  const { exit, err } = await project.run(lines(HEAD, ROW, "x,y"), { skipBad: true, rejects: "r.csv" });
  expect(exit).toBe(64);
  expect(err).toContain("r.csv already exists.");
  expect(await project.text("r.csv")).toBe("mine");
  expect(await project.text("links/sheet.yaml")).toBeNull();
});

it("does not write the rejected rows to the file of the good ones", async () => {
  const project = await startImport();
  const { exit, err } = await project.run(lines(HEAD, ROW, "x,y"), { skipBad: true, rejects: "./links/sheet.yaml" });
  expect(exit).toBe(64);
  expect(err).toContain("is the file for the imported rows.");
  expect(await project.text("links/sheet.yaml")).toBeNull();
});

describe("the program", () => {
  it("reads standard input with each way to name the delimiter", async () => {
    const project = await startImport();
    await writeFile(path.join(project.folder, "x"), "key|url\ngo.example.com/a|https://www.example.com/\n");
    const command = `'${process.execPath}' '${CLI}' import csv - --delimiter '|' < x`;
    const { exit, err } = await run("bash", ["-c", command], project.folder, {});
    expect({ exit, err: exit === 0 ? "" : err }).toEqual({ exit: 0, err: "" });
    expect(err).toContain("stdin: 1 row, separated by `|`");
    expect(await project.text("links/imported.yaml")).toContain("go.example.com/a");
  });

  it.each([
    [["import"], "missing"],
    [["import", "xlsx", "x.xlsx"], "csv"],
    [["import", "csv"], "FILE"],
    [["import", "csv", "x.csv", "--delimiter", "ab"], "one character"],
    [["import", "csv", "x.csv", "--date-format", "YMD"], "DMY"],
  ])("rejects `%s`", async (args, says) => {
    const { exit, err } = await linkform(await temporaryFolder(), args);
    expect(exit).toBe(64);
    expect(err).toContain(says);
  });

  it("reports a missing file", async () => {
    const project = await startImport();
    await mkdir(path.join(project.folder, "folder"));
    await writeFiles(project.folder, {});
    const gone = await linkform(project.folder, ["import", "csv", "gone.csv"]);
    expect(gone.exit).toBe(1);
    expect(gone.err).toContain("gone.csv does not exist.");
    const folder = await linkform(project.folder, ["import", "csv", "folder"]);
    expect(folder.err).toContain("Pass a file in this folder.");
  });
});
