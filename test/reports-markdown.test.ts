// The golden markdown reports as a reader sees them: rendered by a CommonMark library. Fails when a count is not that of the JSON
// of the same run, a change is neither named nor counted, a fold is not closed, or markup is
// read as text.

import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { ApplyDocument, ValidateDocument, PlanDocument } from "../src/report/json/schema.ts";
import { visible } from "../src/domain/control-characters.ts";
import { Rendered } from "./support/rendered.ts";

const CASES = path.join(import.meta.dirname, "fixtures/reports");

interface Golden {
  readonly verb: string;
  readonly written: string;
  readonly page: Rendered;
  readonly document: Pick<PlanDocument, "diagnostics"> &
    Partial<PlanDocument & Pick<ApplyDocument, "result"> & Pick<ValidateDocument, "valid">>;
}

async function golden(name: string): Promise<Golden> {
  const read = (file: string): Promise<string> => readFile(path.join(CASES, name, file), "utf8");
  const written = await read("expected/markdown.md");
  const [, command = ""] = (await read("command.txt")).split("\n");
  const [verb = ""] = command.split(" ");
  return { verb, written, page: new Rendered(written), document: JSON.parse(await read("expected/json.json")) };
}

const names = (await readdir(CASES)).toSorted();

describe("the markdown of", () => {
  test.each(names)("%s is a whole page", async (name) => {
    const { verb, written, page } = await golden(name);
    const marker = `<!-- linkform ${verb} marketing%2Flinkform.yaml -->`;
    expect(written.split("\n")[0]).toBe(marker);
    expect(page.comments().map((comment) => `<!--${comment}-->`)).toEqual([marker]);
    expect(page.texts("h2")).toEqual([`linkform ${verb}: marketing/linkform.yaml`]);
    expect(page.elements("details")).toHaveLength(page.elements("summary").length);
    for (const fold of page.elements("details"))
      expect(fold.childNodes.find((node) => node.nodeName !== "#text")?.nodeName).toBe("summary");
    expect(page.text("code", "pre")).not.toMatch(/\*\*|```|^#|\|.*\||<\/?\w|^- /m);
    expect(page.text()).not.toMatch(/undefined|null|NaN|\[object/);
  });

  test.each(names)("%s counts and names what its JSON has", async (name) => {
    const { verb, page, document } = await golden(name);
    const said = page.text("pre", "li").split("\n").slice(0, 12).join("\n");
    const { changes = [], summary, result, valid, diagnostics } = document;
    if (verb === "plan" && summary !== undefined) {
      for (const action of ["create", "delete"] as const) {
        const count = summary[action].toLocaleString("en-US");
        if (summary[action] === 0) expect(said).not.toContain(`to ${action}`);
        else expect(said).toContain(`${count} to ${action}`);
      }
      const updates = said.matchAll(/([\d,]+) (?:to (?:rename|move|disable|update)|other updates?)\b/g);
      const counted = [...updates].reduce((sum, [, count = ""]) => sum + Number(count.replaceAll(",", "")), 0);
      expect(counted).toBe(summary.update + summary.replace);
      expect(said).toContain(`${summary.unchanged} unchanged`);
      const breaking = changes.filter(({ breaks_url }) => breaks_url).length;
      expect(/(\d+) short URLs? (?:will|would) stop working/.exec(said)?.[1] ?? "0").toBe(String(breaking));
    }
    if (verb === "drift") expect(page.texts("h3").join("\n").match(/\d+/g)?.map(Number)).toEqual(changes.map(() => 1));
    if (result !== undefined) {
      expect(said).toContain(`${result.failed} failed, ${result.skipped} not started`);
      expect(page.texts("h3")).toContain(`⛔ Failed: ${result.failed} change${result.failed === 1 ? "" : "s"}`);
    }
    if (valid !== undefined) {
      const errors = diagnostics.filter(({ severity }) => severity === "error").length;
      expect(said).toContain(`${valid ? "Valid" : "Not valid"}:`);
      expect(said).toContain(`${errors} errors`);
      for (const { message } of diagnostics)
        expect(page.text().replaceAll("`", "")).toContain(visible(message).replaceAll("`", ""));
    }
    const codes = new Set(page.texts("code"));
    for (const { key, previous_key } of changes) {
      expect(codes).toContain(visible(key));
      if (previous_key !== null) expect(codes).toContain(visible(previous_key));
    }
  });

  test("an apply in part says what failed before what was done", async () => {
    const { page } = await golden("apply-part");
    expect(page.texts("h3").map((heading) => heading.replace(/\d+/, "N"))).toEqual([
      "⛔ Failed: N change",
      "⚠️ Not started: N change",
      "Next steps",
      "⛔ N short URL no longer works",
      "N link changed for visitors",
      "N link created",
    ]);
  });

  test("a plan that changes nothing is short", async () => {
    const { page } = await golden("nothing");
    expect(page.texts("h3")).toEqual([]);
    expect(page.text("details").trim().split(/\n+/)).toHaveLength(3);
  });

  test("a braked plan says so before all else, with both ways through", async () => {
    const { page, document } = await golden("brake");
    const [box = ""] = page.texts("blockquote");
    expect(page.text().indexOf("Refused by the brake")).toBeLessThan(page.text().indexOf("to delete"));
    expect(box).toContain(`--allow-deletes ${document.brakes?.[0]?.count}`);
    expect(page.texts("code").find((text) => text.startsWith("brake: { deletes:"))).toBeDefined();
  });
});
