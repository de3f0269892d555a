// Changes one expression of the core at a time, and shows which test notices it: `npm run mutants -- --count 60`. The commit draws the
// mutants, so a run can be repeated. `--seed N` draws others, `--files PREFIX` draws from other files of `src`, and `--tests PATH` (both
// repeatable) runs only these tests. Needs a clean work tree, and restores each file.

import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { parseSync } from "oxc-parser";

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "60" },
    seed: { type: "string" },
    files: { type: "string", multiple: true },
    tests: { type: "string", multiple: true },
  },
});

/** Where a wrong line costs the most: what is planned, guarded, sent, hidden, recorded, undone and written into files. */
const CORE = [
  "plan/compare",
  "plan/brake",
  "plan/protect",
  "plan/scope",
  "service/list.",
  "service/transport",
  "service/wire",
  "service/form",
  "apply/guard",
  "http/redact",
  "config/git",
  "record/",
  "undo/",
  "edit/writer",
  "edit/unit",
];

const OPERATORS = {
  "===": "!==",
  "!==": "===",
  "&&": "||",
  "||": "&&",
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "+": "-",
  "-": "+",
};

/** All mutants of a file: the range that changes, and its new text. */
function mutantsOf(file) {
  const text = readFileSync(file, "utf8");
  const found = [];
  const textOf = ({ start, end }) => text.slice(start, end);
  const add = ({ start, end }, after) =>
    found.push({ file, text, from: start, to: end, after, line: text.slice(0, start).split("\n").length });
  const visit = (node) => {
    if (node === null || typeof node !== "object") return;
    if (Array.isArray(node)) node.forEach(visit);
    else if (!/^(Import|TS(?!As|NonNull|Satisfies))/.test(node.type)) {
      mutate(node);
      Object.values(node).forEach(visit);
    }
  };
  const mutate = (node) => {
    switch (node.type) {
      case "BinaryExpression":
      case "LogicalExpression": {
        const after = OPERATORS[node.operator];
        const start = text.indexOf(node.operator, node.left.end);
        if (after !== undefined) add({ start, end: start + node.operator.length }, after);
        break;
      }
      case "UnaryExpression":
        if (node.operator === "!") add(node, textOf(node.argument));
        break;
      case "Literal":
        if (typeof node.value === "boolean") add(node, String(!node.value));
        if (typeof node.value === "number") add(node, `(${node.raw} + 1)`);
        break;
      case "ConditionalExpression":
      case "IfStatement":
        add(node.test, `!(${textOf(node.test)})`);
        break;
      case "ExpressionStatement":
        add(node, ";");
        break;
      case "SpreadElement":
        add(node, "...[]");
        break;
    }
  };
  visit(parseSync(file, text).program);
  return found;
}

function run(command, args, timeout) {
  return spawnSync(command, args, { encoding: "utf8", timeout, killSignal: "SIGKILL", maxBuffer: 2 ** 28 });
}

/** The first test that fails, if one of these does. A run that does not end is noticed, too. */
function noticedBy(tests) {
  const args = [
    "vitest",
    "run",
    "--project",
    "short",
    "--bail",
    "1",
    "--reporter",
    "json",
    "--testTimeout",
    "300000",
    ...tests,
  ];
  const { stdout, status, error } = run("npx", args, 900_000);
  if (error !== undefined) return "the time limit";
  if (status === 0) return null;
  const { testResults = [] } = JSON.parse(stdout.slice(stdout.indexOf("{")));
  for (const { name, assertionResults, message } of testResults) {
    const failed = assertionResults.find((one) => one.status === "failed");
    const test = name.slice(name.indexOf("/test/") + 1);
    if (failed !== undefined) return `${test}: ${failed.fullName}`;
    if (message !== "") return `${test}, which cannot be loaded`;
  }
  return "vitest";
}

if (execFileSync("git", ["status", "--porcelain", "src"], { encoding: "utf8" }) !== "")
  throw new Error("Commit your changes of src first, because this script changes files and restores them.");
const seed = values.seed ?? execFileSync("git", ["rev-parse", "HEAD"], { encoding: "utf8" }).trim();
const prefixes = (values.files ?? CORE).map((prefix) => `src/${prefix.replace(/^src\//, "")}`);
const rank = ({ file, from, after }) => createHash("sha256").update(`${seed} ${file} ${from} ${after}`).digest("hex");
const all = readdirSync("src", { recursive: true, encoding: "utf8" })
  .map((name) => `src/${name}`)
  .filter((file) => file.endsWith(".ts") && prefixes.some((prefix) => file.startsWith(prefix)))
  .flatMap(mutantsOf)
  .map((mutant) => ({ ...mutant, rank: rank(mutant) }))
  .toSorted((a, b) => (a.rank < b.rank ? -1 : 1));

let survived = 0;
const drawn = all.slice(0, Number(values.count));
for (const { file, from, to, line, text, after } of drawn) {
  let noticed;
  try {
    writeFileSync(file, `${text.slice(0, from)}${after}${text.slice(to)}`);
    // The cheap tests of the room come first.
    const room = [`test/${file.split("/")[1]}/`];
    const isBuilt = run("npm", ["run", "--silent", "build"], 120_000).status === 0;
    noticed = isBuilt ? (values.tests ? noticedBy(values.tests) : (noticedBy(room) ?? noticedBy([]))) : "the build";
  } finally {
    writeFileSync(file, text);
  }
  if (noticed === null) survived += 1;
  const before = text.slice(from, to).replaceAll(/\s+/g, " ");
  console.log(
    `| ${file}:${line} | \`${before}\` → \`${after.replaceAll(/\s+/g, " ")}\` | ${noticed ?? "**nothing**"} |`,
  );
}
console.log(`${drawn.length - survived} of ${drawn.length} mutants were noticed.`);
