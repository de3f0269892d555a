// `linkform list --owner` and `--due`. Fails if they show a link of somebody else or one that is not declared, if `--limit` counts
// rows that do not match, or if they give an empty list where the files cannot answer.

import { describe, expect, it, test } from "vitest";
import type { ListFlags } from "../../src/inspect/list.ts";
import type { Scenario } from "../support/scenario.ts";
import { listed, runList, runShow, shown, startLooking } from "./looking.ts";

const FILES = `
defaults: { link: { domain: go.example.com, owner: growth-team } }
links:
  spring: { url: https://example.com/a, review_by: 2026-11-21 }
  summer: { url: https://example.com/b, review_by: 2026-11-22, owner: [Brand, growth-team] }
  autumn: { url: https://example.com/c, review_by: 2025-01-01, owner: Brand }
  winter: { url: https://example.com/d, owner: null }
  planned: { url: https://example.com/e, review_by: 2025-01-01 }
`;

async function start(files: string | null = FILES): Promise<Scenario> {
  const aliases = ["spring", "summer", "autumn", "winter", "theirs"];
  const scenario = await startLooking({
    seed: { links: aliases.map((alias) => ({ alias, domain: 2, url: `https://example.com/${alias}` })) },
  });
  if (files !== null) await scenario.write(files);
  return scenario;
}

const aliasesOf = async (flags: ListFlags): Promise<unknown[]> =>
  (await listed(await start(), { sort: "asc", ...flags })).rows.map(({ fields }) => fields["alias"]);

test.each<[flags: ListFlags, aliases: string[]]>([
  [{ owner: "growth-team" }, ["spring", "summer"]],
  [{ owner: "brand" }, ["summer", "autumn"]],
  [{ due: true }, ["spring", "autumn"]],
  [{ owner: "Brand", due: true }, ["autumn"]],
  [{ owner: "growth-team", limit: 1, sort: "desc" }, ["summer"]],
  [{ owner: "growth-team", search: "spring", by: "alias" }, ["spring"]],
])("%j lists %j", async (flags, aliases) => {
  expect(await aliasesOf(flags)).toEqual(aliases);
});

describe("the output", () => {
  it("has both keys in JSON, and the number of matching rows", async () => {
    const document = await listed(await start(), { owner: "brand", limit: 1, sort: "asc" });
    expect(document.total).toBe(2);
    expect(document.rows).toMatchObject([{ owner: ["Brand", "growth-team"], review_by: "2026-11-22" }]);
    const all = await listed(await start(), { sort: "asc" });
    expect(all.rows.map(({ owner, review_by }) => [owner, review_by]).at(-1)).toEqual([[], null]);
  });

  it("has both columns in CSV, after the others", async () => {
    const { out } = await runList(await start(), "links", { owner: "brand", sort: "asc", format: ["csv"] });
    const [head = "", first = ""] = out.split("\n");
    expect(head).toMatch(/,declared,owner,review_by$/);
    expect(first).toMatch(/,"?Brand; growth-team"?,2026-11-22$/);
  });

  it("says that nothing matches", async () => {
    const { exit, out } = await runList(await start(), "links", { owner: "growth-team", status: "disabled" });
    expect([exit, out]).toEqual([0, "No link matches (1 request).\n"]);
  });

  it("of `show` has both", async () => {
    const scenario = await start();
    const { objects } = await shown(scenario, "summer");
    expect(objects).toMatchObject([{ owner: ["Brand", "growth-team"], review_by: "2026-11-22" }]);
    const { out } = await runShow(scenario, ["summer"]);
    expect(out).toMatch(/^ +owner +Brand, growth-team$/m);
    expect(out).toMatch(/^ +review by +2026-11-22$/m);
  });
});

describe("what the files cannot answer", () => {
  async function refusal(files: string | null, flags: ListFlags, what: "links" | "pixels" = "links"): Promise<string> {
    const scenario = await start(files);
    const text = await runList(scenario, what, flags).then(
      ({ err }) => err,
      (cause: unknown) => String(cause),
    );
    expect(scenario.sandbox.requests).toEqual([]);
    return text;
  }

  it("is an error before the first request", async () => {
    expect(await refusal(null, { owner: "growth-team" })).toMatch(/`--owner` needs a project.*--config/s);
    expect(await refusal(null, { due: true })).toMatch(/`--due` needs a project/);
    expect(await refusal("links: { a: { ulr: x } }\n", { due: true })).toMatch(/files have errors.*linkform validate/s);
    expect(await refusal(FILES, { owner: "growth" })).toMatch(/no link.*`growth`.*Did you mean `growth-team`\?/is);
    expect(await refusal("links: {}\n", { owner: "growth" })).toMatch(/The files name no owner\./);
    expect(await refusal(FILES, { owner: "growth-team" }, "pixels")).toMatch(/`--owner` does not apply to pixels/);
  });
});
