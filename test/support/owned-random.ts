// Random projects on an account that they share with others.

import fc, { type WeightedArbitrary } from "fast-check";
import {
  chained,
  SOME_LINK,
  SOME_PIXEL,
  type Chain,
  type KeyGlob,
  type Labels,
  type LinkRow,
  type LinkSaid,
  type LinkSlot,
  type Owned,
  type PixelSaid,
  type PixelSlot,
  type State,
} from "./owned.ts";
import { holds } from "./sandbox.ts";
import { optional, secret, url } from "./states.ts";

/** What the service takes for one key, in several spellings. */
const ALIASES = [
  ["a", "A", "á"],
  ["b", "B", "b"],
  ["c", "Ç", "c"],
  ["ss", "ß", "SS"],
] as const;
const PIXEL_NAMES = [
  ["P1", "p1"],
  ["P2", "P2"],
  ["P3", "p3"],
  ["Q", "q"],
] as const;

/** One of several values, the first so many times as often as each of the others. */
function mostly<Value>(often: number, usual: Value, ...others: readonly Value[]): fc.Arbitrary<Value> {
  return fc.constantFrom(...Array.from({ length: often }, () => usual), ...others);
}

const linkSaid: fc.Arbitrary<LinkSaid> = fc.record({
  url,
  space: optional(fc.constantFrom("Marketing", "Sales", null)),
  disabled: holds("disabled links") ? mostly<boolean | undefined>(8, undefined, false, true) : fc.constant(undefined),
  password: fc.oneof({ weight: 6, arbitrary: fc.constant(undefined) }, secret),
  pixels: optional(fc.array(fc.nat(3), { maxLength: 2 })),
  unspecified: mostly<string | undefined>(5, undefined, "keep"),
});

const pixelSaid: fc.Arbitrary<PixelSaid> = fc.record({
  type: mostly(3, "bing", "quora"),
  value: mostly(3, "1", "2"),
});

const linkRow: fc.Arbitrary<LinkRow> = fc.record({
  url,
  space: fc.constantFrom(null, 1, 2),
  disabled: mostly(8, 0, 1),
  password: mostly<string | null>(6, null, "old"),
  pixels: mostly<readonly number[]>(4, [], [0], [1], [2, 3]),
  clicks: fc.nat(50),
});

function stateOf<Said, Row>(said: fc.Arbitrary<Said>, row: fc.Arbitrary<Row>): fc.Arbitrary<State<Said, Row>> {
  const spelling = mostly(5, 0, 1, 2);
  return fc.record({
    base: fc.option(said, { freq: 3, nil: null }),
    now: fc.oneof<WeightedArbitrary<Said | "as at the base" | null>[]>(
      { weight: 3, arbitrary: fc.constant<"as at the base">("as at the base") },
      { weight: 3, arbitrary: fc.constant(null) },
      { weight: 2, arbitrary: said },
    ),
    live: fc.oneof<WeightedArbitrary<Row | "as at the base" | "as now" | null>[]>(
      { weight: 3, arbitrary: fc.constant<"as at the base">("as at the base") },
      { weight: 1, arbitrary: fc.constant<"as now">("as now") },
      { weight: 1, arbitrary: fc.constant(null) },
      { weight: 2, arbitrary: row },
    ),
    tombstone: mostly<"none" | "plain" | "its id" | "another id">(3, "none", "plain", "its id", "another id"),
    protect: mostly<"never" | "at the base" | "now" | "always">(30, "never", "at the base", "now", "always"),
    spelled: fc.record({ base: spelling, now: spelling, live: spelling }),
    isStray: mostly(25, false, true),
  });
}

const linkSlot: fc.Arbitrary<LinkSlot> = fc.record({
  domain: mostly<2 | 3>(2, 2, 3),
  alias: fc.constantFrom(...ALIASES),
  state: stateOf(linkSaid, linkRow),
  twin: fc.oneof({ weight: 24, arbitrary: fc.constant(null) }, linkRow),
});

const pixelSlot: fc.Arbitrary<PixelSlot> = fc.record({
  name: fc.constantFrom(...PIXEL_NAMES),
  state: stateOf(pixelSaid, pixelSaid),
});

const chain: fc.Arbitrary<Chain> = fc.record({
  slots: fc.oneof(fc.constant([]), fc.array(fc.nat(5), { minLength: 2, maxLength: 5 })),
  atBase: mostly<"nothing" | "half" | "all">(2, "nothing", "half", "all"),
  isPlain: fc.boolean(),
  gap: fc.oneof({ weight: 1, arbitrary: fc.constant(null) }, { weight: 3, arbitrary: mostly(3, 5, 0, 1, 2, 3) }),
});

const keyGlob: fc.Arbitrary<KeyGlob> = fc.record({
  domain: fc.constantFrom<2 | 3 | null>(2, 3, null),
  rest: fc.constantFrom("*", "?", "A", "s?", "b"),
});
const pixelGlob = fc.constantFrom("P*", "p?", "*1", "Q", "*");
const anyGlob: fc.Arbitrary<KeyGlob | string> = fc.oneof(keyGlob, pixelGlob);

const labels = mostly<Labels>(3, "names", "short", "crossed");
const limit: fc.Arbitrary<number | string> = fc.oneof(
  fc.integer({ min: 0, max: 3 }),
  fc.constantFrom("0%", "29%", "30%", "50%", "100%"),
);

const guards: fc.Arbitrary<readonly KeyGlob[]> = fc.oneof({ weight: 9, arbitrary: fc.constant([]) }, fc.tuple(keyGlob));
const parts: fc.Arbitrary<readonly (KeyGlob | string)[]> = fc.oneof(
  { weight: 6, arbitrary: fc.constant([]) },
  fc.array(anyGlob, { minLength: 1, maxLength: 2 }),
);

/** Makes rows and files fit what the chain says of how far it has come. */
function tidy<Slot extends LinkSlot | PixelSlot>(all: readonly Slot[], one: Chain): Slot[] {
  const { gap } = one;
  const places = chained(one, all.length);
  const last = places.length - 1;
  if (gap === null || last < 1) return [...all];
  return all.map((slot, index) => {
    const at = places.indexOf(index);
    const { now } = slot.state;
    if (at < 0) return slot;
    return {
      ...slot,
      state: {
        ...slot.state,
        base: at === last ? null : slot.state.base,
        // Its first key is declared anew, or no longer.
        now: at === 0 && now === "as at the base" ? null : now,
        live: at === Math.min(gap, last) ? null : at < gap ? "as at the base" : "as now",
      },
    };
  });
}

const loose: fc.Arbitrary<Owned> = fc.record({
  links: fc.uniqueArray(linkSlot, {
    minLength: 1,
    maxLength: 6,
    selector: ({ domain, alias }) => `${domain}/${alias[0]}`,
  }),
  pixels: fc.uniqueArray(pixelSlot, { maxLength: 4, selector: ({ name }) => name[0] }),
  linkChain: chain,
  pixelChain: chain,
  hasBase: fc.boolean(),
  labels: fc.record({ base: labels, now: labels }),
  scope: fc.option(
    fc.record({
      domains: optional(fc.subarray<2 | 3>([2, 3], { minLength: 1 })),
      spaces: optional(fc.subarray(["Marketing", "Sales", null], { minLength: 1 })),
      pixels: optional(fc.array(pixelGlob, { minLength: 1, maxLength: 2 })),
    }),
    { freq: 2 },
  ),
  prune: fc.constantFrom<"none" | "removed" | "scope">("none", "removed", "scope"),
  protect: fc.record({ base: guards, now: guards }),
  allow: fc.oneof(
    { weight: 7, arbitrary: fc.constant(null) },
    fc.subarray(["create", "update", "replace", "delete"], { minLength: 1 }),
  ),
  brake: fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, fc.record({ deletes: limit, updates: limit })),
  targets: parts,
  excludes: parts,
  resendSecrets: mostly<string | true | undefined>(5, undefined, true, "*/a"),
  killedAfter: fc.nat(5),
  concurrency: fc.integer({ min: 1, max: 4 }),
});

/** A link and a pixel that stay as they are: where nothing of a kind is declared, nothing may be pruned. */
function anchors({ scope }: Owned): { readonly link: LinkSlot; readonly pixel: PixelSlot } {
  const rest = { tombstone: "none", protect: "never", spelled: { base: 0, now: 0, live: 0 }, isStray: false } as const;
  const state = { ...rest, now: "as at the base", live: "as at the base" } as const;
  const [domain = 2] = scope?.domains ?? [];
  return {
    link: { domain, alias: ["anchor"], twin: null, state: { ...state, base: SOME_LINK } },
    pixel: { name: ["P0"], state: { ...state, base: SOME_PIXEL } },
  };
}

export const owned: fc.Arbitrary<Owned> = fc.tuple(loose, mostly(9, true, false)).map(([input, isAnchored]) => {
  const { link, pixel } = anchors(input);
  return {
    ...input,
    links: tidy(isAnchored ? [...input.links, link] : input.links, input.linkChain),
    pixels: tidy(isAnchored ? [...input.pixels, pixel] : input.pixels, input.pixelChain),
  };
});
