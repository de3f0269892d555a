// What holds of every link and every visitor. `LINKFORM_PROPERTY_RUNS` sets how many are tried.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decide, visited } from "../../src/sandbox/visit/decide.ts";
import { mergeQuery } from "../../src/sandbox/forms.ts";
import { initialState, Store } from "../../src/sandbox/store.ts";
import { SOFTWARE, type Software } from "../../src/sandbox/service.ts";
import type { Link } from "../../src/sandbox/state.ts";
import type { Visitor } from "../../src/sandbox/visit/visitor.ts";

const numRuns = Number(process.env["LINKFORM_PROPERTY_RUNS"] ?? 500);
const NOW = "2026-11-21T12:00:00.000Z";
const OVER = "https://example.com/over";
const PIXEL = { name: "A", type: "bing", value: "1" };

const web = fc.constantFrom("own", "x", "y", "z").map((path) => `https://example.com/${path}`);
const group = (keys: readonly string[]): fc.Arbitrary<readonly { key: string; value: string }[] | null> =>
  fc.option(fc.array(fc.record({ key: fc.constantFrom(...keys), value: web }), { maxLength: 3 }));
const keys = {
  country: ["DE", "FR"],
  platform: ["iOS", "Linux"],
  language: ["de", "fr"],
  continent: ["EU", "AS"],
  browser: ["Firefox", "Chrome"],
  device: ["desktop", "mobile"],
} as const;

const links = fc.record({
  url: web,
  password: fc.option(fc.constantFrom("p", "q")),
  pixels: fc.constantFrom([], [1]),
  disabled: fc.constantFrom(0, 1),
  expiration_url: fc.option(fc.constant(OVER)),
  ends_at: fc.option(fc.constantFrom("2026-11-21T11:59:59.000Z", NOW, "2026-11-21T12:00:01.000Z")),
  starts_at: fc.constantFrom(undefined, "2020-01-01T00:00:00.000Z", NOW, "2026-11-21T12:00:01.000Z"),
  sensitive: fc.constantFrom(undefined, 0, 1),
  expiration_clicks: fc.option(fc.integer({ min: 0, max: 4 })),
  clicks: fc.integer({ min: 0, max: 4 }),
  target_type: fc.integer({ min: 0, max: 7 }),
  country: group(keys.country),
  platform: group(keys.platform),
  language: group(keys.language),
  continent: group(keys.continent),
  browser: group(keys.browser),
  device: group(keys.device),
  rotation: fc.option(fc.array(fc.record({ value: web }), { maxLength: 3 })),
  last_rotation: fc.integer({ min: 0, max: 5 }),
});

const visitors: fc.Arbitrary<Visitor> = fc.record({
  country: fc.option(fc.constantFrom(...keys.country, "GB")),
  platform: fc.option(fc.constantFrom(...keys.platform, "Windows")),
  language: fc.option(fc.constantFrom(...keys.language, "en", "de-DE,en;q=0.9")),
  continent: fc.option(fc.constantFrom(...keys.continent, "OC")),
  browser: fc.option(fc.constantFrom(...keys.browser, "Safari")),
  device: fc.option(fc.constantFrom(...keys.device, "watch")),
  isCrawler: fc.boolean(),
  password: fc.option(fc.constantFrom("p", "q")),
  isWarned: fc.boolean(),
  consent: fc.option(fc.constantFrom("accepted", "refused")),
});

function serviceWith(
  link: object,
  software: Software = "4.1",
): { readonly link: Link; readonly service: Parameters<typeof decide>[3] } {
  const seed = { pixels: [PIXEL], links: [{ domain: 2, alias: "a", url: "https://example.com/", ...link }] };
  // As from a file: without the fields that are undefined.
  const store = new Store(initialState(undefined, JSON.parse(JSON.stringify(seed)), NOW), undefined);
  const stored = store.links.get(1);
  if (stored === undefined) throw new Error("The link is not there.");
  return { link: stored, service: { store, software, now: () => NOW } };
}

describe("whatever a link is like", () => {
  // Fails when gates are decided in another order, a disabled link or one with a password lets somebody in, a destination
  // is made up, or a visit changes more than the clicks and the turn of a person who got through.
  test.each(SOFTWARE)("nobody goes where they may not on %s", (software) => {
    fc.assert(
      fc.property(links, visitors, (fields, visitor) => {
        const { link, service } = serviceWith(fields, software);
        const outcome = decide(link, visitor, "", service);
        const limit = link.expiration_clicks ?? 0;
        const isNew = software === "49";
        const isPast = link.ends_at !== null && link.ends_at <= NOW;
        // 49 has a period with two ends; without one of them it has no effect.
        const isOutside =
          isNew && (link.ends_at === null || link.starts_at === undefined)
            ? false
            : isPast || (isNew && (link.starts_at ?? "") > NOW);
        const isOver = isOutside || (limit > 0 && link.clicks >= limit);
        const isLocked = link.password !== null && link.password !== visitor.password;
        const onward =
          link.pixels.length === 0 || visitor.consent === "refused"
            ? "sent on"
            : visitor.consent === "accepted"
              ? "tracked"
              : "consent";
        const isOff = link.disabled === 1;
        const isWarned = link.sensitive === 1 && !visitor.isWarned;
        const held = {
          "4.1": isOver ? "expired" : isLocked ? "password" : isOff ? "disabled" : null,
          "4.9": isOff ? "disabled" : isOver ? "expired" : isLocked ? "password" : null,
          "44": isOff ? "disabled" : isOver ? "expired" : isLocked ? "password" : null,
          "49": isOver ? "expired" : isLocked ? "password" : isWarned ? "warning" : null,
        }[software];
        expect(outcome.kind).toBe(held ?? onward);
        if (outcome.kind === "expired") expect(outcome.to).toBe(link.expiration_url);

        const after = visited(link, visitor, outcome);
        const isCounted = (outcome.kind === "sent on" || outcome.kind === "tracked") && !visitor.isCrawler;
        expect(after.clicks - link.clicks).toBe(isCounted ? 1 : 0);
        expect({ ...after, clicks: 0, last_rotation: 0 }).toEqual({ ...link, clicks: 0, last_rotation: 0 });
        if (!isCounted || link.target_type !== 4) expect(after.last_rotation).toBe(link.last_rotation);
        if (outcome.kind === "tracked") expect(outcome.to).toBe(link.url);
        if (outcome.kind !== "sent on") return;
        const { country, platform, language, rotation, continent, browser, device } = link;
        const active = [null, country, platform, language, rotation, continent, browser, device][link.target_type ?? 0];
        const isUnused = visitor.isCrawler || (isNew && active === rotation);
        const targets = isUnused ? [] : Object.values(active ?? []).map(({ value }) => value);
        expect([link.url, ...targets]).toContain(outcome.to);
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
        const person = { ...visitor, isCrawler: false };
        const turn = (): string | null => {
          const outcome = decide(link, person, "", service);
          link = visited(link, person, outcome);
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
  const name = fc.constantFrom("a", "b", "%61", "ä", "c-d");
  const pair = fc
    .tuple(name, fc.constantFrom("=1", "=x%20y", "=ü", "=%zz", "=a;b"))
    .map(([key, value]) => `${key}${value}`);
  const query = fc.array(pair, { maxLength: 4 }).map((pairs) => pairs.join("&"));
  const destination = fc
    .tuple(
      fc.option(query),
      fc.constantFrom("", "#", "#top?a=1"),
      fc.constantFrom("", "user:pw@"),
      fc.constantFrom("", ":81"),
    )
    .map(
      ([own, fragment, user, port]) => `https://${user}example.com${port}/ä${own === null ? "" : `?${own}`}${fragment}`,
    );
  const wire = (text: string): string => Buffer.from(text).toString("latin1");
  const values = (url: string): ReadonlyMap<string, string> => new Map(new URL(url).searchParams);

  // Fails when a parameter is lost or made up, when the destination's value wins over the visitor's, when the path
  // changes, when anything changes without a query, or when merging the same again changes anything.
  test("the destination keeps its own, and the visitor's come along", () => {
    fc.assert(
      fc.property(destination, query, (url, asked) => {
        const merged = mergeQuery(url, wire(asked), "44");
        if (asked === "") {
          expect(merged).toBe(url);
          return;
        }
        const [own, added, all] = [values(url), values(`https://example.com/?${asked}`), values(merged)];
        expect(all).toEqual(new Map([...own, ...added]));
        expect(merged.startsWith("https://example.com/ä?")).toBe(true);
        expect(merged).not.toContain("#");
        expect(mergeQuery(merged, wire(asked), "44")).toBe(merged);
      }),
      { numRuns },
    );
  });
});
