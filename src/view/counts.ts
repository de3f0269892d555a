// Counts and words in sentences.

/** `1 change`, `2,000 changes`. */
export function plural(count: number, noun: string): string {
  return `${showCount(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** A count, which is whole, as people read it: `8,240`. */
export function showCount(count: number): string {
  // As the locale would, whose asking takes its time where there are many.
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}

/** A word as a sentence begins with it. */
export function capital(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}

/** How long something took: `4 s`, `3 min 12 s`. */
export function durationText(seconds: number): string {
  const whole = Math.round(seconds);
  const rest = whole % 60;
  if (whole < 60) return `${whole} s`;
  return rest === 0 ? `${whole / 60} min` : `${Math.floor(whole / 60)} min ${rest} s`;
}
