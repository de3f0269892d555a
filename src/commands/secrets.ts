// The texts of secrets: from LINKFORM_SECRET_… variables or files of the project, all had before the first write.

import { readFile, realpath } from "node:fs/promises";
import path from "node:path";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import type { SecretSource } from "../domain/project.ts";
import { FIELDS } from "../domain/table.ts";
import type { World } from "./context.ts";

/** The text of a secret that has been resolved. */
export type Secrets = (source: SecretSource) => string;

/** Resolves every source, or says which can't be had. Paths are relative to the project folder and stay inside it. */
export async function resolveSecrets(
  needed: readonly SecretSource[],
  folder: string,
  env: World["env"],
): Promise<{ secret: Secrets; diagnostics: Diagnostic[] }> {
  const texts = new Map<string, string>();
  const diagnostics: Diagnostic[] = [];
  for (const source of needed) {
    const text = source.from === "env" ? (env[source.name] ?? "") : await readSecretFile(folder, source.name);
    const problem = problemOf(source, text);
    if (problem === null) texts.set(keyOf(source), text ?? "");
    else diagnostics.push(problem);
  }
  const secret = (source: SecretSource): string => {
    const text = texts.get(keyOf(source));
    if (text === undefined) throw new Error(`the secret ${source.name} was not resolved`);
    return text;
  };
  return { secret, diagnostics };
}

function keyOf({ from, name }: SecretSource): string {
  return `${from} ${name}`;
}

/** What keeps the text from being sent. The text itself is never told. */
function problemOf({ from, name, place }: SecretSource, text: string | null): Diagnostic | null {
  if (text === null)
    return error(
      "secret-missing",
      `The file ${name} is not in the project folder, or can't be read.`,
      place,
      "Put it there before applying, or correct the path.",
    );
  if (text === "") {
    const hint = from === "env" ? `Set ${name} where \`linkform apply\` runs.` : "Put the password into it.";
    return error("secret-missing", `${name} is empty or not set.`, place, hint);
  }
  const longest = Math.min(...FIELDS.link.map((row) => (row.kind === "secret" ? row.longest : Infinity)));
  return [...text].length > longest
    ? error("secret-too-long", `${name} is longer than ${longest} characters.`, place, "Choose a shorter password.")
    : null;
}

/** A file's text without the line break that editors put at its end; null where it can't be had. */
async function readSecretFile(folder: string, name: string): Promise<string | null> {
  try {
    const root = await realpath(folder);
    const file = await realpath(path.resolve(root, name));
    const inside = path.relative(root, file);
    if (inside.startsWith("..") || path.isAbsolute(inside)) return null;
    return (await readFile(file, "utf8")).replace(/\r?\n$/, "");
  } catch {
    return null;
  }
}
