// Prints every text that users can read, collected from the source: for each code its messages and hints with an example, then all
// other texts by file. `npm run messages`

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

/** What stands for a computed part in an example, by the last name in it. */
const SAMPLES = {
  key: "go.example.com/spring-sale",
  alias: "spring-sale",
  name: "Meta main",
  file: "links/spring.yaml",
  path: "expiration.date",
  kind: "link",
  id: "12",
  url: "https://example.com/spring",
  host: "short.example.com",
  baseUrl: "https://short.example.com",
  message: "Too many connections.",
  status: "500",
  version: "4.1",
  seconds: "30",
  count: "3",
  length: "3",
  code: "ENOENT",
};

/** The text with sample values for its computed parts. */
function sampleOf(text) {
  return text.replace(/\$\{((?:[^{}]|\{[^}]*\})*)\}/g, (_all, computed) => {
    const last = computed.match(/[a-z]+/gi)?.findLast((word) => word in SAMPLES);
    return last === undefined ? "…" : SAMPLES[last];
  });
}

/** The printed findings of each code in the expected outputs of the tests: code -> the shortest. */
function printedFindings() {
  const printed = new Map();
  for (const file of filesIn("test/fixtures")) {
    for (const block of readFileSync(file, "utf8").split(/\n\n/)) {
      const code = /^(?:error|warning|info)\[([a-z0-9-]+)\] /m.exec(block)?.[1];
      const text = block.slice(Math.max(block.search(/^(?:error|warning|info)\[/m), 0)).trimEnd();
      const before = printed.get(code);
      if (code !== undefined && (before === undefined || text.length < before.length)) printed.set(code, text);
    }
  }
  return printed;
}

export function filesIn(...paths) {
  return execFileSync("git", ["ls-files", ...paths], { encoding: "utf8" })
    .split("\n")
    .filter(Boolean);
}

function print() {
  const texts = textsOf(filesIn("src/*.ts"));
  const printed = printedFindings();
  const lines = [];
  const codes = [...new Set(texts.flatMap(({ code }) => code ?? []))].toSorted();
  for (const code of codes) {
    lines.push("", `## ${code}`);
    const own = texts.filter((text) => text.code === code);
    for (const { file, line, role, text } of own) lines.push(`${role.padEnd(8)}${oneLine(text)}  (${file}:${line})`);
    const message = own.find(({ role }) => role === "message");
    const example = printed.get(code) ?? `error[${code}] ${sampleOf(message?.text ?? "…")}`;
    lines.push("example", ...example.split("\n").map((line) => `    ${line}`));
  }
  for (const file of new Set(texts.map((text) => text.file))) {
    const others = texts.filter((text) => text.file === file && text.code === null);
    if (others.length === 0) continue;
    lines.push("", `## ${file}`, ...others.map(({ line, text }) => `${String(line).padEnd(6)}${oneLine(text)}`));
  }
  process.stdout.write(`${lines.join("\n").trimStart()}\n`);
}

const oneLine = (text) => text.replaceAll("\n", "⏎");

if (process.argv[1] === fileURLToPath(import.meta.url)) print();
