// Quick checks that accept a document in which every value has a usual form. The schemas accept all of these, too, but take long to load
// and to run. They are needed only for other documents, and explain what is wrong there.

import type { FieldSpec } from "../domain/field.ts";
import { RULE_LEVELS, RULES } from "../domain/rules.ts";
import { blockFields, DESTINATION, textProblem, type ResourceKind } from "../domain/table.ts";
import { UTM_KEYS, UTM_VALUE } from "../domain/utm.ts";
import { allWords } from "../domain/wire.ts";
import { takesNull } from "./fields.ts";
import { ACTIONS, PRUNE_MODES } from "./policy.ts";
import { entry, isNull, type ScalarNode, type TreeNode } from "./yaml.ts";

type Check = (node: TreeNode) => boolean;
type Checks = ReadonlyMap<string, Check>;

/** Whether a project or resource file has only usual forms, so that it matches its schema. */
export function isUsual(document: TreeNode, isProject: boolean): boolean {
  const required = isProject ? ["version", "service"] : [];
  return (isProject ? project : resources)(document) && required.every((key) => entry(document, key) !== undefined);
}

const isString = (node: TreeNode): node is ScalarNode =>
  node.type === "scalar" && typeof node.value === "string" && node.text.trim() !== "";
const isFlag: Check = (node) => node.type === "scalar" && typeof node.value === "boolean";
const isText: Check = (node) =>
  isFlag(node) || (node.type === "scalar" && Number.isFinite(node.value)) || isString(node);

function oneOf(words: readonly string[]): Check {
  return (node) => isString(node) && words.includes(node.text);
}

function matching(pattern: RegExp): Check {
  return (node) => isString(node) && pattern.test(node.text);
}

function whole(least: number, most: number): Check {
  return (node) =>
    node.type === "scalar" &&
    Number.isSafeInteger(node.value) &&
    Number(node.value) >= least &&
    Number(node.value) <= most;
}

function either(...checks: readonly Check[]): Check {
  return (node) => checks.some((check) => check(node));
}

function listOf(check: Check, least = 1): Check {
  return (node) => node.type === "list" && node.items.length >= least && node.items.every(check);
}

/** A map with any keys, or with some of these. */
function mapOf(checks: Check | Checks): Check {
  const checkOf = typeof checks === "function" ? () => checks : (key: string) => checks.get(key);
  return (node) => node.type === "map" && node.entries.every(({ key, value }) => checkOf(key)?.(value) === true);
}

const isDestination: Check = (node) => isString(node) && textProblem(DESTINATION, node.text.trim()) === null;
const isReference: Check = (node) => isString(node) && !node.text.includes("/");
const isDate = matching(/^\d{4}-\d{2}-\d{2}$/);

/** The usual forms of a field. Calendar dates are checked when they are read. */
function formOf(spec: FieldSpec): Check {
  switch (spec.kind) {
    case "text":
      return (node) => isString(node) && textProblem(spec, node.text.trim()) === null;
    case "secret":
      return oneOf(["none"]);
    case "flag":
      return isFlag;
    case "count":
      return either(oneOf(["none"]), whole(0, spec.most));
    case "word":
      return oneOf([...allWords(spec), ...Object.keys(spec.synonyms)]);
    case "reference":
      return isReference;
    case "references":
      return listOf(isText, 0);
    case "instant":
      return either(isDate, oneOf(["none"]));
    case "map":
      return (node) =>
        mapOf(isDestination)(node) &&
        node.type === "map" &&
        node.entries.every(({ key }) => spec.keys.pattern.test(key));
    case "list":
      return listOf(isDestination, 0);
    default:
      return spec satisfies never;
  }
}

/** The fields of a block, of which those with a dotted path are in groups. */
function fieldsOf(kind: ResourceKind): Map<string, Check> {
  const fields = new Map<string, Check>();
  const groups = new Map<string, Map<string, Check>>();
  for (const spec of blockFields(kind)) {
    const form = formOf(spec);
    const check = takesNull(spec) ? either(form, isNull) : form;
    const [group = "", name] = spec.path.split(".");
    if (name === undefined) {
      fields.set(group, check);
      continue;
    }
    const members = groups.get(group) ?? new Map<string, Check>();
    groups.set(group, members.set(name, check));
    if (spec.kind === "instant")
      members.set(spec.timePath.slice(group.length + 1), matching(/^([01]\d|2[0-3]):[0-5]\d$/));
  }
  for (const [group, members] of groups) fields.set(group, either(mapOf(members), oneOf(["none"])));
  return fields;
}

const isUtmValue: Check = (node) => isText(node) && node.type === "scalar" && UTM_VALUE.test(node.text.trim());
const unspecified = oneOf(["reset", "keep"]);
const own: Checks = new Map([
  ["renamed_from", isText],
  ["note", either(isText, isNull)],
]);
const inDefaults: Checks = new Map([
  ...fieldsOf("link"),
  ["utm", mapOf(new Map(UTM_KEYS.map((key) => [key, either(isUtmValue, isNull)])))],
  ["owner", either(isText, listOf(isText, 0))],
  ["review_by", isDate],
]);

const sections: Checks = new Map([
  ["defaults", mapOf(new Map([["link", mapOf(inDefaults)]]))],
  ["unspecified", unspecified],
  ["pixels", mapOf(mapOf(new Map([...fieldsOf("pixel"), ...own])))],
  ["links", mapOf(mapOf(new Map([...inDefaults, ...own, ["unspecified", unspecified], ["protect", isFlag]])))],
  ["absent", mapOf(new Map(["links", "pixels"].map((key) => [key, listOf(isText)])))],
]);
const resources = mapOf(sections);

const labels = mapOf(either(isString, whole(1, Infinity)));
const share = matching(/^(?:100|\d{1,2})%$/);
const limit = either(share, whole(0, Infinity));

const project = mapOf(
  new Map([
    ...sections,
    ["version", whole(1, 1)],
    [
      "service",
      (node) =>
        mapOf(
          new Map([
            ["base_url", isString],
            ["account_timezone", isString],
          ]),
        )(node) && entry(node, "base_url") !== undefined,
    ],
    ["timezone", isString],
    ["domains", labels],
    ["spaces", labels],
    ["files", listOf(isText)],
    [
      "scope",
      (node) =>
        mapOf(
          new Map([
            ["domains", listOf(isReference)],
            ["spaces", listOf(isReference)],
            ["pixels", listOf(isText)],
          ]),
        )(node) &&
        node.type === "map" &&
        node.entries.length > 0,
    ],
    ["prune", oneOf(PRUNE_MODES)],
    [
      "brake",
      mapOf(
        new Map([
          ["deletes", limit],
          ["updates", limit],
          ["clicks", share],
        ]),
      ),
    ],
    ["protect", listOf(isText)],
    ["allow", listOf(oneOf(ACTIONS))],
    ["rules", mapOf(new Map(Object.keys(RULES).map((code) => [code, oneOf(RULE_LEVELS)])))],
  ]),
);
