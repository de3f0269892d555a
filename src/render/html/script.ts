// The script of a report: its filter. It hides and shows elements and creates no markup.

export const SCRIPT = `
"use strict";
(() => {
  const form = document.getElementById("filter");
  if (form === null) return;
  const search = document.getElementById("q");
  const count = document.getElementById("count");
  const all = document.getElementById("all");
  const facets = [...new Set([...form.elements].map(({ name }) => name).filter(Boolean))];
  const items = [...document.querySelectorAll("[data-item]")].map((element) => ({ element, text: null }));
  const groups = [...document.querySelectorAll("[data-group]")];
  const plain = (text) => (/^[ -~]*$/.test(text) ? text : text.normalize("NFKD").replace(/\\p{M}/gu, "")).toLowerCase();
  // Read when it is first asked for: most readers never search.
  const textOf = (item) => {
    item.text ??= plain([...item.element.querySelectorAll("h3, .facts, .how, .ends, .why, .hint, tbody tr, .src, .code")]
      .map((part) => part.textContent).join(" "));
    return item.text;
  };
  const chosen = () => {
    const wanted = new Map();
    for (const { name, type, checked, value } of form.elements) {
      if (!facets.includes(name) || value === "" || (type === "checkbox" && !checked)) continue;
      wanted.set(name, (wanted.get(name) ?? new Set()).add(value));
    }
    return [...wanted];
  };
  // A line stands for many alike changes: whoever looks for some sees these.
  const folds = [...document.querySelectorAll("#changes details.alike")];
  let isFiltered = true;
  const fold = (isActive) => {
    if (isActive === isFiltered) return;
    isFiltered = isActive;
    for (const details of folds) details.open = isActive;
  };
  const filter = () => {
    const words = plain(search.value).split(/\\s+/).filter(Boolean);
    const wanted = chosen();
    let shown = 0;
    for (const item of items) {
      const { element } = item;
      const fits = wanted.every(([name, values]) => values.has(element.dataset[name]))
        && (words.length === 0 || words.every((word) => textOf(item).includes(word)));
      if (fits) shown += 1;
      if (element.hidden === fits) element.hidden = !fits;
    }
    for (const group of groups) group.hidden = group.querySelector("[data-item]:not([hidden])") === null;
    const total = items.length;
    const number = (value) => value.toLocaleString("en-US");
    const { noun } = count.dataset;
    count.textContent = shown === total ? number(total) + " " + noun : number(shown) + " of " + number(total) + " " + noun;
    fold(words.length > 0 || wanted.length > 0);
    all.hidden = words.length === 0 && wanted.length === 0;
  };
  let asked = 0;
  const soon = () => {
    cancelAnimationFrame(asked);
    asked = requestAnimationFrame(filter);
  };
  form.hidden = false;
  fold(false);
  // On a phone it would fill the screen before anything is read.
  if (matchMedia("(max-width: 44rem)").matches) form.querySelector("details")?.removeAttribute("open");
  form.addEventListener("input", soon);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => {
    search.focus();
    soon();
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const inField = event.target instanceof Element && event.target.matches("input:not([type=checkbox]), select");
    if (event.key === "/" && !inField) {
      event.preventDefault();
      search.focus();
      search.select();
    }
    if (event.key === "Escape" && event.target === search) form.reset();
  });
  // A page that is opened again may have its fields as they were left.
  addEventListener("pageshow", soon);
})();
`;
