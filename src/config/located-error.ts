// A user error that has a place in a file, so that it can be shown like any other finding.

import type { Place } from "../domain/place.ts";
import { UserError } from "../errors.ts";

/** `place` is null where no file is to blame. */
export class LocatedError extends UserError {
  readonly place: Place | null;

  constructor(code: string, message: string, place: Place | null, hint: string) {
    super(code, message, { hint });
    this.place = place;
  }
}
