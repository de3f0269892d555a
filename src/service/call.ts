// A request before it has an address and a key.

/** `path` begins with a slash and is put behind the base address; `form` is an encoded body. */
export interface Call {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly form?: string;
  /** A page instead of JSON says something here: there may be no such path. So it is not asked for again. */
  readonly mayBeNoPath?: boolean;
}
