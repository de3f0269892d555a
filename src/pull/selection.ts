// Selects the objects of a pull by key or by filters.

import { Refusal } from "../config/located-error.ts";
import type { Desired, Live } from "../domain/change.ts";
import { error } from "../domain/diagnostic.ts";
import { keyMatcher } from "../domain/glob.ts";
import { meansName, type NamedKey } from "../domain/named-key.ts";
import { didYouMean, nearest } from "../domain/nearest.ts";
import type { Project, WrittenKey } from "../domain/project.ts";
import { KEY_FIELD, REFERENCE_FIELD } from "../domain/table.ts";
import { textsOf, type Value } from "../domain/value.ts";
import type { NameDirectory } from "../plan/directory.ts";
import type { Resolved } from "../plan/resolve.ts";
import { UserError } from "../errors.ts";
import { ambiguousKey, nearestKey } from "../session/find.ts";

/** Without any criteria, everything is selected. */
export interface PullCriteria {
  readonly keys: readonly NamedKey[];
  readonly domains: readonly string[];
  /** Like `domains`; `none` matches links in no space. */
  readonly spaces: readonly string[];
  readonly aliases: readonly string[];
}

/** Whether a live record is selected, or a declared object that is not live. */
export type PullSelection = (one: Live | Desired) => boolean;

export function isFiltered({ domains, spaces, aliases }: PullCriteria): boolean {
  return domains.length + spaces.length + aliases.length > 0;
}

/** Throws a user error for a domain, space or key that is neither live nor declared, unless `mayBeGone`, and for an ambiguous alias. */
export function selectRecords(criteria: PullCriteria, resolved: Resolved, mayBeGone = false): PullSelection {
  if (criteria.keys.length > 0) return byKey(criteria.keys, resolved, mayBeGone);
  if (!isFiltered(criteria)) return () => true;
  const { side, live } = resolved;
  const among = (what: "domain" | "space", texts: readonly string[]): PullSelection => {
    const names = new Set<Value>(texts.flatMap((text) => shownName(what, text, side[`${what}s`], mayBeGone)));
    return ({ values }) => texts.length === 0 || names.has(values.get(REFERENCE_FIELD[what]) ?? null);
  };
  const filters = [among("domain", criteria.domains), among("space", criteria.spaces)];
  const isAlias = criteria.aliases.length === 0 ? () => true : keyMatcher(criteria.aliases);
  const matches = (one: Live | Desired): boolean =>
    one.kind === "link" && filters.every((fits) => fits(one)) && isAlias(String(one.values.get(KEY_FIELD.link)));
  if (!mayBeGone && ![...live, ...resolved.desired].some(matches))
    throw new UserError("nothing-asked", "No link matches these filters.", {
      hint: "Run `linkform list` to see the live links.",
    });
  // Pixels are selected through the links that use them.
  const used = new Set(
    live.filter(matches).flatMap(({ values }) => textsOf(values.get(REFERENCE_FIELD.pixel) ?? null)),
  );
  return (one) =>
    matches(one) || (one.kind === "pixel" && "id" in one && used.has(side.pixels.ofRecord(one.id, one.key)));
}

/** The display name of a domain or space; null for no space. Empty for one that nothing has, if that is no error. */
function shownName(what: "domain" | "space", text: string, names: NameDirectory, mayBeGone: boolean): Value[] {
  if (what === "space" && text === "none") return [null];
  const found = [...names.ids].find(([, id]) => isNameOf(text, id, names));
  if (found !== undefined) return [found[0]];
  if (mayBeGone) return [];
  const known = [...names.ids.keys()];
  const hint = didYouMean(nearest(text, known), `Known ${what}s: ${known.join(", ")}.`);
  throw new UserError(`unknown-${what}`, `Unknown ${what} \`${text}\`.`, { hint });
}

function isNameOf(text: string, id: number, names: NameDirectory): boolean {
  const folded = text.toLowerCase();
  return [...names.namesOf(id)].some((name) => name.toLowerCase() === folded);
}

/** The part of the project that these keys concern: these links, and all pixels, because links refer to them. Without keys, all of it. */
export function narrowProject(project: Project, keys: readonly NamedKey[]): Project {
  if (keys.length === 0) return project;
  // The domain is compared later, with the account's names.
  const isKept = ({ kind, name }: WrittenKey): boolean =>
    kind === "pixel" || keys.some((key) => meansName(key, kind, name));
  return {
    ...project,
    declarations: project.declarations.filter(
      (one) => isKept(one) || (one.renamedFrom !== null && isKept(one.renamedFrom)),
    ),
    tombstones: project.tombstones.filter(isKept),
    policy: { ...project.policy, prune: { mode: "none", place: null } },
  };
}

function byKey(
  keys: readonly NamedKey[],
  { side, live, unreadable, claims }: Resolved,
  mayBeGone: boolean,
): PullSelection {
  const matches = (key: NamedKey, one: Live | Desired): boolean => {
    if (!meansName(key, one.kind, String(one.values.get(KEY_FIELD[one.kind])))) return false;
    const shown = one.values.get(REFERENCE_FIELD.domain);
    // A link with an unreadable domain may be on any domain.
    if (key.domain === null || shown === undefined) return true;
    const id = typeof shown === "string" ? side.domains.ids.get(shown) : undefined;
    return id !== undefined && isNameOf(key.domain, id, side.domains);
  };
  const all = [...live, ...unreadable, ...claims.map(({ desired }) => desired)];
  // By identity, because a plan of the new files resolves the same objects again.
  const wanted = new Set<string>();
  for (const key of keys) {
    const found = all.filter((one) => matches(key, one));
    const names = new Map(found.map((one) => [one.identity, `\`${one.kind}:${one.key}\``]));
    if (found.length === 0 && !mayBeGone) {
      const known = all.map((one) => one.key);
      const usual = "Use the key that a plan shows: `go.example.com/spring`, or the name of a pixel.";
      const hint = didYouMean(nearestKey(key, known), usual);
      throw new Refusal([error("unknown-key", `\`${key.text}\` is neither live nor declared.`, null, hint)]);
    }
    if (names.size > 1) throw new Refusal([ambiguousKey(key.text, [...names.values()])]);
    for (const one of found) wanted.add(nameOf(one));
  }
  // The claim also selects the live record, which has another key before a rename.
  const renamed = claims.flatMap(({ desired, live: record }) =>
    record !== undefined && wanted.has(nameOf(desired)) ? [nameOf(record)] : [],
  );
  for (const name of renamed) wanted.add(name);
  return (one) => wanted.has(nameOf(one));
}

/** The name of an object in every resolution of the same account. */
export function nameOf({ kind, identity }: Pick<Live | Desired, "kind" | "identity">): string {
  return `${kind} ${identity}`;
}
