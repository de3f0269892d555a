import { describe, expect, test } from "vitest";
import { parsePattern } from "../../src/config/pattern.ts";

function matches(pattern: string, text: string): boolean {
  const parsed = parsePattern(pattern);
  if ("problem" in parsed) throw new Error(parsed.problem);
  return parsed.matches(text);
}

describe("patterns of project files", () => {
  test("match in linear time where backtracking would take years", () => {
    expect(matches("(a+)+b", "a".repeat(5_000))).toBe(false);
  });

  test("describe what is wrong with them", () => {
    expect(parsePattern("(a")).toEqual({ problem: "This is not a valid pattern: missing closing )." });
    expect(parsePattern("(?=a)b")).toHaveProperty("problem", expect.stringContaining("unsupported"));
    expect(parsePattern("a".repeat(501))).toEqual({ problem: "The pattern is longer than 500 characters." });
  });
});
