// A pull request that tries to read a variable, a file outside the project or the API key through a placeholder. It gets an error with
// a place, nothing is applied, and no output has a byte of what it asked for.

import { symlink } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { FORMATS_OF } from "../../src/report/format.ts";
import { commandIn } from "../support/command.ts";
import { sandboxFor } from "../support/sandbox.ts";
import { temporaryFolder, writeFiles } from "../support/scenario.ts";

/** What must not leave the machine. Each is long enough to be found in any text. */
const SENTINELS = {
  key: "sandbox-key",
  variable: "variable-Zk3xQ9",
  secret: "password-Lm8wT2",
  outside: "outside-Vr5yB7",
};

/** The texts as programs encode them. */
const ENCODED = Object.values(SENTINELS).flatMap((text) => [
  text,
  encodeURIComponent(text),
  Buffer.from(text).toString("base64").replace(/=+$/, ""),
  Buffer.from(text).toString("hex"),
  [...text].toReversed().join(""),
]);

const family = (more: string, values = "[a, b]", key = "x-{v}"): string =>
  `families:\n  "${key}":\n    for: { v: ${values} }\n    url: https://example.com/{v}\n${more}`;
const withUrl = (url: string): string => family("").replace("https://example.com/{v}", JSON.stringify(url));

const ATTACKS: readonly (readonly [string, string])[] = [
  ["a variable in a destination", withUrl("https://evil.example/{env.PROBE}")],
  ["the key in a destination", withUrl("https://evil.example/{LINKFORM_API_KEY}")],
  ["a secret in a destination", withUrl("https://evil.example/{LINKFORM_SECRET_PROBE}")],
  ["the words of a template", withUrl("https://evil.example/{{ env.PROBE }}")],
  ["a prototype", withUrl("https://evil.example/{__proto__}")],
  ["the prototype of a value", withUrl("https://evil.example/{v.__proto__}")],
  ["a function of texts", withUrl("https://evil.example/{v.length}")],
  ["a file in a destination", withUrl("https://evil.example/{file.../outside.txt}")],
  ["a placeholder in a value of `for`", family("", '["{PROBE}", "{env.PROBE}"]')],
  ["an object as a value of `for`", family("", "[{ env: PROBE }]")],
  ["a variable in the alias", family("", "[a, b]", "x-{v}-{env.PROBE}")],
  ["a variable in a UTM value", family('    utm: { source: "{env.PROBE}" }\n')],
  [
    "a variable in an entry of `each`",
    family('    each: [{ when: { v: a }, url: "https://evil.example/{env.PROBE}" }]\n'),
  ],
  ["the name of a variable", family('    password: { env: "{v}" }\n', "[PROBE, LINKFORM_API_KEY]")],
  ["the path of a file", family('    password: { file: "{v}" }\n', '["../outside.txt", "/etc/hostname"]')],
  ["a part of a path", family('    password: { file: "secrets/{v}/outside.txt" }\n', '["../.."]')],
  ["a secret as a destination", "links: { a: { url: { env: LINKFORM_SECRET_PROBE } } }\n"],
  [
    "a secret as a UTM value",
    "links: { a: { url: https://example.com/, utm: { source: { env: LINKFORM_SECRET_PROBE } } } }\n",
  ],
  ["a placeholder in a link", 'links: { a: { url: "https://evil.example/{env.PROBE}" } }\n'],
  ["a file outside as resources", 'files: ["../outside.yaml"]\n'],
  ["a link to a file outside", 'files: ["links/outside.yaml"]\n'],
];

const env = {
  LINKFORM_API_KEY: SENTINELS.key,
  PROBE: SENTINELS.variable,
  LINKFORM_SECRET_PROBE: SENTINELS.secret,
};

/** A project with an attack, in a folder next to the files that it asks for. */
async function project(baseUrl: string, attack: string): Promise<string> {
  const folder = await temporaryFolder();
  const head = `version: 1\nservice: { base_url: "${baseUrl}" }\ndefaults: { link: { domain: go.example.com } }\n`;
  await writeFiles(folder, {
    "project/linkform.yaml": `${head}${attack}`,
    "project/links/README": "",
    "project/secrets/README": "",
    "outside.txt": SENTINELS.outside,
    "outside.yaml": `links: { ${SENTINELS.outside}: { url: https://example.com/ } }\n`,
  });
  if (attack.includes("links/outside.yaml"))
    await symlink("../../outside.yaml", path.join(folder, "project/links/outside.yaml"));
  return path.join(folder, "project");
}

it.each(ATTACKS)("a placeholder that asks for what is not in the files: %s", async (name, attack) => {
  const service = await sandboxFor();
  const folder = await project(service.url, attack);
  const runs = [
    ["validate"],
    ...FORMATS_OF.validate.map((format) => ["validate", "--verbose", "--format", format]),
    ["plan"],
    ["apply", "--yes"],
    ["schema", "--project"],
  ];
  const printed: string[] = [];
  for (const args of runs) {
    const { exit, out, err } = await commandIn(folder, args, env);
    // A schema needs only keys and names, not an address that the service accepts.
    const isSchema = args[0] === "schema" && name === "a placeholder in a link";
    expect([args, exit]).toEqual([args, isSchema ? 0 : 1]);
    printed.push(out, err);
  }
  expect(printed[0]).toMatch(/^error\[[a-z-]+\] .*\n +--> [^\s:]+:\d+:\d+$/m);
  expect(service.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  const all = printed.join("\n");
  expect(ENCODED.filter((text) => all.includes(text))).toEqual([]);
});
