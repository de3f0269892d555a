// Plans as plain data, for what the renderers make of them.

import type { Change, Create, Delete, Desired, Live, Plan, Replace, Update } from "../../src/domain/change.ts";
import { DEFAULT_BRAKE } from "../../src/domain/project.ts";
import type { Place } from "../../src/domain/place.ts";
import type { ResourceKind } from "../../src/domain/table.ts";
import type { Value } from "../../src/domain/value.ts";

export const GO = "go.example.com";

export function place(line = 3, file = "links/a.yaml"): Place {
  return { file, line, column: 3 };
}

export function liveLink(alias: string, more: Partial<Omit<Live, "values">> & { values?: object } = {}): Live {
  const values: [string, Value][] = [
    ["url", "https://example.com/"],
    ["domain", GO],
    ["alias", alias],
    ...Object.entries(more.values ?? {}),
  ];
  const own = {
    kind: "link",
    id: 7,
    key: `${GO}/${alias}`,
    identity: `link 2/${alias}`,
    clicks: 12,
    updatedAt: null,
  } as const;
  return { ...own, ...more, values: new Map(values) };
}

export function livePixel(name: string, more: Partial<Omit<Live, "values">> = {}): Live {
  const values = new Map<string, Value>(Object.entries({ name, type: "bing", value: "1234567" }));
  return { kind: "pixel", id: 1, key: name, identity: `pixel ${name}`, clicks: null, updatedAt: null, ...more, values };
}

function desired({ kind, key, identity }: Pick<Live, "kind" | "key" | "identity">): Desired {
  const values = new Map(kind === "link" ? [["domain", key.slice(0, key.lastIndexOf("/"))] as const] : []);
  const none = {
    values,
    utm: new Map(),
    fields: new Map(),
    secrets: new Map(),
    place: place(),
    protect: null,
    owners: [],
    reviewBy: null,
    note: null,
  };
  return { kind, key, identity, ...none, unspecified: "reset", renamedFrom: null };
}

type More<Kind extends Change> = Partial<Omit<Kind, "action" | "live" | "desired">>;

/** What a change has of which nothing more is to be said. */
const PLAIN_CHANGE = {
  previousKey: null,
  fields: [],
  breaksUrl: false,
  source: place(),
  origin: null,
  takesOver: null,
} as const;

export function create(key: string, more: More<Create> = {}, kind: ResourceKind = "link"): Create {
  const own = { kind, key, identity: `${kind} ${key}` };
  return { ...PLAIN_CHANGE, ...own, action: "create", reason: "declared", desired: desired(own), ...more };
}

export function update(live: Live, more: More<Update> = {}): Update {
  const own = { kind: live.kind, key: live.key, desired: desired(live), live };
  return { ...PLAIN_CHANGE, ...own, action: "update", isGuarded: false, reason: "changed", ...more };
}

export function replace(live: Live, key: string): Replace {
  const own = { kind: live.kind, key, identity: `${live.kind} ${key}` };
  const moved = { breaksUrl: true, stored: [], previousKey: live.key, reason: "moved" } as const;
  return { ...PLAIN_CHANGE, ...own, action: "replace", ...moved, desired: desired(own), live };
}

export function remove(live: Live, more: More<Delete> = {}): Delete {
  const own = { kind: live.kind, key: live.key, breaksUrl: live.kind === "link", live };
  return { ...PLAIN_CHANGE, ...own, action: "delete", previousKey: null, reason: "tombstone", movedTo: null, ...more };
}

/** A plan of these changes. */
export function planOf(changes: readonly Change[], more: Partial<Plan> = {}): Plan {
  const count = (action: Change["action"]): number => changes.filter((change) => change.action === action).length;
  return {
    complete: true,
    software: "4.1",
    changes,
    base: null,
    notCompared: null,
    atStake: { link: [], pixel: [] },
    brakes: [],
    orphans: [],
    withheld: [],
    keptLive: [],
    isPruneBlind: false,
    brakeSettings: DEFAULT_BRAKE,
    isNewProject: false,
    summary: {
      create: count("create"),
      update: count("update"),
      replace: count("replace"),
      delete: count("delete"),
      unchanged: 4,
      unmanaged: 2,
      nowManaged: null,
      origins: null,
    },
    unmanaged: [],
    unreadable: [],
    outsideScope: new Set(),
    diagnostics: [],
    unknown: [],
    secretsCompared: 0,
    secretsNeeded: [],
    requests: { read: 3, apply: changes.length, verify: 1 },
    hosts: new Map([[GO, GO]]),
    references: { domains: new Map([[GO, 2]]), spaces: new Map([["Marketing", 1]]), pixels: new Map() },
    zones: { files: "Europe/Berlin", account: "UTC" },
    ...more,
  };
}

export const BASE = { ref: "origin/main", commit: "1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d" } as const;
