// What to do about a value that can't be: the word, address or key that was most likely meant.

import type { FieldSpec, KeyShape } from "../domain/field.ts";
import { blockFields } from "../domain/table.ts";
import { nearest, nearestOrLonger } from "../domain/nearest.ts";
import { isNull, type TreeNode, type ScalarNode } from "./tree.ts";
import { kindAt } from "./unknown-key.ts";

type HintPath = readonly PropertyKey[];

/** The row of the field at a path: `links.KEY.…`, `pixels.NAME.…` and `defaults.link.…` begin with two other steps. */
function rowAt(path: HintPath): FieldSpec | undefined {
  const kind = kindAt(path.slice(0, 2));
  const field = path.slice(2).join(".");
  return kind === null ? undefined : blockFields(kind).find((row) => row.path === field);
}

/** Promise 4: `null` never opens; the field table knows the word that does. */
export function nullHint(path: HintPath): string | null {
  if (kindAt(path.slice(0, 2)) !== "link" || path.length < 3) return null;
  const field = path.slice(2).join(".");
  const row = blockFields("link").find(
    ({ path: own, opens }) => opens !== null && (own === field || own.startsWith(`${field}.`)),
  );
  return row === undefined ? null : `To clear it, write the word: \`${String(path.at(-1))}: ${row.opens?.word}\`.`;
}

const BOOLEANS: Readonly<Record<string, boolean>> = {
  yes: true,
  on: true,
  y: true,
  "1": true,
  true: true,
  no: false,
  off: false,
  n: false,
  "0": false,
  false: false,
};

/** What a misspelt value most likely means. `words` are those that fit, where they are few. */
export function wordHint(path: HintPath, { text, value }: ScalarNode, words: readonly string[]): string | null {
  const row = rowAt(path);
  if (words[0] === "true") {
    const word = text.toLowerCase();
    return Object.hasOwn(BOOLEANS, word) ? `Write \`${String(BOOLEANS[word])}\`, without quotes.` : null;
  }
  if (row?.kind === "secret") return null;
  const form = formHint(path, row, { text, value });
  if (form !== null) return form;
  if (value === false && words.includes("off")) return "Write `off`.";
  const meant = typeof value === "string" ? nearestOrLonger(text, words) : null;
  if (meant === text) return withoutQuotes(text);
  if (meant !== null) return `Did you mean \`${meant}\`?`;
  return isDestination(path, row) ? addressHint(text) : null;
}

/** What is meant, in the form that the field takes. */
function formHint(
  path: HintPath,
  row: FieldSpec | undefined,
  { text, value }: Pick<ScalarNode, "text" | "value">,
): string | null {
  const key = String(path.at(-1));
  if (row?.kind === "instant") return written(key, dateLike(text));
  if (row?.kind === "count") return typeof value === "string" && /^\d+$/.test(text) ? withoutQuotes(text) : null;
  if (row?.kind === "references") return written(key, text === "none" ? "[]" : `[${text}]`);
  if (row?.kind === "reference" && text.includes("/")) return written(key, hostOf(text));
  if (LISTS.has(path.join(".")))
    return written(key, `[${/^[*&!%@`]|[{}[\],]/.test(text) ? JSON.stringify(text) : text}]`);
  if (path[0] === "brake" && typeof value === "number") return written(key, percentLike(key, value));
  return isTime(path) ? written(key, timeLike(text)) : null;
}

/** Lists of texts that people write as one text. */
const LISTS: ReadonlySet<string> = new Set(["files", "protect", "scope.domains", "scope.spaces", "scope.pixels"]);

function written(key: string, value: string | null): string | null {
  return value === null ? null : `Write \`${key}: ${value}\`.`;
}

function withoutQuotes(text: string): string {
  return `Write \`${text}\` without quotes.`;
}

/** `2027-3-1`, `2027/03/01` and `1.3.2027` have one meaning; `1/3/2027` has two. */
function dateLike(text: string): string | null {
  const [, year, month, day] = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(text) ?? [];
  const [, dayFirst, then, last] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text) ?? [];
  const parts = [year ?? last, month ?? then, day ?? dayFirst];
  return parts.includes(undefined) ? null : parts.map((part) => part?.padStart(2, "0")).join("-");
}

/** `9:30`, `930` and `09.30`. */
function timeLike(text: string): string | null {
  const [, hours, minutes] = /^(\d{1,2})[:.]?(\d{2})$/.exec(text) ?? [];
  if (hours === undefined || Number(hours) > 23 || Number(minutes) > 59) return null;
  return `"${hours.padStart(2, "0")}:${minutes}"`;
}

function isTime(path: HintPath): boolean {
  const field = path.slice(2).join(".");
  return (
    kindAt(path.slice(0, 2)) === "link" &&
    blockFields("link").some((row) => row.kind === "instant" && row.timePath === field)
  );
}

/** `0.3` and, where only a share can stand, `30`. */
function percentLike(key: string, value: number): string | null {
  const percent = value > 0 && value < 1 ? value * 100 : key === "clicks" && value <= 100 && value >= 0 ? value : null;
  return percent === null ? null : `${Number(percent.toFixed(2))}%`;
}

function hostOf(text: string): string | null {
  return /^(?:[a-z]+:\/\/)?([\p{L}\p{N}.-]+)(?:\/|$)/iu.exec(text)?.[1] ?? null;
}

/** A secret that stands in the file itself. It is not repeated. */
export function plainSecret(path: HintPath, node: TreeNode): { message: string; hint: string } | null {
  if (rowAt(path)?.kind !== "secret" || node.type === "map" || isNull(node)) return null;
  const key = String(path.at(-1));
  if (node.type === "scalar" && node.text === "")
    return { message: `\`${key}\` is empty.`, hint: `To have none, write \`${key}: none\`.` };
  return {
    message: `\`${key}\` must not stand in the file itself.`,
    hint: `Write \`${key}: { env: LINKFORM_SECRET_… }\` or \`${key}: { file: path }\`; if this was committed, choose a new one.`,
  };
}

/** A link that is written as its destination alone. */
export function bareDestination(path: HintPath, node: TreeNode): string | null {
  if (kindAt(path) !== "link" || path[0] === "defaults" || node.type !== "scalar") return null;
  return node.text.includes("://") ? `Write \`${String(path.at(-1))}: { url: … }\` with this address.` : null;
}

function addressHint(text: string): string | null {
  if (/\$\{?\w|\{\{/.test(text)) return "Nothing is filled in here: write the address itself.";
  if (/^[“”„«‘’]/.test(text)) return "Use straight quotes, or none.";
  if (/\s/.test(text.trim())) return "An address holds no spaces: write them as %20.";
  if (/[{}|]/.test(text)) return "Write `{`, `}` and `|` as %7B, %7D and %7C.";
  if (/^[a-z][a-z0-9+.-]*:(?!\/\/)/i.test(text)) return "The service takes only addresses with `://` and a host.";
  return /^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+([/?#]\S*)?$/u.test(text)
    ? `Write the scheme as well: https://${text}.`
    : null;
}

function isDestination(path: HintPath, row: FieldSpec | undefined): boolean {
  const above = rowAt(path.slice(0, -1));
  return (row?.kind === "text" && row.path.endsWith("url")) || above?.kind === "map" || above?.kind === "list";
}

/** The key of a target group that was most likely meant. */
export function keyHint(path: HintPath): string | null {
  const row = rowAt(path.slice(0, -1));
  if (row?.kind !== "map") return null;
  const key = String(path.at(-1));
  const { meant, noun, pattern, words } = row.keys;
  const parts = key.split(/[-_]/);
  const part = parts.length === 1 ? null : codeLike(parts.find((one) => pattern.test(one)) ?? key, row.keys);
  if (part !== null) return `That is a locale; write the ${noun} alone: \`${part}\`.`;
  const word = ownEntry(meant, key.toLowerCase()) ?? nearest(key, words) ?? codeLike(key, row.keys);
  return word === null ? null : `Did you mean \`${word}\`?`;
}

/** The code that a text is in another case, or stands for; null where there is none. */
function codeLike(text: string, { pattern, list }: KeyShape): string | null {
  const inCase = [text.toUpperCase(), text.toLowerCase()].find((one) => pattern.test(one));
  if (inCase === undefined || list === null) return inCase ?? null;
  const code = ownEntry(list.meant, inCase)?.code ?? inCase;
  return list.codes.has(code) ? code : null;
}

function ownEntry<Value>(entries: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(entries, key) ? entries[key] : undefined;
}

/** A field that stands where a link or pixel should: its line is not indented enough. */
export function misplacedField(path: HintPath, node: TreeNode): { message: string; hint: string } | null {
  const kind = kindAt(path);
  if (kind === null || path[0] === "defaults" || node.type === "map") return null;
  const key = String(path.at(-1));
  if (!blockFields(kind).some((row) => row.path.split(".")[0] === key)) return null;
  return {
    message: `\`${key}\` is a field, and stands where the key of a ${kind} should.`,
    hint: `Indent it below the ${kind} it belongs to.`,
  };
}
