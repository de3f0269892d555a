// Errors outside the files, and the exit codes. Every folder may import this file.

/** Exit codes. Pipelines rely on them. */
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

/** An error that a user can fix: what is wrong and what to do. */
export class UserError extends Error {
  override readonly name = "UserError";
  readonly code: string;
  readonly hint: string | null;
  readonly exit: ExitCode;

  constructor(code: string, message: string, options: { hint?: string; exit?: ExitCode; cause?: unknown } = {}) {
    super(message, options);
    this.code = code;
    this.hint = options.hint ?? null;
    this.exit = options.exit ?? EXIT.error;
  }
}

/** An error in the arguments, flags or variables of a command, which ends with the exit code of wrong usage. */
export function usageError(code: string, message: string, options: { readonly hint: string }): UserError {
  return new UserError(code, message, { ...options, exit: EXIT.usage });
}

/** Why the service could not be used. Each code has its own hint. */
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
  /** Somebody else changed or used the record after it was read. */
  | "moved"
  | "not-json"
  | "redirect"
  | "shape"
  /** The answers fit no known version of the service, or not the declared one. */
  | "unknown-software"
  | "incomplete-list"
  | "server-error"
  | "method-refused";

/** A field that the service rejected: its name on the wire, and the service's message. */
export interface FieldRefusal {
  readonly wire: string;
  /** The field's path in the files; null if it is not known. */
  readonly path?: string | null;
  readonly messages: readonly string[];
}

/**
 * The possible effect of a failed request. "none": the service did not get it, or rejected it. "ended": the service has
 * finished it, with or without an effect. "unknown": it may still be processed.
 */
export type Aftermath = "none" | "ended" | "unknown";

/** The service did not answer, or not as expected. Contains no key and no secret. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly code: ServiceErrorCode;
  readonly hint: string | null;
  /** The HTTP status; null without an answer. */
  readonly status: number | null;
  /** The rejected fields of a 422. */
  readonly refusals: readonly FieldRefusal[];
  /** No connection was opened, so the service did not get the request. */
  readonly neverSent: boolean;
  readonly aftermath: Aftermath;

  constructor(
    code: ServiceErrorCode,
    message: string,
    options: {
      hint?: string | null | undefined;
      status?: number | null;
      refusals?: readonly FieldRefusal[];
      neverSent?: boolean;
      aftermath?: Aftermath;
      cause?: unknown;
    } = {},
  ) {
    super(message, options);
    this.code = code;
    this.hint = options.hint ?? null;
    this.status = options.status ?? null;
    this.refusals = options.refusals ?? [];
    this.neverSent = options.neverSent ?? false;
    this.aftermath = this.neverSent ? "none" : (options.aftermath ?? aftermathOf(code, this.status));
  }

  /** The same error with these refusals, or with another aftermath: that of an earlier try, or none because only a read failed. */
  with({
    refusals = this.refusals,
    aftermath = this.aftermath,
  }: Partial<Pick<ServiceError, "refusals" | "aftermath">>): ServiceError {
    const { code, message, hint, status, cause } = this;
    const neverSent = this.neverSent && aftermath === "none";
    return new ServiceError(code, message, { hint, status, refusals, neverSent, aftermath, cause });
  }

  /** Whether the service may have acted on the request. */
  get mayHaveActed(): boolean {
    return this.aftermath !== "none";
  }
}

function aftermathOf(code: ServiceErrorCode, status: number | null): Aftermath {
  // A 408 or 425 may come from a proxy that has forwarded the request.
  if (status !== null && status >= 400 && status < 500 && status !== 408 && status !== 425) return "none";
  // A complete JSON answer: an unknown form of a record, or the framework's "Server Error".
  return code === "shape" || code === "redirect" || (code === "server-error" && status === 500) ? "ended" : "unknown";
}
