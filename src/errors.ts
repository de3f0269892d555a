// What can go wrong outside the files, and the exit code of every ending. Stands below everything.

/** Exit codes as pipelines know them. */
export const EXIT = {
  done: 0,
  error: 1,
  changes: 2,
  refused: 3,
  partial: 4,
  usage: 64,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Somebody's mistake or circumstance: says what is wrong and what to do. Its text may be shown as it is. */
export class UserError extends Error {
  override readonly name = "UserError";
  readonly code: string;
  readonly hint: string | null;
  readonly exit: ExitCode;

  constructor(code: string, message: string, options: { hint?: string; exit?: ExitCode; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.code = code;
    this.hint = options.hint ?? null;
    this.exit = options.exit ?? EXIT.error;
  }
}

/** Why the service could not be used; each has its own way out. */
export type ServiceErrorCode =
  | "unreachable"
  | "proxy"
  | "tls"
  | "timeout"
  | "unauthenticated"
  | "forbidden"
  | "not-found"
  | "refused"
  | "taken"
  | "doubled"
  | "account-changed"
  /** Somebody else changed or used the row after it was read. */
  | "moved"
  | "not-json"
  | "redirect"
  | "shape"
  /** The answers fit no known version of the service, or not the declared one. */
  | "unknown-software"
  | "incomplete-list"
  | "server-error"
  | "method-refused";

/** A refusal of one field: the name the service used for it, and its words. */
export interface FieldRefusal {
  readonly wire: string;
  /** The path of the field that it means; null if that is not known. */
  readonly path?: string | null;
  readonly messages: readonly string[];
}

/**
 * What may have become of a request that failed. "none": the service never had it, or refused it. "ended": whatever it
 * did, it is done with it. "unknown": it may be at it still.
 */
export type Aftermath = "none" | "ended" | "unknown";

/** The service did not answer, or not with what was asked for. Never holds a key or a secret. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly code: ServiceErrorCode;
  readonly hint: string | null;
  /** The HTTP status, where there was an answer. */
  readonly status: number | null;
  /** What the service said of single fields (422), by the service's own field names. */
  readonly refusals: readonly FieldRefusal[];
  /** The service never had the request: no connection stood. */
  readonly neverSent: boolean;
  readonly aftermath: Aftermath;

  constructor(
    code: ServiceErrorCode,
    message: string,
    options: {
      hint?: string;
      status?: number;
      refusals?: readonly FieldRefusal[];
      neverSent?: boolean;
      aftermath?: Aftermath;
      cause?: unknown;
    } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.code = code;
    this.hint = options.hint ?? null;
    this.status = options.status ?? null;
    this.refusals = options.refusals ?? [];
    this.neverSent = options.neverSent ?? false;
    this.aftermath = this.neverSent ? "none" : (options.aftermath ?? aftermathOf(code, this.status));
  }

  /** The same error with these refusals. */
  withRefusals(refusals: readonly FieldRefusal[]): ServiceError {
    const { code, message, hint, status, neverSent, aftermath, cause } = this;
    const given = { ...(hint !== null && { hint }), ...(status !== null && { status }) };
    return new ServiceError(code, message, { ...given, refusals, neverSent, aftermath, cause });
  }

  /** Whether the service may have acted on the request. */
  get mayHaveActed(): boolean {
    return this.aftermath !== "none";
  }
}

function aftermathOf(code: ServiceErrorCode, status: number | null): Aftermath {
  // A 408 or 425 may be the word of a proxy that had passed the request on.
  if (status !== null && status >= 400 && status < 500 && status !== 408 && status !== 425) return "none";
  // A whole answer in JSON: a row whose form is not understood, or the framework's "Server Error".
  return code === "shape" || code === "redirect" || (code === "server-error" && status === 500) ? "ended" : "unknown";
}
