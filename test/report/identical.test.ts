// Identical findings are printed once.

import { expect, it } from "vitest";
import { commandIn } from "../support/command.ts";
import { temporaryFolder, writeFiles } from "../support/scenario.ts";

// Fails when ten thousand links with one mistake print ten thousand findings, or when a pipeline misses how many there are.
it("2,000 links with the same mistake are one finding, and --verbose lists each", async () => {
  const folder = await temporaryFolder();
  const links = Array.from({ length: 2000 }, (_, at) => `  l${at}: { url: "http://example.com/${at}" }\n`).join("");
  await writeFiles(folder, {
    "linkform.yaml": `version: 1\nservice: { base_url: https://short.example.com }\ndefaults: { link: { domain: go.example.com } }\nlinks:\n${links}`,
  });
  const { exit, out } = await commandIn(folder, ["validate"]);
  expect([exit, out.match(/warning\[/g)]).toEqual([0, ["warning["]]);
  expect(out).toMatch(/= 2,000 places: linkform\.yaml:5:15, .* and 1,997 more\. Add --verbose to list them all\.$/m);
  expect(out).toMatch(/\nValid: 1 file read, 2,000 warnings\.\n$/);
  const verbose = await commandIn(folder, ["validate", "--verbose"]);
  expect(verbose.out.match(/warning\[plain-http\]/g)).toHaveLength(2000);
  const { diagnostics } = JSON.parse((await commandIn(folder, ["validate", "--json"])).out);
  expect(diagnostics).toHaveLength(101);
  expect(diagnostics.at(-1)).toMatchObject({ code: "more-findings", message: expect.stringContaining("1,900 more") });
});

// Fails if the mistakes of one file displace those of all others, so that a file that cannot be read looks valid.
it("of more than 100 different errors, the first of each file is shown", async () => {
  const folder = await temporaryFolder();
  const mistakes = Array.from({ length: 150 }, (_, at) => `  go.example.com/a${at}: {}\n`).join("");
  await writeFiles(folder, {
    "linkform.yaml": "version: 1\nservice: { base_url: https://short.example.com }\n",
    "links/a.yaml": `links:\n${mistakes}`,
    "links/b.yaml": "links: [",
  });
  const { exit, out } = await commandIn(folder, ["validate", "--json"]);
  const { diagnostics } = JSON.parse(out);
  expect(exit).toBe(1);
  expect(diagnostics).toHaveLength(101);
  expect(diagnostics).toContainEqual(expect.objectContaining({ code: "yaml-syntax", file: "links/b.yaml" }));
});
