// `linkform init` on a terminal. Fails if an answer is missing in the files, if an aborted run writes anything, if a typed key
// is shown or stored, if a question does not fit the terminal, or if control characters of a name reach it.

import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { commandIn } from "../support/command.ts";
import { begin, entriesOf, textsIn, type InitProject } from "../support/init-project.ts";
import { openSession, TerminalStream, type Session } from "../support/terminal.ts";

const [ENTER, DOWN, SPACE, CTRL_C, CTRL_D] = ["\r", "\u001b[B", " ", "\u0003", "\u0004"] as const;

const LINKS = [
  { url: "https://example.com/", domain: 2, alias: "there" },
  { url: "https://example.com/", domain: 1, alias: "shared" },
];

interface Wizard {
  readonly ended: Promise<number>;
  readonly screen: () => Promise<string>;
  readonly sees: (text: RegExp) => Promise<void>;
  /** Waits until a question is the last one on the screen, and answers it. */
  readonly answer: (question: RegExp, keys: string) => Promise<void>;
}

/** As `openSession`, in this process. */
function openHere(
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Omit<Session, "sees"> {
  const terminal = new TerminalStream(80);
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
  const run = commandIn(folder, args, env, { terminal, stdin });
  return {
    emulator: terminal.emulator,
    type: (keys) => void stdin.write(keys),
    ended: run.then(({ exit }) => exit),
  };
}

/** The wizard with a user who types. */
async function open(
  { folder }: InitProject,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
  openTerminal: typeof openHere | typeof openSession = openHere,
): Promise<Wizard> {
  const session = await openTerminal(folder, ["init", ...args], { ...env, NO_COLOR: "1" });
  const screen = async (): Promise<string> => (await session.emulator.lines()).join("\n");
  const sees = async (text: RegExp): Promise<void> => {
    await expect.poll(screen, { timeout: 20_000, interval: 15 }).toMatch(text);
  };
  const answer = async (question: RegExp, keys: string): Promise<void> => {
    await sees(new RegExp(`[◆▲] {2}${question.source}(?![^]*\\n[◆▲◇■])`));
    session.type(keys);
  };
  return { ended: session.ended, screen, sees, answer };
}

describe("the wizard", () => {
  test("writes the same files as flags", async () => {
    const start = await begin({ seed: { links: LINKS } });
    const wizard = await open(start, [], {}, openSession);
    await wizard.answer(/What is the address/, `${start.sandbox.url}/api/v1${ENTER}`);
    await wizard.sees(/must not contain \/api\/v1/);
    await wizard.answer(/What is the address/, `${"\u007f".repeat(7)}${ENTER}`);
    await wizard.answer(/Your API key/, `nonsense${ENTER}`);
    await wizard.sees(/401/);
    await wizard.answer(/Your API key/, `${start.sandbox.apiKey}${ENTER}`);
    await wizard.sees(
      /accepts(?:\s|│)+the(?:\s|│)+API(?:\s|│)+key\.(?:\s|│)+The(?:\s|│)+account(?:\s|│)+has(?:\s|│)+2(?:\s|│)+links,(?:\s|│)+3(?:\s|│)+domains,(?:\s|│)+2(?:\s|│)+spaces\./,
    );
    // Not the shared one, which comes first.
    await wizard.answer(/Which domains do these files cover/, `${SPACE}${ENTER}`);
    await wizard.answer(/Which spaces do these files cover/, ENTER);
    await wizard.answer(/Add a workflow/, ENTER);
    await wizard.answer(/How do you want to start/, `${DOWN}${ENTER}`);
    await wizard.sees(
      /these files:[^]* linkform\.yaml\n[^]* links\/example\.yaml\n[^]*resource\.schema\.json \(for editors\)/,
    );
    await wizard.answer(/Write them/, ENTER);
    expect(await wizard.ended).toBe(0);

    const screen = await wizard.screen();
    expect(screen).not.toContain(start.sandbox.apiKey);
    expect(screen).toContain("The API key was not saved.");
    expect(screen).toMatch(/ {4}linkform plan\n {4}linkform apply$/);
    const asked = await textsIn(start.folder);
    expect(Object.values(asked).join("")).not.toContain(start.sandbox.apiKey);
    await start.holds();

    const flags = await begin();
    const { exit } = await flags.init({
      baseUrl: start.sandbox.url,
      domain: ["go.example.com", "promo.example.com"],
    });
    expect(exit).toBe(0);
    expect(await textsIn(flags.folder)).toEqual(asked);
  });

  test("does not ask what flags and the environment answer", async () => {
    const start = await begin();
    const env = { LINKFORM_BASE_URL: start.sandbox.url, LINKFORM_API_KEY: start.sandbox.apiKey };
    const flags = ["--domain", "go.example.com", "--space", "Sales"];
    const wizard = await open(start, [...flags, "--ci", "none"], env);
    // The pinned address is the default answer.
    await wizard.answer(/What is the address[^]*http/, ENTER);
    await wizard.answer(/Write them/, ENTER);
    expect(await wizard.ended).toBe(0);
    await start.holds();
  });

  test("continues without a key, with an example", async () => {
    const start = await begin();
    const wizard = await open(start, ["--base-url", start.sandbox.url, "--ci", "none"]);
    await wizard.answer(/Your API key/, ENTER);
    await wizard.answer(/Write them/, ENTER);
    expect(await wizard.ended).toBe(0);
    expect(start.sandbox.requests).toEqual([]);
    await start.holds();
  });

  test("pulls live links with a typed key", async () => {
    const start = await begin({ seed: { links: LINKS } });
    const wizard = await open(start, ["--base-url", start.sandbox.url, "--ci", "none"]);
    await wizard.answer(/Your API key/, `${start.sandbox.apiKey}${ENTER}`);
    await wizard.answer(/Which domains do these files cover/, ENTER);
    await wizard.answer(/Which spaces do these files cover/, ENTER);
    await wizard.answer(/How do you want to start/, ENTER);
    await wizard.answer(/Write them/, ENTER);
    expect(await wizard.ended).toBe(0);
    expect((await start.holds()).summary).toMatchObject({ unchanged: 2, unmanaged: 0 });
  });

  test("adds workflows to an existing project", async () => {
    const start = await begin();
    await start.init();
    const wizard = await open(start);
    await wizard.sees(/linkform\.yaml already exists and was not changed\./);
    await wizard.answer(/Add a workflow/, ENTER);
    expect(await wizard.ended).toBe(0);
    expect(await wizard.screen()).toContain("The files need no changes.");
    const again = await open(start);
    // No option is chosen until the user moves up.
    await again.answer(/Add a workflow/, `\u001b[A${ENTER}`);
    await again.answer(/Which image contains linkform/, `registry.example.com/linkform:1${ENTER}`);
    await again.answer(/Write them/, ENTER);
    expect(await again.ended).toBe(0);
    expect(await entriesOf(start.folder)).toContain(".gitlab-ci.yml");
  });
});

test("an unreachable address is asked again", async () => {
  const start = await begin();
  const wizard = await open(start, [], { LINKFORM_API_KEY: start.sandbox.apiKey });
  await wizard.answer(/What is the address/, `http://127.0.0.1:9${ENTER}`);
  await wizard.sees(/■ {2}.*127\.0\.0\.1:9/);
  await wizard.answer(/What is the address/, `${"\u007f".repeat(18)}${start.sandbox.url}${ENTER}`);
  await wizard.answer(/Which domains do these files cover/, CTRL_C);
  expect(await wizard.ended).toBe(130);
});

// All questions end in the same way: one of each kind.
test.each([
  ["Ctrl-D in a text, which ends the input", CTRL_D, 0, 130],
  ["Ctrl-C in a list", CTRL_C, 1, 130],
  ["Ctrl-C at the end", CTRL_C, 3, 130],
  ["`no` at the end", "n", 3, 1],
])("%s writes nothing", async (_, keys, at, exit) => {
  const start = await begin({ seed: { links: LINKS } });
  const wizard = await open(start, ["--base-url", start.sandbox.url, "--ci", "none", "--space", "Sales"]);
  const questions: readonly [RegExp, string][] = [
    [/Your API key/, `${start.sandbox.apiKey}${ENTER}`],
    [/Which domains do these files cover/, ENTER],
    [/How do you want to start/, ENTER],
    [/Write them/, ENTER],
  ];
  for (const [place, [question, answer]] of questions.slice(0, at + 1).entries())
    await wizard.answer(question, place === at ? keys : answer);
  expect(await wizard.ended).toBe(exit);
  expect(await wizard.screen()).toContain("nothing was written");
  expect(await entriesOf(start.folder)).toEqual([]);
});

test("control characters in names are escaped, and each line fits", async () => {
  const start = await begin({
    seed: {
      domains: [{ name: "\u001b[2Jgone.example.com" }, { name: "go.example.com\u0007" }],
      spaces: [{ name: "Marketing \u202egnisitrevda" }, { name: `A space with a name of ${"many ".repeat(30)}words` }],
    },
  });
  const env = { LINKFORM_BASE_URL: start.sandbox.url, LINKFORM_API_KEY: start.sandbox.apiKey };
  const wizard = await open(start, ["--ci", "none"], env);
  await wizard.answer(/What is the address/, ENTER);
  await wizard.answer(/Which domains do these files cover/, ENTER);
  await wizard.answer(/Which spaces do these files cover/, ENTER);
  await wizard.answer(/Write them/, ENTER);
  expect(await wizard.ended).toBe(0);
  const screen = await wizard.screen();
  // The first line has not been erased.
  expect(screen).toMatch(/^┌ {2}linkform init/);
  expect(screen).toContain(String.raw`\u{1b}[2Jgone.example.com`);
  expect(screen).not.toContain("\u202e");
  await start.holds();
});
