// What docs/rules.md adds to each rule of src/domain/rules.ts: a topic, a reason, and an example that test/config/rules.test.ts runs.

import type { RuleCode } from "../src/domain/rules.ts";

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
  /** Fields of a link or a pixel, or `links: …`. */
  readonly example: string;
}

export const RULE_GUIDE: Readonly<Record<RuleCode, RuleGuide>> = {
  "unsafe-scheme": {
    topic: "Destinations",
    why: "Such an address runs code, or shows a forged page under your name.",
    example: "url: javascript://example.com/%0aalert(1)",
  },
  "url-credentials": {
    topic: "Destinations",
    why: "Every visitor gets them, and so do logs on the way. The message does not repeat them.",
    example: "url: https://anna:secret@example.com/",
  },
  "private-address": {
    topic: "Destinations",
    why: "Visitors cannot reach `localhost`, `.local`, `.internal`, and private or link-local addresses. Every notation that browsers accept is found.",
    example: "url: https://192.168.1.20/",
  },
  "plain-http": {
    topic: "Destinations",
    why: "Others can read and change the page on its way, and browsers warn.",
    example: "url: http://example.com/",
  },
  "query-drops-port": {
    topic: "Destinations",
    why: "A short URL with `?utm_source=mail` is enough to lose them. `expiration.url` is not affected.",
    example: "url: https://example.com:8443/",
  },
  "redirect-loop": {
    topic: "Destinations",
    why: "Visitors never arrive. The rule follows `url`, `expiration.url` and `targeting`.",
    example: "url: https://go.example.com/a",
  },
  "short-link-chain": {
    topic: "Destinations",
    why: "Visitors get two redirects, two clicks are counted, and the link fails when the other link ends. Keep it if you want to follow the other link.",
    example: "links: { a: { url: https://example.com/ }, b: { url: https://go.example.com/a } }",
  },
  "own-short-domain": {
    topic: "Destinations",
    why: "The alias does not exist yet, or is a mistake. If somebody creates it, it can become a loop.",
    example: "url: https://go.example.com/shop",
  },
  "same-destination": {
    topic: "Destinations",
    why: "Off by default, because one alias for each channel is common. Turn it on if each page should have one short link.",
    example: "links: { a: { url: https://example.com/ }, b: { url: https://example.com/ } }",
  },
  "utm-incomplete": {
    topic: "UTM parameters",
    why: 'Analytics tools report such visits as "not set". Other UTM parameters are optional.',
    example: "url: https://example.com/?utm_source=mail",
  },
  "utm-case": {
    topic: "UTM parameters",
    why: "Reports count `News` and `news` separately. `utm_id` can have capitals.",
    example: "url: https://example.com/?utm_source=News&utm_medium=email&utm_campaign=spring",
  },
  "utm-twice": {
    topic: "UTM parameters",
    why: "Tools use only one of them, and not all tools use the same one.",
    example: "url: https://example.com/?utm_source=a&utm_source=b&utm_medium=email&utm_campaign=spring",
  },
  "utm-fragment": {
    topic: "UTM parameters",
    why: "Tools read the query, which ends at the `#`.",
    example: "url: https://example.com/#utm_source=mail",
  },
  "utm-value": {
    topic: "UTM parameters",
    why: "A team agrees on the values, so that reports can compare campaigns. The example is an error if the project file has `utm: { medium: [email, social] }`.",
    example: "utm: { source: mail, medium: e-mail, campaign: spring }",
  },
  "utm-unknown": {
    topic: "UTM parameters",
    why: "Usually a typing error, or `&amp;` copied from the source of a page.",
    example: "url: https://example.com/?utm_source=mail&utm_medium=email&utm_campain=spring",
  },
  "pixels-skip-targeting": {
    topic: "Targeting",
    why: "Only visitors who refuse tracking get their target. Visitors who accept go to `url`.",
    example:
      "links: { a: { url: https://example.com/, pixels: [P], targeting: { country: { DE: https://example.com/de } } } }",
  },
  expired: {
    topic: "Expiration",
    why: "Visitors go to `expiration.url`, or to a page that says that the link has expired. The date is in the time zone of the files.",
    example: "expiration: { date: 2026-01-31 }",
  },
  "date-out-of-range": {
    topic: "Expiration",
    why: "The service answers with an error. `plan` refuses such a date at every setting of this rule.",
    example: "expiration: { date: 2038-01-20 }",
  },
  "start-after-end": {
    topic: "Expiration",
    why: "Version 49 refuses such a period, and the link would never work.",
    example: "expiration: { start: 2027-05-01, date: 2027-04-01 }",
  },
  "time-without-date": {
    topic: "Expiration",
    why: "A time without a date has no effect.",
    example: 'expiration: { time: "18:00" }',
  },
  "review-due": {
    topic: "Review",
    why: "Somebody set the date to check that the link is still needed and correct. The date is in the time zone of the files. See [owners and reviews](file-format.md#owners-and-reviews).",
    example: "review_by: 2026-06-30",
  },
  "secret-unused": {
    topic: "Passwords and renames",
    why: "The service stores the password and never asks for it.",
    example: "privacy_password: { env: LINKFORM_SECRET_STATS }",
  },
  "secret-left-out": {
    topic: "Passwords and renames",
    why: "Unless a password is set already, nobody can open the statistics.",
    example: "privacy: password",
  },
  "renamed-to-itself": {
    topic: "Passwords and renames",
    why: "It has no effect. Write the old key.",
    example: "renamed_from: a",
  },
  "unknown-country": {
    topic: "Targeting",
    why: "The service refuses it. Write `GB` instead of `UK`. `EU` is not a country.",
    example: "targeting: { country: { UK: https://example.com/uk } }",
  },
  "refused-country": {
    topic: "Targeting",
    why: "The service does not accept `CW`, `SS`, `SX` and `XK` (Kosovo).",
    example: "targeting: { country: { CW: https://example.com/cw } }",
  },
  "unknown-language": {
    topic: "Targeting",
    why: "The service refuses it. Write `he` instead of `iw`, and `ja` instead of `jp`.",
    example: "targeting: { language: { jp: https://example.com/ja } }",
  },
  "retired-code": {
    topic: "Targeting",
    why: "The service accepts it, but no visitor matches it. Examples are `AN`, `ZZ` and `bh`.",
    example: "targeting: { country: { AN: https://example.com/an } }",
  },
  "version-code": {
    topic: "Targeting",
    why: "Version 4.1 refuses `cn`, `mo` and `sh`. Later versions refuse `ae` and `DD`.",
    example: "targeting: { language: { ae: https://example.com/ae } }",
  },
  "misspelled-label": {
    topic: "Labels",
    why: "Without network, linkform cannot know whether a domain or space of this name exists. If it does, add a label for it.",
    example: "space: Marketng",
  },
  "pixel-snippet": {
    topic: "Pixels",
    why: "The value is only the id. If linkform finds the id in the script, the message contains it.",
    example: "type: facebook, value: \"<script>fbq('init', '1234567890123456')</script>\"",
  },
  "pixel-space": {
    topic: "Pixels",
    why: "Usually it was copied together with the id.",
    example: 'type: bing, value: "1234 5678"',
  },
  "pixel-placeholder": {
    topic: "Pixels",
    why: "It comes from a manual: `YOUR_…`, `XXXX`, or one repeated digit.",
    example: "type: facebook, value: YOUR_PIXEL_ID",
  },
  "pixel-retired": {
    topic: "Pixels",
    why: "Universal Analytics stopped counting in July 2023, and its 360 version in July 2024.",
    example: "type: google-analytics, value: UA-123456-1",
  },
  "pixel-other-id": {
    topic: "Pixels",
    why: "`AW-…/label` ends with a conversion label, and `tw-…-…` is an event.",
    example: "type: twitter, value: tw-o8a1b-p2c3d",
  },
  "pixel-adroll-dash": {
    topic: "Pixels",
    why: "The service refuses it. Write the advertiser's id, `-`, and the pixel's id.",
    example: "type: adroll, value: PIX12345678901234567AB",
  },
  "pixel-type": {
    topic: "Pixels",
    why: "Either `type` or `value` is wrong.",
    example: "type: google-analytics, value: GTM-AB12CD",
  },
  "pixel-value": {
    topic: "Pixels",
    why: "Compare the value with the [forms of pixel values](#forms-of-pixel-values).",
    example: 'type: bing, value: "12"',
  },
  "tag-manager-owner": {
    topic: "Pixels",
    why: "Whoever has access to Google's console decides what it loads. Name that person or team in `note`.",
    example: "type: google-tag-manager, value: GTM-AB12CD",
  },
};
