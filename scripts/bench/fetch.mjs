// Plans or applies links, by their destinations only: `node fetch.mjs ADDRESS plan|apply`.

import { readFileSync } from "node:fs";
import { parse } from "yaml";

const [base, command] = process.argv.slice(2);

async function call(path, options) {
  const headers = { Authorization: `Bearer ${process.env.LINKFORM_API_KEY}`, Accept: "application/json" };
  const response = await fetch(`${base}/api/v1/links${path}`, { ...options, headers });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

async function eachOf(items, width, work) {
  const left = [...items];
  const next = async () => {
    while (left.length > 0) await work(left.shift());
  };
  await Promise.all(Array.from({ length: width }, next));
}

const rows = [];
const read = async (page) => {
  const { data, meta } = await call(`?sort=asc&per_page=100&page=${page}`);
  rows.push(...data);
  return meta.last_page;
};
const last = await read(1);
const others = Array.from({ length: last - 1 }, (_, at) => at + 2);
await eachOf(others, 8, read);

const live = new Map(rows.map((row) => [row.alias, row]));
const { links } = parse(readFileSync("links/0.yaml", "utf8"));
const changes = Object.entries(links).flatMap(([alias, { url }]) => {
  const row = live.get(alias);
  return row === undefined || row.url === url ? [] : [{ id: row.id, alias, before: row.url, url }];
});
for (const { alias, before, url } of changes) console.log(`~ ${alias}: ${before} -> ${url}`);
const update = ({ id, url }) => call(`/${id}`, { method: "PUT", body: new URLSearchParams({ url }) });
if (command === "apply") await eachOf(changes, 10, update);
