// The files of a project as they would be with some of them changed: nothing is loaded from memory in another way than from disk.

import path from "node:path";
import picomatch from "picomatch";
import { compareText } from "../domain/place.ts";
import { matchGlobs, NEVER_READ, type FileSource } from "./source.ts";

/** The files of a source with these texts in place of theirs, by path; null: the file is gone. */
export function overlaid(source: FileSource, texts: ReadonlyMap<string, string | null>): FileSource {
  const isIgnored = picomatch([NEVER_READ], { posix: true });
  return {
    ref: source.ref,
    read: (file) => {
      const text = texts.get(file);
      return typeof text === "string" ? Promise.resolve({ text: text.replace(/^\uFEFF/, "") }) : source.read(file);
    },
    find: async (projectFile, globs) => {
      const there = [...texts].flatMap(([file, text]) => (text === null || isIgnored(file) ? [] : [file]));
      const { files, diagnostics } = await matchGlobs(globs, async (pattern) => {
        const found = await source.find(projectFile, [{ pattern, place: null }]);
        const matches = picomatch([path.posix.normalize(pattern.replace(/\/$/, ""))], { posix: true });
        const left = found.files.filter((file) => texts.get(file) !== null);
        return [...left, ...[projectFile, ...there].filter((file) => matches(file))];
      });
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
