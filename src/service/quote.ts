// What a stranger's answer says, made fit for a message: one line, nothing that steers a terminal, no secrets.

/** White space, control characters, half characters, and the marks that turn the direction of a text. */
const UNFIT = /[\s\p{Cc}\p{Cs}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]+/gu;
const HIDDEN = "(hidden)";
/** Hiding every "a" would hide nothing and spoil the message. */
const SHORTEST_SECRET = 4;
const MOST_KEYS = 8;

/** The text in one line of at most `most` characters. */
export function oneLine(text: string, most: number): string {
  const line = text.replaceAll(UNFIT, " ").trim();
  return line.length > most ? `${line.slice(0, most).replace(/\p{Cs}$/u, "")}…` : line;
}

/** The text without these secrets, also where they stand encoded as in JSON or in a form. */
export function hide(text: string, secrets: readonly string[]): string {
  return secrets
    .flatMap((secret) => (secret.length < SHORTEST_SECRET ? [] : spellings(secret)))
    .reduce((left, secret) => left.replaceAll(secret, HIDDEN), text);
}

function spellings(secret: string): string[] {
  return [secret, JSON.stringify(secret).slice(1, -1), new URLSearchParams([["", secret]]).toString().slice(1)];
}

/**
 * What kind of JSON this is. Texts are quoted only if `quote` says that they can't be secret: an answer in an unknown
 * form may repeat the request, key and passwords included.
 */
export function describe(json: unknown, quote: boolean): string {
  if (json === undefined) return "it is missing";
  if (typeof json === "string") return quote ? `"${oneLine(json, 60)}"` : "a text";
  if (Array.isArray(json)) return `a list of ${json.length}`;
  if (typeof json !== "object" || json === null) return JSON.stringify(json) ?? "nothing";
  const keys = Object.keys(json);
  if (keys.length === 0) return "an empty object";
  const shown = keys.slice(0, MOST_KEYS).map((key) => `\`${oneLine(key, 30)}\``);
  return `an object with ${shown.join(", ")}${keys.length > MOST_KEYS ? ", …" : ""}`;
}
