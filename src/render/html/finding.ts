// A finding: what is wrong, the line it stands on with the very words marked, and what to do.

import type { Diagnostic, Severity } from "../../domain/diagnostic.ts";
import { SEVERITY_WORDS } from "../../view/diagnostics.ts";
import { markup, prose, type Markup } from "./markup.ts";
import { codeLines, originRow, placeLink, type Sources } from "./source.ts";

const SIGNS: Readonly<Record<Severity, string>> = { error: "✗", warning: "!", info: "i" };

/** The card of a finding; `fileNumber` is null where it is not among what the filter filters. */
export function findingCard(
  { code, severity, message, place, hint, also = [] }: Diagnostic,
  sources: Sources,
  fileNumber: ((file: string) => number) | null,
): Markup {
  const file = place === null || fileNumber === null ? null : markup` data-file="${fileNumber(place.file)}"`;
  const item = fileNumber === null ? null : markup` data-item data-severity="${SEVERITY_WORDS[severity]}"${file}`;
  const where = place === null ? null : originRow(placeLink(place, sources), codeLines([place], true, sources));
  const others = also.map((aside) =>
    originRow([`${aside.says}: `, placeLink(aside.place, sources)], codeLines([aside.place], true, sources)),
  );
  return markup`<article class="card finding ${severity}"${item}>
<h3><span class="what"><b>${SIGNS[severity]}</b> ${SEVERITY_WORDS[severity]}</span> <span class="says">${prose(message)}</span> <span class="id">${code}</span></h3>
${hint === null ? null : markup`<p class="hint">${prose(hint)}</p>\n`}${where}${others}</article>
`;
}
