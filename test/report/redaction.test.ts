// What of a line is shown, to the sign. Fails when the first or last sign of a secret shows, when a word stays hidden that
// says only where a secret is, or when what can't be seen takes up other columns than are counted for it.

import { describe, expect, it } from "vitest";
import { besides, error } from "../../src/domain/diagnostic.ts";
import { SourceText } from "../../src/domain/place.ts";
import { diagnosticsText } from "../../src/report/text/log.ts";
import { PLAIN } from "../../src/report/text/screen.ts";

/** The line of a file that a frame shows, and what stands below it. */
function shown(text: string, meant: string, columns: number | null = null): string[] {
  const at = text.lastIndexOf(meant);
  const place = new SourceText(text, "linkform.yaml").place(at, at + meant.length);
  const lines = diagnosticsText([error("code", "No.", place, null)], { ...PLAIN, columns }).split("\n");
  return lines.slice(3, 5).map((line) => line.slice(5));
}

describe("a secret", () => {
  it.each([
    ["password: hunter22", "password: ********"],
    ["password: none", "password: none"],
    ["password: { env: LINKFORM_SECRET_A }", "password: { env: LINKFORM_SECRET_A }"],
    ["password: { file: secrets/a }", "password: { file: secrets/a }"],
    ["password: { env: secrets/hunter2 }", "password: { env: ******** }"],
    ["Passwort: hunter22", "Passwort: ********"],
    ["Kunden-Passwort: hunter22", "Kunden-Passwort: ********"],
    ["url: https://me:hunter22@example.com/x", "url: https://********@example.com/x"],
    ["base_url: me:hunter22@short.example.com", "base_url: ********"],
    ["base_url: https://me:hunter/22@short.example.com", "base_url: https://********@short.example.com"],
    ["base_url: https://short.example.com/?key=hunter22", "base_url: https://short.example.com/?********"],
    ["base_url: hunter22", "base_url: ********"],
    ["base_url: hunter2", "base_url: hunter2"],
    ["base_url: short.example.com", "base_url: short.example.com"],
  ])("in %j", (line, told) => {
    expect(shown(line, line.slice(0, 4))[0]).toBe(told);
  });

  it.each([
    ["password:\n  hunter22", "  ********"],
    ["password: # here\n  # or there\n\n  hunter22", "  ********"],
    ["password: { value:\n  hunter22 }", "  ********"],
    ["password: hunter\n  hunter22", "  ********"],
  ])("on the line below, in %j", (text, told) => {
    expect(shown(text, "hunter22")[0]).toBe(told);
  });
});

it("what can't be seen is shown by its number, a tab as wide as it is drawn, and the marks stand below", () => {
  expect(shown("a: \u200bx", "x")).toEqual(["a: \\u{200b}x", "           ^"]);
  expect(shown("\u0301a: x", "x")).toEqual(["\\u{301}a: x", "          ^"]);
  expect(shown("a:\tx", "x")).toEqual(["a:→   x", "      ^"]);
});

it("where nobody says how wide it is, a line has a hundred columns with its number", () => {
  expect(shown(`a: ${"x".repeat(200)}`, "a")[0]).toHaveLength(95);
});

it("what is cut on both sides is marked below itself", () => {
  const [line = "", marks = ""] = shown(`${"x".repeat(500)} here ${"x".repeat(500)}`, "here", 60);
  expect(line).toMatch(/^….*….*$|^….* here .*…$/);
  expect(marks.trim()).toBe("^^^^");
  expect(line.slice(marks.indexOf("^"), marks.indexOf("^") + 4)).toBe("here");
});

it("the same file in a commit is another text", () => {
  const [now, then] = [null, "main"].map((ref) => new SourceText("a: b\n", "linkform.yaml", ref).place(0, 1));
  if (now === undefined || then === undefined) throw new Error("two places");
  expect(diagnosticsText([besides(error("was", "It was.", now, null), then, "then")], PLAIN)).toContain(
    "::: linkform.yaml:1:1 at main\n",
  );
});

it("words of a hundred signs are cut in the middle, and none below", () => {
  const say = (length: number): string => diagnosticsText([error("c", "x".repeat(length), null, null)], PLAIN);
  expect(say(99)).toBe(`error[c] ${"x".repeat(99)}\n`);
  expect(say(100)).toBe(`error[c] ${"x".repeat(48)}…${"x".repeat(16)}\n`);
});

it("what goes on over the end of a line is meant to its end, before the line break", () => {
  for (const end of ["\n", "\r\n"]) {
    const place = new SourceText(`ab${end}cd`, "a.yaml").place(1, 5);
    expect([place.column, place.length]).toEqual([2, 1]);
  }
});
