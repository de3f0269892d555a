// What holds of every link and every visitor. `LINKFORM_PROPERTY_RUNS` sets how many are tried.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decide, visited } from "../../src/sandbox/visit/decide.ts";
import { mergeQuery } from "../../src/sandbox/visit/merge-query.ts";
import { initialState, Store } from "../../src/sandbox/store.ts";
import type { Link } from "../../src/sandbox/state.ts";
import type { Visitor } from "../../src/sandbox/visit/visitor.ts";

const numRuns = Number(process.env["LINKFORM_PROPERTY_RUNS"] ?? 500);
const NOW = "2026-11-21T12:00:00.000Z";
const OVER = "https://example.com/over";
const PIXEL = { name: "A", type: "bing", value: "1" };

const web = fc.constantFrom("own", "x", "y", "z").map((path) => `https://example.com/${path}`);
const group = (keys: readonly string[]): fc.Arbitrary<readonly { key: string; value: string }[] | null> =>
  fc.option(fc.array(fc.record({ key: fc.constantFrom(...keys), value: web }), { maxLength: 3 }));
const keys = { country: ["DE", "FR"], platform: ["iOS", "Linux"], language: ["de", "fr"] } as const;

const links = fc.record({
  url: web,
  password: fc.option(fc.constantFrom("p", "q")),
  pixels: fc.constantFrom([], [1]),
  disabled: fc.constantFrom(0, 1),
  expiration_url: fc.option(fc.constant(OVER)),
  ends_at: fc.option(fc.constantFrom("2026-11-21T11:59:59.000Z", NOW, "2026-11-21T12:00:01.000Z")),
  expiration_clicks: fc.option(fc.integer({ min: 0, max: 4 })),
  clicks: fc.integer({ min: 0, max: 4 }),
  target_type: fc.integer({ min: 0, max: 4 }),
  country: group(keys.country),
  platform: group(keys.platform),
  language: group(keys.language),
  rotation: fc.option(fc.array(fc.record({ value: web }), { maxLength: 3 })),
  last_rotation: fc.integer({ min: 0, max: 5 }),
});

const visitors: fc.Arbitrary<Visitor> = fc.record({
  country: fc.option(fc.constantFrom(...keys.country, "GB")),
  platform: fc.option(fc.constantFrom(...keys.platform, "Windows")),
  language: fc.option(fc.constantFrom(...keys.language, "en")),
  isBot: fc.boolean(),
  password: fc.option(fc.constantFrom("p", "q")),
});

function serviceWith(link: object): { readonly link: Link; readonly service: Parameters<typeof decide>[3] } {
  const seed = { pixels: [PIXEL], links: [{ domain: 2, alias: "a", url: "https://example.com/", ...link }] };
  const store = new Store(initialState(undefined, seed, NOW), undefined);
  const stored = store.links.get(1);
  if (stored === undefined) throw new Error("The link is not there.");
  return { link: stored, service: { store, software: "4.1", now: () => NOW } };
}

describe("whatever a link is like", () => {
  // Fails when expiry is not decided first, a disabled link or one with a password lets somebody in, a destination is
  // made up, or a visit changes more than the clicks of a person and the turn.
  test("nobody goes where they may not", () => {
    fc.assert(
      fc.property(links, visitors, (fields, visitor) => {
        const { link, service } = serviceWith(fields);
        const outcome = decide(link, visitor, "", service);
        const limit = link.expiration_clicks ?? 0;
        const isOver = (link.ends_at !== null && link.ends_at <= NOW) || (limit > 0 && link.clicks >= limit);
        const isLocked = link.password !== null && link.password !== visitor.password;
        const expected = isOver ? "expired" : link.disabled === 1 ? "disabled" : isLocked ? "password" : "sent on";
        expect(outcome.kind).toBe(expected);
        if (outcome.kind === "expired") expect(outcome.to).toBe(link.expiration_url);

        const after = visited(link, visitor, outcome);
        const isSentOn = outcome.kind === "sent on";
        expect(after.clicks - link.clicks).toBe(isSentOn && !visitor.isBot ? 1 : 0);
        expect({ ...after, clicks: 0, last_rotation: 0 }).toEqual({ ...link, clicks: 0, last_rotation: 0 });
        if (!isSentOn || link.target_type !== 4) expect(after.last_rotation).toBe(link.last_rotation);
        if (!isSentOn) return;
        const groups = [link.country, link.platform, link.language, link.rotation];
        const active = link.target_type === 0 ? null : (groups[link.target_type - 1] ?? null);
        const offered = [link.url, ...Object.values(active ?? []).map(({ value }) => value)];
        expect(offered).toContain(outcome.to);
      }),
      { numRuns },
    );
  });

  // Fails when a rotation leaves out a slot, or one comes twice, before all had their turn, wherever it stands.
  test("a round of a rotation is every destination once", () => {
    const distinct = fc
      .integer({ min: 0, max: 5 })
      .map((size) => Array.from({ length: size }, (_, at) => ({ value: `https://example.com/r${at}` })));
    fc.assert(
      fc.property(distinct, fc.nat({ max: 9 }), visitors, (rotation, last_rotation, visitor) => {
        let { link, service } = serviceWith({ target_type: 4, rotation, last_rotation });
        const turn = (): string | null => {
          const outcome = decide(link, visitor, "", service);
          link = visited(link, visitor, outcome);
          return outcome.kind === "sent on" ? outcome.to : null;
        };
        if (last_rotation > rotation.length) turn();
        const round = [link.url, ...rotation].map(turn);
        expect(new Set(round)).toEqual(new Set([link.url, ...rotation.map(({ value }) => value)]));
      }),
      { numRuns },
    );
  });
});

describe("whatever the query", () => {
  const name = fc.constantFrom("a", "b", "c[]", "%61", "ä", "");
  const pair = fc
    .tuple(name, fc.constantFrom("", "=", "=1", "=x%20y", "=ü", "=%zz"))
    .map(([key, value]) => `${key}${value}`);
  const query = fc.array(pair, { maxLength: 4 }).map((pairs) => pairs.join("&"));
  const destination = fc
    .tuple(fc.option(query), fc.constantFrom("", "#", "#top?a=1"))
    .map(([own, fragment]) => `https://example.com/ä${own === null ? "" : `?${own}`}${fragment}`);
  const wire = (text: string): string => Buffer.from(text).toString("latin1");
  const values = (url: string): ReadonlyMap<string, string[]> => {
    const params = new URL(url).searchParams;
    return new Map([...params.keys()].map((key) => [key, params.getAll(key)]));
  };

  // Fails when a parameter is lost or made up, when the destination's value wins over the visitor's, when something
  // before the query or the fragment changes, or when merging the same again changes anything.
  test("the destination keeps its own, and the visitor's come along", () => {
    fc.assert(
      fc.property(destination, query, (url, asked) => {
        const merged = mergeQuery(url, wire(asked));
        const [own, added, all] = [values(url), values(`https://example.com/?${asked}`), values(merged)];
        if (added.size === 0) expect(merged.replace(/[?&=]/g, "")).toBe(`${url}${asked}`.replace(/[?&=]/g, ""));
        else expect(all).toEqual(new Map([...own, ...added]));
        expect(new URL(merged).hash).toBe(new URL(url).hash);
        expect(merged.startsWith("https://example.com/ä")).toBe(true);
        expect(mergeQuery(merged, wire(asked))).toBe(merged);
      }),
      { numRuns },
    );
  });
});
