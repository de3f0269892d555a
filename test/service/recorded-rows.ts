// The links of the recording session (test/contract/transcripts), as the client must read them from both versions.

type Row = Readonly<Record<string, unknown>>;

const GO = [{ id: 2, name: "go.example.test" }];

/** A link without options, as it is read. */
const PLAIN: Row = {
  password: false,
  disabled: false,
  privacy: "public",
  privacy_password: false,
  "expiration.date": null,
  "expiration.clicks": null,
  "expiration.url": null,
  "targeting.active": "none",
  "targeting.country": [],
  "targeting.platform": [],
  "targeting.language": [],
  "targeting.rotation": [],
  domain: GO,
  space: [],
  pixels: [],
};

export const MINIMAL: Row = { ...PLAIN, id: 1, clicks: 0, url: "https://example.com/minimal", alias: "minimal" };
export const SPRING: Row = {
  ...PLAIN,
  id: 2,
  clicks: 0,
  url: "https://example.com/spring?utm_source=mail&utm_medium=email",
  alias: "spring-sale",
};

export const EVERY_OPTION: Row = {
  ...SPRING,
  password: true,
  privacy: "password",
  privacy_password: true,
  "expiration.date": "2027-03-31T23:59:00Z",
  "expiration.clicks": 5000,
  "expiration.url": "https://example.com/over",
  "targeting.active": "country",
  "targeting.country": [
    ["DE", "https://example.com/de"],
    ["FR", "https://example.com/fr"],
  ],
  space: [{ id: 1, name: "Marketing" }],
  pixels: [
    { id: 1, name: "Meta main" },
    { id: 2, name: "GA4" },
  ],
};

export const PLATFORMS: Row = {
  "targeting.platform": [
    ["OS X", "https://example.com/mac"],
    ["iOS", "https://example.com/ios"],
  ],
};

export const THREE_GROUPS: Row = {
  ...MINIMAL,
  ...PLATFORMS,
  "targeting.active": "rotation",
  "targeting.language": [["de", "https://example.com/de"]],
  "targeting.rotation": ["https://example.com/a", "https://example.com/b"],
};
