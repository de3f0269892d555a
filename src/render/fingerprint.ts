// A number made of a text, the same every time: FNV-1a of 64 bits, over the units of the text.

/** The halves of the number that it begins with, and the lower one of the prime that it is multiplied by: 2^40 + 435. */
const BASIS = [0xcbf29ce4, 0x84222325] as const;
const PRIME = 435;
const HALF = 2 ** 32;

/** Sixteen hexadecimal digits, which two texts hardly have in common. They are no proof of anything: whoever wants to, finds two. */
export function digest(text: string): string {
  let [high, low]: readonly [number, number] = BASIS;
  for (let at = 0; at < text.length; at += 1) {
    const mixed = (low ^ text.charCodeAt(at)) >>> 0;
    const product = mixed * PRIME;
    high = (high * PRIME + Math.floor(product / HALF) + mixed * 2 ** 8) % HALF;
    low = product % HALF;
  }
  return [high, low].map((half) => half.toString(16).padStart(8, "0")).join("");
}
