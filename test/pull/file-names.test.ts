// Names of new files. Fails if a name is invalid on some file system, collides with another file, leads out of its folder, or
// is not matched by the project's globs.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { newPaths, safeName } from "../../src/pull/new-files.ts";
import { character, runs } from "../support/states.ts";

it.each([
  ["Vertrieb & Co: Süd", "vertrieb-co-süd"],
  ["../../etc/passwd", "etc-passwd"],
  ["..", null],
  ["CON", "links-con"],
  ["COM¹", "links-com1"],
  ["\u202egnp.exe", "gnp.exe"],
  ["Ｆｕｌｌ", "full"],
  ["e\u0301te\u0301", "été"],
])("a name %j becomes %j", (name, expected) => {
  expect(safeName(name)).toBe(expected);
});

it("a name is valid on every file system", () => {
  fc.assert(
    fc.property(fc.string({ unit: character, maxLength: 300 }), (text) => {
      const name = safeName(text);
      if (name === null) return;
      expect(new TextEncoder().encode(`${name}-99.yaml`).length).toBeLessThanOrEqual(255);
      expect(name).toMatch(/^[\p{L}\p{N}]([\p{L}\p{M}\p{N}._-]*[\p{L}\p{M}\p{N}])?$/u);
      expect(name).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)|\.\./i);
    }),
    { numRuns: runs(200) },
  );
});

describe("a path", () => {
  const pathIn = (globs: readonly string[], name = "Team A"): string => newPaths(globs, [])("link", name);

  it.each([
    [["links/**/*.yaml"], "links/team-a.yaml"],
    [["./links/*.yml"], "links/team-a.yml"],
    [["links/**"], "links/team-a.yaml"],
    [["*.links.yaml"], "team-a.links.yaml"],
    [["*.{json,yaml}"], "team-a.yaml"],
    [["**/links.yaml"], "team-a/links.yaml"],
    [["{a,b*}.yaml"], "bteam-a.yaml"],
    [["teams/*/links.yaml"], "teams/team-a/links.yaml"],
    [["{links,more}/*.{yaml,yml}"], "links/team-a.yaml"],
    [["pixels.yaml", "a/b/links-*.yaml"], "a/b/links-team-a.yaml"],
    [["pixels/*.yaml", "links/*.yaml"], "links/team-a.yaml"],
  ])("in %j is matched by the project", (globs, expected) => {
    expect(pathIn(globs)).toBe(expected);
  });

  it("for pixels uses their glob", () => {
    const globs = ["links/**/*.yaml", "pixels/*.yaml"];
    expect(newPaths(globs, [])("pixel", "pixels")).toBe("pixels/pixels.yaml");
  });

  it("differs from existing and new files, ignoring case", () => {
    const newPath = newPaths(["links/*.yaml"], ["links/TEAM-A.yaml", "links/team-a-2.yaml"]);
    const paths = ["Team A", "team a", "Team Á", "🎉", "🎈"].map((name) => newPath("link", name));
    expect(paths).toEqual([
      "links/team-a-3.yaml",
      "links/team-a-4.yaml",
      "links/team-á-5.yaml",
      "links/links.yaml",
      "links/links-2.yaml",
    ]);
  });

  it("uses no folder that the project does not read", () => {
    expect(pathIn(["*/links.yaml"], "node_modules")).toBe("node_modules-2/links.yaml");
  });

  it.each([[["links.yaml"]], [["links/?.yaml"]], [["{a,b}.yaml"]], [[]]])(
    "that no glob of %j finds is an error",
    (globs) => {
      expect(() => pathIn(globs)).toThrow(/^No glob in `files` matches the path of a new file \((`|no globs\)\.)/);
    },
  );
});
