// Every format of a few runs, in test/fixtures/reports: `now/` has the files, `base/` those of the commit before, `live.json` the account,
// `command.txt` the command, `expected/` the output in each format. Fails if a report changes, if the JSON document does not match its
// schema, or if `merge` of it prints anything else.
// UPDATE_FIXTURES=1 writes the current output. Then read every changed file as the person who gets it.

import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { FORMATS_OF, isReportingCommand } from "../src/report/format.ts";
import type { SandboxOptions, SeedState } from "../src/sandbox/index.ts";
import { commandIn } from "./support/command.ts";
import { startRepository } from "./support/repository.ts";
import { sandboxFor } from "./support/sandbox.ts";
import { schemaErrors } from "./support/schemas.ts";
import { temporaryFolder, writeFiles } from "./support/scenario.ts";

const CASES = path.join(import.meta.dirname, "fixtures/reports");
const NOW = new Date("2026-11-21T12:00:00Z");
const EXTENSION = {
  csv: "csv",
  text: "txt",
  json: "json",
  markdown: "md",
  html: "html",
  github: "txt",
  gitlab: "json",
  ndjson: "ndjson",
};

/**
 * 50 changes, most of them alike: half move to another host, one of these with an exception, ten are new, ten are deleted, and five get a
 * parameter.
 */
function manyChanges(): { readonly files: Readonly<Record<string, string>>; readonly seed: SeedState } {
  const numbers = Array.from({ length: 50 }, (_, at) => ({
    at,
    name: `l${String(at).padStart(5, "0")}`,
    part: at % 10,
  }));
  const before = (at: number): string => `https://old.example.com/p/${at}?utm_source=print`;
  const after = (at: number, part: number): string => {
    if (part === 5) return `{ url: "${before(at)}&utm_medium=poster" }`;
    if (part > 5) return `{ url: "https://www.example.com/new/${at}" }`;
    return `{ url: "${before(at).replace("old.", "new.")}"${at === 0 ? ", disabled: true" : ""} }`;
  };
  const declared = numbers
    .filter(({ part }) => part < 8)
    .map(({ at, name, part }) => `  ${name}: ${after(at, part)}\n`);
  const gone = numbers.filter(({ part }) => part >= 8).map(({ name }) => `    - ${name}\n`);
  return {
    files: {
      "linkform.yaml":
        "version: 1\nservice: { base_url: https://short.example.com }\ndefaults: { link: { domain: go.example.com } }\n",
      "links/all.yaml": `links:\n${declared.join("")}`,
      "links/gone.yaml": `absent:\n  links:\n${gone.join("")}`,
    },
    seed: {
      links: numbers
        .filter(({ part }) => part !== 6 && part !== 7)
        .map(({ at, name }) => ({ alias: name, domain: 2, url: before(at), clicks: at % 7 })),
    },
  };
}

/** GitHub's variables of a run. */
const GITHUB = {
  GITHUB_ACTIONS: "true",
  GITHUB_SERVER_URL: "https://github.example.com",
  GITHUB_REPOSITORY: "octo/links",
  GITHUB_RUN_ID: "42",
  GITHUB_SHA: "5d1c2a75d1c2a75d1c2a75d1c2a75d1c2a75d1c2",
};

const ON_GITHUB = new Set(["each-action", "hostile"]);

/** Reports are drawn from JSON, so those of these cases show its values. `each-action` has the keys that no report shows. */
const WITHOUT_JSON = new Set(["brake", "drift", "hostile", "many", "nothing"]);

/** Writes a case to the folder `marketing` of a repository, and returns the state of its account. */
async function layOut(name: string, folder: string): Promise<SandboxOptions["seed"]> {
  if (name === "many") {
    const { files, seed } = manyChanges();
    await writeFiles(folder, files);
    return seed;
  }
  await cp(path.join(CASES, name, "now"), folder, { recursive: true });
  return JSON.parse(await readFile(path.join(CASES, name, "live.json"), "utf8").catch(() => "{}"));
}

const names = (await readdir(CASES)).toSorted();

describe("a report", () => {
  test.each(names)("%s", async (name) => {
    const repository = name === "each-action" ? await startRepository() : null;
    const root = repository?.folder ?? (await temporaryFolder());
    const folder = path.join(root, "marketing");
    await mkdir(path.join(root, ".git"), { recursive: true });
    await mkdir(folder);
    if (repository !== null) await cp(path.join(CASES, name, "base"), folder, { recursive: true });
    const commit = (await repository?.commitAll()) ?? "no commit";
    const seed = await layOut(name, folder);
    const [, command = ""] = (await readFile(path.join(CASES, name, "command.txt"), "utf8")).split("\n");
    const [verb = "", ...flags] = command.split(" ");
    const formats = isReportingCommand(verb) ? FORMATS_OF[verb] : [];
    const sandbox = await sandboxFor({ seed: seed ?? {}, now: () => NOW });
    const env = {
      LINKFORM_API_KEY: sandbox.apiKey,
      LINKFORM_SECRET_PRESS: "for the press",
      ...(ON_GITHUB.has(name) && GITHUB),
    };
    const address = verb === "validate" ? [] : ["--base-url", sandbox.url];
    const wanted = formats.flatMap((format) => ["--format", `${format}=report.${format}`]);
    const { exit, out } = await commandIn(folder, [verb, ...flags, ...address, ...wanted], env);

    expect(out).toBe("");
    const written = (format: string): Promise<string> => readFile(path.join(folder, `report.${format}`), "utf8");
    const expected = path.join(CASES, name, "expected");
    const isWriting = (process.env["UPDATE_FIXTURES"] ?? "") !== "";
    if (isWriting) {
      await rm(expected, { recursive: true, force: true });
      await mkdir(expected);
      await writeFile(path.join(expected, "exit.txt"), `${exit}\n`);
    }
    expect(`${exit}\n`).toBe(await readFile(path.join(expected, "exit.txt"), "utf8"));
    for (const format of formats.filter((one) => one !== "json" || !WITHOUT_JSON.has(name))) {
      const file = `${format}.${EXTENSION[format]}`;
      const read = await written(format);
      const said = withoutMoment(format === "html" ? withoutLook(read) : read)
        .replaceAll(sandbox.url, "http://127.0.0.1:4000")
        .replaceAll(commit, "0".repeat(40))
        .replaceAll(commit.slice(0, 7), "0000000");
      if (isWriting) await writeFile(path.join(expected, file), said);
      expect(said).toBe(await readFile(path.join(expected, file), "utf8"));
    }
    expect(await schemaErrors(verb === "drift" ? "plan" : verb, JSON.parse(await written("json")))).toBeNull();
    // Everything that people read is in the JSON document.
    const pages = ["markdown", "html"];
    const merged = pages.flatMap((format) => ["--format", `${format}=merged.${format}`]);
    const joined = await commandIn(folder, ["merge", "report.json", ...merged], env);
    expect(joined.exit).toBe(flags.includes("--detailed-exitcode") ? 0 : exit);
    for (const format of pages)
      expect(await readFile(path.join(folder, `merged.${format}`), "utf8")).toBe(await written(format));
  });
});

/** A page without the parts that all pages share. */
function withoutLook(page: string): string {
  return page.replace(/(<style>).*?(<\/style>)/s, "$1…$2").replace(/sha256-[\w+/=]*/, "sha256-…");
}

/** Lines without the plan, which is another report, and without times, durations and digests. */
function withoutMoment(text: string): string {
  return text
    .replaceAll(/(?<=^\{"event":"\w+".*"(?:at|linkform)":")[^"]*/gm, "…")
    .replaceAll(/(?<="digest":")sha256:\w+/g, "…")
    .replaceAll(/(?<=^\{"event":"planned",|^\{"event":"change",.*?,"key":"[^"]*",).*/gm, "…")
    .replaceAll(/(?<="seconds": ?)[\d.]+/g, "0")
    .replaceAll(/(?<=\.linkform\/runs\/)[\dTZ]+-\d+/g, "…")
    .replaceAll(/ The changes took \d+ s\./g, "");
}
