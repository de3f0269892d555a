// What pulls are tried on: an account, a project in a folder, and its files as lines of blocks.

import { isMap, parseAllDocuments } from "yaml";
import { plan } from "../../src/commands/plan.ts";
import { pull, type PullFlags } from "../../src/commands/pull.ts";
import type { PlanDocument } from "../../src/report/document.ts";
import type { Sandbox } from "../../src/sandbox/index.ts";
import { runIn, type Ran } from "./scenario.ts";

const SECRETS = { LINKFORM_SECRET_A: "first secret" };

/** Pulls from this account into the project of a folder, whatever address its files name. */
export async function pullFrom(
  sandbox: Sandbox,
  folder: string,
  flags: PullFlags = {},
  keys: readonly string[] = [],
): Promise<Ran> {
  const env = { ...SECRETS, LINKFORM_API_KEY: sandbox.apiKey };
  return runIn(folder, env, (world) => pull(world, { baseUrl: sandbox.url, ...flags }, keys));
}

/** A plan of the project of a folder against this account. */
export async function planOf(sandbox: Sandbox, folder: string): Promise<PlanDocument> {
  const env = { ...SECRETS, LINKFORM_API_KEY: sandbox.apiKey };
  const ran = await runIn(folder, env, (world) => plan(world, { baseUrl: sandbox.url, format: ["json"] }));
  return JSON.parse(ran.out);
}

/** Each line of a file with the block it is of, as `links go/a`; lines that are of none have the empty name. */
export function linesOf(text: string): { readonly line: string; readonly block: string }[] {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const names = starts.map(() => "");
  const lineAt = (offset: number): number => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  for (const document of parseAllDocuments(text, { uniqueKeys: false })) {
    if (!("contents" in document) || !isMap(document.contents)) continue;
    for (const { key: section, value } of document.contents.items) {
      if (!isMap(value)) continue;
      for (const pair of value.items) {
        const key = pair.key;
        const range =
          key !== null && typeof key === "object" && "range" in key && Array.isArray(key.range) ? key.range : [0];
        const inside =
          pair.value !== null && typeof pair.value === "object" && "range" in pair.value ? pair.value.range : null;
        const last = Array.isArray(inside) ? inside[1] - 1 : Number(range[0]);
        const name = `${String(section)} ${String(key !== null && typeof key === "object" && "source" in key ? key.source : key)}`;
        for (let line = lineAt(Number(range[0])); line <= lineAt(last); line += 1) names[line] = name;
      }
    }
  }
  const lines = text.split("\n");
  // A comment right above a block is the block's.
  for (let at = lines.length - 2; at >= 0; at -= 1)
    if (names[at] === "" && lines[at]?.trim().startsWith("#") === true) names[at] = names[at + 1] ?? "";
  return lines.map((line, at) => ({ line, block: names[at] ?? "" }));
}
