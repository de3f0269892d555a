// Values of random files: their content, shared if aliases share them.
/** The value of a key. An alias has the same object as its anchor. */
export interface Value {
  content: string | null | Value[] | Map<string, Value>;
}

export function value(content: Value["content"]): Value {
  return { content };
}

export function mapOf(entries: readonly (readonly [string, Value["content"]])[]): Value {
  return value(new Map(entries.map(([key, content]) => [key, value(content)])));
}
