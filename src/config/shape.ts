// Checks a document against its schema and says what is wrong in the files' own words and places.

import type * as z from "zod";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import type { Place } from "../domain/place.ts";
import { blockFields } from "../domain/table.ts";
import { nearest } from "./nearest.ts";
import { entry, type Node } from "./yaml.ts";

type Issue = z.core.$ZodIssue;

/** Every place in which the document is not of the schema's shape; none if it is. */
export function checkShape(document: Node, schema: z.ZodType): Diagnostic[] {
  const result = schema.safeParse(plain(document));
  return result.success ? [] : result.error.issues.flatMap((issue) => describe(issue, document, []));
}

/** The document as plain values. Own properties only, so that no key can reach a prototype. */
function plain(node: Node): unknown {
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

function describe(issue: Issue, document: Node, prefix: readonly PropertyKey[]): Diagnostic[] {
  const path = [...prefix, ...issue.path];
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => unknownKey(key, path, document, issue));
  }
  if (issue.code === "invalid_key") return [wrongKey(path, document, issue.message)];
  if (issue.code === "invalid_union") {
    const branch = branchOf(issue.errors);
    if (branch !== undefined) return branch.flatMap((inner) => describe(inner, document, path));
  }
  const { node, place, missing } = locate(document, path);
  if (missing !== null) return [error("missing-field", `\`${missing}\` is missing.`, place, issue.message)];
  if (node?.type === "scalar" && node.value === null) {
    return [
      error(
        "wrong-type",
        `\`${String(path.at(-1) ?? "This")}\` has no value, or \`null\`, which it can't be.`,
        place,
        nullHint(path) ?? issue.message,
      ),
    ];
  }
  return [error("wrong-type", issue.message, place)];
}

/** Promise 4: `null` never opens; the field table knows the word that does. */
function nullHint(path: readonly PropertyKey[]): string | null {
  // `links.KEY.…` and `defaults.link.…`: a field's own path begins at the third step.
  const field = path.slice(2).join(".");
  const row = blockFields("link").find(
    ({ path: own, opens }) => opens?.word != null && (own === field || own.startsWith(`${field}.`)),
  );
  return row === undefined ? null : `To clear it, write the word: \`${String(path.at(-1))}: ${row.opens?.word}\`.`;
}

/** Of a union's branches the one the author meant: whose mistakes lie inside the value, not in what the value is. */
function branchOf(branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  return branches.find((issues) =>
    issues.every((issue) => issue.path.length > 0 || issue.code === "unrecognized_keys"),
  );
}

/** `block` in schema.ts has put the known keys into the message. */
function unknownKey(key: string, path: readonly PropertyKey[], document: Node, issue: Issue): Diagnostic {
  const parent = locate(document, path).node ?? undefined;
  const place = entry(parent, key)?.keyPlace ?? locate(document, path).place;
  const known = issue.message.split(", ");
  const meant = nearest(key, known);
  return error(
    "unknown-key",
    `\`${key}\` is not a key that can stand here.`,
    place,
    meant === null ? `Known here: ${issue.message}.` : `Did you mean \`${meant}\`?`,
  );
}

/** A key of a target group that can't be one. */
function wrongKey(path: readonly PropertyKey[], document: Node, message: string): Diagnostic {
  const key = String(path.at(-1));
  const { node, place } = locate(document, path.slice(0, -1));
  const row = blockFields("link").find((candidate) => candidate.path.endsWith(`.${String(path.at(-2))}`));
  const meant = row?.kind === "map" ? nearest(key, row.keys.words) : null;
  const hint = meant === null ? null : `Did you mean \`${meant}\`?`;
  return error("wrong-key", `\`${key}\`: ${message}`, entry(node ?? undefined, key)?.keyPlace ?? place, hint);
}

/** The node at a path; where the path ends before, the nearest one above it and the key that is not there. */
function locate(
  document: Node,
  path: readonly PropertyKey[],
): { node: Node | null; place: Place; missing: string | null } {
  let node = document;
  let place = document.place;
  for (const step of path) {
    const next =
      typeof step === "number" && node.type === "list"
        ? { value: node.items[step], keyPlace: place }
        : entry(node, String(step));
    if (next?.value === undefined) return { node: null, place, missing: String(step) };
    node = next.value;
    place = node.type === "map" ? next.keyPlace : node.place;
  }
  return { node, place, missing: null };
}
