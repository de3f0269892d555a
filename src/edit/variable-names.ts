// Names for the environment variables of live secrets.

import type { Live } from "../domain/change.ts";
import type { Declaration } from "../domain/project.ts";
import { KEY_FIELD } from "../domain/table.ts";

type Subject = Pick<Live, "kind" | "id" | "values">;

/** A longer key is cut, so that its line is as `fmt` writes it. */
const MAX_KEY_LENGTH = 40;

/** Names are derived from the key. Each name is used once, also across the files of the project. */
export class VariableNames {
  readonly #taken: Set<string>;
  readonly #names = new Map<string, string>();

  constructor(declarations: readonly Declaration[]) {
    this.#taken = new Set(declarations.flatMap(({ secrets }) => [...secrets.values()].map(({ name }) => name)));
  }

  /** The name for a secret field of a live object. The same field always gets the same name. */
  nameFor({ kind, id, values }: Subject, path: string): string {
    const secret = `${kind} ${id} ${path}`;
    const name = this.#names.get(secret) ?? this.nameOf(String(values.get(KEY_FIELD[kind]) ?? ""), path, id);
    this.#names.set(secret, name);
    return name;
  }

  /** A new name for a secret of this key. If it is taken, a number is added, counting from `number`. */
  nameOf(key: string, path: string, number: number): string {
    const start = inCapitals(key).slice(0, MAX_KEY_LENGTH).replace(/_$/, "");
    const name = ["LINKFORM_SECRET", start, inCapitals(path)].filter(Boolean).join("_");
    let free = name;
    for (let more = number; this.#taken.has(free); more += 1) free = `${name}_${more}`;
    this.#taken.add(free);
    return free;
  }
}

function inCapitals(text: string): string {
  return text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, "_")
    .replaceAll(/^_+|_+$/g, "");
}
