// For random files and rows: what `explain --both` says of the files is what `explain --live` says once they are applied. Fails if
// silence, `unspecified: keep`, or a field that is cleared is reckoned otherwise than the planner does.

import fc from "fast-check";
import { expect, it } from "vitest";
import { apply } from "../../src/commands/apply.ts";
import { explain } from "../../src/commands/explain.ts";
import type { ExplainFlags } from "../../src/commands/explain-question.ts";
import type { ExplainDocument } from "../../src/report/explain-document.ts";
import { startSandbox } from "../support/sandbox.ts";
import { runIn, temporaryFolder, writeFiles } from "../support/scenario.ts";
import { optional, runs, secret, url } from "../support/states.ts";

const declared = fc.record({
  url,
  unspecified: optional(fc.constantFrom("keep", "reset")),
  disabled: optional(fc.boolean()),
  password: optional(secret),
  pixels: optional(fc.subarray(["A", "B"])),
  expiration: optional(
    fc.oneof(
      fc.constant("none"),
      fc.record({
        date: optional(fc.constantFrom("2020-01-01", "2030-01-01", "none")),
        clicks: optional(fc.constantFrom(3, "none")),
        url: optional(url),
      }),
    ),
  ),
  targeting: optional(
    fc.oneof(
      fc.constant(null),
      fc.record({ country: fc.constant({ DE: "https://example.com/de" }) }),
      fc.record({
        rotation: fc.array(url, { minLength: 1, maxLength: 2 }),
        language: fc.constant({ de: "https://example.com/lang" }),
        active: fc.constantFrom("none", "rotation", "language"),
      }),
    ),
  ),
});

const row = fc.record({
  url,
  disabled: fc.constantFrom(0, 0, 1),
  password: fc.constantFrom(null, null, "old"),
  pixels: fc.subarray([1, 2]),
  ends_at: fc.constantFrom(null, "2021-01-01T00:00:00.000Z", "2031-01-01T00:00:00.000Z"),
  expiration_clicks: fc.constantFrom(null, 3, 9),
  expiration_url: fc.option(url),
  clicks: fc.constantFrom(0, 3),
  target_type: fc.constantFrom(0, 1, 3),
  country: fc.constant([{ key: "DE", value: "https://example.com/live-de" }]),
  language: fc.constant([{ key: "de", value: "https://example.com/live-lang" }]),
});

it("tells of the files what an apply makes", async () => {
  let applied = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ declared, row: fc.option(row) }), { minLength: 1, maxLength: 5 }),
      async (links) => {
        const seed = {
          account: { timezone: "Europe/Berlin" },
          pixels: ["A", "B"].map((name) => ({ name, type: "bing", value: "1234567" })),
          links: links.flatMap((link, at) =>
            link.row === null ? [] : [{ ...link.row, domain: 2, alias: `link-${at}` }],
          ),
        };
        const sandbox = await startSandbox({ rateLimit: 0, seed });
        try {
          const folder = await temporaryFolder();
          const env = { LINKFORM_API_KEY: sandbox.apiKey, LINKFORM_SECRET_A: "secret" };
          const blocks = Object.fromEntries(links.map((link, at) => [`go.example.com/link-${at}`, link.declared]));
          await writeFiles(folder, {
            "linkform.yaml": JSON.stringify({ version: 1, service: { base_url: sandbox.url }, links: blocks }),
          });
          const told = async (at: number, flags: ExplainFlags): Promise<object[]> => {
            const { out } = await runIn(folder, env, (world) =>
              explain(world, `go.example.com/link-${at}?x=1`, { ...flags, format: ["json"], language: "de" }),
            );
            const { sides }: ExplainDocument = JSON.parse(out);
            return sides.map(({ found, status, pages, pixels, goes_to: ways }) => {
              return { found, status, pages, pixels, to: ways.map(({ who, url: to }) => [who, to]) };
            });
          };
          const before = await Promise.all(links.map((_, at) => told(at, { both: true })));
          const { exit } = await runIn(folder, env, (world) =>
            apply(world, { yes: true, quiet: true, allowUpdates: 99 }),
          );
          // What can't be applied is told by the plan.
          if (exit !== 0) return;
          applied += 1;
          for (const at of links.keys()) {
            const [live] = await told(at, { live: true });
            expect({ at, told: before[at]?.[0] }).toEqual({ at, told: live });
          }
        } finally {
          await sandbox.close();
        }
      },
    ),
    { numRuns: runs(40) },
  );
  expect(applied).toBeGreaterThan(10);
}, 120_000);
