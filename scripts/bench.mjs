// Measures linkform beside plain programs that do the same work, in one run: medians of alternating rounds, and their ratios.
//
//     npm run bench                 all measures, as a table
//     npm run bench -- --json       as JSON
//     npm run bench -- pull apply   only the measures whose names contain one of these words

import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { CLI, cleanEnv, main, ROOT, scratchFolder } from "./processes.mjs";

const LATENCY_MS = 40;
const MEGABYTE = 1e6;

const { values: flags, positionals: words } = parseArgs({
  allowPositionals: true,
  options: { json: { type: "boolean", default: false }, rounds: { type: "string", default: "5" } },
});
const rounds = Number(flags.rounds);

/** `| what | linkform | baseline | ratio | target |` */
function line({ name, linkform, baseline, of, unit, ratio, most }) {
  const digits = unit === "s" ? 2 : 0;
  const [one, other] = [linkform, baseline].map((value) => `${value.toFixed(digits)} ${unit}`.trim());
  const verdict = ratio > most ? " (missed)" : "";
  return `| ${name} | ${one} | ${other}, ${of} | ${ratio.toFixed(2)} | ≤ ${most}${verdict} |`;
}

/** Starts each of the programs in turn, `rounds` times, and resolves to the median of each in seconds. */
async function medians(...programs) {
  const times = programs.map(() => []);
  for (let round = 0; round < rounds; round += 1)
    for (const [at, program] of programs.entries()) times[at].push(await program(round));
  return times.map(median);
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
const nothing = () => seconds(process.execPath, ["-e", "0"]);
/** The peak memory of a command, in MB. */
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

/** Starts bench-service.mjs with an account: of these links, or with rows that it computes. */
async function service({ links = 1, rows = null }, latency) {
  const child = fork(path.join(ROOT, "scripts/bench-service.mjs"));
  const ask = async (message) => {
    child.send(message);
    return (await once(child, "message"))[0];
  };
  const { url, apiKey } = await ask({ seed: account(rows === null ? links : 3), latency, rows });
  const stop = async () => {
    child.disconnect();
    await once(child, "exit");
  };
  return { url, env: { LINKFORM_API_KEY: apiKey }, log: async () => (await ask({ log: true })).log, stop };
}

/** Runs `measure` with a service, which it then stops. */
async function withService(size, latency, measure) {
  const running = await service(size, latency);
  try {
    return await measure(running);
  } finally {
    await running.stop();
  }
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

/** Compares only aliases and destinations, page after page, as one would in a shell. */
const SHELL = `
set -eu
page=1 last=1
while [ "$page" -le "$last" ]; do
  curl -sf -H "Authorization: Bearer $LINKFORM_API_KEY" "$1/api/v1/links?sort=asc&per_page=100&page=$page" > page.json
  jq -r '.data[] | [.alias, .url] | @tsv' page.json
  last=$(jq .meta.last_page page.json)
  page=$((page + 1))
done | sort > live.tsv
awk '/^  link/ { alias = substr($1, 1, length($1) - 1) } $1 == "url:" { print alias "\\t" $2 }' links/0.yaml | sort > files.tsv
diff files.tsv live.tsv
`;

const MEASURES = [
  {
    name: "`--version`",
    measure: async () => {
      const [ours, baseline] = await medians(() => linkform(["--version"]), nothing);
      return { linkform: ours, baseline, of: "`node -e 0`", unit: "s", most: 1.5 };
    },
  },
  {
    name: "`validate`, 10 links",
    measure: async () => {
      const cwd = await project(10);
      const [ours, baseline] = await medians(() => linkform(["validate"], { cwd }), nothing);
      return { linkform: ours, baseline, of: "`node -e 0`", unit: "s", most: 3 };
    },
  },
  {
    name: "`validate`, 10,000 links in one file",
    measure: async () => {
      const cwd = await project(10_000);
      const [ours, baseline] = await medians(
        () => linkform(["validate"], { cwd }),
        () => script(PARSE, [], { cwd }),
      );
      return { linkform: ours, baseline, of: "`yaml` only parses it", unit: "s", most: 1.2 };
    },
  },
  {
    name: "`validate`, 100,000 links in 100 files",
    measure: async () => {
      const [large, small] = [await project(100_000, { files: 100 }), await project(10_000)];
      const [ours, baseline] = await medians(
        () => linkform(["validate"], { cwd: large }),
        () => linkform(["validate"], { cwd: small }),
      );
      return { linkform: ours, baseline, of: "`validate` of 10,000", unit: "s", most: 11 };
    },
  },
  {
    name: "memory of `validate`, 100,000 links",
    measure: async () => {
      const cwd = await project(100_000, { files: 100 });
      return { linkform: await memoryOf(["validate"], { cwd }), baseline: 600, of: "the limit", unit: "MB", most: 1 };
    },
  },
  {
    name: "`plan` without changes, 10,000 links, 40 ms latency",
    measure: () =>
      withService({ links: 10_000 }, LATENCY_MS, async ({ url, env }) => {
        const cwd = await project(10_000, { baseUrl: url });
        const [ours, read, validate] = await medians(
          () => linkform(["plan"], { cwd, env }),
          () => script(READ, [url], { env }),
          () => linkform(["validate"], { cwd }),
        );
        return { linkform: ours, baseline: read + validate, of: "bare reader and `validate`", unit: "s", most: 1.3 };
      }),
  },
  {
    name: "the same, beside a shell",
    measure: () =>
      withService({ links: 10_000 }, LATENCY_MS, async ({ url, env }) => {
        const cwd = await project(10_000, { baseUrl: url });
        const [ours, baseline] = await medians(
          () => linkform(["plan"], { cwd, env }),
          () => seconds("sh", ["-c", SHELL, "sh", url], { cwd, env }),
        );
        return { linkform: ours, baseline, of: "a loop of `curl` and `jq`", unit: "s", most: 1 };
      }),
  },
  {
    name: "reading and comparing 10,000 links (`plan` less `validate`)",
    measure: () =>
      withService({ links: 10_000 }, 0, async ({ url, env }) => {
        const cwd = await project(10_000, { baseUrl: url });
        const [plan, read, validate] = await medians(
          () => linkform(["plan"], { cwd, env }),
          () => script(READ, [url], { env }),
          () => linkform(["validate"], { cwd }),
        );
        return { linkform: plan - validate, baseline: read, of: "bare reader", unit: "s", most: 2 };
      }),
  },
  {
    name: "`plan` of 10,000 changes in six formats",
    measure: () =>
      withService({ links: 10_000 }, 0, async ({ url, env }) => {
        const cwd = await project(10_000, { baseUrl: url, url: (n) => `${addressOf(n)}&utm_term=new` });
        const formats = ["json", "markdown", "html", "github", "gitlab"].flatMap((name) => [
          "--format",
          `${name}=report.${name}`,
        ]);
        const [ours, baseline] = await medians(
          () => linkform(["plan", "--allow-updates", "10000", ...formats], { cwd, env }),
          () => linkform(["plan", "--allow-updates", "10000"], { cwd, env }),
        );
        return { linkform: ours, baseline, of: "as text alone", unit: "s", most: 2 };
      }),
  },
  {
    name: "`pull` of 10,000 links",
    measure: () =>
      withService({ links: 10_000 }, 0, async ({ url, env }) => {
        const declared = await project(10_000, { baseUrl: url });
        const [ours, read, validate] = await medians(
          async () => linkform(["pull", "--quiet"], { cwd: await empty(url), env }),
          () => script(READ, [url], { env }),
          () => linkform(["validate"], { cwd: declared }),
        );
        return { linkform: ours, baseline: read + validate, of: "bare reader and `validate`", unit: "s", most: 2 };
      }),
  },
  {
    name: "`apply` of 1,000 changes, 40 ms latency",
    measure: () =>
      withService({ links: 1000 }, LATENCY_MS, async ({ url, env, log }) => {
        const projects = [];
        for (const version of ["a", "b"])
          projects.push(await project(1000, { baseUrl: url, url: (n) => `${addressOf(n)}&utm_term=${version}` }));
        const file = path.join(await scratchFolder(), "requests.json");
        const [ours, baseline] = await medians(
          async (round) => {
            await log();
            const args = ["apply", "--yes", "--allow-updates", "1000", "--quiet"];
            const took = await linkform(args, { cwd: projects[round % 2], env });
            await writeFile(file, JSON.stringify(await log()));
            return took;
          },
          () => script(REPLAY, [url, file], { env }),
        );
        return { linkform: ours, baseline, of: "the same requests, bare", unit: "s", most: 1.1 };
      }),
  },
  {
    name: "memory of `plan`, 100,000 live links",
    measure: () =>
      withService({ links: 100_000 }, 0, async ({ url, env }) => {
        // Enough to read the whole list, and few beside it.
        const cwd = await project(2000, { baseUrl: url });
        const bodies = await run(process.execPath, ["--input-type=module", "-e", READ, url], { env });
        return {
          linkform: await memoryOf(["plan", "--quiet"], { cwd, env }),
          baseline: bodies.number / MEGABYTE,
          of: "bodies of the responses",
          unit: "MB",
          most: 3,
        };
      }),
  },
  {
    name: "`plan --changed`, 50 of 1,000,000 links",
    measure: () =>
      withService({ rows: 1_000_000 }, 0, async ({ url, env, log }) => {
        const cwd = await million(url);
        const args = ["plan", "--changed", "--base", "HEAD"];
        const [ours] = await medians(() => linkform(args, { cwd, env }));
        await log();
        const memory = await memoryOf(args, { cwd, env });
        const requests = (await log()).length;
        return [
          { linkform: ours, baseline: 10, of: "the limit", unit: "s", most: 1 },
          { name: "requests of that plan", linkform: requests, baseline: 60, of: "the limit", unit: "", most: 1 },
          { name: "memory of that plan", linkform: memory, baseline: 600, of: "the limit", unit: "MB", most: 1 },
        ];
      }),
  },
];

/** A project that declares the computed links of the service, a thousand in each file. */
async function computedLinks(baseUrl, files) {
  const cwd = await project(0, { baseUrl });
  for (let file = 0; file < files; file += 1) await writeComputed(cwd, file);
  return cwd;
}

/** Writes one of these files. The link with the number `changed` has another destination. */
async function writeComputed(cwd, file, changed = null) {
  const blocks = Array.from({ length: 1000 }, (_, at) => file * 1000 + at).map((n) => {
    const address = `https://www.example.com/articles/${n === changed ? "new" : n}`;
    return `  link-${String(n).padStart(7, "0")}: { url: ${address} }\n`;
  });
  await writeFile(path.join(cwd, "links", `${file}.yaml`), `links:\n${blocks.join("")}`);
}

/** A repository with a million links in a thousand files, of which fifty have another destination since the last commit. */
async function million(baseUrl) {
  const cwd = await computedLinks(baseUrl, 1000);
  const git = (...args) =>
    run("git", ["-c", "user.name=bench", "-c", "user.email=bench@example.com", ...args], { cwd });
  await git("init", "--quiet");
  await git("add", ".");
  await git("commit", "--quiet", "--message", "base");
  for (let file = 0; file < 1000; file += 20) await writeComputed(cwd, file, file * 1000 + 7);
  return cwd;
}

async function empty(url) {
  const folder = await scratchFolder();
  await writeFile(path.join(folder, "linkform.yaml"), `version: 1\nservice: { base_url: "${url}" }\n`);
  return folder;
}

await main(async () => {
  const rows = [];
  for (const { name, measure } of MEASURES) {
    if (words.length > 0 && !words.some((word) => name.includes(word))) continue;
    for (const row of [await measure()].flat()) {
      rows.push({ name, ...row, ratio: row.linkform / row.baseline });
      if (!flags.json) console.log(line(rows.at(-1)));
    }
  }
  const machine = { node: process.version, cpu: os.cpus()[0].model, cpus: os.availableParallelism(), rounds };
  if (flags.json) console.log(JSON.stringify({ machine, rows }, null, 2));
  else console.log(`\nRounds: ${rounds}. Machine: ${machine.cpus} × ${machine.cpu}, Node ${machine.node}`);
});
