// The account that the browser tests open: every state that a link can be in, with destinations on a site of this machine.
import { onTestFinished } from "vitest";
import type { Sandbox, SandboxOptions, SeedState } from "../../src/sandbox/index.ts";
import { startSite } from "../support/browser.ts";
import { startSandbox } from "../support/sandbox.ts";

export interface Opened {
  readonly sandbox: Sandbox;
  /** Where the links lead. */
  readonly site: string;
  /** A short URL of `go.example.com` as a visitor types it. */
  readonly short: (path: string) => string;
}

/** @param seed instead of the account below */
export async function openAccount(
  seed: (site: string) => SeedState = account,
  options: SandboxOptions = {},
): Promise<Opened> {
  const site = await startSite();
  const sandbox = await startSandbox({ seed: seed(site), ...options });
  onTestFinished(() => sandbox.close());
  return { sandbox, site, short: (path) => `http://go.example.com:${sandbox.port}${path}` };
}

function account(site: string): SeedState {
  return {
    account: { timezone: "Europe/Berlin" },
    pixels: [
      { name: "Meta main", type: "facebook", value: "1234567890123456" },
      { name: "Analytics", type: "google-analytics", value: "G-ABCDE12345" },
    ],
    links: [
      { domain: 2, alias: "hello", url: `${site}/hello?lang=en#top`, clicks: 1204, title: "Welcome" },
      {
        domain: 2,
        alias: "spring",
        url: `${site}/spring`,
        space: 1,
        target_type: 1,
        country: [
          { key: "DE", value: `${site}/de` },
          { key: "FR", value: `${site}/fr` },
        ],
      },
      { domain: 2, alias: "app", url: `${site}/app`, target_type: 2, platform: [{ key: "iOS", value: `${site}/ios` }] },
      {
        domain: 2,
        alias: "guide",
        url: `${site}/guide`,
        target_type: 3,
        language: [{ key: "de", value: `${site}/leitfaden` }],
      },
      { domain: 2, alias: "turns", url: `${site}/a`, target_type: 4, rotation: [{ value: `${site}/b` }] },
      { domain: 2, alias: "press", url: `${site}/press`, password: "open sesame", pixels: [2] },
      { domain: 2, alias: "pixels", url: `${site}/pixels`, pixels: [1, 2] },
      { domain: 2, alias: "over", url: `${site}/late`, ends_at: "2020-01-01T00:00:00Z" },
      { domain: 3, alias: "off", url: `${site}/off`, disabled: 1, space: 2 },
    ],
  };
}
