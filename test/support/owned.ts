// Random projects on a shared account: the files now and at the base, and the live state, consistent enough that most can be planned.

import fc, { type WeightedArbitrary } from "fast-check";
import { fold } from "../../src/sandbox/fold.ts";
import type { SeedState } from "../../src/sandbox/index.ts";
import { matches } from "./globs.ts";
import { holds } from "./sandbox.ts";
import { DOMAINS, optional, secret, url } from "./states.ts";

type Drawn<One> = One extends fc.Arbitrary<infer Value> ? Value : never;

/** Spellings that are the same key to the service. */
const ALIASES: readonly string[][] = [
  ["a", "A", "á"],
  ["b", "B", "b"],
  ["c", "Ç", "c"],
  ["ss", "ß", "SS"],
];
const PIXEL_NAMES: readonly string[][] = [
  ["P1", "p1"],
  ["P2", "P2"],
  ["P3", "p3"],
  ["Q", "q"],
];

/** One of these values. The first is `often` times as likely as each of the others. */
function mostly<Value>(often: number, usual: Value, ...others: readonly Value[]): fc.Arbitrary<Value> {
  return fc.constantFrom(...Array.from({ length: often }, () => usual), ...others);
}

/** Null `often` times as often as a value. */
function rarely<Value>(often: number, value: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> {
  const none: WeightedArbitrary<Value | null> = { weight: often, arbitrary: fc.constant(null) };
  return fc.oneof(none, { weight: 1, arbitrary: value });
}

/** A link in a file. Undefined fields are not in the file. Pixels are indices into those that it can name. */
const linkSaid = fc.record({
  url,
  space: optional(fc.constantFrom<string | null>("Marketing", "Sales", null)),
  disabled: holds("disabled links") ? mostly<boolean | undefined>(8, undefined, false, true) : fc.constant(undefined),
  password: rarely(6, secret).map((one) => one ?? undefined),
  pixels: optional(fc.array(fc.nat(3), { maxLength: 2 })),
  unspecified: mostly<string | undefined>(5, undefined, "keep"),
});

type LinkSaid = Drawn<typeof linkSaid>;

/** A pixel in a file or in the account. */
const pixelSaid = fc.record({
  type: mostly(3, "bing", "quora"),
  value: mostly(3, "1", "2"),
});

type PixelSaid = Drawn<typeof pixelSaid>;

/** A live link. Its pixels are indices into the live ones. */
const linkRow = fc.record({
  url,
  space: fc.constantFrom<number | null>(null, 1, 2),
  disabled: mostly(8, 0, 1),
  password: mostly<string | null>(6, null, "old"),
  pixels: mostly<readonly number[]>(4, [], [0], [1], [2, 3]),
  clicks: fc.nat(50),
});

/** The history of a key: declared at the base, declared now, live, to be deleted. */
interface State<Said, Row> {
  readonly base: Said | null;
  readonly now: Said | "as at the base" | null;
  readonly live: Row | "as at the base" | "as now" | null;
  readonly tombstone: "none" | "plain" | "its id" | "another id";
  readonly protect: "never" | "at the base" | "now" | "always";
  readonly spelled: Readonly<Record<Side | "live", number>>;
  /** Whether it may be outside the scope of the files. */
  readonly isStray: boolean;
}

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

const linkSlot = fc.record({
  domain: mostly<2 | 3>(2, 2, 3),
  alias: fc.constantFrom(...ALIASES),
  state: stateOf(linkSaid, linkRow),
  /** Another record whose alias folds to the same. */
  twin: rarely(24, linkRow),
});

const pixelSlot = fc.record({
  name: fc.constantFrom(...PIXEL_NAMES),
  state: stateOf(pixelSaid, pixelSaid),
});

type LinkSlot = Drawn<typeof linkSlot>;
type PixelSlot = Drawn<typeof pixelSlot>;

/** Keys in a chain of renames, by the indices of their slots. Each is the successor of the one before it. */
const keyChain = fc.record({
  slots: fc.oneof(fc.constant<number[]>([]), fc.array(fc.nat(5), { minLength: 2, maxLength: 5 })),
  /** How much of the chain the base has. */
  atBase: mostly<"nothing" | "half" | "all">(2, "nothing", "half", "all"),
  /** Each successor has the values of the slot before it, so that only the key changes. */
  isPlain: fc.boolean(),
  /** The index of the only free key, which is the last one before a run. Null if any of them may be live. */
  gap: fc.oneof<WeightedArbitrary<number | null>[]>(
    { weight: 1, arbitrary: fc.constant(null) },
    { weight: 3, arbitrary: mostly(3, 5, 0, 1, 2, 3) },
  ),
});
type Chain = Drawn<typeof keyChain>;

/** A glob of link keys. `domain` is written as its label in the files. */
const keyGlob = fc.record({
  domain: fc.constantFrom<2 | 3 | null>(2, 3, null),
  rest: fc.constantFrom("*", "?", "A", "s?", "b"),
});
const pixelGlob = fc.constantFrom("P*", "p?", "*1", "Q", "*");
export type KeyGlob = Drawn<typeof keyGlob>;
const anyGlob = fc.oneof(keyGlob, pixelGlob);

/** The labels of the domains in the files. */
const domainLabels = mostly<"names" | "short" | "crossed">(3, "names", "short", "crossed");
const limit = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constantFrom("0%", "29%", "30%", "50%", "100%"));

const guards = rarely(9, fc.tuple(keyGlob)).map((globs) => globs ?? []);
const parts = rarely(6, fc.array(anyGlob, { minLength: 1, maxLength: 2 })).map((globs) => globs ?? []);

/** Adapts records and files to the progress of the chain. */
function tidy<One extends Slot>(all: readonly One[], one: Chain): One[] {
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
        // The first key gets a new declaration or none.
        now: at === 0 && now === "as at the base" ? null : now,
        live: at === Math.min(gap, last) ? null : at < gap ? "as at the base" : "as now",
      },
    };
  });
}

const loose = fc.record({
  links: fc.uniqueArray(linkSlot, {
    minLength: 1,
    maxLength: 6,
    selector: ({ domain, alias }) => `${domain}/${alias[0]}`,
  }),
  pixels: fc.uniqueArray(pixelSlot, { maxLength: 4, selector: ({ name }) => name[0] }),
  linkChain: keyChain,
  pixelChain: keyChain,
  hasBase: fc.boolean(),
  labels: fc.record({ base: domainLabels, now: domainLabels }),
  scope: fc.option(
    fc.record({
      domains: optional(fc.subarray<2 | 3>([2, 3], { minLength: 1 })),
      spaces: optional(fc.subarray<string | null>(["Marketing", "Sales", null], { minLength: 1 })),
      pixels: optional(fc.array(pixelGlob, { minLength: 1, maxLength: 2 })),
    }),
    { freq: 2 },
  ),
  prune: fc.constantFrom<"none" | "removed" | "scope">("none", "removed", "scope"),
  protect: fc.record({ base: guards, now: guards }),
  allow: rarely(7, fc.subarray(["create", "update", "replace", "delete"], { minLength: 1 })),
  brake: rarely(4, fc.record({ deletes: limit, updates: limit })),
  targets: parts,
  excludes: parts,
  resendSecrets: mostly<string | true | undefined>(5, undefined, true, "*/a"),
  /** The number of writes after which a run is killed and repeated. */
  killedAfter: fc.nat(5),
  concurrency: fc.integer({ min: 1, max: 4 }),
});

/** A project, its base and its account. */
export type Owned = Drawn<typeof loose>;
type Scope = NonNullable<Owned["scope"]>;

/** A link and a pixel that do not change. Pruning requires at least one declared object of each kind. */
function anchors({ scope }: Owned): { link: LinkSlot; pixel: PixelSlot } {
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

/** The values of a block that has no others. */
const SOME_LINK: LinkSaid = {
  url: "https://example.com/else",
  space: undefined,
  disabled: undefined,
  password: undefined,
  pixels: undefined,
  unspecified: undefined,
};

const SOME_PIXEL: PixelSaid = { type: "bing", value: "3" };

/** The slots of a chain, as indices below `count`. */
function chained({ slots }: Chain, count: number): number[] {
  return count === 0 ? [] : [...new Set(slots.map((at) => at % count))];
}

export interface Key {
  readonly kind: "link" | "pixel";
  readonly domain: 2 | 3 | null;
  /** The alias or name, as the files spell it. */
  readonly name: string;
}

/** Equal for keys that the service treats as the same. */
export function identityOf({ kind, domain, name }: Key): string {
  return `${kind} ${domain ?? ""}/${fold(name)}`;
}

type Side = "base" | "now";
type Slot = LinkSlot | PixelSlot;

function keyOf(slot: Slot, spelled: number): Key {
  if ("alias" in slot)
    return { kind: "link", domain: slot.domain, name: slot.alias[spelled % slot.alias.length] ?? "" };
  return { kind: "pixel", domain: null, name: slot.name[spelled % slot.name.length] ?? "" };
}

/** A chain as pairs of a slot and its successor. */
function pairsOf<One>(chain: Chain, all: readonly One[]): [One, One][] {
  const slots = chained(chain, all.length).flatMap((at) => all[at] ?? []);
  return slots.slice(1).map((successor, at) => [slots[at] ?? successor, successor]);
}

/** The contents of each slot on both sides, and its predecessor. */
class Slots {
  readonly all: readonly Slot[];
  readonly successors: Readonly<Record<Side, ReadonlyMap<Slot, Slot>>>;
  readonly #isPlain: Readonly<Record<Key["kind"], boolean>>;

  constructor(input: Owned) {
    this.all = [...input.links, ...input.pixels];
    const pairs = { link: pairsOf(input.linkChain, input.links), pixel: pairsOf(input.pixelChain, input.pixels) };
    const atBase = (list: [Slot, Slot][], { atBase: share }: Chain): [Slot, Slot][] =>
      list.slice(0, { nothing: 0, half: Math.ceil(list.length / 2), all: list.length }[share]);
    this.successors = {
      now: new Map([...pairs.link, ...pairs.pixel].map(([old, successor]) => [successor, old])),
      base: new Map(
        [...atBase(pairs.link, input.linkChain), ...atBase(pairs.pixel, input.pixelChain)].map(([old, successor]) => [
          successor,
          old,
        ]),
      ),
    };
    this.#isPlain = { link: input.linkChain.isPlain, pixel: input.pixelChain.isPlain };
  }

  said(slot: Slot, side: Side): LinkSaid | PixelSaid | null {
    const { base, now } = slot.state;
    const own = side === "now" && now !== "as at the base" ? now : base;
    const old = this.successors[side].get(slot);
    if (old === undefined) return own;
    const before = old.state.base ?? (old.state.now === "as at the base" ? null : old.state.now);
    const isPlain = this.#isPlain["alias" in slot ? "link" : "pixel"];
    return (isPlain ? (before ?? own) : (own ?? before)) ?? ("alias" in slot ? SOME_LINK : SOME_PIXEL);
  }

  /** The values that the live record was created from. */
  live(slot: Slot): LinkSaid | PixelSaid | null {
    const { base, live } = slot.state;
    return (live === "as now" ? (this.said(slot, "now") ?? base) : (base ?? this.said(slot, "now"))) ?? null;
  }

  /** Whether the current files name the record with this key. */
  isNamed(slot: Slot): boolean {
    return (
      this.said(slot, "now") !== null ||
      slot.state.tombstone !== "none" ||
      [...this.successors.now.values()].includes(slot)
    );
  }
}

/** The scope; null if it limits nothing. */
function scopeOf({ scope, prune }: Owned): Scope | null {
  if (scope === null) return null;
  // Without a limit for pixels, others would use almost all that could be pruned.
  const pixels = scope.pixels ?? (prune === "scope" ? ["P*"] : undefined);
  return (scope.domains ?? scope.spaces ?? pixels) === undefined ? null : { ...scope, pixels };
}

function isIn(slot: Slot, scope: Scope): boolean {
  if ("alias" in slot) return scope.domains?.includes(slot.domain) ?? true;
  return scope.pixels === undefined || scope.pixels.some((glob) => matches(glob, keyOf(slot, 0).name));
}

function within(space: string | null | undefined, { spaces }: Scope): string | null | undefined {
  if (spaces === undefined || spaces.includes(space ?? null)) return space;
  return spaces[0];
}

/** No id of a record is higher. */
const HIGHEST_ID = 100;

/** Mirrored ids are different, but in the same order, because the newer of two records shows a partial move. */
function idOf(input: Owned, slot: Slot, which: "own" | "twin", isMirrored: boolean): number {
  const at = "alias" in slot ? input.links.indexOf(slot) : input.pixels.indexOf(slot);
  const id = at * 2 + (which === "own" ? 1 : 2);
  return isMirrored ? HIGHEST_ID / 2 + id : id;
}

const SPACES: readonly (string | null)[] = [null, "Marketing", "Sales"];

/** The account. If mirrored, its records have other ids and another order. */
export function seedOf(input: Owned, isMirrored: boolean): SeedState {
  const slots = new Slots(input);
  const scope = scopeOf(input);
  const livePixels = input.pixels.filter((slot) => slot.state.live !== null);
  const pixelIds = livePixels.map((slot) => idOf(input, slot, "own", isMirrored));
  const pixels = livePixels.map((slot) => {
    const said = typeof slot.state.live === "string" ? slots.live(slot) : slot.state.live;
    const { type, value } = said !== null && "type" in said ? said : SOME_PIXEL;
    return { id: idOf(input, slot, "own", isMirrored), name: keyOf(slot, slot.state.spelled.live).name, type, value };
  });
  const links = input.links.flatMap((slot) => {
    const { live, spelled, isStray } = slot.state;
    const said = slots.live(slot);
    const own = typeof live === "string" ? rowOf(said !== null && "url" in said ? said : SOME_LINK) : live;
    const isTheirs = scope === null || isStray || !slots.isNamed(slot) || own === null;
    const space = isTheirs ? own?.space : SPACES.indexOf(within(SPACES[own.space ?? 0], scope) ?? null) || null;
    const rows = [own === null ? null : { ...own, space: space ?? null }, slot.twin];
    return rows.flatMap((row, at) =>
      row === null
        ? []
        : [
            {
              ...row,
              id: idOf(input, slot, at === 0 ? "own" : "twin", isMirrored),
              domain: slot.domain,
              alias: keyOf(slot, spelled.live + at).name,
              pixels: row.pixels.flatMap((pixel) => pixelIds[pixel % Math.max(pixelIds.length, 1)] ?? []),
            },
          ],
    );
  });
  const turned = <Row>(rows: readonly Row[]): readonly Row[] => (isMirrored ? rows.toReversed() : rows);
  return { pixels: turned(pixels), links: turned(links), next: { link: HIGHEST_ID, pixel: HIGHEST_ID } };
}

function rowOf(said: LinkSaid): Drawn<typeof linkRow> {
  return {
    url: said.url,
    space: SPACES.indexOf(said.space ?? null) || null,
    disabled: said.disabled === true ? 1 : 0,
    password: typeof said.password === "object" ? "old" : null,
    pixels: said.pixels ?? [],
    clicks: 7,
  };
}

export interface Block {
  readonly key: Key;
  readonly from: Key | null;
  readonly protect: boolean;
  readonly said: LinkSaid | PixelSaid;
}

/** The files of a side. */
export interface Files {
  readonly labels: Readonly<Record<2 | 3, string>>;
  readonly blocks: readonly Block[];
  readonly tombstones: readonly { readonly key: Key; readonly id: number | null }[];
  readonly protect: readonly KeyGlob[];
  readonly scope: Scope | null;
  readonly prune: Owned["prune"];
  readonly allow: Owned["allow"];
  readonly brake: object;
  /** The names of pixels that links can give. */
  readonly pixels: readonly string[];
}

const LABELS = {
  names: { 2: DOMAINS[2], 3: DOMAINS[3] },
  short: { 2: "go", 3: "promo" },
  crossed: { 2: "promo", 3: "go" },
} as const;
const NO_BRAKE = { deletes: "100%", updates: "100%" };

/** The files of a side. If mirrored, the records of the account have other ids. */
export function filesOf(input: Owned, side: Side, isMirrored: boolean): Files {
  const slots = new Slots(input);
  const scope = side === "now" ? scopeOf(input) : null;
  const successors = slots.successors[side];
  const blocks = slots.all.flatMap((slot): Block[] => {
    const said = slots.said(slot, side);
    if (said === null || (scope !== null && !slot.state.isStray && !isIn(slot, scope))) return [];
    const old = successors.get(slot);
    const protect = slot.state.protect === "always" || slot.state.protect === (side === "base" ? "at the base" : "now");
    return [
      {
        key: keyOf(slot, slot.state.spelled[side]),
        from: old === undefined ? null : keyOf(old, old.state.spelled[side]),
        protect: protect && "alias" in slot,
        said:
          "url" in said && scope !== null && !slot.state.isStray ? { ...said, space: within(said.space, scope) } : said,
      },
    ];
  });
  const left = new Set(blocks.flatMap(({ from }) => (from === null ? [] : [identityOf(from)])));
  const declared = new Set(blocks.map(({ key }) => identityOf(key)));
  const tombstones = slots.all.flatMap((slot) => {
    const { tombstone, spelled, isStray } = slot.state;
    const key = keyOf(slot, spelled[side]);
    const isFree = !declared.has(identityOf(key)) && !left.has(identityOf(key));
    if (tombstone === "none" || (scope !== null && !isStray && !isIn(slot, scope))) return [];
    if (!isFree && (tombstone === "plain" || !("twin" in slot) || slot.twin === null)) return [];
    const id = idOf(input, slot, tombstone === "its id" && isFree ? "own" : "twin", isMirrored);
    return [{ key, id: tombstone === "plain" ? null : id }];
  });
  const gone = new Set(tombstones.map(({ key }) => identityOf(key)));
  const others = input.pixels.flatMap((slot) => {
    const key = keyOf(slot, 0);
    const stays = slot.state.live !== null && !left.has(identityOf(key)) && !gone.has(identityOf(key));
    return stays && !declared.has(identityOf(key)) && input.prune === "none" ? [key.name] : [];
  });
  return {
    labels: LABELS[input.labels[side]],
    blocks,
    tombstones,
    protect: input.protect[side],
    scope,
    prune: side === "base" ? "none" : input.prune === "scope" && scope === null ? "removed" : input.prune,
    allow: side === "now" ? input.allow : null,
    brake: side === "now" ? (input.brake ?? NO_BRAKE) : NO_BRAKE,
    pixels: [...blocks.flatMap(({ key }) => (key.kind === "pixel" ? [key.name] : [])), ...others],
  };
}

/** A key as written in the files of a side. */
export function written({ kind, domain, name }: Key, { labels }: Pick<Files, "labels">): string {
  return kind === "pixel" || domain === null ? name : `${labels[domain]}/${name}`;
}

/** A glob of keys as written in the files of a side. */
export function globText(glob: KeyGlob | string, { labels }: Pick<Files, "labels">): string {
  return typeof glob === "string" ? glob : `${glob.domain === null ? "*" : labels[glob.domain]}/${glob.rest}`;
}

/** The project file as JSON, which is YAML. `isReversed` reverses the order of its blocks. */
export function projectText(files: Files, isReversed: boolean): string {
  const { blocks, tombstones, scope } = files;
  const order = <One>(list: readonly One[]): readonly One[] => (isReversed ? list.toReversed() : list);
  const section = (kind: Key["kind"]): object =>
    Object.fromEntries(
      order(blocks.filter(({ key }) => key.kind === kind)).map(({ key, from, protect, said }) => [
        written(key, files),
        {
          ...said,
          ...("url" in said && said.pixels !== undefined
            ? { pixels: [...new Set(said.pixels.flatMap((at) => files.pixels[at % files.pixels.length] ?? []))] }
            : {}),
          ...(from === null ? {} : { renamed_from: written(from, files) }),
          ...(protect ? { protect: true } : {}),
        },
      ]),
    );
  const absent = (kind: Key["kind"]): object[] =>
    order(tombstones.filter(({ key }) => key.kind === kind)).map(({ key, id }) => ({
      [written(key, files)]: id === null ? null : { id },
    }));
  return JSON.stringify({
    version: 1,
    service: { base_url: "https://short.example.com" },
    domains: Object.fromEntries(([2, 3] as const).map((id) => [files.labels[id], { id, name: DOMAINS[id] }])),
    spaces: { Marketing: 1, Sales: 2 },
    ...(scope === null ? {} : { scope: { ...scope, domains: scope.domains?.map((id) => files.labels[id]) } }),
    prune: files.prune,
    protect: files.protect.map((glob) => globText(glob, files)),
    ...(files.allow === null ? {} : { allow: files.allow }),
    brake: files.brake,
    pixels: section("pixel"),
    links: section("link"),
    absent: { links: absent("link"), pixels: absent("pixel") },
  });
}
