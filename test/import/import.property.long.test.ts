// Random rows, written as various programs write CSV. Fails if a value, row or column is lost or changed on its way through CSV
// and YAML.

import { rm } from "node:fs/promises";
import path from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { fold } from "../../src/domain/fold.ts";
import { startImport } from "../support/importing.ts";
import { runs } from "../support/states.ts";

/** Texts with a special meaning in CSV, YAML or a spreadsheet. */
const ODD =
  '0123¦on¦null¦~¦1e3¦2027-01-01¦- x¦a: b¦#x¦*x¦&x¦!x¦x # y¦"q"¦it\'s¦a,b¦{x}¦[x]¦%¦é¦日本¦👍🏽¦x\ty¦\\n¦<<'.split("¦");

/** A cell has no space around it, and none that begins as a formula is meant to be one. */
const text = fc
  .oneof(fc.constantFrom(...ODD), fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }))
  .map((written) => written.trim())
  .filter(
    (written) =>
      written !== "" &&
      !/^'*[=+\-@\t\r\n＝＋－＠]/.test(written) &&
      !/[\uD800-\uDFFF](?![\uDC00-\uDFFF])/.test(written.normalize()),
  );
const alias = fc.oneof(
  fc.constantFrom("0123", "on", "null", "no", "2024", "__", "y", "Café", "straße", "日本", "привет"),
  fc.stringMatching(/^[A-Za-z0-9_][A-Za-z0-9_-]{0,12}$/),
);

const address = fc
  .stringMatching(/^[a-z0-9/?=&;,.:~!'()*@$+%-]{0,20}(?:#[a-z?;,%-]{0,5})?$/)
  .map((rest) => `https://www.example.com/${rest.replaceAll("%", "%25")}`);
const day = fc
  .date({ min: new Date("2027-01-01"), max: new Date("2037-12-31"), noInvalidDate: true })
  .map((one) => one.toISOString());
const name = text.map((one) => one.replaceAll(/[;,\n]/g, "_"));

const link = fc.record({
  alias,
  url: address,
  domain: fc.constantFrom("go.example.com", "promo.example.com"),
  space: fc.option(fc.constantFrom("Marketing", "0123", "on", "1"), { nil: "" }),
  pixels: fc.uniqueArray(name, { maxLength: 3 }),
  disabled: fc.constantFrom("true", "false", ""),
  privacy: fc.constantFrom("public", "private", ""),
  clicks: fc.option(fc.integer({ min: 1, max: 999_999_999 }), { nil: null }),
  ends: fc.option(day, { nil: null }),
  over: fc.option(address, { nil: "" }),
  country: fc.uniqueArray(fc.tuple(fc.constantFrom("DE", "FR", "US"), address), {
    selector: ([code]) => code,
    maxLength: 3,
  }),
  note: fc.option(text, { nil: "" }),
});
type Link = typeof link extends fc.Arbitrary<infer Row> ? Row : never;

/** An item of a list in a cell. A quote at its beginning opens a quoted item, so such a name is quoted itself. */
const item = (pixel: string): string => (pixel.startsWith('"') ? `"${pixel.replaceAll('"', '""')}"` : pixel);

/** Each column: its names, what a row writes in it, and what the files then say. */
const COLUMNS: readonly {
  readonly names: readonly string[];
  readonly cell: (row: Link) => string;
}[] = [
  { names: ["url", "Long URL", "Destination", "original_url"], cell: ({ url }) => url },
  { names: ["alias", "Back-half", "slug", "SLASHTAG"], cell: (row) => row.alias },
  { names: ["domain", "Domain name"], cell: ({ domain }) => domain },
  { names: ["space", "Folder"], cell: ({ space }) => space },
  { names: ["pixels"], cell: ({ pixels }) => pixels.map(item).join("; ") },
  { names: ["disabled", "Is disabled"], cell: ({ disabled }) => disabled },
  { names: ["privacy"], cell: ({ privacy }) => privacy },
  { names: ["expiration.clicks", "Click limit"], cell: ({ clicks }) => (clicks === null ? "" : String(clicks)) },
  { names: ["expiration.date", "expiresAt"], cell: ({ ends }) => ends?.slice(0, 10) ?? "" },
  { names: ["expiration.time"], cell: ({ ends }) => ends?.slice(11, 16) ?? "" },
  { names: ["expiration.url", "expiredURL"], cell: ({ over }) => over },
  { names: ["targeting.country"], cell: ({ country }) => country.map(([code, to]) => `${code}=${to}`).join("; ") },
  { names: ["note", "Comments"], cell: ({ note }) => note },
];

/** The declared values of a row, without notes. */
function saidBy(row: Link): Record<string, unknown> {
  const sorted = (items: readonly string[]): string[] => [...items].toSorted((a, b) => (a < b ? -1 : 1));
  return {
    url: row.url,
    ...(row.space !== "" && { space: row.space }),
    ...(row.pixels.length > 0 && { pixels: sorted(row.pixels) }),
    ...(row.disabled !== "" && { disabled: row.disabled === "true" }),
    ...(row.privacy !== "" && { privacy: row.privacy }),
    ...(row.clicks !== null && { "expiration.clicks": row.clicks }),
    ...(row.ends !== null && { "expiration.date": row.ends.slice(0, 16) }),
    ...(row.over !== "" && { "expiration.url": row.over }),
    ...(row.country.length > 0 && {
      "targeting.country": row.country.toSorted(([a], [b]) => (a < b ? -1 : 1)),
      "targeting.active": "country",
      "targeting.platform": [],
      "targeting.language": [],
      "targeting.continent": [],
      "targeting.browser": [],
      "targeting.device": [],
      "targeting.rotation": [],
    }),
  };
}

const style = fc.record({
  delimiter: fc.constantFrom(",", ";", "\t"),
  lineEnd: fc.constantFrom("\n", "\r\n", "\r"),
  mark: fc.constantFrom("", "\uFEFF"),
  quotesAll: fc.boolean(),
  order: fc.shuffledSubarray([...COLUMNS.keys()], { minLength: COLUMNS.length }),
  names: fc.array(fc.nat(), { minLength: COLUMNS.length, maxLength: COLUMNS.length }),
  emptyLines: fc.boolean(),
});
type Style = typeof style extends fc.Arbitrary<infer How> ? How : never;

function csvOf(
  rows: readonly Link[],
  { delimiter, lineEnd, mark, quotesAll, order, names, emptyLines }: Style,
): string {
  const quoted = (cell: string): string =>
    quotesAll || cell.includes(delimiter) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
  const head = order.map((at) => {
    const known = COLUMNS[at]?.names ?? [];
    return known[(names[at] ?? 0) % known.length] ?? "";
  });
  const table = [head, ...rows.map((row) => order.map((at) => COLUMNS[at]?.cell(row) ?? ""))];
  const lines = table.map((cells) => cells.map(quoted).join(delimiter) + lineEnd);
  return mark + lines.join(emptyLines ? lineEnd : "");
}

it("declares exactly the values of the rows", async () => {
  const project = await startImport();
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(link, { selector: (row) => `${row.domain}/${fold(row.alias)}`, minLength: 1, maxLength: 12 }),
      style,
      async (rows, how) => {
        await rm(path.join(project.folder, "links"), { recursive: true, force: true });
        await project.good(csvOf(rows, how));
        const expected = Object.fromEntries(rows.map((row) => [`${row.domain}/${row.alias}`, saidBy(row)]));
        expect(await project.declared()).toEqual(expected);
        const written = parse((await project.text("links/sheet.yaml")) ?? "", { intAsBigInt: true });
        const notes = Object.values<{ note?: string }>(written.links).map((block) => block.note ?? "");
        // The keys of a map that look like numbers come first in an object.
        expect(notes.toSorted()).toEqual(rows.map(({ note }) => note).toSorted());
      },
    ),
    { numRuns: runs(120) },
  );
});
