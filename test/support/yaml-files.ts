// The YAML files of this repository.

import { readdir } from "node:fs/promises";
import path from "node:path";

/** Those below a folder, by their path from the root, sorted. */
export async function yamlFilesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && /\.ya?ml$/.test(entry.name));
  return files.map(({ parentPath, name }) => path.join(parentPath, name)).toSorted();
}
