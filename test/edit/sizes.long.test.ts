// Large files. Fails if formatting or an edit throws or takes too long.

import { expect, it } from "vitest";
import { formatText } from "../../src/edit/format.ts";
import { writeEdits, type Edit } from "../../src/edit/writer.ts";

it.each([
  [
    "a long line",
    `links: {${Array.from({ length: 25_000 }, (_, at) => `l${at}: {url: "https://example.com/${at}"}`).join(",")}}`,
  ],
  ["a long list", `protect: [${"a,".repeat(300_000)}a]`],
  ["nested braces", `${"{a: ".repeat(90)}${"[x,".repeat(1)}y]${"}".repeat(90)}`],
  ["many comments", "# x\n".repeat(200_000)],
  ["many empty lines", `a: 1\n${"\n".repeat(500_000)}b: 2\n`],
  ["a line of spaces", `a: 1${" ".repeat(500_000)}# x\nb: 2\n`],
  ["a long text", `note: ${"word ".repeat(200_000)}\n`],
  ["many lines of text", `note: |\n${"  word\n".repeat(200_000)}`],
  ["many quoted texts", `protect:\n${'  - "a b, c"\n'.repeat(30_000)}`],
])("formats %s of a megabyte in time", (_, text) => {
  const result = formatText(text, "links/a.yaml");
  expect("text" in result && result.text.length).toBeGreaterThan(0);
});

it("writes many rows into an empty section in time", () => {
  const block = { key: "d", value: { entries: [{ key: "url", value: "x" }] } };
  const edits = Array.from({ length: 5_000 }, (): Edit => (file) => file.add("link", block, null));
  const { text, leftAlone } = writeEdits("links: {}\n", "links/a.yaml", edits);
  expect(leftAlone.size).toBe(0);
  expect(text.split("\n")).toHaveLength(10_002);
});
