// The rules: advice about values in the files, and about changes. A project sets each to off, warning or error.

import type { Diagnostic } from "./diagnostic.ts";

export type RuleLevel = "off" | "warning" | "error";

export interface Rule {
  /** What it is where the project says nothing. */
  readonly level: RuleLevel;
  /** What it finds, in one sentence. */
  readonly about: string;
  /** The service refuses to store the value. A live object that has it already can stay as it is. */
  readonly isAboutSending?: true;
}

/** In the order of docs/rules.md within a topic. The page has the reason and the examples of each. */
const RULE_TABLE = {
  "unsafe-scheme": {
    level: "error",
    about: "A destination is a `javascript:`, `data:`, `vbscript:` or `file:` URL.",
  },
  "refused-address": {
    level: "error",
    about: "A destination is not an address that the service stores.",
    isAboutSending: true,
  },
  "address-typo": { level: "warning", about: "A destination looks misspelled: `htps://`, two schemes, or `&amp;`." },
  "url-credentials": { level: "warning", about: "A destination contains a user name or a password." },
  "private-address": {
    level: "warning",
    about: "A destination is on localhost or in a private network.",
  },
  "plain-http": { level: "warning", about: "A destination uses plain `http://`." },
  "query-drops-port": {
    level: "warning",
    about: "A destination has a port, user info or a fragment, which the service drops if the short URL has a query.",
  },
  "redirect-loop": {
    level: "warning",
    about: "A link leads to itself, directly or through other links of the project.",
  },
  "short-link-chain": { level: "warning", about: "A destination is another short link of the project." },
  "own-short-domain": { level: "warning", about: "A destination is on the short domain of the link." },
  "same-destination": { level: "off", about: "Two links lead to the same `url`." },
  "utm-incomplete": {
    level: "warning",
    about: "A destination has UTM parameters, but not all of `utm_source`, `utm_medium` and `utm_campaign`.",
  },
  "utm-case": { level: "warning", about: "The value of a UTM parameter has capital letters." },
  "utm-twice": { level: "warning", about: "A UTM parameter appears more than once." },
  "utm-fragment": { level: "warning", about: "A UTM parameter is after the `#`." },
  "utm-value": {
    level: "error",
    about: "A UTM value is not one that `utm` in the project file allows.",
  },
  "utm-unknown": { level: "warning", about: "A parameter looks like a UTM parameter, but is not a known one." },
  "pixels-skip-targeting": {
    level: "warning",
    about: "A link has pixels and active targeting. Visitors who accept tracking skip the targeting.",
  },
  expired: { level: "warning", about: "The `expiration` is in the past." },
  "date-out-of-range": {
    level: "error",
    about: "The service cannot store the date: before 1970, or after 19 January 2038, 03:14 UTC.",
  },
  "start-after-end": { level: "error", about: "`expiration.start` is not before `expiration.date`." },
  "misspelled-label": {
    level: "warning",
    about: "A domain or space resembles a label of the project file, but is not one.",
  },
  "time-without-date": { level: "warning", about: "`expiration.time` is set without `expiration.date`." },
  "review-due": { level: "warning", about: "The date in `review_by` is today or in the past." },
  "secret-unused": { level: "warning", about: "`privacy_password` is set without `privacy: password`." },
  "secret-left-out": { level: "warning", about: "`privacy: password` is set without `privacy_password`." },
  "renamed-to-itself": { level: "warning", about: "`renamed_from` is the same as the key of the block." },
  "unknown-country": { level: "error", about: "A country in `targeting` is not an ISO 3166-1 code." },
  "refused-country": { level: "error", about: "A country in `targeting` is refused by the service." },
  "unknown-language": { level: "error", about: "A language in `targeting` is not an ISO 639-1 code." },
  "retired-code": {
    level: "warning",
    about: "A country or language in `targeting` is a code that was removed from its standard.",
  },
  "version-code": {
    level: "warning",
    about: "A country or language in `targeting` is refused by some versions of the service.",
  },
  "pixel-snippet": { level: "warning", about: "The value of a pixel is a pasted script." },
  "pixel-space": { level: "warning", about: "The value of a pixel has white space in or around it." },
  "pixel-placeholder": {
    level: "warning",
    about: "The value of a pixel is a placeholder, such as `YOUR_ID` or `XXXX`.",
  },
  "pixel-retired": {
    level: "warning",
    about: "The value of a pixel is an id that its network no longer uses (`UA-…`).",
  },
  "pixel-other-id": {
    level: "warning",
    about: "The value of a pixel is another kind of id: an event id, or an id with a conversion label.",
  },
  "pixel-adroll-dash": { level: "error", about: "The value of an `adroll` pixel has no `-`." },
  "pixel-type": { level: "warning", about: "The value of a pixel looks like an id of another type." },
  "pixel-value": { level: "warning", about: "The value of a pixel does not look like an id of its type." },
  "tag-manager-owner": {
    level: "warning",
    about: "A `google-tag-manager` pixel, which can run any script, has no `note` that names its owner.",
  },
  "dead-destination": { level: "error", about: "A destination does not exist any more." },
  "destination-moved": { level: "warning", about: "The redirects of a destination end at another host than before." },
  "takes-over": {
    level: "warning",
    about: "A change takes over a live link or pixel that the base does not declare.",
  },
} as const;

export type RuleCode = keyof typeof RULE_TABLE;

export const RULES: Readonly<Record<RuleCode, Rule>> = RULE_TABLE;

/** The rules about answers of destinations, which a link can waive like a policy. */
export const WAIVABLE_RULES = ["dead-destination", "destination-moved"] as const;
export type WaivableRule = (typeof WAIVABLE_RULES)[number];

/** The level of a rule in a project that sets these. */
export function levelOf(code: RuleCode, rules: ReadonlyMap<string, RuleLevel>): RuleLevel {
  return rules.get(code) ?? RULES[code].level;
}

/** Whether a text is the code of a lint rule. */
export function isRuleCode(text: string): text is RuleCode {
  return Object.hasOwn(RULES, text);
}

/** Whether this error does not matter to a plan that does not send the value. */
export function isAboutSending({ code, severity }: Diagnostic): boolean {
  return severity === "error" && isRuleCode(code) && RULES[code].isAboutSending === true;
}

/**
 * The findings of valid files beside those of a plan, which reports the values that it sends itself. All errors of valid files are about
 * sending, and so is the number of those left out.
 */
export function besidePlan(ofFiles: readonly Diagnostic[], ofPlan: readonly Diagnostic[]): Diagnostic[] {
  const isSent = ofPlan.some(isAboutSending);
  return ofFiles.flatMap((one) => {
    if (one.severity !== "error") return [one];
    return isSent
      ? []
      : [{ ...one, severity: "warning", message: one.message.replace(/ more error(?=s?\b)/, " more warning") }];
  });
}

/** The words that a rule can be set to. */
export const RULE_LEVELS: readonly RuleLevel[] = ["off", "warning", "error"];
