// What a declaration says, in canonical form.

import type { Declared } from "../domain/project.ts";
import type { Value, Values } from "../domain/value.ts";

/** The values that the files give, and in place of some the canonical one: nothing, where the account knows of none. */
export class DeclaredValues implements Values {
  readonly #said: ReadonlyMap<string, Declared>;
  readonly #settled: ReadonlyMap<string, Value | undefined> | null;

  constructor(said: ReadonlyMap<string, Declared>, settled: ReadonlyMap<string, Value | undefined> | null) {
    this.#said = said;
    this.#settled = settled;
  }

  get(path: string): Value | undefined {
    return this.#settled?.has(path) === true ? this.#settled.get(path) : this.#said.get(path)?.value;
  }

  has(path: string): boolean {
    return this.get(path) !== undefined;
  }
}
