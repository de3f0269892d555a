// For random accounts: the lines that --show-unmanaged prints, pasted into the project, plan no change, and leave nothing
// unmanaged but what was said to be beyond any file. Fails if a value is written in other words than it is read in, if the
// project's defaults or zones get at what is pasted, or if a text from the service breaks out of its line.

import { rm } from "node:fs/promises";
import path from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { plan } from "../../src/cli/plan.ts";
import { fold } from "../../src/domain/fold.ts";
import type { SeedState } from "../../src/sandbox/index.ts";
import { randomSoftware, startSandbox } from "../support/sandbox.ts";
import { runIn, temporaryFolder, writeFiles, type Ran } from "../support/scenario.ts";
import type { PlanDocument } from "../../src/report/json/schema.ts";

const SPACES = [
  "Marketing",
  "marketing",
  "2024",
  "a: b # c",
  "- x",
  "na/me",
  "line\nbreak",
  " wide ",
  "{",
  "🎈",
  "null",
  "\u202edlog",
];

const PIXELS = [
  "Meta: main",
  "- x",
  "# x",
  "{",
  "'q'",
  '"',
  "<<",
  "null",
  "\u202ebidi",
  "*a",
  "🎈 !",
  "2024",
  "ключ",
  "a, b]",
];

const DOMAINS = [
  { id: 1, name: "short.example.com", shared: true },
  { id: 2, name: "go.example.com" },
  { id: 3, name: "promo.example.com" },
  { id: 4, name: "2" },
  { id: 5, name: "GO.example.com" },
];

const ALIASES = ["sale", "SALE", "2024", "0123", "null", "on", "__proto__", "ПРОМО", "a_b", "a-b", "ä", "-", "~"];
const BEYOND = ["~"];

const url = fc
  .constantFrom("a", "ü?x=1&y=%20", "c#frag", "?a=b:%20", "'%22*")
  .map((end) => `https://example.com/${end}`);
const instants = fc.constantFrom(
  "2020-01-01T00:00:00.000Z",
  "2027-03-28T00:30:00.000Z",
  "2027-10-31T00:30:00.000Z",
  "2027-10-31T01:30:00.000Z",
  "2030-06-01T12:00:07.000Z",
);

const mapGroup = (keys: readonly string[]): fc.Arbitrary<{ key: string; value: string }[] | null> =>
  fc.option(fc.uniqueArray(fc.record({ key: fc.constantFrom(...keys), value: url }), { selector: ({ key }) => key }));
const rotation = fc.option(fc.array(fc.record({ value: url }), { maxLength: 3 }));

/** As the service's pages would leave it, and as they would not: what is in force is empty, a key is there twice. */
const targeting = fc.oneof(
  { weight: 2, arbitrary: fc.constant({ target_type: 0 }) },
  fc.record({ target_type: fc.constantFrom(0, 1), country: mapGroup(["DE", "FR"]) }),
  fc.record({ target_type: fc.constantFrom(0, 2, 4), platform: mapGroup(["iOS", "OS X"]), rotation }),
  fc.record({ target_type: fc.constantFrom(3, 4), language: mapGroup(["de", "en"]), rotation }),
  fc.record({ target_type: fc.integer({ min: 0, max: 4 }), country: mapGroup(["DE", "xx"]), rotation }),
  fc.constant({
    target_type: 1,
    country: ["a", "b"].map((end) => ({ key: "DE", value: `https://example.com/${end}` })),
  }),
);

const link = fc.record({
  url: fc.oneof({ weight: 20, arbitrary: url }, { weight: 1, arbitrary: fc.constant("https://exa mple/{") }),
  domain: fc.constantFrom(...DOMAINS.map(({ id }) => id)),
  alias: fc.constantFrom(...ALIASES),
  space: fc.constantFrom(null, ...SPACES.map((_, at) => at + 1)),
  disabled: fc.constantFrom(0, 1),
  privacy: fc.constantFrom(0, 1, 2),
  password: fc.constantFrom(null, "old"),
  privacy_password: fc.constantFrom(null, "old"),
  pixels: fc.subarray(PIXELS.map((_, at) => at + 1)),
  expiration_url: fc.option(url),
  ends_at: fc.option(instants),
  expiration_clicks: fc.constantFrom(null, 0, 5),
  clicks: fc.integer({ min: 0, max: 9 }),
  targeting,
});

const account = fc.record({
  software: randomSoftware,
  timezone: fc.constantFrom("UTC", "Europe/Berlin", "America/New_York"),
  /** What the project says of zones, besides what the service does. */
  zones: fc.record({
    timezone: fc.constantFrom(undefined, "Europe/Berlin"),
    isStated: fc.boolean(),
  }),
  defaults: fc.constantFrom<object>(
    {},
    { space: "Marketing", domain: 3 },
    { privacy: "private", disabled: true, expiration: { time: "18:00", clicks: 7 } },
    {
      password: { env: "LINKFORM_SECRET_SALE_PASSWORD" },
      pixels: ["{"],
      targeting: { country: { DE: "https://de.example" } },
    },
    { expiration: { date: "2030-01-01", url: "https://example.com/over" } },
  ),
  unspecified: fc.constantFrom("reset", "keep"),
  links: fc.uniqueArray(link, { minLength: 1, maxLength: 6, selector: ({ domain, alias }) => `${domain}/${alias}` }),
});

type Account = typeof account extends fc.Arbitrary<infer Value> ? Value : never;

function seedOf({ timezone, links }: Account): SeedState {
  return {
    account: { timezone },
    domains: DOMAINS,
    spaces: SPACES.map((name) => ({ name })),
    pixels: PIXELS.map((name) => ({ name, type: "bing", value: "1234567" })),
    links: links.map(({ targeting: groups, ...row }) => ({ ...row, ...groups })),
  };
}

function projectOf(baseUrl: string, { timezone, zones, defaults, unspecified }: Account): string {
  return JSON.stringify({
    version: 1,
    service: { base_url: baseUrl, ...(zones.isStated && { account_timezone: timezone }) },
    ...(zones.timezone !== undefined && { timezone: zones.timezone }),
    spaces: { Marketing: 1 },
    unspecified,
    defaults: { link: defaults },
  });
}

/** The YAML sections, without the sentences below them. */
function pasted(out: string): string {
  const sections = out.slice(out.search(/^(pixels|links):$/m));
  return sections.slice(0, sections.search(/^[A-Z\d]/m));
}

/** Whether no file can declare this link: by its alias, or because another one folds to its key. */
function isBeyond(one: Account["links"][number], { links }: Account): boolean {
  const twins = links.filter(({ domain, alias }) => domain === one.domain && fold(alias) === fold(one.alias));
  return twins.length > 1 || BEYOND.includes(one.alias);
}

async function check(folder: string, input: Account): Promise<number> {
  const sandbox = await startSandbox({ rateLimit: 0, software: input.software, seed: seedOf(input) });
  const run = async (format: "text" | "json"): Promise<Ran> =>
    runIn(folder, { LINKFORM_API_KEY: sandbox.apiKey }, (world) =>
      plan(world, { showUnmanaged: true, format: [format] }),
    );
  try {
    await rm(path.join(folder, "links"), { recursive: true, force: true });
    await writeFiles(folder, { "linkform.yaml": projectOf(sandbox.url, input) });
    const { out, err } = await run("text");
    expect(err).toBe("");
    expect(out.match(/[^\P{Cc}\n]|\u202e/gu)).toBeNull();
    const before: PlanDocument = JSON.parse((await run("json")).out);
    const beyond = (before.unmanaged ?? []).filter(({ declare }) => declare === null);

    await writeFiles(folder, { "links/adopted.yaml": pasted(out) });
    const after: PlanDocument = JSON.parse((await run("json")).out);
    expect(after.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    expect({ changes: after.changes, unmanaged: after.unmanaged }).toEqual({ changes: [], unmanaged: beyond });
    const kept = (pasted(out).match(/no file can express/g) ?? []).length;
    const expected = input.links.filter((one) => isBeyond(one, input)).length;
    // Beyond these only what `defaults` of the project stand against.
    const isPlain = Object.keys(input.defaults).length === 0;
    if (isPlain) expect(beyond).toHaveLength(expected);
    return input.links.length - beyond.length - kept;
  } finally {
    await sandbox.close();
  }
}

it("show what is unmanaged, paste it, plan: nothing changes and nothing is left", async () => {
  const folder = await temporaryFolder();
  let [links, whole] = [0, 0];
  await fc.assert(
    fc.asyncProperty(account, async (input) => {
      whole += await check(folder, input);
      links += input.links.length;
    }),
    { numRuns: Number(process.env["LINKFORM_PROPERTY_RUNS"] ?? 100), endOnFailure: false },
  );
  // A property that is hardly ever put to the test shows nothing.
  expect(whole).toBeGreaterThan(links / 4);
}, 240_000);
