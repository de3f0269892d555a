// Short URLs that must go on answering: what would end one is refused, and no flag lifts that.

import type { Base, Change, Desired, Live } from "../domain/change.ts";
import { besides, error, warning, type Diagnostic } from "../domain/diagnostic.ts";
import { showPlace, type Place } from "../domain/place.ts";
import { endingOf } from "../domain/visitors.ts";
import type { Mention } from "../domain/policy.ts";
import type { SettledBase } from "./base.ts";
import type { Settled } from "./settle.ts";
import type { Spellings } from "./spellings.ts";

type Breaking = Exclude<Change, { action: "create" }>;

/** Refuses what makes a protected short URL stop answering, also where the protection stood at the base only. */
export function protectedChanges(
  changes: readonly Change[],
  globs: readonly Mention[],
  { desired }: Pick<Settled, "desired">,
  spellings: Spellings,
  base: (SettledBase & Base) | null,
): Diagnostic[] {
  const breaking = changes.filter((change): change is Breaking => change.action !== "create" && change.breaksUrl);
  if (breaking.length === 0) return [];
  const now = guard(globs, new Map(desired.map((one) => [one.identity, one])), spellings);
  const then = base === null ? null : guard(base.protect, base.desired, base.spellings);
  return breaking.flatMap((change) => {
    const { live } = change;
    const present = (change.action === "delete" ? null : change.desired.protect) ?? now(live);
    const former = base?.rows.get(live)?.protect ?? then?.(live) ?? null;
    if (present !== null) return [refused(change, present, "", "lift the protection in an earlier merge")];
    if (former === null) return [];
    const hint = "leave this change out until the merge that lifts the protection has been applied";
    return [refused(change, former, base === null ? "" : ` at ${base.ref}`, hint)];
  });
}

/** A warning for each glob that protects none of the links that are declared or were read. */
export function idleGlobs(
  globs: readonly Mention[],
  { desired, live }: Pick<Settled, "desired" | "live">,
  spellings: Spellings,
): Diagnostic[] {
  const links = [...desired, ...live].filter(({ kind }) => kind === "link");
  const texts = globs.map(({ text }) => text);
  const idle = new Set(spellings.idle(texts, new Set(links.map(({ key }) => key))));
  return globs.flatMap(({ text, place }) => {
    if (!idle.has(text)) return [];
    const message = `\`${text}\` protects nothing: no link that is declared or was read has such a key.`;
    const hint = "Keys of links are domain/alias, and `*` stands for any signs: `go.example.com/qr-*`.";
    return [warning("protects-nothing", message, place, hint)];
  });
}

function refused(change: Breaking, protection: Place, ref: string, hint: string): Diagnostic {
  const message = `\`${change.live.key}\` is protected (${showPlace(protection)}${ref}), and this would ${whatOf(change)}.`;
  const refusal = error("protected", message, change.source, `If it is meant, ${hint}.`);
  return besides(refusal, protection, "protected here");
}

function whatOf(change: Breaking): string {
  if (change.action === "delete") return "delete it";
  if (change.action === "replace") return `replace it by \`${change.key}\``;
  const how = endingOf(change);
  return how === "rename" ? `rename it to \`${change.key}\`` : how === "expire" ? "make it expire" : "disable it";
}

/** Says where a row is protected; null where it is not. */
function guard(
  globs: readonly Mention[],
  desired: ReadonlyMap<string, Desired>,
  spellings: Spellings,
): (live: Live) => Place | null {
  const matching = spellings.matching(globs.map(({ text }) => text));
  const place = (key: string): Place | null => {
    const texts = matching(key);
    return globs.find(({ text }) => texts.has(text))?.place ?? null;
  };
  return ({ identity, key }) => desired.get(identity)?.protect ?? place(key);
}
