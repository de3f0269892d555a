// Texts that are too long for a glance.

/** A text with its middle cut out if it has more than `most` UTF-16 units. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const tail = Math.floor(most / 4);
  return `${wholeCharacters(text.slice(0, most - tail - 1))}…${wholeCharacters(text.slice(-tail))}`;
}

/** Without the halves of characters that a cut leaves at the ends. */
export function wholeCharacters(text: string): string {
  return text.replaceAll(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
}
