// Counts and lists in sentences.

/** `1 change`, `2,000 changes`. */
export function plural(count: number, noun: string): string {
  return `${showCount(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** `8,240`. */
export function showCount(count: number): string {
  // `toLocaleString` is slow for many counts.
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}

/** `a, b and c`; with more than `most` items, `a, b and 3 more`. */
export function listText(items: readonly string[], conjunction: "and" | "or" = "and", most: number = Infinity): string {
  const shown = items.slice(0, most);
  const last = items.length > most ? `${items.length - most} more` : (shown.pop() ?? "");
  return shown.length === 0 ? last : `${shown.join(", ")} ${conjunction} ${last}`;
}

/** `a, b, c`; with more than `most` items, `a, b and 3 more`. */
export function someOf(items: readonly string[], most: number): string {
  return items.length > most ? listText(items, "and", most) : items.join(", ");
}
