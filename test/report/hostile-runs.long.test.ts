// Hostile text wherever it can come from, in real runs: what is written to stdout and stderr would be obeyed by no log and no
// terminal. Each fails when a message, a value or a name is printed as it came.

import { readFile } from "node:fs/promises";
import path from "node:path";
import { Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { apply } from "../../src/cli/apply.ts";
import { doctor } from "../../src/cli/doctor.ts";
import { drift, plan } from "../../src/cli/plan.ts";
import { validate } from "../../src/cli/validate.ts";
import { HOSTILE, obeyed } from "../support/log.ts";
import { startProxy, type Answer } from "../support/proxy.ts";
import { runIn, startScenario, writeFiles, type Ran, type Scenario } from "../support/scenario.ts";
import { applyThrough, send } from "../support/through.ts";

/** As names, which are short, and of which no two may be the same. */
const NAMED = HOSTILE.map((text, at) => `${text.slice(0, 22)} ${at}`);

/** As files may have them: no space but the common one, and none around or in an address. */
const ADDRESSED = HOSTILE.map((text) => text.replaceAll(/[\s\u0085]/g, "-"));
const DECLARED = NAMED.map((name) => `a ${name}`.replaceAll(/[^\S ]|\u0085/g, "-").trim());

/** On a line of its own in a message. */
const MESSAGE = `It is wrong.\n${HOSTILE.join("\n")}`;
const json = JSON.stringify;
const FORMATS = ["text", "json", "ndjson", "markdown", "html"];

function expectHarmless({ out, err }: Ran, about = ""): void {
  expect([about, obeyed(out), obeyed(err)]).toEqual([about, null, null]);
}

/** An account and files with such names, values and addresses. */
async function startHostile(): Promise<Scenario> {
  const scenario = await startScenario({
    seed: {
      pixels: NAMED.map((name, at) => ({ id: at + 1, name, type: "bing", value: String(1_000_000 + at) })),
      links: [
        ...HOSTILE.map((text, at) => ({
          id: at + 1,
          alias: `live-${at}`,
          url: `https://example.com/${text}`,
          domain: 2,
        })),
        ...HOSTILE.map((text, at) => ({
          id: at + 101,
          alias: `free-${at}`,
          url: `https://example.com/?q=${text}`,
          domain: 2,
        })),
      ],
    },
  });
  const pixels = DECLARED.map((name) => `  ${json(`${name} new`)}: { type: bing, value: "2000000" }\n`);
  const links = ADDRESSED.flatMap((text, at) => [
    `  go.example.com/live-${at}: { url: ${json(`https://example.com/new/${text}`)}, pixels: [${json(`${DECLARED[at]} new`)}], note: ${json(HOSTILE[at])} }\n`,
    `  go.example.com/new-${at}: { url: ${json(`https://example.com/${text}`)}, targeting: { country: { DE: ${json(`https://example.com/${text}`)} } } }\n`,
  ]);
  await scenario.write(
    `rules: { refused-address: off }\nbrake: { updates: 100% }\npixels:\n${pixels.join("")}links:\n${links.join("")}`,
  );
  return scenario;
}

describe("names, values and addresses of the files and of the account", () => {
  it.each(FORMATS.filter((format) => format !== "ndjson"))("planned and found to drift, as %s", async (format) => {
    const { folder, env } = await startHostile();
    const flags = { format: [format], showUnmanaged: true, verbose: true };
    const planned = await runIn(folder, env, (world) => plan(world, flags));
    const drifted = await runIn(folder, env, (world) => drift(world, { format: [format] }));
    expect([planned.exit, drifted.exit]).toEqual([0, 2]);
    for (const ran of [planned, drifted]) expectHarmless(ran);
  });

  it.each(FORMATS)("applied, each refused in many lines, as %s", async (format) => {
    const scenario = await startHostile();
    const refused: Answer = { status: 422, body: json({ message: { url: [MESSAGE], name: HOSTILE }, status: 422 }) };
    const act = (request: string): Answer => (request.startsWith("GET") ? "forward" : refused);
    const ran = await applyThrough(scenario, act, { format: [format], verbose: true });
    expect([ran.exit, ran.asked.some((request) => request.startsWith("POST"))]).toEqual([1, true]);
    expectHarmless(ran);
  });

  it.each(["text", "json"])("undone as %s, with what somebody changed since", async (format) => {
    const scenario = await startHostile();
    // The service refuses some of it.
    expect((await scenario.apply({ allowUpdates: 1000 })).exit).toBe(4);
    const statuses = await Promise.all(
      ADDRESSED.map((text, at) => {
        const form = new URLSearchParams({ url: `https://example.com/${text}-since` });
        return send(scenario, "PUT", `/api/v1/links/${at + 1}`, form.toString());
      }),
    );
    expect(statuses).toContain(200);
    const left = await scenario.undo({ format: [format], dryRun: true, verbose: true });
    expect(`${left.out}${left.err}`).toContain("moved");
    expectHarmless(left);
    const undone = await scenario.undo({ format: [format], force: true, verbose: true, allowDeletes: 1000 });
    // What the account had is not all what the service takes.
    expect(undone.exit).toBe(4);
    expectHarmless(undone);
    const record = await readFile(path.join(scenario.folder, ".linkform/runs/20261121T120000Z-1.jsonl"), "utf8");
    expect(obeyed(record)).toBeNull();
  });

  it.each(FORMATS.filter((format) => format !== "ndjson"))("wrong in the files, as %s", async (format) => {
    const scenario = await startScenario();
    const lines = HOSTILE.map((text, at) => `  ${json(`${text}${at}`)}: { url: ${json(text)}, ${json(text)}: 1 }\n`);
    await scenario.write(
      `links:\n${lines.join("")}pixels: { A: { type: ${json(HOSTILE[0])}, value: ${json(HOSTILE[4])} } }`,
    );
    const ran = await runIn(scenario.folder, scenario.env, (world) => validate(world, { format: [format] }));
    expect(ran.exit).toBe(1);
    expectHarmless(ran);
  });

  // Fails when a command begins where a line is broken, or a color between its characters hides it.
  it.each([24, 40, 80])("planned on a terminal of %i columns, in color", async (columns) => {
    const { folder, env } = await startHostile();
    let printed = "";
    const write = (chunk: unknown, _encoding: string, done: () => void): void => {
      printed += String(chunk);
      done();
    };
    const terminal = Object.assign(new Writable({ write }), { isTTY: true, columns });
    const flags = { quiet: true, showUnmanaged: true };
    const { exit } = await runIn(folder, env, (world) => plan(world, flags), { terminal });
    expect([exit, printed.includes("\u001b[")]).toEqual([0, true]);
    expectHarmless({ exit, out: printed, err: "" });
  });
});

const commands = { plan, drift, doctor, apply } as const;
const page = (text: string): Answer => ({ status: 500, body: `<html><title>${text}</title>\n${text}\n</html>` });

it.each([
  ["a refusal", { status: 403, body: json({ message: MESSAGE }) }],
  ["a key that is not taken", { status: 401, body: json({ message: MESSAGE }) }],
  ["a page with an error", page(MESSAGE)],
  ["a proxy's page", { status: 503, body: MESSAGE }],
  ["no JSON", { status: 200, body: MESSAGE }],
  ["JSON of another kind", { status: 200, body: json({ [HOSTILE[0] ?? ""]: MESSAGE, data: HOSTILE }) }],
  [
    "rows of another kind",
    { status: 200, body: json({ data: [{ id: MESSAGE, alias: 1 }], meta: { total: HOSTILE[4] } }) },
  ],
] as const)("what the service says: %s, to every command", async (_, answer) => {
  const scenario = await startScenario();
  await scenario.write("links: { go.example.com/a: { url: https://example.com/ } }\n");
  const baseUrl = await startProxy(scenario.sandbox.url, () => answer);
  for (const [name, command] of Object.entries(commands)) {
    for (const format of ["text", "json"]) {
      const flags = { baseUrl, yes: true, verbose: true, format: [format] };
      const ran = await runIn(scenario.folder, scenario.env, (world) => command(world, flags));
      expect(ran.exit).not.toBe(0);
      expectHarmless(ran, `${name} ${format}`);
    }
  }
});

it("what the service says: names of domains, spaces and of a zone", async () => {
  const scenario = await startScenario({
    seed: { links: HOSTILE.map((_, at) => ({ alias: `a${at}`, url: "https://example.com/", domain: 2 })) },
  });
  await scenario.write(
    "spaces: { Other: nowhere }\nlinks: { nowhere.example.com/a: { url: https://example.com/, space: Other } }\n",
  );
  const rewrite = (body: string): string =>
    body
      .replaceAll('"go.example.com"', json(`go.example.com${MESSAGE}`))
      .replaceAll('"Marketing"', json(MESSAGE))
      .replaceAll('"UTC"', json(MESSAGE));
  const baseUrl = await startProxy(scenario.sandbox.url, () => "forward", rewrite);
  for (const command of [plan, doctor]) {
    const flags = { baseUrl, verbose: true, showUnmanaged: true };
    const ran = await runIn(scenario.folder, scenario.env, (world) => command(world, flags));
    expect(ran.exit).toBe(1);
    expectHarmless(ran);
  }
});

const odd = HOSTILE.map((text) => text.replaceAll("/", "_"));

it.each(odd)("names of files, refs, variables and flags: %j", async (name) => {
  const scenario = await startScenario();
  const { folder, env, sandbox } = scenario;
  const good = "links: { go.example.com/a: { url: https://example.com/ } }\n";
  await scenario.write(good, { [`links/${name}.yaml`]: "links: { b: { ulr: 1 } }\n" });
  const rans: [string, Promise<Ran>][] = [
    ["a file with a mistake", runIn(folder, env, (world) => validate(world, {}))],
    ["a file that is missing", runIn(folder, env, (world) => validate(world, { config: name }))],
    ["a ref", runIn(folder, env, (world) => validate(world, { base: name }))],
    ["an address", runIn(folder, env, (world) => doctor(world, { baseUrl: name }))],
    ["a file of the key", runIn(folder, env, (world) => plan(world, { apiKeyFile: name }))],
    ["a plan that is missing", runIn(folder, env, (world) => apply(world, {}, name))],
    ["a format", runIn(folder, env, async (world) => validate(world, { format: [`json=no/${name}`] }))],
    ["a variable", runIn(folder, { ...env, LINKFORM_BASE_URL: name }, (world) => plan(world, {}))],
    ["a proxy", runIn(folder, { ...env, HTTP_PROXY: name, NO_PROXY: name }, (world) => doctor(world, {}))],
  ];
  for (const [about, ran] of rans) expectHarmless(await ran, about);

  await scenario.write(good, { [`links/${name}.yaml`]: "" });
  const saved = await runIn(folder, env, (world) => plan(world, { out: name, verbose: true }));
  expect(saved.exit).toBe(0);
  expectHarmless(saved);
  await writeFiles(folder, { "altered.json": json({ format_version: name, [name]: 1 }), [`${name}.json`]: "{}" });
  for (const file of [name, "altered.json", `${name}.json`])
    expectHarmless(await runIn(folder, env, (world) => apply(world, { record: `no/${name}` }, file)), `apply ${file}`);
  const secret = `links: { go.example.com/a: { url: https://example.com/, password: { env: ${json(`LINKFORM_SECRET_${name}`)} } } }\n`;
  await scenario.write(secret);
  expectHarmless(await runIn(folder, env, (world) => plan(world, { target: [name], exclude: [name] })));
  await scenario.write(secret.replace("env:", "file:"));
  expectHarmless(await runIn(folder, env, (world) => apply(world, { yes: true })));
  expect(sandbox.state().links).toEqual([]);
});
