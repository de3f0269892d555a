// Compares the numbers of requests in docs/performance.md with the program. Fails if a command takes more or fewer requests than the page
// shows.

import { expect, test } from "vitest";
import { readDocuments } from "./support/documents.ts";
import { folderFor } from "./support/library.ts";
import { sandboxFor } from "./support/sandbox.ts";
import { linkform } from "./support/program.ts";
import type { Sandbox } from "../src/sandbox/index.ts";
import { secondsAtLimit } from "../src/service/limit.ts";

const page = (await readDocuments()).find(({ file }) => file === "docs/performance.md");
const costs = page?.tables.find(({ rows: [first] }) => /^\d/.test(first?.[0] ?? ""))?.rows ?? [];
const numberIn = (cell: string): number => Number(cell.replaceAll(",", ""));

const URL_BEFORE = "https://www.example.com/";

/** No alias contains another one. */
const aliases = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => `l${(at * 7919 + 13) % 99_991}-x`);

/** An account with this number of links, and a project that declares the first ones and changes some of them. */
async function accountWith(live: number, inFiles: number, changed: number): Promise<[Sandbox, string]> {
  const links = aliases(live).map((alias) => ({ alias, url: URL_BEFORE, domain: 2 }));
  const sandbox = await sandboxFor({ seed: { links } });
  const lines = aliases(inFiles).map(
    (alias, at) => `  go.example.com/${alias}: { url: "${URL_BEFORE}${at < changed ? "new" : ""}" }\n`,
  );
  return [sandbox, await folderFor(sandbox, `links:\n${lines.join("")}`)];
}

test("docs/performance.md has a table of costs", () => {
  expect(costs.length).toBeGreaterThan(3);
});

test.each(costs)("%s live links, %s in the files", async (live = "", inFiles = "", ...shown) => {
  const [sandbox, folder] = await accountWith(numberIn(live), numberIn(inFiles), 0);
  const counts: number[] = [];
  for (const command of [["plan"], ["plan", "--show-unmanaged"], ["list"], ["show", "l13-x"]]) {
    const before = sandbox.requests.length;
    const { exit, err } = await linkform(folder, command, { LINKFORM_API_KEY: sandbox.apiKey });
    expect({ exit, err: exit === 0 ? "" : err }).toEqual({ exit: 0, err: "" });
    counts.push(sandbox.requests.length - before);
  }
  expect(counts).toEqual(shown.map(numberIn));
});

test("the example of docs/performance.md is the cost of 10 changes among 1,000 links", async () => {
  const [sandbox, folder] = await accountWith(1000, 1000, 10);
  const { out } = await linkform(folder, ["plan", "--verbose"], { LINKFORM_API_KEY: sandbox.apiKey });
  expect(out).toContain("11 requests to read, 11 to apply, 10 to verify");
  expect(page?.text.replaceAll("\n", " ")).toContain("It takes 11 requests to read, 11 to write and 10 to verify.");
});

test("the minutes of docs/performance.md are those of the estimate", () => {
  // One request for every 100 links, and one for the pixels.
  const minutes = [10_000, 100_000].map((links) => secondsAtLimit(links / 100 + 1, { perMinute: 60, left: 60 }) / 60);
  expect(minutes).toEqual([1, 16]);
  expect(page?.text.replaceAll("\n", " ")).toContain("10,000 links takes one minute, and of 100,000 links 16.");
});
