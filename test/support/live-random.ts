// Random accounts as after years of manual changes, for code that reads the live state. Up to thousands of links.

import fc from "fast-check";
import { fold } from "../../src/domain/fold.ts";
import { instantOf, wallTimeOf } from "../../src/domain/zone.ts";
import type { Entry, Group, Link, Pixel, SeedState } from "../../src/sandbox/index.ts";
import { fold as sandboxFold } from "../../src/sandbox/fold.ts";
import { blankLink } from "../../src/sandbox/seed.ts";
import { Random } from "./random.ts";

/** The input for an account. Fewer records of the same seed are the first of them. */
interface LiveInput {
  readonly seed: number;
  readonly links: number;
  readonly pixels: number;
}

/** A state with all stored columns of its records. */
export interface LiveSeed extends SeedState {
  readonly account: { readonly timezone: string };
  readonly domains: NonNullable<SeedState["domains"]>;
  readonly spaces: readonly { readonly id: number; readonly name: string }[];
  readonly pixels: readonly Pixel[];
  readonly links: readonly Link[];
}

type Identity = Pick<Link, "id" | "domain" | "alias">;

/** What links can refer to. */
type Around = Pick<LiveSeed, "account" | "spaces" | "pixels">;

/** The time of the test: some expirations are before it, and some after it. */
const NOW = "2026-11-21T12:00:00Z";
const DATES = { created_at: "2025-01-02T03:04:05.000Z", updated_at: "2026-01-02T03:04:05.000Z" };
const ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe"] as const;
const SPACES = [..."null 2024 sales 🎉 a/b on - 春".split(" "), "Vertrieb & Co: Süd", "# 1", "Sales #2"];
const DOMAINS = [
  { id: 1, name: "short.example.com", shared: true },
  { id: 2, name: "go.example.com" },
  { id: 3, name: "promo.example.com" },
] as const;
const COUNTRIES = ["DE", "FR", "US", "GB", "AT", "CH", "NO", "JP", "BR", "IN", "ZA", "UA"] as const;
const PLATFORMS = ["iOS", "Android", "Windows", "OS X", "Linux", "Ubuntu", "Chrome OS"] as const;
const LANGUAGES = ["de", "en", "fr", "no", "ja", "pt", "uk", "zh", "os"] as const;
const TYPES =
  "adroll bing facebook google-ads google-analytics google-tag-manager linkedin pinterest quora twitter".split(" ");

/** What fast-check draws and shrinks, for `randomLive`. */
export function liveInput(most: Omit<LiveInput, "seed">): fc.Arbitrary<LiveInput> {
  return fc.record({
    links: fc.integer({ min: 0, max: most.links }),
    pixels: fc.integer({ min: 0, max: most.pixels }),
    seed: fc.noShrink(fc.integer({ min: 0, max: 2 ** 31 - 1 })),
  });
}

/** The initial account of a sandbox, the same for the same input. If spoiled, some records have values that no file can express. */
export function randomLive(input: LiveInput, { isSpoiled = false }: { readonly isSpoiled?: boolean } = {}): LiveSeed {
  const random = new Random(input.seed);
  const named = ["Marketing", "Sales", ...random.some(SPACES, 4)];
  const spaces = named.map((name, at) => ({ id: at + 1, name }));
  const usualDomain = random.pick([1, 2, 2, 3]);
  const taken = new Taken();
  const pixels = Array.from({ length: input.pixels }, (_, at): Pixel => {
    const own = new Random(input.seed * 37 + at * 11 + 5);
    return { id: at * 2 + 1, name: newPixelName(own, taken), ...pixelOf(own), ...DATES };
  });
  const state = { account: { timezone: random.pick(ZONES) }, domains: DOMAINS, spaces, pixels };
  const links: Link[] = [];
  for (let at = 0, id = 0; at < input.links; at += 1) {
    const own = new Random(input.seed * 31 + at * 7 + 1);
    id += own.chance(0.2) ? own.between(2, 9) : 1;
    const domain = own.chance(0.7) ? usualDomain : own.between(1, 3);
    links.push(linkOf(own, { id, domain, alias: newAlias(own, domain, links, taken) }, state));
  }
  return isSpoiled ? spoil({ ...state, links }, new Random(input.seed + 1)) : { ...state, links };
}

/** A link; most of its fields have their defaults. */
function linkOf(random: Random, identity: Identity, { account, spaces, pixels }: Around): Link {
  const ids = pixels.map(({ id }) => id);
  return {
    ...blankLink(identity, DATES.created_at),
    ...identity,
    url: addressOf(random),
    title: random.chance(0.5) ? null : random.pick(["A page", "=1+1", "<b>bold</b>", "Seite: “über”", "x\ny"]),
    password: random.chance(0.12) ? passwordOf(random) : null,
    // Most links of a domain are in the same space.
    space: random.chance(0.8)
      ? ([null, 1, 2][identity.domain - 1] ?? null)
      : random.pick([null, ...spaces.map(({ id }) => id)]),
    pixels: random.chance(0.3) ? random.some(ids, random.chance(0.1) ? 40 : 4).toSorted((a, b) => a - b) : [],
    disabled: random.chance(0.1) ? 1 : 0,
    privacy: random.chance(0.75) ? 0 : random.between(1, 2),
    privacy_password: random.chance(0.12) ? passwordOf(random).trim() : null,
    expiration_url: random.chance(0.15) ? addressOf(random) : null,
    ends_at: random.chance(0.25) ? expiryOf(random, account.timezone) : null,
    expiration_clicks: random.pick([null, 0, 0, 0, 1, 100, 5000, 999_999_999]),
    clicks: random.chance(0.5) ? 0 : random.pick([1, 99, 100, 101, 4999, 5000, 123_456]),
    ...targetsOf(random),
    updated_at: `2026-${String(random.between(1, 10)).padStart(2, "0")}-02T03:04:05.000Z`,
  };
}

/** A pixel's type and value. */
function pixelOf(random: Random): Pick<Pixel, "type" | "value"> {
  const type = random.pick(TYPES);
  const value = random.pick([
    ..."1234567890123456 0123456 9999999999999999 null on 1e5 0x1F G-AB12CD34 GTM-ABC123 AW-123456789".split(" "),
    ..."-1 _ Ünïcode-值 __proto__ 2024-01-01 ٣٤".split(" "),
    "x".repeat(255),
  ]);
  return { type, value: type === "adroll" && !value.includes("-") ? `ABC-${value.slice(0, 200)}` : value };
}

/** A minute that occurs once in the account's zone, and that the service can store. */
function expiryOf(random: Random, zone: string): string {
  for (;;) {
    const minutes = random.pick([
      random.between(-500_000, -1),
      random.between(-2, 2),
      random.between(1, 500_000),
      random.between(-29_000_000, 5_800_000),
    ]);
    const at = new Date(Date.parse(NOW) + minutes * 60_000).toISOString();
    const instant = at.replace(".000Z", "Z");
    const isHeld = at > "1970-01-02" && at < "2038-01-19";
    if (isHeld && instantOf(wallTimeOf(instant, zone), zone) === instant) return at;
  }
}

type Targets = Pick<Link, "target_type" | "country" | "platform" | "language" | "rotation">;

/** The groups, active and only stored: one of them, several, or none. */
function targetsOf(random: Random): Targets {
  const share = random.pick([0, 0, 0, 0.25, 0.9]);
  const keyed = (keys: readonly string[]): Entry[] =>
    random.chance(share) ? random.some(keys, 7).map((key) => ({ key, value: addressOf(random) })) : [];
  const few = [addressOf(random), addressOf(random)];
  const groups = {
    country: keyed(COUNTRIES),
    platform: keyed(PLATFORMS),
    language: keyed(LANGUAGES),
    // With an empty first entry, every visit would fail: see SPOILED.
    rotation: random.chance(share)
      ? random.list(6, () => ({ value: random.chance(0.5) ? random.pick(few) : addressOf(random) }))
      : [],
  };
  const filled = Object.values(groups).flatMap(({ length }, at) => (length > 0 ? [at + 1] : []));
  return {
    target_type: random.chance(0.25) ? 0 : random.pick([0, ...filled, ...filled, ...filled]),
    country: stored(random, groups.country),
    platform: stored(random, groups.platform),
    language: stored(random, groups.language),
    rotation: groups.rotation,
  };
}

/** The stored forms of a group (docs/service.md, "Responses"). */
function stored(random: Random, entries: readonly Entry[]): Group {
  if (entries.length === 0) return random.chance(0.5) ? null : [];
  if (!random.chance(0.1)) return entries;
  return Object.fromEntries(entries.map((entry, at) => [String(at + 1), entry]));
}

/** A name that no pixel has in any spelling. */
function newPixelName(random: Random, taken: Taken): string {
  for (let more = 0; ; more += 1) {
    const name = more < 20 ? pixelNameOf(random) : `Pixel ${random.between(1, 1_000_000)}`;
    if (taken.take("pixel", name)) return name;
  }
}

/** An alias that no link of the domain has in any spelling. Sometimes another domain has it, too. */
function newAlias(random: Random, domain: number, others: readonly Link[], taken: Taken): string {
  for (;;) {
    const alias = others.length > 0 && random.chance(0.03) ? random.pick(others).alias : aliasOf(random);
    if (taken.take(domain, alias)) return alias;
  }
}

/** Used keys, folded as by the service and as by linkform. */
class Taken {
  readonly #keys: Set<string> = new Set();

  /** Whether it was free. */
  take(where: number | "pixel", name: string): boolean {
    const keys = [`linkform ${where} ${fold(name)}`, `sandbox ${where} ${sandboxFold(name)}`];
    if (keys.some((key) => this.#keys.has(key))) return false;
    for (const key of keys) this.#keys.add(key);
    return true;
  }
}

/** Of letters that all have an uppercase form (ı has none). */
function otherSpelling(alias: string): string {
  return alias.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase());
}

/** Instants that the service can store only in UTC, or only in the account's zone. */
const OUT_OF_RANGE = { UTC: "2038-01-20T00:00:00.000Z", "America/New_York": "1970-01-01T00:30:00.000Z" };

/** Values that an account can have and no file can express: from other programs, versions, or time zones. */
const SPOILED: readonly ((link: Link, zone: string) => Partial<Link>)[] = [
  ({ alias, id }) => ({ alias: `${alias.slice(0, 240)}.${id}` }),
  () => ({ ends_at: "2027-05-06T07:08:09.000Z" }),
  () => ({ ends_at: "1969-12-30T00:00:00.000Z" }),
  (_link, zone) => ({
    ends_at: Object.entries(OUT_OF_RANGE).find(([one]) => one === zone)?.[1] ?? "2038-01-19T23:30:00.000Z",
  }),
  () => ({ country: ["de", "de-2"].map((end) => ({ key: "DE", value: `https://example.com/${end}` })) }),
  () => ({ language: [{ key: "de-AT", value: "https://example.com/at" }] }),
  () => ({ target_type: 4, rotation: { 1: { value: "https://example.com/r2" } } }),
  () => ({ target_type: 1, country: [] }),
];

/** The state with some spoiled links, some duplicate keys in different spellings, and a pixel with an impossible key. */
function spoil(state: LiveSeed, random: Random): LiveSeed {
  const links = state.links.map((link, at) =>
    at % 15 === 14 ? { ...link, ...random.pick(SPOILED)(link, state.account.timezone) } : link,
  );
  const twins = links
    .filter((_, at) => at % 40 === 7)
    .map((link) => ({ ...link, id: 1_000_000 + link.id, alias: otherSpelling(link.alias), clicks: 1 }));
  const odd = state.pixels.slice(0, 1).map((pixel) => ({ ...pixel, id: 1_000_000, name: "\u200bodd" }));
  return { ...state, links: [...links, ...twins], pixels: [...state.pixels, ...odd] };
}

/** The state after manual changes of about this number of links, and of the same share of pixels. */
export function changeSome(state: LiveSeed, random: Random, count: number): LiveSeed {
  const share = count / Math.max(state.links.length, 1);
  const taken = new Taken();
  for (const { domain, alias } of state.links) taken.take(domain, alias);
  for (const { name } of state.pixels) taken.take("pixel", name);
  const kept = state.pixels.filter(() => !random.chance(share / 4));
  const added = kept.length * 2 + 1_000;
  const pixels: readonly Pixel[] = [
    ...kept.map((pixel) => {
      if (!random.chance(share)) return pixel;
      return { ...pixel, ...(random.chance(0.5) ? pixelOf(random) : { name: newPixelName(random, taken) }) };
    }),
    ...(random.chance(share) ? [{ id: added, name: newPixelName(random, taken), ...pixelOf(random), ...DATES }] : []),
  ];
  const around = { ...state, pixels };
  // Links lose a deleted pixel silently (docs/service.md, "Delete paths").
  const ids = new Set(pixels.map(({ id }) => id));
  const changed = (link: Link): Link[] => {
    const other = linkOf(random, link, around);
    const { alias, domain } = link;
    const how = random.between(1, 8);
    if (how === 1) return [];
    if (how === 2) return [{ ...link, alias: otherSpelling(alias) }];
    if (how === 3) return [{ ...link, alias: newAlias(random, domain, [], taken) }];
    const id = 1_000_000 + link.id;
    if (how === 4) return [link, { ...other, id, alias: newAlias(random, domain, state.links, taken) }];
    const { url, password, ends_at, expiration_clicks, ...columns } = other;
    return [{ ...link, ...(how < 7 ? { url, password, ends_at, expiration_clicks } : columns) }];
  };
  const links = state.links
    .map((link) => ({ ...link, pixels: link.pixels.filter((id) => ids.has(id)) }))
    .flatMap((link) => (random.chance(share) ? changed(link) : [link]))
    .toSorted((a, b) => a.id - b.id);
  return { ...state, links, pixels };
}

/** The names of the records that only one of the states has like this, with the same names of pixels. */
export function differingNames(before: LiveSeed, after: LiveSeed): ReadonlySet<string> {
  const recordsOf = ({ links, pixels }: LiveSeed): ReadonlyMap<string, string> => {
    const names = new Map(pixels.map(({ id, name }) => [id, name]));
    const named = links.map((link) => ({ ...link, pixels: link.pixels.map((id) => names.get(id)) }));
    return new Map([
      ...pixels.map((pixel): [string, string] => [JSON.stringify(pixel), pixel.name]),
      ...named.map((link): [string, string] => [JSON.stringify(link), link.alias]),
    ]);
  };
  const [was, is] = [recordsOf(before), recordsOf(after)];
  const only = (these: typeof was, others: typeof was): string[] =>
    [...these].flatMap(([record, name]) => (others.has(record) ? [] : name));
  return new Set([...only(was, is), ...only(is, was)]);
}

// Aliases, pixel names and URLs as in real accounts: mostly plain, and some that are difficult in files.
const WORDS = ["spring", "sale", "flyer", "qr", "Berlin", "news", "2027", "shop", "x", "promo", "de", "A1"] as const;

/** Characters with a meaning in YAML, JavaScript or link files, and letters of many scripts. */
const ODD_ALIASES: readonly string[] = [
  ..."2024 0123456 9999999999999999 12345678901234567890 1e3 0x1F 0o17 0b1 1_000 2024-01-01 1-2 ١٢٣".split(" "),
  ..."null Null true on off yes no y n NaN none keep env file - -- --- -a _ __ _a-".split(" "),
  ..."__proto__ constructor toString hasOwnProperty prototype valueOf".split(" "),
  ..."links pixels absent defaults version url domain id alias login".split(" "),
  ..."Straße œuvre ﬁn ĳs ﬀ ſpät ²x Ｆｕｌｌ İstanbul ısı smørrebrød æble łódź þorn ŋ Ⅳ".split(" "),
  ..."весна ёлка йод їжак ўсё ґанок Ελλάς 春の特売 がぎ カタカナ 特卖 한국어 خصم מבצע हिन्दी".split(" "),
  "e\u0301te\u0301",
  "x\u0301\u0302\u0323y",
  "a".repeat(255),
  `${"lang-".repeat(40)}ende`,
  "長".repeat(200),
];

const LETTERS = [..."abcdefghijklmnopqrstuvwxyzABCXYZ0123456789-_éüñşąёйґıİßœøł春かカ한عह"];

const ODD_PIXEL_NAMES: readonly string[] = [
  "1 007 1e3 .5 0x10 2024-01-01 12:30:00 null ~ true on no none <<".split(" "),
  "- -a ?b *c &d !e #f #1 @g %h `i` = : :: a: a:b < > | >- | {} [] , , \\ \\n !!str &x *x ---".split(" "),
  "constructor toString prototype hasOwnProperty type value pixels".split(" "),
  ["- a", "? x", "* a", "& b", "! c", "# d", "a # b", "a: b", "a : b", "a, b", "[a, b]", "{ a: b }", "> x", "| y"],
  ["'single'", '"double"', "it's", 'say "hi"', "'", '"', "\\u0041", "%TAG ! x", "!!binary aGk="],
  ["double  space", "three   spaces   in", "tab\there", "no\u00a0break", "zero\u200bwidth", "right\u202eleft"],
  ["<script>alert(1)</script>", "<!-- x -->", "{{ x }}", "${HOME}", "$(id)", "@everyone", "Meta #3", "::error::x"],
  [
    "🎉 Party",
    "👩‍👩‍👧",
    "весна",
    "春の特売",
    "e\u0301te\u0301",
    "ÉTÉ 2",
    "Straße",
    "ﬁn",
    "x\u0301\u0302",
    "مرحبا",
    "c1\u0085x",
  ],
  ["x".repeat(32), "🎉".repeat(32), "長い名前".repeat(8)],
].flat();

/** A key that is probably new. The caller checks that no other key folds to the same. */
function aliasOf(random: Random): string {
  if (random.chance(0.12)) return random.pick(ODD_ALIASES);
  if (random.chance(0.15)) return random.list(12, () => random.pick(LETTERS)).join("");
  const words = random.list(3, () => random.pick(WORDS)).join(random.pick(["-", "_", ""]));
  return `${words}${random.chance(0.7) ? random.pick(["-", "", "_"]) + random.between(1, 9999) : ""}`;
}

/** At most 32 characters, without spaces at the ends. */
function pixelNameOf(random: Random): string {
  if (random.chance(0.6)) return random.pick(ODD_PIXEL_NAMES);
  return `${random.pick(["Meta", "Bing", "Google Ads", "LinkedIn", "Quora"])} ${random.pick(["main", "DE", "old", "b2b"])} ${random.between(1, 99)}`;
}

const HOSTS = [
  ..."example.com www.example.com shop.example.com EXAMPLE.com example.org:8443 127.0.0.1 [2001:db8::1] localhost".split(
    " ",
  ),
  ..."münchen.example xn--mnchen-3ya.example пример.example 例え.example user@example.com user:pa%20ss@example.com".split(
    " ",
  ),
  ..."go.example.com example.com.".split(" "),
];

const TAILS: readonly string[] = [
  ..."/ /a /a/b/ /index.php/ /%20x%20 /a%2Fb /übung/straße /путь /春/の /~user /a;b=c /(x) /?x[1] /a,b, /a. /a: /a:b:c".split(
    " ",
  ),
  ..."/it's '' /# /#top #a/b /a#:~:text=b /*x* /!x /&x /- /a&&b /$x /@x /a=b /.. //double /%E2%98%83 /é"
    .split(" ")
    .map((tail) => (/^[/?#]/.test(tail) ? tail : `/${tail}`)),
  ..."?a=1&b=2 ?a=1&a=2 ?q=%22x%22 ?u=https://example.org/?x=1 ?a[]=1&a[1]=2 ?x=y:z&k:%20v ?# ? ?utm_source=Mail&utm_medium=e ?=&= ?a".split(
    " ",
  ),
];

/** A URL that the service accepts: any scheme with a host, without spaces, braces and invalid percent encoding. */
function addressOf(random: Random): string {
  const scheme = random.chance(0.06) ? random.pick(["http", "ftp", "HTTPS", "myapp", "market", "x-app.v2+b"]) : "https";
  if (random.chance(0.55)) return `https://example.com/${random.pick(WORDS)}/${random.between(1, 500)}`;
  const host = random.chance(0.5) ? "example.com" : random.pick(HOSTS);
  const address = `${scheme}://${host}${random.chance(0.9) ? random.pick(TAILS) : ""}`;
  if (!random.chance(0.015)) return address;
  const long = `https://example.com/long?q=${random.pick(["a", "ü", "%20", "春", "x,"]).repeat(2048)}`;
  const cut = [...long].slice(0, random.between(2040, 2048)).join("");
  return cut.replace(/%2?$/, "x");
}

/** A password for visitors or for the account's owner. The service does not trim it. */
function passwordOf(random: Random): string {
  return random.pick(["secret", " with spaces ", "päß✓", "'\"`$(x)", "0", "x".repeat(128), "correct horse"]);
}
