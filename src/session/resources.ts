// `--resources`: resources that a program generated, from files anywhere or from standard input.

import path from "node:path";
import { decodeText, type FileText } from "../config/file-source.ts";
import type { GeneratedResources } from "../config/load.ts";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { osCode, MAX_BYTES, PathError, readFrom, tooLarge } from "../files/location.ts";
import { locateNamed } from "../files/named.ts";
import type { World } from "./context.ts";

export interface ResourceFlags {
  /** Files, and `-` for standard input. */
  readonly resources?: readonly string[];
}

const STDIN = "-";

/** Files inside the project folder are named like the files of the project. `problems`: why some could not be read. */
export async function readResources(
  world: World,
  folder: string,
  flags: ResourceFlags,
): Promise<{ resources: GeneratedResources[]; problems: Diagnostic[] }> {
  const resources: GeneratedResources[] = [];
  const problems: Diagnostic[] = [];
  for (const file of new Set(flags.resources)) {
    const name = file === STDIN ? "<stdin>" : nameOf(path.resolve(world.cwd, file), folder, file);
    const read = await readOne(world, file, name);
    if ("problem" in read) problems.push(read.problem);
    else resources.push({ name, text: read.text });
  }
  return { resources, problems };
}

function nameOf(file: string, folder: string, given: string): string {
  const relative = path.relative(folder, file);
  const isOutside = relative.startsWith("..") || path.isAbsolute(relative);
  const name = relative === "" || (isOutside && path.isAbsolute(given)) ? given : relative;
  return name.replaceAll(path.sep, "/");
}

async function readOne(world: World, file: string, name: string): Promise<FileText> {
  try {
    const bytes = file === STDIN ? await piped(world) : await readFrom(locateNamed(world.cwd, file));
    const read = decodeText(bytes, name, null);
    return "text" in read ? { text: read.text.replace(/^\uFEFF/, "") } : read;
  } catch (cause) {
    const place = { file: name, line: 1, column: 1 };
    if (cause instanceof PathError) return { problem: error(cause.code, cause.message, place, cause.hint) };
    const missing = osCode(cause) === "ENOENT" ? "does not exist" : `cannot be read (${osCode(cause)})`;
    const hint = "Correct the path in --resources, or pass `-` for standard input.";
    return { problem: error("resources-unreadable", `This file ${missing}.`, place, hint) };
  }
}

/** Standard input, up to the size of a file. */
export async function piped({ stdin }: World): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stdin) {
    const bytes = typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk;
    size += bytes.length;
    if (size > MAX_BYTES) throw tooLarge("standard input", MAX_BYTES);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}
