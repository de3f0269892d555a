// Names for the variables of secrets that are live and have none yet.

import type { Live } from "../domain/change.ts";
import type { Declaration } from "../domain/project.ts";
import { KEY_FIELD } from "../domain/table.ts";

/** What a name is made of. */
type Subject = Pick<Live, "kind" | "id" | "values">;

/** Each is made up from the key, and given once: neither twice here nor where a file has it already. */
export class VariableNames {
  readonly #taken: Set<string>;
  readonly #names = new Map<string, string>();

  constructor(declarations: readonly Declaration[]) {
    this.#taken = new Set(declarations.flatMap(({ secrets }) => [...secrets.values()].map(({ name }) => name)));
  }

  /** A name for the secret in this field of a live object: the same one whenever it is asked for. */
  nameFor({ kind, id, values }: Subject, path: string): string {
    const secret = `${kind} ${id} ${path}`;
    const name = this.#names.get(secret) ?? this.nameOf(String(values.get(KEY_FIELD[kind]) ?? ""), path, id);
    this.#names.set(secret, name);
    return name;
  }

  /** A new name for a secret of what has this alias or name; where it is taken, with a number behind it, from this one on. */
  nameOf(key: string, path: string, number: number): string {
    const name = ["LINKFORM_SECRET", inCapitals(key), inCapitals(path)].filter(Boolean).join("_");
    let free = name;
    for (let more = number; this.#taken.has(free); more += 1) free = `${name}_${more}`;
    this.#taken.add(free);
    return free;
  }
}

/** What of a text can stand in the name of a variable. */
function inCapitals(text: string): string {
  return text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, "_")
    .replaceAll(/^_+|_+$/g, "");
}
