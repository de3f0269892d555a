// The files written by linkform that git must ignore: those that belong to one machine and one run.

/** Not all of `.linkform`: the copies of schemas in it should be committed. */
const IGNORED = ["**/.linkform/receipts/", "**/.linkform/unfinished-write.json", ".linkform-*.tmp"];

/** A `.gitignore` with these lines, added once and with its own line breaks; `before` is null if there is none. */
export function withIgnored(before: string | null): string {
  const text = before ?? "";
  const there = new Set(text.split(/\r?\n/).map((line) => line.trim()));
  const missing = IGNORED.filter((line) => !there.has(line));
  if (missing.length === 0) return text;
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const start = text === "" || text.endsWith("\n") ? text : `${text}${end}`;
  return start + ["# Files of linkform that belong to one machine", ...missing].map((line) => line + end).join("");
}
