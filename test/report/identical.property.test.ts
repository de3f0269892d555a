// Identical findings: printed once, and none is lost.

import fc from "fast-check";
import { expect, it } from "vitest";
import { error, groupIdentical, warning, type Diagnostic } from "../../src/domain/diagnostic.ts";
import { linkform } from "../support/program.ts";
import { temporaryFolder, writeFiles } from "../support/scenario.ts";

const findings = fc.array(
  fc
    .record({
      make: fc.constantFrom(error, warning),
      message: fc.constantFrom("It is wrong.", "It is odd."),
      line: fc.option(fc.integer({ min: 1, max: 50 }), { freq: 5 }),
    })
    .map(({ make, message, line }): Diagnostic =>
      make("code", message, line === null ? null : { file: "linkform.yaml", line, column: 1 }),
    ),
  { maxLength: 40 },
);

it("grouping loses no finding, and leaves at most three that are identical", () => {
  fc.assert(
    fc.property(findings, (all) => {
      const groups = groupIdentical(all);
      expect(new Set(groups.flat())).toEqual(new Set(all));
      expect(groups.flat()).toHaveLength(all.length);
      const firsts = groups.flatMap(([one]) => (one?.place == null ? [] : `${one.severity} ${one.message}`));
      for (const one of new Set(firsts)) expect(firsts.filter((other) => other === one).length).toBeLessThanOrEqual(3);
    }),
  );
});

// Fails when ten thousand links with one mistake print ten thousand findings, or when a pipeline misses how many there are.
it("2,000 links with the same mistake are one finding, and --verbose lists each", async () => {
  const folder = await temporaryFolder();
  const links = Array.from({ length: 2000 }, (_, at) => `  l${at}: { url: "http://example.com/${at}" }\n`).join("");
  await writeFiles(folder, {
    "linkform.yaml": `version: 1\nservice: { base_url: https://short.example.com }\ndefaults: { link: { domain: go.example.com } }\nlinks:\n${links}`,
  });
  const { exit, out } = await linkform(folder, ["validate"]);
  expect([exit, out.match(/warning\[/g)]).toEqual([0, ["warning["]]);
  expect(out).toMatch(/= 2,000 places: linkform\.yaml:5:15, .* and 1,997 more\. Add --verbose to list them all\.$/m);
  expect(out).toMatch(/\nValid: 1 file read, 2,000 warnings\.\n$/);
  const verbose = await linkform(folder, ["validate", "--verbose"]);
  expect(verbose.out.match(/warning\[plain-http\]/g)).toHaveLength(2000);
  const { diagnostics } = JSON.parse((await linkform(folder, ["validate", "--json"])).out);
  expect(diagnostics).toHaveLength(101);
  expect(diagnostics.at(-1)).toMatchObject({ code: "more-findings", message: expect.stringContaining("1,900 more") });
});
