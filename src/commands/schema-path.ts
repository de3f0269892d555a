// Where a new file with links finds its schema for editors: where the other files of the project find theirs.

import path from "node:path";

const SCHEMA_LINE = /^# yaml-language-server: \$schema=(\S+)[ \t]*(?=\r?\n)/m;

/**
 * The schema of a new resource file, as its first line names it: from the file, or as a whole address. `others` are texts of the
 * project, the project file first; null where none of them names one.
 */
export function schemaPath(
  file: string,
  others: readonly { readonly file: string; readonly text: string }[],
): string | null {
  const [project, ...resources] = others;
  for (const other of [...resources, ...(project === undefined ? [] : [project])]) {
    const named = SCHEMA_LINE.exec(other.text)?.[1];
    if (named === undefined) continue;
    // A project file has a schema of its own, and beside it lies that of the others.
    const schema = other === project ? named.replace(/project(\.schema\.json)$/, "resource$1") : named;
    if (/^[a-z]+:/i.test(schema) || path.isAbsolute(schema)) return schema;
    const target = path.posix.join(path.posix.dirname(other.file), schema);
    return path.posix.relative(path.posix.dirname(file), target);
  }
  return null;
}
