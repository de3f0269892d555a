// The forms of the keys that limit what linkform may do and what links may be: scope, prune, brake, policies and others.

import type { Example } from "../domain/field.ts";
import { parseHostPattern } from "../domain/hosts.ts";
import type { Action, PruneMode } from "../domain/project.ts";
import { RULE_LEVELS, RULES } from "../domain/rules.ts";
import { blockFields, GROUPS } from "../domain/table.ts";
import { UTM_KEYS } from "../domain/utm.ts";
import { reference, utmText, valueForm, vocabularyForm } from "./field-schema.ts";
import {
  about,
  block,
  date,
  listOf,
  mapOf,
  matching,
  orEmpty,
  stringOf,
  textLike,
  textList,
  textThat,
  wordOf,
  type Form,
  type KeyForm,
} from "./form.ts";
import { ACTIONS, percentOf } from "./policy.ts";

/** Each policy is compared with each link. */
const MOST_POLICIES = 50;

/** Part of the code of a finding. */
export const POLICY_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

const name: KeyForm = {
  message: "The name of a policy must start with a letter or digit, and have only letters, digits, `-` and `_`.",
  pattern: POLICY_NAME,
  keywords: { title: "policy", description: "The name of a policy." },
};

const reason: Form = {
  ...matching(/^(?=[^]*\S)[^]{1,300}$/, "This must be text of at most 300 characters that gives the reason."),
  isAsWritten: true,
};

/** The form of `expires_within`. */
export const PERIOD: RegExp = /^([1-9]\d{0,3}) days?$/;

const glob = textLike("This must be a glob of keys, such as `go.example.com/qr-*`, or a list of globs.");

/** The fields that a policy can require. */
export const REQUIRABLE: readonly string[] = [
  ...blockFields("link").map(({ path }) => path),
  ...Object.keys(GROUPS),
  ...UTM_KEYS.map((key) => `utm.${key}`),
  "note",
  "protect",
  "owner",
  "review_by",
];

function oneOrMore(example: Example, form: Form): Form {
  const list = listOf(form, "An allowed value.", { isFilled: true });
  return about("An allowed value, or a list of allowed values.", [example], { ...list, ...form });
}

/** The fields whose values can be compared. */
export const COMPARABLE: ReadonlyMap<string, Form> = new Map([
  ...blockFields("link")
    .filter(({ kind }) => ["flag", "word", "reference"].includes(kind))
    .map((spec) => [spec.path, oneOrMore(spec.example, valueForm(spec))] as const),
  ...UTM_KEYS.map((key) => [`utm.${key}`, oneOrMore("newsletter", utmText)] as const),
  ["owner", oneOrMore("growth-team", textLike("This must be the name of a person or team."))],
]);

const isHost = (written: string): boolean => parseHostPattern(written.trim()) !== null;
const aboutHost = "This must be a host, such as example.com or `*.example.com`.";
const host: Form = { ...textThat(isHost, aboutHost, { minLength: 1 }), isAsWritten: true };
const hosts = listOf(host, "A host.", { isFilled: true });

const CHECKS = {
  require: about(
    "Fields that a link must set, itself or by `defaults`. A map also lists their allowed values.",
    [["space", "note"], { space: ["Marketing", "Sales"] }],
    {
      ...listOf(
        {
          message: "This must be the name of a field, such as `space` or `expiration.date`.",
          text: { words: REQUIRABLE },
        },
        "A field.",
        { isFilled: true },
      ),
      ...block(Object.fromEntries(COMPARABLE), { isFilled: true }),
    },
  ),
  destinations: about(
    "The only hosts that links may lead to, in `url`, `targeting` and `expiration.url`. `*.example.com` matches all hosts below example.com, but not example.com itself.",
    [["example.com", "*.example.com"]],
    hosts,
  ),
  blocked: about("Hosts that links must not lead to.", [["bit.ly"]], hosts),
  alias: about(
    "A regular expression (RE2) that must match the whole alias.",
    ["[a-z0-9-]+"],
    stringOf('This must be a regular expression in quotes, such as `"[a-z0-9-]+"`.'),
  ),
  expires_within: about(
    "A link must have an `expiration.date`, at most this many days from today.",
    ["90 days"],
    matching(PERIOD, "This must be a number of days, such as `90 days`."),
  ),
  pixels: about("Pixels that a link must use.", [["Meta main"]], textList("The name of a pixel.", { isFilled: true })),
};

const LEVELS = { error: "No plan is possible.", warning: "The finding is only reported." };
const aboutChecks = `This must have at least one of these keys: ${Object.keys(CHECKS).join(", ")}.`;

const policy = about(
  "A policy.",
  [{ destinations: ["example.com", "*.example.com"] }],
  block(
    {
      links: about(
        "The links that the policy applies to: a glob that matches keys, or a list of globs. Default: all links.",
        ["go.example.com/qr-*"],
        { ...listOf(glob, "A glob that matches keys.", { isFilled: true }), ...glob },
      ),
      ...CHECKS,
      severity: about("Severity of the findings.", ["warning"], wordOf(Object.keys(LEVELS), LEVELS), {
        default: "error",
      }),
      reason: about(
        "Why the policy exists. Findings show it.",
        ["Visitors should always reach our own sites."],
        reason,
      ),
    },
    {
      problem: ({ entries }) => (entries.some(({ key }) => Object.hasOwn(CHECKS, key)) ? null : aboutChecks),
      keywords: { minProperties: 1 },
    },
  ),
);

const policies = about(
  "House rules that links must follow, by name.",
  [{ "own-destinations": { destinations: ["example.com", "*.example.com"] } }],
  mapOf(policy, {
    key: name,
    most: { count: MOST_POLICIES, message: `This must have at most ${MOST_POLICIES} policies.` },
  }),
);

const waiver = about(
  "A waiver of this policy.",
  [{ until: "2027-01-01", because: "Partner page" }],
  block(
    {
      until: about("The last day of the waiver, in the time zone of the files.", ["2027-01-01"], date),
      because: about("Why the link does not follow the policy.", ["Partner page"], reason),
    },
    { required: ["until", "because"] },
  ),
);

export const waiveForm: Form = about(
  "Policies of the project that this link does not have to follow, by name, and the rules `dead-destination` and `destination-moved`. Each has an end and a reason.",
  [{ "own-destinations": { until: "2027-01-01", because: "Partner page" } }],
  mapOf(waiver, { key: name }),
);

const PRUNED: Readonly<Record<PruneMode, string>> = {
  none: "Keep them.",
  removed: "Delete those that the files declared at `--base`.",
  scope: "Delete all that are in `scope`.",
};

const ALLOWED: Readonly<Record<Action, string>> = {
  create: "Create links and pixels.",
  update: "Change existing links and pixels.",
  replace: "Move links to another domain.",
  delete: "Delete links and pixels.",
};

const scope = block(
  {
    domains: about(
      "Domains in the scope: labels, names or ids. Default: all domains.",
      [["go.example.com"]],
      listOf(reference("domain"), "A domain.", { isFilled: true }),
    ),
    spaces: about(
      "Spaces in the scope: labels, names or ids. `null` means links without a space. Default: links in any space or none.",
      [["Marketing", null]],
      listOf(orEmpty(reference("space")), "A space, or `null` for links without a space.", { isFilled: true }),
    ),
    pixels: about(
      "Pixels in the scope, as globs that match their names. Default: all pixels.",
      [["Meta *"]],
      textList("A glob that matches pixel names.", { isFilled: true }),
    ),
  },
  { isFilled: true },
);

function share(message: string): Form {
  const isShare = (written: string): boolean => percentOf(written.trim()) !== null;
  return textThat(isShare, message, { pattern: "^0*(100(\\.0+)?|\\d{1,2}(\\.\\d+)?)%$" });
}

const limit: Form = {
  ...share("This must be a whole number or a percentage from 0% to 100%."),
  number: { isWhole: true, least: 0 },
};

const brake = block({
  deletes: about(
    "Most deletes of links, and of pixels, in one run, as a number or a percentage of the objects at stake, or of 10 if that is more. Renaming, moving or disabling a link counts as a delete.",
    ["30%", 5],
    limit,
    { default: "30%" },
  ),
  updates: about(
    "Most updates of links, and of pixels, in one run, as a number or a percentage. With fewer than 10 objects at stake, updates are not limited.",
    ["50%", 20],
    limit,
    { default: "30%" },
  ),
  clicks: about(
    "Most clicks that one run may lose by deleting or moving links, as a percentage of the clicks of the links at stake. Default: no limit.",
    ["10%"],
    share("This must be a percentage from 0% to 100%."),
  ),
});

const ruleLevel = wordOf(RULE_LEVELS);

export const policyKeys: Readonly<Record<string, Form>> = {
  scope: about(
    "The part of the account that this project covers. Everything that the files declare must be in it.",
    [{ domains: ["go.example.com"], spaces: ["Marketing"], pixels: ["Meta *"] }],
    scope,
  ),
  prune: about(
    "What linkform does with live links and pixels that the files do not name.",
    ["removed"],
    wordOf(Object.keys(PRUNED), PRUNED),
    { default: "none" },
  ),
  brake: about(
    "Limits for one run. A plan that exceeds a limit is shown, but not applied. Percentages are of the objects at stake: the live links or pixels that are declared, have a tombstone or would be pruned.",
    [{ deletes: "10%", updates: "50%" }],
    brake,
  ),
  protect: about(
    "Globs that match the keys of protected links. linkform refuses changes after which their short URLs stop working, and no flag overrides this. Default: none.",
    [["go.example.com/qr-*"]],
    textList("A glob that matches keys, such as go.example.com/qr-*."),
  ),
  allow: about(
    "The only actions that a plan may contain.",
    [["create", "update"]],
    {
      ...listOf(wordOf(Object.keys(ALLOWED), ALLOWED), "An action.", { isFilled: true }),
      message: `This must be a list of these actions: ${ACTIONS.join(", ")}.`,
    },
    { default: ACTIONS },
  ),
  rules: about(
    "Severity of lint rules. Rules that are not listed keep their defaults.",
    [{ "plain-http": "off" }],
    block(
      Object.fromEntries(
        Object.entries(RULES).map(([code, rule]) => [
          code,
          about(rule.about, ["off"], ruleLevel, { default: rule.level }),
        ]),
      ),
    ),
  ),
  utm: vocabularyForm,
  policies,
};
