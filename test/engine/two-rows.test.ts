// Two live rows can share one key. Everything that reports or records a change must tell them apart by their ids.

import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { apply } from "../../src/cli/apply.ts";
import type { ApplyDocument } from "../../src/report/json/schema.ts";
import { startProxy, type Answer } from "../support/proxy.ts";
import { runIn, startScenario, type Scenario } from "../support/scenario.ts";
import { send } from "../support/through.ts";

const KEY = "go.example.com/twin";
const one = { alias: "twin", domain: 2, url: "https://example.com/one" };
const two = { ...one, url: "https://example.com/two" };

/** Two records with one key, each with a tombstone. */
async function twins(): Promise<Scenario> {
  const scenario = await startScenario({ seed: { links: [one, two] } });
  await scenario.write("brake: { deletes: 100% }\n", {
    "links/one.yaml": `absent: { links: { ${KEY}: { id: 1 } } }\n`,
    "links/two.yaml": `absent: { links: { ${KEY}: { id: 2 } } }\n`,
  });
  return scenario;
}

/** An address where the record with id 2 cannot be deleted. */
async function refusing(scenario: Scenario): Promise<string> {
  return startProxy(scenario.sandbox.url, (method, url) =>
    method === "DELETE" && url.endsWith("/2")
      ? { status: 403, body: '{"message":"You don\'t have access to this feature.","status":403}' }
      : "forward",
  );
}

const ENDS = [
  { id: 1, outcome: "applied", source: { file: "links/one.yaml" } },
  { id: 2, outcome: "failed", source: { file: "links/two.yaml" } },
];

it("every report gives each of two deleted rows with the same key its own id and outcome", async () => {
  const scenario = await twins();
  const format = ["text", "json=json", "ndjson=ndjson"];
  const { exit, out, err } = await scenario.apply({ baseUrl: await refusing(scenario), quiet: false, format });
  expect(exit).toBe(4);
  expect(err).toContain(`✓ deleted link ${KEY} #1\n✗ delete link ${KEY} #2 failed`);
  expect(out).toContain(`✗ delete link ${KEY} #2`);
  const [json, ndjson] = await Promise.all(
    ["json", "ndjson"].map((name) => readFile(path.join(scenario.folder, name), "utf8")),
  );
  expect(JSON.parse(json ?? "").changes).toMatchObject(ENDS);
  expect(JSON.parse(ndjson?.trim().split("\n").at(-1) ?? "").results).toMatchObject(
    ENDS.map(({ id, outcome }) => ({ id, outcome })),
  );
});

it("a saved plan assigns its two deletions of one key to the right rows", async () => {
  const scenario = await twins();
  const baseUrl = await refusing(scenario);
  expect(await scenario.plan({ baseUrl, out: "plan.json" })).toMatchObject({ exit: 0 });
  const flags = { baseUrl, format: ["json"] };
  const { exit, out } = await runIn(scenario.folder, scenario.env, (world) => apply(world, flags, "plan.json"));
  expect([exit, JSON.parse(out).changes]).toMatchObject([4, ENDS]);
});

it("an undo creates one of two links with the same key again, and reports that the other cannot be restored", async () => {
  const scenario = await twins();
  expect(await scenario.apply()).toMatchObject({ exit: 0 });
  const { exit, document } = await scenario.undoDocument();
  expect({ exit, left: document.undo?.left, outcomes: document.changes.map(({ outcome }) => outcome) }).toMatchObject({
    exit: 4,
    left: [{ key: KEY, code: "taken-since", message: expect.stringContaining("(id 2)") }],
    outcomes: ["applied"],
  });
  expect(document.undo?.lost).toHaveLength(1);
  expect(scenario.sandbox.state().links).toMatchObject([one]);
});

interface Overlap {
  /** The overlapping writes. */
  readonly count: number;
  /** What somebody else stores before or after the first write. */
  readonly before?: string;
  readonly after?: string;
  readonly clicks?: number;
}

/**
 * An address of a service on which overlapping writes give two records one key (docs/service.md, "Writing"). The sandbox stores the second
 * record under another name, which this service hides.
 */
async function overlapping(scenario: Scenario, { count, before, after, clicks = 0 }: Overlap): Promise<string> {
  const waiting: (() => void)[] = [];
  let last: Promise<unknown> = Promise.resolve();
  const store = (form: string | undefined): Promise<unknown> =>
    form === undefined ? Promise.resolve() : send(scenario, "POST", "/api/v1/links", form);
  const write = async (method: string, url: string, body: string): Promise<Answer> => {
    const kind = url.includes("pixels") ? "pixels" : "links";
    const form = new URLSearchParams(body);
    const field = kind === "links" ? "alias" : "name";
    const rows = (): readonly { readonly id: number; readonly alias?: string; readonly name?: string }[] =>
      scenario.sandbox.state()[kind];
    const name = form.get(field);
    if (rows().some((row) => row[field] === name)) form.set(field, `${name}-twin`);
    const status = await send(scenario, method, url.replace("/index.php", ""), form.toString());
    const id = method === "PUT" ? Number(url.split("/").at(-1)) : rows().at(-1)?.id;
    return { status, body: JSON.stringify({ data: { id }, status }) };
  };
  return startProxy(
    scenario.sandbox.url,
    async (method, url, body) => {
      if (method !== "POST" && method !== "PUT") return "forward";
      const isFirst = waiting.length === 0;
      if (isFirst) await store(before);
      // One after the other: whether a name is taken is known only after the write before.
      const written = last.then(() => write(method, url, body));
      last = written;
      const answer = await written;
      if (isFirst) await store(after);
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        if (waiting.length >= count) for (const go of waiting) go();
      });
      return answer;
    },
    (body) => body.replaceAll('-twin"', '"').replaceAll('"clicks":0', `"clicks":${clicks}`),
  );
}

const CREATED = `links: { ${KEY}: { url: "${one.url}" } }\n`;
const OTHER = `links:\n  ${KEY}: { url: "${one.url}" }\n  go.example.com/twins: { url: "${one.url}" }\n`;
const RENAMED = `links: { ${KEY}: { url: "${one.url}", renamed_from: go.example.com/old } }\n`;
const PIXEL = 'pixels: { Main: { type: bing, value: "1" } }\n';
const theirs = (alias: string): string => new URLSearchParams({ ...two, domain: "2", alias }).toString();
const tombstone = (key: string): string => `absent: { ${key === KEY ? "links" : "pixels"}: { "${key}": { id: 2 } } }`;

it.each<[string, string, Overlap, string | null]>([
  ["two applies store a link", CREATED, { count: 2 }, tombstone(KEY)],
  ["two applies store a link, and all links are listed", OTHER, { count: 2 }, tombstone(KEY)],
  ["two applies store a pixel", PIXEL, { count: 2 }, tombstone("Main")],
  ["somebody else's row is older", CREATED, { count: 1, before: theirs("twin") }, tombstone(KEY)],
  ["somebody else's row is older, and ours has clicks", CREATED, { count: 1, before: theirs("twin"), clicks: 3 }, null],
  ["somebody else's row is newer", CREATED, { count: 1, after: theirs("twin-twin") }, null],
  ["somebody stores the key of a rename", RENAMED, { count: 1, before: theirs("twin") }, null],
])("two rows with the same key are reported with their ids and a fix: %s", async (_what, text, overlap, remove) => {
  const isRename = text === RENAMED;
  const scenario = await startScenario(isRename ? { seed: { links: [{ ...one, alias: "old" }] } } : {});
  await scenario.write(text);
  const baseUrl = await overlapping(scenario, overlap);
  const runs = Array.from({ length: overlap.count }, () => scenario.apply({ baseUrl, format: ["json"] }));
  const hints = (await Promise.all(runs)).map(({ exit, out }) => {
    const { result, changes }: ApplyDocument = JSON.parse(out);
    expect([exit, result.complete]).toEqual([4, false]);
    const error = changes.find((change) => change.error?.code === "doubled")?.error;
    expect(error?.message).toContain("exists 2 times (ids 1, 2).");
    return error?.hint ?? "";
  });
  // Only the run with the newer record may remove it.
  expect(hints.flatMap((hint) => /apply it: `(.*)`/.exec(hint)?.[1] ?? [])).toEqual(remove === null ? [] : [remove]);
  if (remove === null || text === OTHER) return;
  await scenario.write(`brake: { deletes: 100% }\n${text}${remove}\n`);
  expect(await scenario.apply({ baseUrl })).toMatchObject({ exit: 0 });
  expect([...scenario.sandbox.state().links, ...scenario.sandbox.state().pixels]).toMatchObject([{ id: 1 }]);
});
