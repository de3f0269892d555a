// Changes one expression of the core at a time, and shows which test notices it: `npm run mutants -- --count 60`. The commit draws the
// mutants, so a run can be repeated. `--files PREFIX` draws from other files of `src`, and `--tests PATH` (both repeatable) runs only these tests.

import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { parseSync } from "oxc-parser";

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "60" },
    files: { type: "string", multiple: true },
    tests: { type: "string", multiple: true },
  },
});

// vitest passes without tests, so a misspelled path would look like tests that notice nothing.
const wrong = values.tests?.find((test) => !existsSync(test));
if (wrong !== undefined) throw new Error(`--tests: ${wrong} does not exist.`);

/** Where a wrong line costs most: what is planned, guarded, sent, hidden, recorded, undone and written. */
const CORE = `
  plan/compare plan/brake plan/protect plan/scope service/list. service/transport service/wire service/form
  apply/guard http/redact config/git record/ undo/ edit/writer edit/unit edit/printer
`;

const PAIRS = ["=== !==", "&& ||", "< <=", "> >=", "+ -"].map((pair) => pair.split(" "));
const OPERATORS = new Map([...PAIRS, ...PAIRS.map((pair) => pair.toReversed())]);

/** What takes the place of a node, or of a part of it: the part, and its new text. */
const MUTATIONS = {
  BinaryExpression: ({ operator }) => [null, OPERATORS.get(operator)],
  LogicalExpression: ({ operator }) => [null, OPERATORS.get(operator)],
  UnaryExpression: (node, textOf) => [node, node.operator === "!" ? textOf(node.argument) : undefined],
  Literal: (node) => [node, { boolean: String(!node.value), number: `(${node.raw} + 1)` }[typeof node.value]],
  ConditionalExpression: ({ test }, textOf) => [test, `!(${textOf(test)})`],
  IfStatement: ({ test }, textOf) => [test, `!(${textOf(test)})`],
  ExpressionStatement: (node) => [node, ";"],
  SpreadElement: (node) => [node, "...[]"],
};

/** All mutants of a file: the range that changes, and its new text. */
function mutantsOf(file) {
  const text = readFileSync(file, "utf8");
  const found = [];
  const visit = (node) => {
    if (node === null || typeof node !== "object") return;
    // Types have no effect.
    if (/^(Import|TS(?!As|NonNull|Satisfies))/.test(node.type)) return;
    const [part, after] = MUTATIONS[node.type]?.(node, ({ start, end }) => text.slice(start, end)) ?? [];
    const from = part?.start ?? text.indexOf(node.operator, node.left?.end);
    const line = text.slice(0, from).split("\n").length;
    if (after !== undefined)
      found.push({ file, text, from, to: part?.end ?? from + node.operator.length, after, line });
    Object.values(node).forEach(visit);
  };
  visit(parseSync(file, text).program);
  return found;
}

/** Without the ceilings for lines and bytes, which notice every mutant that adds a byte. */
const OPTIONS =
  "--project short --testNamePattern ^(?!.*have.at.most) --passWithNoTests --bail 1 --reporter json --testTimeout 300000";

/** The first test of `npm test` that fails, if one of these does. A run that does not end is noticed, too. */
function noticedBy(tests) {
  // `timeout` ends its whole group. A worker in an endless loop outlives vitest.
  const command = `--signal=KILL 900 npx vitest run ${OPTIONS}`.split(" ");
  const { stdout, status } = spawnSync("timeout", [...command, ...tests], { encoding: "utf8", maxBuffer: 2 ** 28 });
  if (status === null) return "the time limit";
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

const seed = execFileSync("git", ["rev-parse", "HEAD"], { encoding: "utf8" }).trim();
const prefixes = (values.files ?? CORE.trim().split(/\s+/)).map((prefix) => `src/${prefix.replace(/^src\//, "")}`);
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
    // The cheap tests of the same folder come first. Few of them need the built program.
    noticed = values.tests ? null : noticedBy([`test/${file.split("/")[1]}/`]);
    if (noticed === null && spawnSync("npm", ["run", "--silent", "build"], { timeout: 120_000 }).status !== 0)
      noticed = "the build";
    noticed ??= noticedBy(values.tests ?? []);
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
