// What a project file says of scope, prune, brake, protect and allow, read into one policy.

import { error, type Diagnostic } from "../domain/diagnostic.ts";
import {
  DEFAULT_BRAKE,
  type Action,
  type BrakeSettings,
  type Limit,
  type Mention,
  type Policy,
  type Scope,
} from "../domain/project.ts";
import type { Labels } from "./labels.ts";
import { readRuleLevels } from "./lint/advice.ts";
import { ACTIONS, percentOf, PRUNE_MODES } from "./policy-schema.ts";
import { entry, isNull, type TreeEntry, type TreeNode } from "./tree.ts";

const KEYS = ["protect", "prune", "scope", "allow", "brake", "rules"] as const;

/** Reads the policy of a project file. What is not of the schema's shape has been reported, and is passed over. */
export function readPolicy(
  document: TreeNode,
  labels: { readonly domains: Labels; readonly spaces: Labels },
): { policy: Policy; diagnostics: Diagnostic[] } {
  const said = entry(document, "prune")?.value;
  const written = entry(document, "scope");
  const mode = PRUNE_MODES.find((known) => known === textOf(said));
  const diagnostics: Diagnostic[] = [];
  if (mode === "scope" && written === undefined && said !== undefined) {
    const hint = "Say what the project is about, as in `scope: { domains: [go.example.com] }`, or prune `removed`.";
    diagnostics.push(
      error(
        "prune-needs-scope",
        "`prune: scope` stands without a `scope`: whatever is not declared would be deleted.",
        said.place,
        hint,
      ),
    );
  }
  const allow = entry(document, "allow")?.value;
  const policy: Policy = {
    scope: written === undefined ? null : readScope(written, labels),
    prune: { mode: mode ?? "none", place: said?.place ?? null },
    brake: readBrake(entry(document, "brake")?.value),
    protect: mentions(entry(document, "protect")?.value) ?? [],
    allow: allow === undefined ? null : { actions: readActions(allow), place: allow.place },
    rules: readRuleLevels(document),
    places: new Map(
      KEYS.flatMap((key) => {
        const found = entry(document, key);
        return found === undefined ? [] : [[key, found.keyPlace] as const];
      }),
    ),
  };
  return { policy, diagnostics };
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
            isNull(item) ? [null] : mentionsIn([item]).map((mention) => labelled(mention, labels.spaces)),
          )
        : null,
    pixels: mentions(entry(value, "pixels")?.value),
    place: keyPlace,
  };
}

function readBrake(node: TreeNode | undefined): BrakeSettings {
  const limits = (key: "deletes" | "updates"): BrakeSettings["deletes"] => {
    const said = entry(node, key)?.value;
    const forAll = limitOf(said);
    return {
      link: forAll ?? limitOf(entry(said, "links")?.value) ?? DEFAULT_BRAKE[key].link,
      pixel: forAll ?? limitOf(entry(said, "pixels")?.value) ?? DEFAULT_BRAKE[key].pixel,
    };
  };
  const clicks = limitOf(entry(node, "clicks")?.value);
  const from = limitOf(entry(node, "from")?.value);
  return {
    deletes: limits("deletes"),
    updates: limits("updates"),
    clicks: clicks !== null && "share" in clicks ? clicks.share : DEFAULT_BRAKE.clicks,
    from: from !== null && "count" in from ? from.count : DEFAULT_BRAKE.from,
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

/** The texts of a list, from the source: `2` is what it looks like. */
function mentions(node: TreeNode | undefined): Mention[] | null {
  return node?.type === "list" ? mentionsIn(node.items) : null;
}

function mentionsIn(items: readonly TreeNode[]): Mention[] {
  return items.flatMap((item) => {
    const text = textOf(item);
    return text === null ? [] : [{ text, place: item.place }];
  });
}

function textOf(node: TreeNode | undefined): string | null {
  return node?.type === "scalar" && !isNull(node) ? node.text.trim() : null;
}
