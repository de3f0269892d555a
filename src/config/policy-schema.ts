// The zod schemas of the keys that limit what linkform may do and what links may be: scope, prune, brake, policies and others.

import * as z from "zod";
import type { Action, PruneMode } from "../domain/project.ts";
import { RULE_LEVELS, RULES, type Rule } from "../domain/rules.ts";
import {
  block,
  dateSchema,
  listOf,
  NOT_EMPTY,
  optional,
  reference,
  textLike,
  textList,
  wordSchema,
} from "./field-schema.ts";
import { PERIOD } from "./policies.ts";
import { ACTIONS, percentOf } from "./policy.ts";

/** Each policy is compared with each link. */
const MOST_POLICIES = 50;
const LONGEST_REASON = 300;

const aboutName = "The name of a policy must start with a letter or digit, and have only letters, digits, `-` and `_`.";
const name = z
  .string(aboutName)
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, aboutName)
  .meta({ title: "policy", description: "The name of a policy." });

const reason = (what: string): z.ZodType =>
  textLike(`This must be text that gives the reason for the ${what}.`)
    .refine((text) => String(text).length <= LONGEST_REASON, `This must have at most ${LONGEST_REASON} characters.`)
    .meta({ maxLength: LONGEST_REASON });

const aboutGlobs = "This must be a glob of keys, such as `go.example.com/qr-*`, or a list of globs.";
const glob = textLike(aboutGlobs).meta({ description: "A glob that matches keys." });
const aboutRequire =
  "This must be a list of fields, such as `[space, note]`, or a map from fields to allowed values, such as `{ space: [Marketing, Sales] }`.";
const requiredValue = textLike("This must be a value of the field.").meta({ description: "An allowed value." });
const requiredValues = z.union([requiredValue, listOf(requiredValue, aboutRequire)], { error: aboutRequire }).meta({
  description: "An allowed value, or a list of allowed values.",
  examples: ["Marketing", ["Marketing", "Sales"]],
});
const hosts = textList(
  "a host, such as example.com or `*.example.com`",
  "A host.",
  'a list of hosts, such as `[example.com, "*.example.com"]`',
).min(1, NOT_EMPTY);
const aboutDays = "This must be a number of days, such as `90 days`.";
const aboutPattern = 'This must be a regular expression in quotes, such as `"[a-z0-9-]+"`.';

/** What a policy can check. */
const CHECKS = {
  require: optional(
    "Fields that a link must set, itself or by `defaults`. A map also lists their allowed values.",
    [["space", "note"], { space: ["Marketing", "Sales"] }],
    z.union(
      [
        listOf(textLike("This must be the name of a field.").meta({ description: "A field." }), aboutRequire),
        z
          .record(z.string(), requiredValues, { error: aboutRequire })
          .refine((fields) => Object.keys(fields).length > 0, "This must have at least one field.")
          .meta({ minProperties: 1 }),
      ],
      { error: aboutRequire },
    ),
  ),
  destinations: optional(
    "The only hosts that links may lead to, in `url`, `targeting` and `expiration.url`. `*.example.com` matches all hosts below example.com, but not example.com itself.",
    [["example.com", "*.example.com"]],
    hosts,
  ),
  blocked: optional("Hosts that links must not lead to.", [["bit.ly"]], hosts),
  alias: optional(
    "A regular expression (RE2) that must match the whole alias.",
    ["[a-z0-9-]+"],
    z.string(aboutPattern).trim().min(1, aboutPattern),
  ),
  expires_within: optional(
    "A link must have an `expiration.date`, at most this many days from today.",
    ["90 days"],
    z.string(aboutDays).regex(PERIOD, aboutDays),
  ),
  pixels: optional(
    "Pixels that a link must use.",
    [["Meta main"]],
    textList("the name of a pixel", "The name of a pixel.", "a list of pixels, such as `[Meta main]`").min(
      1,
      NOT_EMPTY,
    ),
  ),
} satisfies Record<string, z.ZodType>;

const LEVELS = { error: "No plan is possible.", warning: "The finding is only reported." };
const aboutChecks = `This must have at least one of these keys: ${Object.keys(CHECKS).join(", ")}.`;

const policy = block(
  {
    links: optional(
      "The links that the policy applies to: a glob that matches keys, or a list of globs. Default: all links.",
      ["go.example.com/qr-*"],
      z.union([glob, listOf(glob, aboutGlobs)], { error: aboutGlobs }),
    ),
    ...CHECKS,
    severity: optional("Severity of the findings.", ["warning"], wordSchema(Object.keys(LEVELS), LEVELS), {
      default: "error",
    }),
    reason: optional(
      "Why the policy exists. Findings show it.",
      ["Visitors should always reach our own sites."],
      reason("policy"),
    ),
  },
  "A policy must be a map, such as `{ destinations: [example.com] }`.",
)
  .refine((value) => Object.keys(CHECKS).some((key) => Object.hasOwn(Object(value), key)), aboutChecks)
  .meta({ description: "A policy.", minProperties: 1, examples: [{ destinations: ["example.com", "*.example.com"] }] });

const byName = (value: z.ZodType, about: string): z.ZodType =>
  z.record(name, value, { error: (issue) => (issue.code === "invalid_key" ? aboutName : about) });

/** `policies` of a project file. */
const linkPoliciesSchema: z.ZodType = optional(
  "House rules that links must follow, by name.",
  [{ "own-destinations": { destinations: ["example.com", "*.example.com"] } }],
  byName(
    policy,
    "This must be a map from names to policies, such as `own-destinations: { destinations: [example.com] }`.",
  ).refine(
    (value) => Object.keys(Object(value)).length <= MOST_POLICIES,
    `This must have at most ${MOST_POLICIES} policies.`,
  ),
);

const waiver = block(
  {
    until: dateSchema.meta({
      description: "The last day of the waiver, in the time zone of the files.",
      examples: ["2027-01-01"],
    }),
    because: reason("waiver").meta({
      description: "Why the link does not follow the policy.",
      examples: ["Partner page"],
    }),
  },
  "This must be a map with the keys `until` and `because`.",
).meta({ description: "A waiver of this policy.", examples: [{ until: "2027-01-01", because: "Partner page" }] });

/** `waive` of a link. */
export const waiveSchema: z.ZodType = optional(
  "Policies of the project that this link does not have to follow, by name, and the rules `dead-destination` and `destination-moved`. Each has an end and a reason.",
  [{ "own-destinations": { until: "2027-01-01", because: "Partner page" } }],
  byName(
    waiver,
    "This must be a map from policies to waivers, such as `own-destinations: { until: 2027-01-01, because: Partner page }`.",
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
    domains: optional(
      "Domains in the scope: labels, names or ids. Default: all domains.",
      [["go.example.com"]],
      listOf(
        reference("domain").meta({ description: "A domain." }),
        "This must be a list of domains, such as `[go.example.com]`.",
      ),
    ),
    spaces: optional(
      "Spaces in the scope: labels, names or ids. `null` means links without a space. Default: links in any space or none.",
      [["Marketing", null]],
      listOf(
        reference("space").nullable().meta({ description: "A space, or `null` for links without a space." }),
        "This must be a list of spaces, such as `[Marketing, null]`.",
      ),
    ),
    pixels: optional(
      "Pixels in the scope, as globs that match their names. Default: all pixels.",
      [["Meta *"]],
      textList(
        "a glob that matches pixel names",
        "A glob that matches pixel names.",
        'a list of globs, such as `["Meta *"]`',
      ).min(1, NOT_EMPTY),
    ),
  },
  aboutScope,
)
  .refine((value) => Object.keys(Object(value)).length > 0, aboutScope)
  .meta({ minProperties: 1 });

const aboutShare = "This must be a percentage from 0% to 100%.";

function share(message: string): z.ZodType {
  return z
    .string(message)
    .refine((written) => percentOf(written.trim()) !== null, message)
    .meta({ pattern: "^0*(100(\\.0+)?|\\d{1,2}(\\.\\d+)?)%$" });
}

const aboutLimit = "This must be a whole number or a percentage from 0% to 100%.";
const limit = z.union([z.int(aboutLimit).min(0, aboutLimit), share(aboutLimit)], { error: aboutLimit });

const brake = block(
  {
    deletes: optional(
      "Most deletes of links, and of pixels, in one run, as a number or a percentage of the objects at stake, or of 10 if that is more. Renaming, moving or disabling a link counts as a delete.",
      ["30%", 5],
      limit,
      { default: "30%" },
    ),
    updates: optional(
      "Most updates of links, and of pixels, in one run, as a number or a percentage. With fewer than 10 objects at stake, updates are not limited.",
      ["50%", 20],
      limit,
      { default: "30%" },
    ),
    clicks: optional(
      "Most clicks that one run may lose by deleting or moving links, as a percentage of the clicks of the links at stake. Default: no limit.",
      ["10%"],
      share(aboutShare),
    ),
  },
  "This must be a map with any of these keys: deletes, updates, clicks.",
);

const actions = `This must be a list of these actions: ${ACTIONS.join(", ")}.`;

function ruleLevel({ level, about }: Rule): z.ZodType {
  const message = `This must be one of: ${RULE_LEVELS.join(", ")}.`;
  return optional(about, ["off"], z.enum(RULE_LEVELS, { error: message }), { default: level });
}

/** The zod schemas of these keys. */
export const policyKeys: Readonly<Record<string, z.ZodType>> = {
  scope: optional(
    "The part of the account that this project covers. Everything that the files declare must be in it.",
    [{ domains: ["go.example.com"], spaces: ["Marketing"], pixels: ["Meta *"] }],
    scope,
  ),
  prune: optional(
    "What linkform does with live links and pixels that the files do not name.",
    ["removed"],
    wordSchema(Object.keys(PRUNED), PRUNED),
    { default: "none" },
  ),
  brake: optional(
    "Limits for one run. A plan that exceeds a limit is shown, but not applied. Percentages are of the objects at stake: the live links or pixels that are declared, have a tombstone or would be pruned.",
    [{ deletes: "10%", updates: "50%" }],
    brake,
  ),
  protect: optional(
    "Globs that match the keys of protected links. linkform refuses changes after which their short URLs stop working, and no flag overrides this. Default: none.",
    [["go.example.com/qr-*"]],
    textList(
      "a glob that matches keys, such as go.example.com/qr-*",
      "A glob that matches keys.",
      'a list of globs, such as `["go.example.com/qr-*"]`',
    ),
  ),
  allow: optional(
    "The only actions that a plan may contain.",
    [["create", "update"]],
    listOf(wordSchema(Object.keys(ALLOWED), ALLOWED).meta({ description: "An action." }), actions),
    { default: ACTIONS },
  ),
  rules: optional(
    "Severity of lint rules. Rules that are not listed keep their defaults.",
    [{ "plain-http": "off" }],
    block(
      Object.fromEntries(Object.entries(RULES).map(([code, rule]) => [code, ruleLevel(rule)])),
      "This must be a map of rules, such as `rules: { plain-http: off }`.",
    ),
  ),
  policies: linkPoliciesSchema,
};
