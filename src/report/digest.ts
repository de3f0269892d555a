// A number made of a text, the same every time: FNV-1a of 64 bits, over the units of the text.

const BASIS = 0xcbf29ce484222325n;
const PRIME = 0x100000001b3n;

/** Sixteen hexadecimal digits, which two texts hardly have in common. They are no proof of anything: whoever wants to, finds two. */
export function digest(text: string): string {
  let hash = BASIS;
  for (let at = 0; at < text.length; at += 1) hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(at))) * PRIME);
  return hash.toString(16).padStart(16, "0");
}
