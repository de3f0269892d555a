// Every command in the documents (README.md, CONTRIBUTING.md, docs/, examples/) works as shown. Fails if one does not run or prints
// something else. Commands are found by their fences, so new ones are tested without a change here:
//
//   console   is the output of a fixture of plans (test/fixtures/plans/readme-*, checked by plans.test.ts). Others are typed into a shell
//             in a copy of the checkout, one shell for each document, and must print the lines that follow. A sandbox runs in a separate
//             terminal. An apply without `--yes` is confirmed on a terminal. Commands with the sandbox's address in sentences and in blocks
//             of sh run in their order
//   sh        each line must exit with 0: npm in the checkout, others in a pipeline (checkout.ts), after the blocks of the headings above
//   yaml      is tested by readme-files.test.ts
//   others    are not tested
//
// A new user follows the demo, the README and getting started in this order. That test fails on each hint or warning that is not the
// purpose of its step, and on repeated ones.
//
// If the output has changed, run `UPDATE_FIXTURES=1 npx vitest run test/plans.test.ts`, and copy from expected.txt.

import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { freePort, startCheckout, startPipeline, type Shell } from "./support/checkout.ts";
import { isBlock, readDocuments, ROOT, type Block, type Document } from "./support/documents.ts";
import { run } from "./support/program.ts";

const PLANS = path.join(import.meta.dirname, "fixtures/plans");
const documents = await readDocuments();
const blocksOf = (language: string): Block[] =>
  documents.flatMap(({ blocks }) => blocks.filter((block) => block.language === language));

/** The hash of a commit depends on its time. */
const withoutCommits = (text: string): string => text.replaceAll(/(?<=\((?:commit )?)[0-9a-f]{7}(?=[),])/g, "0000000");

const names = (await readdir(PLANS)).filter((name) => name.startsWith("readme-"));
/** What these fixtures print, without the exit code. */
const plans = await Promise.all(
  names.map(async (fixture) => {
    const text = await readFile(path.join(PLANS, fixture, "expected.txt"), "utf8");
    return { fixture, text: text.replace(/exit \d+\n$/, "") };
  }),
);

/** The sandbox's address in the documents. */
const SANDBOX = "127.0.0.1:8787";

/** Documents whose commands need more than a checkout, and the tests that run them. */
const OTHER_TESTS: Readonly<Record<string, string>> = { "docs/library.md": "library/library-docs.test.ts" };

const isPrinted = (text: string): boolean => plans.some((one) => one.text === withoutCommits(text));
const isTyped = ({ language, text }: Block): boolean =>
  language === "console" ? !isPrinted(text) : language === "sh" && text.includes(SANDBOX);
const typed = (document: Document): (Block | string)[] =>
  document.parts.flatMap((part): Block | string | never[] => {
    if (isBlock(part)) return isTyped(part) ? part : [];
    return part.text.startsWith("linkform ") && part.text.includes(SANDBOX) ? part.text : [];
  });

const SANDBOX_STARTS = / sandbox( |$)/;

describe("console blocks", () => {
  test.each(plans)("one shows what $fixture prints", ({ text }) => {
    expect(blocksOf("console").map((block) => withoutCommits(block.text))).toContain(text);
  });

  test.each(Object.entries(OTHER_TESTS))("of %s are run by %s", async (file, own) => {
    expect(await readFile(path.join(import.meta.dirname, own), "utf8")).toContain(file);
  });

  const withSteps = documents.filter((one) => typed(one).length > 0 && OTHER_TESTS[one.file] === undefined);
  test.for(withSteps)("work as $file shows", async (document) => {
    const { seen } = await follow([document]);
    expect(seen).toEqual(shownIn(document));
  });
});

/** A reader who types the commands of documents. */
interface Reader {
  readonly shell: Shell;
  /** The documents' port may be another program's. Then another one replaces it. */
  readonly port: number;
  /** Sandboxes that are still running. A page that shows the same command says to use it. */
  readonly running: Set<string>;
  readonly printed: string[];
  /** The blocks with their real output. */
  readonly seen: ReturnType<typeof shownBy>[];
}

const shownBy = ({ place, text }: Block) => ({ place, text: withoutCommits(text) });

const shownIn = ({ blocks }: Document) =>
  blocks.filter((block) => block.language === "console" && isTyped(block)).map(shownBy);

const readerAt = (shell: Shell, port = 8787): Reader => ({ shell, port, running: new Set(), printed: [], seen: [] });

/** Follows documents, one after the other, in one shell and with one sandbox. */
async function follow(guides: readonly Document[]): Promise<Reader> {
  const reader = readerAt(await startCheckout(), await freePort());
  for (const guide of guides) {
    for (const part of typed(guide)) {
      if (typeof part === "string") await runAll(reader, [part], guide.file);
      else if (part.language === "sh") await runAll(reader, linesOf(part), part.place);
      else reader.seen.push(shownBy({ ...part, text: await type(reader, part) }));
    }
  }
  return reader;
}

/** Types the line after each `$ `. Returns the block with its real output. */
async function type(reader: Reader, { text, place }: Block): Promise<string> {
  const steps = [...text.matchAll(/^\$ (.+)\n((?:(?!\$ ).*\n)*)/gm)];
  const isSilent = steps.every(([, , output = ""]) => output === "");
  let seen = "";
  for (const [, line = ""] of steps) {
    const said = await runLine(reader, line, place);
    seen += `$ ${line}\n${isSilent ? "" : said.replaceAll(`${reader.port}`, "8787")}`;
  }
  return seen;
}

async function runLine({ shell, port, running, printed }: Reader, line: string, place: string): Promise<string> {
  const here = line.replaceAll("8787", `${port}`);
  if (SANDBOX_STARTS.test(line)) {
    if (running.has(line)) return "";
    running.add(line);
    const said = await shell.start(here);
    printed.push(said);
    return said;
  }
  const isAsked = line.startsWith("linkform apply") && !line.includes("--yes");
  const { exit, said } = await (isAsked ? shell.runAndConfirm(here) : shell.run(here));
  expect({ exit, said: exit === 0 ? "" : said }, `${place}: ${line}`).toEqual({ exit: 0, said: "" });
  printed.push(said);
  return said;
}

async function runAll(reader: Reader, lines: readonly string[], place: string): Promise<void> {
  for (const line of lines) await runLine(reader, line, place);
}

describe("the first ten minutes of a new user", () => {
  /** A warning, its fix, a hint, or a next step. That a plan has no base is a part of its summary. */
  const ADVICE = /^(?:warning|error)\[|^ *= |\bhint\b|\bpass `?-|^Next\b|^Set |^To |\bDid you mean\b/i;

  /** The advice that is the purpose of a step. */
  const POINTS = [
    "warning[kept] `go.example.com/spring-preview` has a password. The files do not mention this, so linkform does not change it.",
    "= To change that, write `password: none`.",
    "Next, after you edit links/example.yaml:",
  ];

  /** The result of an apply, which names this run. */
  const UNDO = /^To undo: linkform undo \S+\/(?:\w+-)+\d+\.jsonl(?: --base-url \S+)?$/;

  // The demo has a separate sandbox. The README and the page share one.
  test("the demo, the README and getting started print what is shown, and only advice that is the purpose of its step", async () => {
    const demo = await run(process.execPath, ["scripts/demo.mjs"], ROOT, {});
    expect(demo).toMatchObject({ exit: 0, err: "" });
    const guides = ["README.md", "docs/getting-started.md"].flatMap((file) =>
      documents.filter((document) => document.file === file),
    );
    const { printed, seen } = await follow(guides);
    expect(seen).toEqual(guides.flatMap(shownIn));
    const lines = stripVTControlCharacters([demo.out, ...printed].join("")).split(/[\r\n]+/);
    const advice = lines.filter((line) => ADVICE.test(line) && !UNDO.test(line)).map((line) => line.trim());
    expect(advice).toEqual(POINTS);
  });
});

/** Commands that cannot run in this test, and why. Commands of CI need no entry. */
const EXCUSED: Readonly<Record<string, string>> = {
  ".ci/run": "it runs these tests",
  "npm run test:full": "CI runs the same tests in parts",
  "linkform check --base origin/main": "it asks hosts of the internet",
};

describe("sh blocks", async () => {
  const ci = await commandsOfCi();
  const isExcused = (command: string): boolean => ci.has(command) || EXCUSED[command] !== undefined;

  test.each(blocksOf("sh").filter((block) => !isTyped(block)))("$place", async (block) => {
    const lines = linesOf(block);
    expect(lines.length, "a block without commands").toBeGreaterThan(0);
    const left = lines.flatMap(
      (line) =>
        line
          .split(" && ")
          .filter((command) => !isExcused(command))
          .join(" && ") || [],
    );
    if (left.length === 0) return;
    if (left.every((line) => line.startsWith("npm ")))
      return runAll(readerAt(await startCheckout()), left, block.place);
    const { shell, fill } = await startPipeline();
    const reader = readerAt(shell);
    const above = blocksOf("sh").filter((other) => isAbove(other, block));
    await runAll(reader, [...above.flatMap(linesOf), ...left].map(fill), block.place);
    if (left.some((line) => line.includes("linkform apply")))
      await runAll(reader, ["linkform plan --detailed-exitcode"], `the plan after ${block.place}`);
  });

  test.each(Object.keys(EXCUSED))("one has the excused command %s", (command) => {
    expect(blocksOf("sh").flatMap(linesOf)).toContain(command);
  });
});

/** The lines of a block without comments. */
function linesOf({ text }: Block): string[] {
  const lines = text.replaceAll("\\\n", "").split("\n");
  return lines.map((line) => line.replace(/(^|\s+)#.*$/, "")).filter((line) => line !== "");
}

/** Whether a block comes before the other in its document, under a heading above the other's. */
function isAbove(one: Block, other: Block): boolean {
  const [file, line] = one.place.split(":");
  const [otherFile, otherLine] = other.place.split(":");
  const isBefore = file === otherFile && Number(line) < Number(otherLine);
  return (
    isBefore && one.under.length < other.under.length && one.under.every((heading, at) => heading === other.under[at])
  );
}

/** The commands of .ci/run, including those of npm scripts. */
async function commandsOfCi(): Promise<ReadonlySet<string>> {
  const { scripts } = JSON.parse(await readFile(path.join(ROOT, "package.json"), "utf8"));
  const found = new Set<string>();
  const add = (text: string): void => {
    for (const line of text.split(/\n|&&|\|/)) {
      const [, command, name] = /^\s*(npm (?:ci|test|run(?: --silent)? ([\w:]+)))(?: |$)/.exec(line) ?? [];
      if (command === undefined) continue;
      found.add(command.replace(" --silent", ""));
      add(scripts[name ?? "test"]);
    }
  };
  add(await readFile(path.join(ROOT, ".ci/run"), "utf8"));
  return found;
}
