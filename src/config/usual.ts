// Quick checks that accept a document in which every value has a usual form. The schemas accept all of these, too, but take long to load
// and to run. They are needed only for other documents, and explain what is wrong there.

import type { FieldSpec } from "../domain/field.ts";
import { RULE_LEVELS, RULES } from "../domain/rules.ts";
import { blockFields, DESTINATION, textProblem, type ResourceKind } from "../domain/table.ts";
import { UTM_KEYS, UTM_VALUE } from "../domain/utm.ts";
import { allWords } from "../domain/wire.ts";
import { takesNull } from "./fields.ts";
import { ACTIONS, PRUNE_MODES } from "./policy.ts";
import { isNull, type ScalarNode, type TreeNode } from "./yaml.ts";

type Check = (node: TreeNode) => boolean;
type Keys = Readonly<Record<string, Check>>;

/** Whether a project or resource file has only usual forms, so that it matches its schema. */
export function isUsual(document: TreeNode, isProject: boolean): boolean {
  return isProject ? project(document) : resources(document);
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

/** A map with any keys. */
function mapOf(check: Check): Check {
  return (node) => node.type === "map" && node.entries.every(({ value }) => check(value));
}

/** A map with some of these keys. */
function keysOf(keys: Keys, required: readonly string[] = []): Check {
  const checks = new Map(Object.entries(keys));
  return (node) =>
    node.type === "map" &&
    node.entries.every(({ key, value }) => checks.get(key)?.(value) === true) &&
    required.every((key) => node.byKey.has(key));
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
function fieldsOf(kind: ResourceKind): Keys {
  const fields: Record<string, Check> = {};
  const groups: Record<string, Record<string, Check>> = {};
  for (const spec of blockFields(kind)) {
    const form = formOf(spec);
    const check = takesNull(spec) ? either(form, isNull) : form;
    const [group = "", name] = spec.path.split(".");
    if (name === undefined) fields[group] = check;
    else groups[group] = { ...groups[group], [name]: check };
    if (spec.kind === "instant")
      groups[group] = {
        ...groups[group],
        [spec.timePath.slice(group.length + 1)]: matching(/^([01]\d|2[0-3]):[0-5]\d$/),
      };
  }
  for (const [group, members] of Object.entries(groups)) fields[group] = either(keysOf(members), oneOf(["none"]));
  return fields;
}

const isUtmValue: Check = (node) => isText(node) && node.type === "scalar" && UTM_VALUE.test(node.text.trim());
const own = { renamed_from: isText, note: either(isText, isNull) };
const inDefaults: Keys = {
  ...fieldsOf("link"),
  utm: keysOf(Object.fromEntries(UTM_KEYS.map((key) => [key, either(isUtmValue, isNull)]))),
  owner: either(isText, listOf(isText, 0)),
  review_by: isDate,
};
const unspecified = oneOf(["reset", "keep"]);
const sections: Keys = {
  defaults: keysOf({ link: keysOf(inDefaults) }),
  unspecified,
  pixels: mapOf(keysOf({ ...fieldsOf("pixel"), ...own })),
  links: mapOf(keysOf({ ...inDefaults, ...own, unspecified, protect: isFlag })),
  absent: keysOf({ links: listOf(isText), pixels: listOf(isText) }),
};
const resources = keysOf(sections);

/** The keys that resource and project files have. */
export const SECTIONS: readonly string[] = [...Object.keys(sections), "families"];

const labels = mapOf(either(isString, whole(1, Infinity)));
const share = matching(/^(?:100|\d{1,2})%$/);
const limit = either(share, whole(0, Infinity));
const scope = keysOf({ domains: listOf(isReference), spaces: listOf(isReference), pixels: listOf(isText) });

const settings: Keys = {
  version: whole(1, 1),
  service: keysOf({ base_url: isString, account_timezone: isString }, ["base_url"]),
  timezone: isString,
  domains: labels,
  spaces: labels,
  files: listOf(isText),
  scope: (node) => scope(node) && node.type === "map" && node.entries.length > 0,
  prune: oneOf(PRUNE_MODES),
  brake: keysOf({ deletes: limit, updates: limit, clicks: share }),
  protect: listOf(isText),
  allow: listOf(oneOf(ACTIONS)),
  rules: keysOf(Object.fromEntries(Object.keys(RULES).map((code) => [code, oneOf(RULE_LEVELS)]))),
};
const project = keysOf({ ...sections, ...settings }, ["version", "service"]);
