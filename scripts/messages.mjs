// Prints every text that users can read, collected from the source, with its file, its line and its code. `npm run messages`

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseSync } from "oxc-parser";

/** Functions that take a code, a message and, for the first three, a place and a hint. */
const WITH_CODE = new Set(["error", "warning", "info", "UserError", "ServiceError", "LocatedError", "ForgeFailure"]);
const MESSAGE = 1;
const HINT = 3;

/** Calls whose texts nobody reads: parts of strings, patterns, and failures of linkform itself. */
const UNREAD = new Set(["Error", "TypeError", "RangeError", "RegExp", "includes", "startsWith", "endsWith", "split"]);

/**
 * Every text in the source that has words.
 * @returns {{ file: string, line: number, code: string | null, role: "message" | "hint" | "text", text: string }[]}
 *   `text` has `${…}` for computed parts.
 */
export function textsOf(files) {
  return files.flatMap((file) => {
    const source = readFileSync(file, "utf8");
    const { program } = parseSync(file, source);
    const out = { source, file, found: [], constants: [], named: new Map() };
    // Twice: messages are often constants, which come before the call that has their code.
    visit(program, out, { code: null, role: "text" });
    out.found = [];
    visit(program, out, { code: null, role: "text" });
    return out.found;
  });
}

function visit(node, out, at) {
  if (Array.isArray(node)) for (const one of node) visit(one, out, at);
  else if (node !== null && typeof node === "object") visitNode(node, out, at);
}

function visitNode(node, out, at) {
  const { type } = node;
  if (type === "ImportDeclaration" || type === "ExportAllDeclaration") return;
  // Of TypeScript's own nodes, only these wrap an expression.
  if (type?.startsWith("TS")) {
    if (/^TS(As|Satisfies|NonNull)/.test(type)) visit(node.expression, out, at);
    return;
  }
  if (type === "VariableDeclarator") {
    out.constants.push(node);
    return visit(node.init, out, out.named.get(node) ?? at);
  }
  const text = textIn(node, out.source);
  if (text !== null && hasWords(text)) {
    const line = out.source.slice(0, node.start).split("\n").length;
    out.found.push({ file: out.file, line, ...at, text });
  }
  if (type === "CallExpression" || type === "NewExpression") visitCall(node, out, at);
  else if (type === "Property" && node.key.name === "hint") visitRole(node.value, out, { ...at, role: "hint" });
  else {
    const { length } = out.constants;
    for (const [name, child] of Object.entries(node)) if (name !== "type") visit(child, out, at);
    // Constants of a function are unknown outside it.
    if (/Function/.test(type ?? "")) out.constants.length = length;
  }
}

function visitCall(node, out, at) {
  const name = node.callee.name ?? node.callee.property?.name;
  if (UNREAD.has(name)) return;
  visit(node.callee, out, at);
  const [first] = node.arguments;
  const code = WITH_CODE.has(name) && typeof first?.value === "string" ? first.value : null;
  for (const [index, argument] of node.arguments.entries()) {
    const role = index === MESSAGE ? "message" : index === HINT ? "hint" : "text";
    if (code === null) visit(argument, out, at);
    else visitRole(argument, out, { code, role });
  }
}

/** Visits a text of this code. If it is a constant, its declaration gets the code. */
function visitRole(node, out, at) {
  if (node.type !== "Identifier") return visit(node, out, at);
  const constant = out.constants.findLast((one) => one.id.name === node.name && one.start < node.start);
  if (constant !== undefined && at.code !== null) out.named.set(constant, at);
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
  for (const { file, line, code, text } of textsOf(filesIn("src/*.ts")))
    console.log(`${file}:${line}: ${code === null ? "" : `[${code}] `}${text.replaceAll("\n", "⏎")}`);
