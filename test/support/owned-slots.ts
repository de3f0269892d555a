// The keys of a random project: what both sides say of each, whose successors they are, and whether they lie in scope.

import { fold } from "../../src/sandbox/fold.ts";
import { matches } from "./globs.ts";
import {
  chained,
  SOME_LINK,
  SOME_PIXEL,
  type Chain,
  type LinkSaid,
  type LinkSlot,
  type Owned,
  type PixelSaid,
  type PixelSlot,
  type Scope,
} from "./owned.ts";

export interface Key {
  readonly kind: "link" | "pixel";
  readonly domain: 2 | 3 | null;
  /** The alias or name, as the files spell it. */
  readonly name: string;
}

/** Equal for keys that the service takes for one. */
export function identityOf({ kind, domain, name }: Key): string {
  return `${kind} ${domain ?? ""}/${fold(name)}`;
}

export type Side = "base" | "now";
export type Slot = LinkSlot | PixelSlot;

export function keyOf(slot: Slot, spelled: number): Key {
  if ("alias" in slot)
    return { kind: "link", domain: slot.domain, name: slot.alias[spelled % slot.alias.length] ?? "" };
  return { kind: "pixel", domain: null, name: slot.name[spelled % slot.name.length] ?? "" };
}

/** A chain as pairs of a slot and its successor. */
function pairsOf<One>(chain: Chain, all: readonly One[]): [One, One][] {
  const slots = chained(chain, all.length).flatMap((at) => all[at] ?? []);
  return slots.slice(1).map((successor, at) => [slots[at] ?? successor, successor]);
}

/** What both sides say of each slot, and whose successors they are. */
export class Slots {
  readonly all: readonly Slot[];
  readonly successors: Readonly<Record<Side, ReadonlyMap<Slot, Slot>>>;
  readonly #isPlain: Readonly<Record<Key["kind"], boolean>>;

  constructor(input: Owned) {
    this.all = [...input.links, ...input.pixels];
    const pairs = { link: pairsOf(input.linkChain, input.links), pixel: pairsOf(input.pixelChain, input.pixels) };
    const atBase = (list: [Slot, Slot][], { atBase: share }: Chain): [Slot, Slot][] =>
      list.slice(0, { nothing: 0, half: Math.ceil(list.length / 2), all: list.length }[share]);
    this.successors = {
      now: new Map([...pairs.link, ...pairs.pixel].map(([old, successor]) => [successor, old])),
      base: new Map(
        [...atBase(pairs.link, input.linkChain), ...atBase(pairs.pixel, input.pixelChain)].map(([old, successor]) => [
          successor,
          old,
        ]),
      ),
    };
    this.#isPlain = { link: input.linkChain.isPlain, pixel: input.pixelChain.isPlain };
  }

  said(slot: Slot, side: Side): LinkSaid | PixelSaid | null {
    const { base, now } = slot.state;
    const own = side === "now" && now !== "as at the base" ? now : base;
    const old = this.successors[side].get(slot);
    if (old === undefined) return own;
    const before = old.state.base ?? (old.state.now === "as at the base" ? null : old.state.now);
    const isPlain = this.#isPlain["alias" in slot ? "link" : "pixel"];
    return (isPlain ? (before ?? own) : (own ?? before)) ?? ("alias" in slot ? SOME_LINK : SOME_PIXEL);
  }

  /** What a live row was made of. */
  live(slot: Slot): LinkSaid | PixelSaid | null {
    const { base, live } = slot.state;
    return (live === "as now" ? (this.said(slot, "now") ?? base) : (base ?? this.said(slot, "now"))) ?? null;
  }

  /** Whether the present files name the row with this key. */
  isNamed(slot: Slot): boolean {
    return (
      this.said(slot, "now") !== null ||
      slot.state.tombstone !== "none" ||
      [...this.successors.now.values()].includes(slot)
    );
  }
}

/** The scope; one that limits nothing is none. */
export function scopeOf({ scope, prune }: Owned): Scope | null {
  if (scope === null) return null;
  // Without a limit to its own pixels, hardly anything could be pruned: others use the rest.
  const pixels = scope.pixels ?? (prune === "scope" ? ["P*"] : undefined);
  return (scope.domains ?? scope.spaces ?? pixels) === undefined ? null : { ...scope, pixels };
}

export function isIn(slot: Slot, scope: Scope): boolean {
  if ("alias" in slot) return scope.domains?.includes(slot.domain) ?? true;
  return scope.pixels === undefined || scope.pixels.some((glob) => matches(glob, keyOf(slot, 0).name));
}

export function within(space: string | null | undefined, { spaces }: Scope): string | null | undefined {
  if (spaces === undefined || spaces.includes(space ?? null)) return space;
  return spaces[0];
}

/** No id of a row is higher. */
export const HIGHEST_ID = 100;

/** Mirrored, ids are others, in the same order: which of two rows is the younger tells of a move that is half done. */
export function idOf(input: Owned, slot: Slot, which: "own" | "twin", isMirrored: boolean): number {
  const at = "alias" in slot ? input.links.indexOf(slot) : input.pixels.indexOf(slot);
  const id = at * 2 + (which === "own" ? 1 : 2);
  return isMirrored ? HIGHEST_ID / 2 + id : id;
}
