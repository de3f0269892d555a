// Edge cases of rules and hints. Fails if a hint names the wrong word, network or platform, if one mistake is reported twice, or
// if a valid value is reported.
import { expect, it } from "vitest";
import { LintContext } from "../../src/config/lint/context.ts";
import { lintAddress } from "../../src/config/lint/address.ts";
import type { Diagnostic } from "../../src/domain/diagnostic.ts";
import { SourceText } from "../../src/domain/place.ts";
import { load } from "./loading.ts";

/** The findings of rules for an address, and the part that each one underlines. */
function said(address: string): (readonly [code: string, marked: string])[] {
  const advice = new LintContext(new Map());
  const source = new SourceText(address, "linkform.yaml");
  lintAddress({ text: address, name: "`url`", isMerged: true }, source.place(0, address.length), advice);
  return advice.diagnostics.map(({ code, place }) => [code, markedBy(address, place)]);
}

function markedBy(line: string, place: Diagnostic["place"]): string {
  return place === null ? "" : line.slice(place.column - 1, place.column - 1 + (place.length ?? 0));
}

it.each([
  ["javascript://me@localhost/?utm_source=A", [["unsafe-scheme", "javascript://me@localhost/?utm_source=A"]]],
  ["https://shop.localhost/", [["private-address", "shop.localhost"]]],
  ["https://localhost.example/", []],
  ["https://notlocalhost/", []],
  ["https://[fd12::1]/", [["private-address", "[fd12::1]"]]],
  ["http://a.example/http://", [["plain-http", "http://"]]],
] as const)("%s", (address, expected) => {
  expect(said(address)).toEqual(expected);
});

/** The hints for a project file with this text. */
async function hints(text: string): Promise<(string | null)[]> {
  return (await load(text)).diagnostics.map(({ hint }) => hint);
}

it.each([
  ["mac", "OS X"],
  ["macOS", "OS X"],
  ["iPad", "iOS"],
  ["iPhone", "iOS"],
  ["chromebook", "Chrome OS"],
  ["win", "Windows"],
  ["windows", "Windows"],
])("who writes %s means %s", async (written, meant) => {
  const group = `targeting: { platform: { ${written}: "https://example.com/p" } }`;
  expect(await hints(`links: { go.example.com/a: { url: "https://example.com/", ${group} } }\n`)).toEqual([
    `Did you mean \`${meant}\`?`,
  ]);
});

it("five lower-case letters do not identify a network", async () => {
  const found = (await load('pixels: { Main: { type: facebook, value: "hello" } }\n')).diagnostics;
  expect(found.map(({ code }) => code)).toEqual(["pixel-value"]);
});
