// The scope: the part of the account that a project covers.

import type { Desired, Live } from "../domain/change.ts";
import { besides, error, type Diagnostic } from "../domain/diagnostic.ts";
import { keyMatcher } from "../domain/glob.ts";
import { showPlace, type Place } from "../domain/place.ts";
import type { Scope } from "../domain/project.ts";
import { fieldAt, KEY_FIELD, REFERENCE_FIELD, type PerKind, type ResourceKind } from "../domain/table.ts";
import type { Value, ValueLookup } from "../domain/value.ts";
import type { AccountNames } from "./names.ts";

export interface ResolvedScope {
  /** Whether an object with these values is certainly inside. */
  has(kind: ResourceKind, values: ValueLookup): boolean;
  /** Why it is certainly outside, to continue "it …"; null if it may be inside. */
  whyNot(kind: ResourceKind, values: ValueLookup): string | null;
  readonly place: Place;
}

type Directories = Pick<AccountNames, "domains" | "spaces">;

export function resolveScope(scope: Scope | null, names: Directories): ResolvedScope | null {
  if (scope === null) return null;
  const isInPixels = scope.pixels && keyMatcher(scope.pixels.map(({ text }) => text));
  const isOut = "its name matches none of the `pixels` in the scope";
  const dimensions: PerKind<readonly Dimension[]> = {
    link: [
      ...dimension("domain", scope, names, (name) => `it is on the domain \`${name}\``),
      ...dimension("space", scope, names, (name) => (name === null ? IN_NO_SPACE : `it is in the space \`${name}\``)),
    ],
    pixel: isInPixels
      ? [{ path: KEY_FIELD.pixel, holds: (value) => isInPixels(String(value)), says: () => isOut }]
      : [],
  };
  return {
    has: (kind, values) =>
      dimensions[kind].every(({ path, holds }) => {
        const value = values.get(path);
        return value !== undefined && holds(value);
      }),
    whyNot: (kind, values) => {
      for (const { path, holds, says } of dimensions[kind]) {
        const value = values.get(path);
        if (value !== undefined && !holds(value)) return says(value === null ? null : String(value));
      }
      return null;
    },
    place: scope.place,
  };
}

const IN_NO_SPACE = "it is in no space";

interface Dimension {
  readonly path: string;
  readonly holds: (value: Value) => boolean;
  readonly says: (name: string | null) => string;
}

function dimension(what: "domain" | "space", scope: Scope, names: Directories, says: Dimension["says"]): Dimension[] {
  const mentions: Scope["spaces"] = scope[`${what}s`];
  if (mentions === null) return [];
  const directory = names[`${what}s`];
  const shown = new Set<Value>(
    mentions.flatMap((mention) => {
      if (mention === null) return [null];
      const id = directory.idOf(mention.text);
      return (id === undefined ? undefined : directory.shown(id)) ?? [];
    }),
  );
  return [{ path: REFERENCE_FIELD[what], holds: (value) => shown.has(value), says }];
}

/** Reports a declared object outside the scope. `live` is its record, whose values it may keep. */
export function declaredOutside(desired: Desired, live: Live | undefined, scope: ResolvedScope): Diagnostic[] {
  const isKept = desired.unspecified === "keep" && live !== undefined;
  const why = scope.whyNot(desired.kind, isKept ? desired.values : valuesAfter(desired, undefined));
  if (why === null) return [];
  const message = `\`${desired.key}\` is outside the scope of this project (${showPlace(scope.place)}), because ${why}.`;
  return outsideScope(message, desired.place, "Declare it in the project that it belongs to, or widen `scope`.", scope);
}

function outsideScope(message: string, place: Place, hint: string, scope: ResolvedScope): Diagnostic[] {
  return [besides(error("outside-scope", message, place, hint), scope.place, "the scope")];
}

/** The declared values, else those that the live object keeps, else the defaults. */
export function valuesAfter({ kind, values, unspecified }: Desired, live: Live | undefined): ValueLookup {
  const kept = unspecified === "keep" ? live?.values : undefined;
  return { get: (path) => [values, kept].find((some) => some?.has(path))?.get(path) ?? fieldAt(kind, path)?.default };
}

/** Reports a declared or tombstoned key whose live object is outside the scope. */
export function liveOutside(key: string, live: Live, place: Place, scope: ResolvedScope): Diagnostic[] {
  const why = scope.whyNot(live.kind, live.values);
  if (why === null) return [];
  const message = `\`${key}\` is live (id ${live.id}) and outside the scope of this project (${showPlace(scope.place)}), because ${why}. It may belong to another project.`;
  const wider = why === IN_NO_SPACE ? "add `null` to the `spaces` of the scope" : "widen `scope`";
  return outsideScope(message, place, `Remove it from these files, or ${wider}.`, scope);
}
