// The forms of the keys that limit what linkform may do and what links may be: scope, prune, brake, policies and others.

import type { Example } from "../domain/field.ts";
import { parseHostPattern } from "../domain/hosts.ts";
import type { Action, PruneMode } from "../domain/project.ts";
import { RULE_LEVELS, RULES } from "../domain/rules.ts";
import { blockFields, GROUPS } from "../domain/table.ts";
import { UTM_KEYS } from "../domain/utm.ts";
import { reference, valueForm } from "./field-schema.ts";
import {
  about,
  block,
  date,
  listOf,
  mapOf,
  matching,
  orEmpty,
  shown,
  stringOf,
  textLike,
  textList,
  wordOf,
  type Form,
  type KeyForm,
} from "./form.ts";
import { ACTIONS, percentOf } from "./policy.ts";
import { utmText, vocabularyForm } from "./utm-schema.ts";

/** Each policy is compared with each link. */
const MOST_POLICIES = 50;
const REASON = /^(?=[^]*\S)[^]{1,300}$/;

const name: KeyForm = {
  message: "The name of a policy must start with a letter or digit, and have only letters, digits, `-` and `_`.",
  pattern: /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/,
  keywords: { title: "policy", description: "The name of a policy." },
};

function reason(what: string): Form {
  const form = matching(REASON, `This must be text of at most 300 characters that gives the reason for the ${what}.`);
  return { ...form, isAsWritten: true };
}

/** The form of `expires_within`. */
export const PERIOD: RegExp = /^([1-9]\d{0,3}) days?$/;

const aboutGlobs = "This must be a glob of keys, such as `go.example.com/qr-*`, or a list of globs.";
const glob = shown(textLike(aboutGlobs), { description: "A glob that matches keys." });
const aboutRequire =
  "This must be a list of fields, such as `[space, note]`, or a map from fields to allowed values, such as `{ space: [Marketing, Sales] }`.";

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

/** A value of this form, or a list of such values. */
function oneOrMore(example: Example, form: Form): Form {
  const item = shown(form, { description: "An allowed value." });
  const list = listOf(item, form.message, { isFilled: true });
  return about("An allowed value, or a list of allowed values.", [example], { ...form, ...list });
}

/** The fields whose values can be compared. */
export const COMPARABLE: Readonly<Record<string, Form>> = Object.fromEntries([
  ...blockFields("link").flatMap((spec) =>
    ["flag", "word", "reference"].includes(spec.kind)
      ? [[spec.path, oneOrMore(spec.example, valueForm(spec))] as const]
      : [],
  ),
  ...UTM_KEYS.map((key) => [`utm.${key}`, oneOrMore("newsletter", utmText)] as const),
  ["owner", oneOrMore("growth-team", textLike("This must be the name of a person or team."))] as const,
]);

const aboutHost = "This must be a host, such as example.com or `*.example.com`.";
const host: Form = {
  message: aboutHost,
  text: {
    problem: (written) => (parseHostPattern(written.trim()) === null ? aboutHost : null),
    keywords: { minLength: 1 },
  },
  isAsWritten: true,
};
const hosts = listOf(
  shown(host, { description: "A host." }),
  'This must be a list of hosts, such as `[example.com, "*.example.com"]`.',
  { isFilled: true },
);

/** What a policy can check. */
const CHECKS: Readonly<Record<string, Form>> = {
  require: about(
    "Fields that a link must set, itself or by `defaults`. A map also lists their allowed values.",
    [["space", "note"], { space: ["Marketing", "Sales"] }],
    {
      ...listOf(
        {
          message: "This must be the name of a field, such as `space` or `expiration.date`.",
          text: { words: REQUIRABLE },
          shown: { description: "A field." },
        },
        aboutRequire,
        { isFilled: true },
      ),
      ...block(COMPARABLE, aboutRequire, {
        problem: ({ entries }) => (entries.length === 0 ? "This must have at least one field." : null),
        keywords: { minProperties: 1 },
      }),
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
  pixels: about(
    "Pixels that a link must use.",
    [["Meta main"]],
    textList("the name of a pixel", "The name of a pixel.", "a list of pixels, such as `[Meta main]`", {
      isFilled: true,
    }),
  ),
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
        { ...glob, ...listOf(glob, aboutGlobs, { isFilled: true }) },
      ),
      ...CHECKS,
      severity: about("Severity of the findings.", ["warning"], wordOf(Object.keys(LEVELS), LEVELS), {
        default: "error",
      }),
      reason: about(
        "Why the policy exists. Findings show it.",
        ["Visitors should always reach our own sites."],
        reason("policy"),
      ),
    },
    "A policy must be a map, such as `{ destinations: [example.com] }`.",
    {
      problem: ({ entries }) => (entries.some(({ key }) => Object.hasOwn(CHECKS, key)) ? null : aboutChecks),
      keywords: { minProperties: 1 },
    },
  ),
);

/** `policies` of a project file. */
const policies: Form = about(
  "House rules that links must follow, by name.",
  [{ "own-destinations": { destinations: ["example.com", "*.example.com"] } }],
  mapOf(
    policy,
    "This must be a map from names to policies, such as `own-destinations: { destinations: [example.com] }`.",
    {
      key: name,
      problem: ({ entries }) =>
        entries.length > MOST_POLICIES ? `This must have at most ${MOST_POLICIES} policies.` : null,
    },
  ),
);

const waiver = about(
  "A waiver of this policy.",
  [{ until: "2027-01-01", because: "Partner page" }],
  block(
    {
      until: about("The last day of the waiver, in the time zone of the files.", ["2027-01-01"], date),
      because: about("Why the link does not follow the policy.", ["Partner page"], reason("waiver")),
    },
    "This must be a map with the keys `until` and `because`.",
    { required: ["until", "because"] },
  ),
);

/** `waive` of a link. */
export const waiveForm: Form = about(
  "Policies of the project that this link does not have to follow, by name, and the rules `dead-destination` and `destination-moved`. Each has an end and a reason.",
  [{ "own-destinations": { until: "2027-01-01", because: "Partner page" } }],
  mapOf(
    waiver,
    "This must be a map from policies to waivers, such as `own-destinations: { until: 2027-01-01, because: Partner page }`.",
    { key: name },
  ),
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

const aboutScope = "This must be a map with at least one of these keys: domains, spaces, pixels.";
const scope = block(
  {
    domains: about(
      "Domains in the scope: labels, names or ids. Default: all domains.",
      [["go.example.com"]],
      listOf(
        shown(reference("domain"), { description: "A domain." }),
        "This must be a list of domains, such as `[go.example.com]`.",
        { isFilled: true },
      ),
    ),
    spaces: about(
      "Spaces in the scope: labels, names or ids. `null` means links without a space. Default: links in any space or none.",
      [["Marketing", null]],
      listOf(
        shown(orEmpty(reference("space")), { description: "A space, or `null` for links without a space." }),
        "This must be a list of spaces, such as `[Marketing, null]`.",
        { isFilled: true },
      ),
    ),
    pixels: about(
      "Pixels in the scope, as globs that match their names. Default: all pixels.",
      [["Meta *"]],
      textList(
        "a glob that matches pixel names",
        "A glob that matches pixel names.",
        'a list of globs, such as `["Meta *"]`',
        { isFilled: true },
      ),
    ),
  },
  aboutScope,
  {
    problem: ({ entries }) => (entries.length === 0 ? aboutScope : null),
    keywords: { minProperties: 1 },
  },
);

function share(message: string): Form {
  return {
    message,
    text: {
      problem: (written) => (percentOf(written.trim()) === null ? message : null),
      keywords: { pattern: "^0*(100(\\.0+)?|\\d{1,2}(\\.\\d+)?)%$" },
    },
  };
}

const limit: Form = {
  ...share("This must be a whole number or a percentage from 0% to 100%."),
  number: { isWhole: true, least: 0 },
};

const brake = block(
  {
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
  },
  "This must be a map with any of these keys: deletes, updates, clicks.",
);

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
    textList(
      "a glob that matches keys, such as go.example.com/qr-*",
      "A glob that matches keys.",
      'a list of globs, such as `["go.example.com/qr-*"]`',
    ),
  ),
  allow: about(
    "The only actions that a plan may contain.",
    [["create", "update"]],
    listOf(
      shown(wordOf(Object.keys(ALLOWED), ALLOWED), { description: "An action." }),
      `This must be a list of these actions: ${ACTIONS.join(", ")}.`,
      { isFilled: true },
    ),
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
      "This must be a map of rules, such as `rules: { plain-http: off }`.",
    ),
  ),
  utm: vocabularyForm,
  policies,
};
