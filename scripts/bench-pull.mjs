// A pull of 10,000 links into an empty project, beside plain reads of the same pages: how long each takes, and how many requests. Both
// are processes of their own, against one sandbox without a rate limit.

import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { median } from "./bench.mjs";
import { linkform, main, ROOT, scratchFolder } from "./processes.mjs";

const LINKS = 10_000;
const PIXELS = 20;
const PER_PAGE = 100;
const ROUNDS = 5;

/** As many at once as linkform asks for. */
const PLAIN = `
  const [base, key] = process.argv.slice(1);
  const headers = { Authorization: "Bearer " + key, Accept: "application/json" };
  const rows = [];
  async function read(list) {
    const page = async (n) => (await fetch(base + list + "?sort=asc&per_page=${PER_PAGE}&page=" + n, { headers })).json();
    const first = await page(1);
    rows.push(...first.data);
    let next = 2;
    const on = async () => { while (next <= first.meta.last_page) rows.push(...(await page(next++)).data); };
    await Promise.all(Array.from({ length: 8 }, on));
  }
  await Promise.all([read("/api/v1/links"), read("/index.php/api/v1/pixels")]);
  if (rows.length !== ${LINKS + PIXELS}) throw new Error("rows are missing");
`;

await main(async () => {
  const { startSandbox } = await import(path.join(ROOT, "dist/sandbox.js"));
  const sandbox = await startSandbox({ rateLimit: 0, seed: seed() });
  try {
    const plain = await times(sandbox, async () => {
      await promisify(execFile)(process.execPath, ["--input-type=module", "-e", PLAIN, sandbox.url, sandbox.apiKey]);
    });
    const pulled = await times(sandbox, async () => {
      const folder = await scratchFolder();
      await writeFile(path.join(folder, "linkform.yaml"), `version: 1\nservice: { base_url: "${sandbox.url}" }\n`);
      const env = { ...process.env, LINKFORM_API_KEY: sandbox.apiKey };
      const { code, err } = await linkform(["pull", "--quiet"], folder, env);
      if (code !== 0) throw new Error(`The pull ended with ${code}: ${err}`);
    });
    const pages = Math.ceil(LINKS / PER_PAGE) + Math.ceil(PIXELS / PER_PAGE);
    console.log(`${LINKS} links and ${PIXELS} pixels on ${pages} pages, median of ${ROUNDS}:`);
    console.log(`  plain reads of the pages  ${(plain.ms / 1000).toFixed(2)} s  ${plain.requests} requests`);
    console.log(`  linkform pull             ${(pulled.ms / 1000).toFixed(2)} s  ${pulled.requests} requests`);
    console.log(
      `  ratio ${(pulled.ms / plain.ms).toFixed(1)}; at 60 requests a minute, reading alone takes ${Math.ceil((pages - 60) / 60) * 60} s.`,
    );
    // The account's time zone is one request more, where links have dates.
    if (pulled.requests > pages + 1) {
      console.log(`  too many requests: ${pages + 1} are needed`);
      process.exitCode = 1;
    }
  } finally {
    await sandbox.close();
  }
});

async function times(sandbox, run) {
  const measured = [];
  let requests = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = sandbox.requests.length;
    const begun = performance.now();
    await run();
    measured.push(performance.now() - begun);
    requests = sandbox.requests.length - before;
  }
  return { ms: median(measured), requests };
}

/** Links as people have them: most are plain, some have a space, a date, a password, pixels, targets. */
function seed() {
  const links = Array.from({ length: LINKS }, (_, n) => ({
    alias: `${["spring", "summer", "autumn", "winter"][n % 4]}-${n}`,
    domain: 2 + (n % 2),
    url: `https://www.example.com/articles/${n}?utm_source=print&utm_campaign=c${n % 7}`,
    space: n % 3 === 0 ? null : 1 + (n % 2),
    pixels: n % 5 === 0 ? [1 + (n % PIXELS)] : [],
    ...(n % 7 === 0 && { ends_at: "2027-03-31T21:59:00.000Z" }),
    ...(n % 50 === 0 && { password: "secret" }),
    ...(n % 20 === 0 && { target_type: 1, country: [{ key: "DE", value: `https://www.example.com/de/${n}` }] }),
    clicks: n % 1000,
  }));
  const pixels = Array.from({ length: PIXELS }, (_, n) => ({
    id: n + 1,
    name: `Meta ${n}`,
    type: "facebook",
    value: String(100_000_000_000_000 + n),
  }));
  return { links, pixels };
}
