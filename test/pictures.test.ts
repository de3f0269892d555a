// How scripts/pictures draws what a terminal shows. Fails when signs do not stand where a terminal has them, when a style or
// a colour is lost, when text could be drawn that can't be read, or when the README's picture is not there or has no text.
// Whether it is fresh says `npm run pictures:check`.

import { readFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { ROOT } from "./support/documents.ts";

const moduleAt = (name: string): string => pathToFileURL(path.join(ROOT, "scripts/pictures", name)).href;
const { readScreen, textOf } = await import(moduleAt("screen.mjs"));
const { draw } = await import(moduleAt("svg.mjs"));

const COLUMNS = 20;

async function drawn(bytes: string, palette?: "dark" | "light"): Promise<string> {
  return draw(await readScreen(bytes, COLUMNS), { title: "a <test>", columns: COLUMNS, palette });
}

/** Where text begins, in cells, by text. */
function cellsOf(svg: string): Record<string, number> {
  const texts = [...svg.matchAll(/<text class="[^"]+" x="([\d.]+)"[^>]*>([^<]*)</g)];
  return Object.fromEntries(texts.map(([, x = "", text = ""]) => [text, (Number(x) - 16) / 8.43]));
}

describe("a picture", () => {
  test("has every sign in its cell, behind wide ones, gaps and signs of other fonts", async () => {
    const cells = cellsOf(await drawn("ab  cd 漢x → y"));
    const rounded = Object.entries(cells).map(([text, at]) => [text, Math.round(at * 100) / 100]);
    expect(Object.fromEntries(rounded)).toEqual({ ab: 0, cd: 4, 漢: 7, x: 9, "→": 11, y: 13 });
  });

  test("gives each run the width of its cells, whatever font the viewer has", async () => {
    const svg = await drawn("one two");
    expect(svg).toContain(`textLength="${Math.round(7 * 8.43 * 100) / 100}"`);
  });

  test("breaks lines where the terminal does, and shows what is left of a line that was written twice", async () => {
    const rows = await readScreen(`${"x".repeat(COLUMNS)}yz\r\nreading 1 of 2\rdone\u001b[K\r\n`, COLUMNS);
    expect(textOf(rows)).toEqual(["x".repeat(COLUMNS), "yz", "done"]);
  });

  test("keeps colours, bold, dim, underlined and inverse text", async () => {
    const svg = await drawn(
      "\u001b[31mred\u001b[0m \u001b[1mbold\u001b[0m \u001b[2mdim\u001b[0m\r\n\u001b[4mline\u001b[0m \u001b[7mback\u001b[0m",
    );
    expect(svg).toMatch(/class="i-1"[^>]*>red</);
    expect(svg).toMatch(/font-weight="bold">bold</);
    expect(svg).toMatch(/class="i-text-dim"[^>]*>dim</);
    expect(svg).toMatch(/text-decoration="underline">line</);
    expect(svg).toMatch(/<rect class="i-text"[^>]*\/>\n<text class="i-background"[^>]*>back</);
  });

  test("draws boxes as lines that meet", async () => {
    const svg = await drawn("┌─\r\n│");
    // Left, top, right and bottom of each bar: two of the corner, two of the line beside it, two of the one below.
    const bars = [...svg.matchAll(/M([\d.]+) ([\d.]+)H([\d.]+)V([\d.]+)H/g)].map((bar) => bar.slice(1).map(Number));
    const [toTheRight, downward, , toTheLeft, upward] = bars;
    expect(bars).toHaveLength(6);
    expect(downward?.[3]).toBe(upward?.[1]);
    expect(toTheRight?.[2]).toBe(toTheLeft?.[0]);
  });

  test("follows the viewer's system, or has the one palette that was asked for", async () => {
    expect(await drawn("text")).toMatch(/\.i-text \{ fill: #1f2328; \}[^]*prefers-color-scheme: dark[^]*\.i-text \{/);
    expect(await drawn("text", "dark")).not.toMatch(/prefers-color-scheme|#1f2328/);
  });

  test("refuses colours in which text can't be read, and those that are no terminal's own", async () => {
    await expect(drawn("\u001b[31;41mred on red\u001b[0m")).rejects.toThrow(/1 on 1 has a contrast of 1\.00/);
    await expect(drawn("\u001b[38;2;1;2;3mown\u001b[0m")).rejects.toThrow(/16 colours/);
  });

  test("can be read out, with what would be marks of its own language", async () => {
    const svg = await drawn("a & b");
    expect(svg).toContain('<title id="title">a &lt;test&gt;</title>\n<desc id="desc">a &amp; b</desc>');
  });

  test("is on the page about reading a plan, and shows the command of the README", async () => {
    const readme = await readFile(path.join(ROOT, "README.md"), "utf8");
    const page = await readFile(path.join(ROOT, "docs/reading-a-plan.md"), "utf8");
    const svg = await readFile(path.join(ROOT, "docs/plan.svg"), "utf8");
    const [, command = ""] = /<desc id="desc">(\$ .+)\n/.exec(svg) ?? [];
    expect(command).not.toBe("");
    expect(readme).toContain(`\`\`\`console\n${command}\n`);
    expect(page).toMatch(/!\[[^\]]{20,}\]\(plan\.svg\)/);
    expect(readme).toMatch(/!\[[^\]]{20,}\]\(docs\/comment\.svg\)/);
  });
});
