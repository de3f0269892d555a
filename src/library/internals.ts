// The internal data of the objects that the library returns. Callers cannot create such an object, or change a plan before it is
// applied.

import { UserError } from "../errors.ts";

export class Internals<Shown extends object, Inner> {
  readonly #maker: string;
  readonly #inner = new WeakMap<Shown, Inner>();

  /** `maker` is the function that returns these objects; messages name it. */
  constructor(maker: string) {
    this.#maker = maker;
  }

  /** Attaches internal data to an object and returns the object. */
  keep(shown: Shown, inner: Inner): Shown {
    this.#inner.set(shown, inner);
    return shown;
  }

  /** The internal data of an object. Throws a user error for another object, such as a copy. */
  of(shown: Shown): Inner {
    const inner = this.#inner.get(shown);
    if (inner !== undefined) return inner;
    throw new UserError("not-made-here", `This object was not returned by ${this.#maker}.`, {
      hint: `Pass the object that ${this.#maker} returns, and not a copy or an object of another process.`,
    });
  }
}
