// Reads secrets from LINKFORM_SECRET_… variables or files of the project, all of them before the first write.

import { error, type Diagnostic } from "../domain/diagnostic.ts";
import type { Declaration, SecretSource } from "../domain/project.ts";
import { FIELDS } from "../domain/table.ts";
import { ProjectFolder } from "../files/folder.ts";
import type { World } from "./context.ts";

/** Hides the passwords that these declarations take from files of the project. */
export async function hideSecretFiles(
  { secrets }: Pick<World, "secrets">,
  folder: string,
  declarations: readonly Declaration[],
): Promise<void> {
  const sources = declarations.flatMap((one) => [...one.secrets.values()]);
  const names = new Set(sources.flatMap(({ from, name }) => (from === "file" ? name : [])));
  for (const name of names) secrets.add((await readSecretFile(folder, name)) ?? "");
}

export type ResolvedSecrets = (source: SecretSource) => string;

/** Reads every source; a missing one is an error. Paths are relative to the project folder and stay inside it. */
export async function resolveSecrets(
  needed: readonly SecretSource[],
  folder: string,
  env: World["env"],
): Promise<{ secret: ResolvedSecrets; diagnostics: Diagnostic[] }> {
  const texts = new Map<string, string>();
  const diagnostics: Diagnostic[] = [];
  for (const source of needed) {
    const text = source.from === "env" ? (env[source.name] ?? "") : await readSecretFile(folder, source.name);
    const problem = problemOf(source, text);
    if (problem === null) texts.set(sourceKey(source), text ?? "");
    else diagnostics.push(problem);
  }
  const secret = (source: SecretSource): string => {
    const text = texts.get(sourceKey(source));
    if (text === undefined) throw new Error(`the secret ${source.name} was not resolved`);
    return text;
  };
  return { secret, diagnostics };
}

function sourceKey({ from, name }: SecretSource): string {
  return `${from} ${name}`;
}

/** Why a text cannot be sent. No message contains the text. */
function problemOf({ from, name, place }: SecretSource, text: string | null): Diagnostic | null {
  if (text === null) {
    const message = `The file ${name} is missing from the project folder or cannot be read.`;
    const hint = "Create the file before you apply, or correct the path.";
    return error("secret-missing", message, place, hint);
  }
  if (text === "") {
    return from === "env"
      ? error("secret-missing", `${name} is empty or not set.`, place, `Set ${name} where \`linkform apply\` runs.`)
      : error("secret-missing", `The file ${name} is empty.`, place, "Write the password into the file.");
  }
  const found = REFUSALS.find(({ refuses }) => refuses(text));
  return found === undefined ? null : error(found.code, `${name} ${found.says}`, place, found.hint);
}

const SECRETS = FIELDS.link.flatMap((field) => (field.kind === "secret" ? [field] : []));
const MAX_CHARACTERS = Math.min(...SECRETS.map(({ longest }) => longest));
const MEANS_NONE = new Set(SECRETS.flatMap(({ meansNone }) => meansNone));

/** Passwords that the service rejects or that visitors cannot enter. The messages must not show the text. */
const REFUSALS = [
  {
    code: "secret-ignored",
    refuses: (text: string) => MEANS_NONE.has(text),
    says: "has a value that the service treats as no password, so the link would stay open.",
    hint: "Choose another password.",
  },
  {
    code: "secret-unusable",
    refuses: (text: string) => text.trim() === "",
    says: "contains only white space.",
    hint: "Choose a password that people can type.",
  },
  {
    code: "secret-unusable",
    refuses: (text: string) => /\p{Cc}/u.test(text),
    says: "contains a line break or another control character, which nobody can type.",
    hint: "Check how it was set. A line break at the end of a variable is part of the password.",
  },
  {
    code: "secret-unusable",
    refuses: (text: string) => /[\p{Cs}\uFFFD]/u.test(text),
    says: "is not valid UTF-8.",
    hint: "Save it as UTF-8.",
  },
  {
    code: "secret-too-long",
    refuses: (text: string) => [...text].length > MAX_CHARACTERS,
    says: `is longer than ${MAX_CHARACTERS} characters.`,
    hint: "Choose a shorter password.",
  },
];

const MAX_SECRET_BYTES = 64 * 1024;

/** A file's text without the byte order mark and the final line break that editors add; null if it cannot be read. */
async function readSecretFile(folder: string, name: string): Promise<string | null> {
  try {
    const bytes = await new ProjectFolder(folder).read(name, MAX_SECRET_BYTES);
    return bytes.toString("utf8").replace(/^\uFEFF|\r?\n$/g, "");
  } catch {
    return null;
  }
}
