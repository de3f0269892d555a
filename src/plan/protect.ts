// Protected short URLs: changes that break one are refused, and no flag lifts that.

import { endingOf, type Base, type Change, type Desired, type Live } from "../domain/change.ts";
import { besides, error, warning, type Diagnostic } from "../domain/diagnostic.ts";
import { showPlace, type Place } from "../domain/place.ts";
import type { InheritedProject, Mention } from "../domain/project.ts";
import type { ResolvedBase } from "./base.ts";
import type { Resolved } from "./resolve.ts";
import type { KeyGlobs } from "./key-globs.ts";

type Breaking = Exclude<Change, { action: "create" }>;

type ResolvedInherited = Omit<InheritedProject, "project"> & { readonly base: ResolvedBase };

/** Refuses changes after which a protected short URL stops working, also if it is protected only at the base or by another project there. */
export function protectedChanges(
  changes: readonly Change[],
  globs: readonly Mention[],
  { desired }: Resolved,
  keyGlobs: KeyGlobs,
  base: (ResolvedBase & Base) | null,
  inherited: readonly ResolvedInherited[],
): Diagnostic[] {
  const breaking = changes.filter((change): change is Breaking => change.action !== "create" && change.breaksUrl);
  if (breaking.length === 0) return [];
  const now = protectionOf(globs, new Map(desired.map((one) => [one.identity, one])), keyGlobs);
  const then = base === null ? null : protectionAtBase(base);
  const others = inherited.map((one) => ({ ...one, guard: protectionAtBase(one.base) }));
  const at = base === null ? "" : ` at ${base.ref}`;
  return breaking.flatMap((change) => {
    const { live } = change;
    const present = (change.action === "delete" ? null : change.desired.protect) ?? now(live);
    const place = present ?? then?.(live) ?? null;
    if (place !== null) {
      const hint = present === null ? LEAVE_OUT : "Remove the protection and apply that first.";
      const where = present === null ? `${showPlace(place)}${at}` : showPlace(place);
      return [besides(refused(change, where, hint), place, "protected here")];
    }
    for (const { path, protects, base: its, guard } of others) {
      const { line } = guard(live) ?? {};
      // The place is outside the folder of this project, so reports cannot show its line.
      const counts = protects === "everything" || its.records.has(live) || its.desired.has(live.identity);
      if (line !== undefined && counts) return [refused(change, `by \`${path}\`, line ${line}${at}`, LEAVE_OUT)];
    }
    return [];
  });
}

const LEAVE_OUT = "Leave this change out until the removal of the protection has been applied.";

/** The protection at a base: of objects that it declared, also under a former key, and of its globs. */
function protectionAtBase(base: ResolvedBase): (live: Live) => Place | null {
  const byKey = protectionOf(base.protect, base.desired, base.keyGlobs);
  return (live) => base.records.get(live)?.protect ?? byKey(live);
}

/** A warning for each glob that matches neither a declared nor a live link. */
export function idleGlobs(globs: readonly Mention[], { desired, live }: Resolved, keyGlobs: KeyGlobs): Diagnostic[] {
  const links = [...desired, ...live].filter(({ kind }) => kind === "link");
  const texts = globs.map(({ text }) => text);
  const idle = new Set(keyGlobs.idle(texts, new Set(links.map(({ key }) => key))));
  return globs.flatMap(({ text, place }) => {
    if (!idle.has(text)) return [];
    const message = `\`${text}\` protects nothing: it matches no declared link and no link that linkform read.`;
    const hint = "Match links by domain and alias. `*` matches any characters: `go.example.com/qr-*`.";
    return [warning("protects-nothing", message, place, hint)];
  });
}

function refused(change: Breaking, where: string, hint: string): Diagnostic {
  const message = `\`${change.live.key}\` is protected (${where}), but this change would ${whatOf(change)}.`;
  return error("protected", message, change.source, hint);
}

function whatOf(change: Breaking): string {
  const texts = {
    delete: "delete it",
    replace: `replace it with \`${change.key}\``,
    rename: `rename it to \`${change.key}\``,
    expire: "make it expire",
    disable: "disable it",
  };
  return texts[endingOf(change) ?? "disable"];
}

function protectionOf(
  globs: readonly Mention[],
  desired: ReadonlyMap<string, Desired>,
  keyGlobs: KeyGlobs,
): (live: Live) => Place | null {
  const matching = keyGlobs.matching(globs.map(({ text }) => text));
  const place = (key: string): Place | null => {
    const texts = matching(key);
    return globs.find(({ text }) => texts.has(text))?.place ?? null;
  };
  return ({ identity, key }) => desired.get(identity)?.protect ?? place(key);
}
