// Every command of the documents (README.md, CONTRIBUTING.md, docs/, examples/) does what its reader is told. Fails when one
// that is shown does not run or prints something else. They are found by their fences, so a new one is tried without a word
// here:
//
//   console   is what a fixture of plans prints (test/fixtures/plans/readme-*, tried by plans.test.ts); any other is typed
//             into a shell in a copy of the checkout, one shell a document, and must print what is shown below each line.
//             What begins with a sandbox goes on in a terminal of its own. Where a sentence names a command with the
//             sandbox's address, or a block of sh does, it is run in its turn
//   sh        each line must end with 0: in the checkout where it is about npm, else in a pipeline (checkout.ts), after the
//             blocks of the headings above it
//   yaml      is tried by readme-files.test.ts
//   others    are not tried
//
// When what is printed has changed: `UPDATE_FIXTURES=1 npx vitest run test/plans.test.ts`, and copy from expected.txt.

import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { startCheckout, startPipeline } from "./support/checkout.ts";
import { isBlock, readDocuments, ROOT, type Block, type Document } from "./support/documents.ts";
import { freePort, type Shell } from "./support/shell.ts";

const PLANS = path.join(import.meta.dirname, "fixtures/plans");
const documents = await readDocuments();
const blocksOf = (language: string): Block[] =>
  documents.flatMap(({ blocks }) => blocks.filter((block) => block.language === language));
const firstLine = (text: string): string => text.slice(0, text.indexOf("\n"));

/** A commit's name depends on the moment it was made. */
const withoutCommits = (text: string): string => text.replaceAll(/\([0-9a-f]{7}\)/g, "(0000000)");

interface Shown {
  readonly fixture: string;
  readonly printed: string;
  /** The block that is this fixture's, or was before somebody edited it. */
  readonly block: Block | undefined;
}

/** Which block shows which fixture: the one that has its text, else one that has its command and no other's text. */
async function pairFixtures(): Promise<Shown[]> {
  const names = (await readdir(PLANS)).filter((name) => name.startsWith("readme-"));
  const fixtures = await Promise.all(
    names.map(async (fixture) => {
      const text = await readFile(path.join(PLANS, fixture, "expected.txt"), "utf8");
      return { fixture, printed: text.replace(/exit \d+\n$/, "") };
    }),
  );
  const blocks = blocksOf("console");
  const exact = fixtures.map(({ printed }) => blocks.find(({ text }) => withoutCommits(text) === printed));
  const left = new Set(blocks.filter((block) => !exact.includes(block)));
  return fixtures.map((fixture, at) => {
    const similar = [...left].find(({ text }) => firstLine(text) === firstLine(fixture.printed));
    const block = exact[at] ?? similar;
    if (block !== undefined) left.delete(block);
    return { ...fixture, block };
  });
}

/** Where the documents have the sandbox listen. */
const SANDBOX = "127.0.0.1:8787";

/** Documents whose commands need more than a checkout, and the test that runs them. */
const TESTS_OF_THEIR_OWN: Readonly<Record<string, string>> = { "docs/library.md": "library/library-docs.test.ts" };

const shown = await pairFixtures();
const isTyped = ({ language, text, place }: Block): boolean =>
  language === "console"
    ? !shown.some(({ block }) => block?.place === place)
    : language === "sh" && text.includes(SANDBOX);
const typed = (document: Document): (Block | string)[] =>
  document.parts.flatMap((part): Block | string | never[] => {
    if (isBlock(part)) return isTyped(part) ? part : [];
    return part.text.startsWith("linkform ") && part.text.includes(SANDBOX) ? part.text : [];
  });

const SANDBOX_STARTS = / sandbox( |$)/;

describe("console blocks", () => {
  test.each(shown)("$fixture is shown", ({ fixture, printed, block }) => {
    expect(block, `no console block shows what ${fixture} prints`).toBeDefined();
    expect(withoutCommits(block?.text ?? ""), `${block?.place}, which is ${fixture}`).toBe(printed);
  });

  test.each(Object.entries(TESTS_OF_THEIR_OWN))("of %s are run by %s", async (file, own) => {
    expect(await readFile(path.join(import.meta.dirname, own), "utf8")).toContain(file);
  });

  const withSteps = documents.filter((one) => typed(one).length > 0 && TESTS_OF_THEIR_OWN[one.file] === undefined);
  test.for(withSteps)("go as $file tells", async (document, { annotate }) => {
    // The documents' port may be another program's: then another one stands for it.
    const port = await freePort(8787);
    if (port !== 8787) await annotate(`8787 is taken on this machine: run with ${port}`);
    const there = (text: string): string => text.replaceAll("8787", `${port}`);
    const asShown = (text: string): string => text.replaceAll(`${port}`, "8787");
    const shell = await startCheckout();
    for (const part of typed(document)) {
      if (typeof part === "string") {
        const { exit, said } = await shell.runAndConfirm(there(part));
        expect({ exit, said: exit === 0 ? "" : said }, `\`${part}\` in ${document.file}`).toEqual({
          exit: 0,
          said: "",
        });
      } else if (part.language === "sh") {
        await runAll(shell, linesOf(part).map(there), part.place);
      } else {
        const said = await type(shell, there(part.text));
        expect(asShown(said), `what ${part.place} prints`).toBe(part.text);
      }
    }
  });
});

/** Types what stands behind each `$ `. Returns the block as it should be: what was typed, and what was said. */
async function type(shell: Shell, block: string): Promise<string> {
  const steps = [...block.matchAll(/^\$ (.+)\n((?:(?!\$ ).*\n)*)/gm)];
  const isSilent = steps.every(([, , output = ""]) => output === "");
  let seen = "";
  for (const [, line = ""] of steps) {
    if (SANDBOX_STARTS.test(line)) {
      const said = await shell.start(line);
      seen += `$ ${line}\n${isSilent ? "" : said}`;
      continue;
    }
    const { exit, said } = await shell.run(line);
    const isToSee = !isSilent || exit !== 0;
    seen += `$ ${line}\n${isToSee ? said : ""}`;
  }
  return seen;
}

/** Commands that can't be run in here, and why. Those that CI runs itself need no line. */
const EXCUSED: Readonly<Record<string, string>> = {
  ".ci/run": "it runs these tests",
  "npm run test:full": "CI runs the same tests in parts",
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
    if (left.every((line) => line.startsWith("npm "))) return runAll(await startCheckout(), left, block.place);
    const { shell, fill } = await startPipeline();
    const above = blocksOf("sh").filter((other) => standsAbove(other, block));
    await runAll(shell, [...above.flatMap(linesOf), ...left].map(fill), block.place);
    if (left.some((line) => line.includes("linkform apply")))
      await runAll(shell, ["linkform plan --detailed-exitcode"], `the plan after ${block.place}`);
  });

  test.each(Object.keys(EXCUSED))("%s, which is excused, stands in one", (command) => {
    expect(blocksOf("sh").flatMap(linesOf)).toContain(command);
  });
});

async function runAll(shell: Shell, lines: readonly string[], place: string): Promise<void> {
  for (const line of lines) {
    const { exit, said } = await shell.run(line);
    expect({ exit, said: exit === 0 ? "" : said }, `${place}: ${line}`).toEqual({ exit: 0, said: "" });
  }
}

/** The lines of a block without comments. */
function linesOf({ text }: Block): string[] {
  const lines = text.replaceAll("\\\n", "").split("\n");
  return lines.map((line) => line.replace(/(^|\s+)#.*$/, "")).filter((line) => line !== "");
}

/** Whether a block comes before the other in its document, under a heading that the other's stands below. */
function standsAbove(one: Block, other: Block): boolean {
  const [file, line] = one.place.split(":");
  const [otherFile, otherLine] = other.place.split(":");
  const isBefore = file === otherFile && Number(line) < Number(otherLine);
  return (
    isBefore && one.under.length < other.under.length && one.under.every((heading, at) => heading === other.under[at])
  );
}

/** What .ci/run runs, with what npm's scripts run in their turn. */
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
