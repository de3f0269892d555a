// A project on an account that it shares with others, as random states describe it: what its files say now and said at the
// base, and what is live.

/** What a file says of a link. Undefined is silence; pixels are places in the list of those that it can name. */
export interface LinkSaid {
  readonly url: string;
  readonly space: string | null | undefined;
  readonly disabled: boolean | undefined;
  readonly password: object | string | undefined;
  readonly pixels: readonly number[] | undefined;
  readonly unspecified: string | undefined;
}

/** What a file says of a pixel, and what is live of one. */
export interface PixelSaid {
  readonly type: string;
  readonly value: string;
}

/** A live link; pixels are places in the list of those that are live. */
export interface LinkRow {
  readonly url: string;
  readonly space: number | null;
  readonly disabled: number;
  readonly password: string | null;
  readonly pixels: readonly number[];
  readonly clicks: number;
}

/** What a block says where nothing else tells. */
export const SOME_LINK: LinkSaid = {
  url: "https://example.com/else",
  space: undefined,
  disabled: undefined,
  password: undefined,
  pixels: undefined,
  unspecified: undefined,
};

export const SOME_PIXEL: PixelSaid = { type: "bing", value: "3" };

/** What becomes of a key: declared at the base, declared now, live, to be deleted. */
export interface State<Said, Row> {
  readonly base: Said | null;
  readonly now: Said | "as at the base" | null;
  readonly live: Row | "as at the base" | "as now" | null;
  readonly tombstone: "none" | "plain" | "its id" | "another id";
  readonly protect: "never" | "at the base" | "now" | "always";
  readonly spelled: { readonly base: number; readonly now: number; readonly live: number };
  /** Not kept within the scope of the files. */
  readonly isStray: boolean;
}

export interface LinkSlot {
  readonly domain: 2 | 3;
  readonly alias: readonly string[];
  readonly state: State<LinkSaid, LinkRow>;
  /** Another row that folds to the same alias. */
  readonly twin: LinkRow | null;
}

export interface PixelSlot {
  readonly name: readonly string[];
  readonly state: State<PixelSaid, PixelSaid>;
}

/** Keys that renames tie together, by the places of their slots, each the successor of the one before it. */
export interface Chain {
  readonly slots: readonly number[];
  /** How much of it the base had already. */
  readonly atBase: "nothing" | "half" | "all";
  /** Each successor says what its row said before, so that only the key changes. */
  readonly isPlain: boolean;
  /** The only one of its keys that is free, the last where it has not started; null where anything may be live. */
  readonly gap: number | null;
}

/** A glob of keys of links: `domain` is written as the label that the files have for it. */
export interface KeyGlob {
  readonly domain: 2 | 3 | null;
  readonly rest: string;
}

/** What the domains are called in the files. */
export type Labels = "names" | "short" | "crossed";

export interface Scope {
  readonly domains: readonly (2 | 3)[] | undefined;
  readonly spaces: readonly (string | null)[] | undefined;
  readonly pixels: readonly string[] | undefined;
}

/** A project, its base and its account. */
export interface Owned {
  readonly links: readonly LinkSlot[];
  readonly pixels: readonly PixelSlot[];
  readonly linkChain: Chain;
  readonly pixelChain: Chain;
  readonly hasBase: boolean;
  readonly labels: { readonly base: Labels; readonly now: Labels };
  readonly scope: Scope | null;
  readonly prune: "none" | "removed" | "scope";
  readonly protect: { readonly base: readonly KeyGlob[]; readonly now: readonly KeyGlob[] };
  readonly allow: readonly string[] | null;
  readonly brake: {
    readonly deletes: number | string;
    readonly updates: number | string;
  } | null;
  readonly targets: readonly (KeyGlob | string)[];
  readonly excludes: readonly (KeyGlob | string)[];
  readonly resendSecrets: string | true | undefined;
  /** After so many writes a run is killed, and made again. */
  readonly killedAfter: number;
  readonly concurrency: number;
}

/** The places of a chain's slots among so many. */
export function chained({ slots }: Chain, count: number): number[] {
  return count === 0 ? [] : [...new Set(slots.map((at) => at % count))];
}
