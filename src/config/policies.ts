// The key `policies` of a project file and the key `waive` of a link: their schemas, and how they are read.

import * as z from "zod";
import type { Diagnostic } from "../domain/diagnostic.ts";
import { compareText } from "../domain/place.ts";
import type { LinkPolicy, Waiver } from "../domain/project.ts";
import { block, dateSchema, listOf, NOT_EMPTY, optional, textLike, textList, wordSchema } from "./field-schema.ts";
import { dateIn, entry, textOf, type TreeNode } from "./yaml.ts";

/** The policies of a project file, by name. */
export function readLinkPolicies(document: TreeNode): Map<string, LinkPolicy> {
  const node = entry(document, "policies")?.value;
  const policies = new Map<string, LinkPolicy>();
  for (const { key, keyPlace, value } of node?.type === "map" ? node.entries : []) {
    const keys = value.type === "map" ? value.entries : [];
    const settings = keys.flatMap((one) => (one.key === "reason" ? [] : [[one.key, showNode(one.value)] as const]));
    policies.set(key, {
      place: keyPlace,
      settings: new Map(settings),
      reason: textOf(entry(value, "reason")?.value),
    });
  }
  return policies;
}

/** A value as text. The order of a list has no meaning in a policy. */
function showNode(node: TreeNode): string {
  if (node.type === "scalar") return node.text.trim();
  if (node.type === "list") return `[${node.items.map(showNode).toSorted(compareText).join(", ")}]`;
  const entries = node.entries.map(({ key, value }) => `${key}: ${showNode(value)}`);
  return `{ ${entries.toSorted(compareText).join(", ")} }`;
}

const NO_WAIVERS: ReadonlyMap<string, Waiver> = new Map();

/** The waivers of a link, by the name of their policy. */
export function readWaivers(link: TreeNode, diagnostics: Diagnostic[]): ReadonlyMap<string, Waiver> {
  const node = entry(link, "waive")?.value;
  if (node === undefined) return NO_WAIVERS;
  const waivers = new Map<string, Waiver>();
  for (const { key, keyPlace, value } of node?.type === "map" ? node.entries : []) {
    const until = dateIn(entry(value, "until")?.value, diagnostics);
    const because = textOf(entry(value, "because")?.value);
    // The schema has reported a waiver without these keys.
    if (until !== null && because !== null) waivers.set(key, { until: until.text, because, place: keyPlace });
  }
  return waivers;
}

/** The form of `expires_within`. */
export const PERIOD: RegExp = /^([1-9]\d{0,3}) days?$/;

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
export const linkPoliciesSchema: z.ZodType = optional(
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
  "Policies of the project that this link does not have to follow, by name. Each has an end and a reason.",
  [{ "own-destinations": { until: "2027-01-01", because: "Partner page" } }],
  byName(
    waiver,
    "This must be a map from policies to waivers, such as `own-destinations: { until: 2027-01-01, because: Partner page }`.",
  ),
);
