// Reads one object of a seed or data file, field by field; what is wrong is said with its place.

/** A kind of value, and what to call it in a message. */
export interface Kind<T> {
  readonly name: string;
  is(value: unknown): value is T;
}

export const text: Kind<string> = { name: "a text", is: (value) => typeof value === "string" };
export const flag: Kind<boolean> = { name: "true or false", is: (value) => typeof value === "boolean" };
export const instant: Kind<string> = {
  name: "an instant such as 2027-03-01T09:30:00Z",
  is: (value): value is string =>
    typeof value === "string" && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) && !Number.isNaN(Date.parse(value)),
};

export function integer(min: number, max: number = Number.MAX_SAFE_INTEGER): Kind<number> {
  const range = max === Number.MAX_SAFE_INTEGER ? `from ${min}` : `from ${min} to ${max}`;
  const is = (value: unknown): value is number =>
    typeof value === "number" && Number.isInteger(value) && value >= min && value <= max;
  return { name: `a whole number ${range}`, is };
}

export function nullable<T>(kind: Kind<T>): Kind<T | null> {
  return { name: `${kind.name} or null`, is: (value): value is T | null => value === null || kind.is(value) };
}

export function list<T>(kind: Kind<T>): Kind<T[]> {
  return {
    name: `a list, each ${kind.name}`,
    is: (value): value is T[] => Array.isArray(value) && value.every((item) => kind.is(item)),
  };
}

export function record<T>(kind: Kind<T>): Kind<Record<string, T>> {
  return {
    name: `an object, each value ${kind.name}`,
    is: (value): value is Record<string, T> => isObject(value) && Object.values(value).every((item) => kind.is(item)),
  };
}

const anything: Kind<unknown> = { name: "an object", is: (_value): _value is unknown => true };

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export class Fields {
  readonly #source: string;
  readonly #path: string;
  readonly #rest: Map<string, unknown>;

  /**
   * @param source what holds the object, for messages: a file's name
   * @param path where in it: `links[3]`; empty for the whole
   */
  constructor(value: unknown, source: string, path: string = "") {
    this.#source = source;
    this.#path = path;
    if (!isObject(value)) this.fail("must be an object");
    this.#rest = new Map(Object.entries(value));
  }

  /** A field that must be there, unless there is something to take instead. */
  take<T>(field: string, kind: Kind<T>, otherwise?: T): T {
    const given = this.#rest.get(field);
    this.#rest.delete(field);
    const value = given === undefined ? otherwise : given;
    if (value === undefined) this.fail("is missing", field);
    if (!kind.is(value)) this.fail(`must be ${kind.name}`, field);
    return value;
  }

  /** A field that may be absent. */
  takeOptional<T>(field: string, kind: Kind<T>): T | undefined {
    if (this.#rest.get(field) !== undefined) return this.take(field, kind);
    this.#rest.delete(field);
    return undefined;
  }

  /** The objects listed under a field, each to be read in turn. */
  rows(field: string, otherwise: readonly unknown[] = []): Fields[] {
    return this.take(field, list(anything), [...otherwise]).map((row, at) => this.#inner(row, `${field}[${at}]`));
  }

  /** The object under a field; absent is empty. */
  object(field: string): Fields {
    return this.#inner(this.take(field, anything, {}), field);
  }

  /** Nothing else may be there: a misspelt field must not go unnoticed. */
  end(): void {
    for (const field of this.#rest.keys()) this.fail("is not a field of the sandbox's state", field);
  }

  fail(problem: string, field?: string): never {
    const place = [this.#path, field].filter(Boolean).join(".") || "the whole";
    throw new Error(`${this.#source}: ${place} ${problem}.`);
  }

  #inner(value: unknown, path: string): Fields {
    return new Fields(value, this.#source, this.#path === "" ? path : `${this.#path}.${path}`);
  }
}
