// Checks a document against its schema and says what is wrong in the files' own words and places.

import type * as z from "zod";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { groupBy } from "../domain/collections.ts";
import type { Place } from "../domain/place.ts";
import { bareDestination, keyHint, misplacedField, nullHint, plainSecret, wordHint } from "./hints.ts";
import { entry, isDamaged, type TreeNode } from "./tree.ts";
import { describeUnknownKey } from "./unknown-key.ts";

type Issue = z.core.$ZodIssue;
type ShapePath = readonly PropertyKey[];

/** A diagnostic, and what shows that another one of the same block follows from it. */
interface ShapeFinding {
  readonly diagnostic: Diagnostic;
  readonly block: string;
  /** A key of the block that is not known, and which known one was meant. */
  readonly unknown: { readonly meant: string | null } | null;
  /** A key that the block does not have. */
  readonly missing: string | null;
  /** It is about the block as a whole: not to be judged while a key in it is not known. */
  readonly isWhole: boolean;
}

/** Every place in which the document is not of the schema's shape; none if it is. */
export function checkShape(document: TreeNode, schema: z.ZodType): Diagnostic[] {
  const result = schema.safeParse(plain(document));
  if (result.success) return [];
  const findings = result.error.issues.flatMap((issue) => describe(issue, document, []));
  // `vresion: 1` is one mistake, not an unknown key and a missing one.
  const unknownIn = groupBy(
    findings.filter(({ unknown }) => unknown !== null),
    ({ block }) => block,
  );
  const follows = ({ block, missing, isWhole }: ShapeFinding): boolean =>
    (isWhole || missing !== null) &&
    (unknownIn.get(block) ?? []).some(({ unknown }) => isWhole || unknown?.meant === missing);
  return findings.filter((finding) => !follows(finding)).map(({ diagnostic }) => diagnostic);
}

/** The document as plain values. Own properties only, so that no key can reach a prototype. */
function plain(node: TreeNode): unknown {
  switch (node.type) {
    case "scalar":
      return node.value;
    case "list":
      return node.items.map(plain);
    case "map":
      return Object.fromEntries(node.entries.map(({ key, value }) => [key, plain(value)]));
    default:
      return node satisfies never;
  }
}

function describe(issue: Issue, document: TreeNode, prefix: ShapePath): ShapeFinding[] {
  const path = [...prefix, ...issue.path];
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => unknownKey(key, path, document, issue.message));
  if (issue.code === "invalid_union") {
    const branch = branchOf(issue.errors);
    if (branch !== undefined) return branch.flatMap((inner) => describe(inner, document, path));
  }
  const { node, place, missing, parent } = locate(document, path);
  if (isDamaged(node ?? parent)) return [];
  const isWhole = issue.code === "custom";
  const block = blockName(isWhole ? path : path.slice(0, -1));
  const finding = (diagnostic: Diagnostic, key: string | null = null): ShapeFinding[] => [
    { diagnostic, block, unknown: null, missing: key, isWhole },
  ];
  if (issue.code === "invalid_key") {
    const keyPlace = entry(parent, String(path.at(-1)))?.keyPlace ?? place;
    const message = `\`${String(path.at(-1))}\` can't stand here. ${issue.message}`;
    return finding(error("wrong-key", message, keyPlace, keyHint(path)));
  }
  if (missing !== null)
    return finding(error("missing-field", `\`${missing}\` is missing.`, place, asHint(issue.message)), missing);
  const misplaced = node === null ? null : misplacedField(path, node);
  if (misplaced !== null) {
    const keyPlace = entry(parent, String(path.at(-1)))?.keyPlace ?? place;
    return finding(error("wrong-type", misplaced.message, keyPlace, misplaced.hint));
  }
  const secret = node === null ? null : plainSecret(path, node);
  if (secret !== null) {
    // On a line of its own it is not shown: its key is.
    const keyPlace = entry(parent, String(path.at(-1)))?.keyPlace ?? place;
    const at = keyPlace.line === place.line ? place : keyPlace;
    return finding(error("secret-in-file", secret.message, at, secret.hint));
  }
  if (node?.type === "scalar" && node.value === null) {
    const problem = node.text === "" ? "has no value" : `can't be \`${node.text}\``;
    const hint = nullHint(path) ?? asHint(issue.message);
    return finding(error("wrong-type", `${subject(path)} ${problem}.`, place, hint));
  }
  const words = issue.code === "invalid_value" ? issue.values.map(String) : isBoolean(issue) ? ["true", "false"] : [];
  const hint = node?.type === "scalar" ? (bareDestination(path, node) ?? wordHint(path, node, words)) : null;
  return finding(error("wrong-type", issue.message.replace(/^This(?= )/, subject(path)), place, hint));
}

function isBoolean(issue: Issue): boolean {
  return issue.code === "invalid_type" && issue.expected === "boolean";
}

/** Schemas say "This must be …": a sentence names what it is about. */
function subject(path: ShapePath): string {
  const last = path.at(-1);
  if (last === undefined) return "This file";
  return typeof last === "number" ? `An item of \`${String(path.at(-2))}\`` : `\`${String(last)}\``;
}

function asHint(message: string): string {
  return message.replace(/^This(?= )/, "It");
}

function blockName(path: ShapePath): string {
  return JSON.stringify(path.map(String));
}

/**
 * Of a union's branches the one the author meant: not one for another type of value, and of those that are left the one
 * with the fewest mistakes.
 */
function branchOf(branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  return branches.filter((issues) => !issues.some(isOtherType)).toSorted((a, b) => a.length - b.length)[0];
}

function isOtherType(issue: Issue): boolean {
  if (issue.path.length > 0) return false;
  if (issue.code === "invalid_union") return branchOf(issue.errors) === undefined;
  return issue.code === "invalid_type" || issue.code === "invalid_value";
}

/** `block` in field-schema.ts has put the known keys into the message. */
function unknownKey(key: string, path: ShapePath, document: TreeNode, known: string): ShapeFinding {
  const { node, place } = locate(document, path);
  const { meant, ...said } = describeUnknownKey(key, path, known.split(", "));
  const keyPlace = entry(node ?? undefined, key)?.keyPlace ?? place;
  return {
    diagnostic: error(said.code, said.message, keyPlace, said.hint),
    block: blockName(path),
    unknown: { meant },
    missing: null,
    isWhole: false,
  };
}

interface Located {
  /** The node at the path; null where the path ends before. */
  readonly node: TreeNode | null;
  /** The node above it. */
  readonly parent: TreeNode;
  readonly place: Place;
  /** The key that is not there. */
  readonly missing: string | null;
}

function locate(document: TreeNode, path: ShapePath): Located {
  let node = document;
  let parent = document;
  let place = document.place;
  for (const step of path) {
    const next =
      typeof step === "number" && node.type === "list"
        ? { value: node.items[step], keyPlace: node.items[step]?.place ?? place }
        : entry(node, String(step));
    if (next?.value === undefined) return { node: null, parent: node, place, missing: String(step) };
    parent = node;
    node = next.value;
    // Of what goes on over several lines, the key says more than the first of them.
    const isBelow = node.type === "list" && node.place.line !== next.keyPlace.line;
    place = node.type === "map" || isBelow ? next.keyPlace : node.place;
  }
  return { node, parent, place, missing: null };
}
