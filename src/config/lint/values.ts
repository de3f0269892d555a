// Rules about single values in links, pixels and defaults.

import { isIP } from "node:net";
import { addressProblem, addressTypo } from "../../domain/address.ts";
import type { Diagnostic } from "../../domain/diagnostic.ts";
import type { FieldSpec, KeyShape, TextSpec, ValueForm } from "../../domain/field.ts";
import { parseUrl } from "../../domain/hosts.ts";
import { didYouMean } from "../../domain/nearest.ts";
import { placeIn } from "../../domain/place.ts";
import type { RuleCode } from "../../domain/rules.ts";
import { DESTINATION, EXPIRATION_URL, fieldAt, textProblem, type ResourceKind } from "../../domain/table.ts";
import { BLOCK_FIELDS, findValue } from "../fields.ts";
import { isPrivate } from "../public-address.ts";
import { advice, type LintContext } from "./context.ts";
import { utmInFragment } from "./utm.ts";
import { entry, isNull, textOf, type MapNode, type ScalarNode, type TreeEntry, type TreeNode } from "../yaml.ts";
import { PLACEHOLDERS } from "../../domain/pixel-fields.ts";
import { wordOf } from "../../domain/wire.ts";

/** Lints the values of a block or of `defaults.link`, where they are written. */
export function lintBlock(kind: ResourceKind, block: TreeNode, context: LintContext): void {
  if (block.type !== "map") return;
  for (const { spec, steps } of BLOCK_FIELDS[kind]) {
    const found = findValue([block], steps);
    if (found !== null && !found.setsGroup) lintField(spec, `\`${steps[1] ?? steps[0]}\``, found.node, block, context);
  }
}

function lintField(spec: FieldSpec, name: string, value: TreeNode, block: MapNode, context: LintContext): void {
  if (spec.kind === "text" && isWritten(value)) {
    // The schema reports numbers and booleans. The query is not merged into an expiration URL.
    if (spec.isAddress && typeof value.value === "string")
      lintAddress(value, name, spec.path !== EXPIRATION_URL.path, context);
    lintForm(spec, value, block, context);
  }
  if (spec.kind === "map" && value.type === "map")
    for (const item of value.entries) {
      // The schema reports keys that do not match the pattern.
      if (spec.keys.pattern.test(item.key)) lintCode(spec.keys, item, context);
      if (isWritten(item.value)) lintAddress(item.value, `\`${item.key}\``, true, context);
    }
  if (spec.kind === "list" && value.type === "list")
    for (const item of value.items) if (isWritten(item)) lintAddress(item, `An item of ${name}`, true, context);
}

function isWritten(node: TreeNode): node is ScalarNode {
  return node.type === "scalar" && !node.broken && !isNull(node);
}

/** What browsers do with URLs that have these schemes. */
const UNSAFE = new Map([
  ["javascript", "which would run a script in the visitor's browser"],
  ["vbscript", "which would run a script in the visitor's browser"],
  ["data", "which can show a forged page"],
  ["file", "which opens a file on the visitor's computer"],
]);

/** Lints a destination; `name` is its name in messages. `isMerged`: the service merges the short URL's query into it. */
function lintAddress(node: ScalarNode, name: string, isMerged: boolean, context: LintContext): void {
  const { place } = node;
  const text = node.text.trim();
  // `mark` is the part of the address to underline; by default, all of it.
  const about = (rule: RuleCode, is: string, hint: string | null, mark: string | null = null): Diagnostic =>
    advice(rule, `${name} ${is}.`, placeIn(place, mark ?? "", "last"), hint);
  const findings: Diagnostic[] = [];
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase() ?? "";
  const unsafe = UNSAFE.get(scheme);
  if (unsafe !== undefined) {
    const is = `is a \`${scheme}:\` URL, ${unsafe}`;
    findings.push(about("unsafe-scheme", is, "Write a URL that starts with https://."));
  }
  const refused = textProblem(DESTINATION, text) === null ? addressProblem(text) : null;
  // A break between two lines arrives as a space.
  if (refused !== null && /\s/.test(text) && place.source?.line(place.line)?.includes(text) === false)
    findings.push(about("refused-address", refused.is, "Write the URL on one line."));
  else if (refused !== null) findings.push(about("refused-address", refused.is, refused.hint, refused.mark));
  const typo = findings.length === 0 ? addressTypo(text) : null;
  if (typo !== null) findings.push(about("address-typo", typo.is, typo.hint, typo.mark));
  context.report(...findings);
  const url = unsafe === undefined ? parseUrl(text) : null;
  if (url === null) return;
  const { protocol, host, hostname, port, hash, username, password } = url;
  const hasUser = username + password !== "";
  if (hasUser) {
    const what = password === "" ? "a user name" : "a user name and a password";
    // The message must not contain the credentials.
    const is = `contains ${what} (${protocol}//•••@${host}), which everyone who follows the link can read`;
    context.report(about("url-credentials", is, "Remove the part before the `@`."));
  }
  const reach = privateReach(hostname);
  const plain = "uses plain http, so others can read and change the traffic";
  if (reach !== null) {
    const hint = "Write a URL that visitors can reach.";
    context.report(about("private-address", `leads to ${hostname}, ${reach}`, hint, hostname));
  } else if (protocol === "http:")
    context.report(about("plain-http", plain, "Use https:// if the site supports it.", "http://"));
  // What another rule reports is left out. User info is not printed, because it may be a password.
  const isUser = hasUser && !context.isEnabled("url-credentials");
  const isFragment = hash !== "" && (utmInFragment(hash) === undefined || !context.isEnabled("utm-fragment"));
  const parts = [port !== "" && "a port", isUser && "user info", isFragment && "a fragment"];
  const lost = parts.filter((part) => part !== false);
  if (!isMerged || lost.length === 0) return;
  const is = `has ${lost.join(" and ")}. The service drops ${lost.length === 1 ? "it" : "them"} if a visitor's short URL has a query, such as \`?utm_source=mail\``;
  const mark = lost.length > 1 || isUser ? null : isFragment ? hash : `:${port}`;
  const hint = "Use a destination without these parts that redirects to this one.";
  context.report(about("query-drops-port", is, hint, mark));
}

/** The end of a sentence "leads to HOST, …" for a host that is not public; null for a public one. */
function privateReach(hostname: string): string | null {
  const host = hostname.replaceAll(/^\[|\]$|\.$/g, "").toLowerCase();
  if (/(?:^|\.)localhost$|^(?:::|::1|(?:127|0)\.[\d.]+)$/.test(host)) return "which is the visitor's own computer";
  if (isIP(host) === 0 ? !/\.(?:local|internal|lan|home\.arpa)$/.test(host) : !isPrivate(host)) return null;
  return "which is not on the public internet";
}

function lintForm(spec: TextSpec, value: ScalarNode, block: MapNode, context: LintContext): void {
  const { by = "", of = {} } = spec.forms ?? {};
  const type = entry(block, by)?.value;
  const types = fieldAt("pixel", by);
  // The schema reports an unknown type.
  const word = type?.type === "scalar" && types?.kind === "word" ? wordOf(types, type.text) : undefined;
  const form = of[word ?? ""];
  if (!type || !word || !form) return;
  context.report(...pixelValueFindings(spec, word, form, value));
  if (!form.runsScripts || textOf(entry(block, "note")?.value) !== null) return;
  const message = `A ${word} pixel can run any script, but no \`note\` names its owner.`;
  const hint = "Add a `note` that names the person or team in charge of the pixel.";
  context.report(advice("tag-manager-owner", message, type.place, hint));
}

function lintCode({ list, noun }: KeyShape, { key, keyPlace }: TreeEntry, context: LintContext): void {
  if (list === null) return;
  const { standard, codes, refused, meant, retired, refusedBy } = list;
  const known = Object.hasOwn(meant, key) ? meant[key] : undefined;
  const remove = `Remove it. Visitors with this ${noun} will go to \`url\`.`;
  const correct = known
    ? didYouMean(known.code, `List each ${noun} with its own code.`)
    : `Write a two-letter ${noun} code, or remove this key.`;
  if (Object.hasOwn(refusedBy, key)) {
    const message = `The service refuses \`${key}\` in version ${refusedBy[key]}.`;
    context.report(advice("version-code", message, keyPlace, codes.has(key) ? remove : correct));
  } else if (refused.codes.has(key))
    context.report(advice(refused.rule, `The service refuses the ${noun} \`${key}\`.`, keyPlace, remove));
  else if (retired.has(key)) {
    const message = `\`${key}\` is no longer an ${standard} code, so no visitor matches it.`;
    context.report(advice("retired-code", message, keyPlace, remove));
  } else if (!codes.has(key)) {
    const message = `The service refuses \`${key}\`: ${known?.because ?? `it is not an ${standard} code`}.`;
    context.report(advice(list.unknown, message, keyPlace, correct));
  }
}

/** The most specific finding comes first, because only one is reported. For a value that the schema refuses, they only explain why. */
function pixelValueFindings(
  spec: TextSpec,
  type: string,
  form: ValueForm,
  { text: written, place }: ScalarNode,
): Diagnostic[] {
  const { pattern, shape, example, others } = form;
  const text = written.trim();
  const findings: Diagnostic[] = [];
  if (/<\/?(?:script|noscript|img|iframe|!--)|\w\(/i.test(text)) {
    const inside = new RegExp(`(?<![\\w-])${pattern.source.slice(1, -1)}(?![\\w-])`).exec(text)?.[0];
    const hint = `Write only the id: ${inside === undefined ? shape : `\`${inside}\``}.`;
    return [advice("pixel-snippet", "`value` is a pasted script, not a pixel id.", place, hint)];
  }
  if (PLACEHOLDERS.some((one) => one.test(text))) {
    const message = `\`${text}\` is a placeholder, not an id.`;
    findings.push(advice("pixel-placeholder", message, place, `Write the id: ${shape}.`));
  }
  const bare = written.replaceAll(/\s+/g, "");
  if (bare !== written && bare !== "") {
    const hint = pattern.test(bare) ? `Write \`${bare}\`.` : "Remove the white space.";
    findings.push(advice("pixel-space", "`value` has white space in or around it.", place, hint));
  }
  for (const { rule, pattern: other, message, instead } of others) {
    const found = other.exec(text);
    const meant = found?.[1] === undefined ? `, such as \`${example}\`` : `: \`${found[1]}\``;
    if (found !== null) findings.push(advice(rule, message, place, `Write ${instead}${meant}.`));
  }
  if (textProblem(spec, text) !== null || pattern.test(text)) return findings;
  const isOf = (one: ValueForm): boolean => hasPrefix(text, one) || (one.isDistinct && one.pattern.test(text));
  const forms = Object.entries(spec.forms?.of ?? {});
  const [owner] = forms.find(([one, candidate]) => one !== type && isOf(candidate)) ?? [];
  if (owner !== undefined && !hasPrefix(text, form)) {
    const message = `\`${text}\` looks like the id of a pixel of type ${owner}.`;
    findings.push(advice("pixel-type", message, place, `Did you mean \`type: ${owner}\`?`));
  }
  const message = `\`${text}\` does not look like the id of a ${type} pixel.`;
  return [...findings, advice("pixel-value", message, place, correction(text, form))];
}

function hasPrefix(text: string, { prefix }: ValueForm): boolean {
  return prefix !== null && text.toLowerCase().startsWith(prefix.toLowerCase());
}

/** The probable fix: other case, or the missing prefix. */
function correction(text: string, { pattern, prefix, shape }: ValueForm): string {
  const candidates = [text.toUpperCase(), text.toLowerCase(), `${prefix ?? ""}${text.toUpperCase()}`];
  return didYouMean(candidates.find((candidate) => pattern.test(candidate)) ?? null, `Expected ${shape}.`);
}
