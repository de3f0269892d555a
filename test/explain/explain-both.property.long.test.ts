// For random files and records, the declared side of `explain --both` is what `explain --live` shows after an apply. Fails if an
// undeclared field, `unspecified: keep`, or a cleared field is handled differently than by the planner.

import fc from "fast-check";
import { expect, it } from "vitest";
import { apply } from "../../src/cli/apply.ts";
import { explain } from "../../src/explain/command.ts";
import type { ExplainFlags } from "../../src/explain/question.ts";
import type { ExplainDocument } from "../../src/render/json/explain.ts";
import { SOFTWARE, type Link } from "../../src/sandbox/index.ts";
import { startSandbox } from "../support/sandbox.ts";
import { runIn, temporaryFolder, writeFiles } from "../support/scenario.ts";
import { optional, runs, secret, url } from "../support/states.ts";

const country = { DE: "https://example.com/de" };
const clicks = optional(fc.constantFrom(3, "none"));
const date = optional(fc.constantFrom("2020-01-01", "2030-01-01", "none"));
const common = {
  url,
  unspecified: optional(fc.constantFrom("keep", "reset")),
  password: optional(secret),
  pixels: optional(fc.subarray(["A", "B"])),
};

const declared = fc.record({
  ...common,
  disabled: optional(fc.boolean()),
  expiration: optional(fc.oneof(fc.constant("none"), fc.record({ date, clicks, url: optional(url) }))),
  targeting: optional(
    fc.oneof(
      fc.constant(null),
      fc.constant({ country }),
      fc.record({
        rotation: fc.array(url, { minLength: 1, maxLength: 2 }),
        language: fc.constant({ de: "https://example.com/lang" }),
        active: fc.constantFrom("none", "rotation", "language"),
      }),
    ),
  ),
});

/** Links that version 49 can express: one group, a period with a start, a warning page. */
const declaredOn49 = fc.record({
  ...common,
  sensitive: optional(fc.boolean()),
  expiration: optional(
    fc.oneof(
      fc.constant("none"),
      fc.record({ start: optional(fc.constantFrom("2019-01-01", "2029-01-01", "none")), clicks, url: optional(url) }),
      fc.record({ start: optional(fc.constant("2019-01-01")), date, clicks, url: optional(url) }),
    ),
  ),
  targeting: optional(
    fc.constantFrom(
      null,
      { country },
      { language: { de: "https://example.com/lang" } },
      { rotation: ["https://example.com/r1"] },
      { device: { desktop: "https://example.com/desk" } },
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

/** The record in a form that version 49 can store. */
function rowOn49({ disabled, ends_at, country: byCountry, language, ...plain }: Row): SeedLink {
  return {
    ...plain,
    sensitive: disabled,
    ends_at,
    ...(ends_at !== null && plain.clicks === 0 && { starts_at: "2018-01-01T00:00:00.000Z" }),
    ...(plain.target_type === 1 && { country: byCountry }),
    ...(plain.target_type === 3 && { language }),
  };
}

type SeedLink = Partial<Link> & Pick<Link, "url">;

type Row = typeof row extends fc.Arbitrary<infer Drawn> ? Drawn : never;

it.each(SOFTWARE)(
  "shows for the files what an apply creates on %s",
  async (software) => {
    let applied = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ declared: software === "49" ? declaredOn49 : declared, row: fc.option(row) }), {
          minLength: 1,
          maxLength: 5,
        }),
        async (links) => {
          const seed = {
            account: { timezone: "Europe/Berlin" },
            pixels: ["A", "B"].map((name) => ({ name, type: "bing", value: "1234567" })),
            links: links.flatMap((link, at) =>
              link.row === null
                ? []
                : [{ ...(software === "49" ? rowOn49(link.row) : link.row), domain: 2, alias: `link-${at}` }],
            ),
          };
          const sandbox = await startSandbox({ rateLimit: 0, seed, software });
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
            // The plan reports what cannot be applied.
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
      { numRuns: runs(15) },
    );
    expect(applied).toBeGreaterThan(3);
  },
  120_000,
);
