// UTM parameters in sheets. Fails if a column is not recognized, if a parameter of a URL is lost, doubled or changed, if a project
// without `utm` gets it, or if a mistake is not reported in its cell.
import { describe, expect, it } from "vitest";
import { lines, startImport } from "../support/importing.ts";

const QUIET = "rules: { utm-incomplete: off, utm-case: off }\n";
const VOCABULARY = `${QUIET}utm: { source: [mail, qr] }\n`;
const DEFAULTS = `${QUIET}defaults: { link: { utm: { campaign: spring } } }\n`;

/** The destinations of the links of a sheet, and the file. */
async function imported(more: string, ...rows: readonly string[]): Promise<{ urls: unknown[]; text: string }> {
  const importing = await startImport(more);
  await importing.good(lines(...rows));
  const urls = Object.values(await importing.declared()).map(({ url }) => url);
  return { urls, text: (await importing.text("links/sheet.yaml")) ?? "" };
}

describe("columns", () => {
  it.each([
    ["utm_source,utm_medium,utm_campaign", "mail,e mail,spring"],
    ["UTM Source,UTM Medium,UTM Campaign", "mail,e mail,spring"],
    ["campaign source,campaign medium,campaign name", "mail,e mail,spring"],
  ])("%s", async (names, values) => {
    const { urls, text } = await imported(
      QUIET,
      `key,url,${names}`,
      `go.example.com/a,https://example.com/#top,${values}`,
    );
    expect(urls).toEqual(["https://example.com/?utm_source=mail&utm_medium=e%20mail&utm_campaign=spring#top"]);
    expect(text).toContain(
      "    url: https://example.com/#top\n    utm:\n      source: mail\n      medium: e mail\n      campaign: spring\n",
    );
  });

  it("may repeat the parameters of the URL", async () => {
    const { urls, text } = await imported(
      QUIET,
      "key,url,utm_source",
      "go.example.com/a,https://example.com/?x=1&utm_source=mail,mail",
    );
    expect(urls).toEqual(["https://example.com/?x=1&utm_source=mail"]);
    expect(text).toContain("url: https://example.com/?x=1\n");
  });

  it("report another value than in the URL, and a value that is not allowed", async () => {
    const importing = await startImport(VOCABULARY);
    const ran = await importing.run(
      lines(
        "key,url,utm_source",
        "go.example.com/a,https://example.com/?utm_source=mail,qr",
        "go.example.com/b,https://example.com/,print",
      ),
    );
    expect(ran.exit).toBe(1);
    expect(ran.err).toContain("sheet.csv:2:");
    expect(ran.err).toContain("`utm.source` is `qr`, but `url` already has `utm_source=mail`.");
    expect(ran.err).toContain("sheet.csv:3:");
    expect(ran.err).toContain("`print` is not an allowed value of `utm.source`.");
  });
});

describe("URLs", () => {
  it.each([
    [
      "a project with allowed values",
      VOCABULARY,
      "https://example.com/?utm_source=qr&utm_medium=b",
      ["      source: qr\n", "      medium: b\n"],
    ],
    ["inherited values", DEFAULTS, "https://example.com/?utm_source=qr&utm_campaign=spring", ["      source: qr\n"]],
    ["another order", VOCABULARY, "https://example.com/?utm_medium=b&utm_source=qr", ["utm_medium=b&utm_source=qr"]],
    ["another order, below defaults", DEFAULTS, "https://example.com/?utm_medium=b&utm_source=qr", ["utm: none"]],
    [
      "a repeated parameter, below defaults",
      DEFAULTS,
      "https://example.com/?utm_campaign=b&utm_campaign=c",
      ["utm: none"],
    ],
    ["a project without utm", QUIET, "https://example.com/?utm_source=qr", ["utm_source=qr"]],
  ])("%s", async (_, project, url, parts) => {
    const { urls, text } = await imported(project, "key,url", `go.example.com/a,${url}`);
    expect(urls).toEqual([url]);
    for (const part of parts) expect(text).toContain(part);
    expect(text.includes("utm:\n")).toBe(parts.some((part) => part.startsWith(" ")));
  });

  it("share one utm with the destinations of targeting", async () => {
    const query = "?utm_source=qr&utm_medium=b";
    const { urls, text } = await imported(
      VOCABULARY,
      "key,url,targeting.country.DE",
      `go.example.com/a,https://example.com/${query},https://example.com/de${query}`,
    );
    expect(urls).toEqual([`https://example.com/${query}`]);
    expect(text).toContain("DE: https://example.com/de\n");
  });

  it("report a value that is not allowed in the cell of the URL", async () => {
    const importing = await startImport(VOCABULARY);
    const ran = await importing.run(lines("key,url", "go.example.com/b,https://example.com/?utm_source=print"));
    expect(ran.exit).toBe(1);
    expect(ran.err).toMatch(/`print` is not an allowed value of `utm\.source`\.\n {2}--> sheet\.csv:2:18\n/);
  });
});
