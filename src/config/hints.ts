// What to do about a value that can't be: the word, address or key that was most likely meant.

import type { FieldRow } from "../domain/field.ts";
import { blockFields } from "../domain/table.ts";
import { nearest } from "../domain/nearest.ts";
import type { Node, ScalarNode } from "./tree.ts";
import { kindAt } from "./unknown-key.ts";

type Path = readonly PropertyKey[];

/** The row of the field at a path: `links.KEY.…`, `pixels.NAME.…` and `defaults.link.…` begin with two other steps. */
function rowAt(path: Path): FieldRow | undefined {
  const kind = kindAt(path.slice(0, 2));
  const field = path.slice(2).join(".");
  return kind === null ? undefined : blockFields(kind).find((row) => row.path === field);
}

/** Promise 4: `null` never opens; the field table knows the word that does. */
export function nullHint(path: Path): string | null {
  if (kindAt(path.slice(0, 2)) !== "link" || path.length < 3) return null;
  const field = path.slice(2).join(".");
  const row = blockFields("link").find(
    ({ path: own, opens }) => opens?.word != null && (own === field || own.startsWith(`${field}.`)),
  );
  return row === undefined ? null : `To clear it, write the word: \`${String(path.at(-1))}: ${row.opens?.word}\`.`;
}

const BOOLEANS: Readonly<Record<string, boolean>> = {
  yes: true,
  on: true,
  y: true,
  "1": true,
  true: true,
  no: false,
  off: false,
  n: false,
  "0": false,
  false: false,
};

/** What a misspelt value most likely means. `words` are those that fit, where they are few. */
export function wordHint(path: Path, { text, value }: ScalarNode, words: readonly string[]): string | null {
  const row = rowAt(path);
  if (words[0] === "true") {
    const word = text.toLowerCase();
    return Object.hasOwn(BOOLEANS, word) ? `Write \`${String(BOOLEANS[word])}\`, without quotes.` : null;
  }
  if (row?.kind === "secret") return null;
  const meant = typeof value === "string" ? nearest(text, words) : null;
  if (meant === text) return `Write \`${text}\` without quotes.`;
  if (meant !== null) return `Did you mean \`${meant}\`?`;
  return isDestination(path, row) ? addressHint(text) : null;
}

function addressHint(text: string): string | null {
  if (/^[“”„«‘’]/.test(text)) return "Use straight quotes, or none.";
  if (/\s/.test(text.trim())) return "An address holds no spaces: write them as %20.";
  if (/[{}|]/.test(text)) return "Write `{`, `}` and `|` as %7B, %7D and %7C.";
  if (/^[a-z][a-z0-9+.-]*:(?!\/\/)/i.test(text)) return "The service takes only addresses with `://` and a host.";
  return /^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+([/?#]\S*)?$/u.test(text)
    ? `Write the scheme as well: https://${text}.`
    : null;
}

function isDestination(path: Path, row: FieldRow | undefined): boolean {
  const above = rowAt(path.slice(0, -1));
  return (row?.kind === "text" && row.path.endsWith("url")) || above?.kind === "map" || above?.kind === "list";
}

/** The key of a target group that was most likely meant. */
export function keyHint(path: Path): string | null {
  const row = rowAt(path.slice(0, -1));
  if (row?.kind !== "map") return null;
  const key = String(path.at(-1));
  const inOtherCase = [key.toUpperCase(), key.toLowerCase(), key.split(/[-_]/)[0] ?? ""].find((text) =>
    row.keys.pattern.test(text),
  );
  const meant = nearest(key, row.keys.words) ?? inOtherCase;
  return meant === undefined ? null : `Did you mean \`${meant}\`?`;
}

/** A field that stands where a link or pixel should: its line is not indented enough. */
export function misplacedField(path: Path, node: Node): { message: string; hint: string } | null {
  const kind = kindAt(path);
  if (kind === null || path[0] === "defaults" || node.type === "map") return null;
  const key = String(path.at(-1));
  if (!blockFields(kind).some((row) => row.path.split(".")[0] === key)) return null;
  return {
    message: `\`${key}\` is a field, and stands where the key of a ${kind} should.`,
    hint: `Indent it below the ${kind} it belongs to.`,
  };
}
