// Where targeting sends a visitor: country, platform, language, rotation, and the query that comes along
// (docs/service.md, "Which target a visitor gets" and "Query parameters of the short URL").
import { afterEach, describe, expect, test } from "vitest";
import { type SeedState, type Sandbox, startSandbox } from "../../src/sandbox/index.ts";
import { send } from "./client.ts";

let sandbox: Sandbox;
afterEach(() => sandbox.close());

type SeedLink = NonNullable<SeedState["links"]>[number];

const OWN = "https://example.com/own";
const to = (...keys: readonly string[]): { key: string; value: string }[] =>
  keys.map((key) => ({ key, value: `https://example.com/${key.replace(" ", "-")}` }));

async function start(link: Partial<SeedLink>): Promise<void> {
  sandbox = await startSandbox({ seed: { links: [{ url: OWN, domain: 2, alias: "a", ...link }] } });
}

async function destination(headers: Readonly<Record<string, string>>, query = ""): Promise<unknown> {
  const answer = await send(sandbox.url, `/go.example.com/a${query}`, { headers });
  return answer.headers["location"];
}

describe("platform", () => {
  const ALL = to("iOS", "Android", "Windows", "OS X", "Linux", "Ubuntu", "Chrome OS");

  // Fails when a system is taken for the one that it descends from or pretends to be, or when one that is not among the
  // platforms goes anywhere but to the link's own destination.
  test.each([
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile/15E148 Safari/604.1",
      "iOS",
    ],
    [
      "Mozilla/5.0 (iPad; CPU OS 17_0 like Mac OS X) AppleWebKit/605.1.15 Version/17.0 Mobile/15E148 Safari/604.1",
      "iOS",
    ],
    ["Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36", "Android"],
    ["Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0", "Windows"],
    ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.5 Safari/605.1.15", "OS-X"],
    ["Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36", "Linux"],
    ["Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Ubuntu"],
    ["Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36", "Chrome-OS"],
    ["Mozilla/5.0 (Windows Phone 10.0; Android 6.0.1; Lumia 950) AppleWebKit/537.36 Mobile Edge/15.15254", "own"],
    ["Mozilla/5.0 (X11; FreeBSD amd64; rv:140.0) Gecko/20100101 Firefox/140.0", "own"],
  ])("%s", async (userAgent, expected) => {
    await start({ target_type: 2, platform: ALL });
    expect(await destination({ "user-agent": userAgent })).toBe(`https://example.com/${expected}`);
  });
});

describe("language", () => {
  // Fails when a browser that says no language goes astray.
  test("none", async () => {
    await start({ target_type: 3, language: to("de") });
    expect(await destination({})).toBe(OWN);
  });
});

describe("country", () => {
  // Fails when the header that stands for the address is not taken, or taken where it says no country.
  test.each([
    ["DE", "DE"],
    ["de", "DE"],
    ["FR", "own"],
    ["", "own"],
    ["DEU", "own"],
  ])("%j", async (country, expected) => {
    await start({ target_type: 1, country: to("DE", "GB") });
    expect(await destination({ "X-Sandbox-Country": country })).toBe(`https://example.com/${expected}`);
  });
});

describe("rotation", () => {
  const rotation = [{ value: "https://example.com/r1" }, { value: "https://example.com/r2" }];
  const turns = async (count: number): Promise<unknown[]> => {
    const seen: unknown[] = [];
    for (let turn = 0; turn < count; turn++) seen.push(await destination({}));
    return seen;
  };

  // Fails when the link's own destination has no slot, or not the last one, or when the turn is not kept with the link.
  test("goes r1, r2, url, r1", async () => {
    await start({ target_type: 4, rotation });
    const [r1, r2] = ["https://example.com/r1", "https://example.com/r2"];
    expect(await turns(2)).toEqual([r1, r2]);
    expect(sandbox.state().links[0]?.last_rotation).toBe(2);
    expect(await turns(3)).toEqual([OWN, r1, r2]);
  });

  // Fails when a turn that the list no longer has breaks the visit, or never comes round.
  test("begins again where the list became shorter", async () => {
    await start({ target_type: 4, rotation, last_rotation: 9 });
    expect(await turns(2)).toEqual([OWN, "https://example.com/r1"]);
    await sandbox.close();
    await start({ target_type: 4, rotation: [] });
    expect(await turns(2)).toEqual([OWN, OWN]);
  });
});

describe("groups that are not active", () => {
  const groups = {
    country: to("DE"),
    platform: to("iOS"),
    language: to("de"),
    rotation: [{ value: "https://example.com/r1" }],
  };
  const visitor = { "X-Sandbox-Country": "DE", "accept-language": "de", "user-agent": "Mozilla/5.0 (iPhone)" };

  // Fails when a group that is stored is asked although another one, or none, is active.
  test.each([
    [0, "own"],
    [1, "DE"],
    [2, "iOS"],
    [3, "de"],
    [4, "r1"],
  ])("target_type %i", async (target_type, expected) => {
    await start({ ...groups, target_type });
    expect(await destination(visitor)).toBe(`https://example.com/${expected}`);
  });
});
