// UTM parameters in sheets. Fails if a column is not recognized, if a parameter of a URL is lost, doubled or changed, if a project
// without `utm` gets it, or if a mistake is not reported in its cell.
import { expect, it } from "vitest";
import { lines, startImport } from "../support/importing.ts";

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
