// A service that repeats the API key in everything it says: the key is in no output and in no file, in no encoding.

import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { apply } from "../../src/cli/apply.ts";
import type { World } from "../../src/session/context.ts";
import { doctor } from "../../src/cli/doctor.ts";
import { drift } from "../../src/cli/drift.ts";
import { explain } from "../../src/explain/command.ts";
import { list } from "../../src/inspect/list.ts";
import { plan } from "../../src/cli/plan.ts";
import { pull } from "../../src/pull/command.ts";
import { rm } from "../../src/cli/rm.ts";
import { show } from "../../src/inspect/show.ts";
import { undo } from "../../src/undo/command.ts";
import { startProxy, type Answer } from "../support/proxy.ts";
import { runIn, startScenario, type Scenario } from "../support/scenario.ts";

const KEY = "17|Zq7xWv9kJ3mP5tRb2nYcHd8sLfG4uAeXo6iTaVjK";
const base64 = (text: string): string => Buffer.from(text).toString("base64");
const hex = (text: string): string => Buffer.from(text).toString("hex");
const percent = (text: string): string => hex(text).replaceAll(/../g, "%$&");
const utf16 = (text: string): string =>
  Array.from(text, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");

/** The key as a service can repeat it. */
const ECHOES: readonly string[] = [
  KEY,
  base64(`Bearer ${KEY}`),
  base64(`user:${KEY}`),
  base64(base64(KEY)),
  hex(KEY),
  percent(KEY),
  percent(percent(KEY)),
  utf16(KEY),
  KEY.replaceAll(/.{9}/g, "$&\n"),
  KEY.replaceAll(/.{3}/g, "$& "),
  `Bearer ${KEY.slice(0, 20)}`,
  KEY.slice(-15),
];

/** Every run of eight letters and digits of the key, plain and in its encodings. */
const RUNS: readonly string[] = [
  KEY,
  base64(KEY),
  // Without the characters that the words before the key have a part in.
  base64(`Bearer ${KEY}`).slice(12),
  base64(`user:${KEY}`).slice(8),
  base64(base64(KEY)),
  hex(KEY),
]
  .map((text) => text.replaceAll(/[^A-Za-z0-9]/g, ""))
  .flatMap((text) => Array.from({ length: text.length - 7 }, (_, at) => text.slice(at, at + 8)))
  .concat(percent(KEY).match(/(%..){8}/g) ?? [], utf16(KEY).match(/(\\u....){8}/g) ?? []);

function leakIn(text: string): string | null {
  const letters = text.replaceAll(/[^A-Za-z0-9]/g, "");
  const run = RUNS.find((one) => text.includes(one) || letters.includes(one));
  return run === undefined ? null : `${run} in ${text}`;
}

/** Everything that a run left in the project, other than the files that the test wrote. */
async function writtenIn(folder: string): Promise<string> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names.filter((name) => name.isFile()).map((name) => path.join(name.parentPath, name.name));
  return (await Promise.all(files.map((file) => readFile(file, "utf8")))).join("\n");
}

const FILES = `links:
  go.example.com/good: { url: https://example.com/new }
  go.example.com/fresh: { url: https://example.com/fresh, password: { env: LINKFORM_SECRET_FRESH } }
pixels: { Mine: { type: bing, value: "1234567" } }
`;

/** An account whose names, titles and addresses hold the key in each of these forms. */
async function startEchoing(echoes: readonly string[], name = "Other"): Promise<Scenario> {
  const link = { url: "https://example.com/", domain: 2 };
  const scenario = await startScenario({
    apiKey: KEY,
    seed: {
      spaces: [{ id: 3, name: echoes.join(" ").slice(0, 60) }],
      pixels: [{ id: 1, name, type: "bing", value: "7654321" }],
      links: [
        { ...link, alias: "good", url: "https://example.com/old", title: echoes.join(" ") },
        { ...link, alias: name },
        { ...link, alias: "space", space: 3 },
        { ...link, alias: "pixel", pixels: [1] },
        ...echoes.flatMap((echo, at) => {
          const address = `https://example.com/?api_token=${encodeURIComponent(echo)}`;
          return [
            { ...link, alias: `url-${at}`, url: address, title: echo },
            { ...link, alias: `group-${at}`, target_type: 1, country: [{ key: "DE", value: address }] },
            { ...link, alias: `over-${at}`, expiration_url: address },
          ];
        }),
      ],
    },
  });
  await scenario.write(FILES);
  return scenario;
}

type Command = (world: World, baseUrl: string, format: string) => Promise<unknown>;

const COMMANDS: Readonly<Record<string, Command>> = {
  plan: (world, baseUrl, format) =>
    plan(world, { baseUrl, format: [format], verbose: true, showUnmanaged: true, out: "saved.json" }),
  drift: (world, baseUrl, format) => drift(world, { baseUrl, format: [format], verbose: true }),
  doctor: (world, baseUrl, format) => doctor(world, { baseUrl, format: [format], verbose: true }),
  list: (world, baseUrl, format) => list(world, "links", { baseUrl, format: [format], verbose: true }),
  "list pixels": (world, baseUrl, format) => list(world, "pixels", { baseUrl, format: [format], verbose: true }),
  show: (world, baseUrl, format) =>
    show(world, ["go.example.com/url-1", "go.example.com/good", "go.example.com/space"], {
      baseUrl,
      format: [format],
      verbose: true,
    }),
  explain: (world, baseUrl, format) =>
    explain(world, "go.example.com/url-1", { baseUrl, format: [format], live: true, verbose: true }),
  rm: (world, baseUrl, format) =>
    rm(world, { baseUrl, format: [format], dryRun: true, verbose: true }, ["go.example.com/good"]),
  pull: (world, baseUrl, format) => pull(world, { baseUrl, format: [format], dryRun: true, verbose: true }, []),
  apply: (world, baseUrl, format) =>
    apply(world, { baseUrl, format: [format], yes: true, verbose: true, journal: "journal.ndjson", allowUpdates: 10 }),
  undo: (world, baseUrl, format) =>
    undo(world, { baseUrl, format: [format], yes: true, verbose: true, allowDeletes: 10 }, "last"),
  "pull of all": (world, baseUrl, format) => pull(world, { baseUrl, format: [format], verbose: true }, []),
};

const OWN_FORMATS: Readonly<Record<string, readonly string[]>> = {
  plan: ["text", "json", "markdown", "html", "github", "gitlab"],
  drift: ["text", "json", "markdown", "html", "github"],
  list: ["text", "json", "csv"],
  "list pixels": ["text", "json", "csv"],
  apply: ["ndjson"],
  undo: ["json"],
  "pull of all": ["text"],
};

async function expectSilence({ folder, env }: Scenario, baseUrl: string): Promise<number> {
  let done = 0;
  for (const [name, command] of Object.entries(COMMANDS)) {
    for (const format of OWN_FORMATS[name] ?? ["text", "json"]) {
      const { exit, out, err } = await runIn(
        folder,
        { ...env, LINKFORM_SECRET_FRESH: "zebra-crossing-4711" },
        async (world) => {
          const code = await command(world, baseUrl, format);
          return code === 0 || code === 2 ? 0 : 1;
        },
      );
      expect([name, format, leakIn(out), leakIn(err)]).toEqual([name, format, null, null]);
      if (exit === 0) done += 1;
    }
  }
  expect(leakIn(await writtenIn(folder))).toBeNull();
  return done;
}

it("in rows: no command prints or writes it, and everything else goes on", async () => {
  const scenario = await startEchoing(ECHOES);
  const done = await expectSilence(scenario, await startProxy(scenario.sandbox.url, () => "forward"));
  expect(done).toBe(Object.keys(COMMANDS).reduce((sum, name) => sum + (OWN_FORMATS[name]?.length ?? 2), 0));
});

it("as an alias and as the name of a pixel: no command prints or writes it", async () => {
  const scenario = await startEchoing([], KEY.slice(3, 30));
  const done = await expectSilence(scenario, await startProxy(scenario.sandbox.url, () => "forward"));
  expect(done).toBeGreaterThan(0);
});

describe.each([base64(`Bearer ${KEY}`), KEY.replaceAll(/.{3}/g, "$& ")])("the key as %j", (echo) => {
  it.each<[string, Answer]>([
    ["a refusal", { status: 422, body: JSON.stringify({ message: { url: [`Not ${echo}!`], [echo]: [echo] } }) }],
    ["a failure", { status: 403, body: JSON.stringify({ message: `Bearer ${echo}` }) }],
    ["a page", { status: 200, body: `<a title="${echo}">${echo.replaceAll(/.{5}/g, "$&<br>")}</a>` }],
    ["JSON of another kind", { status: 200, body: JSON.stringify({ [echo]: echo, data: [{ id: echo, url: echo }] }) }],
    ["a string", { status: 200, body: JSON.stringify(echo) }],
    ["a list's frame", { status: 200, body: JSON.stringify({ data: [], meta: { total: echo, last_page: echo } }) }],
  ])("in %s: no command prints or writes it", async (_, answer) => {
    const scenario = await startEchoing([]);
    const done = await expectSilence(scenario, await startProxy(scenario.sandbox.url, () => answer));
    expect(done).toBeLessThan(10);
  });
});

it("a link with the key in its address is named as unreadable, and only a file that declares it is in error", async () => {
  const scenario = await startEchoing(ECHOES);
  const { exit, out } = await scenario.plan({ format: ["json"] });
  const document = JSON.parse(out);
  expect(exit).toBe(0);
  expect(JSON.stringify(document.unreadable)).toContain("a string that contains the API key");
  expect(document.changes.map((change: { key: string }) => change.key)).toContain("go.example.com/good");
  await scenario.write(`${FILES}---\nlinks: { go.example.com/url-1: { url: https://example.com/ } }\n`);
  expect((await scenario.plan({})).exit).toBe(1);
});
