// What a word of the command line names. Fails if a domain, alias or name is read otherwise than people mean it.

import { expect, it } from "vitest";
import { pixelNameOf, readNamedKey } from "../../src/domain/named-key.ts";

it.each([
  ["spring", null, null, "spring", "spring"],
  ["go.example.com/spring", null, "go.example.com", "spring", "go.example.com/spring"],
  ["https://go.example.com/spr%C3%BCng/?a=1#b", "link", "go.example.com", "sprüng", null],
  ["link:spring", "link", null, "spring", null],
  ["pixel:A/B: c", "pixel", null, "A/B: c", "A/B: c"],
  ["A/B: c", null, "A", "B: c", "A/B: c"],
  ["pixel:", null, null, "pixel:", "pixel:"],
  ["https://go.example.com/%E0%A4%A", "link", "go.example.com", "%E0%A4%A", null],
] as const)("%s", (text, kind, domain, name, pixel) => {
  const key = readNamedKey(text);
  expect(key).toEqual({ text, kind, domain, name });
  expect(pixelNameOf(key)).toBe(pixel);
});
