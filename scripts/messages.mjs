// Prints every text that users can read, collected from the source, with its file, its line and its code. `npm run messages`

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseSync } from "oxc-parser";

/** Functions that take a code, a message, perhaps a place and a hint. */
const WITH_CODE = new Set("error warning info UserError usageError ServiceError LocatedError ForgeFailure".split(" "));

/** Calls whose texts nobody reads: parts of strings, patterns, and failures of linkform itself. */
const UNREAD = new Set(["Error", "TypeError", "RangeError", "RegExp", "includes", "startsWith", "endsWith", "split"]);

/**
 * Every text in the source that has words.
 * @returns {{ file: string, line: number, code: string | null, text: string }[]}
 *   `text` has `${…}` for computed parts. `code` is null where the text is not in the call that has the code.
 */
export function textsOf(files) {
  return files.flatMap((file) => {
    const source = readFileSync(file, "utf8");
    return [...textsIn(parseSync(file, source).program, source, null)].map((found) => ({ file, ...found }));
  });
}

function* textsIn(node, source, code) {
  if (node === null || typeof node !== "object") return;
  const { type } = node;
  // Of TypeScript's own nodes, only these wrap an expression.
  if (/^(Import|ExportAll|TS(?!As|NonNull|Satisfies))/.test(type)) return;
  const text = textOf(node, source);
  if (text !== null && hasWords(text)) yield { line: source.slice(0, node.start).split("\n").length, code, text };
  let inside = code;
  if (type === "CallExpression" || type === "NewExpression") {
    const name = node.callee.name ?? node.callee.property?.name;
    if (UNREAD.has(name)) return;
    const [first] = node.arguments;
    if (WITH_CODE.has(name) && typeof first?.value === "string") inside = first.value;
  }
  for (const child of Object.values(node)) yield* textsIn(child, source, inside);
}

/** The text of a literal; null for anything else. */
function textOf(node, source) {
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
  for (const { file, line, code, text } of textsOf(filesIn("src/*.ts")))
    console.log(`${file}:${line}: ${code === null ? "" : `[${code}] `}${text.replaceAll("\n", "⏎")}`);
