// Quotes foreign text in a message: one line, without control characters for the terminal. Secrets are removed by redact.ts.

/** White space, control characters, half characters, marks that change the direction of a text, and characters without width. */
const UNFIT = /[\s\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]+/gu;
/** Bytes of a body that a message can quote. */
export const MOST_QUOTED: number = 64 * 1024;
const MOST_KEYS = 8;
const LONGEST_KEY = 30;
const LONGEST_STRING = 60;

/** The text in one line of at most `most` characters. */
export function oneLine(text: string, most: number): string {
  const line = text.replaceAll(UNFIT, " ").trim();
  return line.length > most ? `${line.slice(0, most).replace(/\p{Cs}$/u, "")}…` : line;
}

/** Quotes a string, and describes any other JSON value. A long text is left out, because a report cannot find a secret in a part of one. */
export function quote(json: unknown): string {
  return typeof json === "string" && json.length <= LONGEST_STRING
    ? `"${oneLine(json, LONGEST_STRING)}"`
    : describe(json);
}

/** Describes a JSON value without its strings: a response in an unknown form may repeat the request, with the API key and passwords. */
export function describe(json: unknown): string {
  if (json === undefined) return "it is missing";
  if (typeof json === "string") return "a string";
  if (Array.isArray(json)) return `an array of length ${json.length}`;
  if (typeof json !== "object" || json === null) return JSON.stringify(json) ?? "nothing";
  const keys = Object.keys(json);
  if (keys.length === 0) return "an empty object";
  const shown = keys.filter((key) => key.length <= LONGEST_KEY).slice(0, MOST_KEYS);
  const names = shown.map((key) => `\`${oneLine(key, LONGEST_KEY)}\``);
  return `an object with ${[...names, ...(keys.length > shown.length ? ["…"] : [])].join(", ")}`;
}
