// What most links of a new file agree on, said once for all of them.

import type { Live } from "../domain/change.ts";
import type { FieldSpec } from "../domain/field.ts";
import { blockFields, GROUPS, REFERENCE_FIELD } from "../domain/table.ts";
import { sameValue, type EffectiveDefaults, type Value } from "../domain/value.ts";
import { fileValue, type FileContext } from "../edit/file-values.ts";
import type { YamlContent, YamlEntry } from "../edit/yaml-text.ts";

/** The lines of `defaults.link`, and what is given to the links below them. */
export interface Factored {
  readonly entries: readonly YamlEntry[];
  readonly given: EffectiveDefaults;
}

/**
 * Fields that say what links belong to, or how they are handled: of these a default holds for the next link of the file, too. A
 * secret, a flag, a date, a count or a destination is a link's own, and would be a surprise to the next one.
 */
const SHARED: readonly FieldSpec[] = blockFields("link").filter(({ kind, path }) => {
  const group = GROUPS[path.split(".")[0] ?? path];
  return (kind === "reference" || kind === "references" || kind === "word") && group?.replacesAsWhole !== true;
});

/** `defaults:` and `link:`, and the empty line behind them. */
const HEAD_LINES = 3;

/**
 * The defaults that some links get in a file of their own, where `given` holds already: what more than half of them have, if that
 * saves lines. The domain is not counted in lines: it makes keys shorter once two links have it.
 */
export function factor(links: readonly Live[], given: EffectiveDefaults, context: FileContext): Factored {
  const found = SHARED.flatMap((row) => shared(row, links, given, context));
  const isOnDomain = found.some(({ row }) => row.path === REFERENCE_FIELD.domain);
  const saved = found.reduce((sum, one) => sum + one.saved, 0);
  const worth = isOnDomain || saved > HEAD_LINES ? found : [];
  return {
    entries: worth.map(({ row, content }) => ({ key: row.path, value: content })),
    given: new Map([...given, ...worth.map(({ row, value }) => [row.path, value] as const)]),
  };
}

interface SharedField {
  readonly row: FieldSpec;
  readonly value: Value;
  readonly content: YamlContent;
  /** How many lines fewer the file has. */
  readonly saved: number;
}

function shared(row: FieldSpec, links: readonly Live[], given: EffectiveDefaults, context: FileContext): SharedField[] {
  const counts = new Map<string, { readonly value: Value; readonly content: YamlContent; count: number }>();
  for (const { values } of links) {
    const value = values.get(row.path);
    const known = value === undefined ? undefined : counts.get(JSON.stringify(value));
    if (known !== undefined) {
      known.count += 1;
      continue;
    }
    const content = value === undefined ? undefined : fileValue(row, value, context);
    // A link of which nobody knows it, or that can't say it in its own lines, would be given what it does not have.
    if (value === undefined || content === undefined) return [];
    counts.set(JSON.stringify(value), { value, content, count: 1 });
  }
  const all = [...counts.values()];
  const most = all.find(({ count }) => count > links.length / 2);
  if (most === undefined) return [];
  const before = given.has(row.path) ? given.get(row.path) : row.default;
  const spent = (silent: Value | undefined): number =>
    all.reduce((sum, { value, content, count }) => {
      const goesWithoutSaying = silent !== undefined && sameValue(value, silent);
      return goesWithoutSaying ? sum : sum + count * linesOf(content);
    }, 0);
  if (before !== undefined && sameValue(most.value, before)) return [];
  const saved = spent(before) - spent(most.value) - linesOf(most.content);
  if (row.path === REFERENCE_FIELD.domain) return most.count < 2 ? [] : [{ ...most, row, saved: 0 }];
  return saved > 0 ? [{ ...most, row, saved }] : [];
}

function linesOf(content: YamlContent): number {
  return Array.isArray(content) ? 1 + content.length : 1;
}
