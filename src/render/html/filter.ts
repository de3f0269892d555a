// The filter above a list: words and facets. Without scripts it is hidden and everything is shown.

import { countBy, showCount } from "../../view/counts.ts";
import { markup, type HtmlContent } from "./markup.ts";

/** A property to filter by; `name` is that of the attribute, `data-NAME`. */
export interface Facet {
  readonly name: string;
  readonly title: string;
  readonly options: readonly FacetOption[];
  /** Shown as a list instead of chips. */
  readonly isLong?: boolean;
}

export interface FacetOption {
  readonly value: string;
  readonly label: string;
  readonly count: number;
}

/** An option for each word; see `countBy`. */
export function optionsOf<Item>(
  items: readonly Item[],
  order: readonly string[],
  wordOf: (item: Item) => string,
): FacetOption[] {
  return [...countBy(items, wordOf, order)].map(([word, count]) => ({ value: word, label: word, count }));
}

/** Numbers files, so that attributes need not contain file names. */
export class FileNumbers {
  readonly #numbers = new Map<string, { readonly number: number; count: number }>();

  /** Counts a file and returns its number. */
  count(file: string): number {
    const known = this.#numbers.get(file) ?? { number: this.#numbers.size + 1, count: 0 };
    this.#numbers.set(file, known);
    known.count += 1;
    return known.number;
  }

  options(): FacetOption[] {
    return [...this.#numbers]
      .map(([file, { number, count }]) => ({ value: String(number), label: file, count }))
      .toSorted((a, b) => (a.label < b.label ? -1 : 1));
  }
}

/** Fewer items need no filter. */
const MIN_FILTERED = 4;

/** The form, without facets that have only one option. `noun`: the listed items, in the plural. */
export function filterForm(noun: string, total: number, facets: readonly Facet[]): HtmlContent {
  if (total < MIN_FILTERED) return null;
  const shown = facets.filter(({ options }) => options.length > 1);
  return markup`<form id="filter" role="search" aria-label="Filter ${noun}" hidden>
<div class="search"><label for="q">Search ${noun}</label>
<input id="q" type="search" autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="keys">
<span id="keys" class="keys"><kbd>/</kbd> to search, <kbd>Esc</kbd> to clear</span></div>
${shown.length === 0 ? null : markup`<details class="facets" open><summary>Show only</summary><div>\n${shown.map(facetField)}</div></details>\n`}<p class="count"><span id="count" role="status" data-noun="${noun}" data-total="${total}">${showCount(total)} ${noun}</span> <button type="reset" id="all" hidden>Show all</button></p>
</form>
`;
}

function facetField({ name, title, options, isLong = false }: Facet): HtmlContent {
  if (isLong) {
    const choices = options.map(
      ({ value, label, count }) => markup`<option value="${value}">${label} (${showCount(count)})</option>`,
    );
    return markup`<p class="facet"><label for="by-${name}">${title}</label> <select id="by-${name}" name="${name}"><option value="">all</option>${choices}</select></p>
`;
  }
  return markup`<fieldset class="facet"><legend>${title}</legend>${options.map(
    ({ value, label, count }) =>
      markup`<label class="chip"><input type="checkbox" name="${name}" value="${value}"><span>${label} <b>${showCount(count)}</b></span></label>`,
  )}</fieldset>
`;
}
