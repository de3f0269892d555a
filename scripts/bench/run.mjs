// Measures linkform beside plain programs that do the same work, in one run: medians of alternating rounds, and their ratios. Arguments
// choose the measures whose names contain one of them: `npm run bench -- validate apply`.

import { fork, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { CLI, cleanEnv, main, scratchFolder } from "../processes.mjs";

const LATENCY_MS = 40;

const { values: flags, positionals: words } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: "string", default: "5" } },
});
const rounds = Number(flags.rounds);

/** `| what | linkform | beside | ratio | target |`. Without a target, it says which of the two is slower. */
function line({ name, of, ours, other, unit = "s", most }) {
  const ratio = ours / other;
  const [one, two] = [ours, other].map((value) => `${value.toFixed(unit === "s" ? 2 : 0)} ${unit}`);
  const verdict =
    most === undefined ? (ratio > 1 ? "slower" : "faster") : `≤ ${most}${ratio > most ? " (missed)" : ""}`;
  return `| ${name} | ${one} | ${two}, ${of} | ${ratio.toFixed(2)} | ${verdict} |`;
}

/** Runs a program to its end. Resolves to the seconds that it took, and to the megabytes that it wrote to the file descriptor 3. */
async function run(program, args, { cwd, env = {} } = {}) {
  const begun = performance.now();
  const stdio = ["ignore", "ignore", "pipe", "pipe"];
  const child = spawn(program, args, { cwd, env: { ...cleanEnv, ...env }, stdio });
  const [problem, bytes, [code]] = await Promise.all([text(child.stderr), text(child.stdio[3]), once(child, "close")]);
  if (code !== 0) throw new Error(`\`${program} ${args.join(" ")}\` ended with ${code}: ${problem}`);
  return { seconds: (performance.now() - begun) / 1000, megabytes: Number(bytes) / 1e6 };
}

const seconds = async (...all) => (await run(...all)).seconds;
const linkform = (args, options) => seconds(process.execPath, [CLI, ...args], options);
const scriptOf = (name) => path.join(import.meta.dirname, name);
const node = (name, args, options) => seconds(process.execPath, [scriptOf(name), ...args], options);

/** Prints the peak memory of the process that loads it to the file descriptor 3, in bytes. */
const MEMORY = `data:text/javascript,import{writeSync}from"node:fs";process.on("exit",()=>writeSync(3,String(process.resourceUsage().maxRSS*1024)))`;
const memoryOf = async (args, options) =>
  (await run(process.execPath, ["--import", MEMORY, CLI, ...args], options)).megabytes;

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
  const inFile = links / files;
  for (let file = 0; file < files; file += 1) {
    const blocks = Array.from({ length: inFile }, (_, at) => block(file * inFile + at, url));
    await writeFile(path.join(folder, "links", `${file}.yaml`), `links:\n${blocks.join("")}`);
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

/**
 * Two projects with other destinations for each `every`th link. Returns a function that returns one after the other, so that each run has
 * the same changes.
 */
async function twoProjects(links, every, baseUrl) {
  const urlWith = (term) => (n) => (n % every === 0 ? `${addressOf(n)}&utm_term=${term}` : addressOf(n));
  const projects = await Promise.all(["a", "b"].map((term) => project(links, { baseUrl, url: urlWith(term) })));
  let turn = 0;
  return () => projects[turn++ % 2];
}

/** The services that the current measure started. */
const services = [];

/** Starts a service with these live links. `log` resolves to the requests since the last call. */
async function service(links, latency) {
  const child = fork(scriptOf("service.mjs"));
  services.push(child);
  const ask = async (message) => {
    child.send(message);
    return (await once(child, "message"))[0];
  };
  const { url, apiKey } = await ask({ seed: account(links), latency });
  return { url, env: { LINKFORM_API_KEY: apiKey }, log: async () => (await ask({ log: true })).log };
}

/** The oldest and the newest line of Node that people have. One that is not running comes from the cache of npx. Null if it is not there. */
function nodeOf(major) {
  if (process.versions.node.startsWith(`${major}.`)) return process.execPath;
  const args = ["--yes", "--offline", "--package", `node@${major}`, "--", "node", "-p", "process.execPath"];
  const { status, stdout } = spawnSync("npx", args, { encoding: "utf8" });
  return status === 0 ? stdout.trim() : null;
}

/** Measures the start of commands with a version of Node. */
function starts(major, most) {
  const program = nodeOf(major);
  if (program === null) return { [`Node ${major} is not on this machine`]: null };
  const start = (args, limit) => async () => {
    const cwd = await project(10);
    const ours = () => seconds(program, [CLI, ...args], { cwd });
    return { ours, beside: [["`node -e 0`", () => seconds(program, ["-e", "0"])]], most: limit };
  };
  return {
    [`Node ${major}: \`--version\``]: start(["--version"], 1.3),
    [`Node ${major}: \`--help\``]: start(["--help"], 2),
    [`Node ${major}: \`validate\`, 10 links`]: start(["validate"], most),
  };
}

const applyAll = ["apply", "--yes", "--allow-updates", "1000", "--quiet"];

/** A command of linkform, and a loop in a shell and a script that do the same for `links/0.yaml` in the next project. */
const byHand = (args) => async () => {
  const { url, env } = await service(1000, LATENCY_MS);
  const next = await twoProjects(1000, 10, url);
  const [command] = args;
  return {
    ours: () => linkform(args, { cwd: next(), env }),
    beside: [
      ["a loop of `curl` and `jq`", () => seconds("sh", [scriptOf("shell.sh"), url, command], { cwd: next(), env })],
      ["a script on `fetch`", () => node("fetch.mjs", [url, command], { cwd: next(), env })],
    ],
  };
};

/** What is measured: `ours` beside each of `beside`, a name and programs whose times are added. */
const MEASURES = {
  ...starts("20", 4.5),
  ...starts("24", 3),
  "`validate`, 10,000 links in one file": async () => {
    const cwd = await project(10_000);
    const parse = () => node("parse.mjs", [], { cwd });
    return { ours: () => linkform(["validate"], { cwd }), beside: [["`yaml` only parses it", parse]], most: 1.1 };
  },
  "`validate`, 100,000 links in 100 files": async () => {
    const [large, small] = [await project(100_000, { files: 100 }), await project(10_000)];
    const validate = (cwd) => () => linkform(["validate"], { cwd });
    return { ours: validate(large), beside: [["`validate` of 10,000", validate(small)]], most: 11 };
  },
  "memory of `validate`, 100,000 links": async () => {
    const cwd = await project(100_000, { files: 100 });
    return { ours: () => memoryOf(["validate"], { cwd }), beside: [["the limit", () => 600]], unit: "MB", most: 1 };
  },
  "`plan` of 100 changes, 1,000 links, 40 ms latency": byHand(["plan"]),
  "`apply` of 100 changes, 1,000 links, 40 ms latency": byHand(applyAll),
  "`plan` without changes, 10,000 links, 40 ms latency": async () => {
    const { url, env } = await service(10_000, LATENCY_MS);
    const cwd = await project(10_000, { baseUrl: url });
    const read = () => node("fetch.mjs", [url, "read"], { env });
    const validate = () => linkform(["validate"], { cwd });
    return {
      ours: () => linkform(["plan"], { cwd, env }),
      beside: [["bare reader and `validate`", read, validate]],
      most: 1.05,
    };
  },
  "`apply` of 1,000 changes, 40 ms latency": async () => {
    const { url, env, log } = await service(1000, LATENCY_MS);
    const next = await twoProjects(1000, 1, url);
    const requests = path.join(await scratchFolder(), "requests.json");
    const ours = async () => {
      await log();
      const took = await linkform(applyAll, { cwd: next(), env });
      await writeFile(requests, JSON.stringify(await log()));
      return took;
    };
    const replay = () => node("fetch.mjs", [url, "replay", requests], { env });
    return { ours, beside: [["the same requests, bare", replay]], most: 1.08 };
  },
  "memory of `plan`, 100,000 live links": async () => {
    const { url, env } = await service(100_000, 0);
    const cwd = await project(2000, { baseUrl: url });
    const bodies = async () => (await run(process.execPath, [scriptOf("fetch.mjs"), url, "read"], { env })).megabytes;
    return {
      ours: () => memoryOf(["plan", "--quiet"], { cwd, env }),
      beside: [["bodies of the responses", bodies]],
      unit: "MB",
      most: 3,
    };
  },
};

/** The rows of a measure: the medians of its programs, each of which is started `rounds` times in turn. */
async function measure(name, setUp) {
  if (setUp === null) return [`| ${name} | | | | |`];
  try {
    const { ours, beside, ...about } = await setUp();
    const programs = [ours, ...beside.flatMap(([, ...others]) => others)].map((program) => ({ program, results: [] }));
    for (let round = 0; round < rounds; round += 1)
      for (const { program, results } of programs) results.push(await program());
    const [one, ...times] = programs.map(({ results }) => results.toSorted((a, b) => a - b)[Math.floor(rounds / 2)]);
    return beside.map(([of, ...others]) => {
      const other = times.splice(0, others.length).reduce((total, time) => total + time, 0);
      return line({ name, ...about, of, ours: one, other });
    });
  } finally {
    for (const child of services.splice(0)) child.disconnect();
  }
}

await main(async () => {
  console.log("| Measure | linkform | Beside | Ratio | Target |\n| --- | --- | --- | --- | --- |");
  for (const [name, setUp] of Object.entries(MEASURES))
    if (words.length === 0 || words.some((word) => name.includes(word)))
      console.log((await measure(name, setUp)).join("\n"));
  const [{ model }] = os.cpus();
  console.log(`
Rounds: ${rounds}. Machine: ${os.availableParallelism()} × ${model}, Node ${process.version}
linkform compares every field, reads links again before it updates them, and verifies what it changed. The loop and the script do not.`);
});
