// The rules: advice about values in the files, and about changes. A project sets each to off, warning or error.

import type { Diagnostic } from "./diagnostic.ts";

export type RuleLevel = "off" | "warning" | "error";

export interface Rule {
  /** The default. */
  readonly level: RuleLevel;
  /** What it finds, in one sentence. */
  readonly about: string;
}

type Row = (about: string) => Rule;
const error: Row = (about) => ({ level: "error", about });
const warning: Row = (about) => ({ level: "warning", about });
const off: Row = (about) => ({ level: "off", about });

/** In the order of docs/rules.md within a topic. The page has the reason and the examples of each. */
export const RULES = {
  "unsafe-scheme": error("A destination is a `javascript:`, `data:`, `vbscript:` or `file:` URL."),
  "refused-address": error("A destination is not an address that the service stores."),
  "address-typo": warning("A destination looks misspelled: `htps://`, two schemes, or `&amp;`."),
  "url-credentials": warning("A destination contains a user name or a password."),
  "private-address": warning("A destination is on localhost, or not on the public internet."),
  "plain-http": warning("A destination uses plain `http://`."),
  "query-drops-port": warning(
    "A destination has a port, user info or a fragment, which the service drops if the short URL has a query.",
  ),
  "redirect-loop": warning("A link leads to itself, directly or through other links of the project."),
  "short-link-chain": warning("A destination is another short link of the project."),
  "own-short-domain": warning("A destination is on the short domain of the link."),
  "same-destination": off("Two links lead to the same `url`."),
  "utm-incomplete": warning(
    "A destination has UTM parameters, but not all of `utm_source`, `utm_medium` and `utm_campaign`.",
  ),
  "utm-case": warning("The value of a UTM parameter has capital letters."),
  "utm-twice": warning("A UTM parameter appears more than once."),
  "utm-fragment": warning("A UTM parameter is after the `#`."),
  "utm-value": error("A UTM value is not one that `utm` in the project file allows."),
  "utm-unknown": warning("A parameter looks like a UTM parameter, but is not a known one."),
  "pixels-skip-targeting": warning(
    "A link has pixels and active targeting. Visitors who accept tracking skip the targeting.",
  ),
  expired: warning("The `expiration` is in the past."),
  "date-out-of-range": error("The service cannot store the date: before 1970, or after 19 January 2038, 03:14 UTC."),
  "start-after-end": error("`expiration.start` is not before `expiration.date`."),
  "misspelled-label": warning("A domain or space resembles a label of the project file, but is not one."),
  "time-without-date": warning("`expiration.time` is set without `expiration.date`."),
  "review-due": warning("The date in `review_by` is today or in the past."),
  "secret-unused": warning("`privacy_password` is set without `privacy: password`."),
  "secret-left-out": warning("`privacy: password` is set without `privacy_password`."),
  "renamed-to-itself": warning("`renamed_from` is the same as the key of the block."),
  "unknown-country": error("A country in `targeting` is not an ISO 3166-1 code."),
  "refused-country": error("A country in `targeting` is refused by the service."),
  "unknown-language": error("A language in `targeting` is not an ISO 639-1 code."),
  "retired-code": warning("A country or language in `targeting` is a code that was removed from its standard."),
  "version-code": warning("A country or language in `targeting` is refused by some versions of the service."),
  "pixel-snippet": warning("The value of a pixel is a pasted script."),
  "pixel-space": warning("The value of a pixel has white space in or around it."),
  "pixel-placeholder": warning("The value of a pixel is a placeholder, such as `YOUR_ID` or `XXXX`."),
  "pixel-retired": warning("The value of a pixel is an id that its network no longer uses (`UA-…`)."),
  "pixel-other-id": warning(
    "The value of a pixel is another kind of id: an event id, or an id with a conversion label.",
  ),
  "pixel-adroll-dash": error("The value of an `adroll` pixel has no `-`."),
  "pixel-type": warning("The value of a pixel looks like an id of another type."),
  "pixel-value": warning("The value of a pixel does not look like an id of its type."),
  "tag-manager-owner": warning(
    "A `google-tag-manager` pixel, which can run any script, has no `note` that names its owner.",
  ),
  "dead-destination": error("A destination does not exist any more."),
  "destination-moved": warning("The redirects of a destination end at another host than before."),
  "takes-over": warning("A change takes over a live link or pixel that the base does not declare."),
} satisfies Readonly<Record<string, Rule>>;

export type RuleCode = keyof typeof RULES;

/** The rules about answers of destinations, which a link can waive like a policy. */
export const WAIVABLE_RULES = ["dead-destination", "destination-moved"] as const;
export type WaivableRule = (typeof WAIVABLE_RULES)[number];

/** The level of a rule in a project that sets these. */
export function levelOf(code: RuleCode, rules: ReadonlyMap<string, RuleLevel>): RuleLevel {
  return rules.get(code) ?? RULES[code].level;
}

export function isRuleCode(text: string): text is RuleCode {
  return Object.hasOwn(RULES, text);
}

/** Whether this error does not matter to a plan that does not send the value: a live object that has it already can stay as it is. */
export function isAboutSending({ code, severity }: Diagnostic): boolean {
  return severity === "error" && code === "refused-address";
}

/**
 * The findings of valid files beside those of a plan, which reports the values that it sends itself. All errors of valid files are about
 * sending, and so is the number of those left out.
 */
export function besidePlan(ofFiles: readonly Diagnostic[], ofPlan: readonly Diagnostic[]): Diagnostic[] {
  const isSent = ofPlan.some(isAboutSending);
  return ofFiles.flatMap((one): Diagnostic[] => {
    if (one.severity !== "error") return [one];
    const message = one.message.replace(/ more error(?=s?\b)/, " more warning");
    return isSent ? [] : [{ ...one, severity: "warning", message }];
  });
}

export const RULE_LEVELS: readonly RuleLevel[] = ["off", "warning", "error"];
