// `linkform validate --explain`. Fails if a rule has no explanation, if a policy needs a project without errors, or if an unknown code is
// not an error that names the nearest code.
import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { explainCode } from "../../src/cli/validate-explain.ts";
import type { ValidateFlags } from "../../src/cli/validate.ts";
import { RULES } from "../../src/domain/rules.ts";
import { UserError } from "../../src/errors.ts";
import { ruleSchema } from "../../src/render/json/rule.ts";
import { runIn, temporaryFolder, writeFiles, type Ran } from "../support/scenario.ts";

const PROJECT = `version: 1
service: { base_url: https://short.example.com }
policies:
  own: { destinations: [example.com], severity: warning, reason: Visitors should reach our own sites }
links:
  go.example.com/a: { ulr: https://example.com/ }
`;

/** Runs in a folder with this project file, or without a project. */
async function run(code: string, flags: ValidateFlags = {}, project: string | null = null): Promise<Ran> {
  const folder = await temporaryFolder();
  if (project !== null) await writeFiles(folder, { "linkform.yaml": project });
  return runIn(folder, {}, (world) => explainCode(world, flags, code, []));
}

async function refusal(code: string, flags: ValidateFlags = {}, project: string | null = null): Promise<unknown[]> {
  const cause: unknown = await run(code, flags, project).catch((thrown: unknown) => thrown);
  return cause instanceof UserError ? [cause.exit, cause.code, cause.hint] : [cause];
}

describe("a lint rule", () => {
  it("is explained without a project", async () => {
    expect(await run("utm-case")).toEqual({
      exit: 0,
      err: "",
      out: `utm-case (warning by default)
The value of a UTM parameter has capital letters.

Why: Reports count \`News\` and \`news\` separately. \`utm_id\` can have capitals.

Wrong:
  url: https://example.com/?utm_source=News&utm_medium=email&utm_campaign=spring
Right:
  url: https://example.com/?utm_source=news&utm_medium=email&utm_campaign=spring

To change its severity, write in the project file:
  rules: { utm-case: off } # off, warning or error
`,
    });
  });

  it.each(Object.keys(RULES))("%s has an explanation in every format", async (code) => {
    const { out } = await run(code);
    expect(out).toMatch(/^Why: [A-Z`"].*\.$/ms);
    expect(out).not.toMatch(/undefined|\]\(/);
    const document: unknown = JSON.parse((await run(code, { format: ["json"] })).out);
    expect(ruleSchema.parse(document)).toMatchObject({ code, kind: "rule" });
  });
});

describe("a policy", () => {
  it.each(["own", "policy/own"])("is explained as %s, also if the files have errors", async (code) => {
    expect(await run(code, {}, PROJECT)).toEqual({
      exit: 0,
      err: "",
      out: `policy/own (warning)
A link does not follow this policy of the project.

Why: Visitors should reach our own sites

Policy at linkform.yaml:4:3:
  destinations: [example.com]
  severity: warning
`,
    });
  });

  it("is explained in general", async () => {
    expect((await run("policy")).out).toContain(
      "Right:\n  policies: { own: { destinations: [example.com] } }\n  links:",
    );
  });

  // Fails if a policy can write control characters to the terminal.
  it("cannot control the terminal", async () => {
    const { out } = await run("own", {}, PROJECT.replace("Visitors", '"\\e[2JVisitors').replace("sites }", 'sites" }'));
    expect(out).toContain("Visitors");
    expect(out).not.toContain("\u001b");
  });
});

it("writes JSON to a file", async () => {
  const folder = await temporaryFolder();
  const flags = { format: ["json=rule.json"] };
  const { exit, out } = await runIn(folder, {}, (world) => explainCode(world, flags, "expired", []));
  expect([exit, out]).toEqual([0, ""]);
  expect(JSON.parse(await readFile(path.join(folder, "rule.json"), "utf8"))).toMatchObject({ code: "expired" });
});

it.each<[string, ValidateFlags, unknown[]]>([
  ["utm-csae", {}, [64, "unknown-code", "Did you mean `utm-case`?"]],
  ["ownn", {}, [64, "unknown-code", "Did you mean `own`?"]],
  ["policy/ownn", {}, [64, "unknown-code", "Did you mean `policy/own`?"]],
  ["constructor", {}, [64, "unknown-code", expect.stringContaining("Only lint rules and policies")]],
  ["expired", { base: "main" }, [64, "explain-alone", "Remove --base."]],
  ["expired", { format: ["html"] }, [64, "unknown-format", "Supported formats: text, json."]],
])("%s with %j is a usage error", async (code, flags, expected) => {
  expect(await refusal(code, flags, PROJECT)).toEqual(expected);
});
