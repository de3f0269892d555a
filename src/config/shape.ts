// Checks a document against its form. Describes each mistake in the words of the file, with the probable fix.

import { error, type Diagnostic } from "../domain/diagnostic.ts";
import type { Place } from "../domain/place.ts";
import type { FieldSpec } from "../domain/field.ts";
import { blockFields, FIELDS, KEY_FIELD, pathsOf } from "../domain/table.ts";
import { didYouMean, nearestOrLonger } from "../domain/nearest.ts";
import { sentNames } from "../domain/wire.ts";
import type { Form, MapForm, NumberForm, SizeForm } from "./form.ts";
import { projectKeys } from "./schema.ts";
import { keyBeforeColon, shownKey } from "./yaml-events.ts";
import { formatInline, isDamaged, isNull } from "./yaml.ts";
import type { MapNode, ScalarNode, TreeEntry, TreeNode } from "./yaml.ts";

type KeyPath = readonly (string | number)[];

interface Spot {
  readonly node: TreeNode;
  readonly path: KeyPath;
  /** The place of its key; of an item and of the document, its own. */
  readonly keyPlace: Place;
}

/** The errors of a value that does not match its form. It is a document, or the value of a key. */
export function checkShape(node: TreeNode, form: Form, path: KeyPath = [], keyPlace: Place = node.place): Diagnostic[] {
  const found: Diagnostic[] = [];
  checkValue({ node, path, keyPlace }, form, found);
  return found;
}

function checkValue(spot: Spot, form: Form, found: Diagnostic[]): void {
  const { node, path } = spot;
  const { list, map } = form;
  if (form.isTemplate) return;
  if (node.type === "scalar") {
    const problem = scalarProblem(node, form);
    if (problem !== null) reportValue(spot, form, problem, found);
  } else if (node.type === "map" && map) checkMap(spot, node, form, map, found);
  else if (node.type === "list" && list) {
    checkSize(spot, form, node.items.length, list, found);
    for (const [step, item] of node.items.entries())
      checkValue({ node: item, path: [...path, step], keyPlace: item.place }, list.item, found);
  } else reportValue(spot, form, form.message, found);
}

/** What a value must be, if it is something else. */
function scalarProblem({ value, text: written }: ScalarNode, form: Form): string | null {
  const { message, text, isAsWritten, number, flag, empty } = form;
  if (typeof value === "string" || (isAsWritten && value !== null)) {
    if (text?.words) return text.words.includes(written) ? null : message;
    return text ? (text.problem?.(written) ?? null) : message;
  }
  if (typeof value === "number") return number && isIn(value, number) ? null : message;
  return (value === null ? empty : flag) ? null : message;
}

function isIn(value: number, { words, isWhole, least = -Infinity, most = Infinity }: NumberForm): boolean {
  if (words) return words.includes(value);
  const isKind = isWhole ? Number.isSafeInteger(value) : Number.isFinite(value);
  return isKind && value >= least && value <= most;
}

function checkSize(spot: Spot, form: Form, size: number, { isFilled, most }: SizeForm, found: Diagnostic[]): void {
  if (isFilled && size === 0) reportValue(spot, form, "This must not be empty.", found);
  if (most && size > most.count) reportValue(spot, { ...form, ...most }, most.message, found);
}

function checkMap(spot: Spot, node: MapNode, form: Form, map: MapForm, found: Diagnostic[]): void {
  const { keys, required = [], key: keyForm, value: valueForm, problem } = map;
  const meant = new Set<string | null>();
  for (const one of node.entries) {
    const { key, keyPlace, value } = one;
    const known = valueForm ?? keys?.get(key);
    if (!known) {
      const near = nearestOrLonger(keyBeforeColon(key) ?? key, [...(keys?.keys() ?? [])]);
      meant.add(near);
      found.push(unknownKey(one, spot.path, form, near));
    } else if (keyForm && !keyForm.isForEditors && !keyForm.pattern.test(key)) {
      const message = `\`${shownKey(key)}\` is not a valid key. ${keyForm.message}`;
      if (!isDamaged(value)) found.push(error("wrong-key", message, keyPlace, keyForm.hint?.(key)));
    } else if (value.type !== "scalar" || scalarProblem(value, known) !== null)
      checkValue({ node: value, path: [...spot.path, key], keyPlace }, known, found);
  }
  if (node.partial) return;
  checkSize(spot, form, node.entries.length, map, found);
  for (const key of required) {
    // `vresion: 1` is one mistake: an unknown key, but not also a missing one.
    if (node.byKey.has(key) || meant.has(key)) continue;
    found.push(error("missing-field", `\`${key}\` is missing.`, placeOf(spot), asHint(keys?.get(key)?.message ?? "")));
  }
  const wrong = meant.size === 0 && problem?.(node);
  if (wrong) reportValue(spot, form, wrong, found);
}

/** For a map, and for a list of several lines, the report shows the key. */
function placeOf({ node, path, keyPlace }: Spot): Place {
  const isBelow = node.type === "list" && node.place.line !== keyPlace.line;
  return path.length > 0 && (node.type === "map" || isBelow) ? keyPlace : node.place;
}

/** Reports a value that is not what it must be. `problem` begins with "This". */
function reportValue(spot: Spot, form: Form, problem: string, found: Diagnostic[]): void {
  const { node, path } = spot;
  const { kind, clearedBy } = form;
  if (isDamaged(node)) return;
  const key = String(path.at(-1) ?? "");
  const place = placeOf(spot);
  const keyPlace = typeof path.at(-1) === "string" ? spot.keyPlace : place;
  const wrongType = (message: string, at: Place, hint: string | null): void =>
    void found.push(error("wrong-type", message, at, hint));
  if (kind && node.type !== "map" && blockFields(kind).some((spec) => spec.path.split(".")[0] === key)) {
    const message = `\`${key}\` is a field of a ${kind}, but its indentation makes it a key.`;
    wrongType(message, keyPlace, `Indent it below the ${kind} that it belongs to.`);
  } else if (form.isSecret && node.type !== "map" && !isNull(node)) {
    const isEmpty = node.type === "scalar" && node.text === "";
    const message = `\`${key}\` ${isEmpty ? "is empty" : "must not contain the secret itself"}.`;
    const hint = isEmpty
      ? `To set none, write \`${key}: none\`.`
      : `Write \`${key}: { env: LINKFORM_SECRET_… }\` or \`${key}: { file: path }\`. If the secret was committed, choose a new one.`;
    // The report shows the key's line, not the secret.
    found.push(error("secret-in-file", message, keyPlace.line === place.line ? place : keyPlace, hint));
  } else if (node.type === "scalar" && isNull(node)) {
    const message = `${subject(path)} ${node.text === "" ? "has no value" : `cannot be \`${node.text}\``}.`;
    // `null` never opens a link, so this hint names the word that does.
    wrongType(message, place, clearedBy ? `To clear it, write \`${key}: ${clearedBy}\`.` : asHint(problem));
  } else {
    const fix = node.type === "scalar" ? valueHint(key, form, node) : null;
    // A list or map of the right type with another problem.
    const hint = node.type === "scalar" || problem === form.message ? fix : asHint(form.message);
    wrongType(problem.replace(/^This(?= )/, subject(path)), place, hint);
  }
}

/** Replaces the "This" of messages of forms. */
function subject(path: KeyPath): string {
  const last = path.at(-1);
  if (last === undefined) return "This file";
  return typeof last === "number" ? `An item of \`${path.at(-2)}\`` : `\`${shownKey(last)}\``;
}

function asHint(message: string): string {
  return message.replace(/^This(?= )/, "It");
}

/** The error for a key that is not one of the known keys. `near` is the one that it resembles. */
function unknownKey(one: TreeEntry, path: KeyPath, form: Form, near: string | null): Diagnostic {
  const { key: written, keyPlace, value } = one;
  const { kind } = form;
  const known = [...(form.map?.keys?.keys() ?? [])];
  const isRoot = path.length === 0;
  const isInDefaults = path[0] === "defaults";
  const key = keyBeforeColon(written) ?? written;
  // `password: { hunter2 }` is a key without a value.
  const shown = form.isSecret && isNull(value) ? "…" : shownKey(written);
  const unknown = `Unknown ${path.length === 1 && path[0] === "rules" ? "rule" : "key"} \`${shown}\`.`;
  const report = (hint: string, message: string = unknown): Diagnostic => error("unknown-key", message, keyPlace, hint);
  if (isRoot && Object.hasOwn(projectKeys, written) && !known.includes("version")) {
    const message = `\`${key}\` is allowed only in the project file. This is a resource file.`;
    return report(`Move \`${key}\` to the project file, or remove it.`, message);
  }
  if (key.trim() !== key) return report("Remove the special space next to the key. Indent with plain spaces.");
  if ((isRoot || path[0] === "service") && /^(api[_-]?)?(key|token)$/i.test(key))
    return report(
      "Never write the API key into a file. Set LINKFORM_API_KEY instead. If the key was committed, create a new one.",
    );
  if (key !== written)
    return report(`Write \`${near ?? key}: …\`.`, `The key \`${key}\` needs a space after its colon.`);
  const spec = FIELDS[kind ?? "link"].find((candidate) => isNameOf(key, candidate));
  if (kind && spec?.path === KEY_FIELD[kind])
    return report(`Remove it. The ${spec.path} of a ${kind} is the key of its block.`);
  if (kind === "link" && isInDefaults && key === "protect")
    return report("Set it in each link, or list globs under `protect` in the project file.");
  if (kind && spec) return report(`Did you mean ${nameOf(key, spec)}?`);
  if (isInDefaults && path.length === 1 && spec)
    return report("Put fields of links under `link`: `defaults: { link: … }`.");
  if (isRoot && spec) return report("Put it in a link, or under `defaults: { link: … }` for all links.");
  return report(didYouMean(near, `Allowed: ${known.join(", ")}.`));
}

function valueHint(key: string, form: Form, node: ScalarNode): string | null {
  const { text, value } = node;
  const { kind, number, list } = form;
  // A link or pixel that is a text: a key without a space after its colon, or only the destination.
  const before = kind ? keyBeforeColon(text) : null;
  if (before !== null) return `Write a space after the colon: \`${before}: …\`.`;
  if (kind === "link" && text.includes("://")) return `Write \`${key}: { url: … }\` with this URL.`;
  if (form.flag && !form.text) {
    // Texts that are booleans in other formats or in YAML 1.1.
    const isFalse = /^(?:no|off|n|0|false)$/i.test(text);
    return isFalse || /^(?:yes|on|y|1|true)$/i.test(text) ? `Write \`${!isFalse}\` without quotes.` : null;
  }
  if (!form.text && list?.item.text) {
    if (text === "none") return list.isFilled ? null : `Write \`${key}: []\`.`;
    const item = typeof value === "string" ? formatInline(value) : text;
    return scalarProblem(node, list.item) === null ? `Write \`${key}: [${item}]\`.` : null;
  }
  const words = form.text?.words ?? number?.words?.map(String) ?? [];
  const meant = typeof value === "string" ? nearestOrLonger(text, words) : null;
  if (meant === text || (number && value === text && /^\d+$/.test(text))) return `Write \`${text}\` without quotes.`;
  return meant && `Did you mean \`${meant}\`?`;
}

/** Whether a key is the last step of a field's path, or its name in the service's API. */
function isNameOf(key: string, spec: FieldSpec): boolean {
  return [...pathsOf(spec), ...sentNames(spec)].some((name) => name === key || name.endsWith(`.${key}`));
}

function nameOf(key: string, spec: FieldSpec): string {
  const isTime = spec.kind === "instant" && (key === spec.sentTime || spec.timePath.endsWith(`.${key}`));
  const [group, name] = (isTime ? spec.timePath : spec.path).split(".");
  return name === undefined ? `\`${group}\`` : `\`${group}: { ${name}: … }\``;
}
