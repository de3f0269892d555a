// Checks the account and the comparison that tests with faults use. Fails if the mixed apply no longer sends every kind of request,
// or if the comparison misses a difference.

import { describe, expect, it } from "vitest";
import type { State } from "../../src/sandbox/index.ts";
import { differences } from "./declared.ts";
import { MIXED } from "./mixed.ts";
import { applyWithoutFault, type Reference } from "./trial.ts";

let made: Promise<Reference> | null = null;
const reference = (): Promise<Reference> => (made ??= applyWithoutFault(MIXED));

describe("the mixed apply", () => {
  it("makes every kind of change", async () => {
    const { document } = await reference();
    const count = (kind: string, action: string): number =>
      document.changes.filter((change) => change.kind === kind && change.action === action).length;
    const counts = ["create", "update", "replace", "delete"].map((action) => [
      action,
      count("pixel", action),
      count("link", action),
    ]);
    expect(counts).toEqual([
      ["create", 3, 8],
      ["update", 3, 11],
      ["replace", 0, 1],
      ["delete", 2, 3],
    ]);
  });

  it("sends every kind of request: pages, lists of names, the account, a refused path, two calls for one update", async () => {
    const { requests, seed } = await reference();
    const asked = requests.map(({ method, url }) => `${method} ${url.replace(/\d+/g, "#")}`);
    const stats = seed.links.find(({ alias }) => alias === "stats")?.id;
    expect(requests.filter(({ method, url }) => method === "PUT" && url.endsWith(`/${stats}`))).toHaveLength(2);
    expect(requests.filter(({ url }) => url.includes("/links?") && url.endsWith("page=2"))).toHaveLength(2);
    expect(new Set(asked.map((line) => line.split("?")[0]))).toEqual(
      new Set([
        "GET /api/v#/links",
        "GET /api/v#/links/#",
        "GET /index.php/api/v#/pixels",
        "GET /index.php/api/v#/pixels/#",
        "GET /api/v#/domains",
        "GET /api/v#/spaces",
        "GET /api/v#/account",
        "POST /index.php/api/v#/pixels",
        "PUT /index.php/api/v#/pixels/#",
        "DELETE /index.php/pixels/#/destroy",
        "DELETE /index.php/api/v#/pixels/#",
        "POST /api/v#/links",
        "PUT /api/v#/links/#",
        "DELETE /links/#/destroy",
        "DELETE /api/v#/links/#",
      ]),
    );
  });
});

describe("a difference from the declared state", () => {
  type Tampered = (state: State) => State;
  const alter =
    (alias: string, fields: object): Tampered =>
    (state) => ({ ...state, links: state.links.map((one) => (one.alias === alias ? { ...one, ...fields } : one)) });

  it.each<[string, Tampered, string[]]>([
    ["none", (state) => state, []],
    ["a group never set", alter("targeted", { country: null }), []],
    [
      "a link missing",
      (state) => ({ ...state, links: state.links.filter(({ alias }) => alias !== "hello") }),
      ["link new.example.com/hello is not there"],
    ],
    [
      "a field",
      alter("landing", { url: "https://example.com/old" }),
      ['link go.example.com/landing has url "https://example.com/old", not "https://example.com/new?a=1&b=%20"'],
    ],
    [
      "an unmanaged row",
      alter("theirs-4", { expiration_clicks: null }),
      ["link go.example.com/theirs-4 has expiration_clicks null, not 0"],
    ],
  ])("%s", async (_what, tamper, expected) => {
    const { declared, seed } = await reference();
    const found = differences(tamper(declared), declared, seed);
    expect(found.map(({ key, says }) => `${key} ${says}`)).toEqual(expected);
  });
});
