// The changes of a page in sections.

import type { Plan } from "../../domain/change.ts";
import { showPlace, type Place, type SourceText } from "../../domain/place.ts";
import type { ChangeView } from "../../view/change.ts";
import { countObjects, type ChangeSection } from "../../view/sections.ts";
import { changeCard, type SideHeads } from "./change.ts";
import { markup, spans, type Markup } from "./markup.ts";
import type { Sources } from "./finding.ts";

export function changesSection(
  sections: readonly ChangeSection[],
  heads: SideHeads,
  plan: Plan,
  sources: Sources,
): Markup {
  const context = { heads, sources, placeOf: placesIn(plan) };
  const draw = (change: ChangeView): Markup => changeCard(change, context);
  const lists = sections.map(({ isBad, owner, heading, lead, similar, single }) => {
    const folds = similar.map(
      ({ family, statement, changes }) =>
        markup`<details class="alike"><summary><b>${countObjects(changes)}</b>${family === null ? null : markup` of family <code>${family}</code>`}: ${spans(statement)}</summary>\n${changes.map(draw)}</details>\n`,
    );
    return markup`<div>
<h2 class="group${isBad ? " loud" : ""}">${owner === null ? null : `${owner}: `}${heading}</h2>
${lead === "" ? null : markup`<p class="under">${lead}</p>\n`}${folds}${single.map(draw)}</div>
`;
  });
  return markup`<section id="changes" aria-label="Changes">
${lists}</section>
`;
}

/** Completes a place that has only its line and column from the places of the plan. */
function placesIn({ changes }: Plan): (place: Place) => Place {
  let known: KnownPlaces | null = null;
  return (place) => {
    if (place.source !== undefined) return place;
    // Lazy, because most reports do not need it.
    known ??= knownPlaces(changes);
    const source = known.texts.get(place.file);
    return source === undefined ? place : (known.places.get(showPlace(place)) ?? { ...place, source });
  };
}

interface KnownPlaces {
  readonly texts: ReadonlyMap<string, SourceText>;
  readonly places: ReadonlyMap<string, Place>;
}

function knownPlaces(changes: Plan["changes"]): KnownPlaces {
  const texts = new Map<string, SourceText>();
  const places = new Map<string, Place>();
  const keep = (place: Place): void => {
    if (place.source === undefined || place.source.ref !== null) return;
    texts.set(place.file, place.source);
    places.set(showPlace(place), place);
  };
  for (const change of changes) {
    keep(change.source);
    if (change.action !== "delete") for (const { place } of change.desired.declared.values()) keep(place);
  }
  return { texts, places };
}
