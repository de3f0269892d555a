// Validates a document against its schema. Describes each mistake in the words of the file, with the probable fix.

import type * as z from "zod";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { groupBy } from "../domain/collections.ts";
import type { Place } from "../domain/place.ts";
import { BARE_ADDRESS_HINT, followsBareAddress } from "./yaml-events.ts";
import { entry, isDamaged, isNull, type ScalarNode, type TreeNode } from "./yaml.ts";
import type { CodeList, FieldSpec, KeyShape } from "../domain/field.ts";
import { blockFields, FIELDS, KEY_FIELD, pathsOf, type ResourceKind } from "../domain/table.ts";
import { nearest, nearestOrLonger } from "../domain/nearest.ts";
import { sentNames } from "../domain/wire.ts";
import { projectKeys } from "./schema.ts";

type Issue = z.core.$ZodIssue;
type KeyPath = readonly PropertyKey[];

/** A diagnostic, and what is needed to detect that another one in the same block causes it. */
interface ShapeFinding {
  readonly diagnostic: Diagnostic;
  readonly block: string;
  /** Set for an unknown key; `meant` is the known key that it resembles. */
  readonly unknown: { readonly meant: string | null } | null;
  /** A required key that the block lacks. */
  readonly missing: string | null;
  /** It is about the block as a whole, so it is dropped if the block has an unknown key. */
  readonly isAboutBlock: boolean;
}

/** The errors of a document that does not match its schema. */
export function checkShape(document: TreeNode, schema: z.ZodType): Diagnostic[] {
  const result = schema.safeParse(toPlain(document));
  if (result.success) return [];
  const findings = result.error.issues.flatMap((issue) => describe(issue, document, []));
  // `vresion: 1` is one mistake: an unknown key, but not also a missing one.
  const unknownIn = groupBy(
    findings.filter(({ unknown }) => unknown !== null),
    ({ block }) => block,
  );
  const isConsequence = ({ block, missing, isAboutBlock }: ShapeFinding): boolean =>
    (isAboutBlock || missing !== null) &&
    (unknownIn.get(block) ?? []).some(({ unknown }) => isAboutBlock || unknown?.meant === missing);
  return findings.filter((finding) => !isConsequence(finding)).map(({ diagnostic }) => diagnostic);
}

/** The document as plain values. `fromEntries` makes own properties, so that no key can reach a prototype. */
function toPlain(node: TreeNode): unknown {
  switch (node.type) {
    case "scalar":
      return node.value;
    case "list":
      return node.items.map(toPlain);
    case "map":
      return Object.fromEntries(node.entries.map(({ key, value }) => [key, toPlain(value)]));
    default:
      return node satisfies never;
  }
}

function describe(issue: Issue, document: TreeNode, prefix: KeyPath): ShapeFinding[] {
  const path = [...prefix, ...issue.path];
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => unknownKey(key, path, document, issue.message));
  if (issue.code === "invalid_union") {
    const branch = branchOf(issue.errors);
    if (branch !== undefined) return branch.flatMap((inner) => describe(inner, document, path));
  }
  const target = targetAt(path);
  const { node, place, keyPlace, missing, parent } = locate(document, path);
  if (isDamaged(node ?? parent)) return [];
  const isAboutBlock = issue.code === "custom";
  const block = blockName(isAboutBlock ? path : path.slice(0, -1));
  const finding = (diagnostic: Diagnostic, key: string | null = null): ShapeFinding[] => [
    { diagnostic, block, unknown: null, missing: key, isAboutBlock },
  ];
  if (issue.code === "invalid_key") {
    const message = `\`${String(path.at(-1))}\` is not a valid key. ${issue.message}`;
    const hint = followsBareAddress(keyPlace) ? BARE_ADDRESS_HINT : keyHint(target);
    return finding(error("wrong-key", message, keyPlace, hint));
  }
  if (missing !== null)
    return finding(error("missing-field", `\`${missing}\` is missing.`, place, asHint(issue.message)), missing);
  const misplaced = node === null ? null : misplacedField(target, node);
  if (misplaced !== null) return finding(error("wrong-type", misplaced.message, keyPlace, misplaced.hint));
  const secret = node === null ? null : plainSecret(target, node);
  if (secret !== null) {
    // The report shows the key's line, not the secret.
    const at = keyPlace.line === place.line ? place : keyPlace;
    return finding(error("secret-in-file", secret.message, at, secret.hint));
  }
  if (node?.type === "scalar" && node.value === null) {
    const problem = node.text === "" ? "has no value" : `cannot be \`${node.text}\``;
    const hint = nullHint(target) ?? asHint(issue.message);
    return finding(error("wrong-type", `${subject(path)} ${problem}.`, place, hint));
  }
  const words = issue.code === "invalid_value" ? issue.values.map(String) : isBoolean(issue) ? ["true", "false"] : [];
  const message = issue.message.replace(/^This(?= )/, subject(path));
  const hint = node?.type === "scalar" ? (blockHint(target, node) ?? wordHint(target, node, words)) : null;
  return finding(error("wrong-type", message, place, hint));
}

function isBoolean(issue: Issue): boolean {
  return issue.code === "invalid_type" && issue.expected === "boolean";
}

/** Schema messages begin with "This must be". This names the value instead. */
function subject(path: KeyPath): string {
  const last = path.at(-1);
  if (last === undefined) return "This file";
  return typeof last === "number" ? `An item of \`${String(path.at(-2))}\`` : `\`${String(last)}\``;
}

function asHint(message: string): string {
  return message.replace(/^This(?= )/, "It");
}

function blockName(path: KeyPath): string {
  return JSON.stringify(path.map(String));
}

/** The alternative of a union that the author probably meant: of the right type, with the fewest errors. */
function branchOf(branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  return branches.filter((issues) => !issues.some(isOtherType)).toSorted((a, b) => a.length - b.length)[0];
}

function isOtherType(issue: Issue): boolean {
  if (issue.path.length > 0) return false;
  if (issue.code === "invalid_union") return branchOf(issue.errors) === undefined;
  return issue.code === "invalid_type" || issue.code === "invalid_value";
}

/** `known` is the message of `block` in field-schema.ts: the known keys. */
function unknownKey(key: string, path: KeyPath, document: TreeNode, known: string): ShapeFinding {
  const { node, place } = locate(document, path);
  const { message, hint, meant = null } = describeUnknownKey(key, path, known.split(", "));
  const keyPlace = entry(node ?? undefined, key)?.keyPlace ?? place;
  const isRest = followsBareAddress(keyPlace);
  return {
    diagnostic: error("unknown-key", message, keyPlace, isRest ? BARE_ADDRESS_HINT : hint),
    block: blockName(path),
    unknown: { meant },
    missing: null,
    isAboutBlock: false,
  };
}

interface Located {
  /** The node at the path; null if there is none. */
  readonly node: TreeNode | null;
  readonly parent: TreeNode;
  readonly place: Place;
  /** The place of the last key of the path; `place` if it has none. */
  readonly keyPlace: Place;
  /** The first key of the path that does not exist. */
  readonly missing: string | null;
}

function locate(document: TreeNode, path: KeyPath): Located {
  let node = document;
  let parent = document;
  let place = document.place;
  let keyPlace = place;
  for (const step of path) {
    const next =
      typeof step === "number" && node.type === "list"
        ? { value: node.items[step], keyPlace: node.items[step]?.place ?? place }
        : entry(node, String(step));
    if (next?.value === undefined) return { node: null, parent: node, place, keyPlace: place, missing: String(step) };
    parent = node;
    node = next.value;
    // For a value of several lines, the report shows the key.
    const isBelow = node.type === "list" && node.place.line !== next.keyPlace.line;
    place = node.type === "map" || isBelow ? next.keyPlace : node.place;
    keyPlace = parent.type === "map" ? next.keyPlace : place;
  }
  return { node, parent, place, keyPlace, missing: null };
}

/** What a path of keys leads to. */
interface Target {
  readonly path: KeyPath;
  /** The last key. */
  readonly key: string;
  /** The kind of the block that the path leads to, or into; null outside of blocks. */
  readonly kind: ResourceKind | null;
  /** The path of the field in the block; empty for the block itself. */
  readonly field: string;
  readonly spec: FieldSpec | undefined;
  /** The field that has a value with this key or item. */
  readonly above: FieldSpec | undefined;
}

function targetAt(path: KeyPath): Target {
  const kind = kindAt(path);
  const steps = path.slice(2);
  const fieldAt = (field: string): FieldSpec | undefined =>
    kind === null ? undefined : blockFields(kind).find((spec) => spec.path === field);
  const [field, above] = [steps.join("."), fieldAt(steps.slice(0, -1).join("."))];
  return { path, key: String(path.at(-1)), kind, field, spec: fieldAt(field), above };
}

/** The kind of resource whose block is at the first two keys: `links.KEY`, `pixels.NAME`, `families.ALIAS` or `defaults.link`. */
function kindAt([section, name]: KeyPath): ResourceKind | null {
  if (name === undefined) return null;
  if (section === "pixels") return "pixel";
  return section === "links" || section === "families" || (section === "defaults" && name === "link") ? "link" : null;
}

/** `null` never opens a link, so this hint names the value that does. */
function nullHint({ kind, field, key }: Target): string | null {
  if (kind !== "link" || field === "") return null;
  const spec = blockFields("link").find(
    ({ path, opens }) => opens !== null && (path === field || path.startsWith(`${field}.`)),
  );
  return spec === undefined ? null : `To clear it, write \`${key}: ${spec.opens?.word}\`.`;
}

/** Texts that are booleans in other formats or in YAML 1.1. */
const TRUE = /^(?:yes|on|y|1|true)$/i;
const FALSE = /^(?:no|off|n|0|false)$/i;

/** The probable fix of a value. `words` are the allowed values, if there are few. */
function wordHint(target: Target, node: ScalarNode, words: readonly string[]): string | null {
  const { text, value, place } = node;
  const { spec, above } = target;
  if (words[0] === "true") {
    const word = TRUE.test(text) ? "true" : FALSE.test(text) ? "false" : null;
    return word && `Write \`${word}\` without quotes.`;
  }
  if (spec?.kind === "secret" || above?.kind === "secret") return null;
  const form = formHint(target, node);
  if (form !== null) return form;
  if (value === false && words.includes("off")) return "Write `off`.";
  const meant = typeof value === "string" ? nearestOrLonger(text, words) : null;
  if (meant === text) return withoutQuotes(text);
  if (meant !== null) return `Did you mean \`${meant}\`?`;
  const isDestination =
    (spec?.kind === "text" && spec.path.endsWith("url")) || above?.kind === "map" || above?.kind === "list";
  return isDestination && followsBareAddress(place) ? BARE_ADDRESS_HINT : null;
}

/** The value in the form that the field requires. */
function formHint({ path, key, spec }: Target, { text, value }: ScalarNode): string | null {
  if (spec?.kind === "count") return typeof value === "string" && /^\d+$/.test(text) ? withoutQuotes(text) : null;
  if (spec?.kind === "references") return `Write \`${key}: ${text === "none" ? "[]" : `[${text}]`}\`.`;
  if (!LISTS.test(path.join("."))) return null;
  return `Write \`${key}: [${/^[*&!%@`]|[{}[\],]/.test(text) ? JSON.stringify(text) : text}]\`.`;
}

/** Keys that require a list, where people write a single text. */
const LISTS = /^(?:files|protect|scope\.(?:domains|spaces|pixels)|policies\.[^.]+\.(?:destinations|blocked|pixels))$/;

function withoutQuotes(text: string): string {
  return `Write \`${text}\` without quotes.`;
}

/** A secret that is written into the file. The message does not repeat it. */
function plainSecret({ spec, key }: Target, node: TreeNode): { message: string; hint: string } | null {
  if (spec?.kind !== "secret" || node.type === "map" || isNull(node)) return null;
  if (node.type === "scalar" && node.text === "")
    return { message: `\`${key}\` is empty.`, hint: `To set none, write \`${key}: none\`.` };
  return {
    message: `\`${key}\` must not contain the secret itself.`,
    hint: `Write \`${key}: { env: LINKFORM_SECRET_… }\` or \`${key}: { file: path }\`. If the secret was committed, choose a new one.`,
  };
}

/** \`url:https://example.com/\`: YAML reads this as one word. */
const COLON_WITHOUT_SPACE = /^([a-z_]+):(\S.*)$/s;

/** The fix for a link or pixel that is a text: a key without a space after its colon, or only the destination. */
function blockHint({ path, key, kind, field }: Target, { text }: ScalarNode): string | null {
  if (kind === null || field !== "") return null;
  const [, before = "", value = ""] = COLON_WITHOUT_SPACE.exec(text) ?? [];
  if (isFieldName(kind, before)) return `Write a space after the colon: \`${before}: ${value}\`.`;
  if (kind !== "link" || path[0] === "defaults") return null;
  return text.includes("://") ? `Write \`${key}: { url: … }\` with this URL.` : null;
}

/** Whether a key of a block has fields of this kind. */
function isFieldName(kind: ResourceKind, key: string): boolean {
  return blockFields(kind).some(({ path }) => path.split(".")[0] === key);
}

/** The probable fix of a key of a targeting map. */
function keyHint({ key, above }: Target): string | null {
  if (above?.kind !== "map") return null;
  const { noun, pattern, words } = above.keys;
  const parts = key.split(/[-_]/);
  const part = parts.length === 1 ? null : codeLike(parts.find((one) => pattern.test(one)) ?? key, above.keys);
  if (part !== null) return `This is a locale. Write only the ${noun}: \`${part}\`.`;
  const word = nearest(key, words) ?? codeLike(key, above.keys);
  return word === null ? null : `Did you mean \`${word}\`?`;
}

/** The code that a text means in another case or by its English name; null if there is none. */
export function codeLike(text: string, { pattern, list }: KeyShape): string | null {
  const inCase = [text.toUpperCase(), text.toLowerCase()].find((one) => pattern.test(one));
  if (list === null) return inCase ?? null;
  if (inCase === undefined) return codeNamed(text, list);
  const code = ownEntry(list.meant, inCase)?.code ?? inCase;
  return list.codes.has(code) ? code : null;
}

/** The code of an English name. */
function codeNamed(text: string, { codes, type }: CodeList): string | null {
  const names = new Intl.DisplayNames(["en"], { type });
  const found = new Map([...codes].map((code) => [names.of(code)?.toLowerCase() ?? "", code]));
  return found.get(nearest(text, found.keys()) ?? "") ?? null;
}

function ownEntry<Value>(entries: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(entries, key) ? entries[key] : undefined;
}

/** A field in place of a link or pixel: its line is not indented enough. */
function misplacedField({ path, key, kind, field }: Target, node: TreeNode): { message: string; hint: string } | null {
  if (kind === null || field !== "" || path[0] === "defaults" || node.type === "map") return null;
  if (!isFieldName(kind, key)) return null;
  return {
    message: `\`${key}\` is a field of a ${kind}, but its indentation makes it a key.`,
    hint: `Indent it below the ${kind} that it belongs to.`,
  };
}

/** Describes an unknown key in the block at `path`; `known` are its allowed keys, `meant` the one that it resembles most. */
function describeUnknownKey(
  key: string,
  path: KeyPath,
  known: readonly string[],
): { message: string; hint: string; meant?: string } {
  const kind = path.length === 2 ? kindAt(path) : null;
  const isRoot = path.length === 0;
  if (isRoot && Object.hasOwn(projectKeys, key) && !known.includes("version")) {
    const message = `\`${key}\` is allowed only in the project file. This is a resource file.`;
    return { message, hint: `Move \`${key}\` to the project file, or remove it.` };
  }
  const [, before = "", after = ""] = COLON_WITHOUT_SPACE.exec(key) ?? [];
  if (known.includes(before))
    return {
      message: `The key \`${before}\` needs a space after its colon.`,
      hint: `Write \`${before}: ${after}\`.`,
      meant: before,
    };
  const isRule = path.length === 1 && path[0] === "rules";
  const message = isRule ? `Unknown rule \`${key}\`.` : `Unknown key \`${key}\`.`;
  if (key.trim() !== key)
    return { message, hint: "Remove the special space next to the key. Indent with plain spaces." };
  if ((isRoot || path[0] === "service") && /^(api[_-]?)?(key|token)$/i.test(key))
    return {
      message,
      hint: "Never write the API key into a file. Set LINKFORM_API_KEY instead. If the key was committed, create a new one.",
    };
  const fields = FIELDS[kind ?? "link"];
  const spec = fields.find((candidate) => isNameOf(key, candidate));
  if (kind !== null && spec?.path === KEY_FIELD[kind])
    return { message, hint: `Remove it. The ${spec.path} of a ${kind} is the key of its block.` };
  if (kind === "link" && path[0] === "defaults" && key === "protect")
    return { message, hint: "Set it in each link, or list globs under `protect` in the project file." };
  if (kind === "link" && path[0] === "defaults" && key === "waive")
    return { message, hint: "Write it into each link, or change the policy." };
  const field = spec === undefined ? null : pathOf(key, spec);
  if (kind !== null && field !== null) return { message, hint: `Did you mean ${field}?`, meant: field };
  if (path[0] === "defaults" && path.length === 1 && spec !== undefined)
    return { message, hint: "Put fields of links under `link`: `defaults: { link: … }`." };
  if (isRoot && spec !== undefined)
    return { message, hint: "Put it in a link, or under `defaults: { link: … }` for all links." };
  const meant = nearestOrLonger(key, known);
  if (meant !== null) return { message, hint: `Did you mean \`${meant}\`?`, meant };
  return { message, hint: `Allowed: ${known.join(", ")}.` };
}

/** Whether a key is the last step of a field's path, or its name in the service's API. */
function isNameOf(key: string, spec: FieldSpec): boolean {
  return [...pathsOf(spec), ...sentNames(spec)].some((name) => name === key || name.endsWith(`.${key}`));
}

/** A field as written in a file. */
function pathOf(key: string, spec: FieldSpec): string {
  const isTime = spec.kind === "instant" && (key === spec.sentTime || spec.timePath.endsWith(`.${key}`));
  const [group, name] = (isTime ? spec.timePath : spec.path).split(".");
  return name === undefined ? `\`${group}\`` : `\`${group}: { ${name}: … }\``;
}
