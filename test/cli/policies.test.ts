// Policies in commands. Fails if a pull request can weaken a policy or waive it without a finding that comes first, if `plan` ignores a
// policy, or if a command that edits files loses a waiver.
import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { validate } from "../../src/cli/validate.ts";
import { pull } from "../../src/pull/command.ts";
import { GIT_ENV, startRepository } from "../support/repository.ts";
import { sandboxFor } from "../support/library.ts";
import { runIn, temporaryFolder, writeFiles } from "../support/scenario.ts";

const HEAD =
  "version: 1\nservice: { base_url: https://short.example.com }\ndefaults: { link: { domain: go.example.com } }\n";
const POLICIES = "policies:\n  own: { destinations: [example.com] }\n  noted: { links: '*', require: [note] }\n";
const link = (alias: string, more = ""): string => `  ${alias}: { url: https://example.com/, note: x${more} }\n`;
const waive = (until: string): string => `, waive: { own: { until: ${until}, because: Partner page } }`;

/** What `validate --base` reports about settings that changed between two project files, and the codes in their order. */
async function changes(before: string, after: string): Promise<{ messages: string[]; codes: string[] }> {
  const repository = await startRepository();
  await repository.commit({ "linkform.yaml": `${HEAD}${before}` });
  await repository.replace({ "linkform.yaml": `${HEAD}${after}` });
  const flags = { base: "HEAD", format: ["json"] };
  const { out } = await runIn(repository.folder, GIT_ENV, (world) => validate(world, flags));
  const { diagnostics }: { diagnostics: { code: string; message: string }[] } = JSON.parse(out);
  return {
    messages: diagnostics.flatMap(({ code, message }) => (code === "safety-changed" ? [message] : [])),
    codes: diagnostics.map(({ code }) => code),
  };
}

describe("since the base", () => {
  test.each([
    ["a policy that is gone", POLICIES.replace(/ {2}own.*\n/, ""), ["Policy `own` was removed since `HEAD`."]],
    ["all policies", "", ["Policy `own` was removed since `HEAD`.", "Policy `noted` was removed since `HEAD`."]],
    ["a new policy", `${POLICIES}  new: { blocked: [bit.ly] }\n`, ["Policy `new` was added since `HEAD`."]],
    [
      "a wider list",
      POLICIES.replace("[example.com]", "[evil.test, example.com]"),
      ["`policies.own.destinations` changed from [example.com] to [evil.test, example.com] since `HEAD`."],
    ],
    [
      "a lower severity",
      POLICIES.replace("[example.com]", "[example.com], severity: warning"),
      ["`policies.own.severity` changed from error to warning since `HEAD`."],
    ],
    [
      "fewer links",
      POLICIES.replace("links: '*'", "links: 'go.example.com/a'"),
      ["`policies.noted.links` changed from * to go.example.com/a since `HEAD`."],
    ],
    ["nothing but the reason", POLICIES.replace("[example.com]", "[example.com], reason: Trust"), []],
  ])("%s is reported", async (_, after, expected) => {
    const links = `links:\n${link("a")}`;
    expect((await changes(`${POLICIES}${links}`, `${after}${links}`)).messages).toEqual(expected);
  });

  test.each([
    ["a new waiver", "", waive("2027-01-01"), 1],
    ["a longer waiver", waive("2027-01-01"), waive("2027-02-01"), 1],
    ["a shorter waiver", waive("2027-02-01"), waive("2027-01-01"), 0],
    ["the same waiver of a renamed link", waive("2027-01-01"), `${waive("2027-01-01")}, renamed_from: a`, 0],
  ])("%s is reported before other findings: %s → %s", async (_, before, after, count) => {
    const alias = after.includes("renamed_from") ? "b" : "a";
    const at = (name: string, more: string): string =>
      `${POLICIES}links:\n${link(name, more).replace("example.com", "evil.test")}${link("c")}`;
    const { messages, codes } = await changes(
      at("a", before),
      `${at(alias, after)}  d: { url: http://example.com/, note: x }\n`,
    );
    const until = /until: ([\d-]+)/.exec(after)?.[1] ?? "";
    const message = `1 waiver of policy \`own\` is new or longer since \`HEAD\`: \`go.example.com/a\` until ${until} (Partner page).`;
    expect(messages).toEqual(Array(count).fill(message));
    expect(codes.slice(count)).toEqual(["plain-http"]);
  });

  // Fails if a policy that links break at the base makes the base unreadable, or if its old warnings are shown again.
  test("links that broke a policy before are only counted", async () => {
    const policies = POLICIES.replace("[example.com]", "[example.com], severity: warning");
    const links = `links:\n${link("a").replace("example.com", "evil.test")}`;
    const { codes } = await changes(`${policies}${links}`, `${policies}${links}${link("b")}`);
    expect(codes).toEqual(["older-findings"]);
  });
});

test("`pull` keeps a waiver", async () => {
  const links = [{ alias: "a", domain: 2, url: "https://partner.test/new" }];
  const sandbox = await sandboxFor({ seed: { links } });
  const folder = await temporaryFolder();
  const text = (to: string): string =>
    `${HEAD}${POLICIES}links:\n  a: # printed\n    url: https://partner.test/${to}\n    note: x\n    waive: { own: { until: 2099-01-01, because: Partner page } } # agreed\n`;
  await writeFiles(folder, { "linkform.yaml": text("old") });
  const env = { LINKFORM_API_KEY: sandbox.apiKey };
  const { exit } = await runIn(folder, env, (world) => pull(world, { baseUrl: sandbox.url }, []));
  expect(exit).toBe(0);
  expect(await readFile(path.join(folder, "linkform.yaml"), "utf8")).toBe(text("new"));
});
