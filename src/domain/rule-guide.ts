// Explains each lint rule, for docs/rules.md and `validate --explain`. test/config/rules.test.ts runs the examples.

import type { RuleCode } from "./rules.ts";

export type RuleTopic =
  | "Destinations"
  | "UTM parameters"
  | "Targeting"
  | "Expiration"
  | "Review"
  | "Passwords and renames"
  | "Labels"
  | "Pixels";

export interface RuleGuide {
  readonly topic: RuleTopic;
  /** Why it matters, or what to do. */
  readonly why: string;
  /** Fields of a link or a pixel, or `links: …`, that the rule reports. */
  readonly wrong: string;
  /** What to write instead. */
  readonly right: string;
}

export const RULE_GUIDE: Readonly<Record<RuleCode, RuleGuide>> = {
  "unsafe-scheme": {
    topic: "Destinations",
    why: "Such an address runs code, or shows a forged page under your name.",
    wrong: "url: javascript://example.com/%0aalert(1)",
    right: "url: https://example.com/",
  },
  "refused-address": {
    topic: "Destinations",
    why: "The apply would stop in the middle. The message names the character and shows the address as it should be written. An address that a live link already has is only a warning in `plan`, `apply` and `pull`. See [addresses](service.md#addresses).",
    wrong: "url: https://example.com/sale-50%",
    right: "url: https://example.com/sale-50%25",
  },
  "address-typo": {
    topic: "Destinations",
    why: "The service stores such an address, but it probably leads nowhere.",
    wrong: "url: hhttps://example.com/",
    right: "url: https://example.com/",
  },
  "url-credentials": {
    topic: "Destinations",
    why: "Every visitor gets them, and so do logs on the way. The message does not repeat them.",
    wrong: "url: https://anna:secret@example.com/",
    right: "url: https://example.com/",
  },
  "private-address": {
    topic: "Destinations",
    why: "Visitors cannot reach `localhost`, `.local`, `.internal`, and private or link-local addresses. Every notation that browsers accept is found.",
    wrong: "url: https://192.168.1.20/",
    right: "url: https://intranet.example.com/",
  },
  "plain-http": {
    topic: "Destinations",
    why: "Others can read and change the page on its way, and browsers warn.",
    wrong: "url: http://example.com/",
    right: "url: https://example.com/",
  },
  "query-drops-port": {
    topic: "Destinations",
    why: "A short URL with `?utm_source=mail` is enough to lose them. `expiration.url` is not affected.",
    wrong: "url: https://example.com:8443/",
    right: "url: https://example.com/",
  },
  "redirect-loop": {
    topic: "Destinations",
    why: "Visitors never arrive. The rule follows `url`, `expiration.url` and `targeting`.",
    wrong: "url: https://go.example.com/a",
    right: "url: https://example.com/",
  },
  "short-link-chain": {
    topic: "Destinations",
    why: "Visitors get two redirects, two clicks are counted, and the link fails when the other link ends. Keep it if you want to follow the other link.",
    wrong: "links: { a: { url: https://example.com/ }, b: { url: https://go.example.com/a } }",
    right: "links: { a: { url: https://example.com/ }, b: { url: https://example.com/ } }",
  },
  "own-short-domain": {
    topic: "Destinations",
    why: "The alias does not exist yet, or is a mistake. If somebody creates it, it can become a loop.",
    wrong: "url: https://go.example.com/shop",
    right: "url: https://example.com/shop",
  },
  "same-destination": {
    topic: "Destinations",
    why: "Off by default, because one alias for each channel is common. Turn it on if each page should have one short link.",
    wrong: "links: { a: { url: https://example.com/ }, b: { url: https://example.com/ } }",
    right: "links: { a: { url: https://example.com/ }, b: { url: https://example.com/b } }",
  },
  "utm-incomplete": {
    topic: "UTM parameters",
    why: 'Analytics tools report such visits as "not set". Other UTM parameters are optional.',
    wrong: "url: https://example.com/?utm_source=mail",
    right: "url: https://example.com/?utm_source=mail&utm_medium=email&utm_campaign=spring",
  },
  "utm-case": {
    topic: "UTM parameters",
    why: "Reports count `News` and `news` separately. `utm_id` can have capitals.",
    wrong: "url: https://example.com/?utm_source=News&utm_medium=email&utm_campaign=spring",
    right: "url: https://example.com/?utm_source=news&utm_medium=email&utm_campaign=spring",
  },
  "utm-twice": {
    topic: "UTM parameters",
    why: "Tools use only one of them, and not all tools use the same one.",
    wrong: "url: https://example.com/?utm_source=a&utm_source=b&utm_medium=email&utm_campaign=spring",
    right: "url: https://example.com/?utm_source=a&utm_medium=email&utm_campaign=spring",
  },
  "utm-fragment": {
    topic: "UTM parameters",
    why: "Tools read the query, which ends at the `#`.",
    wrong: "url: https://example.com/#utm_source=mail",
    right: "url: https://example.com/?utm_source=mail&utm_medium=email&utm_campaign=spring",
  },
  "utm-value": {
    topic: "UTM parameters",
    why: "A team agrees on the values, so that reports can compare campaigns. The example is an error if the project file has `utm: { medium: [email, social] }`.",
    wrong: "utm: { source: mail, medium: e-mail, campaign: spring }",
    right: "utm: { source: mail, medium: email, campaign: spring }",
  },
  "utm-unknown": {
    topic: "UTM parameters",
    why: "Usually a typing error.",
    wrong: "url: https://example.com/?utm_source=mail&utm_medium=email&utm_campain=spring",
    right: "url: https://example.com/?utm_source=mail&utm_medium=email&utm_campaign=spring",
  },
  "pixels-skip-targeting": {
    topic: "Targeting",
    why: "Only visitors who refuse tracking get their target. Visitors who accept go to `url`.",
    wrong:
      "links: { a: { url: https://example.com/, pixels: [P], targeting: { country: { DE: https://example.com/de } } } }",
    right: "links: { a: { url: https://example.com/, targeting: { country: { DE: https://example.com/de } } } }",
  },
  expired: {
    topic: "Expiration",
    why: "Visitors go to `expiration.url`, or to a page that says that the link has expired. The date is in the time zone of the files.",
    wrong: "expiration: { date: 2026-01-31 }",
    right: "expiration: { date: 2037-01-31 }",
  },
  "date-out-of-range": {
    topic: "Expiration",
    why: "The service answers with an error. `plan` refuses such a date at every setting of this rule.",
    wrong: "expiration: { date: 2038-01-20 }",
    right: "expiration: { date: 2038-01-18 }",
  },
  "start-after-end": {
    topic: "Expiration",
    why: "Version 49 refuses such a period, and the link would never work.",
    wrong: "expiration: { start: 2027-05-01, date: 2027-04-01 }",
    right: "expiration: { start: 2027-04-01, date: 2027-05-01 }",
  },
  "time-without-date": {
    topic: "Expiration",
    why: "A time without a date has no effect.",
    wrong: 'expiration: { time: "18:00" }',
    right: 'expiration: { date: 2037-01-31, time: "18:00" }',
  },
  "review-due": {
    topic: "Review",
    why: "Somebody set the date to check that the link is still needed and correct. The date is in the time zone of the files. See [owners and reviews](file-format.md#owners-and-reviews).",
    wrong: "review_by: 2026-06-30",
    right: "review_by: 2037-06-30",
  },
  "secret-unused": {
    topic: "Passwords and renames",
    why: "The service stores the password and never asks for it.",
    wrong: "privacy_password: { env: LINKFORM_SECRET_STATS }",
    right: "privacy: password, privacy_password: { env: LINKFORM_SECRET_STATS }",
  },
  "secret-left-out": {
    topic: "Passwords and renames",
    why: "Unless a password is set already, nobody can open the statistics.",
    wrong: "privacy: password",
    right: "privacy: password, privacy_password: { env: LINKFORM_SECRET_STATS }",
  },
  "renamed-to-itself": {
    topic: "Passwords and renames",
    why: "It has no effect. Write the old key.",
    wrong: "renamed_from: a",
    right: "renamed_from: b",
  },
  "unknown-country": {
    topic: "Targeting",
    why: "The service refuses it. Write `GB` instead of `UK`. `EU` is not a country.",
    wrong: "targeting: { country: { UK: https://example.com/uk } }",
    right: "targeting: { country: { GB: https://example.com/uk } }",
  },
  "refused-country": {
    topic: "Targeting",
    why: "The service does not accept `CW`, `SS`, `SX` and `XK` (Kosovo).",
    wrong: "targeting: { country: { CW: https://example.com/cw } }",
    right: "targeting: { country: { NL: https://example.com/nl } }",
  },
  "unknown-language": {
    topic: "Targeting",
    why: "The service refuses it. Write `he` instead of `iw`, and `ja` instead of `jp`.",
    wrong: "targeting: { language: { jp: https://example.com/ja } }",
    right: "targeting: { language: { ja: https://example.com/ja } }",
  },
  "retired-code": {
    topic: "Targeting",
    why: "The service accepts it, but no visitor matches it. Examples are `AN`, `ZZ` and `bh`.",
    wrong: "targeting: { country: { AN: https://example.com/an } }",
    right: "targeting: { country: { NL: https://example.com/nl } }",
  },
  "version-code": {
    topic: "Targeting",
    why: "Version 4.1 refuses `cn`, `mo` and `sh`. Later versions refuse `ae` and `DD`.",
    wrong: "targeting: { language: { ae: https://example.com/ae } }",
    right: "targeting: { language: { zh: https://example.com/zh } }",
  },
  "misspelled-label": {
    topic: "Labels",
    why: "Without network, linkform cannot know whether a domain or space of this name exists. If it does, add a label for it.",
    wrong: "space: Marketng",
    right: "space: Marketing",
  },
  "pixel-snippet": {
    topic: "Pixels",
    why: "The value is only the id. If linkform finds the id in the script, the message contains it.",
    wrong: "type: facebook, value: \"<script>fbq('init', '1234567890123456')</script>\"",
    right: 'type: facebook, value: "1234567890123456"',
  },
  "pixel-space": {
    topic: "Pixels",
    why: "Usually it was copied together with the id.",
    wrong: 'type: bing, value: "1234 5678"',
    right: 'type: bing, value: "12345678"',
  },
  "pixel-placeholder": {
    topic: "Pixels",
    why: "It comes from a manual: `YOUR_…`, `XXXX`, or one repeated digit.",
    wrong: "type: facebook, value: YOUR_PIXEL_ID",
    right: 'type: facebook, value: "1234567890123456"',
  },
  "pixel-retired": {
    topic: "Pixels",
    why: "Universal Analytics stopped counting in July 2023, and its 360 version in July 2024.",
    wrong: "type: google-analytics, value: UA-123456-1",
    right: "type: google-analytics, value: G-AB12CD34EF",
  },
  "pixel-other-id": {
    topic: "Pixels",
    why: "`AW-…/label` ends with a conversion label, and `tw-…-…` is an event.",
    wrong: "type: twitter, value: tw-o8a1b-p2c3d",
    right: "type: twitter, value: o8a1b",
  },
  "pixel-adroll-dash": {
    topic: "Pixels",
    why: "The service refuses it. Write the advertiser's id, `-`, and the pixel's id.",
    wrong: "type: adroll, value: PIX12345678901234567AB",
    right: "type: adroll, value: ADV12345678901234567AB-PIX12345678901234567AB",
  },
  "pixel-type": {
    topic: "Pixels",
    why: "Either `type` or `value` is wrong.",
    wrong: "type: google-analytics, value: GTM-AB12CD",
    right: "type: google-tag-manager, value: GTM-AB12CD, note: Owned by the web team",
  },
  "pixel-value": {
    topic: "Pixels",
    why: "Compare the value with the [forms of pixel values](#forms-of-pixel-values).",
    wrong: 'type: bing, value: "12"',
    right: 'type: bing, value: "12345678"',
  },
  "tag-manager-owner": {
    topic: "Pixels",
    why: "Whoever has access to Google's console decides what it loads. Name that person or team in `note`.",
    wrong: "type: google-tag-manager, value: GTM-AB12CD",
    right: "type: google-tag-manager, value: GTM-AB12CD, note: Owned by the web team",
  },
};

/** Explains a finding that `rules` cannot set. The examples are parts of a project file. */
export interface PolicyGuide {
  readonly level: "warning" | "error";
  readonly about: string;
  readonly why: string;
  readonly wrong: string;
  readonly right: string;
}

const OWN = "policies: { own: { destinations: [example.com] } }";
const PARTNER = "links: { a: { url: https://partner.test/, waive: { own: { until:";

/** The findings about policies and waivers. `policy` stands for every policy: its findings have the code `policy/NAME`. */
export const POLICY_GUIDE: Readonly<Record<string, PolicyGuide>> = {
  policy: {
    level: "error",
    about: "A link does not follow a policy of the project.",
    why: "A policy is a rule that the team has agreed on. The finding shows its reason and where it is. The policy sets its severity.",
    wrong: `${OWN}\nlinks: { a: { url: https://partner.test/ } }`,
    right: `${OWN}\nlinks: { a: { url: https://example.com/ } }`,
  },
  "policy-matches-nothing": {
    level: "warning",
    about: "A glob in `links` of a policy matches no declared link.",
    why: "The policy checks nothing. Usually the glob has a typing error, or the links were renamed.",
    wrong:
      'policies: { printed: { links: "go.example.com/rq-*", require: [note] } }\nlinks: { qr-1: { url: https://example.com/, note: Flyer } }',
    right:
      'policies: { printed: { links: "go.example.com/qr-*", require: [note] } }\nlinks: { qr-1: { url: https://example.com/, note: Flyer } }',
  },
  "waiver-expired": {
    level: "error",
    about: "The last day of a waiver is in the past.",
    why: "A waiver is for a limited time. Fix the link and remove the waiver, or agree on a later date.",
    wrong: `${OWN}\n${PARTNER} 2026-01-31, because: Partner page } } } }`,
    right: `${OWN}\n${PARTNER} 2037-01-31, because: Partner page } } } }`,
  },
  "waiver-unused": {
    level: "warning",
    about: "A link follows the policy that it waives, or the policy does not apply to it.",
    why: "Without the waiver, the policy checks the link again after the next change.",
    wrong: `${OWN}\nlinks: { a: { url: https://example.com/, waive: { own: { until: 2037-01-31, because: Partner page } } } }`,
    right: `${OWN}\nlinks: { a: { url: https://example.com/ } }`,
  },
};
