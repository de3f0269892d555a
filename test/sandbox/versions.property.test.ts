// Any account is the same account on every version. `LINKFORM_PROPERTY_RUNS` sets how many are tried.
import fc from "fast-check";
import { expect, test } from "vitest";
import { startSandbox, type SeedState, type Software, type State } from "../../src/sandbox/index.ts";
import { liveInput, randomLive } from "../support/live-random.ts";
import { accountOf } from "./client.ts";

const numRuns = Number(process.env["LINKFORM_PROPERTY_RUNS"] ?? 15);

type Row = Readonly<Record<string, unknown>>;

interface Served {
  readonly state: State;
  /** The links as this version shows them, by their ids. */
  readonly links: readonly Row[];
}

/** What one version makes of a state that it takes over. */
async function serve(software: Software, seed: SeedState): Promise<Served> {
  const sandbox = await startSandbox({ software, seed, rateLimit: 0 });
  try {
    const body: unknown = await accountOf(sandbox).get("links?per_page=100&sort=asc");
    return { state: sandbox.state(), links: isRows(body) ? body.data : [] };
  } finally {
    await sandbox.close();
  }
}

const isRows = (body: unknown): body is { data: Row[] } => typeof body === "object" && body !== null && "data" in body;

const GROUPS = ["", "country_target", "platform_target", "language_target", "rotation_target"] as const;

/** A link of 49, from what 44 shows of it. Without a type, 49 shows at most that something was cleared. */
function in49(link: Row): Row {
  const { target_type, country_target, platform_target, language_target, rotation_target, ...rest } = link;
  const { disabled: _disabled, password, privacy_password, expiration_clicks, ends_at, ...same } = rest;
  const group = GROUPS[Number(target_type)];
  const groups = [country_target, platform_target, language_target, rotation_target];
  const isCleared = groups.some((one) => Array.isArray(one) && one.length === 0);
  return {
    ...same,
    targets_type: [null, "countries", "operating_systems", "languages", "rotations"][Number(target_type)],
    targets: group ? link[group] : isCleared ? [] : null,
    sensitive_content: null,
    redirect_password: password,
    password: privacy_password,
    clicks_limit: expiration_clicks,
    active_period_start_at: null,
    active_period_end_at: ends_at,
    expires_at: null,
    short_url: expect.any(String),
  };
}

// Fails when a version changes a state by taking it over, shows other values than another one, or hides a link.
test("is served alike by all versions", { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(liveInput({ links: 40, pixels: 6 }), async (input) => {
      const first = await serve("4.1", randomLive(input));
      const [v4_9, v44, v49] = [
        await serve("4.9", first.state),
        await serve("44", first.state),
        await serve("49", first.state),
      ];
      for (const { state } of [v4_9, v44, v49]) expect(state).toEqual(first.state);
      expect(first.links.map(({ id }) => id)).toEqual(first.state.links.map(({ id }) => id).toSorted((a, b) => a - b));
      const renamed = JSON.parse(JSON.stringify(v4_9.links).replaceAll('"type":"twitter"', '"type":"x"'));
      expect(v44.links).toEqual(renamed);
      expect(v49.links).toEqual(v44.links.map(in49));
    }),
    { numRuns },
  );
});
