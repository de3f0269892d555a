// The changes of a page in sections.

import type { ChangeView } from "../change.ts";
import { countObjects, type ChangeSection } from "../sections.ts";
import { changeCard, type SideHeads } from "./change.ts";
import { markup, spans, type Markup } from "./markup.ts";
import type { Sources } from "./finding.ts";

export function changesSection(sections: readonly ChangeSection[], heads: SideHeads, sources: Sources): Markup {
  const context = { heads, sources };
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
