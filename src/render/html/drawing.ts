// Pixels and the links that use them as a small drawing: names are text on both sides, the lines between them a picture.

import { plural } from "../../view/counts.ts";
import { markup, type HtmlContent, type Markup } from "./markup.ts";
import type { Fate, UseNode, Use, Uses } from "./uses.ts";

/** What stands before a name. */
const SIGNS: Readonly<Record<Fate, string>> = { new: "+", removed: "−", changed: "~", kept: "" };

/** Units of the picture for each name of the longer side; style.ts gives names the same height. */
const STEP = 40;
const WIDTH = 100;

/** The figure; `isMade`: what it tells of has been done. */
export function usesFigure(drawn: Uses): Markup {
  const { pixels, links, uses } = drawn;
  const height = Math.max(pixels.length, links.length) * STEP;
  const heightOf = (at: number, of: number): number => round(((at + 0.5) / of) * height);
  const lines = (["kept", "removed", "new"] as const).flatMap((fate) =>
    uses
      .filter((use) => use.fate === fate)
      .map(({ pixel, link }) => {
        const [from, to] = [heightOf(pixel, pixels.length), heightOf(link, links.length)];
        return markup`<path class="${fate}" d="M0 ${from}C50 ${from} 50 ${to} ${WIDTH} ${to}"/>\n`;
      }),
  );
  return markup`<figure class="uses">
<div class="drawn">
<ul class="ends-left" aria-label="Pixels">${pixels.map((node) => nodeItem(node, null))}</ul>
<svg role="img" aria-label="Lines from ${plural(pixels.length, "pixel")} to ${plural(links.length, "link")}: the list below says the same." viewBox="0 0 ${WIDTH} ${height}" height="${height}" preserveAspectRatio="none">
${lines}</svg>
<ul class="ends-right" aria-label="Links">${links.map((node) => nodeItem(node, "/"))}</ul>
</div>
<figcaption>${legend(uses)}${moreText(drawn)}</figcaption>
<details><summary>The same as a list</summary>
<ul class="list">
${pixels.map((node, at) => pixelItem(node, usesOfPixel(at, uses), links))}</ul></details>
</figure>
`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** `at`: where a name may be parted into two lines. */
function nodeItem({ key, fate }: UseNode, at: "/" | null): Markup {
  const sign = fate === "kept" ? null : markup`<b title="${fate}">${SIGNS[fate]}</b> `;
  const end = at === null ? -1 : key.indexOf(at) + 1;
  const name =
    end <= 0 ? markup`<span>${key}</span>` : markup`<small>${key.slice(0, end)}</small><span>${key.slice(end)}</span>`;
  return markup`<li class="${fate}" title="${key}"><div>${name}</div>${sign}</li>`;
}

const MEANS: Readonly<Record<Use["fate"], string>> = { new: "new", removed: "goes", kept: "stays" };

function legend(uses: readonly Use[]): HtmlContent {
  return (["new", "removed", "kept"] as const)
    .filter((fate) => uses.some((use) => use.fate === fate))
    .map(
      (fate) =>
        markup`<span class="means"><svg viewBox="0 0 40 10" width="40" height="10" aria-hidden="true"><path class="${fate}" d="M0 5H40"/></svg> ${MEANS[fate]}</span> `,
    );
}

function moreText({ morePixels, moreLinks }: Uses): HtmlContent {
  const more = [
    ...(morePixels === 0 ? [] : [plural(morePixels, "more pixel")]),
    ...(moreLinks === 0 ? [] : [plural(moreLinks, "more link")]),
  ];
  return more.length === 0 ? null : markup`<span class="more">and ${more.join(" and ")}</span>`;
}

function usesOfPixel(at: number, uses: readonly Use[]): readonly Use[] {
  return uses.filter(({ pixel }) => pixel === at);
}

function pixelItem({ key, fate }: UseNode, uses: readonly Use[], links: readonly UseNode[]): Markup {
  const state = fate === "kept" ? null : ` (${fate})`;
  const groups = (["new", "removed", "kept"] as const).flatMap((how) => {
    const keys = uses.flatMap((use) => (use.fate === how ? (links[use.link]?.key ?? []) : []));
    return keys.length === 0 ? [] : [`${MEANS[how]}: ${keys.join(", ")}`];
  });
  return markup`<li><b>${key}</b>${state}: ${groups.length === 0 ? "no link" : groups.join("; ")}</li>
`;
}
