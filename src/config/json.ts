// JSON resource files. They are parsed as YAML, of which JSON is a part, but programs write them, so linkform does not edit them.

import { error, type Diagnostic } from "../domain/diagnostic.ts";
import type { Place } from "../domain/place.ts";

/** Whether a file is JSON, because of its name. */
export function isJsonFile(file: string): boolean {
  return /\.json$/i.test(file);
}

/** The error for a command that would have to edit a JSON file. `what` is the start of the sentence "… it is declared in". */
export function generatedFile(what: string, place: Place): Diagnostic {
  const message = `${what} it is declared in the JSON file ${place.file}, which linkform does not edit.`;
  return error("generated-file", message, place, "Change the source that generates the file, and generate it again.");
}
