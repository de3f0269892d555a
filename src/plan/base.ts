// What the files said at the base, put in the canonical form of the present.

import type { Desired, Live } from "../domain/change.ts";
import { fold } from "../domain/fold.ts";
import type { LiveState } from "../domain/live.ts";
import type { Mention } from "../domain/policy.ts";
import type { Project } from "../domain/project.ts";
import { claimRows } from "./claims.ts";
import { directories, type Names } from "./directory.ts";
import { LiveRows } from "./live-rows.ts";
import { Keys, nameOf } from "./names.ts";
import { Spellings } from "./spellings.ts";
import { settleDeclaration, type Settled, type Side } from "./settle.ts";

/** The declared state at the base. */
export interface SettledBase {
  /** By identity. */
  readonly desired: ReadonlyMap<string, Desired>;
  /** The live rows that it declared, each with its declaration. */
  readonly rows: ReadonlyMap<Live, Desired>;
  /** Those of them that share their key, so that nobody knows which was meant. */
  readonly unsure: ReadonlySet<Live>;
  /** The tombstones it had: identity, and id or nothing. */
  readonly tombstones: ReadonlySet<string>;
  readonly protect: readonly Mention[];
  /** What globs of the base are held against. */
  readonly spellings: Spellings;
}

/**
 * Settles the base by its own labels and zone, under the names of the present. What it can't tell (a domain that is gone)
 * is no error: then it declared nothing that is live, and nothing is taken for its own.
 */
export function settleBase(
  project: Project | null,
  state: LiveState,
  { side, live, tombstones }: Pick<Settled, "side" | "live" | "tombstones">,
): SettledBase {
  if (project === null) {
    const nothing = { desired: new Map(), rows: new Map(), unsure: new Set<Live>(), tombstones: new Set<string>() };
    return { ...nothing, protect: [], spellings: new Spellings(side.domains) };
  }
  const base = sideAtBase(project, state, side);
  const desired = project.declarations.map((declaration) => settleDeclaration(declaration, base));
  const byIdentity = new LiveRows(live);
  const rows = claimRows(desired, byIdentity).all.flatMap(({ desired: one, live: row }) =>
    row === undefined ? [] : byIdentity.at(row.identity).map((same) => [same, one] as const),
  );
  // Of several rows the present files may name all but one.
  for (const tombstone of tombstones) if (tombstone.live !== null) byIdentity.take(tombstone.live);
  return {
    desired: new Map(desired.map((one) => [one.identity, one])),
    rows: new Map(rows),
    unsure: new Set(rows.flatMap(([row]) => (byIdentity.at(row.identity).length > 1 ? [row] : []))),
    tombstones: new Set(project.tombstones.map(({ id, ...key }) => tombstoneKey(base.keys.of(key).identity, id))),
    protect: project.policy.protect,
    spellings: new Spellings(base.domains),
  };
}

/** What tells one tombstone from another. */
export function tombstoneKey(identity: string, id: number | null): string {
  return `${identity} ${id ?? ""}`;
}

function sideAtBase(project: Project, state: LiveState, present: Side): Side {
  const own = directories(project, state);
  const named = (then: Names, now: Names): Names => ({
    idOf: (text) => then.idOf(text),
    shown: (id) => now.shown(id) ?? then.shown(id),
    namesOf: (id) => new Set([...then.namesOf(id), ...now.namesOf(id)]),
    ids: new Map([...then.ids, ...now.ids]),
  });
  const domains = named(own.domains, present.domains);
  const ids = new Map(state.pixels.map((row) => [fold(nameOf(row)), row.id]));
  return {
    domains,
    spaces: named(own.spaces, present.spaces),
    pixels: {
      ofMention: (name) => {
        const id = ids.get(fold(name));
        return id === undefined ? (present.pixels.ofMention(name) ?? name) : present.pixels.ofRow(id, name);
      },
      ofRow: (id, name) => present.pixels.ofRow(id, name),
      nearest: () => null,
    },
    keys: new Keys(domains),
    zones: { account: present.zones.account, files: project.zone ?? present.zones.account ?? "UTC" },
    diagnostics: [],
  };
}
