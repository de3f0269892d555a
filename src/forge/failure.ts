// What keeps a forge, which is GitHub or GitLab, from doing what it was asked.

import { UserError } from "../errors.ts";

export interface FailureDetails {
  readonly hint: string;
  /** The HTTP status, where there was an answer. */
  readonly status?: number;
  /** What the forge said of it, in one line. */
  readonly words?: string;
  /** It may have acted on the request all the same. */
  readonly mayHaveActed?: boolean;
  readonly cause?: unknown;
}

/** A forge did not answer, or refused. Never holds the token. */
export class ForgeFailure extends UserError {
  readonly status: number | null;
  readonly words: string;
  readonly mayHaveActed: boolean;

  constructor(code: string, message: string, { hint, status, words, mayHaveActed, cause }: FailureDetails) {
    super(code, message, { hint, cause });
    this.status = status ?? null;
    this.words = words ?? "";
    this.mayHaveActed = mayHaveActed ?? false;
  }
}
