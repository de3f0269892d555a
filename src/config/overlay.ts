// The files of a project as they would be with some of them changed: nothing is loaded from memory in another way than from disk.

import { error } from "../domain/diagnostic.ts";
import { compareText } from "../domain/place.ts";
import { hintFor, parseGlobs } from "./find-files.ts";
import { PathMatcher, type PathGlob } from "./path-glob.ts";
import type { FileSource } from "./source.ts";

/** The files of a source with these texts in place of theirs, by path; null: the file is gone. */
export function overlaid(source: FileSource, texts: ReadonlyMap<string, string | null>): FileSource {
  return {
    ref: source.ref,
    read: (file) => {
      const text = texts.get(file);
      return typeof text === "string" ? Promise.resolve({ text: text.replace(/^\uFEFF/, "") }) : source.read(file);
    },
    find: async (projectFile, globs) => {
      const there = [...texts].flatMap(([file, text]) => (text === null ? [] : [file]));
      const { parsed, diagnostics } = parseGlobs(globs);
      const matching = async (pattern: string, glob: PathGlob): Promise<string[]> => {
        const found = await source.find(projectFile, [{ pattern, place: null }]);
        const matcher = new PathMatcher([glob]);
        const left = found.files.filter((file) => texts.get(file) !== null);
        return [...left, ...[projectFile, ...there].filter((file) => matcher.matches(file))];
      };
      const files = new Set<string>();
      for (const { pattern, place, glob } of parsed) {
        const matches = await matching(pattern, glob);
        for (const file of matches) files.add(file);
        if (matches.length > 0 || place === null) continue;
        const hint = await hintFor(pattern, async (...other) => (await matching(...other)).length > 0);
        diagnostics.push(error("no-such-files", `\`${pattern}\` matches no file.`, place, hint));
      }
      files.delete(projectFile);
      // What is wrong with what the globs find is wrong still.
      const inSource = await source.find(
        projectFile,
        globs.map(({ pattern }) => ({ pattern, place: null })),
      );
      const outside = inSource.diagnostics.filter(({ place }) => place !== null);
      return { files: [...files].toSorted(compareText), diagnostics: [...diagnostics, ...outside] };
    },
  };
}
