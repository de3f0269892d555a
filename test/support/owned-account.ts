// The account of a random project, as a seed of the sandbox.

import type { SeedState } from "../../src/sandbox/index.ts";
import { HIGHEST_ID, idOf, keyOf, scopeOf, Slots, within } from "./owned-slots.ts";
import { SOME_LINK, SOME_PIXEL, type LinkRow, type LinkSaid, type Owned } from "./owned.ts";

const SPACES: readonly (string | null)[] = [null, "Marketing", "Sales"];

/** The account. Mirrored, its rows have other ids and come in another order. */
export function seedOf(input: Owned, isMirrored: boolean): SeedState {
  const slots = new Slots(input);
  const scope = scopeOf(input);
  const livePixels = input.pixels.filter((slot) => slot.state.live !== null);
  const pixelIds = livePixels.map((slot) => idOf(input, slot, "own", isMirrored));
  const pixels = livePixels.map((slot) => {
    const said = typeof slot.state.live === "string" ? slots.live(slot) : slot.state.live;
    const { type, value } = said !== null && "type" in said ? said : SOME_PIXEL;
    return { id: idOf(input, slot, "own", isMirrored), name: keyOf(slot, slot.state.spelled.live).name, type, value };
  });
  const links = input.links.flatMap((slot) => {
    const { live, spelled, isStray } = slot.state;
    const said = slots.live(slot);
    const own = typeof live === "string" ? rowOf(said !== null && "url" in said ? said : SOME_LINK) : live;
    const isTheirs = scope === null || isStray || !slots.isNamed(slot) || own === null;
    const space = isTheirs ? own?.space : SPACES.indexOf(within(SPACES[own.space ?? 0], scope) ?? null) || null;
    const rows = [own === null ? null : { ...own, space: space ?? null }, slot.twin];
    return rows.flatMap((row, at) =>
      row === null
        ? []
        : [
            {
              ...row,
              id: idOf(input, slot, at === 0 ? "own" : "twin", isMirrored),
              domain: slot.domain,
              alias: keyOf(slot, spelled.live + at).name,
              pixels: row.pixels.flatMap((pixel) => pixelIds[pixel % Math.max(pixelIds.length, 1)] ?? []),
            },
          ],
    );
  });
  const turned = <Row>(rows: readonly Row[]): readonly Row[] => (isMirrored ? rows.toReversed() : rows);
  return { pixels: turned(pixels), links: turned(links), next: { link: HIGHEST_ID, pixel: HIGHEST_ID } };
}

function rowOf(said: LinkSaid): LinkRow {
  return {
    url: said.url,
    space: SPACES.indexOf(said.space ?? null) || null,
    disabled: said.disabled === true ? 1 : 0,
    password: typeof said.password === "object" ? "old" : null,
    pixels: said.pixels ?? [],
    clicks: 7,
  };
}
