// Does the same as a command of linkform, bare: `node fetch.mjs ADDRESS plan|apply` plans or applies links, by their destinations only,
// `read` reads all links and writes the bytes of the responses to the file descriptor 3, and `replay FILE` sends requests again.

import { readFileSync, writeSync } from "node:fs";

const [base, command, file] = process.argv.slice(2);
let bytes = 0;

async function send(path, { headers, ...options } = {}) {
  const all = { Authorization: `Bearer ${process.env.LINKFORM_API_KEY}`, Accept: "application/json", ...headers };
  const response = await fetch(`${base}${path}`, { ...options, headers: all });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
  bytes += text.length;
  return text;
}

async function eachOf(items, width, work) {
  const left = [...items];
  const next = async () => {
    while (left.length > 0) await work(left.shift());
  };
  await Promise.all(Array.from({ length: width }, next));
}

/** All links, over eight connections. */
async function readAll() {
  const rows = [];
  const read = async (page) => {
    const { data, meta } = JSON.parse(await send(`/api/v1/links?sort=asc&per_page=100&page=${page}`));
    rows.push(...data);
    return meta;
  };
  const { last_page: last, total } = await read(1);
  const others = Array.from({ length: last - 1 }, (_, at) => at + 2);
  await eachOf(others, 8, read);
  if (rows.length !== total) throw new Error("rows are missing");
  return rows;
}

if (command === "replay") {
  // What comes before the first change eight at a time, the changes ten at a time, and then the rest.
  const all = JSON.parse(readFileSync(file, "utf8"));
  const first = all.findIndex(({ method }) => method !== "GET");
  const end = all.findLastIndex(({ method }) => method !== "GET") + 1;
  const again = ({ method, path, type, body }) =>
    send(path, { method, headers: type && { "Content-Type": type }, body: body || undefined });
  await eachOf(all.slice(0, first), 8, again);
  await eachOf(all.slice(first, end), 10, again);
  await eachOf(all.slice(end), 8, again);
} else {
  const live = new Map((await readAll()).map((row) => [row.alias, row]));
  if (command === "read") writeSync(3, String(bytes));
  else await change(live);
}

async function change(live) {
  const { parse } = await import("yaml");
  const { links } = parse(readFileSync("links/0.yaml", "utf8"));
  const changes = Object.entries(links).flatMap(([alias, { url }]) => {
    const row = live.get(alias);
    return row === undefined || row.url === url ? [] : [{ id: row.id, alias, before: row.url, url }];
  });
  for (const { alias, before, url } of changes) console.log(`~ ${alias}: ${before} -> ${url}`);
  const update = ({ id, url }) => send(`/api/v1/links/${id}`, { method: "PUT", body: new URLSearchParams({ url }) });
  if (command === "apply") await eachOf(changes, 10, update);
}
