// What stands behind the objects that the library hands out. Nobody can make such an object by hand, nor change a plan
// between looking at it and applying it.

import { UserError } from "../errors.ts";

export class Internals<Shown extends object, Inner> {
  readonly #maker: string;
  readonly #inner = new WeakMap<Shown, Inner>();

  /** `maker`: the function that makes these, as messages name it. */
  constructor(maker: string) {
    this.#maker = maker;
  }

  /** Hands out an object with something behind it. */
  keep(shown: Shown, inner: Inner): Shown {
    this.#inner.set(shown, inner);
    return shown;
  }

  /** What stands behind an object. Throws a user error for one that was made otherwise, such as a copy. */
  of(shown: Shown): Inner {
    const inner = this.#inner.get(shown);
    if (inner !== undefined) return inner;
    throw new UserError("not-made-here", `This is nothing that ${this.#maker} has returned.`, {
      hint: `Hand on the very object that ${this.#maker} returns: not a copy, not one of another process.`,
    });
  }
}
