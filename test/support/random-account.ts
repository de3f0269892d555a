// Random accounts and the files of one project for each: live, declared, to be deleted and to be renamed.

import fc from "fast-check";
import { fold } from "../../src/domain/fold.ts";
import type { SeedState } from "../../src/sandbox/index.ts";
import { randomSoftware, testSoftware } from "./sandbox.ts";
import { DOMAINS, optional, secret, url } from "./states.ts";

const PIXEL_NAMES = ["Meta main", "meta MAIN", "GA4", "Тег", "double  space", "2024", "null", "ピクセル"];
const ALIASES = "sale SALE Dup-Me DüpMe 2024 0123 null on __proto__x ПРОМО й и a_b a-b".split(" ");

const domainId = fc.constantFrom<2 | 3>(2, 3);
const instants = fc.constantFrom("2020-01-01T00:00:00.000Z", "2027-03-28T00:30:00.000Z", "2030-06-01T12:00:00.000Z");

/** What an arbitrary draws. */
type Drawn<Arbitrary> = Arbitrary extends fc.Arbitrary<infer One> ? One : never;

/** 49 has no `disabled`, and one target group. */
const is49 = testSoftware === "49";

const targeting = fc.oneof(
  fc.constant("none"),
  fc.record({ country: fc.dictionary(fc.constantFrom("DE", "FR", "US"), url, { minKeys: 1 }) }),
  fc.record({ platform: fc.dictionary(fc.constantFrom("iOS", "OS X", "Chrome OS"), url, { minKeys: 1 }) }),
  fc.record({ language: fc.dictionary(fc.constantFrom("de", "fr"), url, { minKeys: 1 }) }),
  fc.record({ rotation: fc.array(url, { minLength: 1, maxLength: 3 }) }),
  ...(is49
    ? []
    : [
        fc.record({
          rotation: fc.array(url, { minLength: 1, maxLength: 2 }),
          language: fc.constant({ de: "https://example.com/de" }),
          active: fc.constantFrom("none", "rotation", "language"),
        }),
      ]),
);

const expiration = fc.oneof(
  fc.constant("none"),
  fc.record(
    {
      date: fc.constantFrom("2027-03-28", "2027-10-31", "2030-06-01", "none"),
      clicks: fc.oneof(fc.integer({ min: 1, max: 10 }), fc.constant("none")),
      url,
    },
    { requiredKeys: [] },
  ),
);

/** A link in a file. Undefined fields are not in the file. */
export const declaredLink = fc.record({
  url,
  space: optional(fc.constantFrom("Marketing", "Sales", null)),
  disabled: is49 ? fc.constant(undefined) : optional(fc.boolean()),
  privacy: optional(fc.constantFrom("public", "private", "password")),
  password: optional(secret),
  privacy_password: optional(secret),
  pixels: optional(fc.subarray(PIXEL_NAMES)),
  expiration: optional<object | string>(expiration),
  targeting: optional<object | string>(targeting),
  unspecified: optional(fc.constantFrom("keep", "reset")),
});

/** A record of the sandbox, without its key. */
type Live = Omit<NonNullable<SeedState["links"]>[number], "alias" | "domain">;

const group = fc.constantFrom(
  null,
  [],
  [
    { key: "DE", value: "https://example.com/a" },
    { key: "DE", value: "https://example.com/b" },
  ],
);

const anyLive: fc.Arbitrary<Live> = fc.record({
  url,
  space: fc.constantFrom(null, 1, 2),
  disabled: fc.constantFrom(0, 1),
  privacy: fc.constantFrom(0, 1, 2),
  password: fc.constantFrom(null, "old"),
  privacy_password: fc.constantFrom(null, "old"),
  pixels: fc.subarray([1, 2, 3]),
  expiration_url: fc.constantFrom(null, "https://example.com/over"),
  ends_at: fc.option(instants, { nil: null }),
  expiration_clicks: fc.constantFrom(null, 0, 5),
  clicks: fc.integer({ min: 0, max: 9 }),
  target_type: fc.integer({ min: 0, max: 4 }),
  country: group,
  language: fc.constantFrom(null, [{ key: "fr", value: "https://example.com/a" }], {
    "1": { key: "de", value: "https://example.com/de" },
  }),
  rotation: fc.constantFrom(null, [{ value: "https://example.com/a" }]),
});

/** A record of the sandbox that the tested version can store. */
export const liveLink: fc.Arbitrary<Live> = is49 ? anyLive.map(in49) : anyLive;

function in49(link: Live): Live {
  const { target_type: type, country = null, language = null, rotation = null } = link;
  return {
    ...link,
    // An end has an effect only with a start.
    ...(link.ends_at !== null && { starts_at: "1970-01-02T00:00:00.000Z" }),
    disabled: 0,
    country: type === 1 ? country : null,
    language: type === 3 ? language : null,
    rotation: type === 4 ? rotation : null,
  };
}

/** Each key is one link: live, declared, both, or to be deleted, or its record is to get another key. */
const linkState = fc.record({
  domain: domainId,
  alias: fc.constantFrom(...ALIASES),
  live: fc.option(liveLink),
  declared: fc.option(declaredLink),
  tombstone: fc.boolean(),
  renamedTo: fc.option(
    fc.record({ domain: domainId, alias: fc.constantFrom("new-1", "new-2"), declared: declaredLink }),
  ),
});

type LinkState = Drawn<typeof linkState>;

/** An account with at least this number of keys. */
function accountWith(minLength: number) {
  const selector = ({ domain, alias }: LinkState): string => `${domain}/${fold(alias)}`;
  return fc.record({
    software: randomSoftware,
    timezone: fc.constantFrom("UTC", "Europe/Berlin", "America/New_York"),
    livePixels: fc.subarray(["Meta main", "GA4", "Тег"]),
    declaredPixels: fc.uniqueArray(fc.constantFrom(...PIXEL_NAMES), { selector: fold }),
    links: fc.uniqueArray(linkState, { minLength, maxLength: 7, selector }),
    /** Whether each renamed link gets the key of the next one, which is renamed, too. Tests set it. */
    isChained: fc.constant<boolean>(false),
  });
}

export const account = accountWith(0);

export type Account = Drawn<typeof account>;

/** The state of the account. */
export function seedOf({ livePixels, links, timezone }: Account): SeedState {
  const ids = new Set(livePixels.map((_, index) => index + 1));
  return {
    account: { timezone },
    pixels: livePixels.map((name) => ({ name, type: "bing", value: "1234567" })),
    links: links.flatMap(({ domain, alias, live: record }) =>
      record === null ? [] : { ...record, pixels: (record.pixels ?? []).filter((id) => ids.has(id)), domain, alias },
    ),
  };
}

/** The files of one project, as one document. */
export interface Files {
  readonly domains: Readonly<Record<string, number>>;
  readonly links: Readonly<Record<string, DeclaredBlock>>;
  readonly pixels: Readonly<Record<string, { readonly type: string; readonly value: string }>>;
  readonly absent: { readonly links: readonly string[]; readonly pixels?: readonly string[] };
}

type DeclaredLink = Drawn<typeof declaredLink>;
type DeclaredBlock = DeclaredLink & { readonly renamed_from?: string };

/** The project as JSON, which is YAML. */
export function projectOf(baseUrl: string, { livePixels, declaredPixels, links, isChained }: Account): Files {
  const known = new Set([...livePixels, ...declaredPixels].map(fold));
  const blockOf = (fields: DeclaredLink, more: object = {}): DeclaredBlock => ({
    ...fields,
    pixels: fields.pixels?.filter((name) => known.has(fold(name))),
    ...more,
  });
  const keyOf = ({ domain, alias }: Pick<LinkState, "domain" | "alias">): string => `${DOMAINS[domain]}/${alias}`;
  const renames = links.flatMap((link) => {
    const { declared, tombstone, renamedTo } = link;
    return declared !== null || tombstone || renamedTo === null ? [] : [{ from: keyOf(link), to: renamedTo }];
  });
  const renamed = new Map<string, DeclaredBlock>();
  for (const [at, { from, to }] of renames.entries()) {
    const key = (isChained ? renames[at + 1]?.from : undefined) ?? keyOf(to);
    if (!renamed.has(key)) renamed.set(key, blockOf(to.declared, { renamed_from: from }));
  }
  const declared = links.flatMap((link) =>
    link.declared === null ? [] : [[keyOf(link), blockOf(link.declared)] as const],
  );
  const head = {
    version: 1,
    service: { base_url: baseUrl },
    domains: { "go.example.com": 2, "promo.example.com": 3 },
    spaces: { Marketing: 1, Sales: 2 },
    timezone: "Europe/Berlin",
    brake: { deletes: "100%", updates: "100%" },
  };
  return {
    ...head,
    pixels: Object.fromEntries(declaredPixels.map((name) => [name, { type: "facebook", value: "0123456789012345" }])),
    links: Object.fromEntries([...declared, ...renamed]),
    absent: {
      links: links.flatMap((link) => (link.declared === null && link.tombstone ? [keyOf(link)] : [])),
    },
  };
}

/** Random edits of a random account's files: the files at the base, and now. */
export const randomProject = fc.record({
  live: accountWith(3),
  /** What the files do with each link of the account now. "other" declares the next one's values. */
  edits: fc.array(fc.constantFrom("keep", "keep", "other", "other", "spell", "remove", "rename", "delete"), {
    minLength: 7,
    maxLength: 7,
  }),
  /** The declared pixels; null for those of the base. */
  pixels: fc.option(account.map(({ declaredPixels }) => declaredPixels)),
  /** Whether the files delete the pixels that they no longer declare. */
  deletesPixels: fc.boolean(),
  prune: fc.constantFrom("none", "removed", "scope"),
});
export type RandomProject = Drawn<typeof randomProject>;

/** The files at the base and now. */
export function filesOf(baseUrl: string, project: RandomProject): { readonly base: Files; readonly now: Files } {
  const { live, prune, deletesPixels } = project;
  const declared = edited(project);
  const kept = new Set(declared.declaredPixels.map(fold));
  const removed = live.declaredPixels.filter((name) => !kept.has(fold(name)));
  // Links cannot use pixels that this apply deletes.
  const pruned = { none: [], removed, scope: live.livePixels }[prune];
  const deleted = new Set([...pruned, ...(deletesPixels ? removed : [])].map(fold));
  const scope = prune === "scope" ? { scope: { domains: ["go.example.com", "promo.example.com"] } } : {};
  const side = (one: Account, pixels: readonly string[]): Files => {
    const files: Files = JSON.parse(JSON.stringify(projectOf(baseUrl, one)));
    return Object.assign(files, scope, { prune, absent: { ...files.absent, pixels } });
  };
  const livePixels = live.livePixels.filter((name) => !deleted.has(fold(name)));
  return { base: side(live, []), now: side({ ...declared, livePixels }, deletesPixels ? removed : []) };
}

function edited({ live, edits, pixels }: RandomProject): Account {
  const { links } = live;
  const kept = links.flatMap((link, at) => {
    const { declared, tombstone } = links[(at + 1) % links.length] ?? link;
    const results = {
      keep: [link],
      other: [{ ...link, declared, tombstone }],
      spell: [link.declared === null ? link : { ...link, alias: link.alias.toUpperCase() }],
      remove: [],
      rename: [{ ...link, declared: null, tombstone: false }],
      delete: [{ ...link, declared: null, tombstone: true }],
    };
    return results[edits[at] ?? "keep"];
  });
  return { ...live, links: kept, declaredPixels: pixels ?? live.declaredPixels };
}
