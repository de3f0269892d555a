// What the search box of the page at `/` finds.
import { fold } from "../fold.ts";
import { entriesOf } from "../visit/link-state.ts";
import type { Service } from "../service.ts";
import type { Link, Pixel } from "../state.ts";

export interface Found {
  /** The newest first. */
  readonly links: readonly Link[];
  readonly pixels: readonly Pixel[];
}

/**
 * Whatever has the words in one of its texts, without regard to case and accents. Links are also found by their pixels and
 * space; passwords are no texts.
 */
export function search(asked: string, { store }: Service): Found {
  const wanted = fold(asked.trim());
  const has = (texts: readonly (string | null | undefined)[]): boolean =>
    wanted === "" || texts.some((text) => typeof text === "string" && fold(text).includes(wanted));
  const links = [...store.links.values()].filter((link) =>
    has([
      `${store.domains.get(link.domain)?.name ?? ""}/${link.alias}`,
      link.url,
      link.title,
      link.expiration_url,
      link.space === null ? null : store.spaces.get(link.space)?.name,
      ...link.pixels.map((id) => store.pixels.get(id)?.name),
      ...[link.country, link.platform, link.language, link.rotation].flatMap((group) =>
        entriesOf(group).map(({ value }) => value),
      ),
    ]),
  );
  const pixels = [...store.pixels.values()].filter(({ name, type, value }) => has([name, type, value]));
  return { links: links.toSorted((a, b) => b.id - a.id), pixels };
}
