// UTM parameters, which analytics tools read: how the `utm` of a link becomes part of its destinations, and the way back.

/** The keys of `utm`, in the order in which their parameters are appended. */
export const UTM_KEYS = ["source", "medium", "campaign", "term", "content", "id"] as const;

export type UtmKey = (typeof UTM_KEYS)[number];

export type UtmValues = ReadonlyMap<UtmKey, string>;

/** The values that a project allows for one key. A pattern is for the whole value. */
export type AllowedUtm = ({ readonly values: readonly string[] } | { readonly pattern: string }) & {
  readonly matches: (value: string) => boolean;
};

/** The keys that are missing may have any value. */
export type UtmVocabulary = ReadonlyMap<UtmKey, AllowedUtm>;

/** Values that fit into a URL and into one line of a report. The limit is the one of a URL. */
export const UTM_VALUE = /^[^\p{Cc}\p{Cs}]{1,2048}$/u;

/** Whether a file can declare this value. Texts of files are trimmed. */
export function isUtmValue(value: string): boolean {
  return UTM_VALUE.test(value) && value.trim() === value;
}

export function utmParameter(key: UtmKey): string {
  return `utm_${key}`;
}

export const KEY_OF: ReadonlyMap<string, UtmKey> = new Map(UTM_KEYS.map((key) => [utmParameter(key), key]));

export interface UtmParameter {
  readonly key: UtmKey;
  /** Decoded as browsers and analytics tools do. */
  readonly value: string;
  /** As the URL has it. */
  readonly written: string;
}

/**
 * Appends UTM parameters before the `#`. The other characters of the URL stay. A parameter that the URL already has with the same
 * value is not appended again; with another value, it is a conflict. Only http and https URLs have UTM parameters: apps define the parameters of their own schemes.
 */
export function applyUtm(url: string, utm: UtmValues): { readonly url: string; readonly conflicts: UtmParameter[] } {
  const conflicts: UtmParameter[] = [];
  if (utm.size === 0 || !hasUtmParameters(url)) return { url, conflicts };
  const { before, query, fragment } = partsOf(url);
  const present = parametersOf(query);
  const appended: string[] = [];
  for (const key of UTM_KEYS) {
    const value = utm.get(key);
    if (value === undefined) continue;
    const given = present.filter((parameter) => parameter.key === key);
    const other = given.find((parameter) => parameter.value !== value);
    if (other !== undefined) conflicts.push({ ...other, key });
    else if (given.length === 0) appended.push(`${utmParameter(key)}=${encodeURIComponent(value)}`);
  }
  if (appended.length === 0) return { url, conflicts };
  const joint = query === null ? "?" : query === "" || query.endsWith("&") ? "" : "&";
  const start = query === null ? before : `${before}?${query}`;
  return { url: `${start}${joint}${appended.join("&")}${fragment}`, conflicts };
}

/**
 * A URL without its UTM parameters, and their decoded values in the order of `UTM_KEYS`. A parameter that has no value or that the
 * URL repeats stays in the address. `keys` limits the parameters.
 */
export function splitUtm(
  url: string,
  keys: readonly UtmKey[] = UTM_KEYS,
): { readonly address: string; readonly utm: UtmValues } {
  const { before, query, fragment } = partsOf(url);
  if (query === null || !hasUtmParameters(url)) return { address: url, utm: new Map() };
  const parameters = parametersOf(query);
  const utm = new Map<UtmKey, string>();
  for (const key of UTM_KEYS) {
    const [found, ...repeated] = parameters.filter((parameter) => parameter.key === key);
    const isSplit = keys.includes(key) && repeated.length === 0;
    if (found !== undefined && found.value !== "" && isSplit) utm.set(key, found.value);
  }
  const rest = parameters.filter(({ key }) => key === null || !utm.has(key)).map(({ written }) => written);
  return { address: `${before}${rest.length === 0 ? "" : `?${rest.join("&")}`}${fragment}`, utm };
}

/** The UTM parameters that a URL has, in its order. */
export function utmParametersIn(url: string): UtmParameter[] {
  if (!hasUtmParameters(url)) return [];
  return parametersOf(partsOf(url).query).flatMap(({ key, ...rest }) => (key === null ? [] : [{ key, ...rest }]));
}

function hasUtmParameters(url: string): boolean {
  return /^https?:/i.test(url);
}

/** `query` is null if the URL has no `?` before its fragment. */
function partsOf(url: string): { before: string; query: string | null; fragment: string } {
  const [, before = "", query = null, fragment = ""] = /^([^?#]*)(?:\?([^#]*))?(.*)$/s.exec(url) ?? [];
  return { before, query, fragment };
}

/** `key` is null for other parameters. */
type Parameter = Omit<UtmParameter, "key"> & { readonly key: UtmKey | null };

function parametersOf(query: string | null): Parameter[] {
  return (query ?? "").split("&").map((written) => {
    const [name, value] = nameAndValue(written);
    return { written, key: KEY_OF.get(name) ?? null, value };
  });
}

/** The parameters of a query, decoded as `URLSearchParams` does, which takes several times as long. */
export function queryParameters(query: string): (readonly [name: string, value: string])[] {
  return query.split("&").flatMap((written) => (written === "" ? [] : [nameAndValue(written)]));
}

function nameAndValue(written: string): readonly [name: string, value: string] {
  if (/[%+\uD800-\uDFFF]/.test(written)) {
    // Without the `&`, a `?` at the start would be removed.
    const [pair = ["", ""]] = new URLSearchParams(`&${written}`);
    return pair;
  }
  const equals = written.indexOf("=");
  return equals < 0 ? [written, ""] : [written.slice(0, equals), written.slice(equals + 1)];
}
