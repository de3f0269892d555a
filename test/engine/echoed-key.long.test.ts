// A service that repeats the API key in every response. The key is in no output and no file, in any encoding.

import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { commandIn } from "../support/command.ts";
import { startProxy } from "../support/proxy.ts";
import { type Scenario, startWith } from "../support/scenario.ts";

const KEY = "17|Zq7xWv9kJ3mP5tRb2nYcHd8sLfG4uAeXo6iTaVjK";
const PASSWORD = "zebra-crossing-4711";
const base64 = (text: string): string => Buffer.from(text).toString("base64");
const percent = (text: string): string => Buffer.from(text).toString("hex").replaceAll(/../g, "%$&");

/** The key and a password as a service can repeat them. */
const ECHOES: readonly string[] = [
  KEY,
  PASSWORD,
  base64(`Bearer ${KEY}`),
  base64(`user:${KEY}`),
  Buffer.from(`x${PASSWORD}`).toString("base64url"),
  percent(KEY),
  percent(KEY).toUpperCase(),
  encodeURIComponent(KEY),
];

/** A text with its percent-encoded and base64 parts decoded. */
function readingsOf(text: string): string[] {
  const decoded = text.replaceAll(/(?:%[\da-f]{2})+/gi, (escapes) =>
    Buffer.from(escapes.replaceAll("%", ""), "hex").toString("latin1"),
  );
  const inBase64 = (decoded.match(/[\w+/-]{16,}/g) ?? []).flatMap((run) =>
    [0, 1, 2, 3].map((from) => Buffer.from(run.slice(from), "base64").toString("latin1")),
  );
  return [text, decoded, ...inBase64];
}

function leakIn(text: string): string | null {
  const secret = [KEY, PASSWORD].find((one) => readingsOf(text).some((reading) => reading.includes(one)));
  return secret === undefined ? null : `${secret} in ${text}`;
}

/** All files that a run left in the project, except those that the test wrote. */
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

/** An account whose names, titles and URLs contain the key in each of these forms. */
async function startEchoing(echoes: readonly string[], name = "Other"): Promise<Scenario> {
  const link = { url: "https://example.com/", domain: 2 };
  const scenario = await startWith(
    FILES,
    {
      spaces: [{ id: 3, name: echoes.slice(0, 2).join(" ").slice(0, 64) }],
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
    { apiKey: KEY },
  );
  return scenario;
}

/** The arguments of each command. */
const COMMANDS: Readonly<Record<string, string>> = {
  plan: "plan --show-unmanaged --out saved.json",
  drift: "drift",
  doctor: "doctor",
  list: "list links",
  "list pixels": "list pixels",
  show: "show go.example.com/url-1 go.example.com/good go.example.com/space",
  explain: "explain go.example.com/url-1 --live",
  rm: "rm go.example.com/good --dry-run",
  pull: "pull --dry-run",
  apply: "apply --yes --allow-updates 10",
  undo: "undo last --yes --allow-deletes 10",
  "pull of all": "pull",
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
      const args = [...command.split(" "), "--base-url", baseUrl, "--format", format, "--verbose"];
      const { exit, out, err } = await commandIn(folder, args, { ...env, LINKFORM_SECRET_FRESH: PASSWORD });
      expect([name, format, leakIn(out), leakIn(err)]).toEqual([name, format, null, null]);
      if (exit === 0 || exit === 2) done += 1;
    }
  }
  expect(leakIn(await writtenIn(folder))).toBeNull();
  return done;
}

it("in rows: no command prints or writes it, and everything else works", async () => {
  const scenario = await startEchoing(ECHOES);
  const done = await expectSilence(scenario, await startProxy(scenario.sandbox.url, () => "forward"));
  expect(done).toBe(Object.keys(COMMANDS).reduce((sum, name) => sum + (OWN_FORMATS[name]?.length ?? 2), 0));
});

it("as an alias and as the name of a pixel: no command prints or writes it", async () => {
  const scenario = await startEchoing([], PASSWORD);
  const done = await expectSilence(scenario, await startProxy(scenario.sandbox.url, () => "forward"));
  expect(done).toBeGreaterThan(0);
});

// Other responses with the key: test/service/quoting.test.ts.
it("in a refusal of everything: no command prints or writes it", async () => {
  const scenario = await startEchoing([]);
  const answer = { status: 422, body: JSON.stringify({ message: { [KEY]: [base64(`Bearer ${KEY}`)] } }) };
  expect(await expectSilence(scenario, await startProxy(scenario.sandbox.url, () => answer))).toBeLessThan(10);
});

it("rows with a secret are planned and applied like others, but their plan is not saved", async () => {
  const scenario = await startEchoing(ECHOES);
  const url = "https://example.com/";
  await scenario.write(`links:
  go.example.com/good: { url: https://example.com/new }
  go.example.com/url-0: { url: "${url}" }
brake: { updates: 10 }
`);
  const { exit, out, err } = await scenario.plan({ out: "saved.json" });
  expect(exit).toBe(1);
  expect(out).toContain("go.example.com/url-0");
  expect(out).toContain("https://example.com/?api_token=(hidden)");
  expect(err).toContain("saved.json was not written, because the plan contains the API key or a password.");
  expect(await readdir(scenario.folder)).not.toContain("saved.json");
  expect((await scenario.apply()).exit).toBe(0);
  expect(scenario.link("url-0").url).toBe(url);
  expect((await scenario.planDocument()).changes).toEqual([]);
  const { document } = await scenario.undoDocument();
  expect(document.changes.map(({ key, outcome }) => [key, outcome])).toContainEqual(["go.example.com/good", "applied"]);
  expect(scenario.link("url-0").url).toBe(url);
});
