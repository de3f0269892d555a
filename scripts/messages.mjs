// Prints every text that users can read, collected from the source, with its file and line. `npm run messages`

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseSync } from "oxc-parser";

/** Calls whose texts nobody reads: parts of strings, patterns, and failures of linkform itself. */
const UNREAD = new Set(["Error", "TypeError", "RangeError", "RegExp", "includes", "startsWith", "endsWith", "split"]);

/**
 * Every text in the source that has words.
 * @returns {{ file: string, line: number, text: string }[]} `text` has `${…}` for computed parts.
 */
export function textsOf(files) {
  return files.flatMap((file) => {
    const source = readFileSync(file, "utf8");
    return nodesIn(parseSync(file, source).program).flatMap((node) => {
      const text = textIn(node, source);
      const line = source.slice(0, node.start).split("\n").length;
      return text !== null && hasWords(text) ? [{ file, line, text }] : [];
    });
  });
}

/** The nodes below this one, without imports, types and calls that nobody reads. */
function nodesIn(node) {
  if (Array.isArray(node)) return node.flatMap(nodesIn);
  if (node === null || typeof node !== "object") return [];
  const { type = "", callee } = node;
  if (type === "ImportDeclaration" || type === "ExportAllDeclaration") return [];
  // Of TypeScript's own nodes, only these wrap an expression.
  if (type.startsWith("TS")) return /^TS(As|Satisfies|NonNull)/.test(type) ? nodesIn(node.expression) : [];
  if (UNREAD.has(callee?.name ?? callee?.property?.name)) return [];
  return [node, ...Object.values(node).flatMap(nodesIn)];
}

/** The text of a literal; null for anything else. */
function textIn(node, source) {
  if (node.type === "Literal") return typeof node.value === "string" ? node.value : null;
  if (node.type !== "TemplateLiteral") return null;
  return node.quasis
    .map(({ value }, index) => {
      const computed = node.expressions[index];
      return value.cooked + (computed === undefined ? "" : `\${${source.slice(computed.start, computed.end)}}`);
    })
    .join("");
}

/** Texts with spaces and letters, other than markup and styles. */
function hasWords(text) {
  const written = text.replace(/\$\{[^}]*\}/g, "X").trim();
  return / /.test(written) && /[a-z]{3}/i.test(written) && !/^<|^[.#@a-z-]+ ?\{|;\s*}/.test(written);
}

export function filesIn(...paths) {
  return execFileSync("git", ["ls-files", ...paths], { encoding: "utf8" })
    .split("\n")
    .filter(Boolean);
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const { file, line, text } of textsOf(filesIn("src/*.ts")))
    console.log(`${file}:${line}: ${text.replaceAll("\n", "⏎")}`);
