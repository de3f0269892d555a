// The keys of a project file that limit what linkform may do: scope, prune, brake, protect, allow, rules, policies.

import { error, type Diagnostic } from "../domain/diagnostic.ts";
import {
  DEFAULT_BRAKE,
  type Action,
  type BrakeSettings,
  type Limit,
  type Mention,
  type Policy,
  type PruneMode,
  type Scope,
} from "../domain/project.ts";
import type { Labels } from "./keys.ts";
import { textsIn, entry, isNull, textOf, type TreeEntry, type TreeNode } from "./yaml.ts";
import * as z from "zod";
import { RULE_LEVELS, RULES, type Rule, type RuleLevel } from "../domain/rules.ts";
import { block, listOf, NOT_EMPTY, optional, reference, textList, wordSchema } from "./field-schema.ts";
import { linkPoliciesSchema, readLinkPolicies } from "./policies.ts";

const KEYS = ["protect", "prune", "scope", "allow", "brake", "rules"] as const;

/** Reads the policy of a project file. Ignores values that the schema has refused. */
export function readPolicy(
  document: TreeNode,
  labels: { readonly domains: Labels; readonly spaces: Labels },
  diagnostics: Diagnostic[],
): Policy {
  const prune = entry(document, "prune")?.value;
  const scope = entry(document, "scope");
  const mode = PRUNE_MODES.find((known) => known === textOf(prune));
  if (mode === "scope" && scope === undefined && prune !== undefined) {
    const message =
      "`prune: scope` needs a `scope`. Without one, linkform would delete everything that is not declared.";
    const hint = "Add a scope, such as `scope: { domains: [go.example.com] }`, or write `prune: removed`.";
    diagnostics.push(error("prune-needs-scope", message, prune.place, hint));
  }
  const allow = entry(document, "allow")?.value;
  return {
    scope: scope === undefined ? null : readScope(scope, labels),
    prune: { mode: mode ?? "none", place: prune?.place ?? null },
    brake: readBrake(entry(document, "brake")?.value),
    protect: mentions(entry(document, "protect")?.value) ?? [],
    allow: allow === undefined ? null : { actions: readActions(allow), place: allow.place },
    rules: readRuleLevels(entry(document, "rules")?.value),
    linkPolicies: readLinkPolicies(document),
    places: new Map(
      KEYS.flatMap((key) => {
        const found = entry(document, key);
        return found === undefined ? [] : [[key, found.keyPlace] as const];
      }),
    ),
  };
}

function readScope(
  { value, keyPlace }: TreeEntry,
  labels: { readonly domains: Labels; readonly spaces: Labels },
): Scope {
  const labelled = (mention: Mention, known: Labels): Mention => ({ ...mention, text: known.labelOf(mention.text) });
  const spaces = entry(value, "spaces")?.value;
  return {
    domains: mentions(entry(value, "domains")?.value)?.map((mention) => labelled(mention, labels.domains)) ?? null,
    spaces:
      spaces?.type === "list"
        ? spaces.items.flatMap((item): (Mention | null)[] =>
            isNull(item) ? [null] : textsIn(item).map((mention) => labelled(mention, labels.spaces)),
          )
        : null,
    pixels: mentions(entry(value, "pixels")?.value),
    place: keyPlace,
  };
}

function readBrake(node: TreeNode | undefined): BrakeSettings {
  const clicks = limitOf(entry(node, "clicks")?.value);
  return {
    deletes: limitOf(entry(node, "deletes")?.value) ?? DEFAULT_BRAKE.deletes,
    updates: limitOf(entry(node, "updates")?.value) ?? DEFAULT_BRAKE.updates,
    clicks: clicks !== null && "share" in clicks ? clicks.share : DEFAULT_BRAKE.clicks,
  };
}

function limitOf(node: TreeNode | undefined): Limit | null {
  if (node?.type !== "scalar") return null;
  if (typeof node.value === "number") return { count: node.value };
  const percent = percentOf(node.text.trim());
  return percent === null ? null : { share: percent / 100 };
}

function readActions(node: TreeNode): Action[] {
  const words = new Set(mentions(node)?.map(({ text }) => text));
  return ACTIONS.filter((action) => words.has(action));
}

function readRuleLevels(node: TreeNode | undefined): Map<string, RuleLevel> {
  const levels = new Map<string, RuleLevel>();
  for (const { key, value } of node?.type === "map" ? node.entries : []) {
    const level = RULE_LEVELS.find((word) => value.type === "scalar" && value.text === word);
    if (level !== undefined) levels.set(key, level);
  }
  return levels;
}

function mentions(node: TreeNode | undefined): Mention[] | null {
  return node?.type === "list" ? textsIn(node) : null;
}

/** In the order of messages. */
const PRUNE_MODES: readonly PruneMode[] = ["none", "removed", "scope"];
const ACTIONS: readonly Action[] = ["create", "update", "replace", "delete"];

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

/** Parses a percentage; null if it is not from 0% to 100%. */
function percentOf(written: string): number | null {
  const percent = /^\d+(\.\d+)?%$/.test(written) ? Number(written.slice(0, -1)) : null;
  return percent === null || percent > 100 ? null : percent;
}

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
