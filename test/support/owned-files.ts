// The files of a random project: what `Owned` says, made consistent enough to be planned mostly.

import { idOf, identityOf, isIn, keyOf, scopeOf, Slots, within, type Key, type Side } from "./owned-slots.ts";
import type { KeyGlob, LinkSaid, Owned, PixelSaid, Scope } from "./owned.ts";
import { DOMAINS } from "./states.ts";

export interface Block {
  readonly key: Key;
  readonly from: Key | null;
  readonly protect: boolean;
  readonly said: LinkSaid | PixelSaid;
}

/** What the files of a side say. */
export interface Files {
  readonly labels: Readonly<Record<2 | 3, string>>;
  readonly blocks: readonly Block[];
  readonly tombstones: readonly { readonly key: Key; readonly id: number | null }[];
  readonly protect: readonly KeyGlob[];
  readonly scope: Scope | null;
  readonly prune: Owned["prune"];
  readonly allow: Owned["allow"];
  readonly brake: object;
  /** The names of pixels that links can give. */
  readonly pixels: readonly string[];
}

const LABELS = {
  names: { 2: DOMAINS[2], 3: DOMAINS[3] },
  short: { 2: "go", 3: "promo" },
  crossed: { 2: "promo", 3: "go" },
} as const;
const NO_BRAKE = { deletes: "100%", updates: "100%" };

/** What the files of a side say. Mirrored, the rows of the account have other ids. */
export function filesOf(input: Owned, side: Side, isMirrored: boolean): Files {
  const slots = new Slots(input);
  const scope = side === "now" ? scopeOf(input) : null;
  const successors = slots.successors[side];
  const blocks = slots.all.flatMap((slot): Block[] => {
    const said = slots.said(slot, side);
    if (said === null || (scope !== null && !slot.state.isStray && !isIn(slot, scope))) return [];
    const old = successors.get(slot);
    const protect = slot.state.protect === "always" || slot.state.protect === (side === "base" ? "at the base" : "now");
    return [
      {
        key: keyOf(slot, slot.state.spelled[side]),
        from: old === undefined ? null : keyOf(old, old.state.spelled[side]),
        protect: protect && "alias" in slot,
        said:
          "url" in said && scope !== null && !slot.state.isStray ? { ...said, space: within(said.space, scope) } : said,
      },
    ];
  });
  const left = new Set(blocks.flatMap(({ from }) => (from === null ? [] : [identityOf(from)])));
  const declared = new Set(blocks.map(({ key }) => identityOf(key)));
  const tombstones = slots.all.flatMap((slot) => {
    const { tombstone, spelled, isStray } = slot.state;
    const key = keyOf(slot, spelled[side]);
    const isFree = !declared.has(identityOf(key)) && !left.has(identityOf(key));
    if (tombstone === "none" || (scope !== null && !isStray && !isIn(slot, scope))) return [];
    if (!isFree && (tombstone === "plain" || !("twin" in slot) || slot.twin === null)) return [];
    const id = idOf(input, slot, tombstone === "its id" && isFree ? "own" : "twin", isMirrored);
    return [{ key, id: tombstone === "plain" ? null : id }];
  });
  const gone = new Set(tombstones.map(({ key }) => identityOf(key)));
  const others = input.pixels.flatMap((slot) => {
    const key = keyOf(slot, 0);
    const stays = slot.state.live !== null && !left.has(identityOf(key)) && !gone.has(identityOf(key));
    return stays && !declared.has(identityOf(key)) && input.prune === "none" ? [key.name] : [];
  });
  return {
    labels: LABELS[input.labels[side]],
    blocks,
    tombstones,
    protect: input.protect[side],
    scope,
    prune: side === "base" ? "none" : input.prune === "scope" && scope === null ? "removed" : input.prune,
    allow: side === "now" ? input.allow : null,
    brake: side === "now" ? (input.brake ?? NO_BRAKE) : NO_BRAKE,
    pixels: [...blocks.flatMap(({ key }) => (key.kind === "pixel" ? [key.name] : [])), ...others],
  };
}

/** How the files of a side write a key. */
export function written({ kind, domain, name }: Key, { labels }: Pick<Files, "labels">): string {
  return kind === "pixel" || domain === null ? name : `${labels[domain]}/${name}`;
}

/** A glob of keys as the files of a side write it. */
export function globText(glob: KeyGlob | string, { labels }: Pick<Files, "labels">): string {
  return typeof glob === "string" ? glob : `${glob.domain === null ? "*" : labels[glob.domain]}/${glob.rest}`;
}

/** The project file as JSON, which is YAML; `isReversed` turns the order of its blocks round. */
export function projectText(files: Files, isReversed: boolean): string {
  const { blocks, tombstones, scope } = files;
  const order = <One>(list: readonly One[]): readonly One[] => (isReversed ? list.toReversed() : list);
  const section = (kind: Key["kind"]): object =>
    Object.fromEntries(
      order(blocks.filter(({ key }) => key.kind === kind)).map(({ key, from, protect, said }) => [
        written(key, files),
        {
          ...said,
          ...("url" in said && said.pixels !== undefined
            ? { pixels: [...new Set(said.pixels.flatMap((at) => files.pixels[at % files.pixels.length] ?? []))] }
            : {}),
          ...(from === null ? {} : { renamed_from: written(from, files) }),
          ...(protect ? { protect: true } : {}),
        },
      ]),
    );
  const absent = (kind: Key["kind"]): object[] =>
    order(tombstones.filter(({ key }) => key.kind === kind)).map(({ key, id }) => ({
      [written(key, files)]: id === null ? null : { id },
    }));
  return JSON.stringify({
    version: 1,
    service: { base_url: "https://short.example.com" },
    domains: Object.fromEntries(([2, 3] as const).map((id) => [files.labels[id], { id, name: DOMAINS[id] }])),
    spaces: { Marketing: 1, Sales: 2 },
    ...(scope === null ? {} : { scope: { ...scope, domains: scope.domains?.map((id) => files.labels[id]) } }),
    prune: files.prune,
    protect: files.protect.map((glob) => globText(glob, files)),
    ...(files.allow === null ? {} : { allow: files.allow }),
    brake: files.brake,
    pixels: section("pixel"),
    links: section("link"),
    absent: { links: absent("link"), pixels: absent("pixel") },
  });
}
