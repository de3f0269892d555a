// Measures linkform beside plain programs that do the same work, in one run: medians of alternating rounds, and their ratios. Arguments
// choose the measures whose names contain one of them: `npm run bench -- validate apply`.

import { fork, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { CLI, cleanEnv, main, ROOT, scratchFolder } from "../processes.mjs";

const LATENCY_MS = 40;
const MEGABYTE = 1e6;

const { values: flags, positionals: words } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: "string", default: "5" } },
});
const rounds = Number(flags.rounds);

/** `| what | linkform | beside | ratio | target |`. Without a target, it says which of the two is slower. */
function line({ name, of, linkform, beside, unit = "s", most }) {
  const ratio = linkform / beside;
  const digits = unit === "s" ? 2 : 0;
  const [one, other] = [linkform, beside].map((value) => `${value.toFixed(digits)} ${unit}`);
  const verdict =
    most === undefined ? (ratio > 1 ? "slower" : "faster") : `≤ ${most}${ratio > most ? " (missed)" : ""}`;
  return `| ${name} | ${one} | ${other}, ${of} | ${ratio.toFixed(2)} | ${verdict} |`;
}

/** Starts each of the programs in turn, `rounds` times, and resolves to the median of each. */
async function medians(programs, context) {
  const results = programs.map(() => []);
  for (let round = 0; round < rounds; round += 1)
    for (const [at, program] of programs.entries()) results[at].push(await program(context));
  return results.map(median);
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

/** Prints the peak memory of the process that loads it to the file descriptor 3, in bytes. */
const MEMORY = `data:text/javascript,import{writeSync}from"node:fs";process.on("exit",()=>writeSync(3,String(process.resourceUsage().maxRSS*1024)))`;

/** Runs a program to its end. Resolves to the seconds that it took, and to what it wrote to the file descriptor 3. */
async function run(program, args, { cwd, env = {} } = {}) {
  const begun = performance.now();
  const child = spawn(program, args, {
    cwd,
    env: { ...cleanEnv, ...env },
    stdio: ["ignore", "ignore", "pipe", "pipe"],
  });
  const said = ["", ""];
  for (const [at, stream] of [child.stderr, child.stdio[3]].entries()) stream.on("data", (text) => (said[at] += text));
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`\`${program} ${args.join(" ")}\` ended with ${code}: ${said[0]}`);
  return { seconds: (performance.now() - begun) / 1000, number: Number(said[1]) };
}

const seconds = async (program, args, options) => (await run(program, args, options)).seconds;
const linkform = (args, options) => seconds(process.execPath, [CLI, ...args], options);
const script = (text, args, options) =>
  seconds(process.execPath, ["--input-type=module", "-e", text, ...args], options);
const memoryOf = async (args, options) =>
  (await run(process.execPath, ["--import", MEMORY, CLI, ...args], options)).number / MEGABYTE;

/** The destination of a link. */
function addressOf(n) {
  return `https://www.example.com/articles/${n}?utm_source=print&utm_medium=flyer&utm_campaign=c${n % 7}`;
}

/** Live links as people have them: most are plain, some have a date, a space or targets. `project` declares the same. */
function account(links) {
  return {
    links: Array.from({ length: links }, (_, n) => ({
      alias: `link-${n}`,
      domain: 2,
      url: addressOf(n),
      space: n % 3 === 0 ? null : 1,
      ...(n % 10 === 0 && { ends_at: "2027-12-31T23:59:00.000Z", expiration_url: "https://www.example.com/over" }),
      ...(n % 10 === 1 && { target_type: 1, country: [{ key: "DE", value: `https://www.example.com/de/${n}` }] }),
      clicks: n % 1000,
    })),
  };
}

/** A folder with a project of these links in this number of files. `url` is the destination of a link. */
async function project(links, { files = 1, baseUrl = "https://short.example.com", url = addressOf } = {}) {
  const folder = await scratchFolder();
  await mkdir(path.join(folder, "links"));
  await writeFile(
    path.join(folder, "linkform.yaml"),
    `version: 1\nservice: { base_url: "${baseUrl}" }\ndefaults: { link: { domain: go.example.com, space: Marketing } }\n` +
      "domains: { go.example.com: 2 }\nspaces: { Marketing: 1 }\n",
  );
  for (let file = 0; file < files; file += 1) {
    const numbers = Array.from({ length: links / files }, (_, at) => file * (links / files) + at);
    await writeFile(
      path.join(folder, "links", `${file}.yaml`),
      `links:\n${numbers.map((n) => block(n, url)).join("")}`,
    );
  }
  return folder;
}

function block(n, url) {
  return [
    `  link-${n}:`,
    `    url: ${url(n)}`,
    ...(n % 3 === 0 ? ["    space: null"] : []),
    ...(n % 10 === 0 ? ['    expiration: { date: 2027-12-31, time: "23:59", url: https://www.example.com/over }'] : []),
    ...(n % 10 === 1 ? [`    targeting: { country: { DE: https://www.example.com/de/${n} } }`] : []),
    "",
  ].join("\n");
}

async function service({ links = 1 }, latency) {
  const child = fork(path.join(import.meta.dirname, "service.mjs"));
  const ask = async (message) => {
    child.send(message);
    return (await once(child, "message"))[0];
  };
  const { url, apiKey } = await ask({ seed: account(links), latency });
  const stop = async () => {
    child.disconnect();
    await once(child, "exit");
  };
  return { url, env: { LINKFORM_API_KEY: apiKey }, log: async () => (await ask({ log: true })).log, stop };
}

/** A program that only parses the file of a project, with the library `yaml`. */
const PARSE = `
  const { parseAllDocuments } = await import(${JSON.stringify(pathToFileURL(path.join(ROOT, "node_modules/yaml/dist/index.js")).href)});
  const { readFileSync } = await import("node:fs");
  parseAllDocuments(readFileSync("links/0.yaml", "utf8"), { uniqueKeys: false, prettyErrors: false, logLevel: "silent" });
`;

/** Reads all links over eight connections. Prints the bytes of the bodies to the file descriptor 3. */
const READ = `
  const base = process.argv[1];
  const headers = { Authorization: "Bearer " + process.env.LINKFORM_API_KEY, Accept: "application/json" };
  let bytes = 0;
  const page = async (number) => {
    const body = await (await fetch(base + "/api/v1/links?sort=asc&per_page=100&page=" + number, { headers })).text();
    bytes += body.length;
    return JSON.parse(body);
  };
  const rows = [];
  const first = await page(1);
  rows.push(...first.data);
  let next = 2;
  const readOn = async () => { while (next <= first.meta.last_page) rows.push(...(await page(next++)).data); };
  await Promise.all(Array.from({ length: 8 }, readOn));
  if (rows.length !== first.meta.total) throw new Error("rows are missing");
  (await import("node:fs")).writeSync(3, String(bytes));
`;

/** Sends the requests in the file again: those before the first change eight at a time, the changes ten at a time, and then the rest. */
const REPLAY = `
  const [base, file] = process.argv.slice(1);
  const all = JSON.parse((await import("node:fs")).readFileSync(file, "utf8"));
  const key = "Bearer " + process.env.LINKFORM_API_KEY;
  const send = async ({ method, path, type, body }) => {
    const headers = { Authorization: key, Accept: "application/json", ...(type && { "Content-Type": type }) };
    await (await fetch(base + path, { method, headers, ...(body !== "" && { body }) })).text();
  };
  const first = all.findIndex(({ method }) => method !== "GET");
  const end = all.findLastIndex(({ method }) => method !== "GET") + 1;
  for (const [part, width] of [[all.slice(0, first), 8], [all.slice(first, end), 10], [all.slice(end), 8]]) {
    const on = async () => { while (part.length > 0) await send(part.shift()); };
    await Promise.all(Array.from({ length: width }, on));
  }
`;

const validate = ({ cwd }) => linkform(["validate"], { cwd });
const plan = ({ cwd, env }) => linkform(["plan"], { cwd, env });
const read = ({ url, env }) => script(READ, [url], { env });

/** The oldest and the newest line of Node that people have. One that is not running comes from the cache of npx. Null if it is not there. */
function nodeOf(major) {
  if (process.versions.node.startsWith(`${major}.`)) return process.execPath;
  const args = ["--yes", "--offline", "--package", `node@${major}`, "--", "node", "-p", "process.execPath"];
  const { status, stdout } = spawnSync("npx", args, { encoding: "utf8" });
  return status === 0 ? stdout.trim() : null;
}

function starts([major, most]) {
  const node = nodeOf(major);
  if (node === null) return [{ name: `Node ${major} is not on this machine` }];
  const nothing = [["`node -e 0`", () => seconds(node, ["-e", "0"])]];
  const ours =
    (args) =>
    ({ cwd }) =>
      seconds(node, [CLI, ...args], { cwd });
  return [
    { name: `Node ${major}: \`--version\``, ours: ours(["--version"]), beside: nothing, most: 1.3 },
    { name: `Node ${major}: \`--help\``, ours: ours(["--help"]), beside: nothing, most: 2 },
    { name: `Node ${major}: \`validate\`, 10 links`, links: 10, ours: ours(["validate"]), beside: nothing, most },
  ];
}

/** A loop in a shell, and a script, which do the same as a command for `links/0.yaml` in the next project. */
function byHand(command) {
  const beside = (program, name) => (context) => {
    const file = path.join(import.meta.dirname, name);
    return seconds(program, [file, context.url, command], { cwd: context.next(), env: context.env });
  };
  return [
    ["a loop of `curl` and `jq`", beside("sh", "shell.sh")],
    ["a script on `fetch`", beside(process.execPath, "fetch.mjs")],
  ];
}

const newUrls = (text, every) => (n) => (n % every === 0 ? `${addressOf(n)}&utm_term=${text}` : addressOf(n));

/** Two projects with other destinations for each `every`th link. `next` returns one after the other, so that each run has the same changes. */
const twoProjects =
  (links, every) =>
  async ({ url: baseUrl }) => {
    const projects = await Promise.all(
      ["a", "b"].map((text) => project(links, { baseUrl, url: newUrls(text, every) })),
    );
    let turn = 0;
    return { next: () => projects[turn++ % 2] };
  };

const applyAll = ["apply", "--yes", "--allow-updates", "1000", "--quiet"];

/**
 * What is measured. `ours` is measured beside each of `beside`: a name, and programs whose times are added. `links` are declared, in a
 * number of `files`. With a `latency` in ms, they are live, too. `also` adds to what the programs get.
 */
const MEASURES = [
  ...[
    ["20", 4.5],
    ["24", 3],
  ].flatMap(starts),
  {
    name: "`validate`, 10,000 links in one file",
    links: 10_000,
    ours: validate,
    beside: [["`yaml` only parses it", ({ cwd }) => script(PARSE, [], { cwd })]],
    most: 1.1,
  },
  {
    name: "`validate`, 100,000 links in 100 files",
    links: 100_000,
    files: 100,
    also: async () => ({ small: await project(10_000) }),
    ours: validate,
    beside: [["`validate` of 10,000", ({ small }) => validate({ cwd: small })]],
    most: 11,
  },
  {
    name: "memory of `validate`, 100,000 links",
    links: 100_000,
    files: 100,
    ours: ({ cwd }) => memoryOf(["validate"], { cwd }),
    beside: [["the limit", () => 600]],
    unit: "MB",
    most: 1,
  },
  ...[["plan"], applyAll].map((args) => ({
    name: `\`${args[0]}\` of 100 changes, 1,000 links, 40 ms latency`,
    links: 1000,
    latency: LATENCY_MS,
    also: twoProjects(1000, 10),
    ours: ({ env, next }) => linkform(args, { cwd: next(), env }),
    beside: byHand(args[0]),
  })),
  {
    name: "`plan` without changes, 10,000 links, 40 ms latency",
    links: 10_000,
    latency: LATENCY_MS,
    ours: plan,
    beside: [["bare reader and `validate`", read, validate]],
    most: 1.05,
  },
  {
    name: "`apply` of 1,000 changes, 40 ms latency",
    links: 1000,
    latency: LATENCY_MS,
    also: async (context) => ({
      ...(await twoProjects(1000, 1)(context)),
      file: path.join(await scratchFolder(), "requests.json"),
    }),
    ours: async ({ next, file, env, log }) => {
      await log();
      const took = await linkform(applyAll, { cwd: next(), env });
      await writeFile(file, JSON.stringify(await log()));
      return took;
    },
    beside: [["the same requests, bare", ({ url, file, env }) => script(REPLAY, [url, file], { env })]],
    most: 1.08,
  },
  {
    name: "memory of `plan`, 100,000 live links",
    links: 2000,
    live: { links: 100_000 },
    latency: 0,
    ours: ({ cwd, env }) => memoryOf(["plan", "--quiet"], { cwd, env }),
    beside: [
      [
        "bodies of the responses",
        async ({ url, env }) =>
          (await run(process.execPath, ["--input-type=module", "-e", READ, url], { env })).number / MEGABYTE,
      ],
    ],
    unit: "MB",
    most: 3,
  },
];

/** Measures one of them: the rows of the table. */
async function measure({ links, files, live, latency, also, ours, beside, ...about }) {
  if (ours === undefined) return [`| ${about.name} | | | | |`];
  const running = latency === undefined ? null : await service(live ?? { links }, latency);
  try {
    const { url, env, log } = running ?? {};
    const cwd = links === undefined ? undefined : await project(links, { files, baseUrl: url });
    const context = { url, env, log, cwd };
    const programs = [ours, ...beside.flatMap(([, ...others]) => others)];
    const [one, ...times] = await medians(programs, { ...context, ...(await also?.(context)) });
    return beside.map(([of, ...others]) => {
      const sum = times.splice(0, others.length).reduce((total, time) => total + time, 0);
      return line({ ...about, of, linkform: one, beside: sum });
    });
  } finally {
    await running?.stop();
  }
}

await main(async () => {
  console.log("| Measure | linkform | Beside | Ratio | Target |\n| --- | --- | --- | --- | --- |");
  for (const one of MEASURES.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word))))
    console.log((await measure(one)).join("\n"));
  const [{ model }] = os.cpus();
  console.log(`\nRounds: ${rounds}. Machine: ${os.availableParallelism()} × ${model}, Node ${process.version}`);
  console.log(
    "linkform compares every field, reads links again before it updates them, and verifies what it changed. The loop and the script do not.",
  );
});
