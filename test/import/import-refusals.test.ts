// Sheets with errors. Fails if an error is missed, has the wrong line or no fix, if anything is written, or if a password is
// shown.

import { lstat, mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import type { ImportFlags } from "../../src/import/command.ts";
import { commandIn } from "../support/command.ts";
import { run, CLI } from "../support/program.ts";
import { temporaryFolder } from "../support/scenario.ts";
import { lines, startImport } from "../support/importing.ts";
import { schemaErrors } from "../support/schemas.ts";

const HEAD = "key,url";
const ROW = "go.example.com/a,https://www.example.com/";

/** A sheet with one good row and one more column. */
const cell = (column: string, text: string): string => lines(`${HEAD},${column}`, `${ROW},${text}`);
const key = (text: string): string => lines(HEAD, `${text},https://www.example.com/`);
const GOOD = lines(HEAD, ROW);
const GO: ImportFlags = { domain: "go.example.com" };

/** The sheet, parts of the message, and flags. */
type Refused = [of: string, csv: string | Uint8Array, says: readonly string[], flags?: ImportFlags];

const REFUSED: readonly Refused[] = [
  ["an empty file", "", ["error[csv-empty] This file is empty.", "sheet.csv:1:1"]],
  ["empty lines", "\r\n;;\r\n \r\n", ["This file is empty."]],
  ["only a header", lines(HEAD), ["This file has a header, but no rows."]],
  [
    "an open quote",
    `${HEAD}\n${ROW}\ngo.example.com/b,"https://b\ngo.example.com/c,x\n`,
    ["csv-quotes", "sheet.csv:3:1", "never closed"],
  ],
  ["a quote in a cell", `${GOOD}go.example.com/b,x"y"\n`, ["csv-quotes", "sheet.csv:3:1", "in the middle"]],
  [
    "too many cells",
    `${GOOD}${ROW},c\n`,
    ["csv-row", "sheet.csv:3:43", "has 3 cells, but the header has 2", "Put quotes around"],
  ],
  ["UTF-16", Buffer.from(`\ufeff${HEAD}`, "utf16le"), ["csv-encoding", "CSV UTF-8"]],
  [
    "Windows-1252",
    Buffer.from(cell("note", "Caf\xe9 hunter2"), "latin1"),
    ["csv-encoding", "sheet.csv:2:46", "is not valid UTF-8", "CSV UTF-8"],
  ],
  ["no header", lines(ROW, "go.example.com/b,https://www.example.com/b"), ["csv-no-header", "--no-header"]],
  [
    "no column of destinations",
    lines("Alias,Foo", "a,b"),
    ["csv-no-column", "`url` (destination)", '--map "COLUMN=url"', "`Foo`"],
    GO,
  ],
  [
    "no domain",
    lines("alias,url", "a,https://www.example.com/"),
    ["No column is mapped to the required field `domain`", "--domain go.example.com"],
  ],
  [
    "columns that disagree",
    lines("key,alias,domain,url", "go.example.com/a,b,promo.example.com,https://www.example.com/"),
    ["key-conflict", "domain-conflict", "--map COLUMN=ignore"],
  ],
  ...["promo.example.com/a", "https://promo.example.com/a"].map((alias): Refused => [
    `an alias with another domain than its row: ${alias}`,
    lines("domain,slug,url", `go.example.com,${alias},https://www.example.com/`),
    ["This starts with `promo.example.com`, but the domain is `go.example.com`."],
  ]),
  ["a row without an alias", key(""), ["wrong-key", "sheet.csv:2:1", "`key`: The key of this link is empty."]],
  ["a row without a destination", lines(HEAD, ROW, "go.example.com/b,"), ["sheet.csv:3:18", "`url` has no value"]],
  [
    "two columns that may be the destination, one of them of short URLs",
    lines("Slug,Link,Original", "x,https://bit.ly/x1,https://a.example/1", "y,https://bit.ly/x2,https://a.example/2"),
    ["csv-no-column", "`url`", "`Link`, `Original`"],
    GO,
  ],
  [
    "the same link twice",
    lines(HEAD, ROW, ROW),
    ["duplicate-key", "sheet.csv:3:1", "is already declared at sheet.csv:2:1"],
  ],
  [
    "links that the service treats as one",
    `${key("go.example.com/CafÉ")}go.example.com/cafe,https://www.example.com/\n`,
    ["sheet.csv:3:1", "ignores case and accents"],
  ],
  [
    "an invalid address",
    lines("Key,Long URL", ROW, "go.example.com/b,www.example.com/b"),
    ["`Long URL`: `www.example.com/b` must be a URL with a scheme", "sheet.csv:3:18", "https://www.example.com/b"],
  ],
  [
    "an address that a rule refuses",
    lines(HEAD, "go.example.com/a,javascript://x"),
    ["unsafe-scheme", "sheet.csv:2:18"],
  ],
  ...["promo/summer", "2024/spring", "2024.10/spring", "a/b/c"].map((alias): Refused => [
    `an alias that contains a slash: ${alias}`,
    lines("alias,url", `${alias},https://www.example.com/`),
    [`\`alias\`: \`${alias}\` contains a slash`, `\`${alias.replaceAll("/", "-")}\``, "1 of 1 row"],
    GO,
  ]),
  ...["https://go.example.com/a/b/c", "https://go.example.com/a?b=c"].map((url): Refused => [
    `an address that is not a short URL: ${url}`,
    key(url),
    [`\`key\`: \`${url}\` is not a short URL.`, "go.example.com/spring"],
  ]),
  ["an undeclared domain", key("nowhere/a"), ["`nowhere/a` contains a slash"]],
  [
    "a sheet of redirects, whose `code` is a status",
    lines("source,target,code", "/a,https://www.example.com/,301"),
    ["csv-no-column", "`alias`", "`source`, `code`"],
    GO,
  ],
  ["an invalid review date", cell("review_by", "soon"), ["`review_by`: `soon` is not a date"]],
  ["an unknown word", cell("privacy", "privat"), ["`privat` must be one of", "Did you mean `private`?"]],
  ["an invalid date", cell("expires", "soon"), ["`soon` is not a date", "YYYY-MM-DD"]],
  [
    "a time with a time zone",
    cell("expires,expiration.time", "2027-03-31,18:00Z"),
    ["`18:00Z` is not a time of day", "without a time zone"],
  ],
  ["a day that does not exist", cell("expires", "2027-02-30"), ["`2027-02-30` is not a date and time that exists"]],
  ["an ambiguous date", cell("expires", "03/04/2027"), ["is ambiguous", "--date-format DMY"]],
  [
    "a date with a time zone, in a project without one",
    cell("expires", "2027-02-03T00:00:00Z"),
    ["has a time zone", "timezone:"],
  ],
  ["a time without a date", cell("expiration.date,expiration.time", ",18:00"), ["a time, but no date"]],
  [
    "a key that appears twice",
    cell("targeting.country", "DE=https://a.example/; DE=https://b.example/"),
    ["sheet.csv:2:43", "has a key more than once"],
  ],
  ["a text that is not a list of pairs", cell("targeting.country", "DE"), ["is not a list of pairs"]],
  [
    "an unknown code",
    cell("targeting.country", "de=https://www.example.com/de"),
    ["sheet.csv:2:43", "Did you mean `DE`?"],
  ],
  [
    "no valid row",
    key("go.example.com/a b"),
    ["wrong-key", "a-b", "1 of 1 row cannot be imported."],
    { skipBad: true },
  ],
];

const REFUSED_FLAGS: readonly Refused[] = [
  ["an unknown column", GOOD, ["wrong-map", "no column `ULR`", "Did you mean `url`?"], { map: ["ULR=url"] }],
  ["an unknown field", GOOD, ["no field `ulr`", "Did you mean `url`?"], { map: ["url=ulr"] }],
  [
    "an unknown field without a suggestion",
    GOOD,
    ["no field `dispatch`", "docs/file-format.md"],
    { map: ["url=dispatch"] },
  ],
  ["an invalid map", GOOD, ["wrong-map", '--map "Long URL=url"'], { map: ["url"] }],
  ["two columns for one field", GOOD, ["cannot both be `url`"], { map: ["key=url", "url=url"] }],
  [
    "a name that two columns have",
    lines("key,x,x", `${ROW},`),
    ["2 columns of sheet.csv have the name `x`", "#2 or #3"],
    { map: ["x=url"] },
  ],
  ["a domain for pixels", lines("name,type,value", "a,bing,12345678"), ["no domain and no space"], GO],
  [
    "a file that the project does not read",
    GOOD,
    ["does not read other/x.yaml", "`links/**/*.yaml`", "`other/**/*.yaml`"],
    { into: "other/x.yaml" },
  ],
  ["a folder", GOOD, ["does not read links", "Choose a file, such as links/new.yaml."], { into: "links/" }],
  ["a file outside the project", GOOD, ["is outside the project folder"], { into: "../x.yaml" }],
  ["a file of rejected rows without --skip-bad", GOOD, ["--skip-bad"], { rejects: "r.csv" }],
];

it.each<[exit: number, ...Refused]>([
  ...REFUSED.map((one): [number, ...Refused] => [1, ...one]),
  ...REFUSED_FLAGS.map((one): [number, ...Refused] => [64, ...one]),
])("a sheet is refused with exit code %i for %s", async (exit, _of, csv, says, flags = {}) => {
  const project = await startImport();
  const ran = await project.run(csv, flags);
  for (const text of says) expect(ran.err.replaceAll(/\n +/g, " ")).toContain(text);
  expect([ran.exit, ran.out]).toEqual([exit, ""]);
  expect(ran.err).toContain("othing was written");
  expect(ran.err).not.toContain("hunter2");
  expect((await readdir(project.folder)).toSorted()).toEqual(["linkform.yaml", "sheet.csv"]);
  // The same in JSON.
  const document = JSON.parse((await project.run(csv, { ...flags, format: ["json"] })).out);
  expect(document.diagnostics.length).toBeGreaterThan(0);
  expect(await schemaErrors("import", document)).toBeNull();
});

it("reports all errors at once, with correct lines even if cells contain line breaks", async () => {
  const project = await startImport();
  const csv = `key;url;note\r\ngo.example.com/ä;https://www.example.com/;"two\r\nlines"\r\n\r\ngo.example.com/é;nowhere;"\n\n"\r\n"go.example.com/x y";nowhere;\r\n`;
  const { out } = await project.run(csv, { format: ["json"] });
  const { diagnostics } = JSON.parse(out);
  const reported = diagnostics.map(({ line, column, message }: Record<string, unknown>) =>
    [line, column, message].join(" "),
  );
  expect(reported).toEqual([
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

it("assigns the error for a tombstone in the same file to the row, and leaves out only this row", async () => {
  const text =
    "links:\n  go.example.com/x: { url: https://www.example.com/ }\nabsent:\n  links: [go.example.com/gone]\n";
  const project = await startImport("", { "links/ours.yaml": text });
  const csv = lines(HEAD, "go.example.com/gone,https://www.example.com/", ROW);
  const { exit, err } = await project.run(csv, { into: "links/ours.yaml" });
  expect([exit, err]).toEqual([1, expect.stringContaining("sheet.csv:2:1")]);
  expect(err).toContain("1 of 2 rows cannot be imported");
  await project.good(csv, { into: "links/ours.yaml", skipBad: true });
  expect(Object.keys(await project.declared())).toEqual(["go.example.com/x", "go.example.com/a"]);
});

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

it("writes a new file into a linked folder of the project, and not through a broken link", async () => {
  const project = await startImport();
  await mkdir(path.join(project.folder, "shared"));
  await mkdir(path.join(project.folder, "links"));
  await symlink("../shared", path.join(project.folder, "links/ours"));
  const { exit, err } = await project.run(lines(HEAD, ROW), { into: "links/ours/new.yaml" });
  expect([exit, err]).toEqual([0, expect.not.stringContaining("error")]);
  expect(await project.text("shared/new.yaml")).toContain("links:");
  await symlink("nothing.yaml", path.join(project.folder, "links/broken.yaml"));
  const broken = await project.run(lines(HEAD, ROW), { into: "links/broken.yaml" });
  expect([broken.exit, broken.err]).toEqual([
    64,
    expect.stringContaining("is a symbolic link to a file that does not exist"),
  ]);
});

it.each(["links/zz.yaml", "elsewhere.yaml"])(
  "writes through a link to a file that the project reads: %s",
  async (into) => {
    const project = await startImport("", { "links/ours.yaml": "links: {}\n" });
    await symlink(path.relative(path.dirname(into), "links/ours.yaml"), path.join(project.folder, into));
    const { exit, err } = await project.run(lines(HEAD, ROW), { into });
    expect([exit, err]).toEqual([0, expect.not.stringContaining("error")]);
    expect(await project.text("links/ours.yaml")).toContain("go.example.com/a:");
    expect((await lstat(path.join(project.folder, into))).isSymbolicLink()).toBe(true);
  },
);

it.each([
  ["an existing file", "r.csv", "r.csv already exists."],
  ["the file of the good rows", "./links/sheet.yaml", "is the file for the imported rows."],
])("does not write rejected rows to %s", async (_of, rejects, says) => {
  const project = await startImport("", { "r.csv": "mine" });
  const { exit, err } = await project.run(lines(HEAD, ROW, "x,y"), { skipBad: true, rejects });
  expect([exit, err]).toEqual([64, expect.stringContaining(says)]);
  expect([await project.text("r.csv"), await project.text("links/sheet.yaml")]).toEqual(["mine", null]);
});

it("the program reads standard input with each way to name the delimiter", async () => {
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
  [["import", "csv"], "`file`"],
  [["import", "csv", "x.csv", "--delimiter", "ab"], "one character"],
  [["import", "csv", "x.csv", "--date-format", "YMD"], "DMY"],
])("the program rejects `%s`", async (args, says) => {
  const { exit, err } = await commandIn(await temporaryFolder(), args);
  expect(exit).toBe(64);
  expect(err).toContain(says);
});

it("the program reports a missing file", async () => {
  const project = await startImport();
  await mkdir(path.join(project.folder, "folder"));
  const gone = await commandIn(project.folder, ["import", "csv", "gone.csv"]);
  expect(gone.exit).toBe(1);
  expect(gone.err).toContain("gone.csv does not exist.");
  const folder = await commandIn(project.folder, ["import", "csv", "folder"]);
  expect(folder.err).toContain("Pass a file in this folder.");
});
