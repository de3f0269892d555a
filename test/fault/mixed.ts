// An account and a project that need every kind of request. Tests apply it with faults.

import type { SeedState } from "../../src/sandbox/index.ts";
import { OFFLINE } from "../support/sandbox.ts";
import type { Setting } from "./trial.ts";

type Links = NonNullable<SeedState["links"]>;
type Row = Links[number];

const [GO, PROMO] = [2, 3];

/** Older than each run, so that a needless write to a record is visible. */
const DATES = { created_at: "2025-03-01T10:00:00.000Z", updated_at: "2025-04-01T10:00:00.000Z" };

/** The names of seeded pixels by id. */
const PIXEL = { old: 1, ga4: 2, meta: 3, switched: 4, retired: 5, leaving: 6, theirs: 7, alsoTheirs: 8 };

/** Unmanaged records. They must stay identical, including unusual forms of groups. */
function unmanaged(from: number, to: number): Links {
  return Array.from({ length: to - from }, (_, offset) => {
    const number = from + offset;
    return {
      alias: `theirs-${number}`,
      url: `https://example.com/theirs/${number}`,
      domain: number % 3 === 0 ? PROMO : GO,
      title: `Theirs ${number}`,
      clicks: number,
      pixels: number % 5 === 0 ? [PIXEL.theirs] : [],
      ...(number % 7 === 0 && { password: "theirs", privacy: 2, privacy_password: "theirs too" }),
      ...(number % 11 === 0 && { language: { "1": { key: "fr", value: "https://example.com/fr" } }, target_type: 3 }),
      ...(number % 13 === 0 && { ends_at: "2026-01-01T00:00:00.000Z", disabled: 1 }),
    };
  });
}

const DELETED: readonly [Row, Row, Row] = [
  { alias: "old-1", url: "https://example.com/old/1", domain: GO },
  { alias: "old-2", url: "https://example.com/old/2", domain: PROMO, pixels: [PIXEL.leaving] },
  { alias: "Old-3", url: "https://example.com/old/3", domain: GO },
];

const RENAMED: Row = {
  alias: "spring",
  url: "https://example.com/spring",
  domain: GO,
  title: "Spring",
  clicks: 4000,
};

const CHANGED: Links = [
  { alias: "same", url: "https://example.com/same", domain: GO, title: "Same", clicks: 3, pixels: [PIXEL.meta] },
  { alias: "landing", url: "https://example.com/old", domain: GO, title: "Landing", clicks: 10 },
  { alias: "closing", url: "https://example.com/closing", domain: GO, title: "Closing" },
  { alias: "tracked", url: "https://example.com/tracked", domain: GO, pixels: [PIXEL.meta, PIXEL.leaving] },
  {
    alias: "targeted",
    url: "https://example.com/targeted",
    domain: GO,
    target_type: 1,
    country: [{ key: "DE", value: "https://example.com/de" }],
  },
  { alias: "locked", url: "https://example.com/locked", domain: GO, password: "old secret" },
  { alias: "SÁLE", url: "https://example.com/sale", domain: GO, clicks: 7 },
  { alias: "stats", url: "https://example.com/stats", domain: GO, privacy: 1, privacy_password: "old secret" },
  { alias: "moving", url: "https://example.com/moving", domain: GO, clicks: 12, pixels: [PIXEL.meta, PIXEL.leaving] },
  { alias: "dated", url: "https://example.com/dated", domain: PROMO, ends_at: "2027-06-01T08:00:00.000Z" },
  { alias: "filed", url: "https://example.com/filed", domain: PROMO, space: 1 },
  { alias: "several", url: "https://example.com/several", domain: PROMO, privacy: 1, pixels: [PIXEL.old] },
];

// Two pages of links, with 100 and 26. At the positions where a fault removes a record from a list (the first of a page, or the one in its
// middle) are records whose loss would be visible: a tombstone would look done, and a rename would look like a create.
const [FIRST_DELETED, SECOND_DELETED, THIRD_DELETED] = DELETED;
const PAGE_1 = [FIRST_DELETED, ...unmanaged(0, 43), ...CHANGED.slice(0, 6), RENAMED, ...unmanaged(43, 92)];
const PAGE_2 = [SECOND_DELETED, ...CHANGED.slice(6), ...unmanaged(92, 98), THIRD_DELETED, ...unmanaged(98, 110)];

/** No link uses the domain `new.example.com` or the space `Archive`, so that their lists must be read. */
const SEED: SeedState = {
  account: { timezone: "Europe/Berlin" },
  domains: [
    { id: 1, name: "short.example.com", shared: true },
    { id: GO, name: "go.example.com" },
    { id: PROMO, name: "promo.example.com" },
    { id: 4, name: "new.example.com" },
  ],
  spaces: [{ name: "Marketing" }, { name: "Sales" }, { name: "Archive" }],
  pixels: [
    { name: "Old name", type: "bing", value: "3333333" },
    { name: "GA4", type: "google-analytics", value: "G-OLD" },
    { name: "Meta main", type: "facebook", value: "1111111" },
    { name: "Switched", type: "quora", value: "4444444" },
    { name: "Retired", type: "quora", value: "5555555" },
    { name: "Leaving", type: "twitter", value: "6666666" },
    { name: "Theirs", type: "linkedin", value: "7777777" },
    { name: "Also theirs", type: "pinterest", value: "8888888" },
  ].map((row) => ({ ...DATES, ...row })),
  links: [...PAGE_1, ...PAGE_2].map((row) => ({ ...DATES, ...row })),
};

export const MIXED_SECRETS = { LINKFORM_SECRET_DOOR: "first secret äöü", LINKFORM_SECRET_STATS: "second secret &=+" };

const PIXELS = `pixels:
  Meta main: { type: facebook, value: 1111111 }
  GA4: { type: google-analytics, value: G-NEW }
  New name: { type: bing, value: 3333333, renamed_from: Old name }
  Switched: { type: pinterest, value: 4040404 }
  Fresh one: { type: facebook, value: 0123456789 }
  Fresh two: { type: adroll, value: a-1 }
  Frische drei: { type: google-tag-manager, value: GTM-1 }
absent:
  pixels: [Retired, Leaving]
  links: [old-1, promo.example.com/old-2, old-3]
`;

const UPDATED = `links:
  same: { url: https://example.com/same, pixels: [Meta main] }
  landing: { url: "https://example.com/new?a=1&b=%20" }
  closing: { url: https://example.com/closing, ${OFFLINE} }
  tracked: { url: https://example.com/tracked, pixels: [Meta main, Fresh one] }
  targeted: { url: https://example.com/targeted, targeting: { platform: { iOS: https://example.com/ios } } }
  locked: { url: https://example.com/locked, password: none }
  spring-sale: { url: https://example.com/spring, renamed_from: spring }
  Sale: { url: https://example.com/sale }
  # Two calls: the service refuses the new privacy together with an empty password (docs/service.md, "Clearing a field").
  stats: { url: https://example.com/stats, privacy: password, privacy_password: none }
  promo.example.com/moved:
    url: https://example.com/moved
    renamed_from: go.example.com/moving
    space: Sales
    pixels: [Fresh one, Meta main]
  promo.example.com/dated:
    url: https://example.com/dated
    expiration: { date: 2027-07-01, clicks: 50, url: https://example.com/over }
  promo.example.com/filed: { url: https://example.com/filed, space: Archive }
  promo.example.com/several:
    url: https://example.com/several-2
    privacy: public
    pixels: [New name, Frische drei]
    password: { env: LINKFORM_SECRET_DOOR }
`;

const CREATED = `links:
  New-Link_1: { url: https://example.com/plain }
  Ünïcode: { url: https://example.com/unicode }
  with-pixels: { url: https://example.com/pixels, pixels: [Fresh one, Fresh two, New name] }
  expiring:
    url: https://example.com/expiring
    expiration: { date: 2027-03-28, time: "01:30", clicks: 5, url: https://example.com/over }
  promo.example.com/secret:
    url: https://example.com/secret
    password: { env: LINKFORM_SECRET_DOOR }
    privacy: password
    privacy_password: { env: LINKFORM_SECRET_STATS }
  promo.example.com/by-country:
    url: https://example.com/other
    targeting: { country: { DE: https://example.com/de, FR: https://example.com/fr } }
  promo.example.com/rotating:
    url: https://example.com/rotating
    pixels: [GA4]
    targeting: { rotation: [https://example.com/r1, https://example.com/r2] }
  new.example.com/hello: { url: https://example.com/hello, ${OFFLINE}, space: Marketing }
`;

const FILES: Readonly<Record<string, string>> = {
  "linkform.yaml": `version: 1
service: { base_url: http://127.0.0.1:9 }
domains: { go.example.com: 2, promo.example.com: 3, new.example.com: 4 }
defaults: { link: { domain: go.example.com } }
brake: { deletes: 100%, updates: 100% }
`,
  "links/created.yaml": CREATED,
  "links/pixels.yaml": PIXELS,
  "links/updated.yaml": UPDATED,
};

export const MIXED: Setting = { seed: SEED, files: FILES, secrets: MIXED_SECRETS };
